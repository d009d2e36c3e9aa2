/**
 * The relay's SQLite file as a file: checked, put back, made smaller while no relay runs.
 *
 * @module
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { LOG_FILE_NAME, openSqliteLog } from "../log/sqlite-log.js";
import { SQLITE_PAGES } from "../log/sqlite-operations.js";
import { SEGMENTS_SINCE, SQLITE_SCHEMA_VERSION } from "../log/sqlite-schema.js";
import { segmentProblems } from "../log/sqlite-segments.js";
import { giveToOwnerOf } from "../platform/owner.js";
import { DatabaseSync } from "../platform/sqlite.js";

const MOST_PROBLEMS = 20;

export const logFileOf = (dataDir: string): string => join(dataDir, LOG_FILE_NAME);

/**
 * Reads every page of a log that nobody uses.
 *
 * @returns what is wrong with it; nothing, if it is whole
 * @throws {CambiumError} STORE_FAILED when it is in use or not there, STORE_DAMAGED when it is no log
 */
export function checkLogFile(file: string): readonly string[] {
  return withFile(file, (database) => {
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as {
      user_version: number;
    };
    if (version === 0) throw damaged(file, "is not the log of a relay");
    if (version > SQLITE_SCHEMA_VERSION) throw damaged(file, "was written by a later version of the relay");
    const rows = database.prepare(`PRAGMA integrity_check(${MOST_PROBLEMS})`).all();
    const problems = rows.map(({ integrity_check: problem }) => String(problem));
    const found = problems.filter((problem) => problem !== "ok");
    if (found.length > 0 || version < SEGMENTS_SINCE) return found;
    return [...segmentProblems(database)].slice(0, MOST_PROBLEMS);
  });
}

/**
 * Makes a backup the log of a data directory that has none.
 *
 * @throws {CambiumError} BAD_INPUT when there is a log already, or none to restore; STORE_DAMAGED when it is not whole
 */
export function restoreLog(backup: string, dataDir: string): void {
  const file = logFileOf(dataDir);
  if (existsSync(file)) {
    throw new CambiumError("BAD_INPUT", `${dataDir} has a log already.`, {
      hint: "Move it away first, with the files beside it whose names begin the same, or name another directory with --data.",
    });
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Checked and opened under another name: a failure leaves no half of a log behind.
  const beside = `${file}.restoring`;
  try {
    copyFileSync(backup, beside);
    chmodSync(beside, 0o600);
    giveToOwnerOf(dataDir, beside);
    const [problem] = checkLogFile(beside);
    if (problem !== undefined) throw damaged(backup, `is damaged: ${problem}`);
    // What would belong to another log that was here.
    for (const end of ["-wal", "-shm", "-journal"]) rmSync(file + end, { force: true });
    renameSync(beside, file);
  } catch (cause) {
    if (isCambiumError(cause)) throw cause;
    throw new CambiumError("STORE_FAILED", `${backup} cannot be copied to ${dataDir}.`, { cause });
  } finally {
    for (const end of ["", "-wal", "-shm"]) rmSync(beside + end, { force: true });
  }
}

/**
 * Writes the log anew without the room that is free in it, and so that it can give back room while it runs.
 *
 * @throws {CambiumError} STORE_FAILED when it is in use
 */
export async function compactLogFile(dataDir: string): Promise<{ before: number; after: number }> {
  const file = logFileOf(dataDir);
  const before = statSync(file, { throwIfNoEntry: false })?.size;
  if (before === undefined) throw new CambiumError("BAD_INPUT", `${dataDir} has no log.`);
  // Also to see that no relay has it, and that this version may write it.
  const log = openSqliteLog(dataDir);
  // An old file cannot give back room while it is open; it has been packed then.
  await log.shrink().catch(() => {});
  await log.close();
  withFile(file, (database) => {
    database.exec(`PRAGMA journal_mode = DELETE; ${SQLITE_PAGES} VACUUM;`);
  });
  return { before, after: statSync(file).size };
}

function withFile<Result>(file: string, use: (database: DatabaseSync) => Result): Result {
  if (!existsSync(file)) throw new CambiumError("BAD_INPUT", `${file} is not there.`);
  const database = openFile(file);
  try {
    return use(database);
  } catch (cause) {
    if (isCambiumError(cause)) throw cause;
    const { message } = cause as Error;
    if (/locked|busy/.test(message)) {
      throw new CambiumError("STORE_FAILED", `${file} is in use.`, { hint: "Stop the relay first.", cause });
    }
    throw damaged(file, `cannot be read: ${message}`);
  } finally {
    database.close();
  }
}

function openFile(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file);
  } catch (cause) {
    throw new CambiumError("STORE_FAILED", `${file} cannot be opened.`, { cause });
  }
}

const damaged = (file: string, what: string): CambiumError =>
  new CambiumError("STORE_DAMAGED", `${file} ${what}.`);
