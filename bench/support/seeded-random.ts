/**
 * Randomness that a seed repeats: what a benchmark writes, and when its devices lose their connection.
 *
 * @module
 */
export interface SeededRandom {
  /** Uniform in [0, 1). */
  readonly unit: () => number;
  /** A whole number from 0, below `end`. */
  readonly below: (end: number) => number;
  readonly bytes: (length: number) => Uint8Array;
}

/**
 * Returns a generator by C. Doty-Humphrey's sfc32. Not for secrets: a benchmark's keys protect nothing.
 *
 * @param seed - a whole number
 * @param stream - keeps generators of one seed apart
 */
export function seededRandom(seed: number, stream = 0): SeededRandom {
  const word = sfc32(seed, stream);
  for (let warmUp = 0; warmUp < 12; warmUp += 1) word();
  return {
    unit: () => word() / 2 ** 32,
    below: (end) => Math.floor((word() / 2 ** 32) * end),
    bytes: (length) => Uint8Array.from({ length }, () => word() >>> 24),
  };
}

function sfc32(seed: number, stream: number): () => number {
  let [a, b, c, counter] = [seed | 0, stream | 0, 0x9e3779b9, 1];
  return () => {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
    return result >>> 0;
  };
}
