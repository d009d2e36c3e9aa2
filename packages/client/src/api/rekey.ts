/**
 * Sealing what was written under earlier keys anew.
 *
 * @module
 */
import { abortSignal, callable, flag, options } from "../arguments/shapes.js";
import type { Signature } from "../arguments/signature.js";
import type { Erasure } from "./erasure.js";
import type { ProgressOptions } from "./upkeep.js";

/** How packs are sealed anew. */
export interface RekeyOptions extends ProgressOptions {
  /** Counts, and writes nothing. */
  readonly preview?: boolean | undefined;
}

/** Under which keys the records that are here are sealed, and what was done about it. */
export interface RekeyResult {
  /**
   * `one-key`: the space has had one key only. `nothing`: all is under the present one. `waiting`: the relay has not
   * confirmed yet what takes the place of the old packs; sync, and call it again.
   */
  readonly status: "preview" | "one-key" | "nothing" | "rekeyed" | "waiting";
  /** The present key, counted from 0. */
  readonly epoch: number;
  /** How many records were sealed anew by this call. */
  readonly resealed: number;
  /** How many records are here. */
  readonly records: number;
  /** How many of them are under an earlier key only. */
  readonly earlier: number;
  /** How many are under the present key, and wait for the relay before the old ones go. */
  readonly waiting: number;
  /** How many bytes there are under earlier keys. */
  readonly bytes: number;
  /** Whether the relay has confirmed that it destroyed everything that it was ever asked to. */
  readonly relay: Erasure["relay"];
}

const rekey: Signature = [["options", options({ preview: flag, signal: abortSignal, onProgress: callable })]];

export default { rekey };
