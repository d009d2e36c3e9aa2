/**
 * Makes what was committed durable beside the main thread, which goes on meanwhile.
 *
 * SQLite writes a commit to the end of its side file, and with `synchronous = NORMAL` does not wait for the disk. What
 * waits is whoever tells somebody: until a later `fdatasync` of that file. SQLite itself syncs the file before it copies
 * from there into the database, and its head when it begins anew, so that a commit that is synced has all before it.
 *
 * @module
 */
import { closeSync, fdatasync, openSync } from "node:fs";
import type { DatabaseSync } from "../platform/sqlite.js";
import { transact } from "./sqlite-transaction.js";

const NOT_DURABLE = "What was stored could not be made durable.";

/** As in `node:fs`. */
export type Fdatasync = (file: number, done: (error: Error | null) => void) => void;

interface Waiting {
  readonly upTo: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** What commits, and says when it is durable. */
export interface Durability {
  /** Commits at once; it may be undone by a power cut until it is {@link Durability.settled}. */
  commit<Result>(work: () => Result): Result;
  /** Resolved when all that is committed now is durable. @returns undefined if it is */
  settled(): Promise<void> | undefined;
}

/** Each commit is durable when it returns, or nobody cares. */
export const durableAtOnce = (database: DatabaseSync): Durability => ({
  commit: (work) => transact(database, work),
  settled: () => undefined,
});

export class WalSync implements Durability {
  readonly #database: DatabaseSync;
  readonly #file: number;
  readonly #fdatasync: Fdatasync;
  /** Counts commits. */
  #committed = 0;
  #durable = 0;
  #isSyncing = false;
  #isBroken = false;
  #isClosed = false;
  #waiting: Waiting[] = [];

  /** @param file - the database, whose side file is there */
  constructor(database: DatabaseSync, file: string, sync: Fdatasync = fdatasync) {
    this.#database = database;
    this.#file = openSync(`${file}-wal`, "r+");
    this.#fdatasync = sync;
  }

  commit<Result>(work: () => Result): Result {
    this.mend();
    this.#database.exec("PRAGMA synchronous = NORMAL");
    try {
      return transact(this.#database, work);
    } finally {
      this.#committed += 1;
      this.#database.exec("PRAGMA synchronous = FULL");
    }
  }

  settled(): Promise<void> | undefined {
    if (this.#durable === this.#committed) return undefined;
    if (this.#isBroken) return Promise.reject(new Error(NOT_DURABLE));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ upTo: this.#committed, resolve, reject });
    this.#sync();
    return promise;
  }

  /**
   * After a sync that failed: what was committed may have a hole, which no later sync would fill. All of it is copied
   * into the database, or nothing more is written.
   *
   * @throws what SQLite says
   */
  mend(): void {
    if (!this.#isBroken) return;
    const { busy } = this.#database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    if (busy !== 0) throw new Error(NOT_DURABLE);
    this.#database.exec("PRAGMA query_only = OFF");
    this.#isBroken = false;
    this.#durable = this.#committed;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.settled()?.catch(() => {});
    closeSync(this.#file);
  }

  #sync(): void {
    if (this.#isSyncing) return;
    this.#isSyncing = true;
    const upTo = this.#committed;
    this.#fdatasync(this.#file, (error) => {
      this.#isSyncing = false;
      if (error === null) this.#synced(upTo);
      else this.#failed(error);
    });
  }

  #synced(upTo: number): void {
    this.#durable = Math.max(this.#durable, upTo);
    const waiting = this.#waiting;
    this.#waiting = waiting.filter((one) => one.upTo > this.#durable);
    for (const one of waiting) if (one.upTo <= this.#durable) one.resolve();
    if (this.#waiting.length > 0) this.#sync();
  }

  #failed(error: Error): void {
    this.#isBroken = true;
    this.#database.exec("PRAGMA query_only = ON");
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
