/**
 * Tokens and invitations as databases keep them.
 *
 * @module
 */
import type { Role, RoleChange, RoleOutcome, StoredInvitation, StoredToken } from "./relay-log.js";

export interface TokenRow {
  readonly token_id: string;
  readonly space: string;
  readonly role: Role;
  readonly hash: string;
  readonly label: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly came_by: string | null;
  readonly device: string | null;
}

export interface InvitationRow {
  readonly invitation_id: string;
  readonly space: string;
  readonly role: Role;
  readonly hash: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly access_until: number | null;
  readonly most_uses: number;
  readonly uses: number;
}

/** A later version may add columns while this one runs: what is prepared names its own. */
export const TOKEN_COLUMNS = "token_id, space, role, hash, label, created_at, expires_at, came_by, device";
export const INVITATION_COLUMNS =
  "invitation_id, space, role, hash, created_at, expires_at, access_until, most_uses, uses";

/**
 * Whether a space that has an admin would have none without these tokens.
 *
 * @param tokens - of the space, as they are in the transaction that makes the change
 * @param at - when the tokens are looked at; undefined: it may have none
 */
export function takesLastAdmin(
  tokens: readonly StoredToken[],
  isOneOfThem: (token: StoredToken) => boolean,
  at: number | undefined,
): boolean {
  if (at === undefined) return false;
  const admins = tokens.filter(
    ({ role, expiresAt = Number.POSITIVE_INFINITY }) => role === "admin" && expiresAt > at,
  );
  return admins.length > 0 && admins.every(isOneOfThem);
}

/** @param tokens - of the space, as they are in the transaction that makes the change */
export function outcomeOf(
  tokens: readonly StoredToken[],
  { tokenId, role, leavesAdminAt }: RoleChange,
): RoleOutcome {
  const isIt = (token: StoredToken): boolean => token.tokenId === tokenId;
  if (!tokens.some(isIt)) return "unknown";
  return role !== "admin" && takesLastAdmin(tokens, isIt, leavesAdminAt) ? "last-admin" : "changed";
}

export function rowToInvitation(row: InvitationRow): StoredInvitation {
  return {
    invitationId: row.invitation_id,
    space: row.space,
    role: row.role,
    hash: row.hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    accessUntil: row.access_until ?? undefined,
    mostUses: row.most_uses,
    uses: row.uses,
  };
}

export function rowToToken(row: TokenRow): StoredToken {
  return {
    tokenId: row.token_id,
    space: row.space,
    role: row.role,
    hash: row.hash,
    label: row.label ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    cameBy: row.came_by ?? undefined,
    device: row.device ?? undefined,
  };
}
