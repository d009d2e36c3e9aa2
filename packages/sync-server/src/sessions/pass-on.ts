/**
 * What many sessions of a space are given, in steps.
 *
 * @module
 */
import { encodeRelayFrame, type LogRelayFrame } from "@cambium/core/wire";
import { prepare } from "./messages.js";

/** So many hear it in one step, and fewer of what is long. */
const HEARERS_OF_STEP = 32;
/** So many are given new entries in one step, and fewer of what is long. */
const WOKEN_OF_STEP = 128;
const BYTES_OF_STEP = 256 * 1024;

interface Hearer {
  hear(frame: Uint8Array): void;
}

interface Woken {
  /** @returns how many bytes it was sent at once */
  wake(): number;
}

/** Tells sessions that the log has gone on. @returns those that are left for another step */
export function wakeSome<Session extends Woken>(sessions: readonly Session[]): readonly Session[] {
  let [woken, bytes] = [0, 0];
  for (const session of sessions.slice(0, WOKEN_OF_STEP)) {
    if (bytes >= BYTES_OF_STEP) break;
    bytes += session.wake();
    woken += 1;
  }
  return sessions.slice(woken);
}

/** What one session says. @param speaker - does not hear itself */
export async function* passOn(
  hearers: Iterable<Hearer>,
  frame: LogRelayFrame,
  speaker?: Hearer,
): AsyncGenerator<void> {
  const bytes = encodeRelayFrame(frame);
  prepare(bytes);
  const atOnce = Math.max(1, Math.min(HEARERS_OF_STEP, Math.floor(BYTES_OF_STEP / bytes.length)));
  let heard = 0;
  for (const hearer of hearers) {
    if (hearer === speaker) continue;
    hearer.hear(bytes);
    heard += 1;
    if (heard % atOnce === 0) yield;
  }
}
