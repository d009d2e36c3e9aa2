/**
 * Positions that a session has filled itself and not been sent yet, as stretches: what one client writes in a row is
 * one of them.
 *
 * @module
 */

/** Of more, the session is sent the bytes again. */
const MAX_STRETCHES = 1_024;

export class OwnPositions {
  /** In order. */
  readonly #stretches: { readonly first: number; last: number }[] = [];

  /** @param first - above all that were added before */
  add(first: number, last: number): void {
    const end = this.#stretches.at(-1);
    if (last < first) return;
    if (end !== undefined && end.last + 1 === first) end.last = last;
    else if (this.#stretches.length < MAX_STRETCHES) this.#stretches.push({ first, last });
  }

  get isEmpty(): boolean {
    return this.#stretches.length === 0;
  }

  has(position: number): boolean {
    const { length } = this.#stretches;
    for (let at = 0; at < length; at += 1) {
      const { first, last } = this.#stretches[at] as { first: number; last: number };
      if (position < first) return false;
      if (position <= last) return true;
    }
    return false;
  }

  /** Nothing up to this position is asked for any more. */
  passed(position: number): void {
    while ((this.#stretches[0]?.last ?? Number.POSITIVE_INFINITY) <= position) this.#stretches.shift();
  }

  clear(): void {
    this.#stretches.length = 0;
  }
}
