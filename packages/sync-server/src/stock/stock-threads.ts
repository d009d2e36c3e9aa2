/**
 * The threads that serve stock clients: one for each session, while it has something to do. There are only so many,
 * for each token and in all; a session that needs one takes that of whoever has been idle for longest. Fewer of them
 * work at a time than the machine has processors, in turns that go round the spaces, so that the main thread always
 * has one. A thread that takes too long or too much memory is ended, and its token waits before it gets another.
 *
 * @module
 */
import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Pace } from "../limits/pace.js";
import { FairQueue } from "../sessions/fair-queue.js";
import type { Member } from "../tokens.js";
import type { Outcome, Step } from "./stock-documents.js";
import type { Answer, Order } from "./stock-thread.js";

/** What the threads of a relay may take. */
export interface ThreadLimits {
  readonly threads: number;
  readonly threadsPerToken: number;
  /** Of one step, whatever is in it; the slowest that is honest is to load a long document. */
  readonly stepMs: number;
  /** Of a step of a thread that was told nothing. */
  readonly emptyStepMs: number;
  /** So much longer for each MiB that the thread was told, which on a quiet machine takes an eighth of it. */
  readonly stepMsPerMib: number;
  /** By so much may the process grow during a step. */
  readonly growthBytes: number;
  /** A thread that holds more than this is begun anew when it is idle: wasm memory does not shrink. */
  readonly heldBytes: number;
  /** How long a token waits whose thread was ended. */
  readonly penaltyMs: number;
  /** Of one token, for long; ten times as many at once. */
  readonly startsPerSecond: number;
}

const MIB = 1024 * 1024;

export const THREAD_LIMITS: ThreadLimits = {
  threads: 32,
  threadsPerToken: 16,
  stepMs: 60_000,
  emptyStepMs: 15_000,
  stepMsPerMib: 8_000,
  growthBytes: 1_536 * MIB,
  heldBytes: 512 * MIB,
  penaltyMs: 60_000,
  startsPerSecond: 3,
};

const WATCH_MS = 100;

/** A session that has, or had, a thread. */
export interface ThreadUser {
  readonly member: Member;
  /** Whether it needs no thread any more. */
  readonly isEnded: boolean;
  /** Its thread is gone, with all that it held. */
  threadStopped(): void;
}

/** Why a session cannot go on. */
export class ThreadEnded extends Error {
  override readonly name = "ThreadEnded";
}

// Run from its source, as tests do, it starts the thread that was built.
const THREAD_FILE = import.meta.url.endsWith(".ts")
  ? "../../dist/stock/stock-thread.js"
  : "./stock-thread.js";

export class StockThreads {
  readonly #limits: ThreadLimits;
  /** What was used last is at the end. */
  readonly #threads = new Map<ThreadUser, StockThread>();
  readonly #turns = new FairQueue<() => void>();
  readonly #room: (() => void)[] = [];
  readonly #beginning = new Map<ThreadUser, Promise<void>>();
  readonly #starts: Pace;
  /** By token, until when it waits. */
  readonly #penalties = new Map<string, number>();
  readonly #mostBusy = Math.max(1, availableParallelism() - 1);
  #busy = 0;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
    const { startsPerSecond: messagesPerSecond } = limits;
    this.#starts = new Pace({ messagesPerSecond, bytesPerSecond: 1, now: () => performance.now() });
  }

  /** How many threads there are. */
  get size(): number {
    return this.#threads.size;
  }

  /**
   * Runs `task` with the thread of a session, which is not taken from it meanwhile.
   *
   * @throws {ThreadEnded} when the thread came to an end, or may not begin
   */
  async use<Result>(user: ThreadUser, task: (thread: StockThread) => Promise<Result>): Promise<Result> {
    let thread = this.#threads.get(user);
    // One that has just begun may be taken by another.
    for (; thread === undefined; thread = this.#threads.get(user)) await this.#begun(user);
    this.#threads.delete(user);
    this.#threads.set(user, thread);
    thread.uses += 1;
    try {
      return await task(thread);
    } finally {
      thread.uses -= 1;
      if (thread.heldBytes > this.#limits.heldBytes) this.stop(user);
      for (const resolve of this.#room.splice(0)) resolve();
    }
  }

  /** Begins a thread for a session that may need one soon, where there is room. */
  prepare(user: ThreadUser): void {
    const { tokenId } = user.member;
    if (this.#isBarred(tokenId) || this.#isFull || this.#isTokenFull(tokenId)) return;
    // What goes wrong is said when the thread is needed.
    this.#begun(user).catch(() => {});
  }

  /** Ends the thread of a session, unless it is at work. @returns whether it had one */
  stop(user: ThreadUser, { evenAtWork = false }: { readonly evenAtWork?: boolean } = {}): boolean {
    const thread = this.#threads.get(user);
    if (thread === undefined || (thread.uses > 0 && !evenAtWork)) return false;
    this.#threads.delete(user);
    thread.end();
    user.threadStopped();
    for (const resolve of this.#room.splice(0)) resolve();
    return true;
  }

  #begun(user: ThreadUser): Promise<void> {
    const beginning = this.#beginning.get(user) ?? this.#begin(user);
    this.#beginning.set(user, beginning);
    return beginning.finally(() => this.#beginning.delete(user));
  }

  async #begin(user: ThreadUser): Promise<void> {
    const { tokenId } = user.member;
    if (this.#isBarred(tokenId)) throw new ThreadEnded("It has to wait.");
    const waitMs = this.#starts.spend(tokenId, 0);
    if (waitMs > 0) await delay(waitMs, undefined, { ref: false });
    while (!user.isEnded && (this.#isFull || this.#isTokenFull(tokenId))) {
      const candidates = this.#isTokenFull(tokenId) ? this.#ofToken(tokenId) : [...this.#threads.keys()];
      if (!candidates.some((other) => this.stop(other)))
        await new Promise<void>((resolve) => this.#room.push(resolve));
    }
    if (user.isEnded) throw new ThreadEnded("It is not needed any more.");
    this.#threads.set(user, new StockThread(user, this));
  }

  get #isFull(): boolean {
    return this.#threads.size >= this.#limits.threads;
  }

  #isTokenFull(tokenId: string): boolean {
    return this.#ofToken(tokenId).length >= this.#limits.threadsPerToken;
  }

  #ofToken(tokenId: string): readonly ThreadUser[] {
    return [...this.#threads.keys()].filter(({ member }) => member.tokenId === tokenId);
  }

  #isBarred(tokenId: string): boolean {
    const until = this.#penalties.get(tokenId);
    if (until === undefined || until > performance.now()) return until !== undefined;
    this.#penalties.delete(tokenId);
    return false;
  }

  /** @internal Waits until a thread may work. @returns gives the turn back */
  async turn(thread: StockThread): Promise<() => void> {
    if (this.#busy < this.#mostBusy) this.#busy += 1;
    else await new Promise<void>((resolve) => this.#turns.add(thread.user.member.space, thread, resolve));
    return () => {
      const next = this.#turns.take();
      if (next === undefined) this.#busy -= 1;
      else next();
    };
  }

  /** @internal Ends a thread that is at work for longer, or takes more memory, than it may. */
  watch(thread: StockThread, onEnd: (error: Error) => void): () => void {
    const { emptyStepMs, stepMsPerMib, growthBytes, penaltyMs } = this.#limits;
    const stepMs = Math.min(this.#limits.stepMs, emptyStepMs + (thread.receivedBytes / MIB) * stepMsPerMib);
    const [startedAt, startBytes] = [performance.now(), process.memoryUsage.rss()];
    const timer = setInterval(() => {
      const isLate = performance.now() - startedAt > stepMs;
      if (!isLate && process.memoryUsage.rss() - startBytes <= growthBytes) return;
      const { tokenId } = thread.user.member;
      this.#penalties.set(tokenId, performance.now() + penaltyMs);
      onEnd(new ThreadEnded(isLate ? "It took too long." : "It took too much memory."));
    }, WATCH_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** @internal A thread has failed: a panic in Automerge, most likely. */
  failed(thread: StockThread): void {
    this.#penalties.set(thread.user.member.tokenId, performance.now() + this.#limits.penaltyMs);
  }
}

export class StockThread {
  readonly user: ThreadUser;
  /** How many tasks have it now. */
  uses = 0;
  /** What it said last. */
  heldBytes = 0;
  /** By the log and the client, since it began. */
  receivedBytes = 0;
  readonly #threads: StockThreads;
  readonly #worker: Worker;
  #asked: PromiseWithResolvers<Answer> | undefined;
  #ended: Error | undefined;

  constructor(user: ThreadUser, threads: StockThreads) {
    this.user = user;
    this.#threads = threads;
    this.#worker = new Worker(new URL(THREAD_FILE, import.meta.url), { stdout: true, stderr: true });
    this.#worker.unref();
    this.#worker.on("message", (answer: Answer) => this.#asked?.resolve(answer));
    this.#worker.on("error", (error) => {
      threads.failed(this);
      this.#fail(new ThreadEnded("It failed.", { cause: error }));
    });
    this.#worker.on("exit", () => this.#fail(new ThreadEnded("It was ended.")));
  }

  /** Changes of a document from the log, which are taken in by the next step. */
  give(document: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.receivedBytes += bytes.length; // they are handed over
    this.#tell({ type: "give", document, bytes }, [bytes.buffer]);
  }

  forget(document: string): void {
    this.#tell({ type: "forget", document });
  }

  /** One step after the other. @throws {ThreadEnded} */
  async run(step: Step): Promise<Outcome> {
    const giveBack = await this.#threads.turn(this);
    if (this.#ended !== undefined) {
      giveBack();
      throw this.#ended;
    }
    this.receivedBytes += step.data?.length ?? 0;
    const stopWatching = this.#threads.watch(this, (error) => this.#fail(error));
    this.#asked = Promise.withResolvers();
    this.#tell({ type: "step", ...step });
    try {
      const answer = await this.#asked.promise;
      this.heldBytes = answer.memoryBytes;
      return answer;
    } finally {
      this.#asked = undefined;
      stopWatching();
      giveBack();
    }
  }

  end(): void {
    this.#fail(new ThreadEnded("It was ended."));
  }

  #tell(order: Order, transfer: ArrayBuffer[] = []): void {
    if (this.#ended === undefined) this.#worker.postMessage(order, transfer);
  }

  #fail(error: Error): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    this.#asked?.reject(error);
    this.#threads.stop(this.user, { evenAtWork: true });
    void this.#worker.terminate();
  }
}
