/**
 * The relay's log in a PostgreSQL database, which any number of relays may share. Every answer comes after a commit
 * with `synchronous_commit`, so what was answered survives whatever the database survives.
 *
 * @module
 */
import { LOG_START, type LogPoint, samePoint } from "@cambium/core/wire";
import { chunkTools } from "../../chunk-tools.js";
import type { RelayLog, SharedStore } from "../relay-log.js";
import { Packer } from "../segments/packer.js";
import type { SegmentSizes } from "../segments/plan.js";
import type { LogRange } from "../space-log.js";
import { rowToToken, TOKEN_COLUMNS, type TokenRow } from "../token-rows.js";
import { Connections } from "./connect.js";
import { DatabaseBlobs } from "./database-blobs.js";
import { Hints } from "./hints.js";
import { named } from "./named.js";
import { postgresOperatorLog } from "./operations.js";
import type { PostgresOptions } from "./options.js";
import { PostgresPacking } from "./packing.js";
import { PackingTurns } from "./packing-turns.js";
import { migrate } from "./schema.js";
import { PostgresSegments } from "./segments.js";
import { PostgresSpaceLog } from "./space-log.js";
import { postgresTokenLog } from "./tokens.js";

/** Where logs end, and what they have where a relay remembers a point. */
const LOOK = `
SELECT w.space, l.position, l.mark, e.mark AS "markThen"
FROM unnest($1::text[], $2::bigint[]) AS w (space, position)
  JOIN log_spaces l ON l.space = w.space
  LEFT JOIN log_entries e ON e.space_no = l.space_no AND e.position = w.position`;

interface LookRow extends LogPoint {
  readonly space: string;
  readonly markThen: Uint8Array | null;
}

/** What tests say besides. */
interface PackingOptions {
  readonly now?: () => number;
  readonly sizes?: SegmentSizes;
  readonly leastOutsideBytes?: number;
}

/** Opens the log as `openPostgresLog` does, and gives what packs it besides. */
export async function openPostgres(
  url: string,
  options: PostgresOptions & PackingOptions = {},
): Promise<RelayLog & { readonly packer: Packer; readonly packing: PostgresPacking }> {
  const database = await Connections.to(url, options);
  try {
    await database.using(database.writers, migrate);
  } catch (error) {
    await database.close();
    throw error;
  }
  const { onError = () => {}, now = Date.now, blobs: outside, ...packingOptions } = options;
  const hints = new Hints(database, onError);
  const blobs = { inside: new DatabaseBlobs(database), outside };
  const onRevoked = (space: string): void => hints.tell({ kind: "revoked", space });
  const spaces = new PostgresSpaceLog({
    ...{ database, sha256: chunkTools.sha256, segments: new PostgresSegments(database, blobs) },
    onAppended: (space) => hints.tell({ kind: "appended", space }),
    onMoved: (space) => hints.hear({ kind: "moved", space }),
    // If that fails, it is done when the packer looks at the space.
    onRetired: (space) =>
      void packer
        .erase(space)
        .then(() => packing.sweep())
        .catch(onError),
  });
  const read = (range: LogRange) => spaces.read(range);
  const packing = new PostgresPacking({ ...packingOptions, database, blobs, read });
  const packer = new Packer({ store: packing, now, sizes: options.sizes });
  const turns = new PackingTurns({ packing, packer, elapsed: () => performance.now() });
  return {
    packer,
    packing,
    probe: async () => {
      await database.transact((client) =>
        client.query(
          "INSERT INTO settings (name, value) VALUES ('probe', '0') ON CONFLICT (name) DO UPDATE SET value = '0'",
        ),
      );
    },
    ...postgresTokenLog(database, onRevoked),
    spaces: {
      lanes: spaces.lanes,
      append: (batches) => spaces.append(batches),
      end: (space) => spaces.end(space),
      pointAt: (space, position) => spaces.pointAt(space, position),
      read,
      segmentAfter: (space, after) => spaces.segmentAfter(space, after),
      documents: (query) => spaces.documents(query),
      describe: (space, documents, mostHeads) => spaces.describe(space, documents, mostHeads),
      changes: (query) => spaces.changes(query),
    },
    ...postgresOperatorLog(database, (space) => {
      onRevoked(space);
      // If that fails, the packer does it later.
      packing.sweep().catch(onError);
    }),
    shared: { ...sharedStore(database, hints), limit: (quotas) => spaces.limit(quotas) },
    pack: () => turns.step(),
    close: async () => {
      await packer.stop();
      await hints.close();
      await database.close();
    },
  };
}

function sharedStore(database: Connections, hints: Hints): Omit<SharedStore, "limit"> {
  return {
    onHint: (hear) => hints.onHint(hear),
    broadcast: (space, words) => hints.broadcast(space, words),
    onBroadcast: (hear) => hints.onBroadcast(hear),
    look: async (points) => {
      const values = [[...points.keys()], [...points.values()].map(({ position }) => position)];
      const rows = await database.read<LookRow>(named(LOOK, values));
      const found = new Map(rows.map((row) => [row.space, row]));
      return new Map(
        [...points].map(([space, point]) => {
          const row = found.get(space);
          const upTo =
            row === undefined ? LOG_START : { position: row.position, mark: new Uint8Array(row.mark) };
          const then = row?.markThen ?? LOG_START.mark;
          const isContinued =
            point.position === 0 || samePoint(point, { position: point.position, mark: then });
          return [space, { upTo, isContinued }];
        }),
      );
    },
    tokens: async (hashes) => {
      const text = `SELECT ${TOKEN_COLUMNS} FROM tokens WHERE hash = ANY ($1::text[])`;
      const rows = await database.read<TokenRow>(named(text, [hashes]));
      return rows.map(rowToToken);
    },
  };
}
