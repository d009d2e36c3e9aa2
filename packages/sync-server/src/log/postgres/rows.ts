/**
 * Rows of one space as a transaction sees them. Whoever asks is answered at once, or by `NotRead`: then what was
 * asked is read, and asked again. So rules need not know that a database is far away.
 *
 * @module
 */
import { changeKeys } from "@cambium/core";
import type { ClientBase, QueryResultRow } from "pg";
import type { DocumentRow, DocumentRows, EntryRow, StoredStep } from "../held-documents.js";
import { fromHex, toHex } from "../held-documents.js";
import type { LogChange, LogItem } from "../space-log.js";
import type { FoundKeys, PostgresKeys } from "./keys.js";
import { Lookup } from "./lookup.js";
import { named } from "./named.js";
import {
  FIND_ACTORS,
  FIND_AT,
  FIND_DOCUMENTS,
  FIND_ENTRIES,
  FIND_FORKED,
  FIND_OPERATIONS,
  FIND_STEPS,
} from "./row-queries.js";

interface FoundEntry extends EntryRow {
  readonly document_no: number;
  readonly hash: Uint8Array;
}

/** An entry that is being added. */
export interface NewEntry {
  readonly documentNo: number;
  readonly hash: string;
  readonly startOp: number;
  readonly row: EntryRow;
  readonly isJoint: boolean;
  readonly bytes: Uint8Array;
}

interface StepRow {
  readonly position: number;
  readonly deps: Uint8Array;
  readonly joint: boolean;
}

/** Steps of a walk that are read at once. */
const STEPS = 512;
const LAST_POSITION = Number.MAX_SAFE_INTEGER;
/** Of more, everything is forgotten; it is read again where it is needed. */
const MOST_REMEMBERED = 20_000;

export class PostgresRows implements DocumentRows {
  readonly spaceNo: number;
  readonly #documents = new Lookup<[string], DocumentRow>();
  readonly #byNo = new Map<number, DocumentRow>();
  readonly #entries = new Lookup<[number, string], EntryRow>();
  readonly #numbered = new Lookup<[number, number, number], { position: number; hash: string }>();
  readonly #operations = new Lookup<[number, number, number], number>();
  readonly #hashes = new Lookup<[number], string>();
  readonly #actorNos = new Lookup<[string], number>();
  readonly #actors = new Lookup<[number], string>();
  /** Pages of a walk down, by where they begin. */
  readonly #steps = new Lookup<[number, number], readonly StepRow[]>();
  readonly #forked = new Lookup<[number], true>();
  readonly #keys = new Lookup<[number], FoundKeys>();
  readonly #keyed: PostgresKeys | undefined;
  /** What this transaction adds, and the same by document and actor. */
  readonly #added: NewEntry[] = [];
  readonly #addedBy = new Map<string, NewEntry[]>();
  readonly #newDocuments = new Set<number>();
  readonly #newActors = new Set<number>();
  #undo: (() => void)[] = [];

  /** @param keyed - where retirements may be asked for */
  constructor(spaceNo: number, keyed?: PostgresKeys) {
    this.spaceNo = spaceNo;
    this.#keyed = keyed;
  }

  document(document: string): DocumentRow | undefined {
    return this.#documents.get(document);
  }

  byNo(documentNo: number): DocumentRow {
    const row = this.#byNo.get(documentNo);
    if (row === undefined) throw new Error(`The base ${documentNo} of a fork is not there.`);
    return row;
  }

  entry(documentNo: number, hash: string): EntryRow | undefined {
    if (this.#newDocuments.has(documentNo)) return this.#entries.peek(documentNo, hash);
    return this.#entries.get(documentNo, hash);
  }

  hashAt(position: number): string {
    return this.#hashes.get(position) as string;
  }

  actorNo(actor: string): number | undefined {
    return this.#actorNos.get(actor);
  }

  actor(actorNo: number): string {
    return this.#actors.get(actorNo) as string;
  }

  numbered(documentNo: number, actorNo: number, number: number) {
    if (this.#isNew(documentNo, actorNo)) return this.#numbered.peek(documentNo, actorNo, number);
    return this.#numbered.get(documentNo, actorNo, number);
  }

  operation(documentNo: number, actorNo: number, counter: number): number | undefined {
    const added = this.#addedBy.get(`${documentNo} ${actorNo}`) ?? [];
    const own = added.findLast(({ startOp }) => startOp <= counter);
    if (own !== undefined && own.row.max_op >= counter) return own.row.position;
    return this.#isNew(documentNo, actorNo) ? undefined : this.#operations.get(documentNo, actorNo, counter);
  }

  /** Then the database has nothing of it. */
  #isNew(documentNo: number, actorNo: number): boolean {
    return this.#newDocuments.has(documentNo) || this.#newActors.has(actorNo);
  }

  *changesDown(documentNo: number, upTo: number): Generator<StoredStep> {
    for (const { row, isJoint } of this.#added.filter((one) => one.documentNo === documentNo).reverse())
      if (row.actor_no !== null && row.position <= upTo)
        yield { position: row.position, deps: row.deps, isJoint };
    if (this.#newDocuments.has(documentNo)) return;
    for (let from = upTo; ; ) {
      const page = this.#steps.get(documentNo, from) ?? [];
      for (const { position, deps, joint } of page) yield { position, deps, isJoint: joint };
      if (page.length < STEPS) return;
      from = (page.at(-1)?.position ?? 0) - 1;
    }
  }

  isForked(documentNo: number): boolean {
    const isForkedNow = [...this.#byNo.values()].some(
      ({ base_no: base, retired_at: at }) => base === documentNo && at === null,
    );
    return isForkedNow || this.#newDocuments.has(documentNo)
      ? isForkedNow
      : this.#forked.get(documentNo) === true;
  }

  /** All keys that its own changes ever named. */
  keysOf(documentNo: number): Iterable<string> | "many" | "packed" {
    const stored = this.#newDocuments.has(documentNo)
      ? new Set<string>()
      : (this.#keys.get(documentNo) ?? "packed");
    if (typeof stored === "string") return stored;
    const added = this.#added.filter((one) => one.documentNo === documentNo && one.row.actor_no !== null);
    return [stored, ...added.map(({ bytes }) => changeKeys(bytes))].flatMap((some) => [...some]);
  }

  /** A document that this transaction makes. */
  addDocument(row: DocumentRow): void {
    this.#newDocuments.add(row.document_no);
    this.#undo.push(() => this.#newDocuments.delete(row.document_no));
    this.putDocument(row);
  }

  putDocument(row: DocumentRow): void {
    this.#undo.push(this.#documents.replace(row, toHex(row.document)));
    const before = this.#byNo.get(row.document_no);
    this.#byNo.set(row.document_no, row);
    this.#undo.push(() => before && this.#byNo.set(row.document_no, before));
  }

  /** An actor that this transaction brings. */
  addActor(actor: string, actorNo: number): void {
    this.#newActors.add(actorNo);
    this.#undo.push(() => this.#newActors.delete(actorNo));
    this.#undo.push(this.#actorNos.replace(actorNo, actor), this.#actors.replace(actor, actorNo));
  }

  putEntry(entry: NewEntry): void {
    const { documentNo, hash, row } = entry;
    const { position, actor_no: actorNo, number } = row;
    this.#undo.push(this.#entries.replace(row, documentNo, hash), this.#hashes.replace(hash, position));
    this.#added.push(entry);
    this.#undo.push(() => this.#added.pop());
    if (actorNo === null || number === null) return;
    this.#undo.push(this.#numbered.replace({ position, hash }, documentNo, actorNo, number));
    const by = this.#addedBy.get(`${documentNo} ${actorNo}`) ?? [];
    this.#addedBy.set(`${documentNo} ${actorNo}`, by);
    by.push(entry);
    this.#undo.push(() => by.pop());
  }

  /** Something else that ends with what was put since the last `keep`. */
  onUndo(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** What was put since the last `keep` is not there. */
  undo(): void {
    for (const undo of this.#undo.toReversed()) undo();
    this.#undo = [];
  }

  keep(): void {
    this.#undo = [];
  }

  /** The transaction was committed. */
  committed(): void {
    this.keep();
    this.#added.length = 0;
    for (const added of [this.#addedBy, this.#newDocuments, this.#newActors]) added.clear();
    this.#forgetWalks();
    this.#operations.forgetMissing();
    if (
      this.#entries.size + this.#numbered.size + this.#operations.size + this.#hashes.size <
      MOST_REMEMBERED
    )
      return;
    for (const lookup of [this.#entries, this.#numbered, this.#operations, this.#hashes]) lookup.clear();
    this.#forgetDocuments();
  }

  /** Others have written to the log: what is in it still is, and the rest may have changed. */
  forgetChangeable(): void {
    this.#forgetDocuments();
    this.#forgetWalks();
    for (const lookup of [this.#entries, this.#numbered, this.#operations, this.#actorNos])
      lookup.forgetMissing();
  }

  #forgetWalks(): void {
    for (const lookup of [this.#steps, this.#forked, this.#keys]) lookup.clear();
  }

  #forgetDocuments(): void {
    this.#documents.clear();
    this.#byNo.clear();
  }

  /** Reads in few round trips what items will ask for. */
  async prepare(client: ClientBase, items: readonly LogItem[]): Promise<void> {
    for (const item of items) {
      this.#documents.want(item.document);
      if (item.kind === "fork") this.#documents.want(item.from);
      if (item.kind === "retire") for (const document of item.carriedIn) this.#documents.want(document);
      if (item.kind === "change")
        for (const actor of [item.actor, ...othersObjects(item).map(([, by]) => by)])
          this.#actorNos.want(actor);
    }
    await this.#readNames(client);
    for (const item of items) this.#wantEntries(item);
    await this.#readEntries(client);
    await this.#readOperations(client);
  }

  #wantEntries(item: LogItem): void {
    const row = this.#documents.peek(item.document);
    for (let at = row; at !== undefined; at = at.base_no === null ? undefined : this.#byNo.get(at.base_no))
      this.#wantOf(at.document_no, item);
  }

  #wantOf(no: number, item: LogItem): void {
    this.#entries.want(no, item.hash);
    if (item.kind !== "change") return;
    for (const dep of item.deps) this.#entries.want(no, dep);
    const actorNo = this.#actorNos.peek(item.actor);
    if (actorNo !== undefined) this.#numbered.want(no, actorNo, item.seq);
    for (const [counter, actor] of othersObjects(item)) {
      const by = this.#actorNos.peek(actor);
      if (by !== undefined) this.#operations.want(no, by, counter);
    }
  }

  /**
   * Reads everything that was asked for in vain.
   *
   * @param items - they will ask the same documents
   */
  async read(client: ClientBase, items: readonly LogItem[] = []): Promise<void> {
    const asked = [...this.#entries.wanted(), ...this.#numbered.wanted(), ...this.#operations.wanted()];
    for (const no of new Set(asked.map(([no]) => no))) for (const item of items) this.#wantOf(no, item);
    await this.#readNames(client);
    await this.#readEntries(client);
    await this.#readOperations(client);
    const positions = this.#hashes.take().map(([position]) => position);
    this.#putEntries(await this.#find<FoundEntry>(client, FIND_AT, positions));
    await this.#readNames(client);
    for (const [no, from] of this.#steps.take())
      this.#steps.put(
        await this.#find<StepRow>(client, FIND_STEPS, no, Math.min(from, LAST_POSITION), STEPS),
        no,
        from,
      );
    const forked = this.#forked.take().map(([no]) => no);
    for (const { base_no: no } of await this.#find<{ base_no: number }>(client, FIND_FORKED, forked))
      this.#forked.put(true, no);
    for (const [no] of this.#keys.take())
      this.#keys.put((await this.#keyed?.under(client, this.spaceNo, no)) ?? "packed", no);
  }

  async #readNames(client: ClientBase): Promise<void> {
    const ids = this.#documents.take().map(([id]) => fromHex(id));
    for (const row of await this.#find<DocumentRow>(client, FIND_DOCUMENTS, ids)) {
      this.#documents.put(row, toHex(row.document));
      this.#byNo.set(row.document_no, row);
    }
    const [actors, numbers] = [this.#actorNos.take(), this.#actors.take()];
    const found = await this.#find<{ actor_no: number; actor: Uint8Array }>(
      ...([client, FIND_ACTORS, actors.map(([actor]) => fromHex(actor)), numbers.flat()] as const),
    );
    for (const { actor_no: no, actor } of found) {
      this.#actorNos.put(no, toHex(actor));
      this.#actors.put(toHex(actor), no);
    }
  }

  async #readEntries(client: ClientBase): Promise<void> {
    const [entries, numbered] = [this.#entries.take(), this.#numbered.take()];
    const found = await this.#find<FoundEntry>(
      ...([
        client,
        FIND_ENTRIES,
        entries.map(([no]) => no),
        entries.map(([, hash]) => fromHex(hash)),
      ] as const),
      ...([0, 1, 2] as const).map((at) => numbered.map((key) => key[at])),
    );
    this.#putEntries(found);
    await this.#readNames(client);
  }

  #putEntries(found: readonly FoundEntry[]): void {
    for (const { document_no: no, hash: bytes, ...row } of found) {
      const hash = toHex(bytes);
      const { position, actor_no: actorNo, number } = row;
      this.#entries.put(row, no, hash);
      this.#hashes.put(hash, position);
      if (actorNo === null || number === null) continue;
      this.#numbered.put({ position, hash }, no, actorNo, number);
      this.#actors.want(actorNo);
    }
  }

  async #readOperations(client: ClientBase): Promise<void> {
    const wanted = this.#operations.take();
    const found = await this.#find<{
      document_no: number;
      actor_no: number;
      counter: number;
      position: number;
    }>(client, FIND_OPERATIONS, ...([0, 1, 2] as const).map((at) => wanted.map((key) => key[at])));
    for (const { document_no: no, actor_no: actorNo, counter, position } of found)
      this.#operations.put(position, no, actorNo, counter);
  }

  /** @param values - nothing is asked where all are empty lists */
  async #find<Row extends object>(
    client: ClientBase,
    text: string,
    ...values: readonly (number | readonly unknown[])[]
  ): Promise<readonly Row[]> {
    if (values.every((value) => typeof value === "object" && value.length === 0)) return [];
    const { rows } = await client.query<Row & QueryResultRow>(named(text, [this.spaceNo, ...values]));
    return rows;
  }
}

/** The objects that a change writes to and has not made. */
const othersObjects = ({ objects, actor, startOp }: LogChange): readonly (readonly [number, string])[] =>
  objects
    .map((id) => id.split("@"))
    .map(([counter = "", by = ""]) => [Number(counter), by] as const)
    .filter(([counter, by]) => by !== actor || counter < startOp);
