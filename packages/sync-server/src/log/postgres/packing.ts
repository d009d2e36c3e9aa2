/**
 * What packing asks of a log in PostgreSQL. Every step locks the row of its space, as appending does; several relays that
 * pack the same space at once do some work for nothing, and no harm.
 *
 * @module
 */
import type { ClientBase } from "pg";
import { type BlobStore, blobsFailed, newBlobName } from "../blobs/blob-store.js";
import { type SegmentSizes, STANDARD_SIZES } from "../segments/plan.js";
import type { NewSegment, SegmentPlace, SegmentStore, SpaceLayout } from "../segments/segment-store.js";
import type { LogEntry, LogRange } from "../space-log.js";
import type { Connections } from "./connect.js";
import { named } from "./named.js";
import { type BlobPlaces, IS_THERE } from "./segments.js";

/** Given up in one transaction: a few milliseconds. */
const STEP_ENTRIES = 512;
const SPACES_PER_PAGE = 200;
/** Blobs that are deleted, or segments that are settled, in one go. */
const UNFINISHED_PER_PAGE = 64;
/** Smaller segments stay in the database: elsewhere each costs a request. */
const LEAST_OUTSIDE_BYTES = 64 * 1024;

const SPACES = `
SELECT space_no, space, position >= $2 + COALESCE((SELECT MAX(up_to) FROM log_segments g
    WHERE g.space_no = s.space_no AND ${IS_THERE}), 0)
  OR EXISTS (SELECT 1 FROM log_segments g WHERE g.space_no = s.space_no AND state = 2) AS "isDue"
FROM log_spaces s WHERE space_no > COALESCE((SELECT space_no FROM log_spaces WHERE space = $1), 0)
ORDER BY space_no LIMIT ${SPACES_PER_PAGE}`;
const LAYOUTS = `
SELECT s.space, s.position AS "end", g.after, g.up_to AS "upTo", g.inflated_bytes AS "inflatedBytes",
  g.state = 2 AS "isStale"
FROM log_spaces s LEFT JOIN log_segments g ON g.space_no = s.space_no AND g.${IS_THERE}
WHERE s.space = ANY ($1::text[]) ORDER BY s.space_no, g.after`;
const COMING = `
INSERT INTO log_segments (space_no, after, up_to, settled_to, state, is_outside, method, inflated_bytes, stored_bytes, blob)
SELECT space_no, $2, $3, $2, 0, $4, $5, $6, $7, $8 FROM log_spaces WHERE space = $1 RETURNING space_no`;
/** Whether the range is what was packed, and whether what it has of segments may go. */
const CAN_REPLACE = `
SELECT (SELECT COUNT(*) FROM log_entries WHERE space_no = $1 AND position > $2 AND position <= $3) = $3::bigint - $2::bigint
  AND (SELECT mark FROM log_entries WHERE space_no = $1 AND position = $3) = $4::bytea
  AND (SELECT COUNT(*) FROM log_entries e JOIN log_documents d USING (space_no, document_no)
    WHERE e.space_no = $1 AND e.position > $2 AND e.position <= $3 AND d.retired_at <> e.position) = $5::bigint
  AND NOT EXISTS (SELECT 1 FROM log_segments WHERE space_no = $1 AND ${IS_THERE} AND after < $3 AND up_to > $2
    AND (after < $2 OR up_to > $3 OR (state = 1 AND after = $2 AND up_to = $3))) AS can`;
const REPLACE = `
WITH gone AS (
  UPDATE log_segments SET state = 3, since = now()
  WHERE space_no = $1 AND ${IS_THERE} AND after >= $2 AND up_to <= $3 RETURNING stored_bytes
), come AS (
  UPDATE log_segments SET state = 1, since = now() WHERE space_no = $1 AND blob = $4 AND state = 0 RETURNING stored_bytes
)
UPDATE log_spaces SET bytes = bytes - COALESCE((SELECT SUM(stored_bytes) FROM gone), 0)
  + (SELECT stored_bytes FROM come) WHERE space_no = $1 AND EXISTS (SELECT 1 FROM come) RETURNING space_no`;
const RANGE = "space_no = $1 AND position > $2 AND position <= $3 AND bytes IS NOT NULL";
const SETTLE = `
WITH given AS (SELECT COALESCE(SUM(octet_length(bytes)), 0) AS bytes FROM log_entries WHERE ${RANGE}),
  dropped AS (UPDATE log_entries SET bytes = NULL WHERE ${RANGE}),
  settled AS (UPDATE log_segments SET settled_to = $3 WHERE space_no = $1 AND blob = $4)
UPDATE log_spaces SET bytes = log_spaces.bytes - given.bytes FROM given WHERE space_no = $1`;
const UNSETTLED = `
SELECT space_no, blob FROM log_segments
WHERE ${IS_THERE} AND settled_to < up_to AND since < now() - interval '1 minute' LIMIT ${UNFINISHED_PER_PAGE}`;
/** What a relay has begun an hour ago and not ended, it will not: it finds its row in another state. */
const GIVE_UP = "UPDATE log_segments SET state = 3 WHERE state = 0 AND since < now() - interval '1 hour'";
/**
 * A standby that takes over may lack the end of the log, and name what was named before: what is outside the database
 * is deleted later. Where no place is named, it waits until one is.
 */
const GONE = `
SELECT space_no, blob, is_outside AS "isOutside" FROM log_segments
WHERE state = 3 AND (NOT is_outside OR ($1 AND since < now() - interval '10 minutes'))
ORDER BY since LIMIT ${UNFINISHED_PER_PAGE}`;
const FORGET = "DELETE FROM log_segments WHERE space_no = $1 AND blob = $2 AND state = 3";
const NAMED = `SELECT blob, ${IS_THERE} AS "isThere" FROM log_segments WHERE is_outside`;
/** By the clock of the database, which all relays share. */
const LEASE = `
INSERT INTO log_packer (one, relay, until) VALUES (true, $1, now() + interval '15 seconds')
ON CONFLICT (one) DO UPDATE SET relay = excluded.relay, until = excluded.until
WHERE log_packer.relay = excluded.relay OR log_packer.until < now() RETURNING 1`;

interface LayoutRow {
  readonly space: string;
  readonly end: number;
  readonly after: number | null;
  readonly upTo: number;
  readonly inflatedBytes: number;
  readonly isStale: boolean;
}

export interface PostgresPackingOptions {
  readonly database: Connections;
  readonly blobs: BlobPlaces;
  readonly read: (range: LogRange) => Promise<readonly LogEntry[]>;
  /** Default: {@link STANDARD_SIZES}. */
  readonly sizes?: SegmentSizes | undefined;
  readonly leastOutsideBytes?: number | undefined;
}

export class PostgresPacking implements SegmentStore {
  readonly #options: PostgresPackingOptions;
  readonly #database: Connections;
  #hasSeenAll = false;

  constructor(options: PostgresPackingOptions) {
    this.#options = options;
    this.#database = options.database;
  }

  /** Whether this relay is the one that packs. It is for some seconds, and for as long as it asks again. */
  async isPacker(relay: string): Promise<boolean> {
    return (await this.#write(LEASE, [relay])).length > 0;
  }

  /** Whether there was nothing more to pack when logs were looked at last. */
  get hasSeenAll(): boolean {
    return this.#hasSeenAll;
  }

  async layouts(after: string | undefined): Promise<readonly SpaceLayout[]> {
    const { least } = this.#options.sizes ?? STANDARD_SIZES;
    for (let at = after; ; ) {
      const rows = await this.#database.read<{ space: string; isDue: boolean }>(named(SPACES, [at, least]));
      this.#hasSeenAll = rows.length < SPACES_PER_PAGE;
      const due = rows.filter(({ isDue }) => isDue).map(({ space }) => space);
      if (due.length > 0) return await this.#layouts(due);
      if (rows.length < SPACES_PER_PAGE) return [];
      at = rows.at(-1)?.space;
    }
  }

  async layout(space: string): Promise<SpaceLayout | undefined> {
    return (await this.#layouts([space]))[0];
  }

  async #layouts(spaces: readonly string[]): Promise<readonly SpaceLayout[]> {
    const rows = await this.#database.read<LayoutRow>(named(LAYOUTS, [spaces]));
    return [...Map.groupBy(rows, ({ space }) => space)].map(([space, own]) => ({
      ...{ space, end: own[0]?.end ?? 0 },
      segments: own.flatMap(({ after, upTo, inflatedBytes, isStale }): readonly SegmentPlace[] =>
        after === null ? [] : [{ after, upTo, inflatedBytes, isStale }],
      ),
    }));
  }

  read(range: LogRange): Promise<readonly LogEntry[]> {
    return this.#options.read(range);
  }

  async replace(segment: NewSegment): Promise<boolean> {
    const { space, after, upTo, method, inflatedBytes, bytes } = segment;
    const { blobs, leastOutsideBytes = LEAST_OUTSIDE_BYTES } = this.#options;
    const outside = bytes.length >= leastOutsideBytes ? blobs.outside : undefined;
    const blob = newBlobName(space, bytes);
    const isOutside = outside !== undefined;
    const values = [space, after, upTo, isOutside, method, inflatedBytes, bytes.length, blob];
    // Noted first, so that whatever is written can be found and deleted.
    const [coming] = await this.#write<{ space_no: number }>(COMING, values);
    if (coming === undefined) return false;
    const spaceNo = coming.space_no;
    // If that fails, what was written may yet arrive: it is given up an hour later.
    const isTaken = await this.#keep(spaceNo, blob, outside ?? blobs.inside, segment);
    if (isTaken) await this.#settle(spaceNo, blob);
    else await this.#giveUp(spaceNo, blob);
    return isTaken;
  }

  async #keep(
    spaceNo: number,
    blob: string,
    store: BlobStore,
    { after, upTo, mark, gone, bytes }: NewSegment,
  ): Promise<boolean> {
    await store.put(blob, bytes);
    if (store !== this.#options.blobs.inside) await requireStored(store, blob, bytes);
    return await this.#database.transact(async (client) => {
      await lock(client, spaceNo);
      const range = [spaceNo, after, upTo];
      const { rows } = await client.query<{ can: boolean | null }>(
        named(CAN_REPLACE, [...range, Buffer.from(mark), gone]),
      );
      if (rows[0]?.can !== true) return false;
      return (await client.query(named(REPLACE, [...range, blob]))).rows.length > 0;
    });
  }

  async #giveUp(spaceNo: number, blob: string): Promise<void> {
    const text = "UPDATE log_segments SET state = 3 WHERE space_no = $1 AND blob = $2 AND state = 0";
    await this.#write(text, [spaceNo, blob]);
  }

  /** The rows of a segment give up their bytes, some at a time: whoever appends waits for a step. */
  async #settle(spaceNo: number, blob: string): Promise<void> {
    for (let isDone = false; !isDone; )
      isDone = await this.#database.transact(async (client) => {
        await lock(client, spaceNo);
        const state = `SELECT settled_to, up_to FROM log_segments WHERE space_no = $1 AND blob = $2 AND ${IS_THERE}`;
        const { rows } = await client.query<{ settled_to: number; up_to: number }>(
          named(state, [spaceNo, blob]),
        );
        const [row] = rows;
        if (row === undefined) return true;
        const to = Math.min(row.settled_to + STEP_ENTRIES, row.up_to);
        await client.query(named(SETTLE, [spaceNo, row.settled_to, to, blob]));
        return to === row.up_to;
      });
  }

  async finish(): Promise<void> {
    for (const { space_no: spaceNo, blob } of await this.#database.read<{ space_no: number; blob: string }>(
      named(UNSETTLED, []),
    ))
      await this.#settle(spaceNo, blob);
  }

  /** Deletes blobs that nothing names any more. */
  async sweep(): Promise<void> {
    await this.#write(GIVE_UP, []);
    const { inside, outside } = this.#options.blobs;
    for (;;) {
      const gone = await this.#database.read<{ space_no: number; blob: string; isOutside: boolean }>(
        named(GONE, [outside !== undefined]),
      );
      for (const { space_no: spaceNo, blob, isOutside } of gone) {
        await (isOutside ? outside : inside)?.delete(blob);
        await this.#write(FORGET, [spaceNo, blob]);
      }
      if (gone.length < UNFINISHED_PER_PAGE) return;
    }
  }

  /** What the other place has that no segment names, and what is named and not there. */
  async compare(): Promise<{ readonly unnamed: readonly string[]; readonly missing: readonly string[] }> {
    const before = await this.#named();
    const listed = new Set<string>();
    for await (const { name } of this.#options.blobs.outside?.list() ?? []) listed.add(name);
    // Relays pack meanwhile: what counts was so before and behind.
    const after = await this.#named();
    const missing = [...before].filter(([name, isThere]) => isThere && after.get(name) === true);
    return {
      unnamed: [...listed].filter((name) => !before.has(name) && !after.has(name)),
      missing: missing.map(([name]) => name).filter((name) => !listed.has(name)),
    };
  }

  async #named(): Promise<ReadonlyMap<string, boolean>> {
    const rows = await this.#database.read<{ blob: string; isThere: boolean }>(named(NAMED, []));
    return new Map(rows.map(({ blob, isThere }) => [blob, isThere]));
  }

  async #write<Row extends object>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return await this.#database.transact(
      async (client) => (await client.query(named(text, values))).rows as Row[],
    );
  }
}

/** The rows give up their bytes for it. */
async function requireStored(store: BlobStore, blob: string, bytes: Uint8Array): Promise<void> {
  const stored = await store.get(blob);
  if (stored === undefined || Buffer.compare(stored, bytes) !== 0)
    throw blobsFailed(store.where, "it does not give back what was stored");
}

async function lock(client: ClientBase, spaceNo: number): Promise<void> {
  await client.query(named("SELECT 1 FROM log_spaces WHERE space_no = $1 FOR UPDATE", [spaceNo]));
}
