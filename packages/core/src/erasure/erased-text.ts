/**
 * Codes of erased texts. They show that a text was erased once, to those who have the text and the space's
 * key, and nothing to anyone else.
 *
 * @module
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "../format/bytes.js";
import { ERASED_TEXT_BYTES } from "./erasure-rule.js";

/**
 * Returns the code of a text in its normal form: case, how much space there is between words, headings above it, and
 * punctuation at its ends make no difference.
 *
 * @param key - of the space, for erasures
 */
export const erasedTextCode = (key: Uint8Array, text: string): Uint8Array => codeOf(key, normalForm(text));

/**
 * Returns the codes under which a text may stand in the rules: that of its normal form and, where this is another one, that
 * of the whole of it, which versions before wrote.
 */
export function erasedTextCodes(key: Uint8Array, text: string): readonly Uint8Array[] {
  const [plain, normal] = [plainForm(text), normalForm(text)];
  return (plain === normal ? [plain] : [normal, plain]).map((form) => codeOf(key, form));
}

const codeOf = (key: Uint8Array, form: string): Uint8Array =>
  hmac(sha256, key, utf8ToBytes(form)).subarray(0, ERASED_TEXT_BYTES);

const plainForm = (text: string): string =>
  text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();

/** What consists of nothing else keeps its headings, and its punctuation. */
function normalForm(text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "" && !HEADING.test(line));
  const below = first > 0 ? lines.slice(first).join("\n") : text;
  const plain = plainForm(below);
  return withoutEnds(plain) || plain;
}

const HEADING = /^\s{0,3}#{1,6}\s/;
/** Marks of lists and quotations. */
const MARK = /^(?:#{1,6}|[-+*>•])\s+/;
/** Brackets and quotation marks; at the end also what ends a sentence. Signs such as % are part of what is said. */
const BEFORE = /^(?:[\p{Ps}\p{Pi}\p{Pf}"'*_\x60~¿¡…]|\s)$/u;
const BEHIND = /^(?:[\p{Pe}\p{Pi}\p{Pf}\p{Pd}\p{Po}_\x60~]|\s)$/u;
const SIGN = /^[#%&@‰§]$/;

/** By hand: a pattern that looks for the end takes very long over a run of punctuation. */
function withoutEnds(text: string): string {
  let from = 0;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text.slice(from))) from += mark[0].length;
  let to = text.length;
  while (from < to && BEFORE.test(text[from] as string)) from += 1;
  while (to > from && BEHIND.test(text[to - 1] as string) && !SIGN.test(text[to - 1] as string)) to -= 1;
  return text.slice(from, to);
}

/**
 * Returns the code of a text that is pruned: exactly the same text has the same one. It shows whether a text that is
 * found again is the one that was pruned.
 *
 * @param key - of the space, for erasures
 */
export const prunedTextCode = (key: Uint8Array, text: string): Uint8Array =>
  hmac(sha256, key, utf8ToBytes(`pruned\0${text}`)).subarray(0, ERASED_TEXT_BYTES);
