/**
 * One piece of work after the other: what one has found, no other changes before it has written.
 *
 * @module
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined); // its caller gets the error
    return turn;
  }
}
