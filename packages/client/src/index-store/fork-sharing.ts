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
  readonly parent: BranchRow | undefined;
  readonly forkHeads: readonly ChangeHash[];
}

export interface EnteredBranch {
  readonly row: BranchRow;
  /** Memories that the parent wrote late: the fork shows them otherwise, and has spans of its own for them. */
  readonly late: readonly number[];
}

/** Adds the row. Whatever of the branch is not shared is left to be followed. */
export function enterBranch({ rows, changes }: IndexTables, fork: NewBranchRow): EnteredBranch {
  const { branch, document, parent, forkHeads } = fork;
  const shares = parent === undefined ? undefined : sharedPart(changes, parent, forkHeads);
  const row = rows.create(branch, document, shares, shares === undefined ? [] : forkHeads);
  if (shares === undefined) return { row, late: [] };
  const late = changes.placedLater(shares.parent, shares.size - 1, shares.until);
  return { row, late: changes.memoriesWritten(late) };
}

/** @returns undefined when the fork's beginning is not the parent's */
function sharedPart(
  changes: ChangeStore,
  parent: BranchRow,
  forkHeads: readonly ChangeHash[],
): SharedPart | undefined {
  if (parent.size === 0 || forkHeads.length === 0) return undefined;
  if (forkHeads.length === parent.heads.size && forkHeads.every((head) => parent.heads.has(head))) {
    return { parent, size: parent.size, until: parent.lastAt };
  }
  const [head] = forkHeads;
  const place = forkHeads.length === 1 && head !== undefined ? changes.placeOf(parent, head) : undefined;
  return place?.isClosed === true ? { parent, size: place.position + 1, until: place.at } : undefined;
}
