/**
 * An appender for each space that is written to: a store that takes a round trip then has all of them under way at a
 * time, one transaction for each.
 *
 * @module
 */
import type { BatchOutcome, LogBatch } from "../log/space-log.js";
import type { Appender, Submission } from "./appender.js";

export type AnyAppender = Pick<Appender, "submit" | "append" | "probe" | "settled" | "isFailing" | "isDue">;

export class SpaceAppenders implements AnyAppender {
  readonly #make: () => Appender;
  readonly #bySpace = new Map<string, Appender>();
  readonly #prober: Appender;
  #isFailing = false;

  constructor(make: () => Appender) {
    this.#make = make;
    this.#prober = make();
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** A database server stores, not this process. */
  readonly isDue = false;

  submit(submission: Submission): void {
    this.#of(submission.space, (appender) => appender.submit(submission));
  }

  append(batch: LogBatch): Promise<BatchOutcome> {
    return this.#of(batch.space, (appender) => appender.append(batch));
  }

  async probe(): Promise<boolean> {
    this.#isFailing = !(await this.#prober.probe());
    return !this.#isFailing;
  }

  async settled(): Promise<void> {
    while (this.#bySpace.size > 0)
      await Promise.all([...this.#bySpace.values()].map((appender) => appender.settled()));
  }

  #of<Result>(space: string, give: (appender: Appender) => Result): Result {
    const known = this.#bySpace.get(space);
    if (known !== undefined) return give(known);
    const made = this.#make();
    this.#bySpace.set(space, made);
    const result = give(made);
    void this.#letGo(space, made);
    return result;
  }

  /** Only once it has nothing left: two for one space would lose the order of a line. */
  async #letGo(space: string, appender: Appender): Promise<void> {
    while (!appender.isIdle) await appender.settled();
    this.#bySpace.delete(space);
    this.#isFailing = appender.isFailing;
  }
}
