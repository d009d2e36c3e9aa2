/**
 * The token to connect with, where a space was joined while its relay was away: the invitation is traded as soon as
 * the relay answers.
 *
 * @module
 */
import { type CambiumError, isCambiumError } from "@cambium/core";
import type { RelayAccess } from "../api.js";
import { reconnectDelayMs } from "../platform/backoff.js";
import { idleTimers } from "../platform/idle-timers.js";
import { isInvitationToken } from "./relay-url.js";

const RETRY_CAP_MS = 2_000;

export interface LateTradeOptions {
  readonly relay: RelayAccess;
  readonly trade: (relay: RelayAccess) => Promise<RelayAccess>;
  /** The relay is away, and is asked again. */
  readonly onAway: (reason: CambiumError) => void;
  readonly signal: AbortSignal;
}

/** @throws {CambiumError} what the relay refuses with; not when the signal fires: who gave up looks at it */
export async function connectable({ relay, trade, onAway, signal }: LateTradeOptions): Promise<RelayAccess> {
  for (let attempt = 0; isInvitationToken(relay.token) && !signal.aborted; attempt += 1) {
    try {
      return await trade(relay);
    } catch (error) {
      const isPassing = isCambiumError(error, "RELAY_UNREACHABLE") || isCambiumError(error, "RATE_LIMITED");
      if (!isPassing) throw error;
      onAway(error);
    }
    await pause(reconnectDelayMs(attempt, Math.random, RETRY_CAP_MS), signal);
  }
  return relay;
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = idleTimers.after(delayMs, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
}
