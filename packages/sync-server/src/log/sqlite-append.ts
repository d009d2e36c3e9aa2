/**
 * Adding to the logs of spaces in SQLite: each batch in a savepoint of its own.
 *
 * @module
 */
import { type ChunkTools, PACK_GENESIS_HASH } from "@cambium/core";
import { itemBody, LOG_KINDS, LOG_START, type LogPoint } from "@cambium/core/wire";
import type { DatabaseSync, StatementSync } from "../platform/sqlite.js";
import {
  bytesToHashes,
  type DocumentRow,
  type DocumentRows,
  type ForkBase,
  forkBase,
  fromHex,
  hashesToBytes,
  isJoint,
  MAX_WALK,
  StoredDocument,
  storedDeps,
  toHex,
} from "./held-documents.js";
import { type BatchStore, OpenBatch, type OpenDocument, Refused, refusalOfToken } from "./open-batch.js";
import type { BatchOutcome, LogBatch } from "./space-log.js";
import type { SqliteKeys } from "./sqlite-keys.js";
import type { SqliteRows } from "./sqlite-rows.js";

interface SpaceRow {
  readonly space_no: number;
  readonly position: number;
  readonly mark: Uint8Array;
}

interface OpenRow extends OpenDocument {
  readonly row: DocumentRow;
  readonly held: StoredDocument;
}

/**
 * A space with what batches have made of it, as it is at the end of a transaction. It is remembered until the next: no
 * other process writes.
 */
interface OpenSpace {
  readonly spaceNo: number;
  readonly rows: DocumentRows;
  /** Whether the batch at hand is the first that this space has. */
  isNew: boolean;
  end: LogPoint;
  readonly documents: Map<string, OpenRow>;
  /** Those that batches of this transaction have changed. */
  readonly moved: Set<string>;
}

/** Changes, heads, objects and actors of all documents. More are looked up again. */
const MOST_REMEMBERED = 16_384;
/** A document takes as much memory as so many of its changes. */
const DOCUMENT_COUNT = 8;

type Token = Parameters<typeof refusalOfToken>[1];

/** What only changes have: actor, number, operations, dependencies. */
type ChangeColumns = readonly [number | null, number | null, number, number, Uint8Array];
const NO_CHANGE: ChangeColumns = [null, null, 0, 0, new Uint8Array()];

export class SqliteAppend {
  readonly #database: DatabaseSync;
  readonly #rows: SqliteRows;
  readonly #keys: SqliteKeys;
  readonly #sha256: ChunkTools["sha256"];
  readonly #spaces = new Map<string, OpenSpace>();
  #remembered = { count: 0 };
  /** Of this transaction. */
  readonly #moved = new Set<OpenSpace>();
  readonly #tokens = new Map<string, Token>();
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;
  readonly #findSpace: StatementSync;
  readonly #addSpace: StatementSync;
  readonly #moveSpace: StatementSync;
  readonly #addDocument: StatementSync;
  readonly #moveDocument: StatementSync;
  readonly #addActor: StatementSync;
  readonly #addEntry: StatementSync;
  readonly #addBytes: StatementSync;
  readonly #addJoint: StatementSync;
  readonly #token: StatementSync;
  readonly #isForked: StatementSync;
  readonly #retire: StatementSync;
  readonly #eraseBytes: StatementSync;
  readonly #forgetBytes: StatementSync;
  readonly #staleSegments: StatementSync;

  constructor(
    database: DatabaseSync,
    rows: SqliteRows,
    { keys, sha256 }: { readonly keys: SqliteKeys; readonly sha256: ChunkTools["sha256"] },
  ) {
    this.#database = database;
    this.#rows = rows;
    this.#keys = keys;
    this.#sha256 = sha256;
    const prepare = (sql: string): StatementSync => database.prepare(sql);
    this.#savepoint = prepare("SAVEPOINT batch");
    this.#release = prepare("RELEASE batch");
    this.#findSpace = prepare("SELECT space_no, position, mark FROM log_spaces WHERE space = ?");
    this.#addSpace = prepare("INSERT INTO log_spaces (space, position, mark) VALUES (?, 0, ?)");
    this.#moveSpace = prepare("UPDATE log_spaces SET position = ?, mark = ? WHERE space_no = ?");
    this.#addDocument = prepare(
      `INSERT INTO log_documents
         (space_no, document, heads, position, max_op, base_no, base_position, base_without)
       VALUES (?, ?, ?, 0, ?, ?, ?, ?)`,
    );
    this.#moveDocument = prepare(
      "UPDATE log_documents SET heads = ?, position = ?, max_op = ? WHERE document_no = ?",
    );
    this.#addActor = prepare("INSERT INTO log_actors (actor) VALUES (?)");
    this.#addEntry = prepare("INSERT INTO log_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#addBytes = prepare("INSERT INTO log_bytes (bytes) VALUES (?)");
    this.#addJoint = prepare("INSERT INTO log_joints VALUES (?, ?)");
    this.#token = prepare("SELECT role, expires_at AS expiresAt FROM tokens WHERE hash = ?");
    this.#isForked = prepare("SELECT 1 FROM log_documents WHERE base_no = ? AND retired_at IS NULL");
    this.#retire = prepare("UPDATE log_documents SET retired_at = ? WHERE document_no = ?");
    this.#eraseBytes = prepare(
      "DELETE FROM log_bytes WHERE bytes_no IN (SELECT bytes_no FROM log_entries WHERE document_no = ?)",
    );
    this.#staleSegments = prepare(
      `UPDATE log_segments SET is_stale = 1 WHERE space_no = ? AND EXISTS (SELECT 1 FROM log_entries e
         WHERE e.document_no = ? AND e.position > log_segments.after AND e.position <= log_segments.up_to)`,
    );
    this.#forgetBytes = prepare("UPDATE log_entries SET bytes_no = 0 WHERE document_no = ?");
  }

  /** A transaction has begun. */
  begin(): void {
    if (this.#remembered.count > MOST_REMEMBERED) this.forget();
    this.#tokens.clear();
  }

  /** Writes what is written once for all batches of a transaction. */
  end(): void {
    for (const { spaceNo, end, documents, moved } of this.#moved) {
      this.#moveSpace.run(end.position, end.mark, spaceNo);
      for (const document of moved) {
        const { row, heads, position, maxOp } = documents.get(document) as OpenRow;
        this.#moveDocument.run(hashesToBytes([...heads]), position, maxOp, row.document_no);
      }
      moved.clear();
    }
    this.#moved.clear();
  }

  /** A transaction was undone, or rows were deleted. */
  forget(): void {
    this.#spaces.clear();
    this.#moved.clear();
    this.#remembered = { count: 0 };
  }

  /** Between `begin` and `end`. A batch with retirements was given to `SqliteKeys.read` before. */
  append(batch: LogBatch): BatchOutcome {
    const opened = new Set<string>();
    const isPlain = this.#isPlain(batch);
    if (!isPlain) this.#savepoint.run();
    try {
      const refused = this.#refusalOf(batch);
      if (refused !== undefined) throw new Refused(refused);
      const space = this.#space(batch.space);
      const writes: (() => void)[] = [];
      const store = this.#store(space, opened, isPlain ? (write) => writes.push(write) : (write) => write());
      const outcome = new OpenBatch(store, space.end, this.#sha256).take(batch.items);
      for (const write of writes) write();
      if (!isPlain) this.#release.run();
      return outcome;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!isPlain) this.#database.exec("ROLLBACK TO batch; RELEASE batch");
      this.#undo(batch.space, opened);
      return { kind: "refused", refusal: error.refusal };
    }
  }

  /** Whether all of a batch can be checked before any of it is written: changes of documents that are remembered. */
  #isPlain({ space, items }: LogBatch): boolean {
    const documents = this.#spaces.get(space)?.documents;
    return (
      documents !== undefined &&
      items.every(({ kind, document }) => kind === "change" && documents.has(document))
    );
  }

  /** What a batch has seen may not be there any more; what those before it have made of a document is. */
  #undo(name: string, opened: ReadonlySet<string>): void {
    this.#rows.undo();
    const space = this.#spaces.get(name);
    if (space === undefined) return;
    if (space.isNew) this.#spaces.delete(name);
    for (const document of opened) {
      const before = space.moved.has(document) ? space.documents.get(document) : undefined;
      if (before === undefined) space.documents.delete(document);
      else space.documents.set(document, { ...before, held: this.#held(space, before.row) });
    }
  }

  #refusalOf(batch: LogBatch): ReturnType<typeof refusalOfToken> {
    const { tokenHash } = batch;
    if (tokenHash === undefined) return refusalOfToken(batch, undefined);
    const token = this.#tokens.get(tokenHash) ?? (this.#token.get(tokenHash) as Token | undefined);
    if (token !== undefined) this.#tokens.set(tokenHash, token);
    return refusalOfToken(batch, token);
  }

  #space(space: string): OpenSpace {
    const known = this.#spaces.get(space);
    if (known !== undefined) return known;
    const isNew = this.#findSpace.get(space) === undefined;
    if (isNew) this.#addSpace.run(space, LOG_START.mark);
    const { space_no: spaceNo, position, mark } = this.#findSpace.get(space) as unknown as SpaceRow;
    const opened = {
      spaceNo,
      rows: this.#rows.of(spaceNo),
      isNew,
      end: { position, mark },
      documents: new Map(),
      moved: new Set<string>(),
    };
    this.#remembered.count += DOCUMENT_COUNT;
    this.#spaces.set(space, opened);
    return opened;
  }

  #held(space: OpenSpace, row: DocumentRow): StoredDocument {
    const document = toHex(row.document);
    const maxOp = () => space.documents.get(document)?.maxOp ?? row.max_op;
    this.#remembered.count += DOCUMENT_COUNT;
    return new StoredDocument(space.rows, row, { remembered: this.#remembered, maxOp });
  }

  /**
   * @param opened - takes the documents that the batch has looked at
   * @param write - writes a change, now or when the batch is taken
   */
  #store(space: OpenSpace, opened: Set<string>, write: (change: () => void) => void): BatchStore<OpenRow> {
    const { spaceNo, rows } = space;
    const budget = { walk: MAX_WALK };
    const read = (document: string): OpenRow | undefined => {
      const row = this.#rows.row(spaceNo, document);
      if (row === undefined) return undefined;
      const { position, max_op: maxOp } = row;
      const heads = new Set(bytesToHashes(row.heads));
      this.#remembered.count += heads.size;
      const isRetired = row.retired_at !== null;
      return { document, row, held: this.#held(space, row), heads, position, maxOp, isRetired };
    };
    /** A copy: the batch may be refused. */
    const open = (document: string): OpenRow | undefined => {
      const known = space.documents.get(document) ?? read(document);
      if (known === undefined) return undefined;
      opened.add(document);
      space.documents.set(document, known);
      return { ...known, heads: new Set(known.heads) };
    };
    const create = (document: string, base?: ForkBase): OpenRow => {
      const { heads = new Uint8Array(), max_op = 0, base_no, base_position, base_without } = base ?? {};
      const cut = [base_no ?? null, base_position ?? null, base_without ?? null] as const;
      this.#addDocument.run(spaceNo, fromHex(document), heads, max_op, ...cut);
      return open(document) as OpenRow;
    };
    return {
      open,
      create,
      createFork: (fork, source) => create(fork.document, forkBase(rows, fork, source, budget)),
      positionOf: ({ row }, hash) => rows.entry(row.document_no, hash)?.position,
      insertChange: (point, { row, held, heads }, change, ownDeps) => {
        const { actor, seq, startOp, maxOp, deps, hash, bytes } = change;
        const isJointNow = isJoint(hash, heads, deps);
        held.add(change, point.position, ownDeps);
        write(() => {
          const columns = [this.#actorNo(actor), seq, startOp, maxOp, storedDeps(ownDeps)] as const;
          this.#insert([spaceNo, row.document_no, LOG_KINDS.change], point, hash, columns, bytes);
          if (isJointNow) this.#addJoint.run(row.document_no, point.position);
        });
      },
      insertFork: (point, { row }, fork) => {
        const at = [spaceNo, row.document_no, LOG_KINDS.fork] as const;
        this.#insert(at, point, fork.hash, NO_CHANGE, itemBody(fork));
      },
      keysOf: ({ row }) => {
        const isPack = rows.entry(row.document_no, PACK_GENESIS_HASH) !== undefined;
        const isForked = this.#isForked.get(row.document_no) !== undefined;
        return { isPack, isForked, keys: isPack ? this.#keys.of(row) : [] };
      },
      insertRetire: (point, { row }, retire) => {
        this.#eraseBytes.run(row.document_no);
        this.#staleSegments.run(spaceNo, row.document_no);
        this.#forgetBytes.run(row.document_no);
        this.#retire.run(point.position, row.document_no);
        const at = [spaceNo, row.document_no, LOG_KINDS.retire] as const;
        this.#insert(at, point, retire.hash, NO_CHANGE, itemBody(retire));
      },
      move: (point, documents) => {
        space.end = point;
        space.isNew = false;
        this.#moved.add(space);
        for (const changed of documents) {
          space.documents.set(changed.document, changed);
          space.moved.add(changed.document);
        }
      },
    };
  }

  #insert(
    [spaceNo, documentNo, kind]: readonly [number, number, number],
    { position, mark }: LogPoint,
    hash: string,
    columns: ChangeColumns,
    bytes: Uint8Array,
  ): void {
    const { lastInsertRowid } = this.#addBytes.run(bytes);
    this.#addEntry.run(
      ...[spaceNo, position, kind, documentNo, fromHex(hash)],
      ...[...columns, mark, lastInsertRowid],
    );
  }

  #actorNo(actor: string): number {
    return this.#rows.actorNo(actor) ?? Number(this.#addActor.run(fromHex(actor)).lastInsertRowid);
  }
}
