/**
 * Giving a device another role, in place. The relay decides what it may do from then on; the devices check no roles.
 *
 * @module
 */
import { CambiumError, isCambiumError, type SpaceId } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { ChangedRole, Member, RelayAccess, Role, StandingInvitation } from "../api.js";
import { invitationsMadeBy, kitsMadeBy } from "./links-of-members.js";
import { ignoreGone, invitationOf, isStanding, memberOf } from "./revoke-access.js";

export interface RoleServices {
  readonly relay: RelayAccess;
  readonly space: SpaceId;
  readonly members: readonly Member[];
  readonly invitations: readonly StandingInvitation[];
  /** Writes down that an invitation ended. */
  readonly noteEnd: (invitation: string) => Promise<void>;
  /** Writes down what an access allows, for those who may not ask the relay. */
  readonly noteRole: (access: string, role: Role) => Promise<void>;
}

const STRENGTH: Readonly<Record<Role, number>> = { read: 0, write: 1, admin: 2 };

/**
 * @throws {CambiumError} BAD_INPUT for an unknown, one's own, or one that is shared, and what the relay refuses with
 */
export async function changeRole(
  services: RoleServices,
  of: string,
  { role, preview = false }: { readonly role: Role; readonly preview?: boolean },
): Promise<ChangedRole> {
  const { relay, space, members, noteEnd, noteRole } = services;
  const { member, access } = memberOf(members, of);
  refuseUnfit(members, member);
  const came = wider(services, member, role);
  const { name, role: before } = member;
  const standing = role === "admin" ? [] : madeBy(services, member, came);
  const changed = { id: access, name, role, standing, ...omitUndefined({ before, invitation: came }) };
  if (preview) return { ...changed, preview };
  if (came !== undefined) {
    // First, or the device could come in by it again with what it had.
    const { revokeRelayInvitation } = await import("../sync/relay-invitations.js");
    await revokeRelayInvitation(relay, space, { invitation: came, withTokens: false }).catch(ignoreGone);
    await noteEnd(came);
  }
  const { changeRelayRole } = await import("../sync/relay-http.js");
  await changeRelayRole(relay, { space, tokenId: access, role }).catch(explainOld);
  await noteRole(access, role);
  return changed;
}

/** Invitations and recovery kits that the device has made and that still stand. */
function madeBy({ invitations, members }: RoleServices, by: Member, ended: string | undefined) {
  const left = invitationsMadeBy(invitations, [by]).filter(({ id }) => id !== ended);
  const kits = kitsMadeBy(members.filter(isStanding), [by]);
  return [...left.map(({ id }) => id), ...kits.flatMap(({ access }) => access ?? [])];
}

function refuseUnfit(members: readonly Member[], member: Member): void {
  const { isThis, isRecoveryKit, access } = member;
  if (isThis)
    throw new CambiumError("BAD_INPUT", "This device cannot change what it may do itself.", {
      hint: "Change it on another device whose role is admin.",
    });
  if (isRecoveryKit)
    throw new CambiumError("BAD_INPUT", "A recovery kit may do everything, or nothing.", {
      hint: "To end it: cambium invites revoke 'recovery kit'",
    });
  if (members.some((other) => other !== member && other.access === access))
    throw new CambiumError("BAD_INPUT", "Several devices share this access, from an earlier version.", {
      hint: "Invite each of them again, with the role that it is to have.",
    });
}

/** The invitation by which the device could come in again with more than it is to have. */
function wider(services: RoleServices, member: Member, role: Role): string | undefined {
  const came = invitationOf(services, member);
  const allowed = services.invitations.find(({ id }) => id === came)?.role;
  return allowed !== undefined && STRENGTH[allowed] > STRENGTH[role] ? came : undefined;
}

function explainOld(error: unknown): never {
  if (!isCambiumError(error, "BAD_INPUT") || error.details?.status !== 404) throw error;
  throw new CambiumError("BAD_INPUT", "The relay is of an earlier version, which cannot change a role.", {
    hint: "Update the relay. Or end the access of the device, and invite it again with the other role.",
    cause: error,
  });
}
