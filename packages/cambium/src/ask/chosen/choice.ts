/**
 * What a reader makes of a sentence: an operation, and its arguments in words of the sentence. A chat model and the
 * trained reader say the same kind of thing; neither says what the words mean here, and neither is believed unchecked.
 *
 * @module
 */
import type { IntentKind, Understood } from "../intent.js";

export const SLOTS = [
  ...(["topic", "content", "new", "old", "agent", "device", "period", "state"] as const),
  ...(["name", "branch", "into", "category", "tag", "except"] as const),
] as const;
export type Slot = (typeof SLOTS)[number];

/** `at-past`: what was known then. */
export type ChosenOperation = IntentKind | "at-past";

export interface Choice {
  readonly operation: ChosenOperation;
  readonly slots: Readonly<Partial<Record<Slot, readonly string[]>>>;
  /** Said around it, such as a reason. */
  readonly left?: readonly string[];
  readonly count?: number;
}

/** In one case, and without marks that say nothing. */
export const flat = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[’ʼ]/g, "'")
    .replace(/[^\p{L}\p{N}'#@:._/-]+/gu, " ")
    .trim();

/** The first that was said of it. */
export const slotText = ({ slots }: Choice, slot: Slot): string | undefined => slots[slot]?.[0];

/** The sentence without what was taken from it. */
export function restOf({ slots, left = [] }: Choice, sentence: string): string {
  const taken = [...SLOTS.flatMap((slot) => slots[slot] ?? []), ...left].map(flat);
  return taken
    .filter((words) => words !== "")
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, words) => rest.replace(words, " "), flat(sentence))
    .replace(/\s+/g, " ")
    .trim();
}

/** Something that is named, of which more may be meant. */
export const A_THING = /\b(?:the|my|our|his|her|their|an?|this|that) \p{L}/iu;

/** What was said around it is shown, unless it says little. */
export function withLeftOut(found: Understood, { left = [] }: Choice): Understood {
  const query = found.request.operation === "recall" ? flat(found.request.query) : "";
  const apart = left.filter((words) => isNotable(words) && !query.includes(flat(words)));
  const leftOut = [...(found.leftOut ?? []), ...apart];
  return leftOut.length === 0 ? found : { ...found, leftOut: [...new Set(leftOut)] };
}

const isNotable = (words: string): boolean => (words.match(/[\p{L}\p{N}]+/gu) ?? []).length > 2;
