/**
 * Whether two short texts are about the same: they share most of the words that name a subject, whatever they say of it.
 *
 * What changes when a fact changes - numbers, days, how often, since when - names no subject.
 *
 * @module
 */
import { type Term, wordQuery } from "./query.js";
import type { Stemmer } from "./stemmer.js";

const VALUE_WORDS = `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
 fridays saturdays sundays january february march april may june july august september october november december one
 two three four five six seven eight nine ten twelve thirty first last second twice every each now longer also always
 never new use uses used minute minutes hour hours day days night week weeks month months year years`;
const VALUES: ReadonlySet<string> = new Set(VALUE_WORDS.split(/\s+/));
const NUMBER = /^\p{N}/u;

/** Of both texts together, as much has to be shared. Chosen on pairs of texts; see docs/decisions/0048. */
export const SAME_SUBJECT = 0.5;
/** One word in common is a coincidence, unless neither text has another. */
const LEAST_SHARED = 2;
/** Longer texts have several subjects. */
const LONGEST = 600;
const MAX_WORDS = 12;

export const namesSubject = ({ text }: Term): boolean =>
  !NUMBER.test(text) && !VALUES.has(text.toLowerCase());

/** The stems that name what a text is about, among its first words; none of a long text. */
export function subjectOf(text: string, stemmer: Stemmer): readonly string[] {
  if (text.length > LONGEST) return [];
  const { terms } = wordQuery(text, { stemmer, words: MAX_WORDS });
  return terms.filter(namesSubject).map(({ stem }) => stem);
}

/**
 * How much of what two texts are about is the same, 0 to 1 (Dice's coefficient, rarer words counted more). Only the
 * words of the one have been weighed; those of the other count like them on average.
 *
 * @param weights - of the stems that name what the one is about; above 0
 */
export function sharedSubject(weights: ReadonlyMap<string, number>, other: readonly string[]): number {
  const shared = other.flatMap((stem) => weights.get(stem) ?? []);
  if (shared.length < LEAST_SHARED && (weights.size > 1 || other.length > 1)) return 0;
  const [common, whole] = [sumOf(shared), sumOf([...weights.values()])];
  const rest = (other.length - shared.length) * (whole / weights.size);
  return shared.length === 0 ? 0 : (2 * common) / (whole + common + rest);
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
