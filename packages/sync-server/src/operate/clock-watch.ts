/**
 * Tells when the clock of the machine is behind the time by which a relay judges what has ended.
 *
 * @module
 */
import type { OnEvent } from "../events.js";

/** Less is a clock that is set right. */
const LEAST_MS = 60_000;

/**
 * @param clock - as the machine has it, in milliseconds since 1970
 * @param now - as the relay goes by
 * @returns looks, and tells it once for each time that it happens
 */
export function clockWatch(clock: () => number, now: () => number, onEvent: OnEvent): () => void {
  let isBehind = false;
  return () => {
    const behindMs = now() - clock();
    const wasBehind = isBehind;
    isBehind = behindMs >= LEAST_MS;
    if (isBehind && !wasBehind)
      onEvent({ level: "warn", type: "clock-set-back", seconds: Math.round(behindMs / 1_000) });
  };
}
