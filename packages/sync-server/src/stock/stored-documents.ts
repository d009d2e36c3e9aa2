/**
 * Loading documents from the log. One that holds a change it cannot be loaded with, from before such changes were
 * refused, is made of the others: the bad ones, and what rests on them, are set aside.
 *
 * @module
 */
import {
  CambiumError,
  CheckedHandle,
  changeHash,
  matchesChecksum,
  type RefusedPiece,
  sameHeads,
  splitChunks,
} from "@cambium/core";
import { chunkTools } from "../chunk-tools.js";
import { CHANGES_AT_ONCE, loadsAgain, loadsElsewhere } from "./saved-document.js";
import type { StoredDocument } from "./stock-log.js";
import { type Handle, wasm } from "./wasm.js";

/** @throws {CambiumError} STORE_DAMAGED */
export function handleOf(stored: StoredDocument): Handle {
  const handle = wasm.create();
  try {
    handle.loadIncremental(Buffer.concat(stored.changes));
    // Automerge loads what it can and says nothing of the rest.
    if (!sameHeads(handle.getHeads(), stored.heads)) throw new Error("The stored chunks end at other heads.");
    return handle;
  } catch (cause) {
    handle.free();
    throw new CambiumError("STORE_DAMAGED", `The relay cannot read document ${stored.documentId}.`, {
      hint: "Restore the relay's log from a backup; replicas send again what the backup lacks.",
      cause,
    });
  }
}

/**
 * @returns the document in one chunk
 * @throws {CambiumError} STORE_DAMAGED
 */
export async function storedToSnapshot(stored: StoredDocument): Promise<Uint8Array> {
  const handle = handleOf(stored);
  const saved = { bytes: handle.save(), heads: stored.heads };
  const isLarge = handle.stats().numChanges > CHANGES_AT_ONCE;
  handle.free();
  if (isLarge ? await loadsElsewhere(saved) : loadsAgain(saved)) return saved.bytes;
  throw new CambiumError("STORE_DAMAGED", `Document ${stored.documentId} would not load again.`);
}

/** A document as the first version of the relay stored it. */
export interface FirstVersionDocument {
  readonly heads: readonly string[];
  /** The document as it was at some position, in one chunk. */
  readonly snapshot: Uint8Array | undefined;
  /** Everything since. */
  readonly changes: readonly Uint8Array[];
}

/** All changes of a document of the first version, and what it does not load with. */
export function takenApart({ heads, snapshot, changes }: FirstVersionDocument): {
  readonly changes: readonly Uint8Array[];
  readonly aside: RefusedPiece[];
} {
  const pieces = snapshot === undefined ? changes : [snapshot, ...changes];
  const whole = wasm.create();
  try {
    whole.loadIncremental(Buffer.concat(pieces));
    const all = whole.getChanges([]);
    const checked = new CheckedHandle(whole, chunkTools);
    if (sameHeads(whole.getHeads(), heads) && checked.audit(all).length === 0)
      return { changes: all, aside: [] };
  } catch {
    // What is wrong with it shows below.
  } finally {
    whole.free();
  }
  const salvaged = salvage({ snapshot, changes });
  if (salvaged === undefined) {
    const reason = "It cannot be read back.";
    return {
      changes: [],
      aside: pieces.map((bytes) => ({ hash: hexOf(chunkTools.sha256(bytes)), reason, bytes })),
    };
  }
  const { handle, aside } = salvaged;
  const left = handle.getChanges([]);
  handle.free();
  return { changes: left, aside: [...aside] };
}

/** What is left of a document, and what is not. */
export interface Salvaged {
  readonly handle: Handle;
  readonly aside: readonly RefusedPiece[];
}

/** A document with more bad changes was made by nobody who meant well; a person has to look at it. */
const MAX_ROUNDS = 8;

/**
 * Makes the best of a document that does not load.
 *
 * @returns undefined when its bytes are not those that were stored: that is for a backup to mend
 */
export function salvage({
  snapshot: saved,
  changes,
}: {
  readonly snapshot?: Uint8Array | undefined;
  readonly changes: readonly Uint8Array[];
}): Salvaged | undefined {
  if (![...(saved === undefined ? [] : [saved]), ...changes].every(isAsWritten)) return undefined;
  const aside = new Map<string, RefusedPiece>();
  const snapshot = saved === undefined ? undefined : loadable(saved, aside);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const handle = wasm.create();
    if (snapshot !== undefined) handle.loadIncremental(snapshot);
    if (takeSound(handle, changes, aside)) return { handle, aside: [...aside.values()] };
    handle.free();
  }
  return undefined;
}

function loadable(snapshot: Uint8Array, aside: Map<string, RefusedPiece>): Uint8Array | undefined {
  const handle = wasm.create();
  try {
    handle.loadIncremental(snapshot);
    return snapshot;
  } catch (error) {
    const hash = hexOf(chunkTools.sha256(snapshot));
    aside.set(hash, { hash, reason: `A saved document that does not load: ${error}`, bytes: snapshot });
    return undefined;
  } finally {
    handle.free();
  }
}

/** @returns whether the handle holds nothing bad; else `aside` has grown, or no more can be done */
function takeSound(
  handle: Handle,
  changes: readonly Uint8Array[],
  aside: Map<string, RefusedPiece>,
): boolean {
  const before = handle.getHeads();
  const checked = new CheckedHandle(handle, chunkTools);
  const { changes: sound, refused } = checked.check(changes, new Set(aside.keys()));
  for (const change of refused) if (!aside.has(change.hash)) aside.set(change.hash, change);
  const blame = (bytes: Uint8Array, reason: string): void => {
    aside.set(changeHash(bytes, chunkTools), { hash: changeHash(bytes, chunkTools), reason, bytes });
  };
  for (const bytes of sound) {
    try {
      handle.applyChanges([bytes]);
    } catch (error) {
      blame(bytes, `Automerge refuses it: ${error}`);
      return false; // the handle is of no more use
    }
  }
  const faults = new Map(checked.confirm(before).refused.map((fault) => [fault.hash, fault.reason]));
  for (const bytes of sound) {
    const reason = faults.get(changeHash(bytes, chunkTools));
    if (reason !== undefined) blame(bytes, reason);
  }
  return faults.size === 0;
}

/** Whether the bytes are those whose checksum they bear. */
function isAsWritten(piece: Uint8Array): boolean {
  try {
    return splitChunks(piece).every((chunk) => matchesChecksum(chunk, chunkTools));
  } catch {
    return false; // no chunks at all
  }
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
