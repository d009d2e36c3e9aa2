/**
 * Spaces, tokens and invitations in PostgreSQL.
 *
 * @module
 */
import type { ClientBase } from "pg";
import type { InvitationLog, StoredToken, TokenLog, TradeOutcome } from "../relay-log.js";
import {
  INVITATION_COLUMNS,
  type InvitationRow,
  outcomeOf,
  rowToInvitation,
  rowToToken,
  TOKEN_COLUMNS,
  type TokenRow,
  takesLastAdmin,
} from "../token-rows.js";
import type { Connections } from "./connect.js";
import { named } from "./named.js";

const ADD_TOKEN = `
INSERT INTO tokens (token_id, space, role, hash, label, created_at, expires_at, came_by, device)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const ADD_INVITATION = `
INSERT INTO invitations (hash, invitation_id, space, role, created_at, expires_at, access_until, most_uses, uses)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const TOKEN = `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE hash = $1`;
const REMOVE_TOKENS =
  "DELETE FROM tokens WHERE space = $1 AND token_id = ANY ($2::text[]) RETURNING token_id";
const COUNT_TOKENS =
  "SELECT count(*) AS count FROM tokens WHERE space = $1 AND (expires_at IS NULL OR expires_at > $2)";
const SET_ROLE = "UPDATE tokens SET role = $1 WHERE space = $2 AND token_id = $3";
/** All of them: of two who take each other the role admin, or the token, the second sees what the first did. */
const LOCK_TOKENS = `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE space = $1 ORDER BY token_id FOR UPDATE`;
/** Whoever appends holds it: what they append is stored before a token goes, or refused after. */
const LOCK_LOG = "SELECT 1 FROM log_spaces WHERE space = $1 FOR UPDATE";

/** @param onRevoked - called once tokens of a space are gone, or allow something else */
export function postgresTokenLog(
  database: Connections,
  onRevoked: (space: string) => void,
): TokenLog & InvitationLog {
  return { ...tokenLog(database, onRevoked), ...invitationLog(database, onRevoked) };
}

function tokenLog(database: Connections, onRevoked: (space: string) => void): TokenLog {
  return {
    createSpace: (space, admin) =>
      database.transact(async (client) => {
        const { rowCount } = await client.query(
          "INSERT INTO spaces (space, created_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
          [space, admin.createdAt],
        );
        if (rowCount === 0) return false;
        await insertToken(client, admin);
        return true;
      }),
    hasSpace: async (space) =>
      (await database.read(named("SELECT 1 FROM spaces WHERE space = $1", [space]))).length > 0,
    addToken: (token) => database.transact((client) => insertToken(client, token)),
    tokenByHash: async (hash) => (await database.read<TokenRow>(named(TOKEN, [hash]))).map(rowToToken)[0],
    tokensOf: async (space) => {
      const text = `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE space = $1 ORDER BY created_at, made`;
      return (await database.read<TokenRow>(named(text, [space]))).map(rowToToken);
    },
    standingTokens: async (space, at) => {
      const rows = await database.read<{ count: string }>(named(COUNT_TOKENS, [space, at]));
      return Number(rows[0]?.count);
    },
    removeToken: async (space, tokenId, { leavesAdminAt } = {}) => {
      const outcome = await database.transact(async (client) => {
        const tokens = await lockedTokens(client, space);
        if (takesLastAdmin(tokens, (token) => token.tokenId === tokenId, leavesAdminAt)) return "last-admin";
        const { rowCount } = await client.query(REMOVE_TOKENS, [space, [tokenId]]);
        return rowCount === 1 ? "removed" : "unknown";
      });
      if (outcome === "removed") onRevoked(space);
      return outcome;
    },
    changeRole: async (change) => {
      const { space, tokenId, role } = change;
      const outcome = await database.transact(async (client) => {
        const found = outcomeOf(await lockedTokens(client, space), change);
        if (found === "changed") await client.query(SET_ROLE, [role, space, tokenId]);
        return found;
      });
      if (outcome === "changed") onRevoked(space);
      return outcome;
    },
    relayAdminHash: async () => {
      const text = "SELECT value FROM settings WHERE name = 'relayAdminHash'";
      return (await database.read<{ value: string }>(named(text, [])))[0]?.value;
    },
    setRelayAdminHash: async (hash) => {
      await database.transact((client) =>
        client.query(
          `INSERT INTO settings (name, value) VALUES ('relayAdminHash', $1)
           ON CONFLICT (name) DO UPDATE SET value = $1`,
          [hash],
        ),
      );
    },
  };
}

async function lockedTokens(client: ClientBase, space: string): Promise<readonly StoredToken[]> {
  await client.query(LOCK_LOG, [space]);
  return (await client.query<TokenRow>(LOCK_TOKENS, [space])).rows.map(rowToToken);
}

async function insertToken(client: ClientBase, token: StoredToken): Promise<void> {
  const { tokenId, space, role, hash, label, createdAt, expiresAt, cameBy, device } = token;
  await client.query(ADD_TOKEN, [tokenId, space, role, hash, label, createdAt, expiresAt, cameBy, device]);
}

function invitationLog(database: Connections, onRevoked: (space: string) => void): InvitationLog {
  return {
    addInvitation: async ({
      invitationId,
      space,
      role,
      hash,
      createdAt,
      expiresAt,
      accessUntil,
      mostUses,
      uses,
    }) => {
      const values = [hash, invitationId, space, role, createdAt, expiresAt, accessUntil, mostUses, uses];
      await database.transact((client) => client.query(ADD_INVITATION, values));
    },
    invitationByHash: async (hash) => {
      const rows = await database.read<InvitationRow>(
        named(`SELECT ${INVITATION_COLUMNS} FROM invitations WHERE hash = $1`, [hash]),
      );
      return rows.map(rowToInvitation)[0];
    },
    invitationsOf: async (space) => {
      const text = `SELECT ${INVITATION_COLUMNS} FROM invitations WHERE space = $1 ORDER BY created_at, made`;
      return (await database.read<InvitationRow>(named(text, [space]))).map(rowToInvitation);
    },
    trade: (token) => database.transact((client) => trade(client, token)),
    removeInvitation: async (space, invitationId, { withTokens, leavesAdminAt }) => {
      const removed = await database.transact(async (client) => {
        const cameByIt = ({ cameBy }: StoredToken): boolean => cameBy === invitationId;
        const tokens = await lockedTokens(client, space);
        if (withTokens && takesLastAdmin(tokens, cameByIt, leavesAdminAt)) return "last-admin";
        const { rowCount } = await client.query(
          "DELETE FROM invitations WHERE space = $1 AND invitation_id = $2",
          [space, invitationId],
        );
        const { rows } = await client.query<{ token_id: string }>(
          "DELETE FROM tokens WHERE space = $1 AND came_by = $2 AND $3 RETURNING token_id",
          [space, invitationId, withTokens],
        );
        return rowCount === 1 || rows.length > 0 ? rows.map(({ token_id: id }) => id) : undefined;
      });
      if (removed !== undefined && removed !== "last-admin" && removed.length > 0) onRevoked(space);
      return removed;
    },
  };
}

/** The lock of the invitation comes first: of trades at the same time, each sees those before it. */
async function trade(
  client: ClientBase,
  token: StoredToken & { readonly cameBy: string },
): Promise<TradeOutcome> {
  const { space, cameBy } = token;
  const { rows: invitations } = await client.query<InvitationRow>(
    `SELECT ${INVITATION_COLUMNS} FROM invitations WHERE space = $1 AND invitation_id = $2 FOR UPDATE`,
    [space, cameBy],
  );
  const [known] = (await client.query<TokenRow>(TOKEN, [token.hash])).rows.map(rowToToken);
  if (known !== undefined) {
    const isOfIt = known.space === space && known.cameBy === cameBy;
    return isOfIt ? { kind: "known", token: known } : { kind: "taken" };
  }
  const [invitation] = invitations;
  if (invitation === undefined) return { kind: "unknown" };
  if (invitation.uses >= invitation.most_uses) return { kind: "used-up" };
  await client.query("UPDATE invitations SET uses = uses + 1 WHERE invitation_id = $1", [cameBy]);
  await insertToken(client, token);
  return { kind: "made" };
}
