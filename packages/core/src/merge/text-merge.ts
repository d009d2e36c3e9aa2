/**
 * Three-way merge of texts, by words. Part of the format: the same texts give the same result on every
 * replica, whatever the order of the sides.
 *
 * Plan: merge lines first; where both sides changed the same or touching lines, merge their sentences;
 * there their words; there words and spaces apart. What is still changed on both sides then, and not
 * in the same way, is a conflict. Going from coarse to fine keeps the work small and the matches sensible: a
 * common word is matched only within a sentence that both sides changed.
 *
 * Last, the edits of the two sides have to stand in different statements: of "costs 900 euro", changed to
 * "950 euro" here and to "900 dollars" there, the words would merge to a price that nobody named.
 *
 * @module
 */
import { compareText } from "../format/bytes.js";
import { isOneStatementOfBoth, type TextEdit } from "./statements.js";
import { changedRegions, type ThreeTokenLists } from "./text-regions.js";
import { splitTokens, TOKEN_LEVELS } from "./text-tokens.js";

/**
 * The most steps one merge may take, about a quarter of a second; beyond it the texts count as
 * conflicting. Only texts of many thousand lines, or of tens of kilobytes without line ends and
 * sentences, get there.
 */
export const MAX_MERGE_STEPS = 2 ** 28;

/**
 * Merges any number of sides that all started from `base`.
 *
 * @returns undefined when two sides changed the same statement differently
 */
export function mergeTexts(base: string, sides: readonly string[]): string | undefined {
  // Sorted, so that the result cannot depend on whose side is whose.
  const [first = base, ...others] = [...new Set(sides)].sort(compareText);
  const budget: StepBudget = { left: MAX_MERGE_STEPS };
  let merged: string | undefined = first;
  for (const side of others) {
    merged = mergeTwo({ base, a: merged, b: side }, budget);
    if (merged === undefined) return undefined;
  }
  return merged;
}

/** Steps, not milliseconds: every replica has to give up at the same point. */
interface StepBudget {
  left: number;
}

interface ThreeTexts {
  readonly base: string;
  readonly a: string;
  readonly b: string;
}

/** What one side alone made of a piece of the base. */
interface MergeRun {
  readonly budget: StepBudget;
  /** In the order of the base. */
  readonly edits: TextEdit[];
}

function mergeTwo(texts: ThreeTexts, budget: StepBudget): string | undefined {
  const run: MergeRun = { budget, edits: [] };
  const merged = mergeAtLevel({ ...texts, start: 0, levelIndex: 0 }, run);
  return merged === undefined || isOneStatementOfBoth(texts.base, run.edits) ? undefined : merged;
}

interface Piece extends ThreeTexts {
  /** Where the piece stands in the whole base. */
  readonly start: number;
  readonly levelIndex: number;
}

function mergeAtLevel({ base, a, b, start, levelIndex }: Piece, run: MergeRun): string | undefined {
  if (a === b) return a;
  if (b === base || a === base) {
    const [side, text] = b === base ? (["a", a] as const) : (["b", b] as const);
    run.edits.push({ side, start, end: start + base.length, text });
    return text;
  }
  const level = TOKEN_LEVELS[levelIndex];
  if (level === undefined) return undefined;

  const tokens = { base: splitTokens(base, level), a: splitTokens(a, level), b: splitTokens(b, level) };
  const { head, middle, tail } = trimShared(tokens);
  run.budget.left -= comparisonSteps(middle);
  if (run.budget.left < 0) return undefined;

  const merged = [head];
  let at = start + head.length;
  for (const { unchanged, ...changed } of changedRegions(middle)) {
    at += unchanged.length;
    const text = mergeAtLevel({ ...changed, start: at, levelIndex: levelIndex + 1 }, run);
    if (text === undefined) return undefined;
    at += changed.base.length;
    merged.push(unchanged, text);
  }
  return [...merged, tail].join("");
}

/** Splits off what all three begin and end with: usually nearly everything. */
function trimShared({ base, a, b }: ThreeTokenLists): {
  readonly head: string;
  readonly middle: ThreeTokenLists;
  readonly tail: string;
} {
  const shortest = Math.min(base.length, a.length, b.length);
  let start = 0;
  while (start < shortest && base[start] === a[start] && base[start] === b[start]) start += 1;
  const sameAt = (fromEnd: number): boolean =>
    base.at(-fromEnd) === a.at(-fromEnd) && base.at(-fromEnd) === b.at(-fromEnd);
  let end = 0;
  while (end < shortest - start && sameAt(end + 1)) end += 1;
  const middleOf = (tokens: readonly string[]): readonly string[] => tokens.slice(start, tokens.length - end);
  return {
    head: base.slice(0, start).join(""),
    middle: { base: middleOf(base), a: middleOf(a), b: middleOf(b) },
    tail: base.slice(base.length - end).join(""),
  };
}

/**
 * Bounds the steps of node-diff3's comparison: for each pair of equal tokens it may walk over all the
 * matches found so far, of which there are at most as many as the shorter list has tokens.
 */
function comparisonSteps({ base, a, b }: ThreeTokenLists): number {
  const countInBase = new Map<string, number>();
  for (const token of base) countInBase.set(token, (countInBase.get(token) ?? 0) + 1);
  const stepsFor = (side: readonly string[]): number => {
    const pairs = side.reduce((sum, token) => sum + (countInBase.get(token) ?? 0), 0);
    return pairs * Math.min(base.length, side.length);
  };
  return stepsFor(a) + stepsFor(b);
}
