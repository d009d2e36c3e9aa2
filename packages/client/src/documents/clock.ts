/**
 * The replica's clock: the machine's, corrected by what the relay says when they differ by more than
 * two minutes. Changes made before that was known get a correction in the catalog.
 *
 * @module
 */
import type { Identity } from "./identity.js";

const TOLERANCE_MS = 120_000;

export class CorrectedClock {
  readonly #machine: () => number;
  readonly #identity: Identity;

  constructor(machine: () => number, identity: Identity) {
    this.#machine = machine;
    this.#identity = identity;
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => Math.round(this.#machine() + this.#identity.clockOffsetMs);

  /**
   * Compares with the relay's time, and goes on with that when they differ too much.
   *
   * @returns by how many milliseconds changes made so far are off; undefined when they are right enough
   */
  compare(relayTimeMs: number): number | undefined {
    const offMs = relayTimeMs - this.now();
    if (Math.abs(offMs) <= TOLERANCE_MS) return undefined;
    this.#identity.setClockOffset(this.#identity.clockOffsetMs + offMs);
    return offMs;
  }
}
