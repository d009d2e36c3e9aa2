/**
 * What goes wrong with machines, disks, clocks and the network. A fault either passes by itself, or `heal` ends it.
 *
 * @module
 */
import type { Cluster } from "../cluster.ts";
import type { Device } from "../device.ts";
import type { Dice } from "../random.ts";
import type { WriteBook } from "../steps/write-book.ts";

export interface FaultContext {
  readonly cluster: Cluster;
  readonly device: Device;
  readonly dice: Dice;
  readonly book: WriteBook;
  /** The number of the step. */
  readonly step: number;
  /** A directory for files to import from. */
  readonly scratch: string;
}

/** @returns what was done, for the trace */
export type Fault = (context: FaultContext) => Promise<string> | string;
