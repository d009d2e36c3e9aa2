/**
 * The logs of spaces in PostgreSQL, for any number of relays on one database.
 *
 * @module
 */
import type { ChunkTools } from "@cambium/core";
import { LOG_START, type LogPoint } from "@cambium/core/wire";
import type { ClientBase } from "pg";
import { bytesToHashes, fromHex, lackedWith, partsOf, toHex } from "../held-documents.js";
import type {
  BatchOutcome,
  ChangesQuery,
  DocumentChange,
  DocumentState,
  LogBatch,
  LogEntry,
  LogRange,
  SpaceLog,
} from "../space-log.js";
import { lockSpace, SpaceAppend, type SpaceRow } from "./append.js";
import { type Connections, commit } from "./connect.js";
import { NotRead, named, PostgresRows } from "./rows.js";

/** So many spaces have a copy of what was last asked of them. */
const MOST_SPACES = 256;
/** Rows of one query. */
const PAGE = 512;

interface Remembered {
  readonly point: LogPoint;
  readonly rows: PostgresRows;
}

/** Asked of the log's index first: what is large is read for those rows alone that are wanted. */
const READ = `
SELECT e.position, e.kind, e.hash, e.mark, d.document, e.bytes FROM (
  SELECT *, SUM(COALESCE(octet_length(bytes), 0) + 32) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING)
    - COALESCE(octet_length(bytes), 0) - 32 AS before
  FROM (
    SELECT * FROM log_entries WHERE space_no = (SELECT space_no FROM log_spaces WHERE space = $1) AND position > $2
    ORDER BY position LIMIT ${PAGE}
  ) page
) e JOIN log_documents d USING (space_no, document_no) WHERE e.before < $3 ORDER BY e.position`;
const DOCUMENTS = `
SELECT document, heads, position FROM log_documents
WHERE retired_at IS NULL AND space_no = (SELECT space_no FROM log_spaces WHERE space = $1)`;

/** Changes of a document of which the bytes are read at once. */
const CHANGES_PAGE = 64;

const CHANGES = `
SELECT position, hash, bytes FROM log_entries
WHERE space_no = $1 AND document_no = $2 AND position > $3 AND position <= $4
  AND actor_no IS NOT NULL AND bytes IS NOT NULL
ORDER BY position LIMIT $5`;
const CHANGES_AT = `
SELECT position, hash, bytes FROM log_entries
WHERE space_no = $1 AND position = ANY ($2::bigint[]) AND bytes IS NOT NULL ORDER BY position`;

interface ChangeRow {
  readonly position: number;
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
}

interface StateRow {
  readonly document: Uint8Array;
  readonly heads: Uint8Array;
  readonly position: number;
}

interface ReadRow {
  readonly position: number;
  readonly kind: number;
  readonly hash: Uint8Array;
  readonly mark: Uint8Array;
  readonly document: Uint8Array;
  readonly bytes: Uint8Array | null;
}

export interface PostgresSpaceLogOptions {
  readonly database: Connections;
  readonly sha256: ChunkTools["sha256"];
  /** Called after each commit. */
  readonly onAppended: (space: string) => void;
  /** The log is not the one that this relay has appended to: it was restored, or a server took over without its end. */
  readonly onMoved: (space: string) => void;
}

export class PostgresSpaceLog implements SpaceLog {
  readonly #options: PostgresSpaceLogOptions;
  readonly #remembered = new Map<string, Remembered>();
  /** Of one space, one transaction at a time. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(options: PostgresSpaceLogOptions) {
    this.#options = options;
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
    const { database, sha256, onAppended } = this.#options;
    // Whatever goes wrong, nothing is believed that the database has not confirmed.
    const before = this.#remembered.get(space);
    this.#remembered.delete(space);
    return await database.using(database.writers, async (client) => {
      await client.query("BEGIN");
      const row = await lockSpace(client, space);
      const rows = await this.#rowsOf(client, space, row, before);
      const append = new SpaceAppend(client, row, rows, sha256);
      const outcomes = await append.take(batches);
      await commit(client);
      rows.committed();
      this.#remember(space, { point: append.point, rows });
      if (append.point.position > row.position) onAppended(space);
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
    if (before === undefined) return new PostgresRows(row.space_no);
    const { point, rows } = before;
    if (row.space_no === rows.spaceNo && point.position === row.position && isSame(point.mark, row.mark))
      return rows;
    const isContinued = row.space_no === rows.spaceNo && (await this.#isContinued(client, row, point));
    if (isContinued) {
      rows.forgetChangeable();
      return rows;
    }
    this.#options.onMoved(space);
    return new PostgresRows(row.space_no);
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

  async read({ space, after, maxBytes }: LogRange): Promise<readonly LogEntry[]> {
    const entries: LogEntry[] = [];
    for (let left = maxBytes; left > 0; ) {
      const values = [space, entries.at(-1)?.position ?? after, left];
      const rows = await this.#options.database.read<ReadRow>(named(READ, values));
      for (const { position, kind, hash, mark, document, bytes } of rows) {
        const entry = {
          position,
          kind,
          document: toHex(document),
          hash: toHex(hash),
          mark: new Uint8Array(mark),
        };
        entries.push({ ...entry, bytes: bytes ?? undefined });
        left -= (bytes?.length ?? 0) + hash.length;
      }
      if (rows.length < PAGE) break;
    }
    return entries;
  }

  async documents({
    space,
    after,
    limit,
  }: Parameters<SpaceLog["documents"]>[0]): Promise<readonly DocumentState[]> {
    const text = `${DOCUMENTS} AND position > $2 ORDER BY position LIMIT $3`;
    return (await this.#options.database.read<StateRow>(named(text, [space, after, limit]))).map(rowToState);
  }

  async describe(space: string, documents: readonly string[]): Promise<readonly DocumentState[]> {
    const text = `${DOCUMENTS} AND document = ANY ($2::bytea[])`;
    const found = await this.#options.database.read<StateRow>(named(text, [space, documents.map(fromHex)]));
    return found.map(rowToState);
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
        const page = await database.read<ChangeRow>(
          named(CHANGES, [spaceNo, documentNo, from, last, CHANGES_PAGE]),
        );
        for (const row of page) if (!left.has(row.position)) yield toChange(row);
        from = page.length < CHANGES_PAGE ? last : (page.at(-1)?.position ?? last);
      }
    }
    const above = positions.filter((position) => position > after).reverse();
    for (let at = 0; at < above.length; at += CHANGES_PAGE) {
      const some = above.slice(at, at + CHANGES_PAGE);
      for (const row of await database.read<ChangeRow>(named(CHANGES_AT, [spaceNo, some])))
        yield toChange(row);
    }
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

const toChange = ({ position, hash, bytes }: ChangeRow): DocumentChange => ({
  position,
  hash: toHex(hash),
  bytes,
});

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const toPoint = ({ position, mark }: LogPoint): LogPoint => ({ position, mark: new Uint8Array(mark) });

const rowToState = ({ document, heads, position }: StateRow): DocumentState => ({
  document: toHex(document),
  heads: bytesToHashes(heads),
  position,
});
