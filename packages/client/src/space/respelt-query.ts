/**
 * A query of which some words are in no memory, read with the words that were probably meant.
 *
 * Only words that the state shows are taken, of memories that pass the filters: what is hidden is not told by its spelling.
 *
 * @module
 */

import { compareText } from "@cambium/core";
import type { RecallQueries } from "../index-store/recall-queries.js";
import type { SnapshotId } from "../index-store/snapshot-columns.js";
import { isCommonStem } from "../search/common-words.js";
import type { Term } from "../search/query.js";
import {
  foldedWord,
  type KnownWord,
  leastSlips,
  likeliestWord,
  mayBeMisspelt,
  reachOf,
  type SpeltWord,
} from "../search/spelling.js";
import type { Stemmer } from "../search/stemmer.js";
import { searchedText } from "../search/text-tables.js";
import type { Vocabulary } from "../search/vocabulary.js";
import { wordsOf } from "../search/words.js";

/** A word of a query, and the one it was read as. */
export interface Respelt {
  readonly written: string;
  readonly read: string;
}

export interface RespeltQuery {
  readonly text: string;
  /** In the order of the query; at least one. */
  readonly words: readonly Respelt[];
}

export interface SpellingSources {
  readonly vocabulary: Vocabulary;
  /** What the state shows and the filters let through. */
  readonly state: RecallQueries;
  readonly past: boolean;
  readonly stemmer: Stemmer;
}

/** Each costs some milliseconds where there are 100,000 memories. A text with more of them is no question. */
const MOST_READ = 6;
/** Stems that come nearest, of which words are looked up. */
const MOST_STEMS = 12;
/** Forms of each of these, the newest, among which one has to be shown. */
const MOST_HOLDERS = 100;
/** Of so many, the text is read, so far. */
const MOST_TEXTS = 4;
const LONGEST_READ = 65_536;

/**
 * @param unknown - terms of the query that no memory says
 * @returns undefined when no word can be read otherwise
 */
export function respeltQuery(
  text: string,
  unknown: readonly Term[],
  sources: SpellingSources,
): RespeltQuery | undefined {
  const readings = new Map<string, string>();
  for (const { text: asked, stem } of unknown.filter(isRespellable).slice(0, MOST_READ)) {
    const written = { word: foldedWord(asked), stem };
    const known = likeliestWord(written, wordsNear(written, sources));
    if (known !== undefined) readings.set(asked.toLowerCase(), known.text);
  }
  return readings.size === 0 ? undefined : replaced(text, readings);
}

const isRespellable = ({ text, prefix, pieces }: Term): boolean =>
  !prefix && pieces.length === 1 && mayBeMisspelt(foldedWord(text));

interface FoundWord extends KnownWord {
  /** As a memory writes it. */
  readonly text: string;
}

/** None for a common word, which means itself. */
function wordsNear(
  written: SpeltWord,
  { vocabulary, state, past, stemmer }: SpellingSources,
): readonly FoundWord[] {
  const stems = stemsNear(written, vocabulary.within(reachOf(written), { past }));
  if (stems.length === 0 || isCommonStem(written.stem, stemmer)) return [];
  const near = stems.map((one) => ({
    ...one,
    holders: vocabulary.holders(one.stem, MOST_HOLDERS, { past }),
  }));
  const shown = new Map(
    state
      .facts([...new Set(near.flatMap(({ holders }) => holders))])
      .map(({ snapshot, memory }) => [snapshot, memory]),
  );
  return near.flatMap(({ stem, rows, holders }) => {
    const read = holders
      .filter((snapshot) => shown.has(snapshot))
      // The numbers of forms differ from device to device.
      .sort((a, b) => compareText(shown.get(a) ?? "", shown.get(b) ?? ""))
      .slice(0, MOST_TEXTS);
    const words = wordsWith(stem, textsOf(read, state), stemmer);
    return words.map((text) => ({ text, stem, rows, word: foldedWord(text) }));
  });
}

/** The nearest few, from their stems alone. */
const stemsNear = (
  written: SpeltWord,
  known: ReadonlyMap<string, number>,
): readonly { readonly stem: string; readonly rows: number }[] =>
  [...known]
    .flatMap(([stem, rows]) => {
      const slips = leastSlips(written, stem);
      return slips === undefined ? [] : [{ stem, rows, slips }];
    })
    .sort((a, b) => a.slips - b.slips || b.rows - a.rows || compareText(a.stem, b.stem))
    .slice(0, MOST_STEMS);

const textsOf = (snapshots: readonly SnapshotId[], state: RecallQueries): readonly string[] =>
  state.memories(snapshots).map((memory) => searchedText(memory).slice(0, LONGEST_READ));

/** The words of these texts that have this stem, as they are written. */
function wordsWith(stem: string, texts: readonly string[], stemmer: Stemmer): readonly string[] {
  const [first = ""] = stem;
  const words = [...new Set(texts.flatMap((text) => wordsOf(text).map((word) => word.text)))].filter((word) =>
    foldedWord(word.slice(0, 2)).startsWith(foldedWord(first)),
  );
  const stems = stemmer.stems(words);
  return words.filter((_, index) => stems[index] === stem).sort();
}

/** Of an identifier, either the whole is replaced or its parts. */
function replaced(text: string, readings: ReadonlyMap<string, string>): RespeltQuery {
  const words = new Map<string, Respelt>();
  let [read, end] = ["", 0];
  for (const word of wordsOf(text)) {
    const known = readings.get(word.text.toLowerCase());
    if (known === undefined || word.start < end) continue;
    words.set(word.text.toLowerCase(), { written: word.text, read: known });
    read += text.slice(end, word.start) + known;
    end = word.end;
  }
  return { text: read + text.slice(end), words: [...words.values()] };
}
