/**
 * What changed between two texts, word by word. Colours mark it on a terminal; elsewhere git's
 * `[-removed-]{+added+}` does.
 *
 * @module
 */

import type { WordChange } from "@cambium/client";
import { oneLine, printable } from "@cambium/core/text";
import { diffWordsWithSpace } from "diff/lib/diff/word.js"; // the rest of it is 15 files that every verb would load
import type { Colors } from "./style.js";

/** Beyond this many edits the texts have little in common, and looking further would take long. */
const MAX_EDITS = 2_000;
/** Words kept on each side of a change; longer stretches of equal text are left out. */
const CONTEXT_WORDS = 12;

export function wordDiff(before: string, after: string, colors: Colors): string {
  const [from, to] = [printable(before), printable(after)];
  const parts = diffWordsWithSpace(from, to, { maxEditLength: MAX_EDITS }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ];
  return partsText(parts, colors);
}

/** What each of two texts says between the words with which both begin and end. */
export function wordsApart(one: string, other: string): readonly [string, string] {
  const [a, b] = [oneLine(one).split(" "), oneLine(other).split(" ")];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [a.slice(start, a.length - end).join(" "), b.slice(start, b.length - end).join(" ")];
}

/** The same of words that were compared before. */
export const wordsText = (words: readonly WordChange[], colors: Colors): string =>
  partsText(
    words.map(({ op, text }) => ({
      value: printable(text),
      removed: op === "removed",
      added: op === "added",
    })),
    colors,
  );

interface Part {
  readonly value: string;
  readonly removed: boolean;
  readonly added: boolean;
}

const partsText = (parts: readonly Part[], colors: Colors): string =>
  parts
    .map(({ value, added, removed }, index) => {
      if (removed) return removedText(value, colors);
      if (added) return addedText(value, colors);
      return shortened(value, index > 0, index < parts.length - 1);
    })
    .join("");

export const addedText = (text: string, colors: Colors): string =>
  colors.isColorSupported ? eachWord(text, colors.green) : `{+${text}+}`;

export const removedText = (text: string, colors: Colors): string =>
  colors.isColorSupported ? eachWord(text, (word) => colors.red(colors.strikethrough(word))) : `[-${text}-]`;

/** Painted word by word, so that a line can be broken at any space. */
const eachWord = (text: string, paint: (word: string) => string): string =>
  text.replace(/\S+/g, (word) => paint(word));

/** Equal text: what is near a change, and an ellipsis for the rest. */
function shortened(text: string, follows: boolean, leads: boolean): string {
  const words = text.split(/(?<=\s)(?=\S)/);
  const ahead = follows ? CONTEXT_WORDS : 0;
  const behind = leads ? CONTEXT_WORDS : 0;
  if ((!follows && !leads) || words.length <= ahead + behind + CONTEXT_WORDS) return text;
  return [...words.slice(0, ahead), "… ", ...words.slice(words.length - behind)].join("");
}
