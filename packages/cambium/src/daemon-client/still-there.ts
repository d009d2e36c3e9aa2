/**
 * Tells a daemon that takes its time from one that hangs: while an answer is waited for, it is asked now and
 * then whether it is there at all, which any daemon answers that lives, however busy it is.
 *
 * @module
 */
import type { Timers } from "@cambium/client/host";

export interface Watched {
  readonly timers: Timers;
  /** What fires it stops the work, too. */
  readonly signal: AbortSignal | undefined;
  /** Settles, either way, when the daemon has said anything. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>;
  /** What is thrown when it says nothing. */
  readonly hangs: () => Promise<Error>;
}

const ASK_AFTER_MS = 10_000;
/** Longer than what a daemon may do in one piece. */
const ANSWER_WITHIN_MS = 30_000;

/** @throws what `work` throws, or what `hangs` gives */
export async function whileStillThere<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { timers, signal, ask, hangs }: Watched,
): Promise<Result> {
  const ended = new AbortController();
  let isHanging = false;
  let cancel = timers.after(ASK_AFTER_MS, askAgain);

  function askAgain(): void {
    cancel = timers.after(ANSWER_WITHIN_MS, () => {
      isHanging = true;
      ended.abort();
    });
    const goOn = (): void => {
      cancel();
      if (!ended.signal.aborted) cancel = timers.after(ASK_AFTER_MS, askAgain);
    };
    ask(ended.signal).then(goOn, goOn); // that it could not be asked, the work itself learns
  }

  try {
    return await work(signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]));
  } catch (error) {
    throw isHanging ? await hangs() : error;
  } finally {
    cancel();
    ended.abort();
  }
}
