/**
 * Unit vectors in 16-bit integers with one scale each: half the bytes of 32-bit floats.
 *
 * Small models crowd their vectors (cosines from 0.7 to 1), so the ranking hangs on the third decimal. With 10,000
 * such vectors of 384 numbers, 8 bits lost 13 % of the true top ten and gained no speed; 16 bits lost 0.5 %.
 *
 * @module
 */

export interface QuantisedVector {
  /** What one step of a code is worth. */
  readonly scale: number;
  readonly codes: Int16Array;
}

const LARGEST_CODE = 32_767;

/** Returns the vector at length 1; a vector of zeros stays one, and is near to nothing. */
export function normalise(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length === 0 ? new Float32Array(vector.length) : vector.map((value) => value / length);
}

/** Returns the vector at length 1, each number rounded to the nearest of 65,535 steps. */
export function quantise(vector: Float32Array): QuantisedVector {
  const unit = normalise(vector);
  let largest = 0;
  for (const value of unit) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return { scale: 0, codes: new Int16Array(unit.length) };
  const scale = largest / LARGEST_CODE;
  return { scale, codes: Int16Array.from(unit, (value) => Math.round(value / scale)) };
}

/** Returns the dot product of `query` with the codes from `start`; times their scale it is the cosine. */
export function dotWithCodes(query: Float32Array, codes: Int16Array, start: number): number {
  let sum = 0;
  for (let index = 0; index < query.length; index += 1) {
    sum += (query[index] as number) * (codes[start + index] as number);
  }
  return sum;
}
