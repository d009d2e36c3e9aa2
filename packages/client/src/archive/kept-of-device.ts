/**
 * What the device that makes an archive keeps although others have erased it, and that it decided so. Nothing else has
 * it: without these parts, an archive of that device would lack what it shows.
 *
 * @module
 */
import { join } from "node:path";
import type { PackId } from "@cambium/core";
import { ErasureNote } from "../documents/erasure-note.js";
import { KEPT_PARTS_FILE, type KeptParts, keptIn } from "../documents/kept-parts.js";
import { checkedText, checkedValue, writePrivateFile } from "../platform/private-files.js";
import { KEPT } from "./manifest.js";
import { type ArchivePart, damaged } from "./tar.js";

interface KeepingDevice {
  readonly erasureNote: ErasureNote;
  readonly kept: KeptParts;
}

/** @param packs - those that the archive is of; undefined: all */
export function keptOfDevice(
  { erasureNote, kept }: KeepingDevice,
  packs: ReadonlySet<PackId> | undefined,
): readonly ArchivePart[] {
  const { held, refused } = erasureNote.noted;
  if (held.size + refused.size === 0) return [];
  const note = checkedText({ v: 1, held: [...held], refused: [...refused].sort() });
  const parts = kept.textOf(packs);
  return [
    { name: KEPT.note, bytes: Buffer.from(note) },
    ...(parts === undefined ? [] : [{ name: KEPT.parts, bytes: Buffer.from(parts) }]),
  ];
}

export const isOfKept = (name: string): boolean => name === KEPT.note || name === KEPT.parts;

/** @throws {CambiumError} ARCHIVE_DAMAGED */
export function checkKept({ name, bytes }: ArchivePart): object {
  const value = checkedValue(Buffer.from(bytes).toString("utf8"));
  if (value === undefined) throw damaged(`its part ${name} cannot be read`);
  return value;
}

/** In a space that is being made of the archive. */
export function restoreKept(part: ArchivePart, dir: string): void {
  const value = checkKept(part);
  if (part.name === KEPT.parts) writePrivateFile(join(dir, KEPT_PARTS_FILE), part.bytes);
  else {
    const { held = [], refused = [] } = value as Partial<StoredDecisions>;
    new ErasureNote(join(dir, "erasures.json")).put({ held: new Map(held), refused: new Set(refused) });
  }
}

interface StoredDecisions {
  readonly held: readonly (readonly [string, number])[];
  readonly refused: readonly string[];
}

/** The sealed parts themselves. */
export const partsIn = (part: ArchivePart): ReturnType<typeof keptIn> => keptIn(checkKept(part));
