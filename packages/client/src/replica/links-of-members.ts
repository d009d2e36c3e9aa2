/**
 * By what members could come into a space again, or bring others: the invitations by which they came, and what they
 * have made. A relay may say that one of these has ended, and take it again once it was set back to an earlier time.
 *
 * @module
 */
import type { Catalog, ReplicaId } from "@cambium/core";
import type { Member, StandingInvitation } from "../api.js";
import { type InvitationNote, invitationNote, notedTokens } from "../sync/invitation-notes.js";

/** Ids, as the relay has them. */
export interface Links {
  /** Invitations by which they came, whether the relay says that they stand or not. */
  readonly came: readonly string[];
  /** Invitations that they have made and that stand. */
  readonly made: readonly string[];
  /** What was left at the relay for codes of one of these. */
  readonly carriers: readonly string[];
}

type ByWhom = { readonly replica?: ReplicaId } | undefined;

const isOneOf = (members: readonly Member[]): ((by: ByWhom) => boolean) => {
  const replicas = new Set(members.flatMap(({ replica }) => replica ?? []));
  return (by) => by?.replica !== undefined && replicas.has(by.replica);
};

/** @param also - an invitation that ends itself */
export function linksOfMembers(
  catalog: Catalog,
  invitations: readonly StandingInvitation[],
  members: readonly Member[],
  also: string | undefined,
): Links {
  const isTheirs = isOneOf(members);
  const notes = notedTokens(catalog).flatMap((id) => {
    const note = invitationNote(catalog, id);
    return note === undefined ? [] : [{ id, ...note }];
  });
  const noted = notes.flatMap((note) => (isAccess(note) && isTheirs(note) ? (note.cameBy ?? []) : []));
  const own = new Set(members.flatMap(({ access }) => access ?? []));
  const listed = members.flatMap(({ invitation }) => invitation ?? []);
  const came = new Set([...listed, ...noted].filter((id) => !own.has(id)));
  const left = invitationsMadeBy(invitations, members).map(({ id }) => id);
  const made = left.filter((id) => id !== also && !came.has(id));
  const all = new Set([...came, ...made, ...(also === undefined ? [] : [also])]);
  const carriers = notes.filter(
    ({ isCarrier, revokedAt, cameBy = "", replica }) =>
      isCarrier && revokedAt === undefined && (isTheirs({ replica }) || all.has(cameBy)),
  );
  return { came: [...came], made, carriers: carriers.map(({ id }) => id) };
}

/** A token of a device, by what that has noted itself. */
const isAccess = ({ isCarrier, kit }: InvitationNote): boolean => !isCarrier && kit === undefined;

/** Recovery kits that they have made. */
export function kitsMadeBy(members: readonly Member[], by: readonly Member[]): readonly Member[] {
  const isTheirs = isOneOf(by);
  return members.filter((one) => one.isRecoveryKit && isTheirs(one.invitedBy));
}

/** Invitations that they have made, and that stand. */
export function invitationsMadeBy(
  invitations: readonly StandingInvitation[],
  by: readonly Member[],
): readonly StandingInvitation[] {
  const isTheirs = isOneOf(by);
  return invitations.filter((one) => isTheirs(one.by));
}
