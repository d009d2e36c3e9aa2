/**
 * Checksums of stored chunks. SHA-256 of the bytes and their number: Automerge's own four bytes do not notice a
 * chunk cut where one change ends, nor one cut to nothing.
 *
 * @module
 */
import { hash } from "../platform/newer-node.js";
import type { DamageReason } from "./store.js";

/** What a chunk's bytes are compared with when they are read. */
export interface Checksum {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Tells a chunk that was cut from one that was altered. */
  readonly sizeBytes: number;
}

export const checksumOf = (bytes: Uint8Array): Checksum => ({
  sha256: hash("sha256", bytes, "hex"),
  sizeBytes: bytes.byteLength,
});

/** Returns what is wrong with `bytes`, or undefined if they are those the checksum was made of. */
export function damageOf(bytes: Uint8Array, expected: Checksum): DamageReason | undefined {
  if (bytes.byteLength < expected.sizeBytes) return "truncated";
  if (bytes.byteLength > expected.sizeBytes) return "altered";
  return hash("sha256", bytes, "hex") === expected.sha256 ? undefined : "altered";
}
