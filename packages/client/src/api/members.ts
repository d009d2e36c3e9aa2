/**
 * The devices of a space, and who may reach it.
 *
 * @module
 */
import type { ReplicaId } from "@cambium/core";
import type { SignaturesOf } from "../arguments/signature.js";

/** A device that has written to the space, or has joined it as someone who may. */
export interface Device {
  /** Names its replica of the space. */
  readonly replica: ReplicaId;
  /** What it is called, with digits of its id where two have the same name: `laptop (97bb)`. */
  readonly name: string;
  /** Whether it is the device that was asked. */
  readonly isThis: boolean;
}

/** Who has the space. */
export interface Members {
  /**
   * Lists the devices that the space knows, without asking the relay.
   *
   * @example
   * expect((await space.members.devices()).map(({ isThis }) => isThis)).toEqual([true]);
   */
  devices(): Promise<readonly Device[]>;
}

export default {
  devices: [],
} satisfies SignaturesOf<Members>;
