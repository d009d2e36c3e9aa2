/**
 * What the doctor looks at, handed in so that tests can make anybody ill.
 *
 * @module
 */
import type { Replica } from "@cambium/client";
import type { Timers } from "@cambium/client/host";
import type { Machine } from "../setup/machine.js";

export interface DoctorContext {
  /** Where the replica lives. */
  readonly home: string;
  readonly machine: Machine;
  /** Of this Cambium. */
  readonly version: string;
  readonly nodeVersion: string;
  readonly now: () => number;
  readonly timers: Timers;
  /** Free bytes of the disk that holds a directory. */
  readonly freeBytes: (dir: string) => number;
  readonly signal: AbortSignal;
  /** Opens the replica in this process, when no other holds it. */
  openReplica(): Promise<Replica>;
  /** Reaches the daemon that runs, and starts none; undefined when none answers. */
  findDaemon(): Promise<RunningDaemon | undefined>;
}

export interface RunningDaemon extends Disposable {
  readonly version: string;
  readonly pid: number;
  readonly replica: Replica;
}
