/**
 * Taking in changes that the relay gives, which is not trusted: it may be someone else's, and it may carry what a
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
  changeHash,
  isCambiumError,
  type RefusedChange,
  sameHeads,
} from "@cambium/core";
import { messageOf } from "@cambium/core/text";
import { chunkTools } from "../platform/node-platform.js";
import * as A from "./automerge.js";
import { applyInPieces, loadInPieces, PIECE } from "./in-pieces.js";

export interface Received<Content> {
  /** On another handle than before if it was loaded anew. */
  readonly doc: A.Doc<Content>;
  readonly refused: readonly SetAsideBytes[];
  /** An actor has used a number twice: not all was taken in, and Automerge will not take it. */
  readonly isCollision: boolean;
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
 * @param chunks - changes; where one follows another of them, after it
 * @param refusedBefore - hashes of changes that must not be taken
 */
export function receiveCarefully<Content>(
  doc: A.Doc<Content>,
  chunks: readonly Uint8Array[],
  refusedBefore: ReadonlySet<string>,
): Received<Content> {
  const before = A.getHeads(doc);
  const { sound, refused } = examine(guardOf(doc), chunks, refusedBefore);
  if (sound.length === 0) return { doc, refused, isCollision: false };
  const attempt = applyAll(doc, sound);
  if (attempt.fault === undefined || isCollision(attempt.fault)) {
    const isSound = guardOf(attempt.doc).confirm(before, refusedBefore).refused.length === 0;
    if (isSound) return { doc: attempt.doc, refused, isCollision: attempt.fault !== undefined };
  }
  return receiveAgain(attempt.doc, before, { chunks: sound, refused, refusedBefore });
}

/** Fewer are taken in before anybody else would notice. */
const MANY = 512;

/** What `receiveCarefully` would make of a document, as long as the document is as it was. */
export interface Prepared {
  readonly before: A.Heads;
  readonly received: Received<unknown>;
}

/**
 * Makes beside a document what it will be with many changes, with a pause after each step. The document itself is looked
 * at before the first pause, and not after it: it may be gone by then.
 *
 * @returns undefined when it is to be received at once: the changes are few, or something is wrong with one
 */
export async function prepareCarefully(
  doc: A.Doc<unknown>,
  chunks: readonly Uint8Array[],
  refusedBefore: ReadonlySet<string>,
  pause: () => Promise<void>,
): Promise<Prepared | undefined> {
  if (chunks.length < MANY || !isSoonerLoaded(doc, chunks.length)) return undefined;
  const [before, known] = [A.getHeads(doc), A.getBackend(doc).getChanges([])];
  // Its own guard: others may use the document's while this pauses.
  const guard = new CheckedHandle(A.getBackend(doc), chunkTools);
  const { sound, refused } = examine(guard, chunks, refusedBefore);
  await pause();
  let made: A.Doc<unknown> | undefined;
  try {
    made = loadedWith(known, sound);
    await pause();
    const moved = guard.movedTo(A.getBackend(made));
    if (moved.confirm(before, refusedBefore).refused.length > 0) throw new Error("Some must not be taken.");
    checkedByBackend.set(A.getBackend(made), moved);
    await pause();
    return { before, received: { doc: made, refused, isCollision: false } };
  } catch {
    if (made !== undefined) A.free(made);
    return undefined; // taken in one by one, it shows what is wrong
  }
}

/** @returns undefined when the document is not as it was, and nothing of what was prepared is of use */
export function preparedFor<Content>(
  doc: A.Doc<Content>,
  prepared: Prepared | undefined,
): Received<Content> | undefined {
  if (prepared === undefined) return undefined;
  const isAsItWas = sameHeads(A.getHeads(doc), prepared.before) && A.getMissingDeps(doc, []).length === 0;
  if (isAsItWas) return prepared.received as Received<Content>;
  A.free(prepared.received.doc);
  return undefined;
}

interface Attempt<Content> {
  readonly doc: A.Doc<Content>;
  /** What Automerge threw; some may have been taken in before that. */
  readonly fault: unknown;
}

function applyAll<Content>(doc: A.Doc<Content>, chunks: readonly Uint8Array[]): Attempt<Content> {
  let after = doc;
  try {
    if (isSoonerLoaded(doc, chunks.length)) {
      const loaded = loadedWith<Content>(A.getBackend(doc).getChanges([]), chunks);
      const backend = A.getBackend(loaded);
      checkedByBackend.set(backend, guardOf(doc).movedTo(backend));
      return { doc: loaded, fault: undefined };
    }
    for (let start = 0; start < chunks.length; start += PIECE) {
      [after] = A.applyChanges(after, chunks.slice(start, start + PIECE));
    }
    return { doc: after, fault: undefined };
  } catch (fault) {
    return { doc: after, fault };
  }
}

/** With so many more changes, in parts of what it has, a document is sooner loaded again. */
const RELOAD_SHARE = 1 / 6;

function isSoonerLoaded(doc: A.Doc<unknown>, added: number): boolean {
  if (added <= PIECE || A.getMissingDeps(doc, []).length > 0) return false;
  return added > A.stats(doc).numChanges * RELOAD_SHARE;
}

/** @throws when Automerge leaves out some of it, which it does without a word */
function loadedWith<Content>(known: readonly Uint8Array[], chunks: readonly Uint8Array[]): A.Doc<Content> {
  const made = loadInPieces([Buffer.concat([...known, ...chunks])]);
  const isWhole = A.stats(made).numChanges === known.length + chunks.length;
  if (isWhole || A.getMissingDeps(made, []).length > 0) return made as A.Doc<Content>;
  A.free(made);
  throw new Error("Automerge has left out some of the changes.");
}

/** Automerge has no code for it. */
const isCollision = (error: unknown): boolean =>
  error instanceof Error && /duplicate seq/i.test(error.message);

interface Examined {
  readonly sound: readonly Uint8Array[];
  readonly refused: readonly SetAsideBytes[];
}

function examine(
  guard: CheckedHandle,
  chunks: readonly Uint8Array[],
  refusedBefore: ReadonlySet<string>,
): Examined {
  try {
    const { changes, others, refused } = guard.check(chunks, refusedBefore);
    const whole = others.map((bytes) => unreadable(bytes, "It is not one change, but a whole document."));
    return { sound: changes, refused: [...refused, ...whole] };
  } catch (error) {
    if (!isCambiumError(error, "BAD_CHUNK")) throw error;
    return { sound: [], refused: chunks.map((bytes) => unreadable(bytes, error.message)) };
  }
}

/** Not to be taken for what it claims to be, which may come yet. */
const unreadable = (bytes: Uint8Array, reason: string): SetAsideBytes => ({
  hash: bytesToHex(chunkTools.sha256(bytes)),
  reason,
  bytes,
});

interface Failed {
  readonly chunks: readonly Uint8Array[];
  readonly refused: readonly SetAsideBytes[];
  readonly refusedBefore: ReadonlySet<string>;
}

/** What is bad among many changes is found by giving them one by one, if it does not show before. */
function receiveAgain<Content>(
  doc: A.Doc<Content>,
  before: A.Heads,
  { chunks, refused, refusedBefore }: Failed,
): Received<Content> {
  const hashes = new Set([...refusedBefore, ...refused.map(({ hash }) => hash)]);
  let after = asItWas(doc, before);
  const found = take(after, chunks, hashes);
  const all = [...refused, ...found.refused];
  if (found.isSpoilt) {
    for (const { hash } of found.refused) hashes.add(hash);
    after = asItWas(after, before);
    for (const bytes of chunks) {
      const heads = A.getHeads(after);
      const { refused: faults, isSpoilt } = take(after, [bytes], hashes);
      for (const fault of faults) hashes.add(fault.hash);
      all.push(...faults);
      if (isSpoilt) after = asItWas(after, heads);
    }
  }
  return { doc: after, refused: all, isCollision: false };
}

interface Taken {
  readonly refused: readonly SetAsideBytes[];
  /** Whether something was taken in that must not be there. */
  readonly isSpoilt: boolean;
}

/** Gives the document what is sound of the changes. */
function take(doc: A.Doc<unknown>, all: readonly Uint8Array[], refusedBefore: ReadonlySet<string>): Taken {
  const heads = A.getHeads(doc);
  const { sound, refused } = examine(guardOf(doc), all, refusedBefore);
  try {
    // A document that begins takes all at once; another, few at a time.
    if (heads.length === 0 && sound.length > 0) A.getBackend(doc).loadIncremental(Buffer.concat(sound));
    else applyInPieces(doc, sound);
    const faults = guardOf(doc).confirm(heads, refusedBefore).refused;
    const bytes = all.length === 1 ? all[0] : undefined;
    return {
      refused: [...refused, ...faults.map((fault) => ({ ...fault, bytes }))],
      isSpoilt: faults.length > 0,
    };
  } catch (error) {
    const reason = `Automerge refuses it: ${messageOf(error)}`;
    const faults = sound.map((bytes) => ({ hash: changeHash(bytes, chunkTools), reason, bytes }));
    return { refused: sound.length === 1 ? [...refused, ...faults] : refused, isSpoilt: true };
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
