/**
 * Adding to the logs of spaces in SQLite: check each item against what is there, insert it, and move the end of the log.
 *
 * @module
 */
import type { ChunkTools } from "@cambium/core";
import { LOG_KINDS, LOG_START, type LogPoint, nextPoint } from "@cambium/core/wire";
import { checkChange, checkFork, type HeldDocument, type Verdict } from "../admission/check-item.js";
import type { DatabaseSync, StatementSync } from "../platform/sqlite.js";
import { positionsToBytes } from "./position-list.js";
import type { BatchOutcome, LogBatch, LogChange, LogFork, LogItem, Refusal } from "./space-log.js";
import {
  ancestors,
  type DocumentRow,
  fromHex,
  MAX_LAYERS,
  type SqliteHeldDocuments,
  toHex,
} from "./sqlite-held-documents.js";

/** A fork leaves out at most so many of the changes below its cut. */
const MAX_FORK_EXCEPTIONS = 4_096;
const HASH_BYTES = 32;

interface SpaceRow {
  readonly space_no: number;
  readonly position: number;
  readonly mark: Uint8Array;
}

/** A document while a batch is checked: what it will be if the batch is taken. */
interface OpenDocument {
  row: DocumentRow;
  readonly held: HeldDocument;
  readonly heads: Set<string>;
  position: number;
  maxOp: number;
}

class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export class SqliteAppend {
  readonly #database: DatabaseSync;
  readonly #documents: SqliteHeldDocuments;
  readonly #sha256: ChunkTools["sha256"];
  readonly #findSpace: StatementSync;
  readonly #addSpace: StatementSync;
  readonly #moveSpace: StatementSync;
  readonly #addDocument: StatementSync;
  readonly #moveDocument: StatementSync;
  readonly #findActor: StatementSync;
  readonly #addActor: StatementSync;
  readonly #addEntry: StatementSync;
  readonly #addBytes: StatementSync;
  readonly #findEntry: StatementSync;
  readonly #token: StatementSync;

  constructor(database: DatabaseSync, documents: SqliteHeldDocuments, sha256: ChunkTools["sha256"]) {
    this.#database = database;
    this.#documents = documents;
    this.#sha256 = sha256;
    const prepare = (sql: string): StatementSync => database.prepare(sql);
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
    this.#findActor = prepare("SELECT actor_no FROM log_actors WHERE actor = ?");
    this.#addActor = prepare("INSERT INTO log_actors (actor) VALUES (?)");
    this.#addEntry = prepare("INSERT INTO log_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#addBytes = prepare("INSERT INTO log_bytes (bytes) VALUES (?)");
    this.#findEntry = prepare("SELECT position FROM log_entries WHERE document_no = ? AND hash = ?");
    this.#token = prepare("SELECT role, expires_at FROM tokens WHERE hash = ?");
  }

  /** Runs inside a transaction. */
  append(batch: LogBatch): BatchOutcome {
    this.#database.exec("SAVEPOINT batch");
    try {
      const refused = this.#refusalOfToken(batch);
      if (refused !== undefined) throw new Refused(refused);
      const outcome = new OpenBatch(this, this.space(batch.space)).take(batch.items);
      this.#database.exec("RELEASE batch");
      return outcome;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#database.exec("ROLLBACK TO batch; RELEASE batch");
      return { kind: "refused", refusal: error.refusal };
    }
  }

  #refusalOfToken({ tokenHash, now = 0 }: LogBatch): Refusal | undefined {
    if (tokenHash === undefined) return undefined;
    const row = this.#token.get(tokenHash) as { role: string; expires_at: number | null } | undefined;
    const mayWrite = row !== undefined && row.role !== "read" && (row.expires_at ?? now + 1) > now;
    if (mayWrite) return undefined;
    return { code: "ROLE_REFUSED", message: "The token does not allow writing, or no longer." };
  }

  space(space: string): SpaceRow {
    const row = this.#findSpace.get(space) as SpaceRow | undefined;
    if (row !== undefined) return row;
    this.#addSpace.run(space, LOG_START.mark);
    return this.#findSpace.get(space) as unknown as SpaceRow;
  }

  row(spaceNo: number, document: string): DocumentRow | undefined {
    return this.#documents.row(spaceNo, document);
  }

  opened(spaceNo: number, row: DocumentRow): OpenDocument {
    const held = this.#documents.held(spaceNo, row);
    const heads = new Set(bytesToHashes(row.heads));
    return { row, held, heads, position: row.position, maxOp: row.max_op };
  }

  newDocument(spaceNo: number, document: string, base?: Partial<DocumentRow>): DocumentRow {
    const { heads = new Uint8Array(), max_op = 0, base_no, base_position, base_without } = base ?? {};
    const id = fromHex(document);
    const [no, position, without] = [base_no ?? null, base_position ?? null, base_without ?? null];
    this.#addDocument.run(spaceNo, id, heads, max_op, no, position, without);
    return this.#documents.row(spaceNo, document) as DocumentRow;
  }

  /** Where the fork's document is cut off from its base. */
  cut(source: DocumentRow, { heads, document }: LogFork, held: HeldDocument): Partial<DocumentRow> {
    const base = { heads: hashesToBytes(heads), max_op: source.max_op, base_no: source.document_no };
    const whole = new Set(bytesToHashes(source.heads));
    if (heads.length === whole.size && heads.every((head) => whole.has(head)))
      return { ...base, base_position: source.position, base_without: new Uint8Array() };
    const history = this.#documents.history(source);
    const kept = ancestors(
      history,
      heads.map((head) => held.change(head)?.position ?? 0),
    );
    const last = Math.max(...heads.map((head) => held.change(head)?.position ?? 0));
    const without = history
      .map(({ position }) => position)
      .filter((position) => position <= last && !kept.has(position));
    if (without.length > MAX_FORK_EXCEPTIONS || this.#documents.layers(source).length >= MAX_LAYERS) {
      const message = "The fork would leave out too much of its source; send its changes instead.";
      throw new Refused({ code: "TOO_WIDE", document, message });
    }
    return { ...base, base_position: last, base_without: positionsToBytes(without) };
  }

  positionOf(documentNo: number, hash: string): number | undefined {
    return this.#findEntry.get(documentNo, fromHex(hash))?.position as number | undefined;
  }

  insertChange(at: SpaceRow, point: LogPoint, open: OpenDocument, change: LogChange): void {
    const deps = change.deps.map((dep) => open.held.change(dep)?.position ?? 0).toSorted((a, b) => a - b);
    const { seq, startOp, maxOp } = change;
    const columns = [this.#actorNo(change.actor), seq, startOp, maxOp, positionsToBytes(deps)] as const;
    this.#insert(at, point, LOG_KINDS.change, open.row.document_no, change.hash, columns, change.bytes);
  }

  insertFork(at: SpaceRow, point: LogPoint, documentNo: number, fork: LogFork): void {
    const body = Buffer.concat([fork.from, ...fork.heads].map(fromHex));
    const columns = [null, null, 0, 0, new Uint8Array()] as const;
    this.#insert(at, point, LOG_KINDS.fork, documentNo, fork.hash, columns, body);
  }

  #insert(
    { space_no }: SpaceRow,
    { position, mark }: LogPoint,
    kind: number,
    documentNo: number,
    hash: string,
    columns: readonly [number | null, number | null, number, number, Uint8Array],
    bytes: Uint8Array,
  ): void {
    const { lastInsertRowid } = this.#addBytes.run(bytes);
    this.#addEntry.run(
      ...[space_no, position, kind, documentNo, fromHex(hash)],
      ...[...columns, mark, lastInsertRowid],
    );
  }

  #actorNo(actor: string): number {
    const bytes = fromHex(actor);
    const found = this.#findActor.get(bytes)?.actor_no as number | undefined;
    return found ?? Number(this.#addActor.run(bytes).lastInsertRowid);
  }

  next(point: LogPoint, item: LogItem): LogPoint {
    const { document, hash } = item;
    return nextPoint(point, { kind: LOG_KINDS[item.kind], document, hash }, this.#sha256);
  }

  move({ space_no }: SpaceRow, point: LogPoint, documents: Iterable<OpenDocument>): void {
    this.#moveSpace.run(point.position, point.mark, space_no);
    for (const { row, heads, position, maxOp } of documents)
      this.#moveDocument.run(hashesToBytes([...heads]), position, maxOp, row.document_no);
  }
}

/** One batch on its way into the log. */
class OpenBatch {
  readonly #store: SqliteAppend;
  readonly #space: SpaceRow;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #changed = new Set<OpenDocument>();
  #point: LogPoint;

  constructor(store: SqliteAppend, space: SpaceRow) {
    this.#store = store;
    this.#space = space;
    this.#point = { position: space.position, mark: space.mark };
  }

  /** @throws {Refused} */
  take(items: readonly LogItem[]): BatchOutcome {
    const positions = items.map((item, index) => {
      try {
        return item.kind === "change" ? this.#change(item) : this.#fork(item);
      } catch (error) {
        throw error instanceof Refused ? new Refused({ ...error.refusal, item: index }) : error;
      }
    });
    const added = this.#point.position - this.#space.position;
    if (added > 0) this.#store.move(this.#space, this.#point, this.#changed);
    const documents = [...this.#changed].map(({ row, heads, position }) => ({
      document: toHex(row.document),
      heads: [...heads],
      position,
    }));
    return { kind: "appended", positions, added, upTo: this.#point, documents };
  }

  #change(change: LogChange): number {
    const open = this.#open(change.document) ?? this.#create(change.document);
    const known = placeOf(checkChange(change, open.held));
    if (known !== undefined) return known;
    this.#point = this.#store.next(this.#point, change);
    this.#store.insertChange(this.#space, this.#point, open, change);
    for (const dep of change.deps) open.heads.delete(dep);
    open.heads.add(change.hash);
    open.maxOp = Math.max(open.maxOp, change.maxOp);
    return this.#moved(open);
  }

  #fork(fork: LogFork): number {
    const [target, source] = [this.#open(fork.document), this.#open(fork.from)];
    const knownAt = target && this.#store.positionOf(target.row.document_no, fork.hash);
    const verdict = checkFork(fork, { knownAt, target: target?.held, source: source?.held });
    const known = placeOf(verdict);
    if (known !== undefined || source === undefined) return known ?? 0;
    if (this.#changed.has(source)) this.#store.move(this.#space, this.#point, [source]);
    const row = this.#store.row(this.#space.space_no, fork.from) ?? source.row;
    const open = this.#create(fork.document, this.#store.cut(row, fork, source.held));
    this.#point = this.#store.next(this.#point, fork);
    this.#store.insertFork(this.#space, this.#point, open.row.document_no, fork);
    return this.#moved(open);
  }

  #moved(open: OpenDocument): number {
    open.position = this.#point.position;
    this.#changed.add(open);
    return open.position;
  }

  #open(document: string): OpenDocument | undefined {
    const known = this.#documents.get(document);
    if (known !== undefined) return known;
    const row = this.#store.row(this.#space.space_no, document);
    if (row === undefined) return undefined;
    const open = this.#store.opened(this.#space.space_no, row);
    this.#documents.set(document, open);
    return open;
  }

  #create(document: string, base?: Partial<DocumentRow>): OpenDocument {
    const row = this.#store.newDocument(this.#space.space_no, document, base);
    const open = this.#store.opened(this.#space.space_no, row);
    this.#documents.set(document, open);
    return open;
  }
}

/** @returns where it is, if it is in the log @throws {Refused} */
function placeOf(verdict: Verdict): number | undefined {
  if (verdict.kind === "refused") throw new Refused(verdict.refusal);
  return verdict.kind === "known" ? verdict.position : undefined;
}

const hashesToBytes = (hashes: readonly string[]): Uint8Array => Buffer.from(hashes.join(""), "hex");

export function bytesToHashes(bytes: Uint8Array): readonly string[] {
  const hex = toHex(bytes);
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    hex.slice(index * HASH_BYTES * 2, (index + 1) * HASH_BYTES * 2),
  );
}
