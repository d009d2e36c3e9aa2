/**
 * One line on a terminal's standard error that is rewritten as things move, and wiped at the end. Where nobody
 * looks on, nothing is written.
 *
 * @module
 */

import { onlyStyled } from "@cambium/core/text";
import type { Io } from "./io.js";

const ERASE_LINE = "\r\u001b[2K";

export class ProgressLine implements Disposable {
  readonly #io: Io;
  #isShown = false;
  #isOver = false;

  constructor(io: Io) {
    this.#io = io;
  }

  get isWanted(): boolean {
    return this.#io.errors.isTerminal && !this.#isOver;
  }

  show(text: string): void {
    if (!this.isWanted) return;
    this.#isShown = true;
    this.#io.errors.write(`${ERASE_LINE}${onlyStyled(text)}`);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    if (this.#isShown) this.#io.errors.write(ERASE_LINE);
    this.#isShown = false;
  }
}
