/**
 * What a verb that was stopped has written to a file by then: the daemon may have finished it meanwhile.
 *
 * @module
 */
import { statSync } from "node:fs";
import type { StoppedState } from "./failure.js";
import type { Io } from "./io.js";

/** Between two looks at whether it is still being written. */
const PAUSE_MS = 20;
/** What was all written when it was stopped gets its name in far less. */
const SETTLING_MS = 1_000;

/**
 * Looked at before the file is written.
 *
 * @returns what to say once that was stopped
 */
export function stoppedWriting(path: string, { timers }: Io): () => Promise<StoppedState> {
  const before = markOf(path);
  return async () => {
    const { isBeingWritten } = await import("@cambium/client/host");
    for (let waited = 0; await isBeingWritten(path); waited += PAUSE_MS) {
      if (waited >= SETTLING_MS)
        return { lines: [`Stopped. ${path} is still being ended: look whether it is there.`] };
      await new Promise<void>((resolve) => void timers.after(PAUSE_MS, resolve));
    }
    if (markOf(path) === before) return { lines: ["Stopped. Nothing was written."] };
    const lines = [
      `It was finished before it could be stopped: ${path} is written, and whole. Delete it if you do not want it.`,
    ];
    return { lines, details: { path } };
  };
}

/** Differs once another file is there. */
function markOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return [ino, size, mtimeMs].join();
  } catch {
    return undefined;
  }
}
