/**
 * What belongs together in a sentence: "on Friday", "in room B". Pure.
 *
 * @module
 */
import { STATES } from "./grammar/remembering.js";
import { typedParts } from "./typed-parts.js";

export type Group = readonly string[];

export const LINKS =
  /^(?:in|at|on|with|without|for|from|by|to|because|since|until|till|after|before|while|when|where|so|which|who|near|under|over|via|about|and|but)$/;
/** They belong to what follows. */
export const ADVERB = /^(?:now|actually|instead|already|still|only|always|currently|again)$/;

/** What belongs together: "on Friday", "in room B"; after a comma, only what begins as one or states something. */
export function groupsOf(words: Group): readonly Group[] {
  const inside = insideParts(words);
  const groups: string[][] = [[]];
  for (const [at, word] of words.entries()) {
    const isAfterComma = words[at - 1]?.endsWith(",") ?? false;
    const link = plain(word);
    const begins = /^(?:and|but)$/.test(link)
      ? isAfterComma
      : LINKS.test(link) || (isAfterComma && STATES.test(clauseAt(words, at)));
    const isOpen = groups.at(-1)?.every((one) => ADVERB.test(plain(one))) ?? true;
    if (begins && !isOpen && !inside.has(at)) groups.push([]);
    groups.at(-1)?.push(word);
  }
  return groups;
}

/** Words within a date or an hour, such as "to" of "quarter to nine". */
function insideParts(words: Group): ReadonlySet<number> {
  const parts = typedParts(words.join(" "));
  const inside = new Set<number>();
  let start = 0;
  for (const [at, word] of words.entries()) {
    if (parts.some((part) => part.start < start && start < part.end)) inside.add(at);
    start += word.length + 1;
  }
  return inside;
}

function clauseAt(words: Group, at: number): string {
  const rest = words.slice(at);
  const end = rest.findIndex((word) => word.endsWith(","));
  return (end < 0 ? rest : rest.slice(0, end + 1)).join(" ");
}

export const wordsIn = (text: string): Group => {
  const bare = text.trim().replace(/[.!?;]+$/, "");
  return bare === "" ? [] : bare.split(/\s+/);
};

export const plain = (word = ""): string => word.toLowerCase().replace(/[^\p{L}\p{N}' -]/gu, "");
export const isSame = (one: string | undefined, other: string | undefined): boolean =>
  plain(one).replace(ARTICLE, "the") === plain(other).replace(ARTICLE, "the");
const ARTICLE = /^(?:a|an|my|our|your)$/;

export const beginsWithLink = (group: Group): boolean =>
  LINKS.test(plain(group.find((word) => !ADVERB.test(plain(word)))));

/** @returns the word that it begins with, such as "on" */
export function linkOf(text: string): string | undefined {
  const first = plain(text.split(/\s+/)[0]);
  return LINKS.test(first) ? first : undefined;
}
