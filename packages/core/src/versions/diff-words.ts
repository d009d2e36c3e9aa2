/**
 * Splits text into words for showing differences. Unlike the words of a merge these are no part of a format, so
 * the runtime may say where the words of languages without spaces end.
 *
 * @module
 */
import { splitTokens } from "../merge/text-tokens.js";

export interface DiffWord {
  /** A word or a punctuation mark; empty for the space a text begins with. */
  readonly word: string;
  /** What stands between it and the next word. */
  readonly space: string;
}

/** The words of a text; put together again, with their spaces, they are the text. */
export function diffWords(text: string): readonly DiffWord[] {
  const words: { word: string; space: string }[] = [];
  const pieces = text.split(WHOLE); // every second one is a word that the merge would cut
  const atoms = pieces.flatMap((piece, index) => (index % 2 === 1 ? [piece] : splitTokens(piece, "atoms")));
  for (const atom of wholeWords(atoms)) {
    const last = words.at(-1);
    if (!IS_BLANK.test(atom)) words.push({ word: atom, space: "" });
    else if (last === undefined) words.push({ word: "", space: atom });
    else last.space += atom;
  }
  return words;
}

/** Addresses, and numbers with their sign or currency: "-5" and "5" are two numbers. */
const WHOLE =
  /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}']|(?<![\p{L}\p{Nd}\p{Pd}])[-+−±~≈$€£¥₩#]{1,8}\p{Nd}+(?:[.,:]\p{Nd}+)*\p{L}*)/u;
const IS_BLANK = /^[\s\u0085]+$/u;

/** Scripts without spaces between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}ー]/u;

/** Merges split Chinese and Japanese into characters, and Thai not at all. */
function wholeWords(atoms: readonly string[]): readonly string[] {
  const runs = unspacedRuns(atoms);
  if (runs.length === 0) return atoms;
  const wordsByRun = segmented(runs);
  let run = 0;
  return atoms.flatMap((atom, index) => {
    if (!UNSPACED.test(atom)) return [atom];
    const isFirst = index === 0 || !UNSPACED.test(atoms[index - 1] as string);
    return isFirst ? (wordsByRun[run++] ?? []) : [];
  });
}

function unspacedRuns(atoms: readonly string[]): readonly string[] {
  const runs: string[] = [];
  let isInRun = false;
  for (const atom of atoms) {
    const isUnspaced = UNSPACED.test(atom);
    if (isUnspaced && isInRun) runs[runs.length - 1] += atom;
    else if (isUnspaced) runs.push(atom);
    isInRun = isUnspaced;
  }
  return runs;
}

/** All runs at once: asking for one takes as long as for a hundred words. A line end parts them. */
function segmented(runs: readonly string[]): readonly (readonly string[])[] {
  const wordsByRun: string[][] = [[]];
  for (const { segment } of segmenter().segment(runs.join("\n"))) {
    if (segment === "\n") wordsByRun.push([]);
    else wordsByRun.at(-1)?.push(segment);
  }
  return wordsByRun;
}

let wordSegmenter: Intl.Segmenter | undefined;

/** Made when the first such text comes: it loads dictionaries. */
function segmenter(): Intl.Segmenter {
  wordSegmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  return wordSegmenter;
}
