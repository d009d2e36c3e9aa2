/**
 * Loading documents from the log. One that holds a change it cannot be loaded with, from before such changes were
 * refused, is made of the others: the bad ones, and what rests on them, are set aside.
 *
 * @module
 */
import {
  CheckedHandle,
  changeHash,
  matchesChecksum,
  type RefusedPiece,
  sameHeads,
  splitChunks,
} from "@cambium/core/changes";
import { CambiumError } from "@cambium/core/errors";
import { chunkTools } from "../chunk-tools.js";
import { automerge, type Handle } from "./wasm.js";

/**
 * Loads a document from its changes, each after what it depends on.
 *
 * @throws {CambiumError} STORE_DAMAGED
 */
export function loaded(changes: readonly Uint8Array[]): Salvaged {
  const handle = automerge().create();
  try {
    handle.loadIncremental(Buffer.concat(changes));
    // Automerge loads what it can and says nothing of the rest.
    if (handle.stats().numChanges === changes.length) return { handle, aside: [] };
  } catch {
    // What is wrong with it shows below.
  }
  handle.free();
  const salvaged = salvage({ changes });
  if (salvaged !== undefined) return salvaged;
  throw damaged();
}

export const damaged = (cause?: unknown): CambiumError =>
  new CambiumError("STORE_DAMAGED", "The relay cannot read this document.", {
    hint: "Restore the relay's log from a backup; replicas send again what the backup lacks.",
    cause,
  });

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
  const whole = automerge().create();
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
function salvage({
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
    const handle = automerge().create();
    if (snapshot !== undefined) handle.loadIncremental(snapshot);
    if (takeSound(handle, changes, aside)) return { handle, aside: [...aside.values()] };
    handle.free();
  }
  return undefined;
}

function loadable(snapshot: Uint8Array, aside: Map<string, RefusedPiece>): Uint8Array | undefined {
  const handle = automerge().create();
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
