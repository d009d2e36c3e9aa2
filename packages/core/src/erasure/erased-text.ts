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
 * Returns the code of a text. Case, and how much space there is between words, make no difference.
 *
 * @param key - of the space, for erasures
 */
export function erasedTextCode(key: Uint8Array, text: string): Uint8Array {
  const plain = text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  return hmac(sha256, key, utf8ToBytes(plain)).subarray(0, ERASED_TEXT_BYTES);
}

/**
 * Returns the code of a text that is pruned: exactly the same text has the same one. It shows whether a text that is
 * found again is the one that was pruned.
 *
 * @param key - of the space, for erasures
 */
export const prunedTextCode = (key: Uint8Array, text: string): Uint8Array =>
  hmac(sha256, key, utf8ToBytes(`pruned\0${text}`)).subarray(0, ERASED_TEXT_BYTES);
