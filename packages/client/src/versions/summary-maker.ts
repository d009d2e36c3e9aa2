/**
 * Sentences about changes: the rules' at once, and a model's as soon as it has come. Asking never waits; what is
 * missing is queued, and made one after the other in the background.
 *
 * @module
 */
import {
  byRules,
  type ChangeNote,
  differingFields,
  isCambiumError,
  type MemoryRecord,
  type RecordHash,
  throwIfAborted,
  type Version,
} from "@cambium/core";
import type { ChangeToSummarize, Summarizer } from "../api/summarizer.js";
import { backgroundTimers, pause, unlessAborted } from "../models/waiting.js";
import { reconnectDelayMs } from "../platform/backoff.js";
import type { Timers } from "../platform/timers.js";
import { type RecordPair, SummaryStore } from "./summary-store.js";

export interface SummaryMakerOptions {
  readonly summarizer: Summarizer;
  readonly path: string;
  readonly timers?: Timers | undefined;
  /** Uniform in [0, 1). */
  readonly random?: (() => number) | undefined;
}

type Described = Pick<Version, "record" | "type" | "reason"> & ChangeToSummarize["after"];

interface Waiting extends RecordPair {
  readonly change: ChangeToSummarize;
}

/** A caller that looks at more changes than this looks again at those whose sentences did not come. */
const MAX_WAITING = 1_000;
/** Nobody waits for these requests, so they come ten times slower than attempts to reach a relay. */
const BACKOFF_FACTOR = 10;

export class SummaryMaker implements AsyncDisposable {
  readonly #options: SummaryMakerOptions;
  readonly #store: SummaryStore;
  readonly #closing = new AbortController();
  readonly #waiting = new Map<string, Waiting>();
  /** Tried again after a restart. */
  readonly #refused = new Set<string>();
  #find: ((record: RecordHash) => MemoryRecord | undefined) | undefined;
  #failures = 0;
  #problem: string | undefined;
  #failed = Promise.withResolvers<void>();
  #running: Promise<void> | undefined;

  /** @throws {CambiumError} REPLICA_LOCKED, STORE_FAILED */
  constructor(options: SummaryMakerOptions) {
    this.#options = options;
    this.#store = new SummaryStore(options.path);
  }

  /** Why there are no more at the moment, in a sentence. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The model's sentence where there is one; else the rules', and the model is asked. */
  readonly noteFor = (version: Version, previous: Version | undefined): ChangeNote => {
    const rules = byRules(version, previous);
    if (previous === undefined || version.erased !== undefined || previous.erased !== undefined) return rules;
    const { model } = this.#options.summarizer;
    const summary = this.#stored({ from: previous.record, to: version.record });
    if (summary !== undefined) return { summary, summaryBy: model };
    this.#want(previous, version);
    return rules;
  };

  /** Destroys the sentences about these versions. */
  forget(records: ReadonlySet<RecordHash>): void {
    for (const [key, { from, to }] of this.#waiting)
      if (records.has(from) || records.has(to)) this.#waiting.delete(key);
    this.#store.forget(records);
  }

  /** Where records are found of what was written; without it, sentences are asked for when somebody looks. */
  readFrom(find: (record: RecordHash) => MemoryRecord | undefined): void {
    this.#find = find;
  }

  /** Asks about a version that was just written, so that its sentence is there when somebody looks. */
  written({ record }: Pick<Version, "record">): void {
    const after = this.#find?.(record);
    const [parent, second] = after?.parents ?? [];
    const before = parent === undefined || second !== undefined ? undefined : this.#find?.(parent);
    if (after === undefined || before === undefined) return;
    const { type, notes, fields } = after;
    this.#want({ ...before.fields, record: before.hash }, { ...fields, record, type, reason: notes.reason });
  }

  /** Asks for the sentence about a change, when there is time. */
  #want(before: ChangeToSummarize["before"] & { readonly record: RecordHash }, after: Described): void {
    const pair = { from: before.record, to: after.record };
    const fields = differingFields(before, after);
    if (this.#closing.signal.aborted || fields.length === 0 || this.#waiting.size >= MAX_WAITING) return;
    const key = keyOf(pair);
    if (this.#refused.has(key) || this.#waiting.has(key) || this.#stored(pair) !== undefined) return;
    const { type, reason } = after;
    this.#waiting.set(key, { ...pair, change: { before, after, fields, type, reason } });
    this.#start();
  }

  #start(): void {
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      // Asked for something while the last turn ended.
      if (this.#waiting.size > 0 && !this.#closing.signal.aborted) this.#start();
    });
  }

  /**
   * Resolves when every sentence asked for has come, or when none comes at the moment: `problem` says why.
   *
   * @throws {CambiumError} ABORTED
   */
  async made(signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    if (this.#running === undefined || this.#problem !== undefined) return;
    await unlessAborted(Promise.race([this.#running, this.#failed.promise]), signal);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
    this.#store.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #work(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || signal.aborted) return;
      const [key, waiting] = next;
      try {
        await this.#make(key, waiting);
        this.#waiting.delete(key);
        this.#failures = 0;
        this.#problem = undefined;
      } catch (error) {
        if (signal.aborted) return;
        await this.#afterFailure(key, waiting, error);
      }
    }
  }

  /** What was erased while the model wrote about it waits no more: its sentence is not kept. */
  async #make(key: string, waiting: Waiting): Promise<void> {
    const { summarizer } = this.#options;
    const { signal } = this.#closing;
    const { change, ...pair } = waiting;
    const summary = await summarizer.summarize(change, { signal });
    const isWanted = !signal.aborted && this.#waiting.get(key) === waiting;
    if (isWanted && summary.trim() !== "") this.#store.put(pair, summarizer.model, summary);
  }

  /** What was refused for what it says is left out; anything else may be the endpoint's trouble, and passes. */
  async #afterFailure(key: string, waiting: Waiting, error: unknown): Promise<void> {
    if (this.#waiting.get(key) !== waiting) return; // erased meanwhile
    this.#waiting.delete(key);
    if (isAboutText(error)) {
      this.#refused.add(key);
      return;
    }
    this.#waiting.set(key, waiting); // at the end, so that one change cannot hold up the others
    this.#problem = isCambiumError(error) ? error.message : "The summaries could not be written.";
    this.#failed.resolve();
    this.#failed = Promise.withResolvers();
    const { timers = backgroundTimers, random = Math.random } = this.#options;
    const delayMs = BACKOFF_FACTOR * reconnectDelayMs(this.#failures, random);
    this.#failures += 1;
    await pause(timers, delayMs, this.#closing.signal);
  }

  /** A file in trouble is as good as an empty one: the rules' sentence is always there. */
  #stored(pair: RecordPair): string | undefined {
    try {
      return this.#store.get(pair, this.#options.summarizer.model);
    } catch (error) {
      this.#problem = isCambiumError(error) ? error.message : "The summaries cannot be read.";
      return undefined;
    }
  }
}

/** Refused for good: by these statuses, or because the answer was no sentence. */
const STATUSES_ABOUT_TEXTS: readonly unknown[] = [undefined, 400, 413, 422];

const isAboutText = (error: unknown): boolean =>
  isCambiumError(error, "SUMMARIZER_REFUSED") && STATUSES_ABOUT_TEXTS.includes(error.details?.status);

const keyOf = ({ from, to }: RecordPair): string => `${from} ${to}`;
