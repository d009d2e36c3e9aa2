/**
 * Requests for approval, and decisions about them, whose words speak of what is erased: a call that is kept to be made
 * again repeats its text.
 *
 * @module
 */
import {
  type Catalog,
  type MemoryId,
  parseDecisionEntry,
  parseRequestEntry,
  type RecordHash,
  type Reference,
  requestOfKey,
} from "@cambium/core";
import type { ErasureServices } from "./services.js";

/** Returns the records that hold such words, decided requests included. */
export async function quotingRequests(
  { catalog, packs }: ErasureServices,
  memories: ReadonlySet<MemoryId>,
  contents: readonly string[],
): Promise<readonly RecordHash[]> {
  const quoting = new Set<RecordHash>();
  const quotes = quotesOf(memories, contents);
  for (const [key, { value, others }] of catalog.current.settings) {
    const request = requestOfKey(key);
    if (request === undefined) continue;
    for (const one of [value, ...others]) {
      const text = textOf(one.value, request.isDecision);
      const reading = text && (await packs.readOnce(text, request.id));
      if (reading?.status !== "here") continue;
      const { fields, notes } = reading.record;
      const sentences = request.isDecision
        ? [fields.content]
        : [...argumentsOf(fields.content), notes.reason ?? ""];
      if (sentences.some(quotes)) quoting.add((text as Reference).record);
    }
  }
  return [...quoting];
}

/** Records that hold words of requests and decisions, whether they are erased or not. */
export function requestTexts(settings: Catalog["settings"]): ReadonlySet<RecordHash> {
  const texts = new Set<RecordHash>();
  for (const [key, { value, others }] of settings) {
    const request = requestOfKey(key);
    if (request === undefined) continue;
    for (const one of [value, ...others]) {
      const text = textOf(one.value, request.isDecision);
      if (text !== undefined) texts.add(text.record);
    }
  }
  return texts;
}

const textOf = (entry: unknown, isDecision: boolean): Reference | undefined =>
  (isDecision ? parseDecisionEntry(entry) : parseRequestEntry(entry))?.text;

/** What a call says, without the names of what it says it of. */
function argumentsOf(call: string): readonly string[] {
  try {
    return textsIn((JSON.parse(call) as { readonly args?: unknown }).args);
  } catch {
    return [call]; // a later version may write other texts
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** One word has to be as long as this, or a number of four digits; of several, one has to be a word. */
const LEAST_ALONE = 7;
const LEAST_BESIDE = 4;

/** What stands in any other sentence as well quotes nothing, unless it is all that is said. */
function isDistinctive(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const least = words.length === 1 ? LEAST_ALONE : LEAST_BESIDE;
  return words.some((word) => word.length >= least || /\p{N}{4}/u.test(word));
}

/** Whether a sentence names one of these memories or repeats one of these texts, whatever its case and spaces. */
function quotesOf(
  memories: ReadonlySet<MemoryId>,
  contents: readonly string[],
): (sentence: string) => boolean {
  const texts = contents.map(plain).filter((text) => text !== "");
  const whole = new Set(texts);
  const distinctive = texts.filter(isDistinctive);
  return (sentence) => {
    const text = plain(sentence);
    if (whole.has(text) || distinctive.some((part) => hasWords(text, part))) return true;
    return text.length >= ID_LENGTH && [...memories].some((id) => text.includes(id));
  };
}

const ID_LENGTH = 36;

const plain = (text: string): string => text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();

const LETTER_BEFORE = /[\p{L}\p{M}\p{N}]$/u;
const LETTER_AFTER = /^[\p{L}\p{M}\p{N}]/u;

/** Not within a word. */
function hasWords(sentence: string, text: string): boolean {
  for (let at = sentence.indexOf(text); at >= 0; at = sentence.indexOf(text, at + 1)) {
    const [before, after] = [sentence.slice(0, at), sentence.slice(at + text.length)];
    const isCutBefore = LETTER_BEFORE.test(before) && LETTER_AFTER.test(text);
    const isCutAfter = LETTER_AFTER.test(after) && LETTER_BEFORE.test(text);
    if (!isCutBefore && !isCutAfter) return true;
  }
  return false;
}
