/**
 * What a memory says once a correction is made: only the part that says otherwise is replaced, so that
 * "the meeting is on Thursday" leaves "in room B" of "The meeting is on Friday, in room B" as it is. Pure.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { isSameValue, predicateOf, valuesIn, withValueChanged } from "./changed-value.js";
import { STATES } from "./grammar/remembering.js";
import type { Intent } from "./intent.js";
import { withNamedPartSwapped } from "./named-part.js";
import { MOVED } from "./patterns.js";
import { inPlaceOf, replacedBy, type TypedPart, typedParts } from "./typed-parts.js";
import { withValueSwapped } from "./value-swap.js";
import {
  ADVERB,
  beginsWithLink,
  type Group,
  groupsOf,
  isSame,
  LINKS,
  plain,
  wordsIn,
} from "./word-groups.js";

export interface CorrectedText {
  readonly text: string;
  /** It cannot be told which part says otherwise, and other things that it says would go out of sight. */
  readonly losesRest: boolean;
}

type Correction = Pick<
  Extract<Intent, { operation: "correct" }>,
  "content" | "subject" | "insteadOf" | "whole" | "isNegation"
>;

export function correctedText(before: string, correction: Correction): CorrectedText {
  const found = corrected(before, correction);
  const { content, insteadOf } = correction;
  if (insteadOf !== undefined || keepsSharedValues(before, content, found.text)) return found;
  const changed = withValueChanged(before, content);
  return changed !== undefined && keepsSharedValues(before, content, changed.text)
    ? { text: changed.text, losesRest: false }
    : { text: asSentence(before, content), losesRest: true };
}

/** "4.2 is at 50 percent": what both say says which memory is meant, and is not what has changed. */
function keepsSharedValues(before: string, content: string, text: string): boolean {
  const [spoken, kept] = [valuesIn(content), valuesIn(text)];
  return valuesIn(before)
    .filter((value) => spoken.some((one) => isSameValue(one, value)))
    .every((value) => kept.some((one) => isSameValue(one, value)));
}

function corrected(before: string, correction: Correction): CorrectedText {
  const { subject, insteadOf, whole } = correction;
  const isContrast = insteadOf === undefined || contains(before, insteadOf);
  const content = isContrast ? correction.content : (whole ?? correction.content);
  // Sentences at even places, what stands between them at odd ones.
  const parts = before.split(BETWEEN_SENTENCES);
  const sentences = parts.filter((_part, place) => place % 2 === 0 && parts[place] !== "");
  const speaking = sentences.filter((sentence) => speaksOf(sentence, subject));
  const [only] = sentences.length === 1 ? sentences : speaking.length === 1 ? speaking : [];
  if (only === undefined) return { text: asSentence(before, content), losesRest: true };
  const swapped = correction.isNegation ? undefined : withNamedPartSwapped(only, correction);
  if (swapped !== undefined)
    return { text: parts.map((part) => (part === only ? swapped : part)).join(""), losesRest: false };
  // "It's hazelnuts", where "allergic to peanuts" was said: which words give way is not plain here.
  if (correction.insteadOf !== undefined && predicateOf(correction.insteadOf) !== undefined)
    return { text: asSentence(before, content), losesRest: true };
  const { text, losesRest } = correction.isNegation
    ? negated(only, content, subject)
    : correctedSentence(only, content, subject);
  return { text: parts.map((part) => (part === only ? text : part)).join(""), losesRest };
}

/** "Dr." ends no sentence. */
const BETWEEN_SENTENCES = /((?<=[.!?;])(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|e\.g|i\.e|approx)\.)\s+|\n+)/;

export const contains = (text: string, words: string): boolean =>
  ofDays(text.toLowerCase()).includes(ofDays(words.trim().toLowerCase()));
/** "April 3rd" is "April 3". */
const ofDays = (text: string): string => text.replace(/\b(\d{1,2})(?:st|nd|rd|th)\b/g, "$1");

/** @returns the parts of a text of which nothing is left in another */
export function lostParts(before: string, after: string): readonly string[] {
  const left = new Set(wordsIn(after).map(plain));
  return before
    .split(BETWEEN_SENTENCES)
    .flatMap((sentence) => groupsOf(wordsIn(sentence)))
    .filter((group) => describedIn(group).some((word) => !left.has(word)))
    .map((group) => group.join(" ").replace(/[,;]$/, ""))
    .filter((group) => group !== "");
}

/** "Ada doesn't like tea" takes the place of "Ada likes tea", and of what more is said only when asked. */
function negated(sentence: string, content: string, subject: string): CorrectedText {
  const spoken = new Set(wordsIn(`${subject} ${content}`).map((word) => stem(plain(word))));
  const isMore = describedIn(wordsIn(sentence)).some((word) => !spoken.has(stem(word)));
  return { text: asSentence(sentence, content), losesRest: isMore };
}

const stem = (word: string): string => word.replace(/(?:ing|e?s|e?d|e)$/, "");

function correctedSentence(sentence: string, content: string, subject: string): CorrectedText {
  const swapped = withValueSwapped(sentence, content);
  if (swapped !== undefined) return { text: swapped, losesRest: false };
  const mark = /[.!?;]+$/.exec(sentence.trimEnd())?.[0] ?? "";
  const [old, now] = [wordsIn(sentence), wordsIn(content)];
  const isNamed = plain(content).startsWith(plain(subject)) && plain(content) !== plain(subject);
  const head = isNamed ? wordsIn(subject).length + 1 : LEAST_HEAD;
  let same = 0;
  while (same < Math.min(old.length, now.length) && isSame(old[same], now[same])) same += 1;
  const groups = groupsOf(old);
  if (same < head) {
    const replaced = withPartsReplaced(sentence, content, subject);
    return replaced === undefined
      ? {
          text: asSentence(sentence, content),
          losesRest: groups.length > 1 || typedParts(sentence).length > 0,
        }
      : { text: replaced, losesRest: false };
  }
  // "At" of "at the office" belongs to what is new.
  while (same > 0 && (LINKS.test(plain(now[same - 1])) || ADVERB.test(plain(now[same - 1])))) same -= 1;
  const { groups: rest, isUnsure } = merged(after(groups, same), after(groupsOf(now), same));
  const text = [...old.slice(0, same), ...rest.flat()].join(" ").replace(/[,;]$/, "");
  return { text: /[.!?]$/.test(text) ? text : `${text}${mark}`, losesRest: isUnsure };
}

/** "I live". */
const LEAST_HEAD = 2;

/** What only says that something is so, or is so now. */
const IS = "(?:is|are|was|were|will be|takes? place|happens?)";
const NEUTRAL = new RegExp(`^(?:(?<move>${MOVED}) to|${IS})(?: (?:now|actually|instead))?(?= )`, "i");
const MOVES = new RegExp(`^(?:I|we) (?:${MOVED})$`, "i");
/** Whatever else a memory does, a date or an hour of it may be that of something else: "the class ends at 10". */
const ONLY_IS = new RegExp(`\\b(?:${IS}|ha[sd]|have)\\b`, "gi");

/**
 * Of "the standup has moved to 5 December", the date takes the place of the one date of the memory; all else stays.
 *
 * @returns undefined if anything but dates, times and numbers is said, or if it is not plain which they replace
 */
function withPartsReplaced(sentence: string, content: string, subject: string): string | undefined {
  const at = content.toLowerCase().indexOf(subject.toLowerCase());
  if (at < 0 || !speaksOf(sentence, subject)) return undefined;
  const [lead, rest] = [content.slice(0, at).trim(), content.slice(at + subject.length).trim()];
  const isMoved = MOVES.test(lead);
  const verb = isMoved ? /^to(?= )/i.exec(rest) : lead === "" ? NEUTRAL.exec(rest) : null;
  if (verb === null) return undefined;
  const isMove = isMoved || verb.groups?.move !== undefined;
  if (!isMove && STATES.test(sentence.replace(ONLY_IS, ""))) return undefined;
  const old = typedParts(sentence);
  const swaps = groupsOf(wordsIn(rest.slice(verb[0].length))).map((group) => {
    const [part, ...more] = typedParts(group.join(" "));
    const isAll = part !== undefined && more.length === 0 && isBarePart(group, part);
    const [replaced, ...others] = isAll ? replacedBy(part, old) : [];
    return isAll && replaced !== undefined && others.length === 0 ? { replaced, part } : undefined;
  });
  if (swaps.length === 0 || swaps.some((swap) => swap === undefined)) return undefined;
  return swaps
    .filter((swap) => swap !== undefined)
    .toSorted((one, other) => other.replaced.start - one.replaced.start)
    .reduce(
      (text, { replaced, part }) =>
        `${text.slice(0, replaced.start)}${inPlaceOf(replaced, part)}${text.slice(replaced.end)}`,
      sentence,
    );
}

/** "On 5 December", with nothing else. */
const isBarePart = (group: Group, { text }: TypedPart): boolean =>
  /^(?:\p{L}+ )?$/u.test(group.join(" ").replace(text, "").replace(/[,;]$/, "")) &&
  (plain(group[0]) === plain(text.split(" ")[0]) || LINKS.test(plain(group[0])));

/** Those from a word on; the first may be the end of one. */
function after(groups: readonly Group[], count: number): readonly Group[] {
  let left = count;
  const [first = [], second, ...others] = groups.flatMap((group) => {
    const kept = group.slice(left);
    left = Math.max(0, left - group.length);
    return kept.length === 0 ? [] : [kept];
  });
  const isAdverb = second !== undefined && first.every((word) => ADVERB.test(plain(word)));
  return isAdverb ? [[...first, ...second], ...others] : [first, second ?? [], ...others].filter(isAny);
}

const isAny = (group: Group): boolean => group.length > 0;

interface Merged {
  readonly groups: readonly Group[];
  /** What was taken out may have said something else. */
  readonly isUnsure: boolean;
}

/** Each group of the new text takes the place of the one that says the same kind of thing; others stay. */
function merged(old: readonly Group[], now: readonly Group[]): Merged {
  const [first] = old;
  if (first === undefined || now[0] === undefined)
    return { groups: first === undefined ? now : old, isUnsure: false };
  const placed = now.map((group) => placeOf(group, old));
  const found = placed.map((place) => Math.max(place, NOWHERE));
  const fit = placed[0] === NOWHERE ? fitOf(first, now[0]) : "same";
  if (found[0] === NOWHERE && fit !== "beside") found[0] = 0;
  // What has no place of its own follows the group before it.
  const places = found.map((place, index) => (found.indexOf(place) === index ? place : NOWHERE));
  const takenFrom = (index: number): readonly Group[] => {
    const next = places.findIndex((place, at) => at > index && place !== NOWHERE);
    return now.slice(index, next < 0 ? now.length : next);
  };
  const spoken = new Set(now.flatMap(describedIn));
  const all: Group[] = [];
  if (fit === "beside" && beginsWithLink(first)) all.push(...takenFrom(0));
  for (const [place, group] of old.entries()) {
    const index = places.indexOf(place);
    if (index >= 0) {
      const [own = [], ...others] = takenFrom(index);
      const taken = [...replacing(group, own), ...others.flat()];
      all.push(group.at(-1)?.endsWith(",") ? withComma(taken) : taken);
    } else if (describedIn(group).some((word) => !spoken.has(word)) || describedIn(group).length === 0)
      all.push(group);
    if (place === 0 && fit === "beside" && !beginsWithLink(first)) all.push(...takenFrom(0));
  }
  return { groups: all, isUnsure: fit === "unsure" || placed.includes(SEVERAL) };
}

const NOWHERE = -1;
/** Several can be meant. */
const SEVERAL = -2;

function placeOf(group: Group, old: readonly Group[]): number {
  const typed = typedIn(group);
  const link = plain(group[0]);
  const linked = (place: number): boolean => LINKS.test(link) && plain(old[place]?.[0]) === link;
  const places = [...old.keys()];
  if (typed.length === 0)
    return places.find((place) => linked(place) && typedIn(old[place] ?? []).length === 0) ?? NOWHERE;
  const parts = old.flatMap((one, place) => typedIn(one).map((part) => ({ ...part, place })));
  const alike = [...new Set(typed.flatMap((part) => replacedBy(part, parts)))];
  if (alike.length <= 1) return alike[0]?.place ?? NOWHERE;
  const [found, ...others] = alike.filter(
    ({ place }) => linked(place) || (!LINKS.test(link) && !beginsWithLink(old[place] ?? [])),
  );
  return found === undefined || others.length > 0 ? SEVERAL : found.place;
}

/** Whether the first thing that is said now is said instead of the first thing there, or beside it. */
function fitOf(old: Group, now: Group): "same" | "beside" | "unsure" {
  const [wasTyped, isTyped] = [typedIn(old).length > 0, typedIn(now).length > 0];
  const [wasLinked, isLinked] = [beginsWithLink(old), beginsWithLink(now)];
  // A date and an hour, or an hour and a room.
  if (wasTyped && isTyped) return "beside";
  if (wasTyped !== isTyped) {
    if (wasLinked && isLinked) return "beside";
    if (wasTyped && isLinked) return "beside";
    return !wasTyped && !isLinked && !wasLinked && typedIn(now)[0]?.kind === "number" ? "same" : "unsure";
  }
  return wasLinked === isLinked && (!isLinked || plain(old[0]) === plain(now[0])) ? "same" : "unsure";
}

const typedIn = (group: Group): readonly TypedPart[] => typedParts(group.join(" "));
/** Words around a date, an hour or a number say more than it does. */
function replacing(old: Group, now: Group): Group {
  const [part] = typedIn(now);
  const text = old.join(" ");
  const [was] = part === undefined ? [] : replacedBy(part, typedParts(text));
  if (part === undefined || was === undefined) return now;
  const before = wordsIn(text.slice(0, was.start));
  const link = before.at(-1);
  const isLinked = beginsWithLink(now) && link !== undefined && LINKS.test(plain(link));
  const sign = /^[,;]/.exec(text.slice(was.end))?.[0] ?? "";
  const rest = wordsIn(text.slice(was.end + sign.length));
  const taken = now.join(" ").replace(part.text, inPlaceOf(was, part));
  return [
    ...(isLinked ? before.slice(0, -1) : before),
    ...(rest.length > 0 && sign !== "" ? `${taken.replace(/[,;]$/, "")}${sign}` : taken).split(" "),
    ...rest,
  ].filter((word) => word !== "");
}

const withComma = (words: Group): Group =>
  words.map((word, at) => (at === words.length - 1 ? `${word.replace(/,$/, "")},` : word));

/** Those that say something, or all if none does. */
function describedIn(words: Group): Group {
  const all = words.map(plain);
  const described = all.filter((word) => !STOP_WORDS.has(word));
  return described.length > 0 ? described : all;
}

function speaksOf(sentence: string, subject: string): boolean {
  const words = wordsIn(sentence).map(plain);
  return describedIn(wordsIn(subject)).every((word) => words.includes(word));
}

/** What follows "actually," begins small; a memory that is written as a sentence stays one. */
function asSentence(before: string, content: string): string {
  const isSentence = /^\p{Lu}/u.test(before);
  const begun = isSentence ? content.charAt(0).toUpperCase() + content.slice(1) : content;
  return before.trimEnd().endsWith(".") && !/[.!?]$/.test(begun) ? `${begun}.` : begun;
}
