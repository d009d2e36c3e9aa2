/**
 * Options that were typed, and only those: the library tells an absent option from an undefined one.
 *
 * @module
 */

/** Returns the object without the properties that are undefined. */
export function omitUndefined<T extends object>(
  options: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
