/**
 * When a relay packs the logs of its database. Of several relays, one does it; where there is nothing to do, or where
 * it fails, it rests.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import { isCambiumError } from "@cambium/core/errors";
import type { Packer } from "../segments/packer.js";
import type { PostgresPacking } from "./packing.js";

/** Before the logs are looked through again: one with 100,000 spaces takes a second for it. */
const ROUND_MS = 10_000;
/** Before another relay is asked again whether it packs. */
const OTHERS_MS = 5_000;
/** After it failed once, and at most. */
const FAILED_MS = 5_000;
const MOST_FAILED_MS = 5 * 60_000;

export interface PackingTurnsOptions {
  readonly packing: PostgresPacking;
  readonly packer: Packer;
  /** Milliseconds since any moment. */
  readonly elapsed: () => number;
}

export class PackingTurns {
  readonly #options: PackingTurnsOptions;
  readonly #relay = randomUUID();
  #restsUntil = 0;
  #failedMs = 0;

  constructor(options: PackingTurnsOptions) {
    this.#options = options;
  }

  /** @returns how many segments were made */
  async step(): Promise<number> {
    const { elapsed, packing } = this.#options;
    if (elapsed() < this.#restsUntil) return 0;
    try {
      if (!(await packing.isPacker(this.#relay))) return this.#rest(OTHERS_MS, 0);
      const made = await this.#step();
      this.#failedMs = 0;
      return packing.hasSeenAll ? this.#rest(ROUND_MS, made) : made;
    } catch (error) {
      // The others have been packed.
      const isDamaged = isCambiumError(error, "STORE_DAMAGED");
      if (!isDamaged) this.#failedMs = Math.min(Math.max(this.#failedMs * 2, FAILED_MS), MOST_FAILED_MS);
      this.#rest(isDamaged ? ROUND_MS : this.#failedMs, 0);
      throw error;
    }
  }

  async #step(): Promise<number> {
    const { packing, packer } = this.#options;
    await packing.finish();
    await packing.sweep();
    const made = await packer.step();
    if (made > 0) await packing.sweep();
    return made;
  }

  #rest(ms: number, made: number): number {
    this.#restsUntil = this.#options.elapsed() + ms;
    return made;
  }
}
