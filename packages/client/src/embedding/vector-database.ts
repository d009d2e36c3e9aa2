/**
 * The SQLite file of vectors: opening it, telling whose it is, and setting it aside.
 *
 * @module
 */
import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { CambiumError } from "@cambium/core";

/** "CamV": tells our files from others that are SQLite too. */
const APPLICATION_ID = 0x43616d56;
const SCHEMA_VERSION = 1;

/** Ids only grow, so that "written after" is "greater". */
const SCHEMA_SQL = `
  CREATE TABLE models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL,
    vectors INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL,
    model INTEGER NOT NULL,
    scale REAL NOT NULL,
    codes BLOB NOT NULL,
    UNIQUE (key, model)
  ) STRICT;
  CREATE TRIGGER count_added AFTER INSERT ON vectors BEGIN
    UPDATE models SET vectors = vectors + 1 WHERE id = NEW.model;
  END;
  CREATE TRIGGER count_removed AFTER DELETE ON vectors BEGIN
    UPDATE models SET vectors = vectors - 1 WHERE id = OLD.model;
  END`;

/** The file holds something that is not ours or cannot be read; a new one is begun. */
export class UnusableVectorsError extends Error {}

/**
 * @throws {UnusableVectorsError}
 * @throws {CambiumError} REPLICA_LOCKED, STORE_FAILED
 */
export function openVectorDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
    database = new DatabaseSync(path);
    prepareDatabase(database);
    return database;
  } catch (error) {
    database?.close();
    throw isUnusable(error) ? error : storeError(path, error);
  }
}

/** Where a file goes that could not be used. There is at most one, and the next erasure takes it away. */
export const setAsidePath = (path: string): string => `${path}.set-aside`;

export function setAside(path: string): void {
  for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
  rmSync(setAsidePath(path), { force: true, recursive: true });
  if (existsSync(path)) renameSync(path, setAsidePath(path));
}

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

export function isUnusable(error: unknown): boolean {
  const code = sqliteCode(error);
  return error instanceof UnusableVectorsError || code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

export function storeError(path: string, cause: unknown): CambiumError {
  if (cause instanceof CambiumError) return cause;
  const details = { path };
  return sqliteCode(cause) === SQLITE_BUSY
    ? new CambiumError("REPLICA_LOCKED", `Another process holds the vectors at ${path}.`, { cause, details })
    : new CambiumError("STORE_FAILED", `The vectors at ${path} cannot be read or written.`, {
        cause,
        details,
      });
}

/** The primary code; SQLite says more in the bits above. */
function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: number } | undefined)?.errcode;
  return code === undefined ? undefined : code & 0xff;
}

function prepareDatabase(database: DatabaseSync): void {
  // Exclusive before anything else: no shared-memory file, and a second process is refused at once.
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() ?? {};
  const isNew = tables === 0;
  if (!isNew && !isOurs(database)) throw new UnusableVectorsError("The file is of another kind or version");
  // NORMAL: power loss may take the last vectors, which are then made again; it never harms the file.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
  database.exec("BEGIN EXCLUSIVE");
  if (isNew) {
    database.exec(SCHEMA_SQL);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  }
  database.exec("COMMIT");
}

function isOurs(database: DatabaseSync): boolean {
  const { application_id } = database.prepare("PRAGMA application_id").get() ?? {};
  const { user_version } = database.prepare("PRAGMA user_version").get() ?? {};
  return application_id === APPLICATION_ID && user_version === SCHEMA_VERSION;
}
