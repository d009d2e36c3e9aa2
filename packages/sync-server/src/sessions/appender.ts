/**
 * The one way into the logs: batches that have arrived are read and checked in turns, and those of one turn are stored
 * in one commit. Nobody hears of a batch before that.
 *
 * @module
 */
import type { OnEvent } from "../events.js";
import type { BatchOutcome, DocumentState, LogBatch, SpaceLog } from "../log/space-log.js";
import { FairQueue } from "./fair-queue.js";

/** A turn ends with the batch that exceeds one of these. */
const TURN_BYTES = 256 * 1024;
const TURN_MS = 5;

/** A batch that waits for its turn. */
export interface Submission {
  readonly space: string;
  /** Whoever sent it: what one sender sends is stored in order. */
  readonly line: object;
  /** What it costs to read it, before it is read. */
  readonly sizeBytes: number;
  /** Reads it when its turn has come. @returns undefined when there is nothing to store */
  read(): LogBatch | undefined | Promise<LogBatch | undefined>;
  /** What became of it. It is durable. */
  done(outcome: BatchOutcome): void;
  /** It is unknown whether it was stored. */
  failed(error: unknown): void;
}

export interface AppenderOptions {
  readonly log: Pick<SpaceLog, "append">;
  /** Writes something durably, to learn whether that works. */
  readonly probe: () => Promise<void>;
  readonly onEvent: OnEvent;
  /** Called after each commit, for each space that has new entries. */
  readonly onAppended: (space: string, documents: readonly DocumentState[]) => void;
  /** Returns milliseconds since any moment. Default: `performance.now`. */
  readonly elapsed?: () => number;
}

interface Taken {
  readonly submission: Submission;
  readonly batch: LogBatch;
}

export class Appender {
  readonly #options: AppenderOptions;
  readonly #elapsed: () => number;
  readonly #queue = new FairQueue<Submission>();
  #running: Promise<void> | undefined;
  #isFailing = false;

  constructor(options: AppenderOptions) {
    this.#options = options;
    this.#elapsed = options.elapsed ?? (() => performance.now());
  }

  /** Whether the last attempt to store something failed. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  submit(submission: Submission): void {
    this.#queue.add(submission.space, submission.line, submission);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /**
   * Stores a batch that has been read already.
   *
   * @throws when it is unknown whether it was stored
   */
  append(batch: LogBatch): Promise<BatchOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<BatchOutcome>();
    const sizeBytes = batch.items.reduce(
      (sum, item) => sum + (item.kind === "change" ? item.bytes.length : 0),
      0,
    );
    const { space, line = promise } = batch;
    this.submit({ space, line, sizeBytes, read: () => batch, done: resolve, failed: reject });
    return promise;
  }

  /** Finds out whether storing works. */
  async probe(): Promise<boolean> {
    this.#isFailing = !(await this.#options.probe().then(
      () => true,
      () => false,
    ));
    return !this.#isFailing;
  }

  /** @returns once everything submitted so far has been dealt with */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#queue.isEmpty) {
      // One turn of the event loop, so that what arrived together is stored together.
      await new Promise((resolve) => setImmediate(resolve));
      const taken = await this.#takeTurn();
      if (taken.length > 0) await this.#store(taken);
    }
  }

  async #takeTurn(): Promise<readonly Taken[]> {
    const taken: Taken[] = [];
    const start = this.#elapsed();
    let bytes = 0;
    do {
      const submission = this.#queue.take();
      if (submission === undefined) break;
      bytes += submission.sizeBytes;
      const batch = await submission.read();
      if (batch !== undefined) taken.push({ submission, batch });
    } while (bytes < TURN_BYTES && this.#elapsed() - start < TURN_MS);
    return taken;
  }

  async #store(taken: readonly Taken[]): Promise<void> {
    const { log, onEvent } = this.#options;
    let outcomes: readonly BatchOutcome[];
    try {
      outcomes = await log.append(taken.map(({ batch }) => batch));
    } catch (error) {
      this.#isFailing = true;
      onEvent({ level: "error", type: "commit-failed", error });
      for (const { submission } of taken) submission.failed(error);
      return;
    }
    this.#isFailing = false;
    const changed = new Map<string, Map<string, DocumentState>>();
    let changes = 0;
    for (const [index, { submission, batch }] of taken.entries()) {
      const outcome = outcomes[index] as BatchOutcome;
      if (outcome.kind === "appended" && outcome.added > 0) {
        changes += outcome.added;
        const documents = changed.get(batch.space) ?? new Map<string, DocumentState>();
        changed.set(batch.space, documents);
        for (const state of outcome.documents) documents.set(state.document, state);
      }
      submission.done(outcome);
    }
    for (const [space, documents] of changed)
      this.#options.onAppended(
        space,
        [...documents.values()].toSorted((a, b) => a.position - b.position),
      );
    const documents = [...changed.values()].reduce((sum, { size }) => sum + size, 0);
    if (documents > 0) onEvent({ level: "debug", type: "committed", documents, changes });
  }
}
