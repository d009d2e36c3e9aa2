/**
 * The words of a recovery kit: a secret of 128 bits and 32 bits that check it, as 15 words of the English list of
 * BIP 39, which has words that are told apart by their first four letters.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { bytesEqual, CambiumError } from "@cambium/core";
import { entropyToMnemonic, mnemonicToEntropy } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";

export const KIT_SECRET_BYTES = 16;
const KIT_WORDS = 15;
const CHECK_BYTES = 4;
/** So many letters are enough to know a word. */
const KNOWN_BY_LETTERS = 4;
/** So much of a word that is none is repeated in an error. */
const LONGEST_QUOTED = 24;

/** Four bits, as BIP 39 has for so many words, would let one of sixteen swapped words pass. */
const checkOf = (secret: Uint8Array): Uint8Array =>
  createHash("sha256").update("cambium recovery kit").update(secret).digest().subarray(0, CHECK_BYTES);

export const wordsOfKit = (secret: Uint8Array): readonly string[] =>
  entropyToMnemonic(new Uint8Array(Buffer.concat([secret, checkOf(secret)])), wordlist).split(" ");

/**
 * Reads the words as a person types them: in capitals or not, shortened to four letters, with numbers or commas between.
 *
 * @throws {CambiumError} BAD_INPUT, saying which word cannot be right
 */
export function secretOfWords(text: string): Uint8Array {
  const typed =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const words = typed.map(knownWord);
  if (words.length !== KIT_WORDS)
    throw wrong(`A recovery kit has ${KIT_WORDS} words, and these are ${words.length}.`);
  const bytes = entropyOf(words.join(" "));
  const [secret, check] = [bytes?.slice(0, KIT_SECRET_BYTES), bytes?.subarray(KIT_SECRET_BYTES)];
  if (secret === undefined || check === undefined || !bytesEqual(check, checkOf(secret)))
    throw wrong("These words are not those of a kit: one is another word, or two are swapped.");
  return secret;
}

function entropyOf(words: string): Uint8Array | undefined {
  try {
    return mnemonicToEntropy(words, wordlist);
  } catch {
    return undefined; // its own check does not fit
  }
}

function knownWord(typed: string, place: number): string {
  if (wordlist.includes(typed)) return typed;
  const found = typed.length < KNOWN_BY_LETTERS ? [] : wordlist.filter((word) => word.startsWith(typed));
  if (found.length === 1) return found[0] as string;
  const near = wordlist.filter((word) => isNear(typed, word)).slice(0, 3);
  const proposed = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
  const quoted = typed.length <= LONGEST_QUOTED ? typed : `${typed.slice(0, LONGEST_QUOTED)}…`;
  throw wrong(`Word ${place + 1}, "${quoted}", is none of the words of recovery kits.${proposed}`);
}

/** One letter was left out, added, mistaken, or swapped with the next. */
function isNear(typed: string, word: string): boolean {
  if (Math.abs(typed.length - word.length) > 1) return false;
  let start = 0;
  while (start < typed.length && typed[start] === word[start]) start += 1;
  const [left, right] = [typed.slice(start), word.slice(start)];
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1) || isSwapped;
}

const wrong = (message: string): CambiumError =>
  new CambiumError("BAD_INPUT", message, { hint: "Compare them with the kit, word by word." });
