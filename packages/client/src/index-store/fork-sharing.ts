/**
 * Entering a fork into the index at a cost that does not grow with its size: what it has in common with
 * the branch it left is kept once, wherever that is the parent's own beginning.
 *
 * @module
 */
import type { BranchId, ChangeHash, DocumentId } from "@cambium/core";
import type { BranchRow, SharedPart } from "./branch-rows.js";
import type { ChangeStore } from "./change-store.js";
import type { IndexTables } from "./index-tables.js";

export interface NewBranchRow {
  readonly branch: BranchId;
  readonly document: DocumentId;
  readonly lineage: string;
  readonly parent: BranchRow | undefined;
  readonly forkHeads: readonly ChangeHash[];
  /** What the parent began with itself. */
  readonly parentForkHeads: readonly ChangeHash[];
}

export interface EnteredBranch {
  readonly row: BranchRow;
  /** Memories that the parent wrote late: the fork shows them otherwise, and has intervals of its own for them. */
  readonly late: readonly number[];
}

/** Adds the row. Whatever of the branch is not shared is left to be followed. */
export function enterBranch({ rows, changes }: IndexTables, fork: NewBranchRow): EnteredBranch {
  const { parent, forkHeads } = fork;
  const shares = parent === undefined ? undefined : sharedPart(changes, parent, fork);
  const row = rows.create(fork, shares, shares === undefined ? [] : forkHeads);
  if (shares === undefined) return { row, late: [] };
  const late = changes.placedLater(shares.parent, shares.size - 1, shares.until);
  return { row, late: changes.memoriesWritten(late) };
}

/**
 * A change that came from elsewhere counts from the earliest change of its branch that builds on it. A fork
 * shares the parent's times only where they stand on what it has itself, and nothing it writes can alter them.
 *
 * @returns undefined when the fork's beginning is not the parent's, or may count from other times
 */
function sharedPart(
  changes: ChangeStore,
  parent: BranchRow,
  { forkHeads, parentForkHeads }: NewBranchRow,
): SharedPart | undefined {
  const part = beginningAt(changes, parent, forkHeads);
  if (part === undefined || !forkHeads.every((head) => changes.isWrittenWhereItStands(parent, head)))
    return undefined;
  // Else the parent may count what it has from before by what is no part of the fork. Of what it shares, it does not.
  const isWithin = (head: ChangeHash) => (changes.placeOf(parent, head)?.position ?? part.size) < part.size;
  if (parent.parent === undefined && !parentForkHeads.every(isWithin)) return undefined;
  return changes.areTimesFromWithin(parent, part.size, part.until)
    ? { parent, ...part, needsHistory: parent.needsHistory }
    : undefined;
}

/** The parent's first changes, when they are exactly what had happened at these heads. */
function beginningAt(
  changes: ChangeStore,
  parent: BranchRow,
  heads: readonly ChangeHash[],
): Pick<SharedPart, "size" | "until"> | undefined {
  if (parent.size === 0 || heads.length === 0) return undefined;
  if (heads.length === parent.heads.size && heads.every((head) => parent.heads.has(head))) {
    return { size: parent.size, until: parent.lastAt };
  }
  const [head] = heads;
  const place = heads.length === 1 && head !== undefined ? changes.placeOf(parent, head) : undefined;
  return place?.isClosed === true ? { size: place.position + 1, until: place.at } : undefined;
}
