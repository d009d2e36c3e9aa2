/**
 * Taking in a sync message of the relay, which is not trusted: it may be someone else's, and it may carry what a
 * member sent that should not have. What a document could not be loaded with again stays outside of it.
 *
 * Plan: check the changes before Automerge gets them, and take out the bad ones; let Automerge take the rest; compare
 * what it made of it. Where that fails, make the document again from what it held before, and give it the changes one
 * by one: those that fail are bad.
 *
 * @module
 */
import {
  bytesToHex,
  CheckedHandle,
  type CheckedPieces,
  changeHash,
  isCambiumError,
  type PlainSyncState,
  quickReceive,
  type RefusedChange,
  type SyncMessage,
  sameHeads,
  splitChunks,
} from "@cambium/core";
import { chunkTools } from "../platform/node-platform.js";
import * as A from "./automerge.js";
import { applyInPieces, loadInPieces } from "./in-pieces.js";

export interface ReceivedMessage<Content> {
  /** Another one than before if that had taken in what it must not hold. */
  readonly doc: A.Doc<Content>;
  /** What the relay is known to hold then. */
  readonly state: A.SyncState;
  readonly refused: readonly SetAsideBytes[];
}

export interface SetAsideBytes extends RefusedChange {
  readonly bytes: Uint8Array | undefined;
}

type Backend = ReturnType<typeof A.getBackend>;

const checkedByBackend = new WeakMap<Backend, CheckedHandle>();

/** The guard of a document's handle: it remembers what it has seen of it. */
function guardOf(doc: A.Doc<unknown>): CheckedHandle {
  const backend = A.getBackend(doc);
  const guard = checkedByBackend.get(backend) ?? new CheckedHandle(backend, chunkTools);
  checkedByBackend.set(backend, guard);
  return guard;
}

/**
 * @param refusedBefore - hashes of changes that must not be taken
 * @throws Automerge's own error when an actor has used a number twice; nothing was taken in
 */
export function receiveCarefully<Content>(
  doc: A.Doc<Content>,
  state: A.SyncState,
  data: Uint8Array,
  refusedBefore: ReadonlySet<string>,
): ReceivedMessage<Content> {
  const message = A.decodeSyncMessage(data) as SyncMessage;
  if (message.changes.length === 0) return { ...receive(doc, state, data, message), refused: [] };
  const before = A.getHeads(doc);
  const { pieces, refused } = examine(doc, message.changes, refusedBefore);
  const sound =
    refused.length === 0 ? message : { ...message, changes: [...pieces.others, ...pieces.changes] };
  try {
    const soundData = sound === message ? data : A.encodeSyncMessage(sound as never);
    const received = receive(doc, state, soundData, sound);
    if (guardOf(received.doc).confirm(before, refusedBefore).refused.length === 0)
      return { ...received, refused };
  } catch (error) {
    if (isCollision(error)) throw error;
  }
  return receiveAgain(doc, before, { state, message: sound, refused, refusedBefore });
}

/** Automerge has no code for it. */
export const isCollision = (error: unknown): boolean =>
  error instanceof Error && /duplicate seq/i.test(error.message);

interface Examined {
  readonly pieces: Pick<CheckedPieces, "changes" | "others">;
  readonly refused: readonly SetAsideBytes[];
}

function examine(
  doc: A.Doc<unknown>,
  pieces: readonly Uint8Array[],
  refusedBefore: ReadonlySet<string>,
): Examined {
  try {
    const checked = guardOf(doc).check(pieces, refusedBefore);
    return { pieces: checked, refused: checked.refused };
  } catch (error) {
    if (!isCambiumError(error, "BAD_CHUNK")) throw error;
    return {
      pieces: { changes: [], others: [] },
      refused: pieces.map((bytes) => unreadable(bytes, error.message)),
    };
  }
}

/** Not to be taken for what it claims to be, which may come yet. */
const unreadable = (bytes: Uint8Array, reason: string): SetAsideBytes => ({
  hash: bytesToHex(chunkTools.sha256(bytes)),
  reason,
  bytes,
});

/** What the message brings, and what the relay is known to hold then. */
function receive<Content>(
  doc: A.Doc<Content>,
  state: A.SyncState,
  data: Uint8Array,
  message: SyncMessage,
): { readonly doc: A.Doc<Content>; readonly state: A.SyncState } {
  let after = doc;
  const backend = A.getBackend(doc);
  const handle = {
    getHeads: () => backend.getHeads(),
    getChangeMetaByHash: (hash: string) => backend.getChangeMetaByHash(hash),
    getChangesMeta: (since: string[]) => backend.getChangesMeta(since),
    applyChanges: (changes: Uint8Array[]) => {
      after = A.applyChanges(after, changes)[0];
    },
  };
  const next = quickReceive(handle, state as A.SyncState & PlainSyncState, message);
  if (next !== undefined) return { doc: after, state: next };
  const [received, learned] = A.receiveSyncMessage(after, state, data);
  return { doc: received, state: learned };
}

interface Failed {
  readonly state: A.SyncState;
  readonly message: SyncMessage;
  readonly refused: readonly SetAsideBytes[];
  readonly refusedBefore: ReadonlySet<string>;
}

/** What is bad among many changes is found by giving them one by one, if it does not show before. */
function receiveAgain<Content>(
  doc: A.Doc<Content>,
  before: A.Heads,
  { state, message, refused, refusedBefore }: Failed,
): ReceivedMessage<Content> {
  const pieces = message.changes.flatMap(takeApart);
  const hashes = new Set([...refusedBefore, ...refused.map(({ hash }) => hash)]);
  let after = asItWas(doc, before);
  const found = take(after, pieces, hashes);
  const all = [...refused, ...found.refused];
  if (found.isSpoilt) {
    for (const { hash } of found.refused) hashes.add(hash);
    after = asItWas(after, before);
    for (const bytes of pieces) {
      const heads = A.getHeads(after);
      const { refused: faults, isSpoilt } = take(after, [bytes], hashes);
      for (const fault of faults) hashes.add(fault.hash);
      all.push(...faults);
      if (isSpoilt) after = asItWas(after, heads);
    }
  }
  const heard = A.encodeSyncMessage({ ...message, changes: [] } as never);
  const [received, learned] = A.receiveSyncMessage(after, state, heard);
  return { doc: received, state: learned, refused: all };
}

/** The changes of a piece; one that is a whole document may hold bad ones beside others. */
function takeApart(piece: Uint8Array): readonly Uint8Array[] {
  try {
    return splitChunks(piece).flatMap(({ kind, bytes }) =>
      kind === "document" ? changesOf(bytes) : [bytes],
    );
  } catch {
    return [piece]; // is refused for that when it is taken
  }
}

function changesOf(whole: Uint8Array): readonly Uint8Array[] {
  const doc = loadInPieces([whole]);
  try {
    return A.getBackend(doc).getChanges([]);
  } finally {
    A.free(doc);
  }
}

interface Taken {
  readonly refused: readonly SetAsideBytes[];
  /** Whether something was taken in that must not be there. */
  readonly isSpoilt: boolean;
}

/** Gives the document what is sound of the pieces. */
function take(doc: A.Doc<unknown>, all: readonly Uint8Array[], refusedBefore: ReadonlySet<string>): Taken {
  const heads = A.getHeads(doc);
  const { pieces, refused } = examine(doc, all, refusedBefore);
  const backend = A.getBackend(doc);
  try {
    for (const whole of pieces.others) backend.loadIncremental(whole);
    // A document that begins takes all at once; another, few at a time.
    if (heads.length === 0 && pieces.changes.length > 0)
      backend.loadIncremental(Buffer.concat(pieces.changes));
    else applyInPieces(doc, pieces.changes);
    const faults = guardOf(doc).confirm(heads, refusedBefore).refused;
    const bytes = all.length === 1 ? all[0] : undefined;
    return {
      refused: [...refused, ...faults.map((fault) => ({ ...fault, bytes }))],
      isSpoilt: faults.length > 0,
    };
  } catch (error) {
    const reason = `Automerge refuses it: ${error instanceof Error ? error.message : String(error)}`;
    const isOne = pieces.changes.length + pieces.others.length === 1;
    const named = pieces.changes.map((bytes) => ({ hash: changeHash(bytes, chunkTools), reason, bytes }));
    const faults = [...named, ...pieces.others.map((bytes) => unreadable(bytes, reason))];
    return { refused: isOne ? [...refused, ...faults] : refused, isSpoilt: true };
  }
}

/**
 * The document with these heads, which it had. Made of its changes: Automerge's own way back takes a hundred times
 * as long.
 */
function asItWas<Content>(doc: A.Doc<Content>, heads: A.Heads): A.Doc<Content> {
  const backend = A.getBackend(doc);
  const added = new Set(backend.getChangesMeta(heads).map(({ hash }) => hash));
  const hashes = backend.getChangesMeta([]).map(({ hash }) => hash);
  const kept = backend.getChanges([]).filter((_, index) => !added.has(hashes[index] ?? ""));
  const made = loadInPieces(kept.length === 0 ? [] : [Buffer.concat(kept)]);
  if (!sameHeads(A.getHeads(made), heads)) throw new Error("The document cannot be made as it was.");
  return made as A.Doc<Content>;
}
