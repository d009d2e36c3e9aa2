/**
 * Ending an invitation, or the access of a device.
 *
 * @module
 */
import { CambiumError, isCambiumError, type SpaceId } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { Member, NewKey, RelayAccess, RevokedAccess, Role, StandingInvitation } from "../api.js";
import { kitsMadeBy, type Links } from "./links-of-members.js";

export interface RevokingServices {
  /** Absent: the space is on none, and has kits at most. */
  readonly relay: RelayAccess | undefined;
  readonly space: SpaceId;
  readonly members: readonly Member[];
  readonly invitations: readonly StandingInvitation[];
  /** By what those who are gone, or those of an ended invitation, could come in again or bring others. */
  readonly linksOf: (gone: readonly Member[], invitation: string | undefined) => Links;
  /** Writes down that it ended. */
  readonly noteEnd: (id: string, of?: Member) => Promise<void>;
  /** Begins a key that those who are gone do not get, or says what that would be. */
  readonly newKey: (ending: Ending, isPreview: boolean) => Promise<NewKey | undefined>;
}

/** Whose access ends, and what ends with it. */
export interface Ending {
  readonly gone: readonly Member[];
  /** What is named, if that is an invitation, or by which the device came, if that stands. */
  readonly invitation: string | undefined;
  readonly links: Links;
}

function endingOf(services: RevokingServices, target: Target, devices: boolean): Ending {
  const of = (gone: readonly Member[], invitation: string | undefined): Ending => ({
    ...{ gone, invitation },
    links: services.linksOf(gone, invitation),
  });
  if (target.kind === "device") return of([target.member], invitationOf(services, target.member));
  const { id, kind } = target;
  const standing = services.members.filter(isStanding);
  const came = standing.filter((one) => (kind === "shared" ? one.access : one.invitation) === id);
  return of(kind === "shared" || devices ? came : [], id);
}

/** What would end, by what is known before the relay was told. */
function previewOf(services: RevokingServices, target: Target, devices: boolean): EndedAccess {
  const { gone, invitation } = endingOf(services, target, devices);
  const isDevice = target.kind === "device";
  const role = isDevice ? (target.member.role ?? "read") : target.role;
  const came = services.members.filter((one) => isStanding(one) && one.invitation === invitation);
  const keeping = isDevice
    ? othersOf(services, target.member, invitation)
    : came.filter((one) => !gone.includes(one));
  return {
    ...{ id: isDevice ? target.access : target.id, role, ...omitUndefined({ invitation }) },
    ...{ devices: namesOf(gone), keeping: namesOf(target.kind === "shared" ? [] : keeping) },
  };
}

/** By which it could come in again. */
export const invitationOf = (
  { invitations }: Pick<RevokingServices, "invitations">,
  member: Member,
): string | undefined => invitations.find((one) => one.id === member.invitation && isTraded(one))?.id;

const othersOf = (
  { members }: RevokingServices,
  member: Member,
  came: string | undefined,
): readonly Member[] =>
  members.filter(
    (other) => other !== member && came !== undefined && other.invitation === came && isStanding(other),
  );

/** What is to end. */
type Target =
  | { readonly kind: "invitation"; readonly id: string; readonly role: Role }
  /** Of an earlier version: its token is the access of all who came with it. */
  | { readonly kind: "shared"; readonly id: string; readonly role: Role }
  | { readonly kind: "device"; readonly member: Member; readonly access: string };

/** @throws {CambiumError} BAD_INPUT for an unknown or one's own, and what the relay refuses with */
export async function revokeAccess(
  services: RevokingServices,
  of: string,
  { devices = false, preview = false }: { readonly devices?: boolean; readonly preview?: boolean } = {},
): Promise<RevokedAccess> {
  const target = targetOf(services, of, devices);
  const ending = endingOf(services, target, devices);
  refuseOwn(ending.gone);
  // The key first: cut short after it, nobody reads what they should not, and the same call ends the access.
  const key = await services.newKey(ending, preview);
  // What it made before the devices, or one of them could make use of it in between.
  if (!preview) await close(services, ending);
  const revoked = preview ? previewOf(services, target, devices) : await end(services, target, devices);
  const standing = kitsMadeBy(services.members.filter(isStanding), ending.gone);
  const left = { closed: ending.links.made, standing: standing.flatMap(({ access }) => access ?? []) };
  return { ...revoked, ...left, ...omitUndefined({ key }), ...(preview ? { preview } : {}) };
}

/** What has ended, without what was made by those who are gone. */
type EndedAccess = Omit<RevokedAccess, "closed" | "standing">;

/**
 * All but the invitation that was named. What has ended at the relay before is written down all the same: that may be
 * set back to a time when it stood.
 */
async function close(services: RevokingServices, { links, invitation }: Ending): Promise<void> {
  const { relay, space, noteEnd } = services;
  for (const id of [...links.came, ...links.made]) {
    if (id === invitation) continue;
    if (relay !== undefined) {
      const { revokeRelayInvitation } = await import("../sync/relay-invitations.js");
      await revokeRelayInvitation(relay, space, { invitation: id, withTokens: false }).catch(ignoreGone);
    }
    await noteEnd(id);
  }
  for (const id of links.carriers) {
    await endToken(services, id);
    await noteEnd(id);
  }
}

function end(services: RevokingServices, target: Target, devices: boolean): Promise<EndedAccess> {
  switch (target.kind) {
    case "invitation":
      return endInvitation(services, target, devices);
    case "shared":
      return endShared(services, target.id, target.role);
    case "device":
      return endDevice(services, target.member, target.access);
  }
}

function targetOf({ members, invitations }: RevokingServices, of: string, devices: boolean): Target {
  const invitation = invitations.find(({ id }) => id === of);
  if (invitation !== undefined)
    return { kind: isTraded(invitation) ? "invitation" : "shared", id: of, role: invitation.role };
  const came = members.find((member) => devices && member.invitation === of && isStanding(member));
  if (came !== undefined) return { kind: "invitation", id: of, role: came.role ?? "read" };
  const { member, access } = memberOf(members, of, "No invitation that stands and no");
  const isShared = members.some((other) => other !== member && other.access === access);
  if (isShared && !member.isThis) return { kind: "shared", id: access, role: member.role ?? "read" };
  return { kind: "device", member, access };
}

/**
 * @param of - its name, or the id of its access
 * @throws {CambiumError} BAD_INPUT for one that is not there or has no access, and for a name that several have
 */
export function memberOf(
  members: readonly Member[],
  of: string,
  none = "No",
): { readonly member: Member; readonly access: string } {
  const found = members.filter((one) => isStanding(one) && (one.name === of || one.access === of));
  const [member, second] = found;
  if (member?.access === undefined) {
    throw new CambiumError("BAD_INPUT", `${none} device with access is called ${of}.`, {
      hint: "List them with `cambium invites` and `cambium members`.",
    });
  }
  if (second !== undefined) {
    throw new CambiumError("BAD_INPUT", `Several devices are called ${of}.`, {
      hint: `Name one by its access: ${found.map(({ access }) => access).join(", ")}`,
    });
  }
  return { member, access: member.access };
}

const isTraded = ({ usesLeft }: StandingInvitation): boolean => usesLeft !== undefined;

export const isStanding = ({ revokedAt, access }: Member): boolean =>
  revokedAt === undefined && access !== undefined;

async function endInvitation(
  services: RevokingServices,
  { id, role }: { readonly id: string; readonly role: Role },
  devices: boolean,
): Promise<EndedAccess> {
  const { relay, space, noteEnd } = services;
  const came = services.members.filter((member) => member.invitation === id && isStanding(member));
  if (devices) refuseOwn(came);
  const { revokeRelayInvitation } = await import("../sync/relay-invitations.js");
  const ending = { invitation: id, withTokens: devices };
  const answer = relay && (await revokeRelayInvitation(relay, space, ending).catch(ignoreGone));
  const isCutShort = relay !== undefined && answer === undefined && devices;
  const ended = new Set(answer ?? (isCutShort ? await endTokens(services, came) : []));
  await noteEnd(id);
  const gone = came.filter(({ access = "" }) => ended.has(access));
  for (const member of gone) await noteEnd(member.access ?? "", member);
  const keeping = came.filter((member) => !gone.includes(member));
  return { id, role, invitation: id, devices: namesOf(gone), keeping: namesOf(keeping) };
}

async function endShared(services: RevokingServices, id: string, role: Role): Promise<EndedAccess> {
  const gone = services.members.filter((member) => member.access === id && isStanding(member));
  refuseOwn(gone);
  await endToken(services, id);
  await services.noteEnd(id);
  return { id, role, invitation: id, devices: namesOf(gone), keeping: [] };
}

async function endDevice(services: RevokingServices, member: Member, access: string): Promise<EndedAccess> {
  refuseOwn([member]);
  const { relay, space, noteEnd } = services;
  const came = invitationOf(services, member);
  if (came !== undefined && relay !== undefined) {
    // First, or the device could come in again in between.
    const { revokeRelayInvitation } = await import("../sync/relay-invitations.js");
    await revokeRelayInvitation(relay, space, { invitation: came, withTokens: false }).catch(ignoreGone);
    await noteEnd(came);
  }
  await endToken(services, access);
  await noteEnd(access, member);
  const keeping = othersOf(services, member, came);
  return {
    ...{ id: access, role: member.role ?? "read", devices: [member.name], keeping: namesOf(keeping) },
    ...(came === undefined ? {} : { invitation: came }),
  };
}

async function endToken({ relay, space }: RevokingServices, tokenId: string): Promise<void> {
  if (relay === undefined) return;
  const { revokeRelayToken } = await import("../sync/relay-http.js");
  await revokeRelayToken(relay, { space, tokenId }).catch(ignoreGone);
}

async function endTokens(services: RevokingServices, members: readonly Member[]): Promise<readonly string[]> {
  const ended = members.flatMap(({ access }) => access ?? []);
  for (const access of ended) await endToken(services, access);
  return ended;
}

function refuseOwn(ending: readonly Member[]): void {
  if (!ending.some(({ isThis }) => isThis)) return;
  throw new CambiumError("BAD_INPUT", "This device has its own access by that.", {
    hint: "Revoke it on another device whose role is admin.",
  });
}

const namesOf = (members: readonly Member[]): readonly string[] => members.map(({ name }) => name);

/** It has ended already: by somebody else, or by a call that was cut short before it was written down here. */
export function ignoreGone(error: unknown): undefined {
  if (!isCambiumError(error, "BAD_INPUT")) throw error;
}
