/**
 * Reading segments of logs in PostgreSQL. An entry without bytes of its own has them in the segment that has its
 * position, unless its document was retired.
 *
 * @module
 */
import { CambiumError } from "@cambium/core";
import { SegmentReader } from "@cambium/core/wire";
import { chunkTools } from "../../chunk-tools.js";
import { type BlobStore, isOfName } from "../blobs/blob-store.js";
import { toHex } from "../held-documents.js";
import { decompress } from "../segments/codec.js";
import { type LoadedSegment, LoadedSegments } from "../segments/loaded-segments.js";
import type { StoredSegment } from "../space-log.js";
import type { Connections } from "./connect.js";
import { named } from "./named.js";

/** An entry that is in a segment. */
export interface PackedEntry {
  readonly position: number;
  readonly hash: Uint8Array;
}

interface SegmentRow {
  readonly after: number;
  readonly up_to: number;
  readonly method: StoredSegment["method"];
  readonly inflated_bytes: number;
  readonly is_outside: boolean;
  readonly blob: string;
  readonly state: number;
  readonly mark: Uint8Array;
}

interface Loaded extends LoadedSegment {
  readonly upTo: number;
  /** One after the other. */
  readonly hashes: Uint8Array;
}

const HASH_BYTES = 32;
const MOST_RECENT = 1_024;

/** What SQL says of segments that are there. */
export const IS_THERE = "state IN (1, 2)";
const COVERING = `
SELECT after, up_to, method, inflated_bytes, is_outside, blob, state FROM log_segments
WHERE space_no = $1 AND after < $2 AND ${IS_THERE} ORDER BY after DESC LIMIT 1`;
const HASHES = `
SELECT string_agg(hash, ''::bytea ORDER BY position) AS hashes FROM log_entries
WHERE space_no = $1 AND position > $2 AND position <= $3`;
const AT = `
SELECT g.after, g.up_to, g.method, g.inflated_bytes, g.is_outside, g.blob, g.state, e.mark
FROM log_segments g JOIN log_spaces s USING (space_no)
  JOIN log_entries e ON e.space_no = g.space_no AND e.position = g.up_to
WHERE s.space = $1 AND g.after = $2 AND g.state = 1`;

/** Where segments are: those that are large elsewhere, where another place is named. */
export interface BlobPlaces {
  readonly inside: BlobStore;
  readonly outside: BlobStore | undefined;
}

export class PostgresSegments {
  readonly #database: Connections;
  readonly #blobs: BlobPlaces;
  readonly #loaded = new LoadedSegments<string, Loaded>();
  /** The segment that was asked of each space last: the next question is mostly about it too. */
  readonly #recent = new Map<number, string>();

  constructor(database: Connections, blobs: BlobPlaces) {
    this.#database = database;
    this.#blobs = blobs;
  }

  /** @throws {CambiumError} STORE_DAMAGED when it is another one than was stored, STORE_FAILED when it cannot be read now */
  async bytesOf(spaceNo: number, { position, hash }: PackedEntry): Promise<Uint8Array | undefined> {
    const { after, reader, hashes } = this.#known(spaceNo, position) ?? (await this.#load(spaceNo, position));
    const hashAt = (at: number): string => toHex(hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES));
    const entry = reader.entry(position - after - 1, hashAt);
    if (entry.hash !== toHex(hash)) throw damaged(position, "its segment has another entry there");
    return entry.bytes;
  }

  #known(spaceNo: number, position: number): Loaded | undefined {
    const blob = this.#recent.get(spaceNo);
    const loaded = blob === undefined ? undefined : this.#loaded.get(blob);
    return loaded !== undefined && position > loaded.after && position <= loaded.upTo ? loaded : undefined;
  }

  async #load(spaceNo: number, position: number): Promise<Loaded> {
    for (let missing = ""; ; ) {
      const [row] = await this.#database.read<SegmentRow>(named(COVERING, [spaceNo, position]));
      if (row === undefined || row.up_to < position) throw damaged(position, "its bytes are missing");
      const loaded = this.#loaded.get(row.blob) ?? (await this.#read(spaceNo, row, position));
      // Another one may have taken its place meanwhile.
      if (loaded === undefined && row.blob === missing) throw damaged(position, `${row.blob} is missing`);
      if (loaded === undefined) {
        missing = row.blob;
        continue;
      }
      if (this.#recent.size >= MOST_RECENT) this.#recent.clear();
      this.#recent.set(spaceNo, row.blob);
      return loaded;
    }
  }

  async #read(spaceNo: number, row: SegmentRow, position: number): Promise<Loaded | undefined> {
    const { blob, method, inflated_bytes: inflatedBytes, after, up_to: upTo } = row;
    const stored = await this.#get(row);
    if (stored === undefined) return undefined;
    const plain = await decompress(method, stored, inflatedBytes).catch((cause: unknown) => {
      throw damaged(position, `${blob} cannot be inflated`, cause);
    });
    const values = [spaceNo, after, upTo];
    const [found] = await this.#database.read<{ hashes: Uint8Array | null }>(named(HASHES, values));
    const hashes = found?.hashes ?? new Uint8Array();
    const reader = new SegmentReader(plain, chunkTools.sha256);
    if (reader.count !== upTo - after || hashes.length !== reader.count * HASH_BYTES)
      throw damaged(position, `${blob} has another number of entries`);
    const loaded = { after, upTo, reader, hashes, sizeBytes: plain.length + hashes.length };
    this.#loaded.keep(blob, loaded);
    return loaded;
  }

  async #get({ blob, is_outside: isOutside, up_to: upTo }: SegmentRow): Promise<Uint8Array | undefined> {
    const { inside, outside } = this.#blobs;
    const store = isOutside ? outside : inside;
    if (store === undefined) throw unnamed();
    const stored = await store.get(blob);
    if (stored !== undefined && !isOfName(blob, stored))
      throw damaged(upTo, `what ${store.where} has as ${blob} is something else`);
    return stored;
  }

  /** The segment that begins behind a position, as it is stored. */
  async at(space: string, after: number): Promise<StoredSegment | undefined> {
    const [row] = await this.#database.read<SegmentRow>(named(AT, [space, after]));
    // If it is gone meanwhile, the entries are read one by one.
    const bytes = row && (await this.#get(row));
    if (row === undefined || bytes === undefined) return undefined;
    const { method, inflated_bytes: inflatedBytes } = row;
    return {
      after,
      upTo: { position: row.up_to, mark: new Uint8Array(row.mark) },
      method,
      inflatedBytes,
      bytes,
    };
  }
}

const unnamed = (): CambiumError =>
  new CambiumError(
    "STORE_FAILED",
    "Some of the log is in segments outside the database, and no place is named.",
    {
      hint: "Give the setting `blobs` as it was when they were written.",
    },
  );

const damaged = (position: number, what: string, cause?: unknown): CambiumError =>
  new CambiumError(
    "STORE_DAMAGED",
    `The relay's log is damaged at position ${position} of a space: ${what}.`,
    {
      hint: "Restore the segment, or the log, from a backup.",
      cause,
    },
  );
