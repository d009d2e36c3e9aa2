/**
 * `daemon.json`: which daemon runs, and where. A note for people and other languages; the lock, not the note,
 * decides who is the one.
 *
 * @module
 */

import { writePrivateFile } from "../replica/private-files.js";

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
