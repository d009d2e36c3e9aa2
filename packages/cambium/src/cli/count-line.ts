/**
 * How many are done, while it goes on: one line on a terminal's standard error that is rewritten; elsewhere a line at
 * most every second.
 *
 * @module
 */
import type { Io } from "./io.js";
import { ProgressLine } from "./progress-line.js";

const EVERY_MS = 1_000;

export class CountLine implements Disposable {
  readonly #io: Io;
  readonly #line: ProgressLine;
  #shownAt: number;

  constructor(io: Io) {
    this.#io = io;
    this.#line = new ProgressLine(io);
    this.#shownAt = io.now();
  }

  /** @param stage - what is done, where memories are not all that is counted */
  show(done: number, total: number | undefined, stage?: string): void {
    const count = `${done.toLocaleString("en")}${total === undefined ? "" : ` of ${total.toLocaleString("en")}`}`;
    const text = stage === undefined ? `${count} memories` : `${stage}: ${count}`;
    if (this.#io.errors.isTerminal) this.#line.show(text);
    else if (this.#io.now() - this.#shownAt >= EVERY_MS) {
      this.#shownAt = this.#io.now();
      this.#io.errors.write(`${text}\n`);
    }
  }

  [Symbol.dispose](): void {
    this.#line[Symbol.dispose]();
  }
}
