/**
 * The logs of spaces in SQLite.
 *
 * @module
 */
import type { ChunkTools } from "@cambium/core";
import { LOG_START, type LogPoint } from "@cambium/core/wire";
import type { DatabaseSync, StatementSync } from "../platform/sqlite.js";
import {
  bytesToHashes,
  type DocumentRow,
  type DocumentRows,
  fromHex,
  lackedWith,
  partsOf,
  toHex,
} from "./held-documents.js";
import { StoppedLines } from "./open-batch.js";
import { Packer } from "./segments/packer.js";
import type { SegmentSizes } from "./segments/plan.js";
import type {
  BatchOutcome,
  ChangesQuery,
  DocumentChange,
  DocumentState,
  LogBatch,
  LogEntry,
  LogRange,
  SpaceLog,
  StoredSegment,
} from "./space-log.js";
import { SqliteAppend } from "./sqlite-append.js";
import { SqliteKeys } from "./sqlite-keys.js";
import { SqliteRows } from "./sqlite-rows.js";
import { NOT_LOADED, SqliteSegments, type StoredBytes } from "./sqlite-segments.js";
import { SPACE_LOG_SCHEMA } from "./sqlite-space-schema.js";
import { type Durability, durableAtOnce } from "./wal-sync.js";

/** Positions of a document that are read at once. */
const PAGE = 256;

/** The logs, and what packs them. */
export type SqliteSpaceLog = SpaceLog &
  Required<Pick<SpaceLog, "segmentAfter">> & {
    readonly packer: Packer;
    /** Somebody else has deleted rows. */
    forget(): void;
  };

export interface SqliteSpaceLogOptions {
  /** Default: the time. */
  readonly now?: () => number;
  readonly sizes?: SegmentSizes;
  /** Default: commits are durable when they return. */
  readonly durability?: Durability;
}

/** Makes the tables if they are missing. */
export function sqliteSpaceLog(
  database: DatabaseSync,
  sha256: ChunkTools["sha256"],
  { now = Date.now, sizes, durability = durableAtOnce(database) }: SqliteSpaceLogOptions = {},
): SqliteSpaceLog {
  database.exec(SPACE_LOG_SCHEMA);
  const rows = new SqliteRows(database);
  const segments = new SqliteSegments(database, sizes, durability);
  /** What has been read may be told to others. */
  const whenDurable = async <Result>(read: Result | Promise<Result>): Promise<Result> => {
    const result = await read;
    await durability.settled();
    return result;
  };
  const keys = new SqliteKeys(database, rows, segments);
  const writer = new SqliteAppend(database, rows, { keys, sha256 });
  const reader = new SqliteSpaceReader(database, rows, segments);
  const packer = new Packer({
    ...{ now, sizes },
    store: {
      layouts: async (after) => segments.layouts(after),
      layout: async (space) => segments.layout(space),
      read: (range) => reader.read(range),
      replace: (segment) => segments.replace(segment),
      finish: () => segments.finish(),
    },
  });
  return {
    packer,
    append: async (batches, onCommitted) => {
      const erases = batches.some(({ items }) => items.some(({ kind }) => kind === "retire"));
      if (erases) await keys.read(batches);
      const outcomes = rows.remembering(() => appendAll(durability, writer, batches));
      // The side file holds what the bytes have overwritten in the file.
      if (erases) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      // If that fails, it is done when the packer looks at the space.
      if (erases) for (const { space } of batches) packer.erase(space).catch(() => {});
      onCommitted?.(outcomes);
      return await whenDurable(outcomes);
    },
    forget: () => {
      rows.forget();
      writer.forget();
    },
    end: (space) => whenDurable(reader.end(space)),
    pointAt: (space, position) => whenDurable(reader.pointAt(space, position)),
    read: (range) => whenDurable(reader.read(range)),
    segmentAfter: (space, after) => whenDurable(reader.segmentAfter(space, after)),
    documents: (query) => whenDurable(reader.documents(query)),
    describe: (space, documents, mostHeads) => whenDurable(reader.describe(space, documents, mostHeads)),
    async *changes(query) {
      for await (const change of reader.changes(query)) {
        const settled = durability.settled();
        if (settled !== undefined) await settled;
        yield change;
      }
    },
  };
}

function appendAll(
  durability: Durability,
  writer: SqliteAppend,
  batches: readonly LogBatch[],
): readonly BatchOutcome[] {
  const lines = new StoppedLines();
  const all = (): readonly BatchOutcome[] => {
    writer.begin();
    const outcomes = batches.map((batch): BatchOutcome => {
      if (lines.drops(batch)) return { kind: "dropped" };
      const outcome = writer.append(batch);
      lines.note(batch, outcome);
      return outcome;
    });
    writer.end();
    return outcomes;
  };
  try {
    return durability.commit(all);
  } catch (error) {
    writer.forget();
    throw error;
  }
}

interface StateRow {
  readonly document: Uint8Array;
  readonly heads: Uint8Array;
  readonly position: number;
}

interface EntryRow extends StoredBytes {
  readonly kind: number;
  readonly mark: Uint8Array;
  readonly document: Uint8Array;
}

class SqliteSpaceReader {
  readonly #rows: SqliteRows;
  readonly #segments: SqliteSegments;
  readonly #space: StatementSync;
  readonly #mark: StatementSync;
  readonly #read: StatementSync;
  readonly #documents: StatementSync;
  readonly #describe: StatementSync;
  readonly #change: StatementSync;
  readonly #page: StatementSync;

  constructor(database: DatabaseSync, rows: SqliteRows, segments: SqliteSegments) {
    this.#rows = rows;
    this.#segments = segments;
    const prepare = (sql: string): StatementSync => database.prepare(sql);
    this.#space = prepare("SELECT space_no, position, mark FROM log_spaces WHERE space = ?");
    this.#mark = prepare("SELECT mark FROM log_entries WHERE space_no = ? AND position = ?");
    this.#read = prepare(
      `SELECT e.space_no, e.position, e.kind, e.hash, e.mark, e.bytes_no, d.document, b.bytes
       FROM log_entries e JOIN log_documents d USING (document_no) LEFT JOIN log_bytes b USING (bytes_no)
       WHERE e.space_no = ? AND e.position > ? ORDER BY e.position`,
    );
    this.#documents = prepare(
      `SELECT document, heads, position FROM log_documents
       WHERE space_no = ? AND position > ? AND retired_at IS NULL ORDER BY position LIMIT ?`,
    );
    this.#describe = prepare(
      `SELECT document, heads, position FROM log_documents
       WHERE space_no = ? AND document = ? AND retired_at IS NULL`,
    );
    this.#page = prepare(
      `SELECT position FROM log_entries
       WHERE document_no = ? AND position > ? AND position <= ? AND actor_no IS NOT NULL ORDER BY position LIMIT ${PAGE}`,
    );
    this.#change = prepare(
      `SELECT e.space_no, e.position, e.hash, e.bytes_no, b.bytes
       FROM log_entries e LEFT JOIN log_bytes b USING (bytes_no)
       WHERE e.space_no = ? AND e.position = ?`,
    );
  }

  end(space: string): LogPoint {
    const row = this.#space.get(space) as { position: number; mark: Uint8Array } | undefined;
    return row === undefined ? LOG_START : { position: row.position, mark: row.mark };
  }

  pointAt(space: string, position: number): LogPoint | undefined {
    if (position === 0) return LOG_START;
    const spaceNo = this.#noOf(space);
    const row = spaceNo === undefined ? undefined : this.#mark.get(spaceNo, position);
    return row === undefined ? undefined : { position, mark: row.mark as Uint8Array };
  }

  async read(range: LogRange): Promise<readonly LogEntry[]> {
    const entries: LogEntry[] = [];
    for (;;) {
      const unread = this.#readLoaded(range, entries);
      if (unread === undefined) return entries;
      await this.#segments.load(unread);
    }
  }

  /** @returns the entry whose segment has to be loaded before it can go on */
  #readLoaded(
    { space, after, maxBytes, untilSegment }: LogRange,
    entries: LogEntry[],
  ): StoredBytes | undefined {
    const spaceNo = this.#noOf(space);
    if (spaceNo === undefined) return undefined;
    let bytesRead = entries.reduce((sum, { bytes, hash }) => sum + (bytes?.length ?? 0) + hash.length / 2, 0);
    const rows = this.#read.iterate(spaceNo, entries.at(-1)?.position ?? after);
    for (const row of rows as Iterable<unknown> as Iterable<EntryRow>) {
      const { position, kind, mark } = row;
      if (untilSegment && entries.length > 0 && this.#segments.beginsAt(row)) return undefined;
      const bytes = this.#segments.bytesOf(row);
      if (bytes === NOT_LOADED) return row;
      entries.push({ position, kind, document: toHex(row.document), hash: toHex(row.hash), bytes, mark });
      bytesRead += (bytes?.length ?? 0) + row.hash.length;
      if (bytesRead >= maxBytes) return undefined;
    }
    return undefined;
  }

  async segmentAfter(space: string, after: number): Promise<StoredSegment | undefined> {
    const spaceNo = this.#noOf(space);
    const segment = spaceNo === undefined ? undefined : await this.#segments.at(spaceNo, after);
    const upTo = segment && this.pointAt(space, segment.upTo);
    return segment && upTo && { ...segment, upTo };
  }

  async #changeAt(spaceNo: number, position: number): Promise<DocumentChange | undefined> {
    for (;;) {
      const row = this.#change.get(spaceNo, position) as StoredBytes | undefined;
      const bytes = row && this.#segments.bytesOf(row);
      if (row === undefined || bytes === undefined) return undefined;
      if (bytes !== NOT_LOADED) return { position, hash: toHex(row.hash), bytes };
      await this.#segments.load(row);
    }
  }

  documents({
    space,
    after,
    limit,
    mostHeads,
  }: Parameters<SpaceLog["documents"]>[0]): readonly DocumentState[] {
    const spaceNo = this.#noOf(space);
    if (spaceNo === undefined) return [];
    return statesOf(this.#documents.iterate(spaceNo, after, limit) as Iterable<unknown>, mostHeads);
  }

  describe(space: string, documents: readonly string[], mostHeads?: number): readonly DocumentState[] {
    const spaceNo = this.#noOf(space);
    if (spaceNo === undefined) return [];
    return statesOf(this.#described(spaceNo, documents), mostHeads);
  }

  *#described(spaceNo: number, documents: readonly string[]): Generator<unknown> {
    for (const document of documents) {
      const row = this.#describe.get(spaceNo, fromHex(document));
      if (row !== undefined) yield row;
    }
  }

  async *changes({ space, document, after = 0, without = [] }: ChangesQuery): AsyncGenerator<DocumentChange> {
    const spaceNo = this.#noOf(space);
    const row = spaceNo === undefined ? undefined : this.#rows.row(spaceNo, document);
    if (spaceNo === undefined || row === undefined || row.retired_at !== null) return;
    const rows = this.#rows.of(spaceNo);
    const { positions, unseenTo } = lackedWith(rows, row, without);
    const above = positions.filter((position) => position > after).reverse();
    for (const position of chained(this.#positions(rows, row, after, unseenTo), above)) {
      const change = await this.#changeAt(spaceNo, position);
      if (change !== undefined) yield change;
    }
  }

  /** Read as they are asked for: a document may be long. */
  *#positions(rows: DocumentRows, row: DocumentRow, after: number, upTo: number): Generator<number> {
    for (const part of partsOf(rows, row)) {
      const last = Math.min(part.upTo, upTo);
      for (let from = after; from < last; ) {
        const page = this.#page.all(part.documentNo, from, last) as { position: number }[];
        for (const { position } of page) if (!part.without.has(position)) yield position;
        from = page.length < PAGE ? last : (page.at(-1)?.position ?? last);
      }
    }
  }

  #noOf(space: string): number | undefined {
    return this.#space.get(space)?.space_no as number | undefined;
  }
}

function* chained<Item>(...parts: readonly Iterable<Item>[]): Generator<Item> {
  for (const part of parts) yield* part;
}

/** Reads no further than to the one that exceeds it. */
function statesOf(rows: Iterable<unknown>, mostHeads = Number.POSITIVE_INFINITY): readonly DocumentState[] {
  const states: DocumentState[] = [];
  let heads = 0;
  for (const row of rows) {
    const state = rowToState(row as StateRow);
    states.push(state);
    heads += state.heads.length;
    if (heads > mostHeads) break;
  }
  return states;
}

const rowToState = ({ document, heads, position }: StateRow): DocumentState => ({
  document: toHex(document),
  heads: bytesToHashes(heads),
  position,
});
