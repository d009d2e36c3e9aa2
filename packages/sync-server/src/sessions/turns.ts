/**
 * What sessions do beside storing: they answer, send entries, and pass on. Each does it in steps of a millisecond or
 * so, and turns go round the spaces, then round the sessions of a space. After a millisecond of steps, what has arrived
 * at the sockets is looked at; batches that wait to be stored come before the next step.
 *
 * @module
 */
import { FairQueue } from "./fair-queue.js";
import { Rests } from "./rests.js";

const TURN_MS = 1;
/** Of the time, for the steps of one space, while others are there. */
const PART_OF_ONE = 0.5;

interface Step {
  readonly space: string;
  run(): Promise<void>;
}

export class Turns {
  readonly #queue = new FairQueue<Step>();
  readonly #elapsed: () => number;
  readonly #rests: Rests;
  readonly #mostUnderWay: number;
  readonly #isStoringDue: () => boolean;
  /** Storing came before the last turn: it does not before the next one, too. */
  #hasWaited = false;
  #underWay = 0;
  #turnStart = 0;
  #isPausing = false;
  #waking: { readonly timer: NodeJS.Timeout; readonly at: number } | undefined;

  /**
   * @param elapsed - returns milliseconds since any moment
   * @param mostUnderWay - more than one step, where they wait for a database and not for the processor
   * @param isStoringDue - whether a batch will be stored in this turn of the event loop or the next
   */
  constructor(
    elapsed: () => number = () => performance.now(),
    mostUnderWay = 1,
    isStoringDue: () => boolean = () => false,
  ) {
    this.#elapsed = elapsed;
    this.#isStoringDue = isStoringDue;
    this.#mostUnderWay = mostUnderWay;
    this.#rests = new Rests(elapsed, { part: PART_OF_ONE });
  }

  /** @param run - one step, which does not throw; a line has one at a time */
  add(space: string, line: object, run: () => Promise<void>): void {
    this.#queue.add(space, line, { space, run });
    if (this.#underWay === 0 && !this.#isPausing) this.#turnStart = this.#elapsed();
    this.#begin();
  }

  #begin(): void {
    while (this.#underWay < this.#mostUnderWay && !this.#isPausing) {
      const isOver = this.#elapsed() - this.#turnStart >= TURN_MS;
      const step = isOver ? undefined : this.#queue.take((_, space) => !this.#rests.has(space));
      if (step !== undefined) {
        void this.#run(step);
        continue;
      }
      if (isOver) this.#pause();
      else this.#wakeLater();
      return;
    }
  }

  /** All that is left rests, or did so a moment ago. */
  #wakeLater(): void {
    if (this.#queue.isEmpty) return;
    const restMs = this.#rests.nextMs ?? 0;
    const at = this.#elapsed() + restMs;
    if (this.#waking !== undefined && this.#waking.at <= at) return;
    clearTimeout(this.#waking?.timer);
    const timer = setTimeout(() => {
      this.#waking = undefined;
      this.#begin();
    }, restMs);
    this.#waking = { timer, at };
  }

  async #run(step: Step): Promise<void> {
    this.#underWay += 1;
    const start = this.#elapsed();
    const isAlone = this.#underWay === 1;
    try {
      await step.run();
      // What it sends is written then.
      await new Promise<void>((resolve) => process.nextTick(resolve));
    } finally {
      this.#underWay -= 1;
      this.#rests.note(step.space, isAlone ? this.#elapsed() - start : 0);
      this.#begin();
    }
  }

  /** Somebody does something else than steps in this space. */
  note(space: string): void {
    this.#rests.note(space, 0);
  }

  #pause(): void {
    this.#isPausing = true;
    setImmediate(() => {
      this.#hasWaited = !this.#hasWaited && this.#isStoringDue();
      if (this.#hasWaited) return this.#pause();
      this.#isPausing = false;
      this.#turnStart = this.#elapsed();
      this.#begin();
    });
  }
}
