/**
 * One process owns a replica at a time; others wait. The lock is SQLite's own on an empty database:
 * the system releases it when the process dies, however it dies, so there is nothing stale to clean up.
 *
 * @module
 */
import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CambiumError, throwIfAborted } from "@cambium/core";
import { DatabaseSync } from "./sqlite.js";

/** Held until released, or until the process ends, however it ends. */
export interface Lock {
  /** Lets the next process in. Call it once. */
  release(): void;
}

/** How long to wait for a lock. */
export interface LockOptions {
  /** How long to wait for another process, in milliseconds. */
  readonly waitMs: number;
  /** Ends the waiting with ABORTED. */
  readonly signal?: AbortSignal | undefined;
}

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/**
 * @throws {CambiumError} REPLICA_LOCKED when another process keeps it for longer than `waitMs`; STORE_FAILED when
 *   nothing can be written there; ABORTED
 */
export async function acquireLock(path: string, { waitMs, signal }: LockOptions): Promise<Lock> {
  const deadline = performance.now() + waitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    throwIfAborted(signal);
    const lock = tryLock(path);
    if (lock !== undefined) return lock;
    if (performance.now() > deadline) {
      throw new CambiumError("REPLICA_LOCKED", "Another process has held this replica for too long.", {
        hint: "If that is the daemon, go through it (connectReplica, or no CAMBIUM_DAEMON=off) or end it; else end the program that uses the same CAMBIUM_HOME, or give this one a home of its own.",
      });
    }
    await delay(pauseMs);
  }
}

function tryLock(path: string): Lock | undefined {
  const database = openDatabase(path);
  try {
    chmodSync(path, 0o600);
    // Nothing is ever written, so there is nothing to journal: a file less to make, sync and remove.
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw unwritable(path, error);
  }
  return { release: () => database.close() };
}

function openDatabase(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw unwritable(path, error);
  }
}

const unwritable = (path: string, cause: unknown): CambiumError =>
  new CambiumError("STORE_FAILED", `The directory ${dirname(path)} cannot be written.`, {
    hint: "Reading needs that, too: make it writable for you, free space on its disk, or name another directory (CAMBIUM_HOME).",
    cause,
  });

const isBusy = (error: unknown): boolean => error instanceof Error && /locked|busy/i.test(error.message);
