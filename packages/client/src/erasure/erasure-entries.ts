/**
 * What is written into the catalog for an erasure.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  bytesToHex,
  type ErasureEntry,
  type ErasureTarget,
  erasedTextCode,
  type PartHash,
  packHashes,
  packIds,
} from "@cambium/core";
import type { PlannedErasure } from "./preview.js";

/** An entry of the catalog holds a megabyte; several lists of names share it. */
const MAX_LIST_BYTES = 192 * 1024;
const HASH_BYTES = 32;
const NOTHING: Uint8Array = new Uint8Array();

/** As many as it takes for no list to be too long. */
export function entriesOf(
  { target, coverage, texts, requests, result }: PlannedErasure,
  key: Uint8Array,
  described: Omit<ErasureEntry, keyof ErasureTarget | "texts" | "mayRepeat">,
): readonly ErasureEntry[] {
  const { memories = NOTHING, records = NOTHING, from, until } = target;
  const single = [...hashesIn(target.parts), ...coverage.unnamed];
  // Contents of versions in a range go by name as well, for whoever carries one and lies outside.
  const ofRange = from === undefined && until === undefined ? [] : coverage.parts;
  const lists = {
    ...{ memories, parts: packHashes([...single, ...ofRange] as never[]) },
    records: new Uint8Array(Buffer.concat([records, packHashes(requests)])),
    texts: new Uint8Array(Buffer.concat(texts.map((text) => erasedTextCode(key, text)))),
    mayRepeat: packIds(result.repeated.map(({ id }) => id)),
  };
  const count = Math.max(1, ...Object.values(lists).map(({ length }) => Math.ceil(length / MAX_LIST_BYTES)));
  return Array.from({ length: count }, (_, place) => {
    const slices = Object.entries(lists).map(([name, bytes]) => [
      name,
      bytes.slice(place * MAX_LIST_BYTES, (place + 1) * MAX_LIST_BYTES),
    ]);
    return { ...described, ...Object.fromEntries(slices), ...(place === 0 ? { from, until } : {}) };
  });
}

/** The same texts have the same ids: two devices that prune at once write one rule. @param codes - of the texts */
export function pruningEntries(codes: ReadonlyMap<PartHash, Uint8Array>): readonly PruningEntry[] {
  const parts = [...codes.keys()].sort();
  const count = Math.ceil(parts.length / MAX_PRUNED);
  return Array.from({ length: count }, (_, place) => {
    const named = parts.slice(place * MAX_PRUNED, (place + 1) * MAX_PRUNED);
    const names = packHashes(named);
    const id = PRUNED + createHash("sha256").update(names).digest("hex").slice(0, ID_DIGITS);
    return { id, parts: names, texts: Buffer.concat(named.map((part) => codes.get(part) as Uint8Array)) };
  });
}

/** A rule of retention. */
export interface PruningEntry extends Pick<ErasureEntry, "parts" | "texts"> {
  readonly id: string;
}

const MAX_PRUNED = MAX_LIST_BYTES / HASH_BYTES;
const PRUNED = "pruned-";
const ID_DIGITS = 32;

export const hashesIn = (bytes: Uint8Array = NOTHING): readonly string[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, place) =>
    bytesToHex(bytes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)),
  );
