/**
 * The fingerprint of a text: which pairs of neighbouring words it has, and a short sketch of that set by
 * which likely duplicates are found without comparing everything with everything.
 *
 * The sketch is a MinHash: for each of many hash functions, the least value over the set. Two sets agree
 * in one of them with a probability equal to their Jaccard similarity.
 *
 * @see A. Z. Broder, "On the resemblance and containment of documents", SEQUENCES 1997
 * @module
 */
import { splitTokens } from "../merge/text-tokens.js";

/** What two texts are compared by. */
export interface Fingerprint {
  /** Hashes of the pairs of neighbouring words, sorted, each once. */
  readonly shingles: Uint32Array;
  /** The MinHash of the shingles: 80 numbers. */
  readonly sketch: Uint32Array;
}

export const SKETCH_SIZE = 80;

const WORDS_PER_SHINGLE = 2;

/** Case, spacing, punctuation and the way characters are composed make no difference. */
const normalizedWords = (text: string): readonly string[] =>
  splitTokens(text.normalize("NFKC").toLowerCase(), "atoms").filter((token) => /[\p{L}\p{N}]/u.test(token));

/** Returns the fingerprint of a text. Takes time in proportion to its length. */
export function fingerprintOf(text: string): Fingerprint {
  const words = normalizedWords(text);
  const hashes = (words.length === 0 ? [text.trim()] : words).map(hashOf);
  const shingles = new Uint32Array(Math.max(1, hashes.length - WORDS_PER_SHINGLE + 1));
  for (let index = 0; index < shingles.length; index += 1)
    shingles[index] = mixed(Math.imul(hashes[index] ?? 0, 31) + (hashes[index + 1] ?? 0));
  const distinct = withoutRepeats(shingles.sort());
  return { shingles: distinct, sketch: sketchOf(distinct) };
}

/** Shared shingles over all shingles of both: from 0 to 1. */
export function similarityOf(a: Uint32Array, b: Uint32Array): number {
  let [shared, left, right] = [0, 0, 0];
  while (left < a.length && right < b.length) {
    const [one, other] = [a[left] as number, b[right] as number];
    if (one === other) shared += 1;
    if (one <= other) left += 1;
    if (other <= one) right += 1;
  }
  return shared / (a.length + b.length - shared);
}

function sketchOf(shingles: Uint32Array): Uint32Array {
  const sketch = new Uint32Array(SKETCH_SIZE);
  for (let index = 0; index < SKETCH_SIZE; index += 1) {
    const [multiplier, offset] = [MULTIPLIERS[index] as number, OFFSETS[index] as number];
    let least = 0xffffffff;
    for (let at = 0; at < shingles.length; at += 1) {
      const value = (Math.imul(shingles[at] as number, multiplier) + offset) >>> 0;
      if (value < least) least = value;
    }
    sketch[index] = least;
  }
  return sketch;
}

function withoutRepeats(sorted: Uint32Array): Uint32Array {
  let count = 0;
  for (const value of sorted) {
    if (count > 0 && sorted[count - 1] === value) continue;
    sorted[count] = value;
    count += 1;
  }
  return sorted.slice(0, count);
}

/** FNV-1a over code units, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mixed(hash);
}

/** The finalizer of MurmurHash3: every bit of the input moves every bit of the output. */
function mixed(input: number): number {
  let hash = input | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Odd, so that each hash function is a permutation of the 32-bit numbers; fixed, so that all replicas agree. */
const MULTIPLIERS = Uint32Array.from({ length: SKETCH_SIZE }, (_, index) => mixed(2 * index + 1) | 1);
const OFFSETS = Uint32Array.from({ length: SKETCH_SIZE }, (_, index) => mixed(2 * index + 2));
