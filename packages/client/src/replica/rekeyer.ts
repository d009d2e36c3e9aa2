/**
 * `rekey`: what was written under earlier keys, sealed anew.
 *
 * @module
 */
import type { KeyRing } from "@cambium/core";
import type { RekeyOptions, RekeyResult } from "../api.js";
import { PackRekeying, type PackRekeyingOptions } from "../documents/pack-rekeying.js";
import type { KeyEpochs } from "../keys/key-epochs.js";
import { Turns } from "../platform/turns.js";

export interface RekeyerOptions extends PackRekeyingOptions {
  readonly epochs: Pick<KeyEpochs, "size">;
  readonly relay: () => RekeyResult["relay"];
  /** Whether it was begun and has not come to its end, kept across sessions. */
  readonly begun: { readonly get: () => boolean; readonly set: (isBegun: boolean) => void };
}

export class Rekeyer {
  readonly #options: RekeyerOptions;
  readonly #packs: PackRekeying;
  /** One at a time: each goes on from what the one before it left. */
  readonly #turns = new Turns();

  constructor(options: RekeyerOptions) {
    this.#options = options;
    this.#packs = new PackRekeying(options);
  }

  /** The owner has had it begun: whoever goes on with it need not ask again. */
  get isBegun(): boolean {
    return this.#options.begun.get();
  }

  preview(options: RekeyOptions): Promise<RekeyResult> {
    return this.#turns.take(() => this.#result("preview", 0, options));
  }

  rekey(options: RekeyOptions): Promise<RekeyResult> {
    return this.#turns.take(async () => {
      const { epochs, begun } = this.#options;
      if (epochs.size === 1) return this.#result("one-key", 0, options);
      const before = await this.#packs.counts(options.signal);
      const isDone = before.earlier + before.waiting === 0;
      begun.set(!isDone);
      if (isDone) return this.#result("nothing", 0, options);
      const { resealed, waiting } = await this.#packs.rekey(options);
      begun.set(waiting > 0);
      return this.#result(waiting > 0 ? "waiting" : "rekeyed", resealed, options);
    });
  }

  async #result(
    status: RekeyResult["status"],
    resealed: number,
    { signal }: RekeyOptions,
  ): Promise<RekeyResult> {
    const { codec, epochs, relay } = this.#options;
    const epoch = (codec.keys as KeyRing).epoch;
    const counts = await this.#packs.counts(signal);
    const isOne = status === "preview" && epochs.size === 1;
    return { status: isOne ? "one-key" : status, epoch, resealed, ...counts, relay: relay() };
  }
}
