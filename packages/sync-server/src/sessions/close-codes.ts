/**
 * Why the relay ends a session; see docs/protocol.md.
 *
 * @module
 */
import type { Role } from "../log/relay-log.js";

export const CLOSE_CODES = {
  shutdown: { code: 1001, reason: "The relay is stopping." },
  failed: { code: 1011, reason: "The relay could not store what you sent; connect again." },
  protocol: { code: 4400, reason: "Not a message of this protocol." },
  token: { code: 4401, reason: "The token is unknown, was revoked or has expired." },
  spent: {
    code: 4408,
    reason: "What you sent took more time or memory than a session has; wait a minute.",
  },
  moved: { code: 4409, reason: "The log is no longer the one that you were reading; connect again." },
  tooMany: { code: 4429, reason: "This token or address has too many connections; wait." },
  role: { code: 4410, reason: "What this token allows has changed; connect again." },
  admin: { code: 4403, reason: "This is the relay's admin token; documents need a token of a space." },
} as const;

/**
 * @param role - what the token of a session allows by now; undefined where it stands no more.
 * @returns undefined: nothing ends
 */
export function endOfToken(member: { readonly role: Role }, role: Role | undefined): CloseCode | undefined {
  if (role === undefined) return CLOSE_CODES.token;
  return role === member.role ? undefined : CLOSE_CODES.role;
}

export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];
