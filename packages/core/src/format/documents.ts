/**
 * The Automerge documents of a space. Each kind begins with one fixed genesis change (fixed actor,
 * time 0), so that replicas that never met agree on the ids of its maps.
 *
 * @module
 */
import * as A from "@automerge/automerge";
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
export interface UsesDocument {
  schema: 1;
  kind: "uses";
  counts: Record<Bucket, Record<MemoryId, number>>;
}

export interface DocumentByKind {
  readonly catalog: CatalogDocument;
  readonly branch: BranchDocument;
  readonly pack: PackDocument;
  readonly uses: UsesDocument;
}

export type DocumentKind = keyof DocumentByKind;

export const MAX_PACK_RECORDS = 512;
export const MAX_PACK_BYTES = 1_048_576;

/** 34 zero bytes: no replica's actor, as long as theirs. */
const GENESIS_ACTOR = "00".repeat(34);

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

const BUCKETS: readonly Bucket[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

const emptyMaps = (names: readonly string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, {}]));

const GENESIS_CONTENT: { readonly [Kind in DocumentKind]: () => Record<string, unknown> } = {
  catalog: () => ({ kind: new A.ImmutableString("catalog"), ...emptyMaps(CATALOG_MAPS) }),
  branch: () => ({ kind: new A.ImmutableString("branch"), memories: emptyMaps(BUCKETS) }),
  pack: () => ({ kind: new A.ImmutableString("pack"), headers: {}, parts: {} }),
  uses: () => ({ kind: new A.ImmutableString("uses"), counts: emptyMaps(BUCKETS) }),
};

const genesisByKind = new Map<DocumentKind, Uint8Array>();

/** The saved bytes every document of this kind begins with. */
export function genesis(kind: DocumentKind): Uint8Array {
  const known = genesisByKind.get(kind);
  if (known !== undefined) return known;
  const empty = A.init<Record<string, unknown>>({ actor: GENESIS_ACTOR });
  const made = A.change(empty, { time: 0 }, (draft) => {
    Object.assign(draft, { schema: 1, ...GENESIS_CONTENT[kind]() });
  });
  const bytes = A.save(made);
  A.free(made);
  genesisByKind.set(kind, bytes);
  return bytes;
}

/** A new, empty document of this kind that writes as `actor`. */
export function newDocument<Kind extends DocumentKind>(
  kind: Kind,
  actor: string,
): A.Doc<DocumentByKind[Kind]> {
  return A.load<DocumentByKind[Kind]>(genesis(kind), { actor });
}

export const bucketOf = (memory: MemoryId): Bucket => memory.slice(-2);

/** Where things stand in a document, for sealing and signing. */
export const memoryKey = (memory: MemoryId): string => `memories/${bucketOf(memory)}/${memory}`;
export const catalogKey = (map: CatalogMap, entry: string): string => `${map}/${entry}`;

const pathsByKind = new Map<DocumentKind, ReadonlyMap<string, string>>();

/**
 * Path of each map by its Automerge object id. The ids are constants of the genesis change, so an
 * operation tells where it writes without the document at hand.
 */
export function mapPaths(kind: DocumentKind): ReadonlyMap<string, string> {
  const known = pathsByKind.get(kind);
  if (known !== undefined) return known;
  const made = A.load<unknown>(genesis(kind));
  const paths = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null || value instanceof A.ImmutableString) return;
    const id = A.getObjectId(value);
    if (id !== null) paths.set(id, path);
    for (const [key, child] of Object.entries(value)) visit(child, path === "" ? key : `${path}/${key}`);
  };
  visit(made, "");
  A.free(made);
  pathsByKind.set(kind, paths);
  return paths;
}
