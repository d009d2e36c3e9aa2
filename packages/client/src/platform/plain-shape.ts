/**
 * Checking plain data from files that are read at every start. There are three of them, and a schema
 * library would take a quarter of that time to load; what comes from others over the network goes through one.
 *
 * @module
 */
/** Whether a value from a file is what it should be. */
export type Check<Value> = (value: unknown) => value is Value;

/** Any string, the empty one too. */
export const isText: Check<string> = (value): value is string => typeof value === "string";
/** Any number except NaN and the infinities. */
export const isNumber: Check<number> = (value): value is number =>
  typeof value === "number" && Number.isFinite(value);
export const isTrue: Check<true> = (value): value is true => value === true;
/** Exactly the number 1, as in a format's version. */
export const isOne: Check<1> = (value): value is 1 => value === 1;

export const isBytes: Check<Uint8Array> = (value): value is Uint8Array => value instanceof Uint8Array;

export const isTextList: Check<readonly string[]> = (value): value is readonly string[] =>
  Array.isArray(value) && value.every(isText);

export const isOneOf =
  <Text extends string>(...texts: readonly Text[]): Check<Text> =>
  (value): value is Text =>
    texts.some((text) => text === value);

export const isAbsentOr =
  <Value>(check: Check<Value>): Check<Value | undefined> =>
  (value): value is Value | undefined =>
    value === undefined || check(value);

export const isNullOr =
  <Value>(check: Check<Value>): Check<Value | null> =>
  (value): value is Value | null =>
    value === null || check(value);

export const isWholeUpTo =
  (max: number): Check<number> =>
  (value): value is number =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max;

/** A check for each key of an object. A key that may be absent has a check that allows undefined. */
type Checks<Shape> = { readonly [Key in keyof Shape]-?: Check<Shape[Key]> };

/** Reads the named keys of an object and leaves out all others; undefined when one is not what it should be. */
export function readShape<Shape extends object>(value: unknown, checks: Checks<Shape>): Shape | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const record = value as Record<string, unknown>;
  const entries: [string, unknown][] = [];
  for (const [key, check] of Object.entries<Check<unknown>>(checks)) {
    if (!check(record[key])) return undefined;
    if (record[key] !== undefined) entries.push([key, record[key]]);
  }
  return Object.fromEntries(entries) as Shape;
}
