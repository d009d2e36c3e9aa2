/**
 * A program that runs on a simulated machine.
 *
 * @module
 */
import type { MachineDisk } from "./machine-disk.ts";

/** One life of a program: after it was killed, none of its events happen any more. */
export class SimulatedProcess {
  readonly name: string;
  readonly pid: number;
  isAlive = true;
  /** How far the clock of its machine is from the true time. */
  clock: MachineClock;
  /** What it may write to. */
  disk: MachineDisk | undefined;
  /** Its events of one moment keep their order. */
  busyUntil = 0;
  /** Called when the process ends, however it does. */
  readonly endings: (() => void)[] = [];

  constructor(name: string, pid: number, clock: MachineClock) {
    this.name = name;
    this.pid = pid;
    this.clock = clock;
  }
}

export interface MachineClock {
  offsetMs: number;
  /** Milliseconds gained in each. */
  drift: number;
}
