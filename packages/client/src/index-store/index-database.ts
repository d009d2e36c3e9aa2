/**
 * The file of the index. It holds nothing that the documents do not say, so whatever is wrong with it is
 * answered by beginning again.
 *
 * @module
 */
import { chmodSync, closeSync, openSync, rmSync, statSync } from "node:fs";
import { CambiumError } from "@cambium/core";
import { DatabaseSync, type StatementSync } from "../platform/sqlite.js";
import { PageSums, SUMS_SUFFIX } from "./page-sums.js";
import { INDEX_SCHEMA, INDEX_VERSION } from "./schema.js";

/** The system keeps pages too, and reading one from there takes microseconds: more room makes no recall faster. */
const CACHE_KIB = 32_768;
/** While all tables are written at once, so that few pages have to be written twice. */
const BUILDING_CACHE_KIB = 65_536;
/** Each table has at least one, and so has each of its indexes: on pages of 8 KiB an empty index takes twice as much. */
const PAGE_BYTES = 4_096;
/** SQLite never carries its log over by itself: the sums of its pages are written down first. */
const USUAL = `PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -${CACHE_KIB}`;
/** A log of this size is carried over: what SQLite does by itself. */
const LOG_BYTES = 8_192_000;
/** In place of the version. */
const HALF_MADE = 1;
/** A closed file keeps at most this part of its pages unused. */
const MAX_FREE = 1 / 32;

export class IndexDatabase {
  readonly path: string;
  readonly #extraSchema: string;
  readonly #statements = new Map<string, StatementSync>();
  #opened: OpenedFile;
  #isDamaged = false;
  #isHalfMade = false;
  #generation = 0;

  /** @param extraSchema - tables of others that live and die with the index */
  constructor(path: string, extraSchema: string) {
    this.path = path;
    this.#extraSchema = extraSchema;
    this.#opened = this.#openOrBegin();
  }

  get database(): DatabaseSync {
    return this.#opened.database;
  }

  get #database(): DatabaseSync {
    return this.#opened.database;
  }

  /** A prepared statement whose rows are arrays: half the cost of objects, and most rows are short. */
  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#watched(this.#database.prepare(sql));
    statement.setReturnArrays(true);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Pages of the file turned out not to be what was written: nothing in it is to be believed. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Another one after everything was thrown away: numbers and ids of rows from before mean nothing, or something else. */
  get generation(): number {
    return this.#generation;
  }

  /** Says that a row is not what was written; thrown by its reader. */
  damage(cause?: unknown): CambiumError {
    this.#isDamaged = true;
    return damaged(this.path, cause);
  }

  #watched(statement: StatementSync): StatementSync {
    const watch =
      <Values extends readonly unknown[], Result>(call: (...values: Values) => Result) =>
      (...values: Values): Result => {
        try {
          return call.apply(statement, values as never);
        } catch (error) {
          if (!isDamage(error)) throw error;
          throw this.damage(error);
        }
      };
    const { get, all, run } = statement;
    return Object.assign(statement, { get: watch(get), all: watch(all), run: watch(run) });
  }

  get isOpen(): boolean {
    return this.#database.isOpen;
  }

  get sizeBytes(): number {
    const [pages] = this.prepare("PRAGMA page_count").get() as unknown as [number];
    const [size] = this.prepare("PRAGMA page_size").get() as unknown as [number];
    return pages * size;
  }

  /** Everything until the next `commit` is kept together or not at all. */
  begin(): void {
    if (!this.#database.isTransaction) this.#database.exec("BEGIN IMMEDIATE");
  }

  commit(): void {
    if (!this.#database.isTransaction) return;
    this.#database.exec("COMMIT");
    if (!this.#isHalfMade && this.#logBytes > LOG_BYTES) carryLogOver(this.#opened);
  }

  /** Leaves nothing in the log. @returns false when something waits for its commit */
  emptyLog(): boolean {
    if (this.#database.isTransaction) return false;
    if (!this.#isHalfMade) carryLogOver(this.#opened);
    return true;
  }

  get #logBytes(): number {
    return statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Reads the whole file. When a page is not what was written, the file is thrown away at the next read. */
  async verify(): Promise<string | undefined> {
    if (this.#isHalfMade) return undefined; // it is being written, and no sums are made before it is whole
    const { sums } = this.#opened;
    const page = await sums.findDamage();
    if (page === undefined || this.#opened.sums !== sums) return undefined; // the file is another one by now
    this.#isDamaged = true;
    return `Page ${page} is not what was written.`;
  }

  /**
   * Nothing is in the file yet, and much is to come: until `finish`, it is written without a log and without waiting
   * for the disk, and another session that finds it throws it away.
   */
  beginRebuild(): void {
    this.commit();
    this.#database.exec(
      `PRAGMA user_version = ${HALF_MADE}; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
       PRAGMA cache_size = -${BUILDING_CACHE_KIB}`,
    );
    this.#isHalfMade = true;
  }

  /** What was committed is kept from now on. Waits for the disk when that was not so before. */
  finish(): void {
    if (!this.#isHalfMade) return;
    this.#database.exec(`PRAGMA synchronous = FULL; PRAGMA application_id = ${INDEX_VERSION}`); // all of it is on disk
    this.#database.exec(`PRAGMA user_version = ${INDEX_VERSION}; ${USUAL}; PRAGMA wal_checkpoint(TRUNCATE)`);
    this.#opened.sums.takeAll();
    this.#isHalfMade = false;
  }

  get isHalfMade(): boolean {
    return this.#isHalfMade;
  }

  /** @throws {CambiumError} REPLICA_CLOSED */
  refuseClosed(): void {
    if (this.#database.isOpen) return;
    throw new CambiumError("REPLICA_CLOSED", "The space has been closed; open it again.");
  }

  /** Throws everything away. */
  clear(): void {
    this.#generation += 1;
    this.#statements.clear();
    closeFile(this.#opened); // nothing of it is worth a commit
    removeFiles(this.path);
    this.#isDamaged = false;
    this.#isHalfMade = false;
    this.#opened = this.#openOrBegin();
  }

  close(): void {
    if (!this.#database.isOpen) return;
    try {
      this.commit();
      this.#giveBackPages();
      if (!this.#isHalfMade) carryLogOver(this.#opened);
    } finally {
      this.#statements.clear();
      closeFile(this.#opened);
    }
  }

  /** Writes all pages anew, so that they are full. It takes as long as reading and writing the file once. */
  fillPages(): void {
    this.commit();
    this.#database.exec("VACUUM");
  }

  #giveBackPages(): void {
    const [free] = this.prepare("PRAGMA freelist_count").get() as unknown as [number];
    const [pages] = this.prepare("PRAGMA page_count").get() as unknown as [number];
    if (free > pages * MAX_FREE) this.#database.exec("PRAGMA incremental_vacuum");
  }

  #openOrBegin(): OpenedFile {
    try {
      const opened = this.#open();
      if (opened !== undefined) return opened;
    } catch {
      // No database, or a damaged one.
    }
    try {
      removeFiles(this.path);
      const begun = this.#open();
      if (begun !== undefined) return begun;
    } catch (cause) {
      throw unusable(this.path, cause);
    }
    throw unusable(this.path, undefined);
  }

  /** @returns undefined when it was written by another version, or is no longer what was written */
  #open(): OpenedFile | undefined {
    closeSync(openSync(this.path, "a", 0o600));
    chmodSync(this.path, 0o600);
    const sums = new PageSums(this.path, PAGE_BYTES);
    try {
      const database = sums.isWhole() ? this.#openDatabase() : undefined;
      if (database === undefined) sums[Symbol.dispose]();
      else if (sums.hasLog) carryLogOver({ database, sums });
      return database && { database, sums };
    } catch (error) {
      sums[Symbol.dispose]();
      throw error;
    }
  }

  #openDatabase(): DatabaseSync | undefined {
    const database = new DatabaseSync(this.path);
    try {
      database.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA locking_mode = EXCLUSIVE; ${USUAL};
        PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY`);
      const version = Number(database.prepare("PRAGMA user_version").get()?.user_version);
      if (version === INDEX_VERSION) return database;
      if (version === 0) {
        database.exec(
          `BEGIN; ${INDEX_SCHEMA}; ${this.#extraSchema}; PRAGMA user_version = ${INDEX_VERSION}; COMMIT`,
        );
        return database;
      }
      database.close();
      return undefined;
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

interface OpenedFile {
  readonly database: DatabaseSync;
  readonly sums: PageSums;
}

/** From SQLite's log into the file. */
function carryLogOver({ database, sums }: OpenedFile): void {
  sums.includeLog();
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

function closeFile({ database, sums }: OpenedFile): void {
  if (!database.isOpen) return;
  try {
    database.close();
  } finally {
    sums[Symbol.dispose]();
  }
}

function removeFiles(path: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal", SUMS_SUFFIX])
    rmSync(`${path}${suffix}`, { force: true });
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, whatever their extended code. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && [11, 26].includes(Number(error.errcode) & 0xff);

const damaged = (path: string, cause: unknown): CambiumError =>
  new CambiumError("STORE_DAMAGED", `The index at ${path} is damaged.`, {
    hint: "Try again: the next read rebuilds it from the documents.",
    cause,
  });

const unusable = (path: string, cause: unknown): CambiumError =>
  new CambiumError("STORE_FAILED", `The index at ${path} cannot be read or rebuilt.`, {
    hint: "Make room on the disk, and see that the file may be written.",
    cause,
  });
