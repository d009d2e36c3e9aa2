/**
 * Turning a space to a relay: a new one, another one, or one that has lost it.
 *
 * @module
 */
import { CambiumError, isCambiumError, type SpaceId } from "@cambium/core";
import type { LinkedRelay, RelayAccess, Role } from "../api.js";
import type { SpaceConfig } from "../documents/space-config.js";
import type { AuditLog } from "../governance/audit-log.js";
import type { GuardServices } from "../governance/guarded-agent.js";
import { isInvitationToken, normaliseRelayUrl } from "../sync/relay-url.js";
import type { NewAccess } from "./introduce.js";

export interface LinkingServices extends Pick<GuardServices, "caller" | "policyCheck"> {
  readonly config: SpaceConfig;
  readonly audit: AuditLog;
  readonly moveTo: (relay: RelayAccess, role: Role, made?: NewAccess) => Promise<void>;
}

/** @throws {CambiumError} RELAY_UNREACHABLE, TOKEN_REFUSED, ROLE_REFUSED; the space then keeps the relay it has */
export async function linkTo(
  { config, audit, caller, policyCheck, moveTo }: LinkingServices,
  access: RelayAccess,
): Promise<LinkedRelay> {
  const url = normaliseRelayUrl(access.url);
  await audit.open();
  await policyCheck.check({
    operation: "link",
    call: { method: "link", args: [{ url }] },
    preview: () => ({ counts: {}, ids: [], plan: [url] }),
  });
  const { token, role, isNew, tokenId } = await placeOn({ url, token: access.token }, config.id as SpaceId);
  const before = config.relay?.url ?? null;
  await moveTo({ url, token }, role, tokenId === undefined ? undefined : { tokenId, role });
  audit.note(caller, { operation: "link", details: { url } });
  return { url, role, isNew, before };
}

interface Place {
  readonly token: string;
  /** Of a token that was made for it. */
  readonly tokenId?: string;
  readonly role: Role;
  readonly isNew: boolean;
}

/** Finds or makes the place of a space on a relay. */
async function placeOn(access: RelayAccess, space: SpaceId): Promise<Place> {
  if (isInvitationToken(access.token)) {
    throw new CambiumError(
      "BAD_INPUT",
      "This is the token of an invitation, which opens nothing by itself.",
      {
        hint: "Give the whole invitation: cambium join <invitation>",
      },
    );
  }
  const { relaySpaceOf } = await import("../sync/relay-http.js");
  const found = await relaySpaceOf(access).catch((error: unknown) => {
    if (isCambiumError(error, "ROLE_REFUSED")) return undefined; // that of the relay's admin
    throw isCambiumError(error, "TOKEN_REFUSED") ? unknownToken(access.url, error) : error;
  });
  if (found === undefined) return await placeByAdmin(access, space);
  const { role } = found;
  if (found.space !== space) {
    throw new CambiumError("TOKEN_REFUSED", "The token is for another space.", { hint: WHICH_TOKEN });
  }
  if (role === "read") {
    throw new CambiumError("ROLE_REFUSED", "The token allows reading only, so nothing could be sent.", {
      hint: WHICH_TOKEN,
    });
  }
  return { token: access.token, role, isNew: false };
}

async function placeByAdmin(access: RelayAccess, space: SpaceId): Promise<Place> {
  const { createRelaySpace, createRelayToken } = await import("../sync/relay-http.js");
  try {
    return { ...(await createRelaySpace(access, space)), isNew: true };
  } catch (error) {
    if (!isCambiumError(error, "SPACE_EXISTS")) throw error;
    return { ...(await createRelayToken(access, { space, role: "admin" })), isNew: false };
  }
}

const WHICH_TOKEN =
  "Give the relay's admin token, which `cambium serve` and `npm start` keep in the file admin-token of the relay, or a token of this space that allows writing.";

const unknownToken = (url: string, cause: unknown): CambiumError =>
  new CambiumError("TOKEN_REFUSED", `The relay at ${new URL(url).host} does not know this token.`, {
    hint: WHICH_TOKEN,
    cause,
  });
