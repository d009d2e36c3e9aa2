/**
 * Multinomial logistic regression over sparse binary features, by stochastic gradients whose steps shrink with what
 * they have moved (Adagrad).
 *
 * @module
 */
import type { LinearWeights } from "../../packages/cambium/dist/ask/trained/linear-model.js";
import { commonFeatures, noWeights, packed, presentOf, telling, type Weights } from "./features.ts";
import { Random } from "./random.ts";

export interface Example {
  readonly hashes: readonly number[];
  readonly label: number;
}

const ROUNDS = 16;
const RATE = 0.15;
const DECAY = 3e-6;
/** A feature that fewer examples have is left out. */
const LEAST = 4;
/** So many features are kept: those that tell most. */
const MOST = 20_000;

interface Fit {
  readonly weights: Weights;
  readonly bias: Float64Array;
}

export function trainSoftmax(examples: readonly Example[], classes: number): LinearWeights {
  const hashes = examples.map((one) => one.hashes);
  const common = commonFeatures(hashes, LEAST);
  const all = fitted([...common.keys()], examples, classes);
  const { weights, bias } = fitted(telling(all.weights, common, MOST), examples, classes);
  return packed(weights, bias);
}

function fitted(hashes: readonly number[], examples: readonly Example[], classes: number): Fit {
  const fit: Fit = { weights: noWeights(hashes, classes), bias: new Float64Array(classes) };
  const rows = examples.map((one) => presentOf(fit.weights, one.hashes));
  const factors = examples.map((one) => 1 / Math.sqrt(one.hashes.length));
  const random = new Random(1);
  const order = Uint32Array.from(examples.keys());
  const off = new Float64Array(classes);
  for (let round = 0; round < ROUNDS; round += 1) {
    random.shuffle(order);
    for (const at of order) {
      const factor = factors[at] as number;
      const present = rows[at] as Uint32Array;
      errors(off, fit, present, factor, (examples[at] as Example).label);
      step(fit, present, factor, off);
    }
  }
  return fit;
}

function step({ weights, bias }: Fit, present: Uint32Array, factor: number, off: Float64Array): void {
  const { values, moved, classes } = weights;
  for (const row of present)
    for (let one = 0; one < classes; one += 1) {
      const slope = factor * (off[one] as number) + DECAY * (values[row + one] as number);
      const so = (moved[row + one] as number) + slope * slope;
      moved[row + one] = so;
      values[row + one] = (values[row + one] as number) - (RATE * slope) / Math.sqrt(so);
    }
  for (let one = 0; one < classes; one += 1) bias[one] = (bias[one] as number) - 0.01 * (off[one] as number);
}

/** By how much each probability is too great. */
function errors(off: Float64Array, fit: Fit, present: Uint32Array, factor: number, label: number): void {
  const { values, classes } = fit.weights;
  off.set(fit.bias);
  for (const row of present)
    for (let one = 0; one < classes; one += 1)
      off[one] = (off[one] as number) + (values[row + one] as number) * factor;
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
