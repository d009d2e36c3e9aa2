/**
 * Rows of documents and entries in SQLite.
 *
 * @module
 */
import type { DatabaseSync, StatementSync } from "../platform/sqlite.js";
import {
  type DocumentRow,
  type DocumentRows,
  type EntryRow,
  fromHex,
  type StoredStep,
  toHex,
} from "./held-documents.js";
import { RecentRows } from "./recent-rows.js";

interface OperationsRow {
  readonly position: number;
  readonly start_op: number;
  readonly max_op: number;
}

interface StepRow {
  readonly position: number;
  readonly deps: Uint8Array;
  readonly joint: number | null;
}

/** Of each kind: what writers follow is remembered with its document. */
const MOST_RECENT = 4_096;
/** Read at once on a walk. */
const PAGE = 128;
const ENTRY = "SELECT position, actor_no, number, max_op, deps FROM log_entries";

export class SqliteRows {
  readonly #byNo: StatementSync;
  readonly #byId: StatementSync;
  readonly #entry: StatementSync;
  readonly #hashAt: StatementSync;
  readonly #numbered: StatementSync;
  readonly #numbers: StatementSync;
  readonly #operations: StatementSync;
  readonly #actorNo: StatementSync;
  readonly #actor: StatementSync;
  readonly #changesDown: StatementSync;

  readonly #entries = new RecentRows<EntryRow>(MOST_RECENT);
  readonly #hashes = new RecentRows<string>(MOST_RECENT);
  readonly #actorNos = new RecentRows<number>(MOST_RECENT);
  readonly #actors = new RecentRows<string>(MOST_RECENT);
  readonly #recent = [this.#entries, this.#hashes, this.#actorNos, this.#actors];

  constructor(database: DatabaseSync) {
    const prepare = (sql: string): StatementSync => database.prepare(sql);
    this.#byNo = prepare("SELECT * FROM log_documents WHERE document_no = ?");
    this.#byId = prepare("SELECT * FROM log_documents WHERE space_no = ? AND document = ?");
    this.#entry = prepare(`${ENTRY} WHERE document_no = ? AND hash = ?`);
    this.#hashAt = prepare("SELECT hash FROM log_entries WHERE space_no = ? AND position = ?");
    this.#numbered = prepare(
      "SELECT position, hash FROM log_entries WHERE document_no = ? AND actor_no = ? AND number = ?",
    );
    this.#numbers = prepare(
      "SELECT MIN(number) AS first, MAX(number) AS last FROM log_entries WHERE document_no = ? AND actor_no = ?",
    );
    this.#operations = prepare(
      "SELECT position, start_op, max_op FROM log_entries WHERE document_no = ? AND actor_no = ? AND number = ?",
    );
    this.#actorNo = prepare("SELECT actor_no FROM log_actors WHERE actor = ?");
    this.#actor = prepare("SELECT actor FROM log_actors WHERE actor_no = ?");
    this.#changesDown = prepare(
      `SELECT e.position, e.deps, j.position AS joint FROM log_entries e LEFT JOIN log_joints j USING (document_no, position)
       WHERE e.document_no = ? AND e.position <= ? AND e.actor_no IS NOT NULL ORDER BY e.position DESC LIMIT ${PAGE}`,
    );
  }

  row(spaceNo: number, document: string): DocumentRow | undefined {
    return this.#byId.get(spaceNo, fromHex(document)) as DocumentRow | undefined;
  }

  actorNo(actor: string): number | undefined {
    const find = () => this.#actorNo.get(fromHex(actor))?.actor_no as number | undefined;
    return this.#actorNos.get(actor, find);
  }

  /** Runs a transaction. */
  remembering<Result>(run: () => Result): Result {
    for (const rows of this.#recent) rows.begin();
    try {
      return run();
    } catch (error) {
      this.undo();
      throw error;
    }
  }

  /** What has been looked up since the transaction began may not be there. */
  undo(): void {
    for (const rows of this.#recent) rows.undo();
  }

  /** Rows were deleted. */
  forget(): void {
    for (const rows of this.#recent) rows.clear();
  }

  of(spaceNo: number): DocumentRows {
    return {
      byNo: (documentNo) => this.#byNo.get(documentNo) as unknown as DocumentRow,
      entry: (documentNo, hash) =>
        this.#entries.get(
          `${documentNo} ${hash}`,
          () => this.#entry.get(documentNo, fromHex(hash)) as EntryRow | undefined,
        ),
      hashAt: (position) =>
        this.#hashes.get(`${spaceNo} ${position}`, () =>
          toHex((this.#hashAt.get(spaceNo, position) as { hash: Uint8Array }).hash),
        ) as string,
      actorNo: (actor) => this.actorNo(actor),
      actor: (actorNo) =>
        this.#actors.get(String(actorNo), () =>
          toHex((this.#actor.get(actorNo) as { actor: Uint8Array }).actor),
        ) as string,
      numbered: (documentNo, actorNo, number) => {
        const row = this.#numbered.get(documentNo, actorNo, number) as
          | { position: number; hash: Uint8Array }
          | undefined;
        return row && { position: row.position, hash: toHex(row.hash) };
      },
      lastNumber: (documentNo, actorNo) =>
        (this.#numbers.get(documentNo, actorNo)?.last as number | null) ?? 0,
      operation: (documentNo, actorNo, counter) => this.#operation(documentNo, actorNo, counter),
      changesDown: (documentNo, upTo) => this.#down(documentNo, upTo),
    };
  }

  /** An actor's changes are numbered without gaps, and so are their operations in the same order. */
  #operation(documentNo: number, actorNo: number, counter: number): number | undefined {
    const ends = this.#numbers.get(documentNo, actorNo) as { first: number | null; last: number | null };
    if (ends.first === null || ends.last === null) return undefined;
    let [low, high] = [ends.first, ends.last];
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const row = this.#operations.get(documentNo, actorNo, middle) as unknown as OperationsRow | undefined;
      if (row === undefined) return undefined;
      if (counter < row.start_op) high = middle - 1;
      else if (counter > row.max_op) low = middle + 1;
      else return row.position;
    }
    return undefined;
  }

  *#down(documentNo: number, upTo: number): Generator<StoredStep> {
    for (let below = upTo; ; ) {
      const rows = this.#changesDown.all(documentNo, below) as unknown as readonly StepRow[];
      for (const { position, deps, joint } of rows) yield { position, deps, isJoint: joint !== null };
      if (rows.length < PAGE) return;
      below = (rows.at(-1)?.position ?? 0) - 1;
    }
  }
}
