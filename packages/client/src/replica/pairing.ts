/**
 * Pairing a new device: this one leaves an invitation for it at the relay, sealed under a code that a person carries
 * from one to the other.
 *
 * @module
 */
import { CambiumError, isCambiumError, type SpaceId } from "@cambium/core";
import type { Pairing, RelayAccess, Role } from "../api.js";
import { newPairingCode, pairingSecretOf } from "../keys/pairing-code.js";
import { type Invitation, parseInvitation } from "../sync/invitation.js";
import { fetchParcel, hashOfToken, leaveParcel } from "../sync/parcels.js";
import { revokeRelayToken } from "../sync/relay-http.js";
import { listRelayMembers, revokeRelayInvitation } from "../sync/relay-invitations.js";
import { normaliseRelayUrl } from "../sync/relay-url.js";

/** As long as it takes to walk to the other device. */
const LIFE_MS = 10 * 60_000;

export interface PairingServices {
  readonly relay: RelayAccess;
  readonly space: SpaceId;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Makes an invitation, and says which it is. */
  readonly invite: (options: {
    readonly role: Role;
    readonly expiresAt: number;
    readonly uses: number;
  }) => Promise<{ readonly invitation: string; readonly id: string }>;
  /** Notes a token that is nobody's, and which invitation it leads to. */
  readonly noteCarrier: (tokenId: string, expiresAt: number, invitation: string) => Promise<void>;
}

/** @throws {CambiumError} ROLE_REFUSED, TOKEN_REFUSED, QUOTA_EXCEEDED, RELAY_UNREACHABLE, RELAY_PROTOCOL */
export async function beginPairing(services: PairingServices, role: Role): Promise<Pairing> {
  const { relay, space, now, random, invite, noteCarrier } = services;
  const expiresAt = now() + LIFE_MS;
  const code = newPairingCode(random);
  const secret = await pairingSecretOf(code);
  const { invitation, id } = await invite({ role, expiresAt, uses: 1 });
  const left = {
    role: "read",
    hash: hashOfToken(secret.token),
    parcel: secret.seal({ invitation }),
  } as const;
  const access = await leaveParcel(relay, space, { ...left, until: expiresAt }, now());
  await noteCarrier(access, expiresAt, id);
  const link = `${normaliseRelayUrl(relay.url)}/pair#${code}`;
  return { code, link, relay: relay.url, role, expiresAt, invitation: id, access };
}

/** @returns whether somebody has come by it */
export async function hasPaired(
  { relay, space }: Pick<PairingServices, "relay" | "space">,
  { invitation }: Pick<Pairing, "invitation">,
): Promise<boolean> {
  return (await listRelayMembers(relay, space)).some(({ cameBy }) => cameBy === invitation);
}

/** The code is good for nothing from then on. Whoever has come by it stays. */
export async function endPairing(
  { relay, space }: Pick<PairingServices, "relay" | "space">,
  { invitation, access }: Pick<Pairing, "invitation" | "access">,
): Promise<void> {
  await revokeRelayToken(relay, { space, tokenId: access }).catch(ignoreGone);
  await revokeRelayInvitation(relay, space, { invitation, withTokens: false }).catch(ignoreGone);
}

function ignoreGone(error: unknown): void {
  if (!isCambiumError(error, "BAD_INPUT")) throw error;
}

/**
 * @param code - or the link, which names the relay as well
 * @throws {CambiumError} BAD_INPUT, TOKEN_REFUSED, RELAY_UNREACHABLE, RELAY_PROTOCOL
 */
export async function invitationOfCode(code: string, at: string | undefined): Promise<Invitation> {
  const found = /^(.+)\/pair\/?#(.+)$/s.exec(code.trim());
  const url = at ?? found?.[1];
  const secret = await pairingSecretOf(found?.[2] ?? code);
  if (url === undefined)
    throw new CambiumError("BAD_INPUT", "The code does not say where the relay is.", {
      hint: "Name it as the other device shows it: --relay <url>.",
    });
  const relay = normaliseRelayUrl(url);
  const { parcel } = await fetchParcel({ url: relay, token: secret.token }).catch((error: unknown) => {
    throw isCambiumError(error, "TOKEN_REFUSED") ? unknownCode(relay, error) : error;
  });
  const opened = secret.open(parcel);
  if (opened === undefined)
    throw new CambiumError(
      "RELAY_PROTOCOL",
      "What the relay gave is not what the other device has left there.",
      {
        hint: "Begin again on the other device: cambium pair",
      },
    );
  // The other device may reach the relay by another address.
  return { ...parseInvitation(opened.invitation), relay };
}

const unknownCode = (relay: string, cause: unknown): CambiumError =>
  new CambiumError("TOKEN_REFUSED", `The relay at ${new URL(relay).host} knows no such code.`, {
    hint: "It is good for ten minutes and for one device. Make a new one on the other device: cambium pair",
    cause,
  });
