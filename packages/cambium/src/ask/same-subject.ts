/**
 * What is said of the same subject: of "on call this week is priya nair", what a memory says after "on call this week
 * is" gives way. Only where both have the same words before the verb, and the memory says nothing after. Pure.
 *
 * @module
 */
import { describing, has, stemsOf } from "./changed-value.js";

const STATED = /^(?<subject>.+?) (?<verb>is|are|was|were) (?<now>.+)$/i;
const ONE = /^(?<subject>.+?) (?<verb>is|are|was|were) (?<was>[^,;:.]+?)(?<end>[.!]?)$/i;
/** They say when it is so, and not what. */
const LAST =
  /[\s,]+(?:again|now|instead|these days|from now on|at the moment|currently|today|already|then|please|pls|btw|actually)$/i;
const FIRST = /^(?:now|actually|again|currently|instead|no longer .+ but) /i;
const MOST_WORDS = 5;

/** @returns undefined where it is not plain that both speak of the same */
export function withPredicateChanged(memory: string, sentence: string): string | undefined {
  const [clause = ""] = sentence.split(/[,;.](?= |$)/);
  const { subject = "", now: predicate = "" } = STATED.exec(clause.trim())?.groups ?? {};
  let now = predicate.replace(FIRST, "");
  for (let before = ""; now !== before; ) {
    before = now;
    now = now.replace(LAST, "").trim();
  }
  const { subject: own = "", verb, was = "", end = "" } = ONE.exec(memory)?.groups ?? {};
  if (own === "" || now === "" || now.split(" ").length > MOST_WORDS) return undefined;
  if (/\b(?:and|but|not|or|for|if|when|because)\b/i.test(`${was} ${now}`)) return undefined;
  const [mine, theirs] = [describing(own), describing(subject)];
  const isSame =
    mine.length > 0 &&
    mine.every((word) => has(stemsOf(subject), word)) &&
    theirs.every((word) => has(stemsOf(own), word));
  return isSame && now.toLowerCase() !== was.toLowerCase() ? `${own} ${verb} ${now}${end}` : undefined;
}
