/**
 * Bytes that are in memory on their way: frames that are arriving or wait for their turn, and frames that clients have
 * not read. No space gets more than its part.
 *
 * @module
 */
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** So much of a frame may always arrive. */
const SMALL_FRAME_BYTES = 64 * 1024;
/** A space with so little is not held back when the relay as a whole has too much. */
const LITTLE_BYTES = 4 * 1024 * 1024;

/** What one space has under way. */
export interface Flight {
  /** @param bytes - negative for what is dealt with */
  add(bytes: number): void;
  /** Whether it is so much that nobody may add much to it. */
  readonly isTight: boolean;
}

export interface InFlightLimits {
  readonly bytesInFlight: number;
  readonly bytesInFlightPerSpace: number;
}

export class InFlight {
  readonly #limits: InFlightLimits;
  readonly #bySpace = new Map<string, number>();
  #bytes = 0;

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  /** Of all spaces. */
  get bytes(): number {
    return this.#bytes;
  }

  of(space: string): Flight {
    const isTight = (): boolean => {
      const bytes = this.#bySpace.get(space) ?? 0;
      const { bytesInFlight, bytesInFlightPerSpace } = this.#limits;
      return bytes > bytesInFlightPerSpace || (bytes > LITTLE_BYTES && this.#bytes > bytesInFlight);
    };
    return {
      add: (bytes) => this.#add(space, bytes),
      get isTight() {
        return isTight();
      },
    };
  }

  #add(space: string, bytes: number): void {
    this.#bytes += bytes;
    const sum = (this.#bySpace.get(space) ?? 0) + bytes;
    if (sum === 0) this.#bySpace.delete(space);
    else this.#bySpace.set(space, sum);
  }
}

/** Counts what has arrived of a frame, and cuts off who sends a large one when there is no room for it. */
export function watchArrivals(socket: Duplex, webSocket: WebSocket, flight: Flight): void {
  let partBytes = 0;
  const count = (bytes: number): void => {
    flight.add(bytes - partBytes);
    partBytes = bytes;
  };
  // Before the WebSocket makes frames of it.
  socket.prependListener("data", (chunk: Uint8Array) => {
    count(partBytes + chunk.length);
    if (partBytes > SMALL_FRAME_BYTES && flight.isTight) socket.destroy();
  });
  webSocket.on("message", () => count(0));
  socket.once("close", () => count(0));
}
