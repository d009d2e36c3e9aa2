/**
 * What the daemon of a home left about itself.
 *
 * @module
 */

import { isNumber, isOne, isText, readPrivateJson, readShape } from "@cambium/client/host";
import type { DaemonNote } from "../daemon-client/daemon-note.js";

/** @returns undefined when there is none, or none that makes sense: nothing depends on it */
export function readDaemonNote(path: string): DaemonNote | undefined {
  let stored: unknown;
  try {
    stored = readPrivateJson(path);
  } catch {
    return undefined; // cut short when the disk was full
  }
  return readShape<DaemonNote>(stored, {
    ...{ v: isOne, pid: isNumber, version: isText, instance: isText },
    ...{ socket: isText, url: isText, startedAt: isNumber },
  });
}
