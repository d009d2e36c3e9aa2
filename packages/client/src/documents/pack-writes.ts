/**
 * What a change of a pack wrote, read from the change itself: without the document, and whatever was written since.
 *
 * @module
 */
import type { Sealed } from "@cambium/core";
import * as A from "./automerge.js";

export interface PackWrite {
  /** Such as `headers` or `parts`; of other documents the id of the object. */
  readonly map: string;
  /** A hash. */
  readonly key: string;
  readonly value: Sealed;
  readonly actor: string;
}

/** @throws when these are no bytes of a change */
export function packWritesOf(change: Uint8Array): readonly PackWrite[] {
  const names = new Map([...A.mapIds("pack")].map(([name, id]) => [id, name]));
  const { ops, actor } = A.decodeChange(change);
  const writes: PackWrite[] = [];
  for (const { obj, key = "", value } of ops as readonly Operation[]) {
    // Automerge decodes bytes as a list of numbers.
    if (Array.isArray(value))
      writes.push({ map: names.get(obj) ?? obj, key, value: Uint8Array.from(value), actor });
  }
  return writes;
}

interface Operation {
  readonly obj: string;
  readonly key?: string;
  readonly value?: unknown;
}
