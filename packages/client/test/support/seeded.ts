/** Time and chance for tests: the same in each run. */

/** Moves on by a millisecond each time it is read, so that no two writes share one. */
export class SteppingClock {
  #now: number;

  constructor(start = Date.UTC(2026, 7, 1)) {
    this.#now = start;
  }

  readonly now = (): number => {
    this.#now += 1;
    return this.#now;
  };

  advance(byMs: number): void {
    this.#now += byMs;
  }
}

/** Uniform in [0, 1). */
export function seededNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0; // mulberry32
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function seededBytes(seed: number): (length: number) => Uint8Array<ArrayBuffer> {
  const next = seededNumbers(seed);
  return (length) => Uint8Array.from({ length }, () => Math.floor(next() * 256));
}
