/**
 * One plain sentence about what changed between two versions, made by rules: the same on every device, at once,
 * and of the memory's own words.
 *
 * @module
 */
import { type MemoryFields, STATE_FIELDS } from "../format/record.js";
import { differingFields } from "../memory/operations.js";
import { contentPhrases, type Phrase } from "./content-phrases.js";
import { fieldPhrases } from "./field-phrases.js";
import { bare, shorten } from "./plain-words.js";

/** In UTF-16 units. */
export const MAX_SENTENCE_LENGTH = 120;

/** @returns such as "budget 50M → 60M; period Jan–Mar dropped" */
export function describeChange(before: MemoryFields, after: MemoryFields): string {
  const fields = differingFields(before, after);
  if (fields.length === 0) return "nothing changed";
  // What happened to the whole memory first, then its text, then what stands beside it.
  const order = ["deleted", ...STATE_FIELDS.filter((field) => field !== "deleted")] as const;
  const phrases = order
    .filter((field) => fields.includes(field))
    .flatMap((field) =>
      field === "content"
        ? contentPhrases(before.content, after.content, MAX_SENTENCE_LENGTH)
        : fieldPhrases(field, before, after),
    );
  return joined(distinct(phrases));
}

/** What a first version says, for where a sentence stands for it. */
export function describeFirst({ content }: MemoryFields, verb = "first written"): string {
  const [line = ""] = content.split(/[\r\n]+/u).filter((text) => text.trim() !== "");
  const beginning = bare(line) || content;
  return `${verb}: ${shorten(beginning, MAX_SENTENCE_LENGTH - verb.length - 2)}`;
}

const distinct = (phrases: readonly Phrase[]): readonly Phrase[] => [
  ...new Map(phrases.map((phrase) => [phrase.text, phrase])).values(),
];

/** All of them in order, or as many as there is room for, those that say most. */
function joined(phrases: readonly Phrase[]): string {
  const whole = phrases.map(({ text }) => text).join("; ");
  if (whole.length <= MAX_SENTENCE_LENGTH) return whole;
  const kept = new Set<Phrase>();
  for (const phrase of phrases.toSorted((a, b) => b.weight - a.weight)) {
    kept.add(phrase);
    if (textOf(phrases, kept).length > MAX_SENTENCE_LENGTH) kept.delete(phrase);
  }
  return kept.size === 0 ? shorten(whole, MAX_SENTENCE_LENGTH) : textOf(phrases, kept);
}

function textOf(phrases: readonly Phrase[], kept: ReadonlySet<Phrase>): string {
  const left = phrases.length - kept.size;
  const more = left === 0 ? [] : [`${left} more ${left === 1 ? "change" : "changes"}`];
  return [...phrases.filter((phrase) => kept.has(phrase)).map(({ text }) => text), ...more].join("; ");
}
