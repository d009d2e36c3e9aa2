/**
 * Where a relay is: one http(s) address, from which every endpoint follows; and what can be a token.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";

/**
 * Returns the address without a trailing slash. `ws` and `wss` are taken for `http` and `https`.
 *
 * @throws {CambiumError} BAD_INPUT when it is no such address, or carries a password, a query or a fragment
 */
export function normaliseRelayUrl(text: string): string {
  const url = URL.parse(text.trim().replace(/^ws(?=s?:)/i, "http"));
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw badRelayUrl("It has to begin with https:// or http://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw badRelayUrl("It must not carry a name or a password; relays know people by tokens.");
  }
  if (url.search !== "" || url.hash !== "") throw badRelayUrl("It must end with its path.");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** @param relay - as `normaliseRelayUrl` gives it */
export const relaySocketUrl = (relay: string): string => `${relay.replace(/^http/, "ws")}/sync`;

/** Builds a path below the relay's address; each segment is escaped. */
export const relayHttpUrl = (relay: string, segments: readonly string[]): string =>
  [relay, ...segments.map(encodeURIComponent)].join("/");

/** @throws {CambiumError} BAD_INPUT when the token could not be a header's value */
export function checkToken(token: string): string {
  if (!/^[\x21-\x7e]{1,1024}$/.test(token)) {
    throw new CambiumError("BAD_INPUT", "The relay token is empty or has characters that no token has.");
  }
  return token;
}

/** How the token of an invitation begins that is traded. Earlier invitations hold the token of those who join. */
const INVITATION_PREFIX = "cambium_invite_";

/** Whether a token opens nothing by itself, and is traded for one that does. */
export const isInvitationToken = (token: string): boolean => token.startsWith(INVITATION_PREFIX);

// The text may hold a password, so it is not repeated.
const badRelayUrl = (hint: string): CambiumError =>
  new CambiumError("BAD_INPUT", "The relay's address is not usable.", { hint });
