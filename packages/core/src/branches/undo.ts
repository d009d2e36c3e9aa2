/**
 * Undo: a forward change that takes another back. Fields that were written again since are left as
 * they are, and reported.
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import type { BranchId, ChangeHash, MemoryId } from "../format/ids.js";
import type { MemoryFields, StateField } from "../format/record.js";
import type { BranchState } from "../history/branch-state.js";
import type { Change } from "../history/change.js";
import type { ChangeSet, History } from "../history/history.js";
import { shownMemory } from "../memory/diff.js";
import {
  differingFields,
  type PlannedWrite,
  planNext,
  sameField,
  type WriteContext,
} from "../memory/operations.js";
import { memoryIdOfKey, memoryOf, type RecordLoader, readMemory } from "../memory/read-memory.js";

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

/** @throws {CambiumError} HEADS_NOT_HERE when the branch has no such change */
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
    const [was, became, now] = [
      await shownMemory(before, id, load),
      await shownMemory(after, id, load),
      await readMemory(state, id, load),
    ];
    if (became === undefined || now === undefined) continue;
    const target: MemoryFields = was ?? { ...became, deleted: true };
    const changed = was === undefined ? (["deleted"] as const) : differingFields(was, became);
    const current = memoryOf(now);
    const [back, later] = partition(changed, (field) => sameField(current, became, field));
    if (later.length > 0) kept.push({ id, fields: later });
    if (back.length === 0) continue;
    const fields = { ...now.resolved.fields, ...pickFields(target, back) };
    writes.push(planNext(now, { fields, decides: back, type: "undo", notes: {}, context }));
  }
  return { writes, kept };
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

const pickFields = (fields: MemoryFields, names: readonly StateField[]): Partial<MemoryFields> =>
  Object.fromEntries(names.map((name) => [name, fields[name]]));

function partition<T>(
  items: readonly T[],
  test: (item: T) => boolean,
): readonly [readonly T[], readonly T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
