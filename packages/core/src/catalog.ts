/**
 * The catalog: what a space consists of, one sealed entry per fact. An entry that does not open, or
 * that no member's change wrote, is ignored and reported. Where two replicas wrote one entry, every
 * value is opened and a pure rule per map decides.
 *
 * @module
 */

import type { ErasureEntry } from "./erasure/erasure-rule.js";
import { isCambiumError } from "./errors.js";
import { compareText } from "./format/bytes.js";
import { type CatalogMap, catalogKey } from "./format/documents.js";
import { decodeCanonical, type Encodable, encodeCanonical } from "./format/encoding.js";
import type { BranchId, ChangeHash, DocumentId, PackId, ReplicaId } from "./format/ids.js";
import type { SpaceKeys } from "./format/keys.js";
import type { Reference } from "./format/record.js";
import { type OpenPlace, open, type Sealed, seal } from "./format/seal.js";
import type { ClockCorrection } from "./history/effective-time.js";
import type { History } from "./history/history.js";
import type { Platform } from "./platform.js";
import { adaptedEntry, withSchema } from "./schema/adapters.js";
import type { Plain } from "./schema/plain.js";

/** How a branch began. Written once, when it is made. */
export interface BranchEntry {
  /** The Automerge document that holds it. */
  readonly document: DocumentId;
  /** Absent for `main`. */
  readonly parent?: BranchId | undefined;
  /** The parent's heads when it was forked. Absent for `main`. */
  readonly forkHeads?: readonly ChangeHash[] | undefined;
  /** The replica that made it. */
  readonly createdBy: ReplicaId;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /**
   * Of a branch that was made of the past: the moment of its parent that it starts from, in milliseconds since 1970.
   * Written down, for what a device has of its parent changes as it syncs.
   */
  readonly startsAt?: number | undefined;
}

/** The name is a record, so that it can be erased. Main has none. */
export interface BranchStateEntry {
  /** Of the record that holds the name. Undefined for `main`. */
  readonly name: Reference | undefined;
  /** `deleted` wins over the others when two devices wrote at once. */
  readonly status: "open" | "merged" | "deleted";
}

/** Who writes a pack. */
export interface PackEntry {
  /** The only replica that adds records to it. */
  readonly writer: ReplicaId;
  /** Of the space key under which it is sealed. */
  readonly keyEpoch: number;
}

/** Which documents hold the records of a pack. */
export interface DocumentEntry {
  /** The packs whose records are in the document. */
  readonly packs: readonly PackId[];
  /** `retired`: nothing is written to it any more. */
  readonly state: "live" | "retired";
  /** Of one that is retired: the parts that no other document took over, 32 bytes each. They are erased. */
  readonly erased?: Uint8Array | undefined;
}

/** What others know about a replica. */
export interface ReplicaEntry {
  /** Shown to people: the name of the device, unless it was given another. */
  readonly name: string;
  /** X25519, for sealing later keys to this replica. */
  readonly publicKey: Uint8Array;
  /** Where it counts what it recalls: a document for each year, absent until the first recall. */
  readonly uses?: readonly UsageEntry[] | undefined;
  /** The last epochs of which it has the key, each with a code under that key. Absent in the first epoch. */
  readonly keyProof?: Uint8Array | undefined;
  /** By which invitation it came: the beginning of a hash of its token. Absent in entries of earlier versions. */
  readonly access?: Uint8Array | undefined;
}

/** The document with a replica's counts of one year. */
export interface UsageEntry {
  /** Of the Gregorian calendar, in UTC. */
  readonly year: number;
  /** Its Automerge document. */
  readonly document: DocumentId;
}

/** A named state. Its name, description, reason and area are a record, so that they can be erased. */
export interface CheckpointEntry {
  /** The branch whose state it names. */
  readonly branch: BranchId;
  /** The state: hashes of the branch's last changes. */
  readonly heads: readonly ChangeHash[];
  /** The whole branch, or the area that the text names. */
  readonly scope: "full" | "area";
  /** Absent where Cambium made it by itself: its name says why, and when. */
  readonly text?: Reference | undefined;
  /** Whether someone made it, or what it was made before. */
  readonly cause: CheckpointCause;
  /** The replica that made it. */
  readonly by: ReplicaId;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `SCHEMA_VERSION` of the Cambium that made it. */
  readonly schemaVersion: number;
  /** Layout of the index on the device that made it. Informative. */
  readonly indexVersion: number;
  /** Of the references that the state holds; see `stateDigest`. */
  readonly digest: Uint8Array;
  /** `deleted` wins over `kept` when two devices wrote at once. */
  readonly state: "kept" | "deleted";
}

/** Made by hand, each week, or before something that touches many memories. */
export type CheckpointCause =
  | "manual"
  | "weekly"
  | "bulk"
  | "import"
  | "merge"
  | "rollback"
  | "consolidate"
  | "forget"
  | "upgrade"
  | "erase";

/** Those that make one without being asked. */
export type AutomaticCause = Exclude<CheckpointCause, "manual">;

/** One setting of the space. */
export interface SettingEntry {
  /** Plain data. Its shape depends on the setting. */
  readonly value: Encodable;
}

/** What each map of the catalog holds under a key. */
export interface CatalogEntries {
  /** By branch id. */
  readonly branches: BranchEntry;
  /** By branch id. What may change about a branch. */
  readonly branchStates: BranchStateEntry;
  /** By pack id. */
  readonly packs: PackEntry;
  /** By document id. */
  readonly documents: DocumentEntry;
  /** By replica id. */
  readonly replicas: ReplicaEntry;
  /** By a random key. Times to correct. */
  readonly clocks: ClockCorrection;
  /** By checkpoint id. */
  readonly checkpoints: CheckpointEntry;
  /** By name, such as `policy` or `mergeVersion`. */
  readonly settings: SettingEntry;
  /** By a random key. Written once, and never taken back. */
  readonly erasures: ErasureEntry;
}

/** A map of the catalog that this version reads. */
export type KnownMap = keyof CatalogEntries & CatalogMap;

/** An entry with every value that stands side by side; the first is the one that counts. */
export interface CatalogValue<Entry> {
  /** The value that counts: the same on every replica. */
  readonly value: Entry;
  /** Values written at the same time elsewhere, which do not count. */
  readonly others: readonly Entry[];
}

/** An opened catalog: for each map, its entries by key. */
export type Catalog = {
  readonly [Map_ in KnownMap]: ReadonlyMap<string, CatalogValue<CatalogEntries[Map_]>>;
} & {
  /** Entries that are not shown, and why. */
  readonly ignored: readonly IgnoredEntry[];
};

/** An entry of the catalog that does not count. */
export interface IgnoredEntry {
  /** Its place, such as `branches/<id>`; the hash of the change if no member made it. */
  readonly key: string;
  /** A sentence for people. */
  readonly reason: string;
  /** A newer Cambium wrote it: it stands, and is not to be written over. */
  readonly code?: "SCHEMA_TOO_NEW";
}

/** Those that are read; a catalog may have others, of later versions. */
export const KNOWN_MAPS: readonly KnownMap[] = [
  "branches",
  "branchStates",
  "packs",
  "documents",
  "replicas",
  "clocks",
  "checkpoints",
  "settings",
  "erasures",
];
const MAX_ENTRY_BYTES = 1_048_576;

/** Encrypts an entry for its place in the catalog. */
export function sealEntry<Map_ extends KnownMap>(
  platform: Platform,
  keys: SpaceKeys,
  map: Map_,
  key: string,
  entry: CatalogEntries[Map_],
): Promise<Sealed> {
  return seal(
    platform,
    { ...entryPlace(keys, map, key), key: keys.catalog },
    encodeCanonical(withSchema(entry) as unknown as Encodable),
    keys.epoch,
  );
}

/** Sealed bytes do not change, so what was opened once need not be opened again. */
export type EntryCache = Map<string, unknown>;

/** Reads every entry of the catalog as the changes of its members wrote them. */
export async function readCatalog(
  platform: Platform,
  keys: SpaceKeys,
  history: History,
  cache: EntryCache = new Map(),
): Promise<Catalog> {
  const ignored: IgnoredEntry[] = [];
  const maps = new Map<KnownMap, Map<string, CatalogValue<unknown>>>(
    KNOWN_MAPS.map((map) => [map, new Map()]),
  );
  for (const path of history.keys()) {
    const slash = path.indexOf("/");
    const [map, key] = [path.slice(0, slash) as KnownMap, path.slice(slash + 1)];
    const entries = maps.get(map);
    if (entries === undefined) continue; // a map of a later version
    const values: unknown[] = [];
    for (const write of history.valuesAt(path)) {
      const cached = cache.get(write.id);
      const value =
        cached ?? (await openEntry(platform, map, entryPlace(keys, map, key), write.value, ignored));
      if (value === undefined) continue;
      cache.set(write.id, value);
      values.push(value);
    }
    const decided = decide(map, values);
    if (decided !== undefined) entries.set(key, decided);
  }
  for (const change of history.changes) {
    if (change.statement === undefined && change.deps.length > 0) {
      ignored.push({ key: change.hash, reason: "No member of the space made this change." });
    }
  }
  return { ...Object.fromEntries(maps), ignored } as unknown as Catalog;
}

async function openEntry(
  platform: Platform,
  map: KnownMap,
  place: OpenPlace,
  sealed: Uint8Array | number,
  ignored: IgnoredEntry[],
): Promise<unknown> {
  try {
    const entry =
      sealed instanceof Uint8Array
        ? decodeCanonical(await open(platform, place, sealed, MAX_ENTRY_BYTES))
        : undefined;
    if (isObject(entry)) return adaptedEntry(map, entry);
    ignored.push({ key: place.place, reason: "It is not a sealed entry with named values." });
  } catch (error) {
    const isTooNew = isCambiumError(error, "SCHEMA_TOO_NEW");
    if (!isTooNew && !isCambiumError(error, "STORE_DAMAGED")) throw error;
    ignored.push({
      ...{ key: place.place, reason: error.message },
      ...(isTooNew ? { code: "SCHEMA_TOO_NEW" } : {}),
    });
  }
  return undefined;
}

const isObject = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

/** Which of several values counts: the same on every replica, whatever the order they came in. */
function decide(map: KnownMap, values: readonly unknown[]): CatalogValue<unknown> | undefined {
  const ordered = [...values].sort(
    (a, b) => preference(map, a) - preference(map, b) || compareText(textOf(a), textOf(b)),
  );
  const [value, ...others] = ordered.filter(
    (item, index) => index === 0 || textOf(item) !== textOf(ordered[index - 1]),
  );
  return value === undefined ? undefined : { value, others };
}

/** Lower wins. Retired wins over live, for nothing becomes live again; deleted wins over merged over open. */
function preference(map: KnownMap, value: unknown): number {
  if (map === "checkpoints") return (value as CheckpointEntry).state === "deleted" ? 0 : 1;
  if (map === "documents") return (value as DocumentEntry).state === "retired" ? 0 : 1;
  if (map === "branchStates")
    return ["deleted", "merged", "open"].indexOf((value as BranchStateEntry).status);
  return 0;
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (item instanceof Uint8Array ? [...item] : item));

const entryPlace = (keys: SpaceKeys, map: CatalogMap, key: string): OpenPlace => ({
  space: keys.space,
  key: (epoch) => keys.opening("catalog", epoch),
  place: catalogKey(map, key),
});
