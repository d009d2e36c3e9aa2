/**
 * The one part of a memory that a correction names as wrong, or that is counted in the same unit: "the bleed is 5 mm,
 * not 3" turns "needs files with 3 mm bleed" into "needs files with 5 mm bleed", in whatever words it was said. Pure.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { inPlaceOf, type TypedPart, typedParts } from "./typed-parts.js";
import { plain, wordsIn } from "./word-groups.js";

interface Correcting {
  readonly content: string;
  readonly subject: string;
  readonly insteadOf?: string;
}

/** @returns undefined where it is not plain which part is meant, or where the correction says more than it */
export function withNamedPartSwapped(
  sentence: string,
  { content, subject, insteadOf }: Correcting,
): string | undefined {
  const stated = typedParts(content.slice(subjectEnd(content, subject)));
  const [now, ...moreStated] = stated;
  if (now === undefined || moreStated.length > 0) return undefined;
  const parts = typedParts(sentence).filter(({ kind }) => kind === now.kind);
  const found =
    insteadOf === undefined
      ? parts.filter((part) => now.kind === "number" && unitAfter(sentence, part) === unitAfter(content, now))
      : parts.filter((part) => isNamed(part, insteadOf, unitAfter(sentence, part)));
  const [old, ...others] = found;
  if (old === undefined || others.length > 0) return undefined;
  if (insteadOf === undefined && unitAfter(content, now) === "") return undefined;
  const spoken = new Set(wordsIn(sentence).map((word) => stem(plain(word))));
  const known = insteadOf === undefined ? "" : subject;
  const isMore = wordsIn(content.replace(now.text, " "))
    .map(plain)
    .filter((word) => word !== "" && !STOP_WORDS.has(word) && !STATING.test(word))
    .some((word) => !spoken.has(stem(word)) && !wordsIn(known).map(plain).includes(word));
  if (isMore) return undefined;
  const text = sameNumberOfDays(old.text, inPlaceOf(old, now));
  return `${sentence.slice(0, old.start)}${text}${sentence.slice(old.end)}`;
}

const subjectEnd = (content: string, subject: string): number =>
  content.toLowerCase().startsWith(subject.toLowerCase()) ? subject.length : 0;

/** "5 mm": its currency, or the word that follows. */
function unitAfter(text: string, part: TypedPart): string {
  if (part.unit !== undefined) return part.unit;
  const at = text.indexOf(part.text, part.start);
  const word = plain(/^ ?([\p{L}%]+)/u.exec(text.slice((at < 0 ? part.start : at) + part.text.length))?.[1]);
  return STOP_WORDS.has(word) ? "" : stem(word);
}

/** "The 12th" is "12 December", and "Tuesdays" are those of "every Tuesday". */
function isNamed(part: TypedPart, insteadOf: string, unit: string): boolean {
  const [named, ...more] = typedParts(insteadOf);
  if (named === undefined || more.length > 0 || named.kind !== part.kind) return false;
  const rest = wordsIn(insteadOf.replace(named.text, " ")).map(plain);
  if (rest.some((word) => word !== "" && !STOP_WORDS.has(word) && !STATING.test(word) && stem(word) !== unit))
    return false;
  const [one, other] = [bare(named.text), bare(part.text)];
  return one === other || (part.kind === "date" && /^\d{1,2}$/.test(one) && other.split(" ").includes(one));
}

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^the /, "")
    .replace(/\b(\d{1,2})(?:st|nd|rd|th)\b/g, "$1")
    .replace(/(day)s\b/g, "$1")
    .replace(/ ?(?:euros?|eur|usd|dollars?|€|\$|£|%)/g, "");

const stem = (word: string): string => word.replace(/(?:ing|e?s|e?d|e)$/, "");

/** Words that say that something is so. */
const STATING =
  /^(?:is|are|was|were|be|has|have|had|cost|costs|now|actually|instead|moved|changed|takes?|comes?|coming|goes|going|starts?|begins?|ends?|runs?|happens?)$/;

/** "Every Wednesday" for "every Tuesday", though "on Wednesdays" was said. */
const sameNumberOfDays = (old: string, now: string): string =>
  /days?$/i.test(old) && /days?$/i.test(now)
    ? now.replace(/days?$/i, (end) => `${end.slice(0, 3)}${/s$/i.test(old) ? "s" : ""}`)
    : now;
