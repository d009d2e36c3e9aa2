/**
 * Which Node runs Cambium. The packages' `engines` and the files of the commands say the same.
 *
 * @module
 */
import { CambiumError } from "./errors.js";

/** The first whose SQLite has FTS5 and answers with arrays. No Node 23 has both. */
const OLDEST = { major: 22, minor: 16 } as const;
const NEXT_MAJOR = 24;

/** @param version - as `process.versions.node` has it */
export function runsCambium(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major >= NEXT_MAJOR || (major === OLDEST.major && minor >= OLDEST.minor);
}

/**
 * To be called before anything that an older Node lacks is asked for.
 *
 * @param version - as `process.versions.node` has it
 * @throws {CambiumError} OLD_NODE
 */
export function refuseOldNode(version: string): void {
  if (runsCambium(version)) return;
  throw new CambiumError(
    "OLD_NODE",
    `Cambium needs Node ${OLDEST.major}.${OLDEST.minor} or later (not ${NEXT_MAJOR - 1}), and this is Node ${version}: install one from https://nodejs.org.`,
  );
}
