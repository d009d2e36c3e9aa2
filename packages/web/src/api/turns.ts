/**
 * What fills a view is asked before what stands beside it: the daemon answers one call after the other, and counts of a
 * whole space would keep a list waiting.
 *
 * @module
 */

/** What somebody waits for who has pressed a key. */
const FIRST: ReadonlySet<string> = new Set([
  ...["list", "recall", "recallByBody", "conflicts", "get", "history", "episodes", "checkpointsList"],
]);
/** What stands beside it. */
const LATER: ReadonlySet<string> = new Set([
  ...["facets", "status", "branchesList", "branchSummaries", "activity", "membersList", "proposals"],
  ...["supersededBy", "strength", "blame", "log", "lastFound", "diff"],
]);

export class Turns {
  #first = 0;
  #waiting: (() => void)[] = [];

  async take<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
    if (LATER.has(name)) await this.#later();
    if (!FIRST.has(name)) return await work();
    this.#first += 1;
    try {
      return await work();
    } finally {
      this.#first -= 1;
      if (this.#first === 0) this.#letGo();
    }
  }

  /** What is asked in the same moment goes first, whichever was drawn first. */
  async #later(): Promise<void> {
    await Promise.resolve();
    if (this.#first > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #letGo(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
