/**
 * What sessions of a relay say to those of other relays on the same store, and nobody stores. It may be lost, and
 * there is a bound: a store passes it on to every relay, also to those at which nobody of the space is.
 *
 * @module
 */
import type { Slot } from "@cambium/core/wire";
import { decode, encode } from "cborg";
import { Pace } from "../limits/pace.js";
import type { SharedStore } from "../log/relay-log.js";

/** As much as one notification of PostgreSQL carries. */
const MOST_BYTES = 5_000;
/** For long; ten times as much after a pause. */
const PACE_OF_SPACE = { messagesPerSecond: 50, bytesPerSecond: 32 * 1024 };
const PACE_OF_ALL = { messagesPerSecond: 500, bytesPerSecond: 512 * 1024 };

/** Said by a session of the log protocol, or of a stock client. */
export type Broadcast =
  | { readonly kind: "ephemeral"; readonly bytes: Uint8Array }
  | { readonly kind: "slot"; readonly tokenId: string; readonly slot: Slot }
  | { readonly kind: "stock"; readonly message: object };

export interface BroadcastsOptions {
  readonly shared: Pick<SharedStore, "broadcast" | "onBroadcast">;
  /** Milliseconds since any moment. */
  readonly elapsed: () => number;
  /** Somebody at another relay has said this. */
  readonly onBroadcast: (space: string, words: Broadcast) => void;
  readonly onError: (error: unknown) => void;
}

export class Broadcasts {
  readonly #shared: BroadcastsOptions["shared"];
  readonly #ofSpace: Pace;
  readonly #ofAll: Pace;

  constructor({ shared, elapsed, onBroadcast, onError }: BroadcastsOptions) {
    this.#shared = shared;
    this.#ofSpace = new Pace({ ...PACE_OF_SPACE, now: elapsed });
    this.#ofAll = new Pace({ ...PACE_OF_ALL, now: elapsed });
    shared.onBroadcast((space, bytes) => {
      try {
        onBroadcast(space, decode(bytes) as Broadcast);
      } catch (error) {
        // Of a relay of another version. Nothing that is said has to arrive.
        onError(error);
      }
    });
  }

  /** Does nothing with what is too large, or too much. */
  broadcast(space: string, words: Broadcast): void {
    const bytes = encode(words);
    if (bytes.length > MOST_BYTES) return;
    if (this.#ofSpace.takes(space, bytes.length) && this.#ofAll.takes("", bytes.length))
      this.#shared.broadcast(space, bytes);
  }

  /** Lets go of what is known of spaces that say nothing. */
  forgetQuiet(): void {
    this.#ofSpace.forgetFull();
  }
}
