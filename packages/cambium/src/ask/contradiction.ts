/**
 * Whether a memory says another value of what is stated: "the rent is 900 euro" where "the rent is 800 euro" is
 * known. Only what is alike up to a date, an hour or a number counts, so that nothing else is taken for a
 * contradiction: both "Ada likes tea" and "Ada likes cake" may be so. Pure.
 *
 * @module
 */
import { correctedText } from "./corrected-text.js";
import { STATES } from "./grammar/remembering.js";
import { isSame, wordsIn } from "./word-groups.js";

/** @returns the text of the memory with the value replaced, or as it is where it says the same */
export function otherwiseIn(memory: string, statement: string): string | undefined {
  const [old, now] = [wordsIn(memory), wordsIn(statement)];
  const differs = now.findIndex((word, index) => !isSame(word, old[index]));
  if (differs < 0) return now.length === old.length ? memory : undefined;
  const subject = now.slice(0, differs).join(" ");
  if (!STATES.test(subject) || subject.split(" ").length < LEAST_ALIKE) return undefined;
  const [before, after] = [old[differs] ?? "", now[differs] ?? ""];
  const kind = KINDS.find((form) => form.test(after));
  if (kind === undefined || !kind.test(before)) return undefined;
  const { text, losesRest } = correctedText(memory, { content: statement, subject });
  return losesRest ? undefined : text;
}

const LEAST_ALIKE = 3;
const KINDS: readonly RegExp[] = [
  /^[€$£]?\d/,
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b/i,
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i,
];
