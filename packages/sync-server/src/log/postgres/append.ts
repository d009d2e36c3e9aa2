/**
 * Adding to the log of one space in PostgreSQL. Its row is locked; what batches ask for is read; they are checked by the
 * same code as everywhere; all that they bring is written with one statement.
 *
 * @module
 */
import { type ChunkTools, PACK_GENESIS_HASH } from "@cambium/core";
import { itemBody, LOG_KINDS, LOG_START, type LogPoint } from "@cambium/core/wire";
import type { ClientBase } from "pg";
import type { HeldEntry, HeldKeys } from "../../admission/check-item.js";
import { fullMessage, mostOf } from "../../limits/quotas.js";
import {
  bytesToHashes,
  type DocumentRow,
  type ForkBase,
  forkBase,
  fromHex,
  hashesToBytes,
  isJoint,
  MAX_WALK,
  StoredDocument,
  storedDeps,
} from "../held-documents.js";
import {
  type BatchStore,
  OpenBatch,
  type OpenDocument,
  Refused,
  refusalOfToken,
  StoppedLines,
} from "../open-batch.js";
import type { SpaceQuotas } from "../relay-log.js";
import type { BatchOutcome, LogBatch, LogChange, LogFork, LogRetire } from "../space-log.js";
import { NotRead } from "./lookup.js";
import { named } from "./named.js";
import type { NewEntry, PostgresRows } from "./rows.js";

export interface SpaceRow {
  readonly space_no: number;
  readonly position: number;
  readonly mark: Uint8Array;
  readonly bytes: number;
  readonly documents: number;
  readonly actors: number;
}

interface OpenRow extends OpenDocument {
  readonly row: DocumentRow;
}

interface Token {
  readonly hash: string;
  readonly role: string;
  readonly expiresAt: number | null;
}

/** Of an entry, in the order of the columns. */
type EntryColumns = readonly [
  position: number,
  startOp: number,
  maxOp: number,
  documentNo: number,
  actorNo: number | null,
  number: number | null,
  kind: number,
  joint: boolean,
  deps: Uint8Array,
  hash: Uint8Array,
  mark: Uint8Array,
  bytes: Uint8Array | null,
];

interface KeptEntry extends NewEntry {
  readonly mark: Uint8Array;
  readonly kind: number;
}

const SPACE = "SELECT space_no, position, mark, bytes, documents, actors FROM log_spaces WHERE space = $1";
const FIND_TOKENS = 'SELECT hash, role, expires_at AS "expiresAt" FROM tokens WHERE hash = ANY ($1::text[])';
const WRITE = `
WITH actors AS (
  INSERT INTO log_actors (space_no, actor_no, actor) SELECT $1, * FROM unnest($7::integer[], $8::bytea[])
), documents AS (
  INSERT INTO log_documents (space_no, document_no, document, heads, position, max_op, retired_at, base_no, base_position,
    base_without)
  SELECT $1, * FROM unnest($9::integer[], $10::bytea[], $11::bytea[], $12::bigint[], $13::bigint[], $14::bigint[],
    $15::integer[], $16::bigint[], $17::bytea[])
), moved AS (
  UPDATE log_documents d SET heads = m.heads, position = m.position, max_op = m.max_op, retired_at = m.retired_at
  FROM unnest($18::integer[], $19::bytea[], $20::bigint[], $21::bigint[], $22::bigint[])
    AS m (document_no, heads, position, max_op, retired_at)
  WHERE d.space_no = $1 AND d.document_no = m.document_no
), erased AS (
  UPDATE log_entries SET bytes = NULL WHERE space_no = $1 AND document_no = ANY ($23::integer[])
), entries AS (
  INSERT INTO log_entries (space_no, position, start_op, max_op, document_no, actor_no, number, kind, joint, deps, hash,
    mark, bytes)
  SELECT $1, * FROM unnest($24::bigint[], $25::bigint[], $26::bigint[], $27::integer[], $28::integer[], $29::integer[],
    $30::smallint[], $31::boolean[], $32::bytea[], $33::bytea[], $34::bytea[], $35::bytea[])
)
UPDATE log_spaces SET position = $2, mark = $3, documents = $5, actors = $6, bytes = $4 - (
  SELECT COALESCE(SUM(octet_length(bytes)), 0) FROM log_entries WHERE space_no = $1 AND document_no = ANY ($23::integer[])
) WHERE space_no = $1`;

/** Segments with bytes of retired documents. */
const SPOIL = `
UPDATE log_segments g SET state = 2 WHERE space_no = $1 AND state = 1 AND EXISTS (SELECT 1 FROM log_entries e
  WHERE e.space_no = $1 AND e.document_no = ANY ($2::integer[]) AND e.position > g.after AND e.position <= g.up_to)`;

/** Locks the row of a space, which it makes for a space that has nothing yet. */
export async function lockSpace(client: ClientBase, space: string): Promise<SpaceRow> {
  for (;;) {
    const { rows } = await client.query<SpaceRow>(named(`${SPACE} FOR UPDATE`, [space]));
    if (rows[0] !== undefined) return rows[0];
    await client.query(
      `INSERT INTO log_spaces (space, position, mark, bytes, documents, actors) VALUES ($1, 0, $2, 0, 0, 0)
       ON CONFLICT DO NOTHING`,
      [space, LOG_START.mark],
    );
  }
}

/** A transaction that holds the lock of a space. */
export class SpaceAppend implements BatchStore<OpenRow> {
  readonly #client: ClientBase;
  readonly #rows: PostgresRows;
  readonly #sha256: ChunkTools["sha256"];
  #point: LogPoint;
  readonly #bytes: number;
  #documents: number;
  #actors: number;
  readonly #newActors: [number, Uint8Array][] = [];
  readonly #newDocuments = new Set<number>();
  readonly #touched = new Map<number, DocumentRow>();
  readonly #entries: KeptEntry[] = [];
  /** Documents, and where they are retired. */
  readonly #retired = new Map<number, number>();
  readonly #budget = { walk: MAX_WALK };

  readonly #quotas: SpaceQuotas | undefined;
  /** Of what was taken. */
  #addedBytes = 0;

  constructor(
    client: ClientBase,
    space: SpaceRow,
    rows: PostgresRows,
    { sha256, quotas }: { sha256: ChunkTools["sha256"]; quotas: SpaceQuotas | undefined },
  ) {
    this.#client = client;
    this.#rows = rows;
    this.#sha256 = sha256;
    this.#quotas = quotas;
    this.#point = { position: space.position, mark: space.mark };
    ({ bytes: this.#bytes, documents: this.#documents, actors: this.#actors } = space);
  }

  get point(): LogPoint {
    return this.#point;
  }

  /** Checks the batches, and writes what they bring. Nothing of it is there before the commit. */
  async take(batches: readonly LogBatch[]): Promise<readonly BatchOutcome[]> {
    const tokens = await this.#tokens(batches);
    await this.#rows.prepare(
      this.#client,
      batches.flatMap(({ items }) => items),
    );
    const lines = new StoppedLines();
    const outcomes: BatchOutcome[] = [];
    for (const batch of batches) {
      const outcome: BatchOutcome = lines.drops(batch)
        ? { kind: "dropped" }
        : await this.#takeOne(batch, tokens);
      lines.note(batch, outcome);
      outcomes.push(outcome);
    }
    if (this.#entries.length > 0) await this.#write();
    return outcomes;
  }

  async #tokens(batches: readonly LogBatch[]): Promise<ReadonlyMap<string, Token>> {
    const hashes = [...new Set(batches.flatMap(({ tokenHash = [] }) => tokenHash))];
    if (hashes.length === 0) return new Map();
    const { rows } = await this.#client.query<Token>(named(FIND_TOKENS, [hashes]));
    return new Map(rows.map((row) => [row.hash, row]));
  }

  async #takeOne(batch: LogBatch, tokens: ReadonlyMap<string, Token>): Promise<BatchOutcome> {
    const { tokenHash } = batch;
    const refusal = refusalOfToken(batch, tokenHash === undefined ? undefined : tokens.get(tokenHash));
    if (refusal !== undefined) return { kind: "refused", refusal };
    for (;;) {
      this.#budget.walk = MAX_WALK;
      const before = { entries: this.#entries.length, documents: this.#documents };
      try {
        const outcome = new OpenBatch(this, this.#point, this.#sha256).take(batch.items);
        this.#addedBytes += this.#requireRoom(batch, before);
        this.#rows.keep();
        return outcome;
      } catch (error) {
        this.#rows.undo();
        if (error instanceof Refused) return { kind: "refused", refusal: error.refusal };
        if (!(error instanceof NotRead)) throw error;
        await this.#rows.read(this.#client, batch.items);
      }
    }
  }

  /** Over all relays: the row of the space is locked, and says how much there is. @returns the bytes of the batch */
  #requireRoom(
    { items, makesRoom = false }: LogBatch,
    before: { readonly entries: number; readonly documents: number },
  ): number {
    const bytes = this.#entries.slice(before.entries).reduce((sum, entry) => sum + entry.bytes.length, 0);
    const { bytesPerSpace = Number.POSITIVE_INFINITY, documentsPerSpace = Number.POSITIVE_INFINITY } =
      this.#quotas ?? {};
    const isFull = (most: string): Refused =>
      new Refused({ code: "QUOTA_EXCEEDED", message: fullMessage(most) });
    if (bytes === 0 || items.every(({ kind }) => kind === "retire")) return bytes;
    const most = mostOf({ bytesPerSpace, documentsPerSpace }, makesRoom);
    if (this.#bytes + this.#addedBytes + bytes > most.bytes) throw isFull(`${bytesPerSpace} bytes`);
    if (this.#documents > Math.max(most.documents, before.documents))
      throw isFull(`${documentsPerSpace} documents`);
    return bytes;
  }

  open(document: string): OpenRow | undefined {
    const row = this.#rows.document(document);
    return row && this.#opened(row, document);
  }

  #opened(row: DocumentRow, document: string): OpenRow {
    const { position, max_op: maxOp } = row;
    const heads = new Set(bytesToHashes(row.heads));
    const isRetired = row.retired_at !== null;
    return { document, row, held: new StoredDocument(this.#rows, row), heads, position, maxOp, isRetired };
  }

  create(document: string, base?: ForkBase): OpenRow {
    const whole = {
      heads: new Uint8Array(),
      max_op: 0,
      base_no: null,
      base_position: null,
      base_without: null,
    };
    this.#documents += 1;
    const no = this.#documents;
    this.#newDocuments.add(no);
    this.#rows.onUndo(() => {
      this.#newDocuments.delete(no);
      this.#documents -= 1;
    });
    const ids = { document_no: no, document: fromHex(document), position: 0, retired_at: null };
    const row = { ...whole, ...base, ...ids };
    this.#rows.addDocument(row);
    return this.#opened(row, document);
  }

  createFork(fork: LogFork, source: OpenRow): OpenRow {
    return this.create(fork.document, forkBase(this.#rows, fork, source, this.#budget));
  }

  positionOf({ row }: OpenRow, hash: string): number | undefined {
    return this.#rows.entry(row.document_no, hash)?.position;
  }

  insertChange(
    point: LogPoint,
    { row, heads }: OpenRow,
    change: LogChange,
    ownDeps: readonly HeldEntry[],
  ): void {
    const { actor, seq, startOp, maxOp, hash, bytes } = change;
    const deps = storedDeps(ownDeps);
    const entry = {
      position: point.position,
      actor_no: this.#actorNo(actor),
      number: seq,
      max_op: maxOp,
      deps,
    };
    const joint = isJoint(hash, heads, change.deps);
    this.#insert(point.mark, LOG_KINDS.change, {
      ...{ documentNo: row.document_no, hash, startOp, row: entry, isJoint: joint, bytes },
    });
  }

  insertFork(point: LogPoint, { row }: OpenRow, fork: LogFork): void {
    this.#insertOther(point, row, fork);
  }

  keysOf({ row, document }: OpenRow): HeldKeys {
    const no = row.document_no;
    const isPack = this.#rows.entry(no, PACK_GENESIS_HASH) !== undefined;
    const keys = isPack ? this.#rows.keysOf(no) : [];
    if (typeof keys !== "string") return { isPack, isForked: this.#rows.isForked(no), keys };
    if (keys === "packed")
      throw new Refused({ code: "BUSY", message: "What the retirement names is being read; send it again." });
    const message = "The retirement names documents with too many changes; carry the records in fewer.";
    throw new Refused({ code: "TOO_WIDE", document, message });
  }

  insertRetire(point: LogPoint, { row }: OpenRow, retire: LogRetire): void {
    this.#retired.set(row.document_no, point.position);
    this.#rows.onUndo(() => this.#retired.delete(row.document_no));
    this.#insertOther(point, row, retire);
  }

  #insertOther(
    { position, mark }: LogPoint,
    { document_no: documentNo }: DocumentRow,
    item: LogFork | LogRetire,
  ): void {
    const row = { position, actor_no: null, number: null, max_op: 0, deps: new Uint8Array() };
    const [bytes, { hash, kind }] = [itemBody(item), item];
    this.#insert(mark, LOG_KINDS[kind], { documentNo, hash, startOp: 0, row, isJoint: false, bytes });
  }

  #insert(mark: Uint8Array, kind: number, entry: NewEntry): void {
    this.#rows.putEntry(entry);
    this.#entries.push({ ...entry, mark, kind });
    this.#rows.onUndo(() => this.#entries.pop());
  }

  #actorNo(actor: string): number {
    const known = this.#rows.actorNo(actor);
    if (known !== undefined) return known;
    this.#actors += 1;
    this.#rows.addActor(actor, this.#actors);
    this.#newActors.push([this.#actors, fromHex(actor)]);
    this.#rows.onUndo(() => {
      this.#newActors.pop();
      this.#actors -= 1;
    });
    return this.#actors;
  }

  move(point: LogPoint, documents: Iterable<OpenRow>): void {
    const before = this.#point;
    this.#rows.onUndo(() => {
      this.#point = before;
    });
    this.#point = point;
    for (const { row, heads, position, maxOp } of documents) {
      const retiredAt = this.#retired.get(row.document_no) ?? row.retired_at;
      const end = { heads: hashesToBytes([...heads]), position, max_op: maxOp, retired_at: retiredAt };
      const moved = { ...row, ...end };
      this.#rows.putDocument(moved);
      const touched = this.#touched.get(row.document_no);
      this.#rows.onUndo(() =>
        touched === undefined
          ? this.#touched.delete(row.document_no)
          : this.#touched.set(row.document_no, touched),
      );
      this.#touched.set(row.document_no, moved);
    }
  }

  async #write(): Promise<void> {
    const touched = [...this.#touched.values()];
    const isNew = ({ document_no: no }: DocumentRow): boolean => this.#newDocuments.has(no);
    const made = touched.filter(isNew);
    const moved = touched.filter((row) => !isNew(row));
    const entries = this.#entries.map((entry) => this.#columns(entry));
    const bytes = entries.reduce((sum, columns) => sum + (columns[11]?.length ?? 0), this.#bytes);
    const values = [
      ...[this.#rows.spaceNo, this.#point.position, this.#point.mark, bytes, this.#documents, this.#actors],
      ...columnsOf(this.#newActors, 2),
      ...pluck(made, ["document_no", "document", "heads", "position", "max_op", "retired_at"]),
      ...pluck(made, ["base_no", "base_position", "base_without"]),
      ...pluck(moved, ["document_no", "heads", "position", "max_op", "retired_at"]),
      [...this.#retired.keys()],
      ...columnsOf(entries, 12),
    ];
    await this.#client.query(named(WRITE, values));
    if (this.#retired.size > 0)
      await this.#client.query(named(SPOIL, [this.#rows.spaceNo, [...this.#retired.keys()]]));
  }

  /** Of a document that is retired in the same transaction, only the entry that says so has bytes. */
  #columns({ documentNo, hash, startOp, row, isJoint, bytes, mark, kind }: KeptEntry): EntryColumns {
    const { position, max_op: maxOp, actor_no: actorNo, number, deps } = row;
    const isErased = position < (this.#retired.get(documentNo) ?? 0);
    const columns = [position, startOp, maxOp, documentNo, actorNo, number, kind, isJoint, deps] as const;
    return [...columns, fromHex(hash), mark, isErased ? null : bytes];
  }
}

const pluck = (rows: readonly DocumentRow[], names: readonly (keyof DocumentRow)[]): unknown[][] =>
  names.map((name) => rows.map((row) => asBuffer(row[name])));

const columnsOf = (rows: readonly (readonly unknown[])[], count: number): unknown[][] =>
  Array.from({ length: count }, (_, at) => rows.map((row) => asBuffer(row[at])));

/** Within arrays, the driver knows no other bytes. */
const asBuffer = (value: unknown): unknown =>
  value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.length)
    : value;
