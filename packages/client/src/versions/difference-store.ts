/**
 * Where differences of pruned texts lie: in a file of their own on this device, a sealed row for each memory. Losing it
 * costs that these texts cannot be rebuilt, and nothing else.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { type MemoryId, type Sealed, uuidFromBytes, uuidToBytes } from "@cambium/core";
import type { DatabaseSync } from "../platform/sqlite.js";
import {
  type DerivedKind,
  derivedStoreError,
  isUnusable,
  openDerivedDatabase,
  setAside,
} from "../storage/derived-database.js";

const KIND: DerivedKind = {
  applicationId: 0x43616d44, // "CamD"
  schemaVersion: 1,
  schema: "CREATE TABLE differences (memory BLOB PRIMARY KEY, sealed BLOB NOT NULL) STRICT;",
  holds: "differences",
};

/** Name of the file, in the folder of a space. */
export const DIFFERENCES_FILE = "differences.sqlite";

export class DifferenceStore {
  readonly #path: string;
  #database: DatabaseSync | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get(memory: MemoryId): Sealed | undefined {
    return this.#ifThere((database) => {
      const row = database
        .prepare("SELECT sealed FROM differences WHERE memory = ?")
        .get(uuidToBytes(memory));
      return row?.sealed instanceof Uint8Array ? row.sealed : undefined;
    });
  }

  /** Those that have a row. */
  memories(): readonly MemoryId[] {
    const rows = this.#ifThere((database) => database.prepare("SELECT memory FROM differences").all()) ?? [];
    return rows.flatMap(({ memory }) =>
      memory instanceof Uint8Array ? [uuidFromBytes(memory) as MemoryId] : [],
    );
  }

  /** Durable when it returns, and nothing of the rows before is left. @param rows - undefined: it has none any more */
  put(rows: ReadonlyMap<MemoryId, Sealed | undefined>): void {
    if (rows.size === 0) return;
    const isAdding = [...rows.values()].some((sealed) => sealed !== undefined);
    const write = (database: DatabaseSync): void => {
      const replace = database.prepare("INSERT OR REPLACE INTO differences VALUES (?, ?)");
      const remove = database.prepare("DELETE FROM differences WHERE memory = ?");
      database.exec("BEGIN IMMEDIATE");
      try {
        for (const [memory, sealed] of rows)
          if (sealed === undefined) remove.run(uuidToBytes(memory));
          else replace.run(uuidToBytes(memory), sealed);
        database.exec("COMMIT");
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
      // The log still has the pages as they were before.
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    };
    if (isAdding) this.#guarded(write);
    else this.#ifThere(write);
  }

  close(): void {
    if (this.#database?.isOpen === true) this.#database.close();
    this.#database = undefined;
  }

  /** Most spaces never have a difference, and no file for them. */
  #ifThere<Result>(use: (database: DatabaseSync) => Result): Result | undefined {
    return this.#database === undefined && !existsSync(this.#path) ? undefined : this.#guarded(use);
  }

  /** Begins again, once, with a file that cannot be used. */
  #guarded<Result>(use: (database: DatabaseSync) => Result): Result {
    try {
      return use(this.#opened());
    } catch (error) {
      if (!isUnusable(error)) throw derivedStoreError(this.#path, KIND, error);
    }
    this.close();
    setAside(this.#path);
    return use(this.#opened());
  }

  #opened(): DatabaseSync {
    this.#database ??= openDerivedDatabase(this.#path, KIND);
    return this.#database;
  }
}
