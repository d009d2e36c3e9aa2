/**
 * What the parts of a simulated machine need of the world.
 *
 * @module
 */
import type { Dice } from "../random.ts";
import type { QueuedEvent } from "./event-queue.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

export interface Scheduler {
  readonly dice: Dice;
  /** Virtual time, in milliseconds from the beginning. */
  readonly nowMs: number;
  /** Whose event runs now. */
  readonly current: SimulatedProcess;
  /** Runs something in a process, after a time. */
  schedule(process: SimulatedProcess, delayMs: number, run: () => void): QueuedEvent;
}
