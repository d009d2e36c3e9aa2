/**
 * Inviting another device or person: a token of the relay, and the key of the space, which only they get.
 *
 * @module
 */
import { bytesFromBase64Url, CambiumError, type SpaceId } from "@cambium/core";
import type { InviteOptions, Role } from "../api.js";
import type { SpaceConfig } from "../documents/space-config.js";
import type { AuditLog } from "../governance/audit-log.js";
import type { GuardServices } from "../governance/guarded-agent.js";
import { encodeInvitation } from "../sync/invitation.js";

export interface InvitingServices extends Pick<GuardServices, "caller" | "policyCheck"> {
  readonly config: SpaceConfig;
  readonly audit: AuditLog;
  /** Writes down who made it. */
  readonly noteInvitation: (made: MadeInvitation) => Promise<void>;
}

export interface MadeInvitation {
  readonly tokenId: string;
  readonly token: string;
  readonly agent: string | undefined;
  readonly role: Role;
  readonly expiresAt: number | undefined;
}

/** @throws {CambiumError} BAD_INPUT where nobody can be invited, ROLE_REFUSED, RELAY_UNREACHABLE */
export async function inviteTo(
  { config, audit, caller, policyCheck, noteInvitation }: InvitingServices,
  { role, expiresAt }: InviteOptions,
): Promise<string> {
  await audit.open();
  await policyCheck.check({
    operation: "invite",
    call: { method: "invite", args: [{ role, expiresAt }] },
    preview: () => ({ counts: {}, ids: [], plan: [role] }),
  });
  const { relay, key, name } = config;
  const space = config.id as SpaceId;
  if (relay === null) {
    throw new CambiumError("BAD_INPUT", "This space has no relay, so other devices cannot reach it.", {
      hint: "Give it one: cambium link <url of the relay> --token <admin token of the relay>",
    });
  }
  const { createRelayToken } = await import("../sync/relay-http.js");
  const { token, tokenId } = await createRelayToken(relay, { space, role, expiresAt });
  await noteInvitation({ tokenId, token, agent: caller.agent, role, expiresAt });
  audit.note(caller, { operation: "invite", details: { role, expiresAt } });
  return encodeInvitation({ relay: relay.url, space, token, key: bytesFromBase64Url(key), name });
}
