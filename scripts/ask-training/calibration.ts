/**
 * How much the scores of a model have to be divided by, so that of what it is 90 % sure of, 90 % is right.
 *
 * @module
 */
import { shares } from "../../packages/cambium/dist/ask/trained/linear-model.js";

interface Scored {
  readonly scores: Float64Array;
  readonly label: number;
}

/** The one by which the labels are the least surprising. */
export function temperatureOf(judged: readonly Scored[]): number {
  const tried = Array.from({ length: 60 }, (_, at) => Math.round(100 * 0.2 * 1.05 ** at) / 100);
  return tried.reduce((best, one) => (surprise(judged, one) < surprise(judged, best) ? one : best));
}

const surprise = (judged: readonly Scored[], temperature: number): number =>
  judged.reduce((sum, { scores, label }) => sum - Math.log(shares(scores, temperature)[label] as number), 0) /
  judged.length;
