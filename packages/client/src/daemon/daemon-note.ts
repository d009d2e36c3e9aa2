/**
 * `daemon.json`: which daemon runs, and where. A note for people and other languages; the lock, not the note,
 * decides who is the one.
 *
 * @module
 */

import { readPrivateJson, writePrivateFile } from "../replica/private-files.js";
import { isNumber, isOne, isText, readShape } from "../storage/plain-shape.js";

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

/** @returns undefined when there is none, or none that makes sense */
export function readDaemonNote(path: string): DaemonNote | undefined {
  let stored: unknown;
  try {
    stored = readPrivateJson(path);
  } catch {
    return undefined; // of a daemon that died while the disk was full: nothing depends on it
  }
  return readShape<DaemonNote>(stored, {
    ...{ v: isOne, pid: isNumber, version: isText, instance: isText },
    ...{ socket: isText, url: isText, startedAt: isNumber },
  });
}

export const writeDaemonNote = (path: string, note: DaemonNote): void =>
  writePrivateFile(path, JSON.stringify(note, null, 2));
