/**
 * The part of a text that shows best why it was found, with the words that were.
 *
 * @module
 */
import type { Term } from "./query.js";
import type { Stemmer } from "./stemmer.js";
import { isPlain, type Word, wordsOf } from "./words.js";

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

interface Match {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

/** One for each text. Stems are asked for at once: each asking costs as much as a snippet. */
export function snippetsOf(
  contents: readonly string[],
  terms: readonly Term[],
  stemmer: Stemmer,
): readonly Snippet[] {
  const lines = contents.map((content) => content.replace(UNEVEN_SPACE, " ").trim());
  const words = lines.map((line) => wordsThatMayMatch(line, terms));
  const stems = stemmer.stems(words.flatMap((ofLine) => ofLine.map(({ text }) => text)));
  let first = 0;
  return lines.map((line, index) => {
    const ofLine = words[index] ?? [];
    const matches = matchesIn(ofLine, stems.slice(first, first + ofLine.length), terms);
    first += ofLine.length;
    return snippetOf(line, matches, terms);
  });
}

function snippetOf(line: string, matches: readonly Match[], terms: readonly Term[]): Snippet {
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

function matchesIn(
  words: readonly PlacedWord[],
  stems: readonly string[],
  terms: readonly Term[],
): readonly Match[] {
  const termByStem = new Map(terms.map(({ stem }, index) => [stem, index]));
  const prefixes = terms.flatMap(({ stem, prefix }, index) => (prefix ? [{ stem, index }] : []));
  return words.flatMap(({ text, start, end }, index) => {
    const term = termByStem.get(stems[index] ?? "");
    if (term !== undefined) return [{ start, end, term }];
    const prefix = prefixes.find(({ stem }) => text.startsWith(stem));
    return prefix === undefined ? [] : [{ start, end: start + prefix.stem.length, term: prefix.index }];
  });
}

/**
 * Those that begin as a term's stem does, its last letter aside: stemming takes endings off, and alters at most one letter
 * before them ("cities" and "city" have the stem "citi", "disability" has "disabl"). Of texts in ASCII without humps
 * only these are cut out at all.
 */
function wordsThatMayMatch(line: string, terms: readonly Term[]): readonly PlacedWord[] {
  const stems = new Set(terms.map(({ stem }) => folded(stem)));
  const beginnings = [...stems].map((stem) => stem.slice(0, Math.max(1, stem.length - 1)));
  if (beginnings.length === 0) return [];
  if (!isPlain(line))
    return wordsOf(line).filter(({ text }) => {
      const word = folded(text);
      return beginnings.some((beginning) => word.startsWith(beginning));
    });
  const plain = beginnings.filter((beginning) => ALPHANUMERIC.test(beginning));
  if (plain.length === 0) return [];
  const words = new RegExp(`(?<![A-Za-z0-9])(?:${plain.join("|")})[A-Za-z0-9]*`, "gi");
  return [...line.matchAll(words)].map(({ 0: text, index: start }) => ({
    ...{ text, start },
    end: start + text.length,
  }));
}

type PlacedWord = Pick<Word, "text" | "start" | "end">;

/** Without case and accents, as FTS5 folds them. */
const folded = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.normalize("NFD").replace(MARKS, "").toLowerCase();

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
