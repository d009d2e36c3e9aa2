/**
 * Sentences that a model wrote, kept in a file of their own: they say what texts say, and are made again when lost.
 *
 * @module
 */
import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { bytesFromHex, type RecordHash } from "@cambium/core";
import {
  type DerivedKind,
  derivedStoreError,
  isUnusable,
  openDerivedDatabase,
  setAside,
} from "../storage/derived-database.js";

/** The two versions a sentence is about. */
export interface RecordPair {
  readonly from: RecordHash;
  readonly to: RecordHash;
}

const SUMMARY_FILE: DerivedKind = {
  applicationId: 0x43616d53, // "CamS"
  schemaVersion: 1,
  schema: `
    CREATE TABLE summaries (
      from_record BLOB NOT NULL,
      to_record BLOB NOT NULL,
      model TEXT NOT NULL,
      summary TEXT NOT NULL,
      PRIMARY KEY (to_record, from_record, model)
    ) STRICT, WITHOUT ROWID;`,
  holds: "summaries",
};

export class SummaryStore implements Disposable {
  readonly #path: string;
  #database: DatabaseSync;

  /** @throws {CambiumError} REPLICA_LOCKED, STORE_FAILED */
  constructor(path: string) {
    this.#path = path;
    this.#database = openAnyway(path);
  }

  get({ from, to }: RecordPair, model: string): string | undefined {
    return this.#guarded((database) => {
      const row = database
        .prepare("SELECT summary FROM summaries WHERE to_record = ? AND from_record = ? AND model = ?")
        .get(bytesFromHex(to), bytesFromHex(from), model);
      return typeof row?.summary === "string" ? row.summary : undefined;
    });
  }

  put({ from, to }: RecordPair, model: string, summary: string): void {
    this.#guarded((database) =>
      database
        .prepare("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?)")
        .run(bytesFromHex(from), bytesFromHex(to), model, summary),
    );
  }

  /** Destroys the sentences about these versions, also in what SQLite has not written over yet. */
  forget(records: Iterable<RecordHash>): void {
    this.#guarded((database) => {
      const remove = database.prepare("DELETE FROM summaries WHERE to_record = ? OR from_record = ?");
      for (const record of records) remove.run(bytesFromHex(record), bytesFromHex(record));
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    });
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Begins again, once, with a file that turns out to be damaged. */
  #guarded<Result>(use: (database: DatabaseSync) => Result): Result {
    try {
      return use(this.#database);
    } catch (error) {
      if (!isUnusable(error)) throw derivedStoreError(this.#path, SUMMARY_FILE, error);
    }
    this.#database.close();
    setAside(this.#path);
    this.#database = openAnyway(this.#path);
    return use(this.#database);
  }
}

function openAnyway(path: string): DatabaseSync {
  try {
    return openDerivedDatabase(path, SUMMARY_FILE);
  } catch (error) {
    if (!isUnusable(error)) throw error;
    setAside(path);
    rmSync(path, { force: true });
    return openDerivedDatabase(path, SUMMARY_FILE);
  }
}
