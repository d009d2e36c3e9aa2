/**
 * `daemon.json`: which daemon runs, and where. A note for people and other languages; the lock, not the note,
 * decides who is the one.
 *
 * @module
 */

import { readFileSync, rmSync } from "node:fs";
import { writePrivateFile } from "@cambium/client/host";

export interface DaemonNote {
  readonly v: 1;
  readonly pid: number;
  readonly version: string;
  readonly instance: string;
  readonly socket: string;
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

export const writeDaemonNote = (path: string, note: DaemonNote): void =>
  writePrivateFile(path, JSON.stringify(note, null, 2));

/** @returns undefined when there is none that can be read */
export function readDaemonNote(path: string): DaemonNote | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as DaemonNote;
  } catch {
    return undefined;
  }
}

/** Leaves the note of another daemon, in a home that was made again, alone. */
export function removeDaemonNote(path: string, instance: string): void {
  try {
    if (!readFileSync(path, "utf8").includes(JSON.stringify(instance))) return;
  } catch {
    return; // there is none
  }
  rmSync(path, { force: true });
}
