/**
 * Spaces and tokens in the relay's SQLite file.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { InvitationLog, StoredToken, TokenLog } from "./relay-log.js";
import { transact } from "./sqlite-transaction.js";
import {
  type InvitationRow,
  outcomeOf,
  rowToInvitation,
  rowToToken,
  type TokenRow,
  takesLastAdmin,
} from "./token-rows.js";

/** Added since; to an older relay an invitation is no token, and a token that was traded is as any other. */
export const SQLITE_INVITATIONS = `
CREATE TABLE IF NOT EXISTS invitations (
  hash TEXT PRIMARY KEY,
  invitation_id TEXT NOT NULL UNIQUE,
  space TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('read', 'write', 'admin')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  access_until INTEGER,
  most_uses INTEGER NOT NULL,
  uses INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS invitations_by_space ON invitations (space, created_at);

CREATE TABLE IF NOT EXISTS token_origins (
  token_id TEXT PRIMARY KEY,
  came_by TEXT,
  device TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS token_origins_by_invitation ON token_origins (came_by);
`;

const SELECT_TOKENS = "SELECT * FROM tokens LEFT JOIN token_origins USING (token_id)";

export function sqliteTokenLog(database: DatabaseSync): TokenLog & InvitationLog {
  const tokens = tokenLog(database);
  return { ...tokens.log, ...invitationLog(database, tokens) };
}

function tokenLog(database: DatabaseSync) {
  const addSpace = database.prepare("INSERT OR IGNORE INTO spaces (space, created_at) VALUES (?, ?)");
  const findSpace = database.prepare("SELECT 1 FROM spaces WHERE space = ?");
  const addToken = database.prepare(
    `INSERT INTO tokens (token_id, space, role, hash, label, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const findToken = database.prepare(`${SELECT_TOKENS} WHERE hash = ?`);
  const listTokens = database.prepare(`${SELECT_TOKENS} WHERE space = ? ORDER BY created_at, tokens.rowid`);
  const countTokens = database.prepare(
    "SELECT COUNT(*) AS count FROM tokens WHERE space = ? AND (expires_at IS NULL OR expires_at > ?)",
  );
  const removeToken = database.prepare("DELETE FROM tokens WHERE space = ? AND token_id = ?");
  const addOrigin = database.prepare(
    "INSERT INTO token_origins (token_id, came_by, device) VALUES (?, ?, ?)",
  );
  const setRole = database.prepare("UPDATE tokens SET role = ? WHERE space = ? AND token_id = ?");
  const removeOrigin = database.prepare("DELETE FROM token_origins WHERE token_id = ?");
  const findAdmin = database.prepare("SELECT value FROM settings WHERE name = 'relayAdminHash'");
  const setAdmin = database.prepare(
    "INSERT OR REPLACE INTO settings (name, value) VALUES ('relayAdminHash', ?)",
  );

  const insert = (token: StoredToken): void => {
    const { tokenId, space, role, hash, label, createdAt, expiresAt, cameBy, device } = token;
    addToken.run(tokenId, space, role, hash, label ?? null, createdAt, expiresAt ?? null);
    if (cameBy !== undefined || device !== undefined) addOrigin.run(tokenId, cameBy ?? null, device ?? null);
  };
  const find = (hash: string): StoredToken | undefined => {
    const row = findToken.get(hash) as TokenRow | undefined;
    return row && rowToToken(row);
  };
  const list = (space: string): readonly StoredToken[] =>
    (listTokens.all(space) as unknown as TokenRow[]).map(rowToToken);
  const remove = (space: string, tokenId: string): boolean => {
    if (removeToken.run(space, tokenId).changes === 0) return false;
    removeOrigin.run(tokenId);
    return true;
  };
  const log: TokenLog = {
    createSpace: async (space, admin) =>
      transact(database, () => {
        if (addSpace.run(space, admin.createdAt).changes === 0) return false;
        insert(admin);
        return true;
      }),
    hasSpace: async (space) => findSpace.get(space) !== undefined,
    addToken: async (token) => transact(database, () => insert(token)),
    tokenByHash: async (hash) => find(hash),
    tokensOf: async (space) => list(space),
    standingTokens: async (space, at) => Number(countTokens.get(space, at)?.count),
    removeToken: async (space, tokenId, { leavesAdminAt } = {}) =>
      transact(database, () => {
        if (takesLastAdmin(list(space), (token) => token.tokenId === tokenId, leavesAdminAt))
          return "last-admin";
        return remove(space, tokenId) ? "removed" : "unknown";
      }),
    changeRole: async (change) =>
      transact(database, () => {
        const outcome = outcomeOf(list(change.space), change);
        if (outcome === "changed") setRole.run(change.role, change.space, change.tokenId);
        return outcome;
      }),
    relayAdminHash: async () => findAdmin.get()?.value as string | undefined,
    setRelayAdminHash: async (hash) => {
      setAdmin.run(hash);
    },
  };
  return { log, insert, find, list, remove };
}

function invitationLog(
  database: DatabaseSync,
  tokens: Pick<ReturnType<typeof tokenLog>, "insert" | "find" | "list" | "remove">,
): InvitationLog {
  const add = database.prepare("INSERT INTO invitations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const findByHash = database.prepare("SELECT * FROM invitations WHERE hash = ?");
  const findById = database.prepare("SELECT * FROM invitations WHERE space = ? AND invitation_id = ?");
  const list = database.prepare("SELECT * FROM invitations WHERE space = ? ORDER BY created_at, rowid");
  const countUse = database.prepare("UPDATE invitations SET uses = uses + 1 WHERE invitation_id = ?");
  const removeOne = database.prepare("DELETE FROM invitations WHERE space = ? AND invitation_id = ?");
  const traded = database.prepare(
    "SELECT token_id FROM token_origins JOIN tokens USING (token_id) WHERE space = ? AND came_by = ?",
  );
  return {
    addInvitation: async (invitation) => {
      const { invitationId, space, role, hash, createdAt, expiresAt, accessUntil, mostUses, uses } =
        invitation;
      const times = [createdAt, expiresAt ?? null, accessUntil ?? null] as const;
      add.run(hash, invitationId, space, role, ...times, mostUses, uses);
    },
    invitationByHash: async (hash) => {
      const row = findByHash.get(hash) as InvitationRow | undefined;
      return row && rowToInvitation(row);
    },
    invitationsOf: async (space) => (list.all(space) as unknown as InvitationRow[]).map(rowToInvitation),
    trade: async (token) =>
      transact(database, () => {
        const known = tokens.find(token.hash);
        if (known !== undefined) {
          const isOfIt = known.space === token.space && known.cameBy === token.cameBy;
          return isOfIt ? { kind: "known", token: known } : { kind: "taken" };
        }
        const invitation = findById.get(token.space, token.cameBy) as InvitationRow | undefined;
        if (invitation === undefined) return { kind: "unknown" };
        if (invitation.uses >= invitation.most_uses) return { kind: "used-up" };
        countUse.run(token.cameBy);
        tokens.insert(token);
        return { kind: "made" };
      }),
    removeInvitation: async (space, invitationId, { withTokens, leavesAdminAt }) =>
      transact(database, () => {
        const cameByIt = ({ cameBy }: StoredToken): boolean => cameBy === invitationId;
        if (withTokens && takesLastAdmin(tokens.list(space), cameByIt, leavesAdminAt)) return "last-admin";
        const rows = withTokens ? traded.all(space, invitationId) : [];
        const ids = rows.map(({ token_id: id }) => id as string);
        for (const id of ids) tokens.remove(space, id);
        const wasThere = removeOne.run(space, invitationId).changes === 1;
        return wasThere || ids.length > 0 ? ids : undefined;
      }),
  };
}
