/**
 * The default store: one SQLite file. Each commit is one transaction in write-ahead mode with
 * `synchronous=FULL`, so it costs one fsync. Deleted bytes are overwritten (`secure_delete`).
 *
 * @module
 */
import { chmodSync, closeSync, fstatSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { CambiumError } from "@cambium/core";
import { DatabaseSync, type SQLOutputValue, type StatementSync } from "../platform/sqlite.js";
import type { StorageKey } from "./chunk-storage.js";
import { rowToText, textToRow } from "./document-row.js";
import { guardMedium } from "./guard.js";
import {
  CHUNK_KINDS,
  keyToText,
  type Medium,
  type MediumState,
  type StoredChunk,
  textToKey,
  type WriteOperation,
} from "./medium.js";
import { PlacedFiles } from "./placed-files.js";
import { DROPPED_WITH_EACH, noteToText, REQUEST_KEPT_MS, textToNote } from "./request-note.js";
import { MIGRATIONS, SCHEMA_SQL, SCHEMA_VERSION } from "./sqlite-schema.js";
import type { DamageReason, DocumentRow, QuarantinedChunk, ReplicaStore, RequestNote } from "./store.js";

export interface SqliteStoreOptions {
  /** Made, readable by its owner only, if it does not exist. */
  readonly path: string;
}

/**
 * Opens the store at `path` and holds it exclusively until closed.
 * @throws {CambiumError} REPLICA_LOCKED when it is open elsewhere, STORE_DAMAGED when it is no such database, SCHEMA_TOO_NEW
 */
export const openSqliteStore = async (options: SqliteStoreOptions): Promise<ReplicaStore> =>
  guardMedium(openSqliteMedium(options));

/** The unguarded half of `openSqliteStore`. */
export function openSqliteMedium({ path }: SqliteStoreOptions): Medium {
  let database: DatabaseSync | undefined;
  try {
    makePrivateFile(path);
    database = new DatabaseSync(path);
    prepareDatabase(database, path);
    return new SqliteMedium(database, path);
  } catch (cause) {
    database?.close();
    throw openError(path, cause);
  }
}

class SqliteMedium implements Medium {
  readonly initial: MediumState;
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #damagedRows: readonly string[];
  readonly #files: PlacedFiles;

  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#files = new PlacedFiles([path, `${path}-wal`]);
    this.#statements = prepareStatements(database);
    const { state, damagedRows } = readState(database);
    this.initial = state;
    this.#damagedRows = damagedRows;
  }

  async commit(operations: readonly WriteOperation[]): Promise<void> {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      for (const operation of operations) this.#apply(operation);
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      if (sqliteCode(error) !== SQLITE_CORRUPT) throw error;
      const message = "The store cannot be written to: its file is damaged.";
      throw new CambiumError("STORE_DAMAGED", message, { hint: DAMAGED_HINT, cause: error });
    }
    // The write-ahead log still has the pages as they were before.
    if (operations.some(({ type }) => type === "remove-document")) {
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    }
  }

  async read(key: StorageKey): Promise<StoredChunk | undefined> {
    return this.#readAlone(keyToText(key));
  }

  async readRange(prefix: StorageKey): Promise<readonly StoredChunk[]> {
    try {
      return this.#statements.readRange.all(...rangeOf(prefix)).map(toStoredChunk);
    } catch {
      // A damaged page. The index names the chunks; read each alone, so that only those on that page are lost.
      const chunks = this.#list(prefix).map((key) => this.#readAlone(key));
      return chunks.filter((chunk) => chunk !== undefined);
    }
  }

  async keys(prefix: StorageKey): Promise<readonly StorageKey[]> {
    return this.#list(prefix).map(textToKey);
  }

  request(key: string): RequestNote | undefined {
    const row = this.#statements.request.get(key);
    return row && textToNote({ text: textOf(row.note), sha256: textOf(row.sha256) });
  }

  async inspect(): Promise<readonly string[]> {
    const found = this.#database.prepare("PRAGMA integrity_check").all();
    const problems = found.map((row) => textOf(row.integrity_check)).filter((text) => text !== "ok");
    return [...this.#damagedRows, ...problems.map((problem) => `The database file is damaged: ${problem}.`)];
  }

  displaced(): string | undefined {
    return this.#files.displaced();
  }

  async close(): Promise<void> {
    try {
      this.#giveBackPages();
    } catch {
      // Everything is where it was: only room on the disk is not given back.
    } finally {
      this.#database.close();
    }
  }

  /** What compaction has left behind: many small chunks take more room than the one they become. */
  #giveBackPages(): void {
    const { page_count: pages } = this.#database.prepare("PRAGMA page_count").get() ?? {};
    const { freelist_count: free } = this.#database.prepare("PRAGMA freelist_count").get() ?? {};
    if (Number(free) > Number(pages) * MAX_FREE) this.#database.exec("PRAGMA incremental_vacuum");
  }

  #list(prefix: StorageKey): readonly string[] {
    try {
      return this.#statements.listRange.all(...rangeOf(prefix)).map((row) => textOf(row.key));
    } catch (cause) {
      const message = "The store cannot tell which chunks it holds: its index is damaged.";
      throw new CambiumError("STORE_DAMAGED", message, { hint: DAMAGED_HINT, cause });
    }
  }

  #readAlone(key: string): StoredChunk | undefined {
    try {
      const row = this.#statements.read.get(key);
      return row === undefined ? undefined : toStoredChunk(row);
    } catch {
      return { key: textToKey(key), checksum: NO_CHECKSUM, bytes: undefined, unreadable: "unreadable" };
    }
  }

  #apply(operation: WriteOperation): void {
    const statements = this.#statements;
    switch (operation.type) {
      case "put": {
        const { key, checksum, bytes } = operation;
        const { lastInsertRowid } = statements.putContent.run(bytes);
        statements.put.run(keyToText(key), checksum.sha256, checksum.sizeBytes, lastInsertRowid);
        return;
      }
      case "copy-document":
        for (const kind of CHUNK_KINDS) this.#copyRange([operation.from, kind], [operation.to, kind]);
        return;
      case "remove":
        statements.remove.run(keyToText(operation.key));
        return;
      case "remove-range":
        statements.removeRange.run(...rangeOf(operation.prefix));
        return;
      case "remove-document":
        statements.removeRange.run(...rangeOf([operation.documentId]));
        statements.dropQuarantine.run(...rangeOf([operation.documentId]));
        statements.removeRow.run(operation.documentId);
        return;
      case "row": {
        const { text, sha256 } = rowToText(operation.row);
        statements.putRow.run(operation.row.documentId, text, sha256);
        return;
      }
      case "request": {
        const { key, at } = operation.note;
        const { text, sha256 } = noteToText(operation.note);
        statements.noteRequest.run(key, at, text, sha256);
        statements.dropRequests.run(at - REQUEST_KEPT_MS);
        return;
      }
      case "retire":
        statements.retire.run(operation.documentId);
        return;
      case "quarantine":
        this.#setAside(operation.chunk);
        return;
      case "drop-quarantine":
        statements.dropQuarantine.run(...rangeOf([operation.documentId]));
    }
  }

  #copyRange(from: StorageKey, to: StorageKey): void {
    const rest = keyToText(from).length + 1; // SQL counts from one
    this.#statements.copyRange.run(keyToText(to), rest, ...rangeOf(from));
  }

  #setAside({ key, reason, sizeBytes }: QuarantinedChunk): void {
    const text = keyToText(key);
    if (reason === "unreadable") {
      this.#statements.nameUnreadable.run(text, reason, sizeBytes); // moving it would read the damaged page
    } else {
      this.#statements.setAside.run(reason, sizeBytes, text);
      this.#statements.remove.run(text);
    }
  }
}

type Statements = ReturnType<typeof prepareStatements>;
type SqlRow = Record<string, SQLOutputValue>;

function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    putContent: prepare("INSERT INTO contents (bytes) VALUES (?)"),
    put: prepare(
      `INSERT INTO chunks (key, sha256, size_bytes, content) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE
       SET sha256 = excluded.sha256, size_bytes = excluded.size_bytes, content = excluded.content`,
    ),
    copyRange: prepare(
      `INSERT INTO chunks (key, sha256, size_bytes, content)
       SELECT ? || substr(key, ?), sha256, size_bytes, content FROM chunks WHERE key >= ? AND key < ? ORDER BY id`,
    ),
    remove: prepare("DELETE FROM chunks WHERE key = ?"),
    removeRange: prepare("DELETE FROM chunks WHERE key >= ? AND key < ?"),
    read: prepare(`${SELECT_CHUNK} WHERE key = ?`),
    readRange: prepare(`${SELECT_CHUNK} WHERE key >= ? AND key < ? ORDER BY chunks.id`),
    listRange: prepare("SELECT key FROM chunks WHERE key >= ? AND key < ? ORDER BY id"),
    // In its place: a row that is replaced moves to the end, and every page on its way is written with it.
    putRow: prepare(
      `INSERT INTO documents (document_id, row, sha256) VALUES (?, ?, ?) ON CONFLICT (document_id) DO UPDATE
       SET row = excluded.row, sha256 = excluded.sha256`,
    ),
    removeRow: prepare("DELETE FROM documents WHERE document_id = ?"),
    noteRequest: prepare("INSERT OR REPLACE INTO requests (key, at, note, sha256) VALUES (?, ?, ?, ?)"),
    dropRequests: prepare(
      `DELETE FROM requests WHERE id IN
       (SELECT id FROM (SELECT id, at FROM requests ORDER BY id LIMIT ${DROPPED_WITH_EACH}) WHERE at < ?)`,
    ),
    request: prepare("SELECT note, sha256 FROM requests WHERE key = ?"),
    retire: prepare("INSERT OR IGNORE INTO retired (document_id) VALUES (?)"),
    setAside: prepare(
      `INSERT OR REPLACE INTO quarantine (key, reason, size_bytes, content)
       SELECT key, ?, ?, content FROM chunks WHERE key = ?`,
    ),
    nameUnreadable: prepare("INSERT OR REPLACE INTO quarantine (key, reason, size_bytes) VALUES (?, ?, ?)"),
    dropQuarantine: prepare("DELETE FROM quarantine WHERE key >= ? AND key < ?"),
  };
}

/** A closed store keeps at most this part of its pages unused. */
const MAX_FREE = 1 / 32;

const SELECT_CHUNK =
  "SELECT key, sha256, size_bytes, bytes FROM chunks LEFT JOIN contents ON contents.id = chunks.content";

const NO_CHECKSUM = { sha256: "", sizeBytes: 0 };

const LAST_TEXT = "\u{10ffff}";

/** All texts that begin with the prefix's: its last slash, replaced by the next character, bounds them. */
function rangeOf(prefix: StorageKey): [string, string] {
  const text = keyToText(prefix);
  return text === "" ? ["", LAST_TEXT] : [text, `${text.slice(0, -1)}0`];
}

const textOf = (value: SQLOutputValue | undefined): string => (typeof value === "string" ? value : "");

const toStoredChunk = (row: SqlRow): StoredChunk => ({
  key: textToKey(textOf(row.key)),
  checksum: { sha256: textOf(row.sha256), sizeBytes: Number(row.size_bytes) },
  ...(row.bytes instanceof Uint8Array ? { bytes: row.bytes } : { bytes: undefined, unreadable: "missing" }),
});

function readState(database: DatabaseSync): { state: MediumState; damagedRows: readonly string[] } {
  const rows: DocumentRow[] = [];
  const damagedRows: string[] = [];
  for (const { document_id, row, sha256 } of database.prepare("SELECT * FROM documents").all()) {
    const read = textToRow({ text: textOf(row), sha256: textOf(sha256) });
    if (read !== undefined) rows.push(read);
    else damagedRows.push(`The row of document ${textOf(document_id)} was damaged and is left out.`);
  }
  const retired = database.prepare("SELECT document_id FROM retired").all();
  const quarantined = database.prepare("SELECT key, reason, size_bytes FROM quarantine").all();
  return {
    state: {
      rows,
      retired: retired.map((row) => textOf(row.document_id)),
      quarantined: quarantined.map(toQuarantinedChunk),
    },
    damagedRows,
  };
}

function toQuarantinedChunk(row: SqlRow): QuarantinedChunk {
  const key = textToKey(textOf(row.key));
  const reason = textOf(row.reason) as DamageReason; // only ever written from one
  return { key, documentId: key[0] ?? "", reason, sizeBytes: Number(row.size_bytes) };
}

function prepareDatabase(database: DatabaseSync, path: string): void {
  // Exclusive before anything else: no shared-memory file, and a second process is refused at once.
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
  database.exec("BEGIN EXCLUSIVE");
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  if (version > SCHEMA_VERSION) {
    const message = `The store at ${path} was written by a newer version of Cambium; update this one.`;
    const hint = "Nothing in it was touched. Update Cambium on this device.";
    throw new CambiumError("SCHEMA_TOO_NEW", message, { hint, details: { path, version } });
  }
  if (version === 0) database.exec(SCHEMA_SQL);
  else for (let from = version; from < SCHEMA_VERSION; from += 1) database.exec(MIGRATIONS[from] ?? "");
  if (version < SCHEMA_VERSION) database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  database.exec("COMMIT");
}

function makePrivateFile(path: string): void {
  const file = openSync(path, "a", 0o600);
  const isEmpty = fstatSync(file).size === 0;
  closeSync(file);
  chmodSync(path, 0o600);
  if (!isEmpty) return; // its writer had waited for its name to be on disk
  const directory = openSync(dirname(path), "r");
  fsyncSync(directory);
  closeSync(directory);
}

/** Nothing of such a space can be read here, and nobody invited by it. */
const UNOPENED_HINT =
  "Keep the file. With a backup or an archive: cambium restore-backup --from <folder>. If another device has the space, make an invitation there (`cambium invite`), and join with it from an empty CAMBIUM_HOME.";
const DAMAGED_HINT =
  "Keep the file. `cambium export` writes what can still be read. Then make an invitation on a device whose role is admin, this one too (`cambium invite`), and join with it from an empty CAMBIUM_HOME.";

const SQLITE_ERROR = 1;
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: number }).errcode;
  return code === undefined ? undefined : code & 0xff;
}

function openError(path: string, cause: unknown): CambiumError {
  if (cause instanceof CambiumError) return cause;
  const details = { path };
  switch (sqliteCode(cause)) {
    case SQLITE_BUSY:
      return new CambiumError("REPLICA_LOCKED", `Another process holds the store at ${path}.`, {
        cause,
        details,
      });
    // Of statements that never change, something is wrong only if the tables are not those that were made.
    case SQLITE_ERROR:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new CambiumError("STORE_DAMAGED", `The store at ${path} is damaged and cannot be opened.`, {
        hint: UNOPENED_HINT,
        cause,
        details,
      });
    default:
      return new CambiumError("STORE_FAILED", `The store at ${path} cannot be opened.`, {
        hint: "See that it is a file and yours to read and write, and that the disk has room.",
        cause,
        details,
      });
  }
}
