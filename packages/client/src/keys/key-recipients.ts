/**
 * Who is to have the key of a space, as the catalog has it: devices whose access nobody ended, and invitations that
 * stand.
 *
 * @module
 */
import type { Catalog, ReplicaId } from "@cambium/core";
import { type InvitationNote, invitationNote, notedTokens } from "../sync/invitation-notes.js";
import type { Recipient, RecipientId } from "./epoch-entry.js";

/** Of whoever comes by an invitation, whose link holds what makes the key. */
export const invitationRecipient = (key: Uint8Array): RecipientId => `invitation:${textOf(key)}`;

const ACCESS = "access:";

/**
 * Of a token or an invitation that ended with a removal. Nobody ever has a part as that: it stands among those who were
 * removed, which whoever began the epoch has proved to know the key before it.
 */
export const endedAccess = (id: string): RecipientId => ACCESS + id;

export const isAccess = (id: RecipientId): boolean => id.startsWith(ACCESS);

/** Tokens and invitations of which a member said so in an epoch, and whose end is noted since the relay confirmed it. */
export const confirmedEnds = (catalog: Catalog, removed: Iterable<RecipientId>): readonly string[] =>
  [...new Set(removed)].flatMap((one) => {
    const id = one.slice(ACCESS.length);
    return isAccess(one) && invitationNote(catalog, id)?.revokedAt !== undefined ? [id] : [];
  });

/** Replicas of which the catalog says that their access was ended. */
export function withoutAccess(catalog: Catalog): ReadonlySet<ReplicaId> {
  const ended = new Set(
    notesOf(catalog).flatMap(([, { mark, revokedAt }]) =>
      revokedAt === undefined || mark.length === 0 ? [] : [textOf(mark)],
    ),
  );
  if (ended.size === 0) return new Set();
  return new Set(
    [...catalog.replicas].flatMap(([id, { value }]) =>
      value.access !== undefined && ended.has(textOf(value.access)) ? [id as ReplicaId] : [],
    ),
  );
}

/** The key of whoever comes by an invitation. */
interface InvitationKey extends Recipient {
  readonly proof: Uint8Array | undefined;
  /** Who made the invitation, and so knows what is in the link. */
  readonly maker: ReplicaId;
}

/** Those that have a key of their own. Ones of earlier versions have none. */
export function standingInvitationKeys(
  catalog: Catalog,
  now: number,
): ReadonlyMap<RecipientId, InvitationKey> {
  return new Map(
    notesOf(catalog).flatMap(([, { replica: maker, key, keyProof: proof, revokedAt, expiresAt }]) => {
      if (key === undefined || revokedAt !== undefined || (expiresAt ?? now) < now) return [];
      const id = invitationRecipient(key);
      return [[id, { id, key, proof, maker }] as const];
    }),
  );
}

const notesOf = (catalog: Catalog): readonly (readonly [token: string, note: InvitationNote])[] =>
  notedTokens(catalog).flatMap((token) => {
    const note = invitationNote(catalog, token);
    return note === undefined ? [] : [[token, note] as const];
  });

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
