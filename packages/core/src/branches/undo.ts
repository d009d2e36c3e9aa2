/**
 * Undo: a forward change that takes another back. Fields that were written again since are left as
 * they are, and reported.
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import type { BranchId, ChangeHash, MemoryId } from "../format/ids.js";
import type { StateField } from "../format/record.js";
import { planTakeBack } from "../going-back/take-back.js";
import type { BranchState } from "../history/branch-state.js";
import type { Change } from "../history/change.js";
import type { ChangeSet, History } from "../history/history.js";
import type { PlannedWrite, WriteContext } from "../memory/operations.js";
import {
  type MemoryReading,
  memoryIdOfKey,
  type RecordLoader,
  readMemory,
  referencesAt,
} from "../memory/read-memory.js";

/** Which branch, and where it left its parent. */
export interface BranchOrigin {
  readonly branch: BranchId;
  readonly forkHeads: readonly ChangeHash[];
}

export interface UndoPlan {
  readonly writes: readonly PlannedWrite[];
  /** Fields that later changes decided; they stay. */
  readonly kept: readonly { readonly id: MemoryId; readonly fields: readonly StateField[] }[];
}

/**
 * @throws {CambiumError} HEADS_NOT_HERE when the branch has no such change, CONTENT_NOT_HERE when a
 * memory it wrote has not arrived whole: what was there before cannot be told then
 */
export async function planUndo(
  state: BranchState,
  branch: BranchOrigin,
  hash: ChangeHash,
  context: WriteContext,
  load: RecordLoader,
): Promise<UndoPlan> {
  const { history, times } = state;
  const after: BranchState = { history, times, set: history.ancestors([hash]) };
  const before: BranchState = { history, times, set: setBefore(history, branch, hash) };
  const writes: PlannedWrite[] = [];
  const kept: { id: MemoryId; fields: readonly StateField[] }[] = [];
  for (const id of memoriesBetween(history, before.set as ChangeSet, after.set as ChangeSet)) {
    const [then, became, now] = [
      await readWhole(before, id, load),
      await readWhole(after, id, load),
      await readWhole(state, id, load),
    ];
    if (became === undefined || now === undefined) continue;
    const step = { was: then?.resolved.fields, is: became.resolved.fields };
    const taken = planTakeBack(now, [step], { type: "undo", context });
    if (taken.write !== undefined) writes.push(taken.write);
    if (taken.kept.length > 0) kept.push({ id, fields: taken.kept });
  }
  return { writes, kept };
}

async function readWhole(
  state: BranchState,
  id: MemoryId,
  load: RecordLoader,
): Promise<MemoryReading | undefined> {
  const reading = await readMemory(state, id, load);
  const isLate = reading === undefined ? referencesAt(state, id).length > 0 : reading.absent.length > 0;
  if (!isLate) return reading;
  throw new CambiumError("CONTENT_NOT_HERE", `The memory ${id} has not arrived whole yet.`, {
    hint: "Run `cambium sync` and undo again.",
    details: { count: 1, memories: [id] },
  });
}

/** What the branch held just before a change of its own: for a merge, without what the merge brought. */
export function setBefore(
  history: History,
  { branch, forkHeads }: BranchOrigin,
  hash: ChangeHash,
): ChangeSet {
  const change = history.get(hash);
  if (change === undefined)
    throw new CambiumError("HEADS_NOT_HERE", `The change ${hash.slice(0, 12)} is not on this branch.`);
  if (change.statement?.type !== "merge") return history.ancestors(change.deps);
  // The source's heads say which half of the past the merge brought; the other half was here.
  const brought = history.ancestors(knownHeads(history, change));
  const own = history.ancestors(change.deps);
  const wasHere = history.changes.filter(
    ({ actor }, position) => own[position] === 1 && (actor.startsWith(branch) || brought[position] === 0),
  );
  const origin = forkHeads.filter((head) => history.has(head));
  return history.ancestors([...origin, ...wasHere.map((mine) => mine.hash)]);
}

const knownHeads = (history: History, change: Change): readonly ChangeHash[] =>
  (change.statement?.heads ?? []).filter((head) => history.has(head));

/** Memories written by changes of `after` that `before` lacks. */
export function memoriesBetween(history: History, before: ChangeSet, after: ChangeSet): readonly MemoryId[] {
  const ids = new Set<MemoryId>();
  for (const [position, change] of history.changes.entries()) {
    if (after[position] !== 1 || before[position] === 1) continue;
    for (const { key } of change.writes) {
      const id = memoryIdOfKey(key);
      if (id !== undefined) ids.add(id);
    }
  }
  return [...ids].sort();
}
