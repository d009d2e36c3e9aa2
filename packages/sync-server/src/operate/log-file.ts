/**
 * The relay's SQLite file as a file: checked, made smaller while no relay runs.
 *
 * @module
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { LOG_FILE_NAME, openSqliteLog } from "../log/sqlite-log.js";
import { SQLITE_PAGES } from "../log/sqlite-operations.js";
import { SEGMENTS_SINCE, SQLITE_SCHEMA_VERSION } from "../log/sqlite-schema.js";
import { segmentProblems } from "../log/sqlite-segments.js";
import { DatabaseSync } from "../platform/sqlite.js";

const MOST_PROBLEMS = 20;

export const logFileOf = (dataDir: string): string => join(dataDir, LOG_FILE_NAME);

/**
 * Reads every page of a log that nobody uses.
 *
 * @param name - what it is called in what is thrown
 * @returns what is wrong with it; nothing, if it is whole
 * @throws {CambiumError} STORE_FAILED when it is in use or not there, STORE_DAMAGED when it is no log
 */
export function checkLogFile(file: string, name = file): readonly string[] {
  return withFile(file, name, (database) => {
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as {
      user_version: number;
    };
    if (version === 0) throw damagedLog(name, "is not the log of a relay");
    if (version > SQLITE_SCHEMA_VERSION)
      throw damagedLog(name, "was written by a later version of the relay");
    const rows = database.prepare(`PRAGMA integrity_check(${MOST_PROBLEMS})`).all();
    const problems = rows.map(({ integrity_check: problem }) => String(problem));
    const found = problems.filter((problem) => problem !== "ok");
    if (found.length > 0 || version < SEGMENTS_SINCE) return found;
    return [...segmentProblems(database)].slice(0, MOST_PROBLEMS);
  });
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
  withFile(file, file, (database) => {
    database.exec(`PRAGMA journal_mode = DELETE; ${SQLITE_PAGES} VACUUM;`);
  });
  return { before, after: statSync(file).size };
}

function withFile<Result>(file: string, name: string, use: (database: DatabaseSync) => Result): Result {
  if (!existsSync(file)) throw new CambiumError("BAD_INPUT", `${name} is not there.`);
  const database = openFile(file);
  try {
    return use(database);
  } catch (cause) {
    if (isCambiumError(cause)) throw cause;
    const { message } = cause as Error;
    if (/locked|busy/.test(message)) {
      throw new CambiumError("STORE_FAILED", `${name} is in use.`, { hint: "Stop the relay first.", cause });
    }
    throw damagedLog(name, `cannot be read: ${message}`);
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

export const damagedLog = (file: string, what: string): CambiumError =>
  new CambiumError("STORE_DAMAGED", `${file} ${what}.`);
