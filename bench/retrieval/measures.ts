/**
 * How good an order of turns is for a question, and the mean over many.
 *
 * @module
 */
export interface Measures {
  /** Part of the evidence among the first five, and ten. */
  readonly recallAt5: number;
  readonly recallAt10: number;
  /** Whether any of it is. */
  readonly hitAt5: number;
  readonly hitAt10: number;
  /** One over the place of the first; 0 beyond the tenth. */
  readonly reciprocalRank: number;
}

/** As many turns are asked for. */
export const DEPTH = 10;

export const MEASURES = ["recallAt5", "recallAt10", "hitAt5", "hitAt10", "reciprocalRank"] as const;
export const MEASURE_TITLES = ["recall@5", "recall@10", "hit@5", "hit@10", "MRR"];

/** @param answer - ids of turns, best first */
export function measure(answer: readonly string[], evidence: readonly string[]): Measures {
  const places = evidence.map((id) => answer.indexOf(id)).filter((place) => place >= 0 && place < DEPTH);
  const within = (depth: number): number => places.filter((place) => place < depth).length;
  return {
    recallAt5: within(5) / evidence.length,
    recallAt10: within(10) / evidence.length,
    hitAt5: Math.min(1, within(5)),
    hitAt10: Math.min(1, within(10)),
    reciprocalRank: places.length === 0 ? 0 : 1 / (Math.min(...places) + 1),
  };
}

export const mean = (all: readonly Measures[], measure: keyof Measures): number =>
  all.reduce((total, one) => total + one[measure], 0) / all.length;
