/**
 * The part of a text that shows best why it was found, with the words that were.
 *
 * @module
 */
import type { Term } from "./query.js";
import type { Stemmer } from "./stemmer.js";
import { isPlain, wordsOf } from "./words.js";

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
/** Nearly all space is one space between two words, and may stay. */
const UNEVEN_SPACE = /\s{2,}|[^\S ]/gu;
const ASCII = /^[\0-\x7f]*$/;
const ALPHANUMERIC = /^[A-Za-z0-9]+$/;
const MARKS = /\p{M}/gu;
const COMBINING = /^[\p{M}\u200d]/u;

/** In the order of their beginnings: parallel lists, because a text may hold hundreds of thousands. */
interface Matches {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Which term each is of. */
  readonly terms: readonly number[];
}

/** One for each text. Stems are asked for at once: each asking costs as much as a snippet. */
export function snippetsOf(
  contents: readonly string[],
  terms: readonly Term[],
  stemmer: Stemmer,
): readonly Snippet[] {
  const lines = contents.map((content) => content.replace(UNEVEN_SPACE, " ").trim());
  const words = lines.map((line) => wordsThatMayMatch(line, terms));
  const distinct = [...new Set(words.flatMap((ofLine) => [...ofLine.distinct]))];
  const stems = stemmer.stems(distinct);
  const termOf = termFinder(terms, new Map(distinct.map((word, index) => [word, stems[index] ?? ""])));
  return lines.map((line, index) => snippetOf(line, matchesIn(words[index] as PlacedWords, termOf), terms));
}

function snippetOf(line: string, matches: Matches, terms: readonly Term[]): Snippet {
  const stated = new Set(matches.terms);
  const matchedTerms = terms.filter((_, index) => stated.has(index)).map(({ text }) => text);
  const [start, end] = line.length <= SNIPPET_LENGTH ? [0, line.length] : bestPart(line, matches);
  const before = start > 0 ? ELLIPSIS : "";
  const after = end < line.length ? ELLIPSIS : "";
  return {
    text: `${before}${line.slice(start, end)}${after}`,
    matches: joined(rangesWithin(matches, start, end)).map(([from, to]) => [
      from - start + before.length,
      to - start + before.length,
    ]),
    matchedTerms,
  };
}

type Range = readonly [start: number, end: number];

function rangesWithin({ starts, ends }: Matches, from: number, to: number): readonly Range[] {
  const ranges: Range[] = [];
  for (const [index, start] of starts.entries()) {
    const end = ends[index] as number;
    if (start >= from && end <= to) ranges.push([start, end]);
  }
  return ranges;
}

/** What a word matches: a term, and how many of its units are the match. */
interface WordMatch {
  readonly term: number;
  /** All of them, if undefined. */
  readonly length: number | undefined;
}

function termFinder(
  terms: readonly Term[],
  stemByWord: ReadonlyMap<string, string>,
): (word: string) => WordMatch | undefined {
  const termByStem = new Map(terms.map(({ stem }, index) => [stem, index]));
  const prefixes = terms.flatMap(({ stem, prefix }, index) => (prefix ? [{ stem, index }] : []));
  const matchByWord = new Map<string, WordMatch | undefined>();
  for (const [word, stem] of stemByWord) {
    const term = termByStem.get(stem);
    const prefix = term === undefined ? prefixes.find((one) => word.startsWith(one.stem)) : undefined;
    if (term !== undefined) matchByWord.set(word, { term, length: undefined });
    else if (prefix !== undefined) matchByWord.set(word, { term: prefix.index, length: prefix.stem.length });
  }
  return (word) => matchByWord.get(word);
}

function matchesIn(words: PlacedWords, termOf: (word: string) => WordMatch | undefined): Matches {
  const [starts, ends, terms]: [number[], number[], number[]] = [[], [], []];
  for (const [index, word] of words.texts.entries()) {
    const match = termOf(word);
    if (match === undefined) continue;
    const start = words.starts[index] as number;
    starts.push(start);
    ends.push(match.length === undefined ? (words.ends[index] as number) : start + match.length);
    terms.push(match.term);
  }
  return { starts, ends, terms };
}

interface PlacedWords {
  readonly distinct: ReadonlySet<string>;
  readonly texts: readonly string[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Those that begin as a term's stem does, its last letter aside: stemming takes endings off, and alters at most one letter
 * before them ("cities" and "city" have the stem "citi", "disability" has "disabl"). Of texts in ASCII without humps
 * only these are cut out at all.
 */
function wordsThatMayMatch(line: string, terms: readonly Term[]): PlacedWords {
  const stems = new Set(terms.map(({ stem }) => folded(stem)));
  const beginnings = [...stems].map((stem) => stem.slice(0, Math.max(1, stem.length - 1)));
  const [texts, starts, ends]: [string[], number[], number[]] = [[], [], []];
  const add = (text: string, start: number, end: number): void => {
    texts.push(text);
    starts.push(start);
    ends.push(end);
  };
  if (isPlain(line)) {
    const words = plainWordPattern(beginnings);
    for (let found = words?.exec(line); found; found = words?.exec(line))
      add(found[0], found.index, found.index + found[0].length);
  } else if (beginnings.length > 0) {
    for (const { text, start, end } of wordsOf(line)) {
      const word = folded(text);
      if (beginnings.some((beginning) => word.startsWith(beginning))) add(text, start, end);
    }
  }
  return { distinct: new Set(texts), texts, starts, ends };
}

/** Words of a plain text that begin so. */
function plainWordPattern(beginnings: readonly string[]): RegExp | undefined {
  const plain = beginnings.filter((beginning) => ALPHANUMERIC.test(beginning));
  if (plain.length === 0) return undefined;
  return new RegExp(`(?<![A-Za-z0-9])(?:${plain.join("|")})[A-Za-z0-9]*`, "gi");
}

/** Without case and accents, as FTS5 folds them. */
const folded = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.normalize("NFD").replace(MARKS, "").toLowerCase();

/** The stretch with the most different terms, then the most matches, then the first. */
function bestPart(line: string, matches: Matches): Range {
  const best = bestStart(matches);
  const start = Math.max(0, Math.min(best - LEAD, line.length - SNIPPET_LENGTH));
  const end = Math.min(line.length, start + SNIPPET_LENGTH);
  return [
    start === 0 ? 0 : startOfWord(line, start, best),
    end === line.length ? end : endOfWord(line, end, best),
  ];
}

/**
 * Where the best stretch begins: at a match. A window goes over the matches once, however many there are: it takes
 * in what ends within a stretch's length of its first match, and lets go of what begins before that.
 */
function bestStart({ starts, ends, terms }: Matches): number {
  const byEnd = Array.from(ends.keys()).sort((a, b) => (ends[a] as number) - (ends[b] as number));
  const isInside = new Uint8Array(starts.length);
  const countByTerm = new Map<number, number>();
  const count = (match: number, change: 1 | -1): void => {
    isInside[match] = change === 1 ? 1 : 0;
    inside += change;
    const term = terms[match] as number;
    const ofTerm = (countByTerm.get(term) ?? 0) + change;
    if (ofTerm === 0) countByTerm.delete(term);
    else countByTerm.set(term, ofTerm);
  };
  let [best, bestWorth, passed, inside] = [0, 0, 0, 0];
  for (const [first, start] of starts.entries()) {
    if (first > 0 && isInside[first - 1] === 1) count(first - 1, -1);
    for (let next = byEnd[passed]; next !== undefined; next = byEnd[passed]) {
      if ((ends[next] as number) > start + SNIPPET_LENGTH - LEAD) break;
      passed += 1;
      if (next >= first) count(next, 1);
    }
    const worth = countByTerm.size * 1_000 + Math.min(inside, 999);
    if (worth > bestWorth) [best, bestWorth] = [start, worth];
  }
  return best;
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
function joined(found: readonly Range[]): readonly Range[] {
  const ranges: [number, number][] = [];
  for (const [start, end] of found.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}
