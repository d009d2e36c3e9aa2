/**
 * Group commit: what is queued in one tick, and while another commit is under way, is written together.
 *
 * @module
 */

import { idleTimers } from "../platform/idle-timers.js";
import type { CancelTimer } from "../platform/timers.js";

/** How long something that nobody waits for may wait for company. */
const COMPANY_WAIT_MS = 1_000;

/** One commit at a time. The first that fails is the last: see `failure`. */
export class GroupCommit<Operation> {
  readonly #commit: (operations: readonly Operation[]) => Promise<void>;
  readonly #onFailure: (cause: unknown) => void;
  #batch = new Batch<Operation>();
  /** Written before the batch: they were there first. */
  #waiting: Operation[] = [];
  #cancelWait: CancelTimer | undefined;
  #inFlight: Promise<void> = Promise.resolve();
  #running = false;
  #lock: Promise<unknown> = Promise.resolve();
  #failed = false;

  constructor(
    commit: (operations: readonly Operation[]) => Promise<void>,
    onFailure: (cause: unknown) => void,
  ) {
    this.#commit = commit;
    this.#onFailure = onFailure;
  }

  /** Resolves when the operation is durable or the queue has failed; never rejects. */
  add(operation: Operation): Promise<void> {
    if (this.#failed) return Promise.resolve();
    const batch = this.#batch;
    batch.operations.push(operation);
    if (!this.#running) void this.#run();
    return batch.done.promise;
  }

  /** Goes with whatever is added next, and after a while without; nobody can wait for it. */
  addInCompany(operation: Operation): void {
    if (this.#failed) return;
    if (this.#batch.operations.length > 0) {
      this.#batch.operations.push(operation);
      return;
    }
    this.#waiting.push(operation);
    this.#cancelWait ??= idleTimers.after(COMPANY_WAIT_MS, () => this.waitNoLonger());
  }

  /** Adds what waits for company. */
  waitNoLonger(): void {
    for (const operation of this.#takeWaiting()) void this.add(operation);
  }

  #takeWaiting(): readonly Operation[] {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    return this.#waiting.splice(0);
  }

  /** Takes back what was added since `mark`, in the same tick. */
  mark(): () => void {
    const { operations } = this.#batch;
    const { length } = operations;
    return () => {
      operations.length = length;
    };
  }

  /** Resolves when everything added so far is durable or has failed; never rejects. */
  settled(): Promise<void> {
    return this.#batch.operations.length > 0 ? this.#batch.done.promise : this.#inFlight;
  }

  /** Does `work` after everything added so far is written, and while nothing is being written. */
  async between<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.settled();
    return this.#exclusively(work);
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#batch.operations.length > 0) {
      await endOfTick();
      const { operations: added, done } = this.#batch;
      const operations = [...this.#takeWaiting(), ...added];
      this.#batch = new Batch();
      this.#inFlight = done.promise;
      if (!this.#failed && operations.length > 0) await this.#exclusively(() => this.#write(operations));
      done.resolve();
    }
    this.#running = false;
  }

  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#lock.then(work);
    this.#lock = result.catch(() => undefined); // the caller hears of it; the next in line need not
    return result;
  }

  async #write(operations: readonly Operation[]): Promise<void> {
    try {
      await this.#commit(operations);
    } catch (cause) {
      this.#failed = true;
      this.#onFailure(cause);
    }
  }
}

class Batch<Operation> {
  readonly operations: Operation[] = [];
  readonly done = Promise.withResolvers<void>();
}

/** Promises that are ready run before this, so a whole chain of saves joins one commit. */
const endOfTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
