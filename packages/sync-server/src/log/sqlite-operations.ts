/**
 * What an operator asks of the relay's SQLite file: how much is in it, a copy while it is in use, less room on the
 * disk. All SQL about more than one space is here.
 *
 * @module
 */
import { closeSync, openSync, statSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CambiumError } from "@cambium/core";
import { backup, DatabaseSync } from "../platform/sqlite.js";
import type { OperatorLog, SpaceEntry, SpaceUsage } from "./relay-log.js";
import { transact } from "./sqlite-transaction.js";
import { sqliteUsage } from "./sqlite-usage.js";

/** Before the first table is made: only then does a file learn to give back its room in steps. */
export const SQLITE_PAGES = "PRAGMA auto_vacuum = INCREMENTAL;";

/** Added since; an older relay does not miss it. */
export const SQLITE_USES = `
CREATE TABLE IF NOT EXISTS token_uses (
  token_id TEXT PRIMARY KEY,
  used_at INTEGER NOT NULL
) STRICT;
`;

/** Of a copy: when it was made. */
const COPIED_AT = "copiedAt";

/** @returns when a copy was made, which it is no more from then on; undefined for one of which nobody said so */
export function takeCopiedAt(file: string): number | undefined {
  const database = new DatabaseSync(file);
  try {
    const row = database.prepare("DELETE FROM settings WHERE name = ? RETURNING value").get(COPIED_AT);
    return typeof row?.value === "number" ? row.value : undefined;
  } finally {
    database.close();
  }
}

/** 1 MiB: some milliseconds, in which nothing else is served. */
const PAGES_PER_STEP = 256;
const INCREMENTAL = 2;

const SPACES = `
SELECT space, created_at AS createdAt,
  (SELECT COUNT(*) FROM tokens WHERE tokens.space = spaces.space) AS tokens
FROM spaces ORDER BY created_at, space`;

const OWN_LOG = "space_no = (SELECT space_no FROM log_spaces WHERE space = ?)";

/** What belongs to one space, table by table; the last says whether there was one. */
const DELETIONS = [
  `DELETE FROM log_bytes WHERE bytes_no IN (SELECT bytes_no FROM log_entries WHERE ${OWN_LOG})`,
  `DELETE FROM log_segments WHERE ${OWN_LOG}`,
  `DELETE FROM log_joints WHERE document_no IN (SELECT document_no FROM log_documents WHERE ${OWN_LOG})`,
  ...["log_entries", "log_documents"].map((table) => `DELETE FROM ${table} WHERE ${OWN_LOG}`),
  ...["token_uses", "token_origins"].map(
    (table) => `DELETE FROM ${table} WHERE token_id IN (SELECT token_id FROM tokens WHERE space = ?)`,
  ),
  ...["log_spaces", "set_aside", "invitations", "tokens", "spaces"].map(
    (table) => `DELETE FROM ${table} WHERE space = ?`,
  ),
];

export function sqliteOperatorLog(
  database: DatabaseSync,
  file: string,
  packAll: () => Promise<unknown>,
): OperatorLog {
  const noteUse = database.prepare("INSERT OR REPLACE INTO token_uses (token_id, used_at) VALUES (?, ?)");
  const usage = sqliteUsage(database);
  return {
    listSpaces: async () => {
      const spaces = database.prepare(SPACES).all() as unknown as Omit<SpaceEntry, keyof SpaceUsage>[];
      const listed: SpaceEntry[] = [];
      for (const space of spaces) {
        listed.push({ ...space, ...(await usage(space.space)) });
        await nextTurn();
      }
      return listed;
    },
    usage,
    deleteSpace: async (space) =>
      transact(database, () => {
        const changes = DELETIONS.map((sql) => database.prepare(sql).run(space).changes);
        return Number(changes.at(-1)) > 0;
      }),
    noteUses: async (uses) => {
      transact(database, () => {
        for (const [tokenId, at] of uses) noteUse.run(tokenId, at);
      });
    },
    usesOf: async (space) => {
      const rows = database
        .prepare("SELECT token_id, used_at FROM token_uses JOIN tokens USING (token_id) WHERE space = ?")
        .all(space) as { token_id: string; used_at: number }[];
      return new Map(rows.map(({ token_id, used_at }) => [token_id, used_at]));
    },
    backupTo: async (path, at) => {
      // SQLite would make it readable for others.
      closeSync(openSync(path, "wx", 0o600));
      await backup(database, path);
      const copy = new DatabaseSync(path);
      copy.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)").run(COPIED_AT, at);
      copy.close();
    },
    shrink: async () => {
      const before = sizeOf(database, file);
      await packAll();
      return { before, after: await shrink(database, file) };
    },
  };
}

/** In steps, so that others are served in between. */
async function shrink(database: DatabaseSync, file: string): Promise<number> {
  const { auto_vacuum: mode } = database.prepare("PRAGMA auto_vacuum").get() as { auto_vacuum: number };
  if (mode !== INCREMENTAL) {
    throw new CambiumError(
      "BAD_INPUT",
      `${file} was made by a version that could not give back room while it runs.`,
      {
        hint: "Stop the relay, run `cambium-relay compact` once, and start it again.",
      },
    );
  }
  const free = (): number => {
    const { freelist_count: count } = database.prepare("PRAGMA freelist_count").get() as {
      freelist_count: number;
    };
    return count;
  };
  // Bounded by what is free now: what becomes free meanwhile waits for the next time.
  for (let left = free(); left > 0 && free() > 0; left -= PAGES_PER_STEP) {
    database.exec(`PRAGMA incremental_vacuum(${PAGES_PER_STEP})`);
    await nextTurn();
  }
  return sizeOf(database, file);
}

function sizeOf(database: DatabaseSync, file: string): number {
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return statSync(file).size;
}
