/**
 * Inviting another device or person: an invitation of the relay, and the key of the space, which only they get.
 *
 * @module
 */
import { bytesFromBase64Url, CambiumError, type SpaceId } from "@cambium/core";
import type { InviteOptions, RelayAccess, Role } from "../api.js";
import type { SeenAtInvitation, SpaceConfig } from "../documents/space-config.js";
import type { AuditLog } from "../governance/audit-log.js";
import type { GuardServices } from "../governance/guarded-agent.js";
import type { KnownEpoch } from "../keys/epoch-entry.js";
import { invitationKeys } from "../keys/takers.js";
import { encodeInvitation } from "../sync/invitation.js";

export interface InvitingServices extends Pick<GuardServices, "caller" | "policyCheck"> {
  readonly config: SpaceConfig;
  readonly audit: AuditLog;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** What is written under, unless that is the first key. */
  readonly epoch: () => KnownEpoch | undefined;
  /** How far the relay has given this device the space. */
  readonly seen: () => SeenAtInvitation["heads"];
  /** Writes down who made it. */
  readonly noteInvitation: (made: MadeInvitation) => Promise<void>;
}

/** As the relay knows it. */
interface IssuedInvitation {
  readonly tokenId: string;
  readonly token: string;
  readonly expiresAt: number | undefined;
}

export interface MadeInvitation extends IssuedInvitation {
  readonly agent: string | undefined;
  readonly role: Role;
  /** Of whoever comes by it. */
  readonly key: Uint8Array;
}

const SEED_BYTES = 16;
/** Links stay in messages for years. */
const USUAL_LIFE_MS = 7 * 24 * 3_600_000;

/** @throws {CambiumError} BAD_INPUT where nobody can be invited, ROLE_REFUSED, RELAY_UNREACHABLE */
export async function inviteTo(
  { config, audit, caller, policyCheck, noteInvitation, now, random, seen, epoch }: InvitingServices,
  options: InviteOptions,
): Promise<string> {
  const { role } = options;
  await audit.open();
  await policyCheck.check({
    operation: "invite",
    call: { method: "invite", args: [options] },
    preview: () => ({ counts: {}, ids: [], plan: [role] }),
  });
  const { relay, key, name } = config;
  const space = config.id as SpaceId;
  if (relay === null) {
    throw new CambiumError("BAD_INPUT", "This space has no relay, so other devices cannot reach it.", {
      hint: "Give it one: cambium link <url of the relay> --token <admin token of the relay>",
    });
  }
  const issued = (await issue(relay, space, options, now())) ?? (await issuePlain(relay, space, options));
  const seed = random(SEED_BYTES);
  const link = invitationKeys(seed).publicKey;
  await noteInvitation({ ...issued, agent: caller.agent, role, key: link });
  const { token, expiresAt } = issued;
  audit.note(caller, { operation: "invite", details: { role, expiresAt } });
  return encodeInvitation({
    ...{ relay: relay.url, space, token, key: bytesFromBase64Url(key), name },
    ...{ seen: { at: now(), heads: seen() }, seed },
    epoch: epoch(),
  });
}

/** @returns undefined where the relay is of a version without invitations */
async function issue(
  relay: RelayAccess,
  space: SpaceId,
  { role, accessUntil, uses, ...options }: InviteOptions,
  now: number,
): Promise<IssuedInvitation | undefined> {
  const { createRelayInvitation } = await import("../sync/relay-invitations.js");
  const expiresAt = options.expiresAt === undefined ? now + USUAL_LIFE_MS : (options.expiresAt ?? undefined);
  const made = await createRelayInvitation(relay, space, { role, expiresAt, accessUntil, uses });
  return made && { tokenId: made.invitationId, token: made.token, expiresAt };
}

/** A token that all who join share, and that ends for all of them at once. */
async function issuePlain(
  relay: RelayAccess,
  space: SpaceId,
  { role, uses, ...options }: InviteOptions,
): Promise<IssuedInvitation> {
  if (uses !== undefined) {
    throw new CambiumError("BAD_INPUT", "The relay is of an earlier version, and does not count uses.", {
      hint: "Update the relay, or leave out the number of uses.",
    });
  }
  const { createRelayToken } = await import("../sync/relay-http.js");
  const ends = [options.expiresAt, options.accessUntil].filter((time) => typeof time === "number");
  const expiresAt = ends.length === 0 ? undefined : Math.min(...ends);
  const { token, tokenId } = await createRelayToken(relay, { space, role, expiresAt });
  return { tokenId, token, expiresAt };
}
