/**
 * The digest of a state: a sum over its memories, so that it can be brought forward by what changed and
 * need not read everything each time. Why a sum, and what it cannot do: docs/decisions/0023.
 *
 * @module
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { compareBytes, concatBytes } from "../format/bytes.js";
import { type MemoryId, uuidToBytes } from "../format/ids.js";
import { REFERENCE_BYTES } from "../format/reference.js";

/** 32 bytes, the most significant first. */
export type StateDigest = Uint8Array;

const DIGEST_BYTES = 32;

/** Of a state without memories. */
export const emptyDigest = (): StateDigest => new Uint8Array(DIGEST_BYTES);

/**
 * What one memory adds to the digest: SHA-256 of its id and its references, each once, in the order of their bytes.
 *
 * @param values - every value its key holds, as stored
 * @returns undefined when they refer to nothing: then the state does not have the memory
 */
export function memoryDigest(id: MemoryId, values: readonly Uint8Array[]): StateDigest | undefined {
  const references = values.flatMap(referencesIn).sort(compareBytes);
  const distinct = references.filter(
    (reference, index) => index === 0 || compareBytes(reference, references[index - 1] as Uint8Array) !== 0,
  );
  return distinct.length === 0 ? undefined : sha256(concatBytes(uuidToBytes(id), ...distinct));
}

function referencesIn(value: Uint8Array): readonly Uint8Array[] {
  if (value.length === REFERENCE_BYTES) return [value];
  if (value.length % REFERENCE_BYTES !== 0) return []; // no member writes that; it refers to nothing
  return Array.from({ length: value.length / REFERENCE_BYTES }, (_, index) =>
    value.subarray(index * REFERENCE_BYTES, (index + 1) * REFERENCE_BYTES),
  );
}

/** Adds modulo 2^256, in place. */
export function addToDigest(sum: StateDigest, term: StateDigest): void {
  let carry = 0;
  for (let index = DIGEST_BYTES - 1; index >= 0; index -= 1) {
    carry += (sum[index] as number) + (term[index] as number);
    sum[index] = carry & 0xff;
    carry >>= 8;
  }
}

/** Takes away what was added. */
export function takeFromDigest(sum: StateDigest, term: StateDigest): void {
  let borrow = 0;
  for (let index = DIGEST_BYTES - 1; index >= 0; index -= 1) {
    const difference = (sum[index] as number) - (term[index] as number) - borrow;
    sum[index] = difference & 0xff;
    borrow = difference < 0 ? 1 : 0;
  }
}
