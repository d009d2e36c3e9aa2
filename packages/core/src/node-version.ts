/**
 * Which Node runs Cambium. The packages' `engines` say the same.
 *
 * @module
 */
import { CambiumError } from "./errors.js";

const OLDEST = { major: 22, minor: 15 } as const;

/**
 * To be called before anything that an older Node lacks is asked for.
 *
 * @param version - as `process.versions.node` has it
 * @throws {CambiumError} OLD_NODE
 */
export function refuseOldNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return;
  throw new CambiumError(
    "OLD_NODE",
    `Cambium needs Node ${OLDEST.major}.${OLDEST.minor} or later and this is Node ${version}: install one from https://nodejs.org.`,
  );
}
