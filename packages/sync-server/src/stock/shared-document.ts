/**
 * One document in memory, shared by every session that syncs it: a wasm handle, and what has been
 * applied to it but is not durable yet.
 *
 * @module
 */
import {
  CambiumError,
  CheckedHandle,
  type Chunk,
  matchesChecksum,
  quickReceive,
  type RefusedChange,
  type SyncMessage,
  sameHeads,
  splitChunks,
} from "@cambium/core";
import { chunkTools } from "../chunk-tools.js";
import type { DocumentEntry, LoggedChange } from "./stock-log.js";
import { type Handle, type SyncState, wasm } from "./wasm.js";

/** Hashes of refused changes that are remembered: what rests on them is refused without a look. */
const MAX_REFUSED = 1_024;

/** A document cannot keep what it was sent: it would not load again. */
export class UnsoundChanges extends Error {
  readonly refused: readonly RefusedChange[];
  /** Whether the document has to be restored. */
  readonly isTakenIn: boolean;

  constructor(refused: readonly RefusedChange[], { isTakenIn }: { readonly isTakenIn: boolean }) {
    super(refused[0]?.reason);
    this.refused = refused;
    this.isTakenIn = isTakenIn;
  }
}

export class SharedDocument {
  readonly space: string;
  readonly documentId: string;
  /** When it was last asked for, to find those nobody uses. */
  usedAt = 0;
  readonly #refused = new Set<string>();
  #handle: Handle;
  #checked: CheckedHandle;
  #heads: readonly string[];
  /** Everything in the log up to here is in the handle; 0 while nothing of the document is stored. */
  #seq: number;
  #pending: LoggedChange[] = [];

  /** @param handle - belongs to the document from now on; undefined if nothing is stored */
  constructor(space: string, documentId: string, handle: Handle = wasm.create(), seq = 0) {
    this.space = space;
    this.documentId = documentId;
    this.#handle = handle;
    this.#checked = new CheckedHandle(this.#handle, chunkTools);
    this.#heads = this.#handle.getHeads();
    this.#seq = seq;
  }

  get heads(): readonly string[] {
    return this.#heads;
  }

  get seq(): number {
    return this.#seq;
  }

  get isEmpty(): boolean {
    return this.#heads.length === 0;
  }

  /** Whether something was applied that is not durable yet. */
  get isPending(): boolean {
    return this.#pending.length > 0;
  }

  holds(heads: readonly string[]): boolean {
    return (
      sameHeads(heads, this.#heads) || heads.every((head) => this.#handle.getChangeMetaByHash(head) !== null)
    );
  }

  /**
   * Takes in what a peer sends. What is new waits in `pending` until it is durable.
   *
   * @returns the peer's sync state from now on, in place of the given one
   * @throws {UnsoundChanges}
   * @throws {CambiumError} BAD_CHUNK when what should be changes is none; nothing was taken in
   * @throws whatever Automerge throws; call `restore` then, a part may have been taken in
   */
  receive(state: SyncState, data: Uint8Array, message: SyncMessage): SyncState {
    if (!state.readOnly && message.changes.length > 0) {
      const { refused } = this.#checked.check(message.changes, this.#refused);
      if (refused.length > 0) throw this.#unsound(refused, { isTakenIn: false });
    }
    const next = quickReceive(this.#handle, wasm.exportSyncState(state), message);
    if (next === undefined) this.#handle.receiveSyncMessage(state, data);
    this.#collect();
    if (next === undefined) return state;
    state.free();
    return wasm.importSyncState(next);
  }

  /**
   * Takes in the changes of a message, but for those that cannot be kept and what rests on them.
   *
   * @returns those that were left out
   * @throws as `receive`
   */
  takeSound({ changes: pieces }: SyncMessage): readonly RefusedChange[] {
    const apart = pieces.flatMap(splitChunks).flatMap(changesOf);
    const { changes, others, refused } = this.#checked.check(apart, this.#refused);
    this.#bar(refused);
    for (const chunk of others) this.#handle.loadIncremental(chunk);
    if (changes.length > 0) this.#handle.applyChanges([...changes]);
    this.#collect();
    return refused;
  }

  /** Takes in what `source` has; see `receive`. */
  merge(source: Handle): void {
    this.#handle.merge(source);
    this.#collect();
  }

  /**
   * Starts again from what is stored, keeping what others have given since.
   *
   * @param fresh - a handle of what the log holds; undefined if nothing
   */
  restore(fresh: Handle = wasm.create(), seq = 0): void {
    const pending = this.#pending;
    this.free();
    this.#handle = fresh;
    this.#checked = new CheckedHandle(fresh, chunkTools);
    this.#heads = this.#handle.getHeads();
    this.#seq = seq;
    this.#pending = [];
    this.#handle.applyChanges(pending.map(({ bytes }) => bytes));
    this.#collect();
  }

  /** @returns what the peer lacks or must know, if anything. Never call it while `isPending`. */
  generate(state: SyncState): Uint8Array | null {
    if (this.isPending)
      throw new CambiumError("INTERNAL", "A sync message must not tell what is not durable.");
    return this.#handle.generateSyncMessage(state);
  }

  /** @returns a copy of the document as it was at `heads`, to be freed by the caller */
  forkAt(heads: readonly string[]): Handle {
    const fork = this.#handle.fork(undefined, [...heads]);
    if (sameHeads(fork.getHeads(), heads)) return fork;
    fork.free();
    throw new CambiumError("INTERNAL", "Automerge made a fork with other heads than it was asked for.");
  }

  /** What must be stored before anyone may hear of it, in an order in which it can be applied. */
  get pending(): readonly LoggedChange[] {
    return this.#pending;
  }

  /**
   * What was pending is durable.
   *
   * @param entries - documents that the log then moved on with
   */
  stored(entries: readonly DocumentEntry[]): void {
    this.#pending = [];
    const entry = entries.find(({ documentId }) => documentId === this.documentId);
    // With other heads, the log has something that others gave it meanwhile: that is caught up with.
    if (entry !== undefined && sameHeads([...entry.heads].sort(), [...this.#heads].sort()))
      this.#seq = entry.seq;
  }

  /**
   * Takes in what the log has after `seq`.
   *
   * @throws {UnsoundChanges}
   * @throws whatever Automerge throws
   */
  takeStored(changes: readonly LoggedChange[], seq: number): void {
    const unknown = changes.filter(({ hash }) => this.#handle.getChangeMetaByHash(hash) === null);
    if (unknown.length > 0) {
      const pieces = unknown.map(({ bytes }) => bytes);
      const { refused } = this.#checked.check(pieces);
      if (refused.length > 0) throw this.#unsound(refused, { isTakenIn: false });
      this.#handle.applyChanges(pieces);
      this.#collect();
      this.#pending = [];
    }
    this.#seq = seq;
  }

  free(): void {
    try {
      this.#handle.free();
    } catch {
      // A handle that panicked cannot be freed; its memory is lost until the relay restarts.
    }
  }

  #collect(): void {
    const after = this.#handle.getHeads();
    if (sameHeads(this.#heads, after)) return;
    const { added, refused } = this.#checked.confirm(this.#heads, this.#refused);
    if (refused.length > 0) throw this.#unsound(refused, { isTakenIn: true });
    this.#heads = after;
    this.#pending.push(...added);
  }

  #unsound(refused: readonly RefusedChange[], how: { readonly isTakenIn: boolean }): UnsoundChanges {
    this.#bar(refused);
    return new UnsoundChanges(refused, how);
  }

  #bar(refused: readonly RefusedChange[]): void {
    if (this.#refused.size > MAX_REFUSED) this.#refused.clear();
    for (const { hash } of refused) this.#refused.add(hash);
  }
}

/** Of a whole document: there may be bad changes in it beside others. */
function changesOf(chunk: Chunk): readonly Uint8Array[] {
  const { kind, bytes } = chunk;
  if (kind !== "document" || !matchesChecksum(chunk, chunkTools)) return [bytes];
  const handle = wasm.create();
  try {
    handle.loadIncremental(bytes);
    return handle.getChanges([]);
  } finally {
    handle.free();
  }
}
