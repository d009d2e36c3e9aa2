/**
 * What a memory says once a correction is made: only the part that says otherwise is replaced, so that
 * "the meeting is on Thursday" leaves "in room B" of "The meeting is on Friday, in room B" as it is. Pure.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { STATES } from "./grammar/remembering.js";
import type { Intent } from "./intent.js";

export interface CorrectedText {
  readonly text: string;
  /** It cannot be told which part says otherwise, and other things that it says would go out of sight. */
  readonly losesRest: boolean;
}

type Correction = Pick<
  Extract<Intent, { operation: "correct" }>,
  "content" | "subject" | "insteadOf" | "whole"
>;

export function correctedText(before: string, correction: Correction): CorrectedText {
  const { subject, insteadOf, whole } = correction;
  const isContrast = insteadOf === undefined || contains(before, insteadOf);
  const content = isContrast ? correction.content : (whole ?? correction.content);
  // Sentences at even places, what stands between them at odd ones.
  const parts = before.split(/((?<=[.!?;])\s+|\n+)/);
  const sentences = parts.filter((_part, place) => place % 2 === 0 && parts[place] !== "");
  const speaking = sentences.filter((sentence) => speaksOf(sentence, subject));
  const [only] = sentences.length === 1 ? sentences : speaking.length === 1 ? speaking : [];
  if (only === undefined) return { text: asSentence(before, content), losesRest: true };
  const { text, losesRest } = correctedSentence(only, content, subject);
  return { text: parts.map((part) => (part === only ? text : part)).join(""), losesRest };
}

export const contains = (text: string, words: string): boolean =>
  text.toLowerCase().includes(words.trim().toLowerCase());

function correctedSentence(sentence: string, content: string, subject: string): CorrectedText {
  const mark = /[.!?;]+$/.exec(sentence.trimEnd())?.[0] ?? "";
  const [old, now] = [wordsIn(sentence), wordsIn(content)];
  const isNamed = plain(content).startsWith(plain(subject)) && plain(content) !== plain(subject);
  const head = isNamed ? wordsIn(subject).length + 1 : LEAST_HEAD;
  let same = 0;
  while (same < Math.min(old.length, now.length) && isSame(old[same], now[same])) same += 1;
  const groups = groupsOf(old);
  if (same < head) return { text: asSentence(sentence, content), losesRest: groups.length > 1 };
  const rest = merged(after(groups, same), after(groupsOf(now), same));
  const text = [...old.slice(0, same), ...rest.flat()].join(" ").replace(/[,;]$/, "");
  return { text: /[.!?]$/.test(text) ? text : `${text}${mark}`, losesRest: false };
}

/** "I live". */
const LEAST_HEAD = 2;

type Group = readonly string[];

/** Those from a word on; the first may be the end of one. */
function after(groups: readonly Group[], count: number): readonly Group[] {
  let left = count;
  return groups.flatMap((group) => {
    const kept = group.slice(left);
    left = Math.max(0, left - group.length);
    return kept.length === 0 ? [] : [kept];
  });
}

/** Each group of the new text takes the place of the one that begins alike, or of the first; others stay. */
function merged(old: readonly Group[], now: readonly Group[]): readonly Group[] {
  const placeOf = (group: Group): number =>
    LINKS.test(plain(group[0])) ? old.findIndex(([first]) => plain(first) === plain(group[0])) : -1;
  const found = now.map((group, index) => {
    const place = placeOf(group);
    return place < 0 && index === 0 ? 0 : place;
  });
  // What has no place of its own follows the group before it.
  const places = found.map((place, index) => (found.indexOf(place) === index ? place : -1));
  const spoken = new Set(
    now
      .flat()
      .map(plain)
      .filter((word) => !STOP_WORDS.has(word)),
  );
  const all: Group[] = [];
  for (const [place, group] of old.entries()) {
    const index = places.indexOf(place);
    if (index >= 0) {
      const next = places.findIndex((other, at) => at > index && other >= 0);
      const taking = now.slice(index, next < 0 ? now.length : next);
      all.push(group.at(-1)?.endsWith(",") ? withComma(taking.flat()) : taking.flat());
    } else if (!group.some((word) => spoken.has(plain(word)))) all.push(group);
  }
  return old.length === 0 ? now : all;
}

const withComma = (words: Group): Group =>
  words.map((word, at) => (at === words.length - 1 ? `${word.replace(/,$/, "")},` : word));

const LINKS =
  /^(?:in|at|on|with|without|for|from|by|to|because|since|until|till|after|before|while|when|where|so|which|who|near|under|over|via|about|and|but)$/;

/** What belongs together: "on Friday", "in room B"; after a comma, only what begins as one or states something. */
function groupsOf(words: Group): readonly Group[] {
  const groups: string[][] = [[]];
  for (const [at, word] of words.entries()) {
    const isAfterComma = words[at - 1]?.endsWith(",") ?? false;
    const link = plain(word);
    const begins = /^(?:and|but)$/.test(link)
      ? isAfterComma
      : LINKS.test(link) || (isAfterComma && STATES.test(clauseAt(words, at)));
    if (begins && at > 0) groups.push([]);
    groups.at(-1)?.push(word);
  }
  return groups;
}

function clauseAt(words: Group, at: number): string {
  const rest = words.slice(at);
  const end = rest.findIndex((word) => word.endsWith(","));
  return (end < 0 ? rest : rest.slice(0, end + 1)).join(" ");
}

const wordsIn = (text: string): Group =>
  text
    .trim()
    .replace(/[.!?;]+$/, "")
    .split(/\s+/);

const plain = (word = ""): string => word.toLowerCase().replace(/[^\p{L}\p{N}' -]/gu, "");
const isSame = (one: string | undefined, other: string | undefined): boolean =>
  plain(one).replace(ARTICLE, "the") === plain(other).replace(ARTICLE, "the");
const ARTICLE = /^(?:a|an|my|our|your)$/;

function speaksOf(sentence: string, subject: string): boolean {
  const words = wordsIn(sentence).map(plain);
  const wanted = wordsIn(subject).map(plain);
  const described = wanted.filter((word) => !STOP_WORDS.has(word));
  return (described.length > 0 ? described : wanted).every((word) => words.includes(word));
}

/** What follows "actually," begins small; a memory that is written as a sentence stays one. */
function asSentence(before: string, content: string): string {
  const isSentence = /^\p{Lu}/u.test(before);
  const begun = isSentence ? content.charAt(0).toUpperCase() + content.slice(1) : content;
  return before.trimEnd().endsWith(".") && !/[.!?]$/.test(begun) ? `${begun}.` : begun;
}
