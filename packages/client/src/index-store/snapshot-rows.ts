/**
 * Writing the rows of forms: what one has in common with the form that it was written on is not kept twice.
 *
 * @module
 */
import {
  bytesFromHex,
  type MemoryId,
  type MemoryRecord,
  ORDINARY_IMPORTANCE,
  type PartHash,
  type RecordHash,
} from "@cambium/core";
import { type PlaceInSource, placeInSource } from "../search/place-in-source.js";
import type { Authors } from "./authors.js";
import { graphEndsOf } from "./graph-words.js";
import type { IndexDatabase } from "./index-database.js";
import type { MemoryNumbers } from "./memory-numbers.js";
import { metaHash, partColumns } from "./part-columns.js";
import { hasHash } from "./schema.js";
import { METADATA_OF_H, type SharedMetadata } from "./shared-metadata.js";
import { LISTINGS, type Listing, type Metadata, plainText, type SnapshotId } from "./snapshot-columns.js";
import { metadataSum, textSum } from "./snapshot-sums.js";
import { deltaOf, storedText, type TextDelta } from "./snapshot-text.js";
import type { ValueNumbers } from "./value-numbers.js";

/** What rows name by numbers. */
export interface NumberedValues {
  readonly memories: MemoryNumbers;
  readonly authors: Authors;
  /** Of types, and of the fields that records decide. */
  readonly labels: ValueNumbers;
  readonly packs: ValueNumbers;
  readonly sessions: ValueNumbers;
  readonly shared: SharedMetadata;
  /** The text of a form that has a row. */
  readonly contentOf: (snapshot: SnapshotId) => string;
}

export interface NewSnapshot {
  readonly memory: MemoryId;
  readonly metadata: Metadata;
  readonly content: string;
  /** The record it was written on. */
  readonly parent: RecordHash | undefined;
  readonly record?: MemoryRecord;
}

interface Relation {
  /** Undefined when it is not here. */
  readonly parent?: SnapshotId;
  readonly hops: number;
  readonly delta?: TextDelta;
  /** The form that holds what stands beside the text, and the hash of the part it came in. */
  readonly holder?: SnapshotId;
  readonly meta?: PartHash | undefined;
}

/** A text is put together from at most so many rows and the base. */
const MAX_HOPS = 8;

export class SnapshotRows {
  readonly #index: IndexDatabase;
  readonly #values: NumberedValues;

  constructor(index: IndexDatabase, values: NumberedValues) {
    this.#index = index;
    this.#values = values;
  }

  insert(snapshot: NewSnapshot, listing: Listing): SnapshotId {
    const { memory, metadata, record } = snapshot;
    const place = placeInSource({
      ...metadata,
      source: metadata.source,
      conversation: metadata.by.conversation,
    });
    const number = this.#values.memories.numberOf(memory);
    for (const end of graphEndsOf(metadata.source, metadata.kind)) {
      this.#index
        .prepare("INSERT OR IGNORE INTO graph_ends VALUES (?, ?, ?)")
        .run(end.name, end.role, number);
    }
    const { lastInsertRowid } = this.#index
      .prepare(INSERT_SNAPSHOT)
      .run(
        number,
        LISTINGS.indexOf(listing),
        record === undefined ? null : bytesFromHex(record.hash),
        record === undefined ? null : this.#values.packs.numberOf(record.pack),
        record === undefined ? null : this.#values.labels.numberOf(record.decides.join()),
        this.#values.authors.numberOf(metadata.by),
        this.#values.labels.numberOf(metadata.type),
        metadata.at,
        place === undefined ? null : this.#values.sessions.numberOf(sessionKey(place)),
        place?.place ?? null,
        ...this.#relatedColumns(snapshot, LAST_ID),
      );
    if ((metadata.importance ?? 0) > ORDINARY_IMPORTANCE)
      this.#index
        .prepare("INSERT INTO important VALUES (?, ?)")
        .run(metadata.importance ?? 0, lastInsertRowid);
    return Number(lastInsertRowid);
  }

  /** What depends on the form it was written on, in the order of the statements. @param before - that one is older than this */
  #relatedColumns(snapshot: NewSnapshot, before: SnapshotId): readonly ColumnValue[] {
    const { memory, metadata, content, record } = snapshot;
    const about = plainText(metadata);
    const { parent, delta, holder, hops, meta } = this.#relationOf(snapshot, about, before);
    const isOnlyParent = parent !== undefined && record?.parents.length === 1;
    const parts = record && partColumns(record, meta, this.#values.packs);
    return [
      parent ?? null,
      record === undefined || isOnlyParent ? null : bytesFromHex(record.parents.join("")),
      parts?.parts ?? null,
      parts?.contentPack ?? null,
      parts?.metaPack ?? null,
      holder === undefined ? this.#values.shared.columnOf(about) : null,
      holder ?? null,
      hops,
      metadataSum({
        ...{ memory, record: record?.hash ?? "", author: JSON.stringify(metadata.by) },
        ...{ type: metadata.type, at: metadata.at, metadata: about },
      }),
      textSum(content),
      delta?.prefix ?? null,
      delta?.suffix ?? null,
      storedText(delta?.middle ?? content),
    ];
  }

  /** Writes the row anew. What hangs on the fields beside the text stays as it is. */
  update(id: SnapshotId, snapshot: NewSnapshot): void {
    this.#index.prepare(UPDATE_SNAPSHOT).run(...this.#relatedColumns(snapshot, id), id);
  }

  /** What a new form has in common with the one it was written on. */
  #relationOf(
    { parent: written, content, record }: NewSnapshot,
    about: string,
    before: SnapshotId,
  ): Relation {
    const hash = written && bytesFromHex(written);
    const row = hash && this.#index.prepare(SELECT_PARENT).get(hash, hash, before);
    if (row === undefined) return { hops: 0 };
    const [parent, hops, holder, held, parts] = row as unknown as ParentRow;
    const delta = hops >= MAX_HOPS ? undefined : deltaOf(this.#values.contentOf(parent), content);
    const meta = metaHash(parts);
    // Records of one part may still have other sources: a source can be in the header.
    const isHeld = held === about && (record === undefined || meta === record.parts.meta.hash);
    return {
      parent,
      ...(delta === undefined ? { hops: 0 } : { delta, hops: hops + 1 }),
      ...(isHeld ? { holder, meta } : {}),
    };
  }
}

type ColumnValue = string | number | Uint8Array | null;

type ParentRow = [id: SnapshotId, hops: number, holder: SnapshotId, held: string, parts: Uint8Array];

const SELECT_PARENT = `SELECT f.id, f.hops, h.id, ${METADATA_OF_H}, h.parts
  FROM forms f CROSS JOIN forms h ON h.id = ifnull(f.about_of, f.id)
  WHERE ${hasHash("f.hash")} AND f.id < ?`;
const RELATED_COLUMNS = [
  ...["parent", "parents", "parts", "content_pack", "meta_pack", "about", "about_of", "hops"],
  ...["about_sum", "text_sum", "prefix", "suffix", "text"],
];
const INSERT_SNAPSHOT = `INSERT INTO forms
  (memory, listed, hash, pack, decides, author, type, at, session, place, ${RELATED_COLUMNS.join(", ")})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${RELATED_COLUMNS.map(() => "?").join(", ")})`;
const UPDATE_SNAPSHOT = `UPDATE forms SET ${RELATED_COLUMNS.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`;
/** A new form comes after all others. */
const LAST_ID = Number.MAX_SAFE_INTEGER;

/** Names one session of one source. */
export const sessionKey = ({ group, session }: PlaceInSource): string => JSON.stringify([group, session]);
