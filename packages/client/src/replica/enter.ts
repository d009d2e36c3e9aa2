/**
 * Getting into a space by an invitation: this device trades it for a token of its own. An invitation of an earlier
 * version holds the token of all who join by it, and that is then this device's.
 *
 * @module
 */
import { createHash } from "node:crypto";
import {
  bytesToBase64Url,
  CambiumError,
  isCambiumError,
  KeyRing,
  type Platform,
  type SpaceId,
} from "@cambium/core";
import type { RelayAccess, Role } from "../api.js";
import type { Identity } from "../documents/identity.js";
import type { Invitation } from "../sync/invitation.js";
import { isInvitationToken } from "../sync/relay-url.js";
import type { NewAccess } from "./introduce.js";

/** Where a device got in, and as what. */
export interface Entry {
  readonly relay: RelayAccess;
  readonly role: Role;
  /** Of a token that was traded. */
  readonly made?: NewAccess;
}

export interface EnteringDevice {
  readonly identity: Pick<Identity, "id" | "name" | "secretFor" | "publicKey">;
  readonly platform: Platform;
}

type Entered = Pick<Invitation, "relay" | "space" | "token" | "key" | "epoch">;

/** Loaded by those who talk to a relay: most processes that read never do. */
const relayInvitations = () => import("../sync/relay-invitations.js");

/**
 * Asks the relay what an invitation allows, without using it.
 *
 * @throws {CambiumError} BAD_INVITATION, TOKEN_REFUSED, RELAY_UNREACHABLE
 */
export async function offeredRole({ relay: url, token, space }: Entered): Promise<Role> {
  const { relayInvitationOf } = await relayInvitations();
  const { relaySpaceOf } = await import("../sync/relay-http.js");
  const ask = isInvitationToken(token) ? relayInvitationOf : relaySpaceOf;
  const found = await ask({ url, token }).catch(throwAboutInvitation);
  if (found.space === space) return found.role;
  throw new CambiumError("BAD_INVITATION", "The invitation's token is for another space.", {
    hint: "Ask for a new invitation.",
  });
}

/** @throws {CambiumError} BAD_INVITATION, TOKEN_REFUSED, QUOTA_EXCEEDED, RATE_LIMITED, RELAY_UNREACHABLE */
export async function enter(invitation: Entered, device: EnteringDevice): Promise<Entry> {
  const { relay: url, token, space } = invitation;
  const role = await offeredRole(invitation);
  if (!isInvitationToken(token)) return { relay: { url, token }, role };
  const { tradeInvitation } = await relayInvitations();
  const own = ownToken(device.identity, token);
  const body = {
    hash: createHash("sha256").update(own).digest("hex"),
    device: await sealed(invitation, device),
  };
  const traded = await tradeInvitation({ url, token }, body);
  const { tokenId, role: allowed, invitationId: cameBy, expiresAt } = traded;
  if (traded.space !== space) throw new CambiumError("RELAY_PROTOCOL", "The relay traded for another space.");
  return { relay: { url, token: own }, role: allowed, made: { tokenId, role: allowed, cameBy, expiresAt } };
}

/** The same each time: a trade whose answer was lost is sent again, and is one. */
const ownToken = (identity: EnteringDevice["identity"], token: string): string =>
  `cambium_space_${bytesToBase64Url(identity.secretFor(`cambium device token ${token}`))}`;

async function sealed(
  { space, key, epoch }: Entered,
  { identity, platform }: EnteringDevice,
): Promise<string> {
  const { sealDevice } = await import("../sync/sealed-device.js");
  const { id: replica, name } = identity;
  const keys = new KeyRing(space as SpaceId, { epoch: 0, secret: key });
  if (epoch !== undefined) keys.writeUnder(epoch);
  const stated = { replica, name, key: bytesToBase64Url(identity.publicKey) };
  return await sealDevice(platform, keys, stated);
}

/** The relay tells nobody whether a token that it does not know was revoked, has expired, or never was. */
function throwAboutInvitation(error: unknown): never {
  if (!isCambiumError(error, "TOKEN_REFUSED")) throw error;
  throw new CambiumError("TOKEN_REFUSED", "The invitation has expired or was revoked.", {
    hint: "Ask for a new one: `cambium invite`, on a device of the space whose role is admin, makes it.",
    cause: error,
  });
}
