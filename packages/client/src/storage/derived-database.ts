/**
 * SQLite files of what was derived with effort and can be made again: opening one, telling whose it is, and
 * setting it aside when it cannot be used.
 *
 * @module
 */
import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { CambiumError } from "@cambium/core";
import { DatabaseSync } from "../platform/sqlite.js";

export interface DerivedKind {
  /** Tells our files from others that are SQLite too. */
  readonly applicationId: number;
  readonly schemaVersion: number;
  readonly schema: string;
  /** What it holds, in the plural, for people. */
  readonly holds: string;
}

/** The file holds something that is not ours or cannot be read; a new one is begun. */
export class UnusableFileError extends Error {}

/**
 * @throws {UnusableFileError}
 * @throws {CambiumError} REPLICA_LOCKED, STORE_FAILED
 */
export function openDerivedDatabase(path: string, kind: DerivedKind): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
    database = new DatabaseSync(path);
    prepareDatabase(database, kind);
    return database;
  } catch (error) {
    database?.close();
    throw isUnusable(error) ? error : derivedStoreError(path, kind, error);
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
  return error instanceof UnusableFileError || code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

export function derivedStoreError(path: string, { holds }: DerivedKind, cause: unknown): CambiumError {
  if (cause instanceof CambiumError) return cause;
  const details = { path };
  return sqliteCode(cause) === SQLITE_BUSY
    ? new CambiumError("REPLICA_LOCKED", `Another process holds the ${holds} at ${path}.`, { cause, details })
    : new CambiumError("STORE_FAILED", `The ${holds} at ${path} cannot be read or written.`, {
        cause,
        details,
      });
}

/** The primary code; SQLite says more in the bits above. */
function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: number } | undefined)?.errcode;
  return code === undefined ? undefined : code & 0xff;
}

function prepareDatabase(database: DatabaseSync, kind: DerivedKind): void {
  // Exclusive before anything else: no shared-memory file, and a second process is refused at once.
  database.exec("PRAGMA locking_mode = EXCLUSIVE");
  const { tables } = database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() ?? {};
  const isNew = tables === 0;
  if (!isNew && !isOurs(database, kind))
    throw new UnusableFileError("The file is of another kind or version");
  // NORMAL: power loss may take the last rows, which are then made again; it never harms the file.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
  database.exec("BEGIN EXCLUSIVE");
  if (isNew) {
    database.exec(kind.schema);
    database.exec(
      `PRAGMA application_id = ${kind.applicationId}; PRAGMA user_version = ${kind.schemaVersion}`,
    );
  }
  database.exec("COMMIT");
}

function isOurs(database: DatabaseSync, { applicationId, schemaVersion }: DerivedKind): boolean {
  const { application_id } = database.prepare("PRAGMA application_id").get() ?? {};
  const { user_version } = database.prepare("PRAGMA user_version").get() ?? {};
  return application_id === applicationId && user_version === schemaVersion;
}
