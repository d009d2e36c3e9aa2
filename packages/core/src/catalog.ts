/**
 * The catalog: what a space consists of, one sealed entry per fact. An entry that does not open, or
 * that no member's change wrote, is ignored and reported. Where two replicas wrote one entry, every
 * value is opened and a pure rule per map decides.
 *
 * @module
 */

import { isCambiumError } from "./errors.js";
import { compareText } from "./format/bytes.js";
import { type CatalogMap, catalogKey } from "./format/documents.js";
import { decodeCanonical, type Encodable, encodeCanonical } from "./format/encoding.js";
import type { BranchId, ChangeHash, DocumentId, PackId, ReplicaId } from "./format/ids.js";
import type { SpaceKeys } from "./format/keys.js";
import type { Reference } from "./format/record.js";
import { open, type Sealed, type SealPlace, seal } from "./format/seal.js";
import type { ClockCorrection } from "./history/effective-time.js";
import type { History } from "./history/history.js";
import type { Platform } from "./platform.js";
import { adaptedEntry, withSchema } from "./schema/adapters.js";
import type { Plain } from "./schema/plain.js";

export interface BranchEntry {
  readonly document: DocumentId;
  readonly parent?: BranchId | undefined;
  readonly forkHeads?: readonly ChangeHash[] | undefined;
  readonly createdBy: ReplicaId;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The name is a record, so that it can be erased. Main has none. */
export interface BranchStateEntry {
  readonly name: Reference | undefined;
  readonly status: "open" | "merged" | "deleted";
}

export interface PackEntry {
  readonly writer: ReplicaId;
  readonly keyEpoch: number;
}

export interface DocumentEntry {
  readonly packs: readonly PackId[];
  readonly state: "live" | "retired";
}

export interface ReplicaEntry {
  readonly name: string;
  /** X25519, for sealing later keys to this replica. */
  readonly publicKey: Uint8Array;
  /** Where it counts what it recalls: a document for each year, absent until the first recall. */
  readonly uses?: readonly UsageEntry[] | undefined;
}

export interface UsageEntry {
  /** Of the Gregorian calendar, in UTC. */
  readonly year: number;
  readonly document: DocumentId;
}

/** A named state. Its name, description, reason and area are a record, so that they can be erased. */
export interface CheckpointEntry {
  readonly branch: BranchId;
  readonly heads: readonly ChangeHash[];
  /** The whole branch, or the area that the text names. */
  readonly scope: "full" | "area";
  /** Absent where Cambium made it by itself: its name says why, and when. */
  readonly text?: Reference | undefined;
  readonly cause: CheckpointCause;
  readonly by: ReplicaId;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly schemaVersion: number;
  readonly indexVersion: number;
  /** Of the references that the state holds; see `stateDigest`. */
  readonly digest: Uint8Array;
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
  | "erase";

/** Those that make one without being asked. */
export type AutomaticCause = Exclude<CheckpointCause, "manual">;

export interface SettingEntry {
  readonly value: Encodable;
}

export interface CatalogEntries {
  readonly branches: BranchEntry;
  readonly branchStates: BranchStateEntry;
  readonly packs: PackEntry;
  readonly documents: DocumentEntry;
  readonly replicas: ReplicaEntry;
  readonly clocks: ClockCorrection;
  readonly checkpoints: CheckpointEntry;
  readonly settings: SettingEntry;
}

export type KnownMap = keyof CatalogEntries & CatalogMap;

/** An entry with every value that stands side by side; the first is the one that counts. */
export interface CatalogValue<Entry> {
  readonly value: Entry;
  readonly others: readonly Entry[];
}

export type Catalog = {
  readonly [Map_ in KnownMap]: ReadonlyMap<string, CatalogValue<CatalogEntries[Map_]>>;
} & {
  /** Entries that are not shown, and why. */
  readonly ignored: readonly IgnoredEntry[];
};

export interface IgnoredEntry {
  readonly key: string;
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
];
const MAX_ENTRY_BYTES = 1_048_576;

export function sealEntry<Map_ extends KnownMap>(
  platform: Platform,
  keys: SpaceKeys,
  map: Map_,
  key: string,
  entry: CatalogEntries[Map_],
): Promise<Sealed> {
  return seal(
    platform,
    entryPlace(keys, map, key),
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
  place: SealPlace,
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

/** Lower wins. Retired wins over live, for nothing goes back; deleted wins over merged over open. */
function preference(map: KnownMap, value: unknown): number {
  if (map === "checkpoints") return (value as CheckpointEntry).state === "deleted" ? 0 : 1;
  if (map === "documents") return (value as DocumentEntry).state === "retired" ? 0 : 1;
  if (map === "branchStates")
    return ["deleted", "merged", "open"].indexOf((value as BranchStateEntry).status);
  return 0;
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (item instanceof Uint8Array ? [...item] : item));

const entryPlace = (keys: SpaceKeys, map: CatalogMap, key: string): SealPlace => ({
  space: keys.space,
  key: keys.catalog,
  place: catalogKey(map, key),
});
