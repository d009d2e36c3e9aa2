/**
 * What an operator asks of a relay's database. Copies of it, and room that it gives back, are PostgreSQL's own work.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import type { OperatorLog, SpaceEntry } from "../relay-log.js";
import type { Connections } from "./connect.js";
import { named } from "./named.js";

const LIST = `
SELECT s.space, s.created_at AS "createdAt",
  (SELECT COUNT(*) FROM tokens t WHERE t.space = s.space) AS tokens,
  COALESCE(l.documents, 0) AS documents, COALESCE(l.bytes, 0) AS bytes
FROM spaces s LEFT JOIN log_spaces l USING (space) ORDER BY s.created_at, s.space`;

/** What belongs to the log of one space, by its number. */
const LOG_TABLES = ["log_entries", "log_documents", "log_actors", "log_spaces"];
/** What else belongs to it, by its name; the last says whether there was one. */
const NAMED_TABLES = ["invitations", "tokens", "spaces"];

/** @param onDeleted - called once a space is gone */
export function postgresOperatorLog(database: Connections, onDeleted: (space: string) => void): OperatorLog {
  return {
    listSpaces: () => database.read<SpaceEntry>(named(LIST, [])),
    usage: async (space) => {
      const text = "SELECT documents, bytes FROM log_spaces WHERE space = $1";
      const [found] = await database.read<{ documents: number; bytes: number }>(named(text, [space]));
      return found ?? { documents: 0, bytes: 0 };
    },
    deleteSpace: async (space) => {
      const wasThere = await database.transact((client) => deleteSpace(client, space));
      onDeleted(space);
      return wasThere;
    },
    noteUses: async (uses) => {
      // Always in one order: relays that note the same tokens do not wait for each other in a circle.
      const sorted = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
      await database.transact((client) =>
        client.query(
          `INSERT INTO token_uses (token_id, used_at) SELECT * FROM unnest($1::text[], $2::bigint[])
           ON CONFLICT (token_id) DO UPDATE SET used_at = GREATEST(token_uses.used_at, excluded.used_at)`,
          [sorted.map(([id]) => id), sorted.map(([, at]) => at)],
        ),
      );
    },
    usesOf: async (space) => {
      const text = "SELECT token_id, used_at FROM token_uses JOIN tokens USING (token_id) WHERE space = $1";
      const rows = await database.read<{ token_id: string; used_at: number }>(named(text, [space]));
      return new Map(rows.map(({ token_id: id, used_at: at }) => [id, at]));
    },
    backupTo: async () => {
      throw ofPostgres("copied", "Use pg_dump, or the backups of the server. docs/operations.md shows how.");
    },
    shrink: async () => {
      throw ofPostgres(
        "made smaller",
        "PostgreSQL's autovacuum gives room to what comes next; VACUUM FULL gives it to the disk.",
      );
    },
  };
}

async function deleteSpace(
  client: { query(text: string, values: unknown[]): Promise<{ rowCount: number | null; rows: unknown[] }> },
  space: string,
): Promise<boolean> {
  const { rows } = await client.query("SELECT space_no FROM log_spaces WHERE space = $1 FOR UPDATE", [space]);
  for (const { space_no: no } of rows as { space_no: number }[]) {
    // Those that are being written are given up by whoever writes them.
    await client.query(
      "UPDATE log_segments SET state = 3, since = now() WHERE space_no = $1 AND state <> 0",
      [no],
    );
    for (const table of LOG_TABLES) await client.query(`DELETE FROM ${table} WHERE space_no = $1`, [no]);
  }
  await client.query(
    "DELETE FROM token_uses WHERE token_id IN (SELECT token_id FROM tokens WHERE space = $1)",
    [space],
  );
  let deleted = 0;
  for (const table of NAMED_TABLES)
    deleted = (await client.query(`DELETE FROM ${table} WHERE space = $1`, [space])).rowCount ?? 0;
  return deleted > 0;
}

const ofPostgres = (what: string, hint: string): CambiumError =>
  new CambiumError("BAD_INPUT", `A log in PostgreSQL is not ${what} by the relay.`, { hint });
