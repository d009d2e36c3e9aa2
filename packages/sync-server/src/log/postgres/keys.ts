/**
 * Which keys documents ever named, as a retirement asks for them. They are read before the space is locked, and under
 * the lock only as far as the documents have grown since: nobody waits there for a segment.
 *
 * @module
 */
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { changeKeys } from "@cambium/core";
import type { ClientBase } from "pg";
import { fromHex } from "../held-documents.js";
import type { LogBatch } from "../space-log.js";
import type { Connections } from "./connect.js";
import { named } from "./named.js";
import type { PostgresSegments } from "./segments.js";

/** A retirement names at most 65 documents; this is for two of them, and for a client that asks again. */
const MOST_DOCUMENTS = 130;
/** Changes of which the keys are read at once: a millisecond or two. */
const PAGE = 128;
/** Changes of a document. Packs have some hundred each. */
const MOST_CHANGES = 65_536;
/** Others of the space wait so long for segments. Reading goes on, and who asks again finds what was read. */
const LONGEST_MS = 2_000;

const DOCUMENTS_OF = `
SELECT space_no, document_no FROM log_documents
WHERE space_no = (SELECT space_no FROM log_spaces WHERE space = $1) AND document = ANY ($2::bytea[]) AND retired_at IS NULL`;
const PAGE_OF = `
SELECT position, hash, mark, bytes FROM log_entries
WHERE space_no = $1 AND document_no = $2 AND position > $3 AND actor_no IS NOT NULL ORDER BY position LIMIT ${PAGE}`;
const MARK = "SELECT mark FROM log_entries WHERE space_no = $1 AND document_no = $2 AND position = $3";

interface ChangeRow {
  readonly position: number;
  readonly hash: Uint8Array;
  readonly mark: Uint8Array;
  readonly bytes: Uint8Array | null;
}

/** The keys of a document up to an entry, by its mark: another one there means another log. */
interface KnownKeys {
  upTo: number;
  mark: Uint8Array | undefined;
  count: number;
  keys: Set<string>;
}

/** `many`: too many changes to read them all; `packed`: some are in segments that were not read. */
export type FoundKeys = ReadonlySet<string> | "many" | "packed";

export class PostgresKeys {
  readonly #database: Connections;
  readonly #segments: PostgresSegments;
  /** By space and document, those used last behind. */
  readonly #known = new Map<string, KnownKeys>();

  constructor(database: Connections, segments: PostgresSegments) {
    this.#database = database;
    this.#segments = segments;
  }

  /** Reads what the retirements of these batches ask for, as far as it can be read now. */
  async prepare(space: string, batches: readonly LogBatch[]): Promise<void> {
    const documents = batches.flatMap(({ items }) =>
      items.flatMap((item) => (item.kind === "retire" ? [item.document, ...item.carriedIn] : [])),
    );
    if (documents.length === 0) return;
    const reading = this.#readAll(space, documents);
    const late = new AbortController();
    const limit = delay(LONGEST_MS, undefined, { signal: late.signal });
    // Whatever could not be read is missed under the lock.
    await Promise.race([reading, limit]).catch(() => {});
    late.abort();
    for (const one of [reading, limit]) one.catch(() => {});
  }

  async #readAll(space: string, documents: readonly string[]): Promise<void> {
    const found = await this.#database.read<{ space_no: number; document_no: number }>(
      named(DOCUMENTS_OF, [space, documents.map(fromHex)]),
    );
    for (const { space_no: spaceNo, document_no: no } of found) {
      const known = this.#of(spaceNo, no);
      const read = <Row extends object>(text: string, values: readonly unknown[]) =>
        this.#database.read<Row>(named(text, values));
      await this.#grow(known, spaceNo, no, read, (row) => this.#segments.bytesOf(spaceNo, row));
    }
  }

  /** Under the lock. */
  async under(client: ClientBase, spaceNo: number, no: number): Promise<FoundKeys> {
    const known = this.#of(spaceNo, no);
    const read = async <Row extends object>(text: string, values: readonly unknown[]) =>
      (await client.query(named(text, values))).rows as Row[];
    const isAll = await this.#grow(known, spaceNo, no, read, () => NOT_NOW);
    if (!isAll) return "packed";
    return known.count >= MOST_CHANGES ? "many" : known.keys;
  }

  #of(spaceNo: number, no: number): KnownKeys {
    const name = `${spaceNo} ${no}`;
    const known = this.#known.get(name) ?? empty();
    this.#known.delete(name);
    this.#known.set(name, known);
    if (this.#known.size > MOST_DOCUMENTS) this.#known.delete(this.#known.keys().next().value as string);
    return known;
  }

  /** @returns false when it met bytes that it could not have */
  async #grow(
    known: KnownKeys,
    spaceNo: number,
    no: number,
    read: <Row extends object>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>,
    packed: (row: ChangeRow) => Promise<Uint8Array | undefined> | typeof NOT_NOW,
  ): Promise<boolean> {
    const [then] = known.upTo === 0 ? [] : await read<{ mark: Uint8Array }>(MARK, [spaceNo, no, known.upTo]);
    const isSame =
      then !== undefined && known.mark !== undefined && Buffer.compare(then.mark, known.mark) === 0;
    if (!isSame) Object.assign(known, empty());
    while (known.count < MOST_CHANGES) {
      const rows = await read<ChangeRow>(PAGE_OF, [spaceNo, no, known.upTo]);
      for (const row of rows) {
        const bytes = row.bytes ?? packed(row);
        if (bytes === NOT_NOW) return false;
        const change = await bytes;
        for (const key of change === undefined ? [] : changeKeys(change)) known.keys.add(key);
        Object.assign(known, { upTo: row.position, mark: row.mark, count: known.count + 1 });
      }
      if (rows.length < PAGE) return true;
      await nextTurn();
    }
    return true;
  }
}

const NOT_NOW = Symbol("it is in a segment");
const empty = (): KnownKeys => ({ upTo: 0, mark: undefined, count: 0, keys: new Set() });
