/**
 * What stands beside the texts of forms, read from their rows and kept in memory.
 *
 * @module
 */
import type { Memory, RecordHash } from "@cambium/core";
import type { Authors } from "./authors.js";
import { GenerationCache } from "./generation-cache.js";
import type { IndexDatabase } from "./index-database.js";
import { type IdColumn, idFromColumn } from "./memory-numbers.js";
import { METADATA_OF_H } from "./shared-metadata.js";
import { type Metadata, type Plain, plainFromText, type SnapshotId } from "./snapshot-columns.js";
import { metadataSum } from "./snapshot-sums.js";
import type { ValueNumbers } from "./value-numbers.js";

/** What a form shows but its text. */
export type ShownMetadata = Pick<Memory, "id"> & Metadata;

export interface SnapshotMetadata {
  /** Empty for merged forms: they name their record themselves. */
  readonly record: RecordHash | "";
  /** The form whose row says most of it, the same for most versions of a memory. */
  readonly holder: SnapshotId;
  readonly metadata: ShownMetadata;
}

/** Each takes half a kilobyte. Half of it is enough for two versions of 10,000 memories, three times over. */
const MAX_SNAPSHOTS = 131_072;

export class SnapshotMetadataReader {
  readonly #index: IndexDatabase;
  readonly #authors: Authors;
  readonly #labels: ValueNumbers;
  readonly #cache = new GenerationCache<SnapshotId, SnapshotMetadata>(MAX_SNAPSHOTS);
  /** By holder. Versions that share what they say of themselves are told apart faster. */
  readonly #plains = new GenerationCache<SnapshotId, Plain>(MAX_SNAPSHOTS);

  /** @param labels - of types */
  constructor(index: IndexDatabase, authors: Authors, labels: ValueNumbers) {
    this.#index = index;
    this.#authors = authors;
    this.#labels = labels;
  }

  /** Of many, in their order: reading them at once costs a third of reading them alone. */
  all(snapshots: readonly SnapshotId[]): readonly SnapshotMetadata[] {
    const known = snapshots.map((snapshot) => this.#cache.get(snapshot));
    const missing = snapshots.filter((_, place) => known[place] === undefined);
    if (missing.length === 0) return known as readonly SnapshotMetadata[];
    const rows = this.#index
      .prepare(`${SELECT_METADATA} WHERE f.id IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(missing)) as unknown as MetadataRow[];
    const read = new Map(rows.map((row) => [row[0], this.#take(row)]));
    return snapshots.map((snapshot, place) => known[place] ?? read.get(snapshot) ?? this.#missing());
  }

  of(snapshot: SnapshotId): SnapshotMetadata {
    const known = this.#cache.get(snapshot);
    if (known !== undefined) return known;
    const row = this.#index.prepare(`${SELECT_METADATA} WHERE f.id = ?`).get(snapshot);
    return row === undefined ? this.#missing() : this.#take(row as unknown as MetadataRow);
  }

  #missing(): never {
    throw this.#index.damage();
  }

  forget(snapshot: SnapshotId): void {
    this.#cache.delete(snapshot);
    this.#plains.delete(snapshot);
  }

  clear(): void {
    this.#cache.clear();
    this.#plains.clear();
  }

  #take([snapshot, column, record, author, label, at, holder, text, sum]: MetadataRow): SnapshotMetadata {
    const id = idFromColumn(column);
    const type = this.#labels.valueOf(label) as Memory["type"];
    if (text === null) throw this.#index.damage();
    const stated = { memory: id, record, author: this.#authors.textOf(author), type, at, metadata: text };
    if (metadataSum(stated) !== sum) throw this.#index.damage();
    const by = this.#authors.authorOf(author);
    const kept = { record, holder, metadata: { id, ...this.#plainOf(holder, text), by, type, at } };
    this.#cache.set(snapshot, kept);
    return kept;
  }

  #plainOf(holder: SnapshotId, text: string): Plain {
    const known = this.#plains.get(holder);
    if (known !== undefined) return known;
    const plain = plainFromText(text);
    this.#plains.set(holder, plain);
    return plain;
  }
}

type MetadataRow = [
  snapshot: SnapshotId,
  id: IdColumn,
  record: RecordHash | "",
  author: number,
  type: number,
  at: number,
  holder: SnapshotId,
  metadata: string | null,
  sum: number,
];

const SELECT_METADATA = `SELECT f.id, m.uuid, lower(hex(f.hash)), f.author, f.type, f.at, h.id, ${METADATA_OF_H}, f.about_sum
  FROM forms f CROSS JOIN memories m ON m.id = f.memory CROSS JOIN forms h ON h.id = ifnull(f.about_of, f.id)`;
