/**
 * A sentence as tokens, and which of them are names of the space. Pure.
 *
 * @module
 */
import type { KnownNames } from "./acts.js";

export interface Token {
  /** In lower case, with plain apostrophes. */
  readonly word: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Space stood before it. */
  readonly isApart: boolean;
}

const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’](?!s\b)[\p{L}\p{M}]+)*|['’]s(?![\p{L}\p{M}])|[^\s]/giu;

export function tokensOf(sentence: string): readonly Token[] {
  let last = -1;
  return [...sentence.matchAll(TOKEN)].map(([text], at, all) => {
    const start = (all[at] as RegExpMatchArray).index ?? 0;
    const isApart = start !== last;
    last = start + text.length;
    return { word: text.toLowerCase().replaceAll("’", "'"), text, start, end: last, isApart };
  });
}

export const NAME_KINDS = ["branch", "checkpoint", "agent", "device", "tag", "category"] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** Consecutive tokens that are one name. */
export interface NamePlace {
  readonly from: number;
  readonly to: number;
  readonly kinds: readonly NameKind[];
}

const KIND_LISTS: Readonly<Record<NameKind, keyof KnownNames>> = {
  branch: "branches",
  checkpoint: "checkpoints",
  agent: "agents",
  device: "devices",
  tag: "tags",
  category: "categories",
};
const SEPARATOR = /^[-_./]$/;
const ARTICLE = /^(?:the|my|our|your|a|an)$/;

/** The longest names first; none overlap. */
export function namesAmong(tokens: readonly Token[], names: KnownNames): readonly NamePlace[] {
  const known = indexOf(names);
  if (known.size === 0) return [];
  const found: NamePlace[] = [];
  for (let at = 0; at < tokens.length; ) {
    const place = nameAt(tokens, at, known);
    if (place !== undefined) found.push(place);
    at = place?.to ?? at + 1;
  }
  return found;
}

const MOST_TOKENS = 9;

function nameAt(
  tokens: readonly Token[],
  from: number,
  known: ReadonlyMap<string, readonly NameKind[]>,
): NamePlace | undefined {
  if (SEPARATOR.test(tokens[from]?.word ?? "")) return undefined;
  let found: NamePlace | undefined;
  let key = "";
  for (let at = from; at < Math.min(tokens.length, from + MOST_TOKENS); at += 1) {
    const { word } = tokens[at] as Token;
    if (SEPARATOR.test(word)) continue;
    key = key === "" ? word : `${key} ${word}`;
    const kinds = known.get(key);
    if (kinds !== undefined) found = { from, to: at + 1, kinds };
  }
  return found;
}

function indexOf(names: KnownNames): ReadonlyMap<string, readonly NameKind[]> {
  const known = new Map<string, readonly NameKind[]>();
  for (const kind of NAME_KINDS)
    for (const name of names[KIND_LISTS[kind]] ?? []) {
      const words = tokensOf(name).flatMap(({ word }) => (SEPARATOR.test(word) ? [] : [word]));
      while (words.length > 1 && ARTICLE.test(words[0] ?? "")) words.shift();
      const key = words.join(" ");
      const kinds = known.get(key) ?? [];
      if (key !== "" && !kinds.includes(kind)) known.set(key, [...kinds, kind]);
    }
  return known;
}
