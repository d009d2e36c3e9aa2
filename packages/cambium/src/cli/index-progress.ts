/**
 * Tells how far the index has come where somebody would otherwise wonder why nothing happens.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import type { Io } from "./io.js";
import { ProgressLine } from "./progress-line.js";

/** What is over sooner needs no explanation. */
const TIMEOUT_MS = 500;

export function showIndexProgress(space: Space, io: Io): Disposable {
  const line = new ProgressLine(io);
  if (!line.isWanted) return line;
  let unsubscribe: (() => void) | undefined;
  // Not before: through the daemon, listening is a call of its own.
  const cancel = io.timers.after(TIMEOUT_MS, () => {
    unsubscribe = space.subscribe(({ type, progress }) => {
      if (type !== "index" || progress === undefined) return;
      const { stage, done, total } = progress;
      line.show(
        `${stage === "vectors" ? "Making vectors" : "Bringing the index up to date"}: ${done} of ${total}`,
      );
    });
  });
  return {
    [Symbol.dispose]: () => {
      cancel();
      unsubscribe?.();
      line[Symbol.dispose]();
    },
  };
}
