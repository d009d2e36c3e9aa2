/**
 * A value that a reader found in a sentence, put in the place of the one that a memory says. What gives way is named
 * beside it, or it is the only one of its kind; all else that the memory says stays. Pure.
 *
 * @module
 */
import { describing, has, isSameValue, stemsOf, valuesIn, withValueChanged } from "./changed-value.js";
import { correctedText } from "./corrected-text.js";
import { escaped } from "./escaped.js";
import type { Intent } from "./intent.js";
import { inPlaceOf, typedParts } from "./typed-parts.js";

export type NamedValue = NonNullable<Extract<Intent, { operation: "correct" }>["named"]>;

export interface ValueChange {
  readonly text: string;
  /** How many words of the subject the memory says, too. */
  readonly shared: number;
}

/** Before a value, and no part of it. */
const LEAD =
  /^(?:(?:it'?s|its|it is|that'?s|they'?re|is|are|was|were|be|to|now|actually|just|only|really|called|make (?:it|that)|should be|should read)(?= )[ ,:]*)+/i;
const LINK = /^(?:at|on|in|from|by|with|for|to|of|every|each) (?=\S)/i;
const ARTICLE = /^(?:the|a|an|my|our|his|her|their|its) (?=\S)/i;

const bare = (words: string): string =>
  words
    .trim()
    .replace(/^[\s"'“”,;:.!?(]+|[\s"'“”,;:.!?)]+$/g, "")
    .replace(LEAD, "");

/** @returns undefined where what gives way is not plain */
export function withNamedValue(memory: string, value: NamedValue): ValueChange | undefined {
  const { subject, insteadOf, now } = withValueOfSubject(memory, value);
  const known = stemsOf(memory);
  const words = describing(subject);
  const shared = words.filter((word) => has(known, word)).length;
  const is = bare(now);
  const old = insteadOf === undefined ? undefined : bare(insteadOf);
  if (is === "" || old === "") return undefined;
  // "Us" is no number, and "Monday" no name.
  if (old !== undefined && valuesIn(old).length > 0 !== valuesIn(is).length > 0) return undefined;
  const text = old === undefined ? ofItsKind(memory, subject, is) : inTheNamedPlace(memory, old, is);
  return text === undefined || text === memory ? undefined : { text, shared };
}

/** "The 6093 gate code is now 7714": what gives way may stand before what it is of. */
function withValueOfSubject(memory: string, value: NamedValue): NamedValue {
  const { subject, insteadOf, now } = value;
  const [old, ...others] = valuesIn(subject);
  const [is, ...more] = valuesIn(bare(now));
  if (insteadOf !== undefined || old === undefined || is === undefined || others.length + more.length > 0)
    return value;
  if (old.kind !== is.kind || !valuesIn(memory).some((part) => isSameValue(part, old))) return value;
  const rest = `${subject.slice(0, old.start)} ${subject.slice(old.end)}`.replace(/\s+/g, " ").trim();
  if (describing(rest).length === 0) return value; // "4.2 is at 50 percent": the version is what it is of
  return { subject: rest, insteadOf: subject.slice(old.start, old.end), now };
}

/** "Brennans" for "Hale", "58" for "61 percent". */
function inTheNamedPlace(memory: string, old: string, value: string): string | undefined {
  const [was, ...more] = valuesIn(old);
  const [is, ...others] = valuesIn(value);
  // A day is no version.
  if (was !== undefined && is !== undefined && was.kind !== is.kind) return undefined;
  if (was !== undefined && is !== undefined && more.length + others.length === 0) {
    const [place, ...several] = valuesIn(memory).filter(
      (part) => isSameValue(part, was) || isSameValue(was, part),
    );
    if (place !== undefined && several.length === 0 && place.kind === is.kind)
      return replaced(memory, place.start, place.end, inPlaceOf(place, is));
  }
  const [link, ownLink] = [LINK.exec(old)?.[0], LINK.exec(value)?.[0]];
  const forms: readonly (readonly [string, string])[] = [
    [old, value],
    // "In the shed" for "the shed", where a memory says "at the shed".
    [old.replace(LINK, ""), link === undefined ? value : value.replace(LINK, "")],
    [old.replace(LINK, "").replace(ARTICLE, ""), value.replace(LINK, "").replace(ARTICLE, "")],
  ];
  for (const [one, other] of forms) {
    if (one === "" || other === "" || (ownLink !== undefined && link === undefined && one === old)) continue;
    const all = [...memory.matchAll(new RegExp(`(?<![\\p{L}\\d])${escaped(one)}(?![\\p{L}\\d])`, "giu"))];
    const [place] = all;
    // "Biscuit's vet" is a vet of Biscuit's: who it belongs to is not another one.
    const isOwner = place !== undefined && /^['’]s\b/.test(memory.slice(place.index + one.length));
    if (place !== undefined && all.length === 1 && !isOwner) return swapped(memory, place, other);
  }
  return undefined;
}

const replaced = (memory: string, start: number, end: number, text: string): string =>
  `${memory.slice(0, start)}${text}${memory.slice(end)}`;

/** "58 percent" for "61", where "percent" follows already. */
function swapped(memory: string, place: RegExpExecArray, value: string): string {
  const end = place.index + place[0].length;
  const after = memory.slice(end).toLowerCase();
  const words = withoutBegun(value.split(" "), memory.slice(0, place.index));
  const own = words.findIndex((_word, at) => {
    const rest = ` ${words.slice(at).join(" ").toLowerCase()}`;
    return at > 0 && after.startsWith(rest) && !/^[\p{L}\d]/u.test(after.slice(rest.length));
  });
  return replaced(
    memory,
    place.index,
    end,
    cased(place, words.slice(0, own < 0 ? words.length : own).join(" ")),
  );
}

/** "Mondays and Wednesdays" for "Fridays", where "Mondays and" stands before it already. */
function withoutBegun(words: readonly string[], before: string): readonly string[] {
  for (let count = words.length - 1; count > 0; count -= 1) {
    const begun = `${words.slice(0, count).join(" ")} `.toLowerCase();
    if (` ${before.toLowerCase()}`.endsWith(` ${begun}`)) return words.slice(count);
  }
  return words;
}

/** What begins a memory begins large. */
const cased = (place: RegExpExecArray, text: string): string =>
  /^\p{Lu}/u.test(place[0]) && (place.index === 0 || typedParts(text)[0]?.kind === "date")
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;

/** The only one of its kind, or what the memory says of the subject. */
function ofItsKind(memory: string, subject: string, value: string): string | undefined {
  if (subject === "") return undefined;
  if (valuesIn(value).length > 0) return withValueChanged(memory, `${subject} ${value}`)?.text;
  const { lead, was, end } = STATES_IT.exec(memory)?.groups ?? {};
  const isOfSubject = lead !== undefined && describing(subject).every((word) => has(stemsOf(lead), word));
  if (isOfSubject && was !== undefined && was.split(" ").length <= MOST_WORDS) return `${lead}${value}${end}`;
  const { text, losesRest } = correctedText(memory, { content: `${subject} is ${value}`, subject });
  return losesRest || lead === undefined || !text.startsWith(lead) ? undefined : text;
}

/** What is so of something, and nothing else. */
const STATES_IT =
  /^(?<lead>[^,;:.]+? (?:is|are|was|were|is called|is named) )(?<was>[^,;:]+?)(?<end>[.!]?)$/i;
const MOST_WORDS = 4;
