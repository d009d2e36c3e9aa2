/**
 * Multinomial logistic regression over sparse binary features, by stochastic gradients whose steps shrink with what
 * they have moved (Adagrad).
 *
 * @module
 */
import {
  type LinearWeights,
  rowLength,
  storeRow,
} from "../../packages/cambium/dist/ask/trained/linear-model.js";
import { Random } from "./random.ts";

export interface Example {
  readonly hashes: readonly number[];
  readonly label: number;
}

interface Settings {
  readonly rounds: number;
  readonly rate: number;
  readonly decay: number;
  /** A feature that fewer examples have is left out. */
  readonly least: number;
  /** So many features are kept: those that tell most. */
  readonly most: number;
}

const SETTINGS: Settings = { rounds: 16, rate: 0.15, decay: 3e-6, least: 4, most: 24_000 };

interface Fit {
  /** By hash: where the weights of a feature begin. */
  readonly features: ReadonlyMap<number, number>;
  readonly weights: Float32Array;
  readonly bias: Float64Array;
  readonly classes: number;
}

export function trainSoftmax(
  examples: readonly Example[],
  classes: number,
  settings: Settings = SETTINGS,
): LinearWeights {
  const common = commonFeatures(examples, settings.least);
  const all = fitted([...common.keys()], examples, classes, settings);
  if (common.size <= settings.most) return packed(all);
  return packed(fitted(telling(all, common, settings.most), examples, classes, settings));
}

function fitted(
  hashes: readonly number[],
  examples: readonly Example[],
  classes: number,
  settings: Settings,
): Fit {
  const features = new Map(hashes.map((hash, at) => [hash, at * classes]));
  const weights = new Float32Array(hashes.length * classes);
  const fit: Fit = { features, weights, bias: new Float64Array(classes), classes };
  descend(fit, examples, settings);
  return fit;
}

/** Those whose weights are far apart, the more so the more often they are met. */
function telling(
  { features, weights, classes }: Fit,
  counts: ReadonlyMap<number, number>,
  most: number,
): readonly number[] {
  const tells = [...features].map(([hash, row]) => {
    const own = weights.subarray(row, row + classes);
    return { hash, tells: own.reduce((sum, one) => sum + one * one, 0) * (counts.get(hash) ?? 0) };
  });
  return tells
    .toSorted((one, other) => other.tells - one.tells || one.hash - other.hash)
    .slice(0, most)
    .map(({ hash }) => hash);
}

function commonFeatures(examples: readonly Example[], least: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { hashes } of examples) for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count >= least));
}

function descend(fit: Fit, examples: readonly Example[], { rounds, rate, decay }: Settings): void {
  const { features, weights, bias, classes } = fit;
  const moved = new Float32Array(weights.length).fill(1e-6);
  const rows = examples.map(({ hashes }) =>
    Uint32Array.from(hashes.flatMap((hash) => features.get(hash) ?? [])),
  );
  const factors = examples.map(({ hashes }) => 1 / Math.sqrt(hashes.length));
  const random = new Random(1);
  const order = Uint32Array.from(examples.keys());
  const off = new Float64Array(classes);
  for (let round = 0; round < rounds; round += 1) {
    random.shuffle(order);
    for (const at of order) {
      const factor = factors[at] as number;
      const present = rows[at] as Uint32Array;
      errors(off, fit, present, factor, (examples[at] as Example).label);
      for (const row of present)
        for (let one = 0; one < classes; one += 1) {
          const slope = factor * (off[one] as number) + decay * (weights[row + one] as number);
          const so = (moved[row + one] as number) + slope * slope;
          moved[row + one] = so;
          weights[row + one] = (weights[row + one] as number) - (rate * slope) / Math.sqrt(so);
        }
      for (let one = 0; one < classes; one += 1)
        bias[one] = (bias[one] as number) - 0.01 * (off[one] as number);
    }
  }
}

/** By how much each probability is too great. */
function errors(
  off: Float64Array,
  { weights, bias, classes }: Fit,
  present: Uint32Array,
  factor: number,
  label: number,
): void {
  off.set(bias);
  for (const row of present)
    for (let one = 0; one < classes; one += 1)
      off[one] = (off[one] as number) + (weights[row + one] as number) * factor;
  let most = Number.NEGATIVE_INFINITY;
  for (const score of off) if (score > most) most = score;
  let total = 0;
  for (let one = 0; one < classes; one += 1) {
    const raised = Math.exp((off[one] as number) - most);
    off[one] = raised;
    total += raised;
  }
  for (let one = 0; one < classes; one += 1) off[one] = (off[one] as number) / total;
  off[label] = (off[label] as number) - 1;
}

function packed({ features, weights, bias, classes }: Fit): LinearWeights {
  let scale = 0;
  for (const weight of weights) scale = Math.max(scale, Math.abs(weight));
  const length = rowLength(classes);
  const bytes = new Uint8Array(features.size * length);
  const rows = new Map<number, number>();
  for (const [hash, from] of features) {
    const row = rows.size * length;
    storeRow(bytes.subarray(row, row + length), weights.subarray(from, from + classes), scale);
    rows.set(hash, row);
  }
  return { classes, scale, bias: [...bias], rows, bytes };
}
