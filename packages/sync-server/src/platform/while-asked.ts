/**
 * Work that is begun when somebody asks for it, one run at a time.
 *
 * @module
 */

/** Whoever asks while it runs, up to its very end, is answered by another run: nothing has to be looked for twice. */
export class WhileAsked {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #isAsked = false;

  /** @param work - does what there is to do, which may be nothing; it does not throw */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  ask(): void {
    this.#isAsked = true;
    this.#running ??= this.#run();
  }

  /** @returns once nobody asks any more */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isAsked) {
        this.#isAsked = false;
        await this.#work();
      }
    } finally {
      this.#running = undefined; // with the last look, and not some steps behind it
    }
  }
}
