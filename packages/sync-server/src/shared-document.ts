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
import { chunkTools } from "./chunk-tools.js";
import type { DocumentAppend, LoggedChange, StoredDocument } from "./log/relay-log.js";
import { CHANGES_AT_ONCE, loadsAgain } from "./saved-document.js";
import { handleOf } from "./stored-documents.js";
import { type Handle, type SyncState, wasm } from "./wasm.js";

/** A first upload of more changes than this is stored as one chunk: smaller, and one row to load. */
const SNAPSHOT_FROM_CHANGES = 64;
/** A larger one is stored as changes, and folded into one chunk later: that takes a thread. */
const SNAPSHOT_TO_CHANGES = CHANGES_AT_ONCE;
/** Fewer changes than this beside a snapshot cost nothing worth saving. */
const COMPACT_FROM_CHANGES = 32;
/** A tail is folded in once it has this share of the snapshot, so that folding costs a constant factor. */
const COMPACT_FROM_SHARE = 0.5;
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

/** The document as it was at a position. */
export interface Snapshot {
  readonly seq: number;
  readonly heads: readonly string[];
  readonly bytes: Uint8Array;
  /** How many are in it. */
  readonly changes: number;
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
  /** 0 while nothing of the document is stored. */
  #seq: number;
  #pending: LoggedChange[] = [];
  #snapshotBytes: number;
  #tailBytes: number;
  #tailChanges: number;
  /** No other snapshot is made before the tail has so much. */
  #postponedToBytes = 0;

  constructor(space: string, documentId: string, stored: StoredDocument | undefined) {
    this.space = space;
    this.documentId = documentId;
    this.#handle = stored === undefined ? wasm.create() : handleOf(stored);
    this.#checked = new CheckedHandle(this.#handle, chunkTools);
    this.#heads = this.#handle.getHeads();
    this.#seq = stored?.seq ?? 0;
    this.#snapshotBytes = stored?.snapshot?.length ?? 0;
    this.#tailBytes = stored?.changes.reduce((sum, { length }) => sum + length, 0) ?? 0;
    this.#tailChanges = stored?.changes.length ?? 0;
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
   * @param stored - what the log holds, undefined if nothing
   */
  restore(stored: StoredDocument | undefined): void {
    const pending = this.#pending;
    const fresh = stored === undefined ? wasm.create() : handleOf(stored);
    this.free();
    this.#handle = fresh;
    this.#checked = new CheckedHandle(fresh, chunkTools);
    this.#heads = this.#handle.getHeads();
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

  /** What must be stored before anyone may hear of it. */
  toAppend(): DocumentAppend {
    const { documentId, space } = this;
    const snapshot = this.#firstUpload();
    return {
      documentId,
      space,
      heads: this.#heads,
      added:
        snapshot === undefined
          ? { kind: "changes", changes: this.#pending }
          : { kind: "snapshot", bytes: snapshot },
    };
  }

  #firstUpload(): Uint8Array | undefined {
    const { length } = this.#pending;
    if (this.#seq !== 0 || length <= SNAPSHOT_FROM_CHANGES || length > SNAPSHOT_TO_CHANGES) return undefined;
    if (!this.#isWhole()) return undefined;
    const bytes = this.#handle.save();
    return loadsAgain({ bytes, heads: this.#heads }) ? bytes : undefined;
  }

  /** What `toAppend` gave is durable, at `seq`. */
  stored(append: DocumentAppend, seq: number): void {
    this.#seq = seq;
    this.#pending = [];
    if (append.added.kind === "snapshot") {
      this.#compacted(append.added.bytes);
    } else {
      this.#tailChanges += append.added.changes.length;
      this.#tailBytes += append.added.changes.reduce((sum, { bytes }) => sum + bytes.length, 0);
    }
  }

  /** @returns the whole document in one chunk, if storing it so would be worth the work */
  snapshotIfWorthwhile(): Snapshot | undefined {
    const isWorthwhile =
      this.#tailChanges >= COMPACT_FROM_CHANGES &&
      this.#tailBytes >= Math.max(this.#snapshotBytes * COMPACT_FROM_SHARE, this.#postponedToBytes) &&
      !this.isPending &&
      this.#isWhole();
    if (!isWorthwhile) return undefined;
    this.#postponedToBytes = this.#tailBytes * 2; // until it is known whether this one will do
    const { seq, heads } = this;
    return { seq, heads, bytes: this.#handle.save(), changes: this.#handle.stats().numChanges };
  }

  /** The snapshot has taken the place of what was stored before it. */
  compacted({ seq, bytes }: Snapshot): void {
    if (seq === this.#seq) this.#compacted(bytes);
  }

  free(): void {
    try {
      this.#handle.free();
    } catch {
      // A handle that panicked cannot be freed; its memory is lost until the relay restarts.
    }
  }

  #compacted(bytes: Uint8Array): void {
    this.#snapshotBytes = bytes.length;
    this.#tailBytes = 0;
    this.#tailChanges = 0;
    this.#postponedToBytes = 0;
  }

  /** A change that waits for its dependencies is unchecked, and `save` would write it all the same. */
  #isWhole(): boolean {
    return this.#handle.getMissingDeps([]).length === 0;
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
