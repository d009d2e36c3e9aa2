/**
 * What the catalog of a space says, for another one that is made of it. Devices are named, for what they have written,
 * and have no part in the new space; what was said of keys, access and approvals was of the other space.
 *
 * @module
 */
import {
  bytesEqual,
  bytesToHex,
  type Catalog,
  type CatalogEntries,
  type CheckpointEntry,
  type ErasureEntry,
  type KnownMap,
  type PackId,
  type Platform,
  packHashes,
  type RecordHash,
  type ReplicaId,
} from "@cambium/core";
import type { CatalogWrite } from "../documents/catalog-keeper.js";
import { ORIGIN, type Origin, originValue } from "../keys/inherited-keys.js";
import { noteKey, noteValue } from "../sync/invitation-notes.js";
import type { CopiedDigest } from "./copied-changes.js";
import type { CopiedNames } from "./copied-names.js";

export interface CopyingCatalog {
  readonly names: CopiedNames;
  readonly platform: Platform;
  /** Where the packs of the new space are. */
  readonly documents: ReadonlyMap<PackId, string>;
  /** Whether a branch is in the archive. */
  readonly hasBranch: (branch: string) => boolean;
  /** Of the state of a checkpoint; undefined where that is not here. */
  readonly digestOf: (checkpoint: CheckpointEntry) => CopiedDigest | undefined;
  /** Who makes the new space. */
  readonly replica: ReplicaId;
  readonly origin: Omit<Origin, "replicas">;
}

/** Settings that are of the other space, its devices, or what was asked there, by how their names begin. */
const LEFT_OUT = [
  ...["epoch:", "invitation:", "audit:", "seen:", "erased:", "erasures-refused:"],
  ...["request:", "decision:", "decided:", ORIGIN],
] as const;

/** The device itself may have the new space as well. */
const FORMER = " (former)";
const HASH_BYTES = 32;
const MARK_BYTES = 16;

/** @param catalog - of the other space */
export function copiedEntries(catalog: Catalog, services: CopyingCatalog): readonly CatalogWrite[] {
  const { names, documents, origin, hasBranch } = services;
  const each = <Map_ extends KnownMap>(
    map: Map_,
    copy: (entry: CatalogEntries[Map_], key: string) => CatalogEntries[Map_] | undefined = (entry) =>
      names.value(entry),
  ): readonly CatalogWrite[] =>
    [...catalog[map]].flatMap(([key, { value }]) => {
      const entry = copy(value as CatalogEntries[Map_], key);
      return entry === undefined ? [] : [{ map, key: names.key(key), entry }];
    });
  return [
    ...former(catalog, services), // first: others name devices
    ...each("branches", (entry, key) => (hasBranch(key) ? names.value(entry) : undefined)),
    ...each("branchStates", (entry, key) => (hasBranch(key) ? names.value(entry) : undefined)),
    ...each("packs", (entry, key) =>
      documents.has(key as PackId) ? { ...names.value(entry), keyEpoch: 0 } : undefined,
    ),
    ...[...documents].map(([pack, key]): CatalogWrite => {
      return { map: "documents", key, entry: { packs: [pack], state: "live" } };
    }),
    ...each("clocks"),
    ...each("checkpoints", (entry) =>
      hasBranch(entry.branch) ? copiedCheckpoint(entry, services) : undefined,
    ),
    ...each("erasures", (entry) => copiedErasure(entry, names)),
    ...each("settings", (entry, key) =>
      LEFT_OUT.some((start) => key.startsWith(start)) ? undefined : names.value(entry),
    ),
    { map: "settings", key: ORIGIN, entry: { value: originValue({ ...origin, replicas: names.replicas }) } },
  ];
}

/** Known by name, and removed: nothing is ever sealed for them, and nobody waits for them. */
function former(catalog: Catalog, { names, platform, replica }: CopyingCatalog): readonly CatalogWrite[] {
  const at = platform.now();
  return [...catalog.replicas].flatMap(([id, { value }]): readonly CatalogWrite[] => {
    const key = names.replica(id as ReplicaId);
    const access = platform.random(MARK_BYTES);
    const publicKey = new Uint8Array(HASH_BYTES); // no key agrees with it
    const note = { replica, at, mark: access, revokedAt: at };
    const { uses } = value;
    const name = value.name.endsWith(FORMER) ? value.name : value.name + FORMER;
    return [
      { map: "replicas", key, entry: { name, publicKey, access, ...(uses === undefined ? {} : { uses }) } },
      { map: "settings", key: noteKey(bytesToHex(access)), entry: { value: noteValue(note) } },
    ];
  });
}

/** One that was wrong there is wrong here. */
function copiedCheckpoint(entry: CheckpointEntry, { names, digestOf }: CopyingCatalog): CheckpointEntry {
  const found = digestOf(entry);
  const isRight = found !== undefined && bytesEqual(found.from, entry.digest);
  return { ...names.value(entry), ...(isRight ? { digest: found.to } : {}) };
}

/** Memories and contents are called what they were. That packs were sealed anew is over. */
function copiedErasure(entry: ErasureEntry, names: CopiedNames): ErasureEntry | undefined {
  if (entry.cause === "rekey") return undefined;
  const { records } = entry;
  if (records === undefined) return names.value(entry);
  const hashes = Array.from({ length: Math.floor(records.length / HASH_BYTES) }, (_, at) =>
    names.text(bytesToHex(records.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)) as RecordHash),
  );
  return { ...names.value(entry), records: packHashes(hashes) };
}
