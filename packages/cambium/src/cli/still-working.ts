/**
 * A verb that says nothing for a second says that it works. Whatever it says by itself takes the place of that.
 *
 * @module
 */
import type { Io, Output } from "./io.js";
import { ProgressLine } from "./progress-line.js";

/** Nobody wonders before. */
const QUIET_MS = 1_000;
const WORKING = "Working …";

/** The same streams, and who wants to know when something is written to them. */
export interface HeardIo {
  readonly io: Io;
  readonly onWrite: Set<() => void>;
}

export function heard(io: Io): HeardIo {
  const onWrite = new Set<() => void>();
  const heardOutput = (output: Output): Output =>
    Object.create(output, {
      write: {
        value: (text: string) => {
          for (const notify of onWrite) notify();
          output.write(text);
        },
      },
    });
  const streams = { output: { value: heardOutput(io.output) }, errors: { value: heardOutput(io.errors) } };
  return { io: Object.create(io, streams), onWrite };
}

/** @param io - not the one that is heard */
export function showStillWorking(io: Io, onWrite: HeardIo["onWrite"], json: boolean): Disposable {
  const line = new ProgressLine(io);
  const cancel = io.timers.after(QUIET_MS, () => {
    if (line.isWanted) line.show(WORKING);
    else if (!json) io.errors.write(`${WORKING}\n`);
  });
  const end = (): void => {
    onWrite.delete(end);
    cancel();
    line[Symbol.dispose]();
  };
  onWrite.add(end);
  return { [Symbol.dispose]: end };
}
