/**
 * A linear model over features that are known by their hashes: few of its weights are anything but zero. Pure.
 *
 * @module
 */

/** Wide enough that an unknown feature is hardly ever taken for a known one. */
const HASH_BITS = 26;

/** FNV-1a over UTF-16, mixed, so that its upper bits are as good as its lower ones. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> (32 - HASH_BITS);
}

/** As it lies in the file: for each feature its greatest weight in 8 bits, then all weights in 4 bits each. */
export interface LinearWeights {
  readonly classes: number;
  /** The greatest weight. */
  readonly scale: number;
  readonly bias: readonly number[];
  /** By hash: where the row of a feature begins. */
  readonly rows: ReadonlyMap<number, number>;
  readonly bytes: Uint8Array;
}

export const rowLength = (classes: number): number => 1 + Math.ceil(classes / 2);

/** Small ones are told apart more finely than great ones. */
const greatestOf = (stored: number, scale: number): number => (stored / 255) ** 2 * scale;

/** Writes the weights of one feature. */
export function storeRow(row: Uint8Array, weights: Float32Array, scale: number): void {
  const most = weights.reduce((so, one) => Math.max(so, Math.abs(one)), 0);
  row[0] = Math.ceil(Math.sqrt(most / scale) * 255);
  const greatest = greatestOf(row[0], scale);
  if (greatest === 0) return;
  for (const [at, weight] of weights.entries()) {
    const stored = Math.round((weight / greatest) * 7) & 15;
    const byte = 1 + (at >> 1);
    row[byte] = (row[byte] as number) | (at % 2 === 0 ? stored : stored << 4);
  }
}

/** @returns one number a class, the greater the likelier */
export function scoresOf(
  { classes, scale, bias, rows, bytes }: LinearWeights,
  hashes: Iterable<number>,
  factor: number,
): Float64Array {
  const scores = Float64Array.from(bias);
  for (const hash of hashes) {
    const row = rows.get(hash);
    if (row === undefined) continue;
    const step = (greatestOf(bytes[row] as number, scale) / 7) * factor;
    for (let at = 0; at < classes; at += 1) {
      const byte = bytes[row + 1 + (at >> 1)] as number;
      // The upper or the lower half, with its sign.
      const stored = (at % 2 === 0 ? byte << 28 : byte << 24) >> 28;
      scores[at] = (scores[at] as number) + stored * step;
    }
  }
  return scores;
}

/** @returns numbers that add up to 1 */
export function shares(scores: Float64Array, temperature: number): Float64Array {
  const most = Math.max(...scores);
  const raised = scores.map((score) => Math.exp((score - most) / temperature));
  const total = raised.reduce((sum, one) => sum + one, 0);
  return raised.map((one) => one / total);
}
