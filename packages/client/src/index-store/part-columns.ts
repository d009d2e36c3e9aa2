/**
 * How a form's row names the parts that its record was put together from: short, because most versions of a
 * memory share the part in which everything but the text stands.
 *
 * @module
 */
import { bytesFromHex, bytesToHex, type MemoryRecord, type PackId, type PartHash } from "@cambium/core";
import { HASH_BYTES } from "./snapshot-columns.js";
import type { ValueNumbers } from "./value-numbers.js";

export interface PartColumns {
  /** The hash of the part of the text; then that of the other part, unless another form holds it. */
  readonly parts: Uint8Array;
  /** Numbers of the packs they are in; null for the record's own. */
  readonly contentPack: number | null;
  readonly metaPack: number | null;
}

/** @param held - hash of the part beside the text, where the form that holds what stands there has one */
export function partColumns(
  { parts: { content, meta }, pack }: MemoryRecord,
  held: PartHash | undefined,
  packs: ValueNumbers,
): PartColumns {
  const packOf = (part: PackId): number | null => (part === pack ? null : packs.numberOf(part));
  return {
    parts: bytesFromHex(meta.hash === held ? content.hash : content.hash + meta.hash),
    ...{ contentPack: packOf(content.pack), metaPack: packOf(meta.pack) },
  };
}

/** @param heldParts - the column of the form that holds the second hash, where this one does not */
export function partsFromColumns(
  { parts, contentPack, metaPack }: PartColumns,
  { pack, packs, heldParts }: { pack: PackId; packs: ValueNumbers; heldParts: () => Uint8Array },
): MemoryRecord["parts"] {
  const packOf = (number: number | null): PackId =>
    number === null ? pack : (packs.valueOf(number) as PackId);
  return {
    content: { hash: hashAt(parts, 0), pack: packOf(contentPack) },
    meta: { hash: metaHash(parts) ?? hashAt(heldParts(), HASH_BYTES), pack: packOf(metaPack) },
  };
}

/** @returns undefined when another form holds it */
export const metaHash = (parts: Uint8Array): PartHash | undefined =>
  parts.length === 2 * HASH_BYTES ? hashAt(parts, HASH_BYTES) : undefined;

const hashAt = (parts: Uint8Array, start: number): PartHash =>
  bytesToHex(parts.subarray(start, start + HASH_BYTES)) as PartHash;
