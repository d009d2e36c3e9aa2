/**
 * What the command line touches outside the library: three streams, the environment, the clock, Ctrl-C.
 * Handed in, so that tests give their own.
 *
 * @module
 */

import type { Timers } from "@cambium/client/host";

export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Undefined when it is no terminal: then nothing is shortened or wrapped. */
  readonly columns: number | undefined;
  /** Undefined when it is no terminal, or does not say. */
  readonly rows?: number | undefined;
}

export interface Io {
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: Output;
  readonly errors: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** Where the command was called. */
  readonly cwd: string;
  readonly now: () => number;
  readonly timers: Timers;
  /** Fires at Ctrl-C or SIGTERM; its reason is the signal's name. */
  readonly signal: AbortSignal;
  /** Shows a long text page by page. Returns false where nothing can. */
  readonly page?: (text: string) => Promise<boolean>;
  /** Opens an address in the browser. Returns false where there is none. */
  readonly browse?: (url: string) => Promise<boolean>;
  /** Lets somebody edit a text. Absent where there is no editor. */
  readonly edit?: (text: string) => Promise<string>;
}

/** Exit codes of a process that a signal ended, as shells report them. */
export const EXIT_BY_SIGNAL: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

/** @param onFailure - is told the first thing that went wrong with writing */
export function processOutput(
  stream: NodeJS.WriteStream,
  onFailure: (error: NodeJS.ErrnoException) => void,
): Output {
  let hasFailed = false;
  stream.on("error", failed);
  function failed(error: Error | null | undefined): void {
    if (!error || hasFailed) return;
    hasFailed = true;
    onFailure(error);
  }
  return {
    // The stream tells of a failure later than this callback, and the process may have ended by then.
    write: (text) => void stream.write(text, failed),
    isTerminal: stream.isTTY === true,
    get columns() {
      // Some pseudo-terminals say 0, which means that they do not know.
      return stream.isTTY && stream.columns > 0 ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY && stream.rows > 0 ? stream.rows : undefined;
    },
  };
}
