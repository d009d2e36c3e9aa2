/**
 * Which keys documents ever named, as a retirement asks for them. They are read before the transaction, in turns that
 * leave others room, and inside it only as far as the documents have grown since.
 *
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { changeKeys } from "@cambium/core";
import { LOG_KINDS } from "@cambium/core/wire";
import type { DatabaseSync, StatementSync } from "../platform/sqlite.js";
import type { DocumentRow } from "./held-documents.js";
import { toHex } from "./held-documents.js";
import { Refused } from "./open-batch.js";
import type { LogBatch } from "./space-log.js";
import type { SqliteRows } from "./sqlite-rows.js";
import { NOT_LOADED, type SqliteSegments, type StoredBytes } from "./sqlite-segments.js";

/** A retirement names at most 65 documents; this is for two of them, and for a client that asks again. */
const MAX_DOCUMENTS = 130;
/** Read at once, for all that is stored in one commit. Packs have some hundred each. */
const MAX_CHANGES = 65_536;
/** Read inside the transaction: no batch brings as many. */
const MAX_NEW_CHANGES = 8_192;
/** Read in one turn: a millisecond or two. */
const PAGE_CHANGES = 128;

interface Known {
  upTo: number;
  /** Of the entry at `upTo`: another one there means another document under the same number. */
  mark: Uint8Array | undefined;
  readonly keys: Set<string>;
}

interface ChangeRow extends StoredBytes {
  readonly mark: Uint8Array;
}

export class SqliteKeys {
  readonly #rows: SqliteRows;
  readonly #segments: SqliteSegments;
  readonly #spaceNo: StatementSync;
  readonly #mark: StatementSync;
  readonly #changes: StatementSync;
  /** By the numbers of documents, those used last behind. Committed changes only. */
  readonly #known = new Map<number, Known>();

  constructor(database: DatabaseSync, rows: SqliteRows, segments: SqliteSegments) {
    this.#rows = rows;
    this.#segments = segments;
    this.#spaceNo = database.prepare("SELECT space_no FROM log_spaces WHERE space = ?");
    this.#mark = database.prepare("SELECT mark FROM log_entries WHERE document_no = ? AND position = ?");
    this.#changes = database.prepare(
      `SELECT e.space_no, e.position, e.hash, e.mark, e.bytes_no, b.bytes
       FROM log_entries e LEFT JOIN log_bytes b USING (bytes_no)
       WHERE e.document_no = ? AND e.position > ? AND e.kind = ${LOG_KINDS.change}
       ORDER BY e.position LIMIT ?`,
    );
  }

  /** Reads what the retirements of these batches ask for. */
  async read(batches: readonly LogBatch[]): Promise<void> {
    let left = MAX_CHANGES;
    for (const { space, items } of batches) {
      const spaceNo = this.#spaceNo.get(space)?.space_no as number | undefined;
      for (const item of items) {
        if (item.kind !== "retire" || spaceNo === undefined) continue;
        for (const document of [item.document, ...item.carriedIn]) {
          const row = this.#rows.row(spaceNo, document);
          if (row?.retired_at === null) left -= await this.#inTurns(row, left);
        }
      }
    }
  }

  /** @throws {Refused} when there are more than may be read now */
  of(row: DocumentRow): Iterable<string> {
    const { upTo, keys } = this.#of(row);
    const rows = this.#after(row, upTo, MAX_NEW_CHANGES);
    // Not remembered: the batch may yet be refused.
    if (rows.length === MAX_NEW_CHANGES) throw tooMany(row);
    const found = new Set(keys);
    for (const change of rows) {
      const some = this.#keysIn(change);
      if (some === NOT_LOADED)
        throw new Refused({ code: "BUSY", message: "The log is being packed; send it again." });
      for (const key of some) found.add(key);
    }
    return found;
  }

  /** @returns how many changes were read */
  async #inTurns(row: DocumentRow, most: number): Promise<number> {
    const known = this.#of(row);
    let count = 0;
    for (;;) {
      const rows = this.#after(row, known.upTo, Math.min(PAGE_CHANGES, most - count));
      if (rows.length === 0) return count;
      for (const row of rows) {
        let keys = this.#keysIn(row);
        if (keys === NOT_LOADED) await this.#segments.load(row);
        if (keys === NOT_LOADED) keys = this.#keysIn(row);
        if (keys === NOT_LOADED) return count; // it was packed again meanwhile
        for (const key of keys) known.keys.add(key);
        Object.assign(known, { upTo: row.position, mark: row.mark });
        count += 1;
      }
      await nextTurn();
    }
  }

  #keysIn(row: ChangeRow): Iterable<string> | typeof NOT_LOADED {
    const bytes = this.#segments.bytesOf(row);
    if (bytes === NOT_LOADED) return bytes;
    return bytes === undefined ? [] : changeKeys(bytes);
  }

  #after({ document_no }: DocumentRow, position: number, most: number): readonly ChangeRow[] {
    return this.#changes.all(document_no, position, most) as unknown as readonly ChangeRow[];
  }

  #of({ document_no: no }: DocumentRow): Known {
    const found = this.#known.get(no);
    const mark = found && (this.#mark.get(no, found.upTo)?.mark as Uint8Array | undefined);
    const isSame = found?.mark !== undefined && mark !== undefined && Buffer.compare(found.mark, mark) === 0;
    const known = isSame ? found : { upTo: 0, mark: undefined, keys: new Set<string>() };
    this.#known.delete(no);
    this.#known.set(no, known);
    if (this.#known.size > MAX_DOCUMENTS) this.#known.delete(this.#known.keys().next().value as number);
    return known;
  }
}

function tooMany({ document }: DocumentRow): Refused {
  const message = "The retirement names documents with too many changes; carry the records in fewer.";
  return new Refused({ code: "TOO_WIDE", document: toHex(document), message });
}
