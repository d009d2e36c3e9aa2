/**
 * Spaces and tokens in the relay's SQLite file.
 *
 * @module
 */
import type { DatabaseSync } from "node:sqlite";
import type { Role, StoredToken, TokenLog } from "./relay-log.js";
import { transact } from "./sqlite-transaction.js";

interface TokenRow {
  readonly token_id: string;
  readonly space: string;
  readonly role: Role;
  readonly hash: string;
  readonly label: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
}

export function sqliteTokenLog(database: DatabaseSync): TokenLog {
  const addSpace = database.prepare("INSERT OR IGNORE INTO spaces (space, created_at) VALUES (?, ?)");
  const findSpace = database.prepare("SELECT 1 FROM spaces WHERE space = ?");
  const addToken = database.prepare(
    `INSERT INTO tokens (token_id, space, role, hash, label, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const findToken = database.prepare("SELECT * FROM tokens WHERE hash = ?");
  const listTokens = database.prepare("SELECT * FROM tokens WHERE space = ? ORDER BY created_at, rowid");
  const removeToken = database.prepare("DELETE FROM tokens WHERE space = ? AND token_id = ?");
  const findAdmin = database.prepare("SELECT value FROM settings WHERE name = 'relayAdminHash'");
  const setAdmin = database.prepare(
    "INSERT OR REPLACE INTO settings (name, value) VALUES ('relayAdminHash', ?)",
  );

  const insert = (token: StoredToken): void => {
    const { tokenId, space, role, hash, label, createdAt, expiresAt } = token;
    addToken.run(tokenId, space, role, hash, label ?? null, createdAt, expiresAt ?? null);
  };
  return {
    createSpace: async (space, admin) =>
      transact(database, () => {
        if (addSpace.run(space, admin.createdAt).changes === 0) return false;
        insert(admin);
        return true;
      }),
    hasSpace: async (space) => findSpace.get(space) !== undefined,
    addToken: async (token) => insert(token),
    tokenByHash: async (hash) => {
      const row = findToken.get(hash) as TokenRow | undefined;
      return row && rowToToken(row);
    },
    tokensOf: async (space) => (listTokens.all(space) as unknown as TokenRow[]).map(rowToToken),
    removeToken: async (space, tokenId) => removeToken.run(space, tokenId).changes === 1,
    relayAdminHash: async () => findAdmin.get()?.value as string | undefined,
    setRelayAdminHash: async (hash) => {
      setAdmin.run(hash);
    },
  };
}

function rowToToken(row: TokenRow): StoredToken {
  return {
    tokenId: row.token_id,
    space: row.space,
    role: row.role,
    hash: row.hash,
    label: row.label ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
  };
}
