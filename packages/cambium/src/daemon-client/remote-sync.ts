/**
 * The sync of a space, which the daemon does.
 *
 * @module
 */
import type { Sync } from "@cambium/client";
import type { RemoteCaller } from "./remote-caller.js";
import { remoteMethods } from "./remote-methods.js";

export function remoteSync(caller: RemoteCaller): Sync {
  const { start, status, stop, whenSynced } = remoteMethods("sync", caller);
  /** What was asked before has to have happened when somebody waits. */
  let asked: Promise<unknown> = Promise.resolve();
  return {
    start: () => {
      // Nobody waits for it here: the next caller hears of a daemon that cannot be reached.
      asked = asked.then(start).catch(() => undefined);
    },
    status: () => asked.then(status),
    whenSynced: (options) => asked.then(() => whenSynced(options)),
    stop: () => asked.then(stop),
  };
}
