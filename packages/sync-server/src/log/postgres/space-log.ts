/**
 * The logs of spaces in PostgreSQL, for any number of relays on one database.
 *
 * @module
 */
import type { ChunkTools } from "@cambium/core";
import { LOG_START, type LogPoint } from "@cambium/core/wire";
import type { ClientBase } from "pg";
import { bytesToHashes, fromHex, lackedWith, partsOf, toHex } from "../held-documents.js";
import type { SpaceQuotas } from "../relay-log.js";
import type {
  BatchOutcome,
  ChangesQuery,
  DocumentChange,
  DocumentState,
  LogBatch,
  LogEntry,
  LogRange,
  SpaceLog,
  StoredSegment,
} from "../space-log.js";
import { lockSpace, SpaceAppend, type SpaceRow } from "./append.js";
import { type Connections, commit } from "./connect.js";
import { PostgresKeys } from "./keys.js";
import { NotRead } from "./lookup.js";
import { named } from "./named.js";
import { PostgresRows } from "./rows.js";
import { IS_THERE, type PackedEntry, type PostgresSegments } from "./segments.js";

/** So many spaces have a copy of what was last asked of them. */
const MOST_SPACES = 256;
/** Rows of one query. */
const PAGE = 512;

interface Remembered {
  readonly point: LogPoint;
  readonly rows: PostgresRows;
}

const LAST_POSITION = Number.MAX_SAFE_INTEGER;
/** Asked of the log's index first: what is large is read for those rows alone that are wanted. */
const READ = `
SELECT e.space_no, e.position, e.kind, e.hash, e.mark, d.document, e.bytes, d.retired_at <> e.position AS "isErased" FROM (
  SELECT *, SUM(COALESCE(octet_length(bytes), 0) + 32) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING)
    - COALESCE(octet_length(bytes), 0) - 32 AS before
  FROM (
    SELECT * FROM log_entries WHERE space_no = (SELECT space_no FROM log_spaces WHERE space = $1) AND position > $2
      AND position <= COALESCE((SELECT after FROM log_segments WHERE ${IS_THERE} AND after > $4
        AND space_no = (SELECT space_no FROM log_spaces WHERE space = $1) ORDER BY after LIMIT 1), ${LAST_POSITION})
    ORDER BY position LIMIT ${PAGE}
  ) page
) e JOIN log_documents d USING (space_no, document_no) WHERE e.before < $3 ORDER BY e.position`;
const HASH_BYTES = 32;
/** The heads are summed before they are read. @param page - of documents, each with its place in the order */
const statesOf = (page: string): string => `
SELECT document, heads, position FROM (
  SELECT *, SUM(octet_length(heads)) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) - octet_length(heads) AS before
  FROM (${page}) page
) d WHERE COALESCE(before <= $2::float8 * ${HASH_BYTES}, TRUE) ORDER BY place`;
const IS_HERE = "retired_at IS NULL AND space_no = (SELECT space_no FROM log_spaces WHERE space = $1)";
const DOCUMENTS = statesOf(
  `SELECT *, position AS place FROM log_documents WHERE ${IS_HERE} AND position > $3 ORDER BY position LIMIT $4`,
);
const DESCRIBED = statesOf(
  `SELECT d.*, asked.place FROM UNNEST($3::bytea[]) WITH ORDINALITY AS asked (document, place)
    JOIN log_documents d USING (document) WHERE ${IS_HERE}`,
);

/** Changes of a document of which the bytes are read at once. */
const CHANGES_PAGE = 64;

/** Its document may be retired while it is read. */
const IS_ERASED = `(SELECT d.retired_at FROM log_documents d WHERE d.space_no = e.space_no
  AND d.document_no = e.document_no) IS NOT NULL AS "isErased"`;
const CHANGES = `
SELECT e.space_no, position, hash, bytes, ${IS_ERASED} FROM log_entries e
WHERE space_no = $1 AND document_no = $2 AND position > $3 AND position <= $4 AND actor_no IS NOT NULL
ORDER BY position LIMIT $5`;
const CHANGES_AT = `
SELECT e.space_no, position, hash, bytes, ${IS_ERASED} FROM log_entries e
WHERE space_no = $1 AND position = ANY ($2::bigint[]) ORDER BY position`;

/** Where an entry's bytes are. */
interface BytesRow extends PackedEntry {
  readonly space_no: number;
  readonly bytes: Uint8Array | null;
  readonly isErased: boolean | null;
}

interface StateRow {
  readonly document: Uint8Array;
  readonly heads: Uint8Array;
  readonly position: number;
}

interface ReadRow extends BytesRow {
  readonly kind: number;
  readonly mark: Uint8Array;
  readonly document: Uint8Array;
}

export interface PostgresSpaceLogOptions {
  readonly database: Connections;
  readonly sha256: ChunkTools["sha256"];
  readonly segments: PostgresSegments;
  /** Called after each commit. */
  readonly onAppended: (space: string) => void;
  /** The log is not the one that this relay has appended to: it was restored, or a server took over without its end. */
  readonly onMoved: (space: string) => void;
  /** Documents of it were retired: what its segments have of them is to be erased. */
  readonly onRetired: (space: string) => void;
}

export class PostgresSpaceLog implements SpaceLog {
  readonly #options: PostgresSpaceLogOptions;
  readonly #remembered = new Map<string, Remembered>();
  /** Of one space, one transaction at a time. */
  readonly #last = new Map<string, Promise<unknown>>();

  readonly #keys: PostgresKeys;
  #quotas: SpaceQuotas | undefined;

  constructor(options: PostgresSpaceLogOptions) {
    this.#options = options;
    this.#keys = new PostgresKeys(options.database, options.segments);
  }

  limit(quotas: SpaceQuotas): void {
    this.#quotas = quotas;
  }

  get lanes(): number {
    return this.#options.database.lanes;
  }

  async append(batches: readonly LogBatch[]): Promise<readonly BatchOutcome[]> {
    const bySpace = Map.groupBy(batches.entries(), ([, { space }]) => space);
    const outcomes: BatchOutcome[] = [];
    const stored = await Promise.allSettled(
      [...bySpace].map(async ([space, entries]) => {
        const own = await this.#inTurn(space, () =>
          this.#appendTo(
            space,
            entries.map(([, batch]) => batch),
          ),
        );
        for (const [at, [index]] of entries.entries()) outcomes[index] = own[at] as BatchOutcome;
      }),
    );
    for (const one of stored) if (one.status === "rejected") throw one.reason;
    return outcomes;
  }

  async #inTurn<Result>(space: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(space) ?? Promise.resolve();
    const turn = before.then(work, work);
    const over = turn.catch(() => {});
    this.#last.set(space, over);
    try {
      return await turn;
    } finally {
      if (this.#last.get(space) === over) this.#last.delete(space);
    }
  }

  async #appendTo(space: string, batches: readonly LogBatch[]): Promise<readonly BatchOutcome[]> {
    const { database, sha256, onAppended, onRetired } = this.#options;
    const retires = batches.some(({ items }) => items.some(({ kind }) => kind === "retire"));
    if (retires) await this.#keys.prepare(space, batches);
    // Whatever goes wrong, nothing is believed that the database has not confirmed.
    const before = this.#remembered.get(space);
    this.#remembered.delete(space);
    return await database.using(database.writers, async (client) => {
      await client.query("BEGIN");
      const row = await lockSpace(client, space);
      const rows = await this.#rowsOf(client, space, row, before);
      const append = new SpaceAppend(client, row, rows, { sha256, quotas: this.#quotas });
      const outcomes = await append.take(batches);
      await commit(client);
      rows.committed();
      this.#remember(space, { point: append.point, rows });
      if (append.point.position > row.position) onAppended(space);
      if (retires) onRetired(space);
      return outcomes;
    });
  }

  #remember(space: string, remembered: Remembered): void {
    this.#remembered.set(space, remembered);
    if (this.#remembered.size > MOST_SPACES)
      this.#remembered.delete(this.#remembered.keys().next().value as string);
  }

  /** What is remembered of a space, as far as its row continues it. */
  async #rowsOf(
    client: ClientBase,
    space: string,
    row: SpaceRow,
    before: Remembered | undefined,
  ): Promise<PostgresRows> {
    if (before === undefined) return new PostgresRows(row.space_no, this.#keys);
    const { point, rows } = before;
    if (row.space_no === rows.spaceNo && point.position === row.position && isSame(point.mark, row.mark))
      return rows;
    const isContinued = row.space_no === rows.spaceNo && (await this.#isContinued(client, row, point));
    if (isContinued) {
      rows.forgetChangeable();
      return rows;
    }
    this.#options.onMoved(space);
    return new PostgresRows(row.space_no, this.#keys);
  }

  async #isContinued(client: ClientBase, row: SpaceRow, point: LogPoint): Promise<boolean> {
    if (point.position === 0) return true;
    const { rows } = await client.query<{ mark: Uint8Array }>(
      named("SELECT mark FROM log_entries WHERE space_no = $1 AND position = $2", [
        row.space_no,
        point.position,
      ]),
    );
    return rows[0] !== undefined && isSame(rows[0].mark, point.mark);
  }

  async end(space: string): Promise<LogPoint> {
    const text = "SELECT position, mark FROM log_spaces WHERE space = $1";
    const [row] = await this.#options.database.read<LogPoint>(named(text, [space]));
    return row === undefined ? LOG_START : toPoint(row);
  }

  async pointAt(space: string, position: number): Promise<LogPoint | undefined> {
    if (position === 0) return LOG_START;
    const text =
      "SELECT position, mark FROM log_entries WHERE space_no = (SELECT space_no FROM log_spaces WHERE space = $1) AND position = $2";
    const [row] = await this.#options.database.read<LogPoint>(named(text, [space, position]));
    return row && toPoint(row);
  }

  async read({ space, after, maxBytes, untilSegment }: LogRange): Promise<readonly LogEntry[]> {
    const entries: LogEntry[] = [];
    for (let left = maxBytes; left > 0; ) {
      const values = [space, entries.at(-1)?.position ?? after, left, untilSegment ? after : null];
      const rows = await this.#options.database.read<ReadRow>(named(READ, values));
      for (const row of rows) {
        const { position, kind, hash, mark, document } = row;
        const ids = { document: toHex(document), hash: toHex(hash), mark: new Uint8Array(mark) };
        const bytes = await this.#bytesOf(row);
        entries.push({ position, kind, ...ids, bytes });
        left -= (bytes?.length ?? 0) + hash.length;
        if (left <= 0) break;
      }
      if (rows.length < PAGE) break;
    }
    return entries;
  }

  async #bytesOf(row: BytesRow): Promise<Uint8Array | undefined> {
    if (row.bytes !== null || row.isErased === true) return row.bytes ?? undefined;
    return await this.#options.segments.bytesOf(row.space_no, row);
  }

  segmentAfter(space: string, after: number): Promise<StoredSegment | undefined> {
    return this.#options.segments.at(space, after);
  }

  async documents({
    space,
    after,
    limit,
    mostHeads,
  }: Parameters<SpaceLog["documents"]>[0]): Promise<readonly DocumentState[]> {
    const values = [space, mostHeads ?? null, after, limit];
    return (await this.#options.database.read<StateRow>(named(DOCUMENTS, values))).map(rowToState);
  }

  async describe(
    space: string,
    documents: readonly string[],
    mostHeads?: number,
  ): Promise<readonly DocumentState[]> {
    const values = [space, mostHeads ?? null, documents.map(fromHex)];
    return (await this.#options.database.read<StateRow>(named(DESCRIBED, values))).map(rowToState);
  }

  async *changes({ space, document, after = 0, without = [] }: ChangesQuery): AsyncGenerator<DocumentChange> {
    const { database } = this.#options;
    const walk = await database.using(database.readers, (client) =>
      walkOf(client, { space, document, without }),
    );
    if (walk === undefined) return;
    const { spaceNo, parts, positions, unseenTo } = walk;
    for (const { documentNo, upTo, without: left } of parts) {
      const last = Math.min(upTo, unseenTo);
      for (let from = after; from < last; ) {
        const page = await database.read<BytesRow>(
          named(CHANGES, [spaceNo, documentNo, from, last, CHANGES_PAGE]),
        );
        for (const row of page) if (!left.has(row.position)) yield* this.#changeOf(row);
        from = page.length < CHANGES_PAGE ? last : (page.at(-1)?.position ?? last);
      }
    }
    const above = positions.filter((position) => position > after).reverse();
    for (let at = 0; at < above.length; at += CHANGES_PAGE) {
      const some = above.slice(at, at + CHANGES_PAGE);
      for (const row of await database.read<BytesRow>(named(CHANGES_AT, [spaceNo, some])))
        yield* this.#changeOf(row);
    }
  }

  async *#changeOf(row: BytesRow): AsyncGenerator<DocumentChange> {
    const bytes = await this.#bytesOf(row);
    if (bytes !== undefined) yield { position: row.position, hash: toHex(row.hash), bytes };
  }
}

/** Which changes of a document are asked for. */
async function walkOf(
  client: ClientBase,
  { space, document, without }: { space: string; document: string; without: readonly string[] },
) {
  const { rows: spaces } = await client.query<{ space_no: number }>(
    named("SELECT space_no FROM log_spaces WHERE space = $1", [space]),
  );
  const spaceNo = spaces[0]?.space_no;
  if (spaceNo === undefined) return undefined;
  const rows = new PostgresRows(spaceNo);
  return await settled(client, rows, () => {
    const row = rows.document(document);
    if (row === undefined || row.retired_at !== null) return undefined;
    return { spaceNo, parts: partsOf(rows, row), ...lackedWith(rows, row, without) };
  });
}

/** Asks until everything that the answer needs has been read. */
async function settled<Result>(client: ClientBase, rows: PostgresRows, ask: () => Result): Promise<Result> {
  for (;;) {
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof NotRead)) throw error;
      await rows.read(client);
    }
  }
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const toPoint = ({ position, mark }: LogPoint): LogPoint => ({ position, mark: new Uint8Array(mark) });

const rowToState = ({ document, heads, position }: StateRow): DocumentState => ({
  document: toHex(document),
  heads: bytesToHashes(heads),
  position,
});
