/**
 * References: 48 bytes a branch document keeps for each record a memory has there.
 *
 * @module
 */
import { bytesFromHex, bytesToHex, concatBytes } from "./bytes.js";
import type { PackId, RecordHash } from "./ids.js";
import type { Reference } from "./record.js";

/** 32 bytes of the record's hash, then 16 of the pack's id. */
export const REFERENCE_BYTES = 48;
const HASH_BYTES = 32;

/** The writer's own record first, then every tip it replaced without having been able to read it. */
export function encodeReferences(references: readonly Reference[]): Uint8Array {
  return concatBytes(...references.flatMap(({ record, pack }) => [bytesFromHex(record), bytesFromHex(pack)]));
}

/** Whether a value refers to its writer's own record and to nothing else. */
export const isOneReference = (value: Uint8Array | number): boolean =>
  value instanceof Uint8Array && value.length === REFERENCE_BYTES;

/** @returns undefined when the bytes are not a whole, positive number of references */
export function decodeReferences(bytes: Uint8Array): readonly Reference[] | undefined {
  if (bytes.length === 0 || bytes.length % REFERENCE_BYTES !== 0) return undefined;
  return Array.from({ length: bytes.length / REFERENCE_BYTES }, (_, index) => {
    const start = index * REFERENCE_BYTES;
    return {
      record: bytesToHex(bytes.subarray(start, start + HASH_BYTES)) as RecordHash,
      pack: bytesToHex(bytes.subarray(start + HASH_BYTES, start + REFERENCE_BYTES)) as PackId,
    };
  });
}
