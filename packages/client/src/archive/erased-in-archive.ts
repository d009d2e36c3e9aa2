/**
 * Of how many memories an archive holds something that is erased by now in the space that it is merged into.
 *
 * @module
 */
import {
  type DocumentId,
  documentIdToHex,
  isCambiumError,
  type MemoryId,
  openHeader,
  type PackId,
  type PartHash,
  type RecordHash,
  type RecordHeader,
} from "@cambium/core";
import type { ErasedSince } from "../api/archive.js";
import type { HeldHeader } from "../documents/pack-erasure.js";
import { ShortTurns } from "../platform/short-turns.js";
import type { SpaceServices } from "../space/space-services.js";
import type { Brought } from "./new-changes.js";

export interface ErasedInArchiveServices extends Pick<SpaceServices, "codec" | "catalog" | "packs"> {
  /** Of all records that are here. Asked where the archive has what its device kept of erasures. */
  readonly heldHeaders: () => Promise<readonly HeldHeader[]>;
}

/** As many are opened before others get on. */
const HEADERS_AT_ONCE = 64;

export async function erasedInArchive(
  services: ErasedInArchiveServices,
  brought: Brought,
): Promise<ErasedSince> {
  const memories = new Set<MemoryId>();
  const note = (
    hash: RecordHash,
    header: RecordHeader | HeldHeader,
    hasPart: (part: PartHash) => boolean,
  ): void => {
    const extent =
      header.type === "name" ? undefined : services.packs.erasedExtent(hash, header as RecordHeader);
    const isText = extent === "whole" || extent === "content";
    if (!isText) return;
    if (hasPart(header.content.hash) || (extent === "whole" && hasPart(header.meta.hash)))
      memories.add(header.memory);
  };
  const turns = new ShortTurns({ pieces: HEADERS_AT_ONCE });
  for (const { document, content } of brought.packs)
    for (const [name, sealed] of Object.entries(content.headers)) {
      await turns.piece();
      const record = name as RecordHash;
      const header = await headerOf(services, document, record, sealed);
      if (header !== undefined) note(record, header, (part) => part in content.parts);
    }
  if (brought.kept.size > 0)
    for (const header of await services.heldHeaders())
      note(header.hash, header, (part) => brought.kept.get(header.pack)?.has(part) === true);
  return { memories: memories.size, ...(memories.size === 0 ? {} : lastOf(services)) };
}

async function headerOf(
  { codec, catalog }: ErasedInArchiveServices,
  document: DocumentId,
  record: RecordHash,
  sealed: Uint8Array,
): Promise<RecordHeader | undefined> {
  const [pack = documentIdToHex(document) as PackId] =
    catalog.current.documents.get(document)?.value.packs ?? [];
  try {
    return await openHeader(codec, { record, pack }, sealed);
  } catch (error) {
    if (isCambiumError(error, "STORE_DAMAGED") || isCambiumError(error, "SCHEMA_TOO_NEW")) return undefined;
    throw error;
  }
}

/** When the last of what somebody asked for was erased. */
function lastOf({ packs }: ErasedInArchiveServices): Pick<ErasedSince, "lastAt"> {
  const times = packs.erasureEntries.flatMap(({ cause, at }) => (cause === undefined ? [at] : []));
  return times.length === 0 ? {} : { lastAt: Math.max(...times) };
}
