/**
 * The relay's log in one SQLite file. Every answer comes once what it says is on the disk: after a commit with
 * `synchronous=FULL`, or a sync of the side file. So what was answered survives `kill -9` and power loss.
 *
 * @module
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { CambiumError } from "@cambium/core";
import { chunkTools } from "../chunk-tools.js";
import { DatabaseSync } from "../platform/sqlite.js";
import { guardFile } from "./file-guard.js";
import { bringOverFirstVersion } from "./first-version.js";
import type { RelayLog } from "./relay-log.js";
import { SQLITE_PAGES, SQLITE_USES, sqliteOperatorLog } from "./sqlite-operations.js";
import { SQLITE_MIGRATIONS, SQLITE_SCHEMA, SQLITE_SCHEMA_VERSION } from "./sqlite-schema.js";
import { sqliteSpaceLog } from "./sqlite-space-log.js";
import { SQLITE_INVITATIONS, sqliteTokenLog } from "./sqlite-tokens.js";
import { transact } from "./sqlite-transaction.js";
import { type Fdatasync, WalSync } from "./wal-sync.js";

export const LOG_FILE_NAME = "relay.sqlite";

/** 16 MiB. Each time, all that are served wait for two syncs of many pages. */
const CHECKPOINT_PAGES = 4_096;

/** After something could not be stored, a probe writes so much: a disk that has no room for that may have some for less. */
const PROBE_BYTES = 128 * 1024;

/** Whether a relay has run with these data. */
export const hasLog = (dataDir: string): boolean => existsSync(join(dataDir, LOG_FILE_NAME));

/**
 * Opens the log in `dataDir`, making both if need be. One process at a time.
 *
 * @throws {CambiumError} STORE_FAILED when another process has it or it cannot be opened; STORE_DAMAGED
 *   when it was written by a later version
 */
export function openSqliteLog(dataDir: string): RelayLog {
  return sqliteLogIn(dataDir);
}

export interface SqliteLogOptions {
  /** Default: Node's. */
  readonly sync?: Fdatasync;
  /** Of the side file: more is copied into the database. */
  readonly checkpointPages?: number;
}

/** The same, as tests need it. */
export function sqliteLogIn(dataDir: string, options: SqliteLogOptions = {}): RelayLog {
  const { sync, checkpointPages = CHECKPOINT_PAGES } = options;
  const database = openDatabase(dataDir);
  database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  const file = join(dataDir, LOG_FILE_NAME);
  const durability = new WalSync(database, file, sync);
  const checkFile = guardFile(file);
  const { forget, ...spaces } = sqliteSpaceLog(database, chunkTools.sha256, { durability });
  const operator = sqliteOperatorLog(database, file, () => spaces.packer.packAll());
  const touch = database.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES ('probe', 0)");
  const touchMuch = database.prepare(
    `INSERT OR REPLACE INTO settings (name, value) VALUES ('probe', zeroblob(${PROBE_BYTES}))`,
  );
  let hasFailed = false;
  return {
    probe: async () => {
      checkFile();
      durability.mend();
      if (hasFailed) touchMuch.run();
      touch.run();
      hasFailed = false;
    },
    ...sqliteTokenLog(database),
    spaces: {
      ...spaces,
      append: async (batches, onCommitted) => {
        checkFile();
        try {
          return await spaces.append(batches, onCommitted);
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      },
    },
    pack: () => spaces.packer.step(),
    ...operator,
    deleteSpace: (space) => {
      const deleted = operator.deleteSpace(space);
      forget(); // before anything else is stored
      return deleted;
    },
    close: async () => {
      await spaces.packer.stop();
      await durability.close();
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
    const { message } = cause as Error;
    if (/locked|busy/.test(message))
      throw new CambiumError("STORE_FAILED", `The relay's log ${file} is in use.`, {
        hint: "A relay runs with this directory: use that one, or stop it.",
        cause,
      });
    throw new CambiumError("STORE_FAILED", `The relay's log ${file} cannot be opened: ${message}.`, {
      hint: "See that there is room on the disk, and that the directory and its files can be written by this user.",
      cause,
    });
  }
}

function prepareDatabase(database: DatabaseSync, file: string): void {
  database.exec(
    // What is deleted is overwritten: it may be what a retirement erases later, or has erased.
    `${SQLITE_PAGES} PRAGMA secure_delete = ON; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`,
  );
  const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
  if (version > SQLITE_SCHEMA_VERSION) {
    throw new CambiumError("STORE_DAMAGED", `${file} was written by a later version of the relay.`, {
      hint: "Update the relay.",
    });
  }
  if (version === 0) transact(database, () => database.exec(SQLITE_SCHEMA));
  if (version === 1) transact(database, () => bringOverFirstVersion(database, chunkTools.sha256));
  if (version > 1) transact(database, () => migrate(database, version));
  database.exec(SQLITE_USES + SQLITE_INVITATIONS);
  // Takes the lock now, so that a second relay fails here and not at its first write.
  database.exec("BEGIN IMMEDIATE; COMMIT;");
}

function migrate(database: DatabaseSync, from: number): void {
  for (let version = from; version < SQLITE_SCHEMA_VERSION; version += 1)
    database.exec(SQLITE_MIGRATIONS[version] as string);
  database.exec(`PRAGMA user_version = ${SQLITE_SCHEMA_VERSION}`);
}
