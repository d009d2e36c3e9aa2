/**
 * What every store of the spaces' logs keeps to.
 *
 * @module
 */
import { describe } from "vitest";
import type { SpaceLog } from "../../src/log/space-log.js";
import { withOpened } from "./opened-log.js";
import { appending } from "./space-log/appending.js";
import { bounded } from "./space-log/bounded.js";
import { forking } from "./space-log/forking.js";
import type { SpaceLogPlace } from "./space-log/log-items.js";
import { random } from "./space-log/random.js";
import { refusing } from "./space-log/refusing.js";
import { retiring } from "./space-log/retiring.js";

/** Registers the suite for one kind of store; `create` gives a fresh place for each test. */
export function spaceLogContract(name: string, create: () => Promise<SpaceLogPlace>): void {
  const withLog = withOpened<SpaceLog & { close(): Promise<void> }, SpaceLogPlace>(create);
  describe(`logs of spaces: ${name}`, () => {
    appending(withLog);
    refusing(withLog);
    forking(withLog);
    bounded(withLog);
    retiring(withLog);
    random(withLog);
  });
}
