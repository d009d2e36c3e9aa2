/**
 * The one way into the logs: batches that have arrived are read and checked in turns, and those of one turn are stored
 * in one commit. Nobody hears of a batch before that.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { costOf } from "../admission/bounds.js";
import type { OnEvent } from "../events.js";
import type { BatchOutcome, DocumentState, LogBatch, SpaceLog } from "../log/space-log.js";
import { Appended } from "./appended.js";
import { FairQueue } from "./fair-queue.js";
import { Rests } from "./rests.js";
import { SharedSpaces } from "./shared-spaces.js";
import { STRETCH_BYTES, type Stretch } from "./space-feed.js";

/** A turn ends when it has cost so much. What costs more by itself has a turn for itself. */
const TURN_COST = 256 * 1024;
/** The same while one space is alone: nobody else waits for the longer transaction, which writes each page once. */
const LONE_TURN_COST = 4 * TURN_COST;
const TURN_MS = 3;
/** While several senders of a space write, turns begin at least so far apart: a commit, and what all others are told, is shared. */
const GATHER_MS = 16;
/** Of the time, for the turns of one space that are not small, while others are there. */
const PART_OF_ONE = 0.3;
/** Others are there if one of them had a turn so lately. */
const OTHERS_MS = 5_000;
/** What a space has in a turn that costs less is not counted. */
const SMALL_COST = TURN_COST / 4;

/** A batch that waits for its turn. */
export interface Submission {
  readonly space: string;
  /** Whoever sent it: what one sender sends is stored in order. */
  readonly line: object;
  /** What it costs to read it, before it is read. */
  readonly sizeBytes: number;
  /** Reads it when its turn has come, and again when it has to wait for another. @returns undefined when there is nothing to store */
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
  /**
   * Called after each commit, for each space that has new entries; with these, unless they are many. Without documents
   * if it is unknown whether there are any.
   */
  readonly onAppended: (space: string, documents: readonly DocumentState[], added?: Stretch) => void;
  /** Returns milliseconds since any moment. Default: `performance.now`. */
  readonly elapsed?: () => number;
  /** Default: `setTimeout`. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

interface Taken {
  readonly submission: Submission;
  readonly batch: LogBatch;
}

interface Turn {
  readonly taken: readonly Taken[];
  readonly cost: number;
  /** The same by space. */
  readonly costs: ReadonlyMap<string, number>;
  /** Whether one batch alone has filled it. */
  readonly isLarge: boolean;
}

export class Appender {
  readonly #options: AppenderOptions;
  readonly #elapsed: () => number;
  readonly #pause: (ms: number) => Promise<unknown>;
  readonly #queue = new FairQueue<Submission>();
  #running: Promise<void> | undefined;
  readonly #rests: Rests;
  /** Of batches that were read and put back. */
  readonly #costs = new WeakMap<Submission, number>();
  #isFailing = false;
  #isDue = false;
  #wasLarge = false;
  /** When the last turn was over. */
  #lastEnd = Number.NEGATIVE_INFINITY;
  /** Nobody rests any more: the relay is stopping. */
  #isHurrying = false;
  #arrived: (() => void) | undefined;
  #turnBegan = Number.NEGATIVE_INFINITY;
  readonly #shared = new SharedSpaces();
  /** Called when a turn is waited for, by whom nobody else shares it with. */
  #aloneArrived: (() => void) | undefined;

  constructor(options: AppenderOptions) {
    this.#options = options;
    this.#elapsed = options.elapsed ?? (() => performance.now());
    this.#pause = options.pause ?? ((ms) => delay(ms));
    this.#rests = new Rests(this.#elapsed, { part: PART_OF_ONE, othersMs: OTHERS_MS });
  }

  /** Whether the last attempt to store something failed. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  get isIdle(): boolean {
    return this.#running === undefined;
  }

  /** Whether a turn begins with the next turn of the event loop. */
  get isDue(): boolean {
    return this.#isDue;
  }

  submit(submission: Submission): void {
    this.#queue.add(submission.space, submission.line, submission);
    this.#shared.add(submission.space, submission.line);
    if (!this.#shared.has(submission.space)) this.#aloneArrived?.();
    this.#arrived?.();
    this.#start();
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (!this.#queue.isEmpty) this.#start(); // it came after the last look
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
    this.#isHurrying = true;
    this.#arrived?.();
    while (this.#running !== undefined) await this.#running;
    this.#isHurrying = false;
  }

  async #run(): Promise<void> {
    let isBehind = false;
    let before = Promise.resolve();
    while (!this.#queue.isEmpty) {
      // One turn of the event loop, so that what arrived together is stored together.
      this.#isDue = true;
      await new Promise((resolve) => setImmediate(resolve));
      this.#isDue = false;
      if (!isBehind) await this.#gather();
      const start = this.#elapsed();
      const turn = await this.#takeTurn();
      isBehind = !this.#queue.isEmpty;
      if (turn.taken.length > 0) {
        const stored = this.#store(turn.taken, before);
        before = stored.answered.then(() => this.#account(turn, start, stored.workedUntil()));
        await (isBehind ? Promise.race([stored.mayGoOn, before]) : before);
      } else this.#account(turn, start, start);
      this.#wasLarge = turn.isLarge;
      if (turn.taken.length === 0 && turn.cost === 0) await this.#somebodyMayCome();
      if (this.#queue.isEmpty) await before;
    }
  }

  /** What a turn took of the processor and the disk is that of whoever filled it. */
  #account({ cost, costs }: Turn, start: number, workedUntil: number | undefined): void {
    const end = this.#elapsed();
    const tookMs = end - Math.max(start, this.#lastEnd);
    this.#lastEnd = end;
    // How long the disk takes is nobody's fault.
    const workedMs = (workedUntil ?? end) - start;
    for (const [space, own] of costs) {
      const part = own < SMALL_COST ? 0 : own / cost;
      this.#rests.note(space, tookMs * part, workedMs * part);
    }
  }

  /** A sender who is alone in its space waits for nobody, even if it waits for each receipt before it writes again. */
  async #gather(): Promise<void> {
    const left = this.#turnBegan + GATHER_MS - this.#elapsed();
    const areAllShared = this.#queue.spaces.every((space) => this.#shared.has(space));
    if (left > 0 && areAllShared && !this.#isHurrying) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#aloneArrived = resolve;
      await Promise.race([this.#pause(left), promise]);
      this.#aloneArrived = undefined;
    }
    this.#turnBegan = this.#elapsed();
    this.#shared.turn();
  }

  /** All that wait have to rest. */
  async #somebodyMayCome(): Promise<void> {
    const restMs = this.#rests.nextMs;
    if (restMs === undefined || this.#isHurrying) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#arrived = resolve;
    const timer = setTimeout(resolve, restMs);
    await promise;
    clearTimeout(timer);
  }

  /** After a large batch, those that are small come first: none of them waits for two large ones. */
  async #takeTurn(): Promise<Turn> {
    const taken: Taken[] = [];
    const start = this.#elapsed();
    const most = this.#mostOfTurn();
    const costs = new Map<string, number>();
    let [cost, mostCost] = [0, 0];
    for (let isFirst = true; ; isFirst = false) {
      const submission = this.#next(most - cost, isFirst);
      if (submission === undefined) break;
      const batch = await this.#read(submission);
      const { space, line } = submission;
      const ownCost = Math.max(1, submission.sizeBytes + costOf(batch?.items ?? []));
      this.#costs.set(submission, ownCost);
      if (!isFirst && batch !== undefined && cost + ownCost > most) {
        this.#queue.putBack(space, line, submission);
        break;
      }
      if (batch !== undefined) taken.push({ submission, batch });
      cost += ownCost;
      costs.set(space, (costs.get(space) ?? 0) + ownCost);
      mostCost = Math.max(mostCost, ownCost);
      if (cost >= most || this.#elapsed() - start >= TURN_MS) break;
    }
    return { taken, cost, costs, isLarge: mostCost > TURN_COST };
  }

  #mostOfTurn(): number {
    const [space, another] = this.#queue.spaces;
    const isAlone = space !== undefined && another === undefined && this.#rests.isAlone(space);
    return isAlone ? LONE_TURN_COST : TURN_COST;
  }

  /** @param room - what it may cost, unless it is the first */
  #next(room: number, isFirst: boolean): Submission | undefined {
    const mayCome = (space: string): boolean => this.#isHurrying || !this.#rests.has(space);
    const fits = (one: Submission, space: string): boolean =>
      mayCome(space) && (this.#costs.get(one) ?? one.sizeBytes) <= room;
    const small = isFirst && !this.#wasLarge ? undefined : this.#queue.take(fits);
    return small ?? (isFirst ? this.#queue.take((_, space) => mayCome(space)) : undefined);
  }

  async #read(submission: Submission): Promise<LogBatch | undefined> {
    try {
      return await submission.read();
    } catch (error) {
      this.#options.onEvent({ level: "error", type: "failed", error });
      submission.failed(error);
      return undefined;
    }
  }

  #tell(submission: Submission, outcome: BatchOutcome): void {
    try {
      submission.done(outcome);
    } catch (error) {
      this.#options.onEvent({ level: "error", type: "failed", error });
      submission.failed(error);
    }
  }

  /**
   * @param before - resolved when those before have been told
   * @returns when these have been told, and when the next turn may be taken: once they are committed, if the log says
   *   so, those before have been told, and no sender has to be told first that what follows is dropped
   */
  #store(
    taken: readonly Taken[],
    before: Promise<void>,
  ): { answered: Promise<void>; mayGoOn: Promise<void>; workedUntil: () => number | undefined } {
    const { promise: committed, resolve: goOn } = Promise.withResolvers<void>();
    let committedAt: number | undefined;
    const stored = this.#options.log.append(
      taken.map(({ batch }) => batch),
      (outcomes) => {
        committedAt = this.#elapsed();
        if (outcomes.every(({ kind }) => kind === "appended")) goOn();
      },
    );
    const answered = this.#tellAll(taken, stored, before);
    const mayGoOn = Promise.race([answered, Promise.all([committed, before]).then(() => {})]);
    return { answered, mayGoOn, workedUntil: () => committedAt };
  }

  async #tellAll(
    taken: readonly Taken[],
    stored: Promise<readonly BatchOutcome[]>,
    before: Promise<void>,
  ): Promise<void> {
    const { onEvent } = this.#options;
    let outcomes: readonly BatchOutcome[];
    try {
      [outcomes] = await Promise.all([stored, before]);
    } catch (error) {
      await before;
      this.#isFailing = true;
      onEvent({ level: "error", type: "commit-failed", error });
      for (const { submission } of taken) submission.failed(error);
      // It may have been committed all the same. Whoever reads on has to see it.
      for (const space of new Set(taken.map(({ batch }) => batch.space))) this.#options.onAppended(space, []);
      return;
    }
    this.#isFailing = false;
    const changed = new Map<string, Appended>();
    let changes = 0;
    for (const [index, { submission, batch }] of taken.entries()) {
      const outcome = outcomes[index] as BatchOutcome;
      if (outcome.kind === "appended" && outcome.added > 0) {
        changes += outcome.added;
        const appended = changed.get(batch.space) ?? new Appended(STRETCH_BYTES);
        changed.set(batch.space, appended);
        appended.add(batch, outcome, submission.sizeBytes);
      }
      this.#tell(submission, outcome);
    }
    let documents = 0;
    for (const [space, appended] of changed) {
      documents += appended.documents.length;
      this.#options.onAppended(space, appended.documents, appended.stretch);
    }
    if (documents > 0) onEvent({ level: "debug", type: "committed", documents, changes });
  }
}
