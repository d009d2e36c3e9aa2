/**
 * The text of a form, kept whole or as what lies between the beginning and the end of an earlier one:
 * most versions of a memory exchange a sentence of it. Long ones are compressed: texts are most of the index, and
 * half of that is saved at 10 µs each, the first time one is read.
 *
 * @module
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";

export interface TextDelta {
  /** UTF-16 units taken from the beginning and the end of the base. */
  readonly prefix: number;
  readonly suffix: number;
  readonly middle: string;
}

/** A delta has to save this part of the text to be worth reading two rows. */
const MIN_SAVING = 0.3;

/** In UTF-16 units. Shorter ones gain little. */
const MIN_COMPRESSED = 128;
/**
 * Texts are short: small tables are made faster, a window of 4 KiB sees nearly all that repeats, and there is no need
 * of room for more at once.
 */
const CHUNKS = { windowBits: 12, chunkSize: 4_096 };
const DEFLATE = { ...CHUNKS, level: 6, memLevel: 5 };

/** A text as its column holds it. */
export type StoredText = string | Uint8Array;

/** Node 22 reads a text from SQLite only up to the first zero: one with zeros is never kept as it is. */
export function storedText(text: string): StoredText {
  const mayBePlain = !text.includes("\0");
  if (mayBePlain && text.length < MIN_COMPRESSED) return text;
  const deflated = deflateRawSync(text, DEFLATE);
  return mayBePlain && deflated.length >= text.length ? text : deflated;
}

export const textOf = (stored: StoredText): string =>
  typeof stored === "string" ? stored : inflateRawSync(stored, CHUNKS).toString();

/** @returns undefined when the two have too little in common */
export function deltaOf(base: string, text: string): TextDelta | undefined {
  const limit = Math.min(base.length, text.length);
  let prefix = 0;
  while (prefix < limit && base.charCodeAt(prefix) === text.charCodeAt(prefix)) prefix += 1;
  if (prefix > 0 && isHighSurrogate(text.charCodeAt(prefix - 1))) prefix -= 1;
  let suffix = 0;
  while (
    suffix < limit - prefix &&
    base.charCodeAt(base.length - 1 - suffix) === text.charCodeAt(text.length - 1 - suffix)
  ) {
    suffix += 1;
  }
  if (suffix > 0 && isLowSurrogate(text.charCodeAt(text.length - suffix))) suffix -= 1;
  if (prefix + suffix < text.length * MIN_SAVING) return undefined;
  return { prefix, suffix, middle: text.slice(prefix, text.length - suffix) };
}

export const applyDelta = (base: string, { prefix, suffix, middle }: TextDelta): string =>
  base.slice(0, prefix) + middle + base.slice(base.length - suffix);

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
