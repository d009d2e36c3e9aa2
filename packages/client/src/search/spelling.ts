/**
 * Which word was meant by one that is spelt wrongly: the known one with the fewest slips.
 *
 * Words are compared as they are written and by their stems, because the index knows stems, and a slip changes the
 * ending that a stem has lost: "restaraunt" keeps its own, "restaurant" does not.
 *
 * @module
 */
import { compareText } from "@cambium/core";
import { distanceBetween } from "./letters.js";

export interface SpeltWord {
  /** In lower case, without accents: see `foldedWord`. */
  readonly word: string;
  /** As the index holds it. */
  readonly stem: string;
}

export interface KnownWord extends SpeltWord {
  /** How many forms say it. */
  readonly rows: number;
}

/** Where in a vocabulary the words stand that may be meant. Lengths are in characters. */
export interface Reach {
  /** They begin so, and are of such a length. */
  readonly beginning: string;
  readonly shortest: number;
  readonly longest: number;
  /** Or they are one of these. */
  readonly exactly: readonly string[];
}

/** Pairs of characters, which are words in scripts without spaces, are shorter. */
const SHORTEST = 4;
/** In a shorter word, another letter makes another word: "host" is no "lost". */
const SETTLED = 6;
/** From this length on, a word may have two slips, and one in its first letter. */
const LONG = 8;
/** Shorter stems are alike without being of one word. */
const SHORTEST_STEM = 5;
/** Letters that both words have lost at most, for their stems to be compared: "waranties" and "warranty". */
const LOST = 2;
/** What a stem may have lost: "ement", "ation". */
const LONGEST_ENDING = 5;
/** Digits are no letters: v1 is no slip of v2. */
const LETTERS = /^[\p{L}\p{M}]+$/u;
const ACCENTS = /[\u0300-\u036f]/g;

export const foldedWord = (text: string): string =>
  text.normalize("NFKD").replace(ACCENTS, "").normalize("NFC").toLowerCase().replaceAll("ß", "ss");

/** Whether another word may be meant by it at all. */
export const mayBeMisspelt = (word: string): boolean => LETTERS.test(word) && lengthOf(word) >= SHORTEST;

/**
 * Which of the known words was meant: the one with the fewest slips, then the one that most forms say, of one stem the
 * one that is written most alike, then the first of the alphabet.
 */
export function likeliestWord<Known extends KnownWord>(
  written: SpeltWord,
  known: readonly Known[],
): Known | undefined {
  const near = known.flatMap((one) => {
    const slips = slipsBetween(written, one);
    return slips === undefined ? [] : [{ one, slips, letters: distanceBetween(written.word, one.word) }];
  });
  return near.toSorted(
    (a, b) =>
      a.slips - b.slips ||
      b.one.rows - a.one.rows ||
      a.letters - b.letters ||
      compareText(a.one.word, b.one.word),
  )[0]?.one;
}

/** @returns undefined when they are too many for a word of this length, or stand where none is expected */
export function slipsBetween(written: SpeltWord, known: SpeltWord): number | undefined {
  if (!mayBeMisspelt(written.word) || !LETTERS.test(known.word)) return undefined;
  const length = lengthOf(written.word);
  const ofWords = slipsWithin(written.word, known.word, length);
  const areStems = [written, known].every(
    ({ word, stem }) => lengthOf(stem) >= SHORTEST_STEM && lengthOf(word) - lengthOf(stem) <= LOST,
  );
  const ofStems = areStems ? slipsWithin(written.stem, known.stem, Math.min(length, LONG - 1)) : undefined;
  if (ofWords === undefined || ofStems === undefined) return ofWords ?? ofStems;
  return Math.min(ofWords, ofStems);
}

/** @param length - of the word that was written, which decides what is a slip */
function slipsWithin(written: string, known: string, length: number): number | undefined {
  const [a, b] = [[...written], [...known]];
  const slips = distanceBetween(a, b, length < SETTLED ? 2 : 1);
  if (slips > slipsAllowed(length)) return undefined;
  const isBegunSo = a[0] === b[0] && (slips < 2 || a[1] === b[1]);
  const isSwapped = a[0] === b[1] && a[1] === b[0];
  return isBegunSo || (slips < 2 && (isSwapped || length >= LONG)) ? slips : undefined;
}

/**
 * Where the stems of the words stand that `slipsBetween` may find near. What begins otherwise has one slip, and is
 * named letter by letter: a vocabulary is read in the order of the alphabet.
 */
export function reachOf({ word, stem }: SpeltWord): Reach {
  const most = slipsAllowed(lengthOf(word));
  return {
    beginning: beginningOf(stem),
    shortest: Math.min(lengthOf(stem), Math.max(SHORTEST, lengthOf(word) - LONGEST_ENDING)) - most,
    longest: lengthOf(word) + most,
    exactly: otherBeginnings(stem, lengthOf(word) >= LONG),
  };
}

/** How far a stem of the vocabulary may be from what is written, at best: a stem alone does not say how its word ends. */
export function leastSlips({ word, stem }: SpeltWord, known: string): number | undefined {
  if (!LETTERS.test(known)) return undefined;
  const most = slipsAllowed(lengthOf(word));
  const [whole, length] = [[...word], lengthOf(known)];
  const beginnings =
    length + LONGEST_ENDING < whole.length
      ? []
      : Array.from({ length: 2 * most + 1 }, (_, index) => whole.slice(0, length - most + index));
  const slips = Math.min(
    ...[[...stem], ...beginnings].map((beginning) => distanceBetween(beginning, [...known])),
  );
  return slips <= most ? slips : undefined;
}

const slipsAllowed = (length: number): number => (length < SHORTEST ? 0 : length < LONG ? 1 : 2);

/** All that one slip makes of a word in its second letter, and in its first one: where that is right, only swapped. */
function otherBeginnings(word: string, isLong: boolean): readonly string[] {
  const letters = [...word];
  const made = [0, 1].flatMap((place) => {
    const [before, here, after] = [letters.slice(0, place), letters[place] ?? "", letters.slice(place + 1)];
    const swapped = [...before, ...after.slice(0, 1), here, ...after.slice(1)];
    if (place === 0 && !isLong) return [swapped];
    const others = lettersLike(here).flatMap((letter) => [
      [...before, letter, ...after],
      [...before, letter, here, ...after],
    ]);
    return [[...before, ...after], swapped, ...others];
  });
  return [...new Set(made.map((one) => one.join("")))].filter((one) => one !== word);
}

/** The letters of its alphabet: those that stand near it in Unicode. */
function lettersLike(letter: string): readonly string[] {
  const code = letter.codePointAt(0) ?? 0;
  const [from, to] = letter >= "a" && letter <= "z" ? [0x61, 0x7a] : [code - 32, code + 32];
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).filter(
    (one) => /^[\p{Ll}\p{Lo}]$/u.test(one),
  );
}

const beginningOf = (word: string): string => [...word].slice(0, 2).join("");
const lengthOf = (text: string): number => [...text].length;
