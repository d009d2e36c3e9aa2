/**
 * The relay's log in one SQLite file. Every answer comes after a commit with `synchronous=FULL`, so
 * what was answered survives `kill -9` and power loss.
 *
 * @module
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { CambiumError } from "@cambium/core";
import { chunkTools } from "../chunk-tools.js";
import { DatabaseSync, type StatementSync } from "../platform/sqlite.js";
import { guardFile } from "./file-guard.js";
import type { AppendOutcome, DocumentAppend, DocumentEntry, RelayLog, StoredDocument } from "./relay-log.js";
import { SQLITE_PAGES, SQLITE_USES, sqliteOperatorLog } from "./sqlite-operations.js";
import { SQLITE_ADDITIONS, SQLITE_SCHEMA, SQLITE_SCHEMA_VERSION } from "./sqlite-schema.js";
import { sqliteSpaceLog } from "./sqlite-space-log.js";
import { sqliteTokenLog } from "./sqlite-tokens.js";
import { transact } from "./sqlite-transaction.js";

export const LOG_FILE_NAME = "relay.sqlite";
const HASH_BYTES = 32;

/** Whether a relay has run with these data. */
export const hasLog = (dataDir: string): boolean => existsSync(join(dataDir, LOG_FILE_NAME));

/**
 * Opens the log in `dataDir`, making both if need be. One process at a time.
 *
 * @throws {CambiumError} STORE_FAILED when another process has it or it cannot be opened; STORE_DAMAGED
 *   when it was written by a later version
 */
export function openSqliteLog(dataDir: string): RelayLog {
  const database = openDatabase(dataDir);
  const file = join(dataDir, LOG_FILE_NAME);
  const checkFile = guardFile(file);
  const documents = new SqliteDocuments(database);
  const spaces = sqliteSpaceLog(database, chunkTools.sha256);
  return {
    append: async (batch) => {
      checkFile();
      return documents.append(batch);
    },
    describe: async (documentId) => documents.describe(documentId),
    load: async (documentId) => documents.load(documentId),
    list: async (query) => documents.list(query),
    lastSeq: async () => documents.lastSeq,
    compact: async (snapshot) => documents.compact(snapshot),
    setAside: async (remains) => documents.setAside(remains),
    probe: async () => {
      checkFile();
      documents.probe();
    },
    ...sqliteTokenLog(database),
    spaces: {
      ...spaces,
      append: async (batches) => {
        checkFile();
        return await spaces.append(batches);
      },
    },
    ...sqliteOperatorLog(database, file),
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

function openDatabase(dataDir: string): DatabaseSync {
  const file = join(dataDir, LOG_FILE_NAME);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    chmodSync(dataDir, 0o700);
    // SQLite gives its side files the mode of the file it finds.
    closeSync(openSync(file, "a", 0o600));
    const database = new DatabaseSync(file);
    try {
      prepareDatabase(database, file);
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (cause) {
    if (cause instanceof CambiumError) throw cause;
    throw new CambiumError("STORE_FAILED", `The relay's log ${file} cannot be opened.`, {
      hint: "Check that no other relay uses this directory and that it can be written.",
      cause,
    });
  }
}

function prepareDatabase(database: DatabaseSync, file: string): void {
  database.exec(
    `${SQLITE_PAGES} PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`,
  );
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (version > SQLITE_SCHEMA_VERSION) {
    throw new CambiumError("STORE_DAMAGED", `${file} was written by a later version of the relay.`, {
      hint: "Update the relay.",
    });
  }
  if (version === 0) transact(database, () => database.exec(SQLITE_SCHEMA));
  database.exec(SQLITE_ADDITIONS + SQLITE_USES);
  // Takes the lock now, so that a second relay fails here and not at its first write.
  database.exec("BEGIN IMMEDIATE; COMMIT;");
}

interface DocumentRow {
  readonly document_id: string;
  readonly space: string;
  readonly heads: Uint8Array;
  readonly seq: number;
}

/** The statements over documents, and the position they have reached. */
class SqliteDocuments {
  lastSeq: number;
  readonly #database: DatabaseSync;
  readonly #find: StatementSync;
  readonly #list: StatementSync;
  readonly #put: StatementSync;
  readonly #putChange: StatementSync;
  readonly #putSnapshot: StatementSync;
  readonly #snapshot: StatementSync;
  readonly #changes: StatementSync;
  readonly #dropChanges: StatementSync;
  readonly #setLastSeq: StatementSync;
  readonly #keepAside: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    const prepare = (sql: string): StatementSync => database.prepare(sql);
    this.#find = prepare("SELECT document_id, space, heads, seq FROM documents WHERE document_id = ?");
    this.#list = prepare(
      "SELECT document_id, space, heads, seq FROM documents WHERE space = ? AND seq > ? ORDER BY seq LIMIT ?",
    );
    this.#put = prepare(
      `INSERT INTO documents (document_id, space, heads, seq) VALUES (?, ?, ?, ?)
       ON CONFLICT (document_id) DO UPDATE SET heads = excluded.heads, seq = excluded.seq`,
    );
    this.#putChange = prepare("INSERT INTO changes (seq, document_id, hash, bytes) VALUES (?, ?, ?, ?)");
    this.#putSnapshot = prepare(
      "INSERT OR REPLACE INTO snapshots (document_id, seq, bytes) VALUES (?, ?, ?)",
    );
    this.#snapshot = prepare("SELECT bytes FROM snapshots WHERE document_id = ?");
    this.#changes = prepare("SELECT bytes FROM changes WHERE document_id = ? ORDER BY seq");
    this.#dropChanges = prepare("DELETE FROM changes WHERE document_id = ? AND seq <= ?");
    this.#setLastSeq = prepare("INSERT OR REPLACE INTO settings (name, value) VALUES ('lastSeq', ?)");
    this.#keepAside = prepare("INSERT OR REPLACE INTO set_aside VALUES (?, ?, ?, ?)");
    const stored = prepare("SELECT value FROM settings WHERE name = 'lastSeq'").get();
    this.lastSeq = stored === undefined ? 0 : Number(stored.value);
  }

  append(batch: readonly DocumentAppend[]): readonly AppendOutcome[] {
    let seq = this.lastSeq;
    const outcomes = transact(this.#database, () => {
      const done = batch.map((append): AppendOutcome => {
        const bound = this.describe(append.documentId);
        if (bound !== undefined && bound.space !== append.space) return { kind: "foreign" };
        seq = this.#store(append, seq);
        this.#put.run(append.documentId, append.space, headsToBytes(append.heads), seq);
        return { kind: "appended", seq };
      });
      this.#setLastSeq.run(seq);
      return done;
    });
    this.lastSeq = seq;
    return outcomes;
  }

  /** @returns the last position used; even an empty addition uses one, so that a document always has its own */
  #store({ documentId, added }: DocumentAppend, before: number): number {
    if (added.kind === "snapshot") {
      this.#replace(documentId, before + 1, added.bytes);
      return before + 1;
    }
    let seq = before;
    for (const { hash, bytes } of added.changes) {
      seq += 1;
      this.#putChange.run(seq, documentId, Buffer.from(hash, "hex"), bytes);
    }
    return Math.max(seq, before + 1);
  }

  #replace(documentId: string, seq: number, bytes: Uint8Array): void {
    this.#putSnapshot.run(documentId, seq, bytes);
    this.#dropChanges.run(documentId, seq);
  }

  describe(documentId: string): DocumentEntry | undefined {
    const row = this.#find.get(documentId) as DocumentRow | undefined;
    return row && rowToEntry(row);
  }

  list(query: { space: string; afterSeq: number; limit: number }): readonly DocumentEntry[] {
    const rows = this.#list.all(query.space, query.afterSeq, query.limit) as unknown as DocumentRow[];
    return rows.map(rowToEntry);
  }

  load(documentId: string): StoredDocument | undefined {
    const entry = this.describe(documentId);
    if (entry === undefined) return undefined;
    const snapshot = this.#snapshot.get(documentId) as { bytes: Uint8Array } | undefined;
    const changes = this.#changes.all(documentId) as { bytes: Uint8Array }[];
    return { ...entry, snapshot: snapshot?.bytes, changes: changes.map(({ bytes }) => bytes) };
  }

  compact({ documentId, seq, bytes }: { documentId: string; seq: number; bytes: Uint8Array }): void {
    transact(this.#database, () => {
      if (this.describe(documentId)?.seq === seq) this.#replace(documentId, seq, bytes);
    });
  }

  setAside({ documentId, space, heads, bytes, aside }: Parameters<RelayLog["setAside"]>[0]): void {
    const seq = this.lastSeq + 1;
    transact(this.#database, () => {
      for (const { hash, reason, bytes: kept } of aside) this.#keepAside.run(documentId, hash, reason, kept);
      this.#replace(documentId, seq, bytes);
      this.#put.run(documentId, space, headsToBytes(heads), seq);
      this.#setLastSeq.run(seq);
    });
    this.lastSeq = seq;
  }

  probe(): void {
    transact(this.#database, () => this.#setLastSeq.run(this.lastSeq));
  }
}

function rowToEntry(row: DocumentRow): DocumentEntry {
  return { documentId: row.document_id, space: row.space, heads: bytesToHeads(row.heads), seq: row.seq };
}

const headsToBytes = (heads: readonly string[]): Uint8Array => Buffer.from(heads.join(""), "hex");

function bytesToHeads(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString("hex");
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    hex.slice(index * HASH_BYTES * 2, (index + 1) * HASH_BYTES * 2),
  );
}
