/**
 * The Automerge documents of a space: what each kind holds, and where. How they begin is in `genesis.ts`.
 *
 * @module
 */
import type { MemoryId, PartHash, RecordHash } from "./ids.js";
import type { Sealed } from "./seal.js";

/** Last byte of the memory id: 256 maps of moderate size, because a change copies the map it touches. */
export type Bucket = string;

/** What a space consists of. Small, always loaded. */
export interface CatalogDocument {
  schema: 1;
  kind: "catalog";
  branches: Record<string, Sealed>;
  branchStates: Record<string, Sealed>;
  packs: Record<string, Sealed>;
  documents: Record<string, Sealed>;
  erasures: Record<string, Sealed>;
  checkpoints: Record<string, Sealed>;
  replicas: Record<string, Sealed>;
  clocks: Record<string, Sealed>;
  settings: Record<string, Sealed>;
}

/** Which records each memory has now, and the history of that. Values are references. */
export interface BranchDocument {
  schema: 1;
  kind: "branch";
  memories: Record<Bucket, Record<MemoryId, Uint8Array>>;
}

/** Sealed records written by one replica. */
export interface PackDocument {
  schema: 1;
  kind: "pack";
  headers: Record<RecordHash, Sealed>;
  parts: Record<PartHash, Sealed>;
}

/** How often each memory was recalled by one replica. */
export interface UsageDocument {
  schema: 1;
  kind: "uses";
  counts: Record<Bucket, Record<MemoryId, number>>;
}

export interface DocumentByKind {
  readonly catalog: CatalogDocument;
  readonly branch: BranchDocument;
  readonly pack: PackDocument;
  readonly uses: UsageDocument;
}

export type DocumentKind = keyof DocumentByKind;

export const MAX_PACK_RECORDS = 512;
export const MAX_PACK_BYTES = 1_048_576;

export const CATALOG_MAPS = [
  "branches",
  "branchStates",
  "packs",
  "documents",
  "erasures",
  "checkpoints",
  "replicas",
  "clocks",
  "settings",
] as const satisfies readonly Exclude<keyof CatalogDocument, "schema" | "kind">[];

export type CatalogMap = (typeof CATALOG_MAPS)[number];

export const bucketOf = (memory: MemoryId): Bucket => memory.slice(-2);

/** Where things stand in a document, for sealing and signing. */
export const memoryKey = (memory: MemoryId): string => `memories/${bucketOf(memory)}/${memory}`;
export const catalogKey = (map: CatalogMap, entry: string): string => `${map}/${entry}`;
