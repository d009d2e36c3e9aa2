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
  /** By branch id: how it began. */
  branches: Record<string, Sealed>;
  /** By branch id: its name and whether it is deleted. */
  branchStates: Record<string, Sealed>;
  /** By pack id: who writes it. */
  packs: Record<string, Sealed>;
  /** By document id: which packs it holds. */
  documents: Record<string, Sealed>;
  /** By a random key: what is destroyed for good. */
  erasures: Record<string, Sealed>;
  /** By checkpoint id. */
  checkpoints: Record<string, Sealed>;
  /** By replica id: its name and public key. */
  replicas: Record<string, Sealed>;
  /** Corrections of the times of changes. */
  clocks: Record<string, Sealed>;
  /** By name. Requests for approval and decisions are here, too. */
  settings: Record<string, Sealed>;
}

/** Which records each memory has now, and the history of that. Values are references. */
export interface BranchDocument {
  schema: 1;
  kind: "branch";
  /** By bucket, then by memory id: one or more references of 48 bytes each. */
  memories: Record<Bucket, Record<MemoryId, Uint8Array>>;
}

/** Sealed records written by one replica. */
export interface PackDocument {
  schema: 1;
  kind: "pack";
  /** By hash of the record. */
  headers: Record<RecordHash, Sealed>;
  /** By hash of the part. Records may share a part. */
  parts: Record<PartHash, Sealed>;
}

/** How often each memory was recalled by one replica. */
export interface UsageDocument {
  schema: 1;
  kind: "uses";
  /** By bucket, then by memory id. A count only grows. */
  counts: Record<Bucket, Record<MemoryId, number>>;
}

/** The content of a document of each kind. */
export interface DocumentByKind {
  /** One in each space. */
  readonly catalog: CatalogDocument;
  /** One for each branch. */
  readonly branch: BranchDocument;
  /** Many: each replica writes its own. */
  readonly pack: PackDocument;
  /** One for each replica and year. */
  readonly uses: UsageDocument;
}

/** What a document of a space holds. */
export type DocumentKind = keyof DocumentByKind;

/** Every pack begins with this change; what is in a pack besides the names of its maps is named by a hash. */
export const PACK_GENESIS_HASH = "b6266711be2ab846ad5e51669da1c2191d58dc9f1b478914f202537f2580dbf8";

/** A replica begins another pack once one holds as many records. */
export const MAX_PACK_RECORDS = 512;
/** A replica begins another pack once one holds as many sealed bytes: 1 MiB. */
export const MAX_PACK_BYTES = 1_048_576;

/** The maps of a catalog. Their order is part of the format. */
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

/** A map of the catalog. */
export type CatalogMap = (typeof CATALOG_MAPS)[number];

/** Returns the bucket in which a memory stands: the last two digits of its id. */
export const bucketOf = (memory: MemoryId): Bucket => memory.slice(-2);

/** Where things stand in a document, for sealing and signing. */
export const memoryKey = (memory: MemoryId): string => `memories/${bucketOf(memory)}/${memory}`;
/** The place of an entry in the catalog, such as `branches/<id>`. */
export const catalogKey = (map: CatalogMap, entry: string): string => `${map}/${entry}`;
