/**
 * Coming into a space with its recovery kit: the kit makes an invitation for this device, and stays as it is.
 *
 * @module
 */
import { CambiumError, isCambiumError } from "@cambium/core";
import { readKit } from "../keys/kit-page.js";
import { kitToken, openParcel } from "../keys/recovery-kit.js";
import type { Invitation } from "../sync/invitation.js";
import { fetchParcel } from "../sync/parcels.js";
import { createRelayInvitation } from "../sync/relay-invitations.js";
import { normaliseRelayUrl } from "../sync/relay-url.js";

const LIFE_MS = 10 * 60_000;

/** @throws {CambiumError} BAD_INPUT, TOKEN_REFUSED, RELAY_UNREACHABLE, RELAY_PROTOCOL */
export async function invitationOfKit(kit: string, at: string | undefined, now: number): Promise<Invitation> {
  const { secret, relay: named } = readKit(kit);
  const url = at ?? named;
  if (url === undefined)
    throw new CambiumError("BAD_INPUT", "The kit does not say where the relay of its space is.", {
      hint: "Name it: --relay <url>. Without a relay, take an archive: --archive <file>.",
    });
  const relay = normaliseRelayUrl(url);
  const access = { url: relay, token: kitToken(secret) };
  const { space, parcel } = await fetchParcel(access).catch((error: unknown) => {
    throw isCambiumError(error, "TOKEN_REFUSED") ? unknownKit(relay, error) : error;
  });
  const found = openParcel(secret, space, parcel);
  if (found === undefined)
    throw new CambiumError(
      "RELAY_PROTOCOL",
      "What the relay has kept for the kit is not what was left there.",
      {
        hint: "Take an archive of the space instead: --archive <file>.",
      },
    );
  const made = await createRelayInvitation(access, space, {
    role: "admin",
    uses: 1,
    expiresAt: now + LIFE_MS,
  });
  if (made === undefined)
    throw new CambiumError("RELAY_PROTOCOL", "The relay has become an earlier version.");
  return { relay, space, token: made.token, ...found, seed: secret };
}

const unknownKit = (relay: string, cause: unknown): CambiumError =>
  new CambiumError("TOKEN_REFUSED", `The relay at ${new URL(relay).host} knows no such recovery kit.`, {
    hint: "It was revoked, or the space is on another relay: --relay <url>. An archive needs no relay: --archive <file>.",
    cause,
  });
