/**
 * Which features a linear model has, and how its weights become bytes.
 *
 * @module
 */
import {
  type LinearWeights,
  rowLength,
  storeRow,
} from "../../packages/cambium/dist/ask/trained/linear-model.js";

/** While it is trained. */
export interface Weights {
  /** By hash: where the weights of a feature begin. */
  readonly features: ReadonlyMap<number, number>;
  readonly values: Float32Array;
  /** By how much each was moved so far: the sum of squares. */
  readonly moved: Float32Array;
  readonly classes: number;
}

export function noWeights(hashes: readonly number[], classes: number): Weights {
  const features = new Map(hashes.map((hash, at) => [hash, at * classes]));
  const length = hashes.length * classes;
  return { features, values: new Float32Array(length), moved: new Float32Array(length).fill(1e-6), classes };
}

export const presentOf = ({ features }: Weights, hashes: readonly number[]): Uint32Array =>
  Uint32Array.from(hashes.flatMap((hash) => features.get(hash) ?? []));

/** Features that so many examples have, with how many do. */
export function commonFeatures(
  examples: Iterable<readonly number[]>,
  least: number,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const hashes of examples) for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count >= least));
}

/** Those whose weights are far from zero, the more so the more often they are met. */
export function telling(
  { features, values, classes }: Weights,
  counts: ReadonlyMap<number, number>,
  most: number,
): readonly number[] {
  const tells = [...features].map(([hash, row]) => {
    const own = values.subarray(row, row + classes);
    return { hash, tells: own.reduce((sum, one) => sum + one * one, 0) * (counts.get(hash) ?? 0) };
  });
  return tells
    .toSorted((one, other) => other.tells - one.tells || one.hash - other.hash)
    .slice(0, most)
    .map(({ hash }) => hash);
}

export function packed({ features, values, classes }: Weights, bias: Iterable<number>): LinearWeights {
  let scale = 0;
  for (const weight of values) scale = Math.max(scale, Math.abs(weight));
  const length = rowLength(classes);
  const bytes = new Uint8Array(features.size * length);
  const rows = new Map<number, number>();
  for (const [hash, from] of features) {
    const row = rows.size * length;
    storeRow(bytes.subarray(row, row + length), values.subarray(from, from + classes), scale);
    rows.set(hash, row);
  }
  return { classes, scale, bias: [...bias], rows, bytes };
}
