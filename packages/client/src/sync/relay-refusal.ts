/**
 * What a relay refuses, as an error for whoever waits.
 *
 * @module
 */
import { CambiumError, ERROR_CODES, type ErrorCode } from "@cambium/core";

/** @param code - one of a later relay says only that the two do not understand each other */
export function relayRefusal(code: string, message: string): CambiumError {
  const known = Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : "RELAY_PROTOCOL";
  return new CambiumError(known, message, { hint: HINTS[code] });
}

const STAYS = "What was not sent stays on this device, and nothing is lost.";

const HINTS: Readonly<Record<string, string>> = {
  QUOTA_EXCEEDED: `${STAYS} Ask who operates the relay for more room; the next sync tries again.`,
  ROLE_REFUSED: `${STAYS} Ask an admin of the space for an invitation with the role write.`,
};
