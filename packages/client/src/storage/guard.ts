/**
 * The one guard in front of every medium. Nothing damaged reaches automerge-repo, whose loader joins all chunks
 * and silently drops every incremental when one is torn; and nothing else is lost when one is:
 *
 * - each chunk is checked alone when read; a damaged one goes to quarantine, the others are handed over;
 * - changes that depend on the quarantined chunk stay pending inside Automerge, and their chunks stay stored:
 *   while a document is in doubt, no chunk of it is removed, so compaction only adds;
 * - a write that fails stops all later ones, since automerge-repo believes it was kept and builds on it.
 *
 * @module
 */

import { CambiumError, isCambiumError, throwIfAborted } from "@cambium/core";
import { checksumOf, damageOf } from "./checksum.js";
import type { Chunk, StorageKey } from "./chunk-storage.js";
import { GroupCommit } from "./group-commit.js";
import { keyToText, type Medium, type StoredChunk, type WriteOperation } from "./medium.js";
import type {
  DocumentRow,
  QuarantinedChunk,
  ReplicaStore,
  RequestNote,
  VerifyOptions,
  VerifyReport,
} from "./store.js";

/** Makes a replica's store of a medium, which it owns from now on. */
export const guardMedium = (medium: Medium): ReplicaStore => new GuardedStore(medium);

class GuardedStore implements ReplicaStore {
  readonly #medium: Medium;
  readonly #queue: GroupCommit<WriteOperation>;
  readonly #rowsById: Map<string, DocumentRow>;
  readonly #quarantineByKey: Map<string, QuarantinedChunk>;
  readonly #retired: Set<string>;
  /** Those that are not on disk yet. */
  readonly #notesByKey = new Map<string, RequestNote>();
  #undo: (() => void)[] | undefined;
  readonly #failureListeners: ((failure: CambiumError) => void)[] = [];
  #failure: CambiumError | undefined;
  #closing: Promise<void> | undefined;

  constructor(medium: Medium) {
    this.#medium = medium;
    this.#queue = new GroupCommit(
      (operations) => this.#commit(operations),
      (cause) => this.#fail(cause),
    );
    this.#rowsById = new Map(medium.initial.rows.map((row) => [row.documentId, row]));
    this.#quarantineByKey = new Map(medium.initial.quarantined.map((chunk) => [keyToText(chunk.key), chunk]));
    this.#retired = new Set(medium.initial.retired);
  }

  get failure(): CambiumError | undefined {
    return this.#failure;
  }

  onFailure(listener: (failure: CambiumError) => void): void {
    this.#failureListeners.push(listener);
  }

  // Chunks

  async load(key: StorageKey): Promise<Uint8Array | undefined> {
    const chunk = await this.#read(() => this.#medium.read(key));
    return chunk === undefined ? undefined : this.#admit([chunk])[0]?.data;
  }

  async loadRange(prefix: StorageKey): Promise<Chunk[]> {
    return this.#admit(await this.#read(() => this.#medium.readRange(prefix)));
  }

  save(key: StorageKey, bytes: Uint8Array): Promise<void> {
    const documentId = firstPart(key);
    if (this.#retired.has(documentId)) return Promise.resolve();
    // A copy: the caller's bytes may be a view of memory that changes before the commit.
    const copy = bytes.slice();
    return this.#add({ type: "put", key: [...key], bytes: copy, checksum: checksumOf(copy) });
  }

  remove(key: StorageKey): Promise<void> {
    if (this.#isInDoubt(firstPart(key))) return Promise.resolve();
    return this.#add({ type: "remove", key: [...key] });
  }

  removeRange(prefix: StorageKey): Promise<void> {
    if (this.#isInDoubt(firstPart(prefix))) return Promise.resolve();
    return this.#add({ type: "remove-range", prefix: [...prefix] });
  }

  // Rows

  rows(): readonly DocumentRow[] {
    return [...this.#rowsById.values()];
  }

  row(documentId: string): DocumentRow | undefined {
    return this.#rowsById.get(documentId);
  }

  putRow(row: DocumentRow): void {
    if (this.#isStopped() || this.#retired.has(row.documentId)) return;
    this.#setInMemory(this.#rowsById, row.documentId, row);
    void this.#add({ type: "row", row });
  }

  putReceipt(receipt: Omit<DocumentRow, "localHeads">): void {
    const { documentId } = receipt;
    if (this.#isStopped() || this.#retired.has(documentId)) return;
    const row = { localHeads: this.row(documentId)?.localHeads ?? [], ...receipt };
    this.#setInMemory(this.#rowsById, documentId, row);
    this.#queue.addInCompany({ type: "row", row });
  }

  // Requests

  noteRequest(note: RequestNote): void {
    if (this.#isStopped() || this.request(note.key) !== undefined) return;
    this.#setInMemory(this.#notesByKey, note.key, note);
    void this.#add({ type: "request", note }).then(() => this.#notesByKey.delete(note.key));
  }

  request(key: string): RequestNote | undefined {
    if (this.#closing !== undefined) throw closedError();
    const queued = this.#notesByKey.get(key);
    if (queued !== undefined) return queued;
    try {
      return this.#medium.request(key);
    } catch (cause) {
      const message = "The store cannot tell which requests were carried out: its table of them is damaged.";
      throw new CambiumError("STORE_DAMAGED", message, { cause });
    }
  }

  // Transactions

  transact<Result>(queue: () => Result): Result {
    if (this.#undo !== undefined) return queue();
    this.#undo = [this.#queue.mark()];
    try {
      return queue();
    } catch (error) {
      for (const undo of this.#undo.reverse()) undo();
      throw error;
    } finally {
      this.#undo = undefined;
    }
  }

  async flushed(): Promise<void> {
    if (this.#closing !== undefined) throw this.#failure ?? closedError();
    await this.#queue.settled();
    if (this.#failure !== undefined) throw this.#failure;
  }

  // Documents

  async copyDocument(from: string, to: string): Promise<void> {
    const taken = await this.#read(() => this.#medium.keys([to]));
    if (taken.length > 0) {
      throw new CambiumError("BAD_INPUT", `Document ${to} exists already; copy under a new id.`);
    }
    if (this.#isInDoubt(from)) {
      const message = `Document ${from} has damaged chunks and cannot be copied whole; sync it, then try again.`;
      throw new CambiumError("STORE_DAMAGED", message, { details: { documentId: from } });
    }
    const row = this.#rowsById.get(from);
    this.transact(() => {
      void this.#add({ type: "copy-document", from, to });
      if (row !== undefined)
        this.putRow({ ...row, documentId: to, receiptedHeads: [], receiptedAt: undefined });
    });
  }

  async removeDocument(documentId: string): Promise<void> {
    if (!this.#isStopped()) {
      this.#setInMemory(this.#rowsById, documentId, undefined);
      this.#dropQuarantine(documentId);
      void this.#add({ type: "remove-document", documentId });
    }
    await this.flushed();
  }

  retire(documentId: string): void {
    if (this.#isStopped() || this.#retired.has(documentId)) return;
    this.#retired.add(documentId);
    this.#undo?.push(() => this.#retired.delete(documentId));
    void this.#add({ type: "retire", documentId });
  }

  isRetired(documentId: string): boolean {
    return this.#retired.has(documentId);
  }

  // Damage

  quarantined(): readonly QuarantinedChunk[] {
    return [...this.#quarantineByKey.values()];
  }

  markRepaired(documentId: string): void {
    if (this.#isStopped() || !this.#isInDoubt(documentId)) return;
    this.#dropQuarantine(documentId);
    void this.#add({ type: "drop-quarantine", documentId });
  }

  refuseDisplaced(): void {
    if (this.#closing !== undefined) return;
    const reason = this.#medium.displaced();
    if (reason === undefined) return;
    this.#fail(new DisplacedError(reason));
    throw this.#failure;
  }

  async verify({ signal, onProgress }: VerifyOptions = {}): Promise<VerifyReport> {
    const total = { documents: 0, chunks: 0, sizeBytes: 0 };
    const keys = await this.#read(() => this.#medium.keys([]));
    const documentIds = new Set(keys.map(firstPart));
    for (const [index, documentId] of [...documentIds].entries()) {
      throwIfAborted(signal);
      const found = await this.#read(() => this.#medium.readRange([documentId]));
      this.#admit(found);
      total.documents += found.some(({ key }) => key.length > 1) ? 1 : 0; // else automerge-repo's own id
      total.chunks += found.length;
      total.sizeBytes += found.reduce((sum, { bytes }) => sum + (bytes?.byteLength ?? 0), 0);
      onProgress?.({ documentsDone: index + 1, documentsTotal: documentIds.size });
    }
    const displaced = this.#medium.displaced();
    const problems = await this.#read(() => this.#medium.inspect());
    return {
      ...total,
      damaged: this.quarantined(),
      problems: displaced === undefined ? problems : [displaced, ...problems],
    };
  }

  // End

  close(): Promise<void> {
    this.#queue.waitNoLonger();
    this.#closing ??= this.#queue
      .between(async () => this.#medium.close())
      .catch((cause) => this.#fail(cause));
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // Helpers

  /** What is on disk where nobody will look for it is not written. */
  async #commit(operations: readonly WriteOperation[]): Promise<void> {
    try {
      await this.#medium.commit(operations);
    } catch (cause) {
      const displaced = this.#medium.displaced();
      throw displaced === undefined ? cause : new DisplacedError(displaced, { cause });
    }
    const displaced = this.#medium.displaced();
    if (displaced !== undefined) throw new DisplacedError(displaced);
  }

  #isStopped(): boolean {
    return this.#failure !== undefined || this.#closing !== undefined;
  }

  #add(operation: WriteOperation): Promise<void> {
    return this.#isStopped() ? Promise.resolve() : this.#queue.add(operation);
  }

  async #read<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw closedError();
    try {
      return await this.#queue.between(work);
    } catch (cause) {
      if (isCambiumError(cause)) throw cause;
      this.#fail(cause); // an acknowledged write did not reach its place; the next open brings it there
      throw this.#failure;
    }
  }

  /** Returns the chunks that are whole, and sets the others aside. */
  #admit(found: readonly StoredChunk[]): Chunk[] {
    const whole: Chunk[] = [];
    for (const { key, checksum, bytes, unreadable } of found) {
      const reason = bytes === undefined ? (unreadable ?? "unreadable") : damageOf(bytes, checksum);
      if (reason === undefined) whole.push({ key, data: bytes });
      else this.#quarantine({ key, documentId: firstPart(key), reason, sizeBytes: bytes?.byteLength ?? 0 });
    }
    return whole;
  }

  #quarantine(chunk: QuarantinedChunk): void {
    const text = keyToText(chunk.key);
    if (this.#quarantineByKey.get(text)?.reason === "unreadable") return; // stays where it is, and is met again
    this.#quarantineByKey.set(text, chunk);
    void this.#add({ type: "quarantine", chunk });
  }

  #dropQuarantine(documentId: string): void {
    for (const [text, chunk] of this.#quarantineByKey) {
      if (chunk.documentId === documentId) this.#setInMemory(this.#quarantineByKey, text, undefined);
    }
  }

  #isInDoubt(documentId: string): boolean {
    for (const chunk of this.#quarantineByKey.values()) if (chunk.documentId === documentId) return true;
    return false;
  }

  #setInMemory<Value>(map: Map<string, Value>, key: string, value: Value | undefined): void {
    const before = map.get(key);
    this.#undo?.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }

  #fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    const failure = failureOf(cause);
    this.#failure = failure;
    for (const listener of this.#failureListeners) listener(failure);
  }
}

function failureOf(cause: unknown): CambiumError {
  // It says itself what to do: the store is damaged, and no room on the disk helps.
  if (isCambiumError(cause, "STORE_DAMAGED")) return cause;
  if (cause instanceof DisplacedError)
    return new CambiumError("STORE_FAILED", cause.message, { hint: DISPLACED_HINT, cause });
  return new CambiumError("STORE_FAILED", "The store could not write to its disk.", {
    hint: "Free space or repair the disk, then open the space again; everything acknowledged before is safe.",
    cause,
  });
}

class DisplacedError extends Error {}

const DISPLACED_HINT =
  "Nothing is written here any more. Put the directory where it was, or leave there what took its place, then close this replica and open it again.";

function firstPart(key: StorageKey): string {
  const [first] = key;
  if (first === undefined) throw new CambiumError("BAD_INPUT", "A storage key needs at least one part.");
  return first;
}

const closedError = (): CambiumError =>
  new CambiumError("REPLICA_CLOSED", "The store has been closed; open the space again.");
