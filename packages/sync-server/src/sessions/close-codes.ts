/**
 * Why the relay ends a session; see docs/protocol.md.
 *
 * @module
 */
export const CLOSE_CODES = {
  shutdown: { code: 1001, reason: "The relay is stopping." },
  failed: { code: 1011, reason: "The relay could not store what you sent; connect again." },
  protocol: { code: 4400, reason: "Not a message of this protocol." },
  token: { code: 4401, reason: "The token was revoked or has expired." },
  moved: { code: 4409, reason: "The log is no longer the one that you were reading; connect again." },
} as const;
