/**
 * The part of a text that shows best why it was found, with the words that were.
 *
 * @module
 */
import type { Term } from "./query.js";
import type { Stemmer } from "./stemmer.js";
import { type Word, wordsOf } from "./words.js";

export interface Snippet {
  /** One line; "…" stands where something was left out. */
  readonly text: string;
  /** What matched, as [start, end) in UTF-16 units of `text`; in order, none touching the next. */
  readonly matches: readonly (readonly [number, number])[];
  /** The query's words that the whole content holds, in the query's order. */
  readonly matchedTerms: readonly string[];
}

const SNIPPET_LENGTH = 160;
/** Text before the first match, so that it can be understood. */
const LEAD = 40;
const ELLIPSIS = "…";
const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}/gu;
const COMBINING = /^[\p{M}\u200d]/u;

interface Match {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

export function snippetOf(content: string, terms: readonly Term[], stemmer: Stemmer): Snippet {
  const line = content.replace(/\s+/gu, " ").trim();
  const matches = matchesIn(line, terms, stemmer);
  const said = new Set(matches.map(({ term }) => term));
  const matchedTerms = terms.filter((_, index) => said.has(index)).map(({ text }) => text);
  const [start, end] = line.length <= SNIPPET_LENGTH ? [0, line.length] : bestPart(line, matches);
  const before = start > 0 ? ELLIPSIS : "";
  const after = end < line.length ? ELLIPSIS : "";
  const inside = matches.filter((match) => match.start >= start && match.end <= end);
  return {
    text: `${before}${line.slice(start, end)}${after}`,
    matches: joined(inside).map(([from, to]) => [from - start + before.length, to - start + before.length]),
    matchedTerms,
  };
}

/** Only words that begin like a term are asked for their stem: stemming changes endings. */
function matchesIn(line: string, terms: readonly Term[], stemmer: Stemmer): readonly Match[] {
  const beginnings = new Set(terms.map(({ stem }) => beginning(stem)));
  const words = wordsOf(line).filter(({ text }) => {
    const two = beginning(text);
    return beginnings.has(two) || beginnings.has(two.charAt(0));
  });
  const stems = stemmer.stems(words.map(({ text }) => text));
  const termByStem = new Map(terms.map(({ stem }, index) => [stem, index]));
  const prefixes = terms.flatMap(({ stem, prefix }, index) => (prefix ? [{ stem, index }] : []));
  return words.flatMap(({ text, start, end }: Word, index) => {
    const term = termByStem.get(stems[index] ?? "");
    if (term !== undefined) return [{ start, end, term }];
    const prefix = prefixes.find(({ stem }) => text.startsWith(stem));
    return prefix === undefined ? [] : [{ start, end: start + prefix.stem.length, term: prefix.index }];
  });
}

/** Two letters without case and accents, as FTS5 folds them; stemming turns some "y" into "i". */
function beginning(text: string): string {
  const two = text.slice(0, 2);
  const folded = ASCII.test(two) ? two : text.normalize("NFD").replace(MARKS, "").slice(0, 2);
  return folded.toLowerCase().replace("y", "i");
}

/** The stretch with the most different terms, then the most matches, then the first. */
function bestPart(line: string, matches: readonly Match[]): readonly [number, number] {
  let [best, bestWorth] = [0, 0];
  for (const [index, { start }] of matches.entries()) {
    const inside = matches.slice(index).filter(({ end }) => end <= start + SNIPPET_LENGTH - LEAD);
    const worth = new Set(inside.map(({ term }) => term)).size * 1_000 + Math.min(inside.length, 999);
    if (worth > bestWorth) [best, bestWorth] = [start, worth];
  }
  const start = Math.max(0, Math.min(best - LEAD, line.length - SNIPPET_LENGTH));
  const end = Math.min(line.length, start + SNIPPET_LENGTH);
  return [
    start === 0 ? 0 : startOfWord(line, start, best),
    end === line.length ? end : endOfWord(line, end, best),
  ];
}

/** The next beginning of a word; in text without spaces, the next whole character. */
function startOfWord(line: string, from: number, latest: number): number {
  const space = line.indexOf(" ", from);
  return space !== -1 && space < latest ? space + 1 : wholeCharacter(line, Math.min(from, latest));
}

function endOfWord(line: string, to: number, earliest: number): number {
  const space = line.lastIndexOf(" ", to);
  return space > Math.max(earliest, to - LEAD) ? space : wholeCharacter(line, to);
}

/** Never between the halves of a character, or between one and its marks. */
function wholeCharacter(line: string, at: number): number {
  let index = at;
  while (index > 0 && (isLowSurrogate(line, index) || COMBINING.test(line.slice(index, index + 2))))
    index -= 1;
  return index;
}

function isLowSurrogate(line: string, index: number): boolean {
  const unit = line.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Pairs of characters overlap, and parts of identifiers lie within them. */
function joined(matches: readonly Match[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const { start, end } of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}
