/**
 * What one session says, given to the others of its space in steps.
 *
 * @module
 */
import { encodeRelayFrame, type LogRelayFrame } from "@cambium/core/wire";

/** So many hear it in one step. */
const HEARERS_OF_STEP = 32;

interface Hearer {
  hear(frame: Uint8Array): void;
}

/** @param speaker - does not hear itself */
export async function* passOn(
  hearers: Iterable<Hearer>,
  frame: LogRelayFrame,
  speaker?: Hearer,
): AsyncGenerator<void> {
  const bytes = encodeRelayFrame(frame);
  let heard = 0;
  for (const hearer of hearers) {
    if (hearer === speaker) continue;
    hearer.hear(bytes);
    heard += 1;
    if (heard % HEARERS_OF_STEP === 0) yield;
  }
}
