/**
 * What a caller does when its call does not reach the daemon, or its answer does not come back.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { messageOf } from "@cambium/core/text";
import { ConnectionLost } from "./connection-lost.js";
import type { Starter } from "./daemon-starter.js";

export interface RetryPolicyOptions {
  readonly starter: Starter;
  readonly now: () => number;
  /** Whether a daemon is started when none is there. Default: true. */
  readonly start?: boolean | undefined;
  /** How long a daemon may be out of reach. */
  readonly timeoutMs?: number | undefined;
  readonly pause?: ((ms: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined;
}

const TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;
/** A call that ends every daemon it is given to is not given to another. */
const MOST_DROPS = 8;

/** The troubles of one call, and how long they last. */
export class RetryPolicy {
  readonly #options: RetryPolicyOptions;
  #since: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #drops = 0;

  constructor(options: RetryPolicyOptions) {
    this.#options = options;
  }

  /**
   * Does what can be done about it, and returns when it is worth another attempt.
   *
   * @throws what nothing can be done about
   */
  async wait(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const { timeoutMs = TIMEOUT_MS, pause = wait, now } = this.#options;
    const isEnding = isCambiumError(error, "DAEMON_STOPPING") || isCambiumError(error, "DAEMON_OLDER");
    if (!isEnding) this.#meet(error);
    this.#since ??= now();
    if (now() - this.#since >= timeoutMs) throw unreachable(whyOf(error), error);
    await pause(this.#pauseMs, signal).catch(() => undefined); // aborted: reported by the next attempt
    this.#pauseMs = Math.min(this.#pauseMs * 1.5, LONGEST_PAUSE_MS);
  }

  #meet(error: unknown): void {
    if (!(error instanceof ConnectionLost)) throw error;
    switch (error.loss) {
      case "absent":
        this.#start(error);
        return;
      case "dropped":
        // It was reached, and may have worked on this for long: its being out of reach begins now.
        this.#since = undefined;
        this.#drops += 1;
        if (this.#drops > MOST_DROPS) throw unreachable("It ended again and again while it was asked", error);
        return;
      case "busy":
        return;
      case "refused":
        throw unreachable(whyOf(error), error);
      default:
        error.loss satisfies never;
    }
  }

  #start(cause: unknown): void {
    const { start = true, starter } = this.#options;
    if (!start) throw notRunning(cause);
    const failure = starter.takeFailure();
    if (failure !== undefined) throw failure;
    starter.start();
  }
}

const wait = (ms: number, signal: AbortSignal | undefined): Promise<unknown> =>
  delay(ms, undefined, signal === undefined ? {} : { signal });

const whyOf = (error: unknown): string => messageOf(error).replace(/\.$/, "");

const notRunning = (cause: unknown): CambiumError =>
  new CambiumError("DAEMON_UNREACHABLE", "No daemon runs for this home.", {
    hint: "Start it with `cambium daemon`.",
    details: { isRunning: false },
    cause,
  });

const unreachable = (why: string, cause: unknown): CambiumError =>
  new CambiumError("DAEMON_UNREACHABLE", `The daemon cannot be reached: ${why}.`, {
    hint: "See daemon.log in CAMBIUM_HOME, or set CAMBIUM_DAEMON=off to work without a daemon.",
    cause,
  });

/** @param pid - of the daemon, where it is known */
export const hangingDaemon = (pid: number | undefined): CambiumError =>
  new CambiumError("DAEMON_UNREACHABLE", "The daemon is running, but does not answer.", {
    hint: `End its process${pid === undefined ? "" : ` ${pid}`}, and the next call starts another; what was acknowledged is safe.`,
    details: { pid },
  });
