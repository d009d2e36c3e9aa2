/**
 * Snapshots: each text a memory has had, as it is shown. Most are records; where records merged without
 * anybody having written the result down, the result is a form of its own.
 *
 * @module
 */
import {
  type Author,
  bytesFromHex,
  bytesToHex,
  differingFields,
  EMPTY_SETS,
  type Memory,
  type MemoryFields,
  type MemoryRecord,
  NOTE_NAMES,
  type PackId,
  type RecordHash,
  type SpaceId,
  STATE_FIELDS,
  type StateField,
} from "@cambium/core";
import type { SearchFields } from "../search/text-tables.js";
import { Authors } from "./authors.js";
import type { IndexDatabase } from "./index-database.js";
import type { MemoryNumbers } from "./memory-numbers.js";
import { partsFromColumns } from "./part-columns.js";
import { hasHash } from "./schema.js";
import { SeenHashes } from "./seen-hashes.js";
import { SharedMetadata } from "./shared-metadata.js";
import { hashesIn, type Listing, type SnapshotId } from "./snapshot-columns.js";
import { type ShownMetadata, type SnapshotMetadata, SnapshotMetadataReader } from "./snapshot-metadata.js";
import { type NewSnapshot, SnapshotRows } from "./snapshot-rows.js";
import { SnapshotTexts } from "./snapshot-texts.js";
import { ValueNumbers } from "./value-numbers.js";

/** What a form is found by, and whether it is forgotten. */
export type Searchable = SearchFields & Pick<MemoryFields, "deleted">;

/** A record that has just come. */
export type AddedSnapshot = Searchable & { readonly listed: Listing };

/** What a state shows of a memory. */
export interface ShownSnapshot {
  /** Undefined when no record of it is readable. */
  readonly snapshot: SnapshotId | undefined;
  readonly version: number;
  readonly versions: number;
}

const NOTES: ReadonlySet<string> = new Set(NOTE_NAMES);
const FIELDS: ReadonlySet<string> = new Set(STATE_FIELDS);

/** A record that the index keeps. */
export interface KeptRecord {
  readonly record: MemoryRecord;
  readonly snapshot: SnapshotId;
}

export class SnapshotStore {
  readonly #space: SpaceId;
  readonly #index: IndexDatabase;
  readonly #authors: Authors;
  /** Of types, and of the fields that records decide. */
  readonly #labels: ValueNumbers;
  readonly #packs: ValueNumbers;
  readonly #sessions: ValueNumbers;
  readonly #shared: SharedMetadata;
  readonly #metadata: SnapshotMetadataReader;
  readonly #texts: SnapshotTexts;
  readonly #rows: SnapshotRows;
  #added = new Map<SnapshotId, AddedSnapshot>();
  #predict: ((record: RecordHash) => Listing) | undefined;
  #seen: SeenHashes | undefined;

  constructor(space: SpaceId, index: IndexDatabase, memories: MemoryNumbers) {
    this.#space = space;
    this.#index = index;
    this.#authors = new Authors(index);
    this.#labels = new ValueNumbers(index, "labels");
    this.#packs = new ValueNumbers(index, "packs");
    this.#sessions = new ValueNumbers(index, "sessions");
    this.#shared = new SharedMetadata(new ValueNumbers(index, "abouts"));
    this.#metadata = new SnapshotMetadataReader(index, this.#authors, this.#labels);
    this.#texts = new SnapshotTexts(index);
    this.#rows = new SnapshotRows(index, {
      ...{ memories, authors: this.#authors, labels: this.#labels, packs: this.#packs },
      ...{ sessions: this.#sessions, shared: this.#shared, contentOf: (snapshot) => this.content(snapshot) },
    });
  }

  idOf(record: RecordHash): SnapshotId | undefined {
    if (this.#seen?.maybeHas(record) === false) return undefined;
    const bytes = bytesFromHex(record);
    const row = this.#index.prepare(`SELECT id FROM forms ${WHERE_HASH}`).get(bytes, bytes);
    return row === undefined ? undefined : Number((row as unknown as [number])[0]);
  }

  /** The number of a record that was read from this pack. */
  idIn(record: RecordHash, pack: PackId): SnapshotId | undefined {
    if (this.#seen?.maybeHas(record) === false) return undefined;
    const bytes = bytesFromHex(record);
    const row = this.#index.prepare(`SELECT id, pack FROM forms ${WHERE_HASH}`).get(bytes, bytes);
    if (row === undefined) return undefined;
    const [id, number] = row as unknown as [SnapshotId, number];
    return this.#packs.valueOf(number) === pack ? id : undefined;
  }

  /** Keeps a record, unless it is here. */
  addRecord(record: MemoryRecord): SnapshotId {
    const known = this.idOf(record.hash);
    if (known !== undefined) return known;
    const snapshot = this.#rows.insert(newSnapshot(record), this.#listingOf(record));
    this.#seen?.note(record.hash);
    this.#added.set(snapshot, { ...record.fields, ...record.notes, listed: this.#listingOf(record) });
    return snapshot;
  }

  /**
   * Nothing is here yet, and much is to come. Until `endRebuild`, records are entered as being on the list that is
   * passed on here; the caller puts them there.
   */
  beginRebuild(predict: (record: RecordHash) => Listing): void {
    this.#predict = predict;
    this.#seen = new SeenHashes();
    this.#texts.beginRebuild();
  }

  endRebuild(): void {
    this.#predict = undefined;
    this.#seen = undefined;
    this.#texts.endRebuild();
  }

  #listingOf({ hash }: MemoryRecord): Listing {
    return this.#predict?.(hash) ?? "nowhere";
  }

  /** Records that came since the last call, as they will be found: they are at hand now, and would have to be read. */
  takeAdded(): ReadonlyMap<SnapshotId, AddedSnapshot> {
    const added = this.#added;
    this.#added = new Map();
    return added;
  }

  /** The record that a memory shows, where that says all of it. */
  recordWithContent(shown: Memory): SnapshotId | undefined {
    if (shown.conflicts.length > 0 || shown.incomplete !== undefined) return undefined;
    const record = this.idOf(shown.record);
    if (record === undefined) return undefined;
    const alone = this.memory(record, shown.version, shown.versions);
    return differingFields(alone, shown).length === 0 ? record : undefined;
  }

  /** Keeps what several records say together. */
  addMerged(memory: Memory): SnapshotId {
    const { id, content, ...metadata } = memory;
    return this.#rows.insert({ memory: id, metadata, content, parent: memory.record }, "nowhere");
  }

  /** Removes a merged form that no state shows any more. */
  removeMerged(snapshot: SnapshotId): void {
    const { importance = 0 } = this.metadata(snapshot);
    this.#index.prepare("DELETE FROM important WHERE importance = ? AND form = ?").run(importance, snapshot);
    this.#metadata.forget(snapshot);
    this.#texts.forget(snapshot);
    this.#index.prepare("DELETE FROM forms WHERE id = ? AND hash IS NULL").run(snapshot);
    this.#index.prepare("DELETE FROM text_keys WHERE form = ?").run(snapshot);
  }

  /** The record itself, as its pack has it. */
  record(hash: RecordHash): KeptRecord | undefined {
    const bytes = bytesFromHex(hash);
    const row = this.#index.prepare(`${SELECT_RECORD} ${WHERE_HASH}`).get(bytes, bytes) as unknown as
      | RecordRow
      | undefined;
    if (row === undefined) return undefined;
    const [id, packNumber, parent, parents, parts, contentPack, metaPack, decided] = row;
    const decides = this.#labels.valueOf(decided);
    const pack = this.#packs.valueOf(packNumber) as PackId;
    const { metadata, holder } = this.#metadata.of(id);
    const { id: memory, type, at, by, ...rest } = metadata;
    const { deleted, erased, ...others } = rest;
    const notes = Object.fromEntries(Object.entries(others).filter(([name]) => NOTES.has(name)));
    const fields = Object.fromEntries(Object.entries(others).filter(([name]) => FIELDS.has(name)));
    const record: MemoryRecord = {
      ...{ hash, space: this.#space, pack, memory, type, at, author: by },
      parents: parents === null ? this.#recordsOf(parent) : hashesIn(parents),
      decides: (decides === "" ? [] : decides.split(",")) as readonly StateField[],
      fields: { ...EMPTY_SETS, ...fields, content: this.content(id), deleted }, // the order in which one is opened
      notes,
      parts: partsFromColumns(
        { parts, contentPack, metaPack },
        { pack, packs: this.#packs, heldParts: () => this.#partsOf(holder) },
      ),
      ...(erased && { erased }),
    };
    return { record, snapshot: id };
  }

  #recordsOf(parent: SnapshotId | null): readonly RecordHash[] {
    const record = parent === null ? "" : this.#metadata.of(parent).record;
    return record === "" ? [] : [record];
  }

  #partsOf(snapshot: SnapshotId): Uint8Array {
    const row = this.#index.prepare("SELECT parts FROM forms WHERE id = ?").get(snapshot);
    return (row as unknown as [Uint8Array])[0];
  }

  /** The memory as this form shows it. */
  memory(snapshot: SnapshotId, version: number, versions: number): Memory {
    return shownAs(this.#metadata.of(snapshot), this.#texts.of(snapshot), version, versions);
  }

  /** Many memories as forms show them, in their order. */
  memories(shown: readonly (ShownSnapshot | undefined)[]): readonly (Memory | undefined)[] {
    const snapshots: SnapshotId[] = [];
    for (const one of shown) if (one?.snapshot !== undefined) snapshots.push(one.snapshot);
    const [metadataOf, texts] = [this.#metadata.all(snapshots), this.#texts.all(snapshots)];
    let place = 0;
    return shown.map((one) => {
      if (one?.snapshot === undefined) return undefined;
      const [metadata, text] = [metadataOf[place] as SnapshotMetadata, texts[place] as string];
      place += 1;
      return shownAs(metadata, text, one.version, one.versions);
    });
  }

  /** What a form shows, without its text. */
  metadata(snapshot: SnapshotId): ShownMetadata {
    return this.#metadata.of(snapshot).metadata;
  }

  metadataOf(snapshots: readonly SnapshotId[]): readonly ShownMetadata[] {
    return this.#metadata.all(snapshots).map(({ metadata }) => metadata);
  }

  authorOf(number: number): Author {
    return this.#authors.authorOf(number);
  }

  content(snapshot: SnapshotId): string {
    return this.#texts.of(snapshot);
  }

  contents(snapshots: readonly SnapshotId[]): readonly string[] {
    return this.#texts.all(snapshots);
  }

  /**
   * Writes forms of one memory without their texts, and anew what was kept as what differs from one of them.
   *
   * @param all - the forms of the memory, in their order
   * @param pruned - those that lose their text
   * @returns those whose rows are others now
   */
  prune(all: readonly SnapshotId[], pruned: ReadonlySet<SnapshotId>): readonly SnapshotId[] {
    const links = this.#index.prepare(
      "SELECT parent, prefix IS NOT NULL, about_of, hash FROM forms WHERE id = ?",
    );
    // All is read before anything is written: texts are put together from those before them.
    const written = all.flatMap((id): (readonly [SnapshotId, NewSnapshot])[] => {
      const row = links.get(id) as unknown as LinkRow | undefined;
      if (row === undefined) return [];
      const [parent, isDelta, holder, hash] = row;
      const leans = (isDelta === 1 && pruned.has(parent as number)) || pruned.has(holder as number);
      if (!leans && !pruned.has(id)) return [];
      return [[id, hash === null ? this.#mergedOf(id) : this.#recordOf(hash, pruned.has(id))]];
    });
    for (const [id, snapshot] of written) {
      this.#rows.update(id, snapshot);
      this.#metadata.forget(id);
      this.#texts.forget(id);
    }
    return written.map(([id]) => id);
  }

  #recordOf(hash: Uint8Array, isPruned: boolean): NewSnapshot {
    const { record } = this.record(bytesToHex(hash) as RecordHash) as KeptRecord;
    return newSnapshot(
      isPruned ? { ...record, fields: { ...record.fields, content: "" }, erased: "pruned" } : record,
    );
  }

  #mergedOf(snapshot: SnapshotId): NewSnapshot {
    const { id, content, ...metadata } = this.memory(snapshot, 0, 0);
    return { memory: id, metadata, content, parent: metadata.record };
  }

  /** Lets go of everything kept in memory. */
  clear(): void {
    this.endRebuild();
    this.#added.clear();
    this.#authors.clear();
    this.#labels.clear();
    this.#packs.clear();
    this.#sessions.clear();
    this.#shared.clear();
    this.#metadata.clear();
    this.#texts.clear();
  }
}

function newSnapshot(record: MemoryRecord): NewSnapshot {
  const { content, ...fields } = record.fields;
  const { memory, type, at, author: by, erased, notes } = record;
  const metadata = { ...fields, ...notes, type, at, by, ...(erased && { erased }) };
  const [parent] = record.parents;
  return { memory, metadata, content, parent, record };
}

function shownAs(
  { record, metadata }: SnapshotMetadata,
  content: string,
  version: number,
  versions: number,
): Memory {
  if (record === "") return { ...metadata, content } as Memory;
  // An object that begins with another is copied in a third of the time of one that has it in its middle.
  return { ...metadata, content, version, versions, record, conflicts: [] };
}

type RecordRow = [
  id: number,
  pack: number,
  parent: number | null,
  parents: Uint8Array | null,
  parts: Uint8Array,
  contentPack: number | null,
  metaPack: number | null,
  decides: number,
];

type LinkRow = [parent: number | null, isDelta: 0 | 1, holder: number | null, hash: Uint8Array | null];

const SELECT_RECORD = "SELECT id, pack, parent, parents, parts, content_pack, meta_pack, decides FROM forms";
const WHERE_HASH = `WHERE ${hasHash("hash")}`;
