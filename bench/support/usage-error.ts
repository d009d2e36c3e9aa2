/**
 * What the person who started a benchmark can mend.
 *
 * @module
 */
export class UsageError extends Error {}

/** @throws {UsageError} when the text is no whole number of at least `least` */
export function wholeNumber(name: string, text: string, least = 0): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least) return value;
  throw new UsageError(`--${name} takes a whole number of at least ${least}.`);
}
