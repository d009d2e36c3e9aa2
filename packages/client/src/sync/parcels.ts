/**
 * Leaving something sealed at the relay for whoever has a secret that it does not know: with a token that is made of
 * that secret. The relay learns the token when it is used, and nothing of what opens the parcel.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { bytesFromBase64Url, bytesToBase64Url, CambiumError, type SpaceId } from "@cambium/core";
import type { RelayAccess, Role } from "../api.js";
import { relaySpaceOf } from "./relay-http.js";
import { createRelayInvitation, revokeRelayInvitation, tradeInvitation } from "./relay-invitations.js";

/** Within it the token is made. */
const TRADE_MS = 10 * 60_000;

export interface LeftParcel {
  /** What the token allows at the relay. */
  readonly role: Role;
  /** SHA-256 of the token, in hexadecimal. */
  readonly hash: string;
  readonly parcel: Uint8Array;
  /** When the token ends, in milliseconds since 1970. Default: never. */
  readonly until?: number;
}

export const hashOfToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/**
 * @returns the id of the token
 * @throws {CambiumError} ROLE_REFUSED, TOKEN_REFUSED, QUOTA_EXCEEDED, RELAY_UNREACHABLE
 */
export async function leaveParcel(
  relay: RelayAccess,
  space: SpaceId,
  { role, hash, parcel, until }: LeftParcel,
  now: number,
): Promise<string> {
  const wish = { role, uses: 1, expiresAt: now + TRADE_MS, accessUntil: until };
  const made = await createRelayInvitation(relay, space, wish);
  if (made === undefined)
    throw new CambiumError("RELAY_PROTOCOL", "The relay is of an earlier version, which cannot do this.", {
      hint: "Update the relay.",
    });
  const device = bytesToBase64Url(parcel);
  const { tokenId } = await tradeInvitation({ ...relay, token: made.token }, { hash, device });
  await revokeRelayInvitation(relay, space, { invitation: made.invitationId, withTokens: false });
  return tokenId;
}

/**
 * @returns what was left for this token, and where
 * @throws {CambiumError} TOKEN_REFUSED, RELAY_UNREACHABLE, RELAY_PROTOCOL
 */
export async function fetchParcel(
  access: RelayAccess,
): Promise<{ readonly space: SpaceId; readonly parcel: Uint8Array }> {
  const { space, device } = await relaySpaceOf(access);
  if (device === undefined)
    throw new CambiumError(
      "RELAY_PROTOCOL",
      "The relay has kept nothing for this: it may be of an earlier version.",
    );
  return { space, parcel: bytesFromBase64Url(device) };
}
