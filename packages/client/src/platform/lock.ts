/**
 * One process owns a replica at a time; others wait. The lock is SQLite's own on an empty database:
 * the system releases it when the process dies, however it dies, so there is nothing stale to clean up.
 *
 * @module
 */
import { chmodSync, closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
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
  /** How long one other process may keep it, in milliseconds. Where several take turns, each may. */
  readonly waitMs: number;
  /** Ends the waiting with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, if it has to wait for long. */
  readonly onWait?: ((holder: LockHolder) => void) | undefined;
  /** How long counts as long, in milliseconds. Default: 800. */
  readonly noticeMs?: number | undefined;
}

/** The process that has the lock. */
export interface LockHolder {
  /** Absent where it has not said so. */
  readonly pid?: number;
}

const PID_BYTES = 12;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;
const NOTICE_MS = 800;
/** For all turns together. */
const TOTAL_WAIT_MS = 120_000;

/**
 * Takes a lock, waiting for its turn.
 *
 * @throws {CambiumError} REPLICA_LOCKED when another process keeps it for longer than `waitMs`; STORE_FAILED when
 * nothing can be written there; ABORTED
 */
export async function acquireLock(path: string, options: LockOptions): Promise<Lock> {
  const { waitMs, signal, onWait, noticeMs = NOTICE_MS } = options;
  const begunAt = performance.now();
  let turn: { readonly holder: LockHolder; readonly since: number } = { holder: {}, since: begunAt };
  let isNotified = onWait === undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    throwIfAborted(signal);
    const lock = tryLock(path);
    if (lock !== undefined) {
      noteHolder(path);
      return lock;
    }
    const now = performance.now();
    const holder = holderOf(path);
    if (holder.pid !== turn.holder.pid)
      turn = { holder, since: turn.holder.pid === undefined ? begunAt : now };
    // Before giving up: on a slow machine both may be due at once.
    if (!isNotified && now - begunAt > noticeMs) {
      isNotified = true;
      onWait?.(holder);
    }
    if (now - turn.since > waitMs || now - begunAt > TOTAL_WAIT_MS) throw heldTooLong(holder);
    await delay(pauseMs);
  }
}

const holderPath = (path: string): string => `${path}.holder`;

/** For those who wait; whoever reads it knows that the lock is held. */
function noteHolder(path: string): void {
  try {
    const file = openSync(holderPath(path), constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      // Always as long, so that nothing is cut off: file systems sync a file that is emptied and written again.
      writeSync(file, `${process.pid}\n`.padStart(PID_BYTES));
    } finally {
      closeSync(file);
    }
  } catch {
    // A full disk is reported by the first write; here it only costs a name.
  }
}

function holderOf(path: string): LockHolder {
  try {
    const pid = Number(readFileSync(holderPath(path), "utf8"));
    return Number.isInteger(pid) && pid > 0 ? { pid } : {};
  } catch {
    return {}; // an older program holds it
  }
}

/** As the subject of a sentence. */
export const holderName = ({ pid }: LockHolder): string =>
  pid === undefined ? "another process" : pid === process.pid ? "this process itself" : `process ${pid}`;

function heldTooLong(holder: LockHolder): CambiumError {
  const name = holderName(holder);
  const message = `${name[0]?.toUpperCase()}${name.slice(1)} has this replica open and does not let go of it.`;
  return new CambiumError("REPLICA_LOCKED", message, {
    hint: "If that is the daemon, go through it (connectReplica, or no CAMBIUM_DAEMON=off) or end it; else end the program that uses the same CAMBIUM_HOME, or give this one a home of its own.",
    details: { ...holder },
  });
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
