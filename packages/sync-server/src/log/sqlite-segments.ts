/**
 * Segments in SQLite. An entry points to its bytes by a number: above 0 it is that of a row, below 0 that of a segment,
 * and at 0 they are erased.
 *
 * @module
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { CambiumError } from "@cambium/core";
import { SegmentReader } from "@cambium/core/wire";
import { chunkTools } from "../chunk-tools.js";
import type { DatabaseSync, StatementSync } from "../platform/sqlite.js";
import { toHex } from "./held-documents.js";
import { decompress, decompressNow } from "./segments/codec.js";
import { type LoadedSegment, LoadedSegments } from "./segments/loaded-segments.js";
import { type SegmentSizes, STANDARD_SIZES } from "./segments/plan.js";
import type { NewSegment, SegmentPlace, SpaceLayout } from "./segments/segment-store.js";
import type { StoredSegment } from "./space-log.js";
import { type Durability, durableAtOnce } from "./wal-sync.js";

export const SQLITE_SEGMENTS = `
-- The bytes of the entries behind "after", up to "up_to". Entries up to settled_to point to it. A stale one has bytes of
-- a document that was retired since. Numbers are not used again.
CREATE TABLE IF NOT EXISTS log_segments (
  segment_no INTEGER PRIMARY KEY AUTOINCREMENT,
  space_no INTEGER NOT NULL,
  after INTEGER NOT NULL,
  up_to INTEGER NOT NULL,
  settled_to INTEGER NOT NULL,
  is_stale INTEGER NOT NULL,
  method TEXT NOT NULL,
  inflated_bytes INTEGER NOT NULL,
  stored_bytes INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  bytes BLOB
) STRICT;
CREATE INDEX IF NOT EXISTS log_segments_by_position ON log_segments (space_no, after);
`;

interface SegmentRow {
  readonly segment_no: number;
  readonly after: number;
  readonly up_to: number;
  readonly method: StoredSegment["method"];
  readonly inflated_bytes: number;
  readonly sha256: Uint8Array;
  readonly bytes: Uint8Array | null;
}

/** Where an entry's bytes are. */
export interface StoredBytes {
  readonly space_no: number;
  readonly position: number;
  readonly hash: Uint8Array;
  readonly bytes_no: number;
  readonly bytes: Uint8Array | null;
}

export const NOT_LOADED = Symbol("a segment has to be loaded first");
type NotLoaded = typeof NOT_LOADED;

/** Read in one transaction, or pointed to a segment: a few milliseconds. */
const STEP_ENTRIES = 512;
const SPACES_PER_PAGE = 200;

export class SqliteSegments {
  readonly #database: DatabaseSync;
  /** What is packed is as durable as what comes after it. */
  readonly #durability: Durability;
  readonly #loaded = new LoadedSegments<number, LoadedSegment>();
  readonly #least: number;
  readonly #statements: ReturnType<typeof prepareAll>;

  constructor(
    database: DatabaseSync,
    { least }: SegmentSizes = STANDARD_SIZES,
    durability: Durability = durableAtOnce(database),
  ) {
    this.#database = database;
    this.#durability = durability;
    this.#least = least;
    this.#statements = prepareAll(database);
  }

  /** The bytes of an entry; undefined when they are erased. @throws {CambiumError} STORE_DAMAGED */
  bytesOf(row: StoredBytes): Uint8Array | undefined | NotLoaded {
    if (row.bytes_no >= 0) return row.bytes ?? undefined;
    const segment = this.#loaded.get(-row.bytes_no);
    if (segment === undefined) return NOT_LOADED;
    const { after, reader } = segment;
    const entry = reader.entry(row.position - after - 1, (at) => this.#hashAt(row.space_no, after + at + 1));
    if (entry.hash !== toHex(row.hash))
      throw damaged(-row.bytes_no, `it has another entry at ${row.position}`);
    return entry.bytes;
  }

  /** Whether a segment begins with this entry. One that is not loaded may. */
  beginsAt({ bytes_no, position }: StoredBytes): boolean {
    return bytes_no < 0 && (this.#loaded.peek(-bytes_no)?.after ?? position - 1) === position - 1;
  }

  /** Makes `bytesOf` answer. @throws {CambiumError} STORE_DAMAGED when it cannot be read, or is another one than was stored */
  async load({ bytes_no }: StoredBytes): Promise<void> {
    const row = this.#statements.byNo.get(-bytes_no) as SegmentRow | undefined;
    // If another has taken its place, the entry points there now.
    if (row === undefined && this.#statements.pointing.get(bytes_no) === undefined) return;
    if (row === undefined) throw damaged(-bytes_no, "it is missing");
    const bytes = await this.#read(row);
    const plain = await decompress(row.method, bytes, row.inflated_bytes).catch((cause: unknown) => {
      throw damaged(row.segment_no, "it cannot be inflated", cause);
    });
    const reader = new SegmentReader(plain, chunkTools.sha256);
    this.#loaded.keep(row.segment_no, { after: row.after, reader, sizeBytes: plain.length });
  }

  #hashAt(spaceNo: number, position: number): string {
    return toHex(this.#statements.hashAt.get(spaceNo, position)?.hash as Uint8Array);
  }

  /** The segment that begins behind a position, as it is stored. */
  async at(
    spaceNo: number,
    after: number,
  ): Promise<(Omit<StoredSegment, "upTo"> & { readonly upTo: number }) | undefined> {
    const row = this.#statements.at.get(spaceNo, after) as SegmentRow | undefined;
    if (row === undefined) return undefined;
    const bytes = await this.#read(row);
    return { after, upTo: row.up_to, method: row.method, inflatedBytes: row.inflated_bytes, bytes };
  }

  async #read({ segment_no: no, bytes, sha256 }: SegmentRow): Promise<Uint8Array> {
    if (bytes === null) throw damaged(no, "its bytes are missing");
    if (Buffer.compare(chunkTools.sha256(bytes), sha256) !== 0) throw damaged(no, "its bytes are others");
    return bytes;
  }

  layouts(after: string | undefined): readonly SpaceLayout[] {
    let spaceNo = after === undefined ? 0 : ((this.#statements.space.get(after)?.space_no as number) ?? 0);
    for (;;) {
      const rows = this.#statements.spaces.all(this.#least, spaceNo) as unknown as readonly {
        readonly space_no: number;
        readonly space: string;
        readonly isDue: number;
      }[];
      const due = rows.filter(({ isDue }) => isDue === 1);
      if (due.length > 0) return due.flatMap(({ space }) => this.layout(space) ?? []);
      if (rows.length < SPACES_PER_PAGE) return [];
      spaceNo = rows.at(-1)?.space_no ?? 0;
    }
  }

  layout(space: string): SpaceLayout | undefined {
    const row = this.#statements.space.get(space) as { space_no: number; position: number } | undefined;
    if (row === undefined) return undefined;
    const rows = this.#statements.places.all(row.space_no) as unknown as readonly {
      readonly after: number;
      readonly up_to: number;
      readonly inflated_bytes: number;
      readonly is_stale: number;
    }[];
    const segments = rows.map(
      ({ after, up_to, inflated_bytes, is_stale }): SegmentPlace => ({
        ...{ after, upTo: up_to, inflatedBytes: inflated_bytes, isStale: is_stale === 1 },
      }),
    );
    return { space, segments, end: row.position };
  }

  async replace(segment: NewSegment): Promise<boolean> {
    const segmentNo = this.#durability.commit(() => this.#insert(segment));
    if (segmentNo === undefined) return false;
    await this.#settle(segmentNo);
    return true;
  }

  async finish(): Promise<void> {
    for (const { segment_no } of this.#statements.unsettled.all()) await this.#settle(segment_no as number);
  }

  #insert({ space, after, upTo, gone, method, inflatedBytes, bytes }: NewSegment): number | undefined {
    const spaceNo = this.#statements.space.get(space)?.space_no as number | undefined;
    if (spaceNo === undefined) return undefined;
    const { entries, erased } = this.#statements.count.get(spaceNo, after, upTo) as {
      entries: number;
      erased: number;
    };
    if (entries !== upTo - after || erased !== gone) return undefined;
    const sha256 = chunkTools.sha256(bytes);
    const { lastInsertRowid } = this.#statements.insert.run(
      ...[spaceNo, after, upTo, after],
      ...[method, inflatedBytes, bytes.length, sha256, bytes],
    );
    return Number(lastInsertRowid);
  }

  async #settle(segmentNo: number): Promise<void> {
    const erases = this.#statements.replacesStale.get(segmentNo) !== undefined;
    for (let isDone = false; !isDone; ) {
      await nextTurn();
      isDone = this.#durability.commit(() => this.#settleSome(segmentNo));
    }
    // What was overwritten in the file is still in the side file.
    if (erases) this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  /** @returns whether that was the rest */
  #settleSome(segmentNo: number): boolean {
    const row = this.#statements.state.get(segmentNo) as
      | { space_no: number; after: number; up_to: number; settled_to: number }
      | undefined;
    if (row === undefined) return true; // the space was deleted
    const { space_no: spaceNo, after, up_to: upTo, settled_to: from } = row;
    const to = Math.min(from + STEP_ENTRIES, upTo);
    this.#statements.dropBytes.run(spaceNo, from, to);
    this.#statements.point.run(-segmentNo, spaceNo, from, to);
    this.#statements.settle.run(to, segmentNo);
    if (to < upTo) return false;
    this.#statements.dropOld.run(spaceNo, after, upTo, segmentNo);
    return true;
  }
}

const RANGE = "space_no = ? AND position > ? AND position <= ?";

function prepareAll(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql);
  return {
    byNo: prepare("SELECT * FROM log_segments WHERE segment_no = ?"),
    at: prepare(
      `SELECT * FROM log_segments WHERE space_no = ? AND after = ? AND settled_to = up_to AND is_stale = 0
       ORDER BY segment_no DESC LIMIT 1`,
    ),
    space: prepare("SELECT space_no, position FROM log_spaces WHERE space = ?"),
    spaces: prepare(
      `SELECT space_no, space,
         position >= ? + COALESCE((SELECT MAX(up_to) FROM log_segments g WHERE g.space_no = s.space_no), 0)
         OR EXISTS (SELECT 1 FROM log_segments g WHERE g.space_no = s.space_no AND is_stale = 1) AS isDue
       FROM log_spaces s WHERE space_no > ? ORDER BY space_no LIMIT ${SPACES_PER_PAGE}`,
    ),
    places: prepare(
      "SELECT after, up_to, inflated_bytes, is_stale FROM log_segments WHERE space_no = ? ORDER BY after",
    ),
    hashAt: prepare("SELECT hash FROM log_entries WHERE space_no = ? AND position = ?"),
    pointing: prepare("SELECT 1 FROM log_entries WHERE bytes_no = ?"),
    count: prepare(
      `SELECT COUNT(*) AS entries, COALESCE(SUM(bytes_no = 0), 0) AS erased FROM log_entries WHERE ${RANGE}`,
    ),
    insert: prepare(
      `INSERT INTO log_segments
         (space_no, after, up_to, settled_to, is_stale, method, inflated_bytes, stored_bytes, sha256, bytes)
       VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?, ?)`,
    ),
    state: prepare("SELECT space_no, after, up_to, settled_to FROM log_segments WHERE segment_no = ?"),
    replacesStale: prepare(
      `SELECT 1 FROM log_segments new JOIN log_segments old USING (space_no)
       WHERE new.segment_no = ? AND old.is_stale = 1 AND old.after >= new.after AND old.up_to <= new.up_to`,
    ),
    unsettled: prepare("SELECT segment_no FROM log_segments WHERE settled_to < up_to"),
    dropBytes: prepare(
      `DELETE FROM log_bytes WHERE bytes_no IN (SELECT bytes_no FROM log_entries WHERE ${RANGE})`,
    ),
    point: prepare(`UPDATE log_entries SET bytes_no = ? WHERE ${RANGE} AND bytes_no <> 0`),
    settle: prepare("UPDATE log_segments SET settled_to = ? WHERE segment_no = ?"),
    dropOld: prepare(
      "DELETE FROM log_segments WHERE space_no = ? AND after >= ? AND up_to <= ? AND segment_no <> ?",
    ),
  };
}

/** What is wrong with the segments of a file, and with entries whose bytes are missing. */
export function* segmentProblems(database: DatabaseSync): Generator<string> {
  const hashAt = database.prepare("SELECT hash FROM log_entries WHERE space_no = ? AND position = ?");
  const hashOf = (spaceNo: number, position: number): string => {
    const hash = hashAt.get(spaceNo, position)?.hash as Uint8Array | undefined;
    return hash === undefined ? "" : toHex(hash);
  };
  for (const row of database.prepare("SELECT * FROM log_segments").iterate() as Iterable<unknown>) {
    const segment = row as SegmentRow & { readonly space_no: number };
    const at = (place: number): string => hashOf(segment.space_no, segment.after + place + 1);
    try {
      if (segment.bytes === null) throw damaged(segment.segment_no, "its bytes are missing");
      if (Buffer.compare(chunkTools.sha256(segment.bytes), segment.sha256) !== 0)
        throw damaged(segment.segment_no, "its bytes are others");
      const plain = decompressNow(segment.method, segment.bytes, segment.inflated_bytes);
      const reader = new SegmentReader(plain, chunkTools.sha256);
      for (let place = 0; place < reader.count; place += 1)
        if (reader.entry(place, at).hash !== at(place))
          throw damaged(segment.segment_no, `it has another entry at ${segment.after + place + 1}`);
    } catch (error) {
      yield error instanceof Error ? error.message : String(error);
    }
  }
  const lost = database.prepare(
    `SELECT COUNT(*) AS count FROM log_entries WHERE
       bytes_no > 0 AND NOT EXISTS (SELECT 1 FROM log_bytes b WHERE b.bytes_no = log_entries.bytes_no)
       OR bytes_no < 0 AND NOT EXISTS (SELECT 1 FROM log_segments g WHERE g.segment_no = -log_entries.bytes_no)`,
  );
  const { count } = lost.get() as { count: number };
  if (count > 0) yield `The bytes of ${count} entries are missing.`;
}

const damaged = (segmentNo: number, what: string, cause?: unknown): CambiumError =>
  new CambiumError("STORE_DAMAGED", `Segment ${segmentNo} of the relay's log is damaged: ${what}.`, {
    hint: "Restore the log from a backup.",
    cause,
  });
