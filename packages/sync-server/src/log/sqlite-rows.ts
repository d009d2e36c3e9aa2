/**
 * Rows of documents and entries in SQLite.
 *
 * @module
 */
import type { DatabaseSync, StatementSync } from "../platform/sqlite.js";
import { type DocumentRow, type DocumentRows, type EntryRow, fromHex, toHex } from "./held-documents.js";

const ENTRY = "SELECT position, actor_no, number, max_op, deps FROM log_entries";

export class SqliteRows {
  readonly #byNo: StatementSync;
  readonly #byId: StatementSync;
  readonly #entry: StatementSync;
  readonly #hashAt: StatementSync;
  readonly #numbered: StatementSync;
  readonly #operation: StatementSync;
  readonly #actorNo: StatementSync;
  readonly #actor: StatementSync;
  readonly #changes: StatementSync;

  constructor(database: DatabaseSync) {
    const prepare = (sql: string): StatementSync => database.prepare(sql);
    this.#byNo = prepare("SELECT * FROM log_documents WHERE document_no = ?");
    this.#byId = prepare("SELECT * FROM log_documents WHERE space_no = ? AND document = ?");
    this.#entry = prepare(`${ENTRY} WHERE document_no = ? AND hash = ?`);
    this.#hashAt = prepare("SELECT hash FROM log_entries WHERE space_no = ? AND position = ?");
    this.#numbered = prepare(
      "SELECT position, hash FROM log_entries WHERE document_no = ? AND actor_no = ? AND number = ?",
    );
    this.#operation = prepare(
      `SELECT position FROM log_entries
       WHERE document_no = ? AND actor_no = ? AND start_op <= ? AND max_op >= ? ORDER BY number LIMIT 1`,
    );
    this.#actorNo = prepare("SELECT actor_no FROM log_actors WHERE actor = ?");
    this.#actor = prepare("SELECT actor FROM log_actors WHERE actor_no = ?");
    this.#changes = prepare(
      `SELECT position, deps FROM log_entries
       WHERE document_no = ? AND position <= ? AND actor_no IS NOT NULL ORDER BY position`,
    );
  }

  row(spaceNo: number, document: string): DocumentRow | undefined {
    return this.#byId.get(spaceNo, fromHex(document)) as DocumentRow | undefined;
  }

  actorNo(actor: string): number | undefined {
    return this.#actorNo.get(fromHex(actor))?.actor_no as number | undefined;
  }

  of(spaceNo: number): DocumentRows {
    return {
      byNo: (documentNo) => this.#byNo.get(documentNo) as unknown as DocumentRow,
      entry: (documentNo, hash) => this.#entry.get(documentNo, fromHex(hash)) as EntryRow | undefined,
      hashAt: (position) => toHex((this.#hashAt.get(spaceNo, position) as { hash: Uint8Array }).hash),
      actorNo: (actor) => this.actorNo(actor),
      actor: (actorNo) => toHex((this.#actor.get(actorNo) as { actor: Uint8Array }).actor),
      numbered: (documentNo, actorNo, number) => {
        const row = this.#numbered.get(documentNo, actorNo, number) as
          | { position: number; hash: Uint8Array }
          | undefined;
        return row && { position: row.position, hash: toHex(row.hash) };
      },
      operation: (documentNo, actorNo, counter) =>
        this.#operation.get(documentNo, actorNo, counter, counter)?.position as number | undefined,
      changes: (documentNo, upTo) =>
        this.#changes.all(documentNo, upTo) as unknown as ReturnType<DocumentRows["changes"]>,
    };
  }
}
