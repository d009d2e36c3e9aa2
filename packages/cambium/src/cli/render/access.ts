/**
 * What a device may do at the relay, and what joining changed about it, for people.
 *
 * @module
 */
import type { Role, SpaceInfo } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import { fullTime } from "./time.js";

/** Weakest first. */
const ALLOWS: Readonly<Record<Role, string>> = {
  read: "read",
  write: "read and write",
  admin: "read, write and invite",
};

const strengthOf = (role: Role): number => Object.keys(ALLOWS).indexOf(role);

/**
 * Says what this device may do now, beside what it could before it joined again.
 *
 * @returns undefined where nothing has changed
 */
export function accessChange(
  before: SpaceInfo | undefined,
  after: SpaceInfo,
  nowMs: number,
): string | undefined {
  const { role, relay, accessUntil } = after;
  const until = accessUntil === undefined ? "" : `, until ${fullTime(accessUntil, nowMs)}`;
  const now = `may ${ALLOWS[role]}${until}`;
  if (before === undefined) return `This device ${now}.`;
  if (before.relay !== relay)
    return `It is linked to ${oneLine(relay ?? "no relay")} now, where this device ${now}.`;
  if (before.access === after.access && before.role === role) return undefined;
  // Access that is as good is kept: where one was replaced by no better one, it had ended.
  const hadEnded = before.access !== after.access && strengthOf(before.role) >= strengthOf(role);
  if (!hadEnded) return `This device ${now} (before: ${ALLOWS[before.role]}).`;
  const could = before.role === role ? "" : ` (before its access ended: ${ALLOWS[before.role]})`;
  return `This device has access again. It ${now}${could}.`;
}
