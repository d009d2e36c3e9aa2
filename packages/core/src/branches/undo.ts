/**
 * Undo: a forward change that takes another back. Fields that were written again since are left as
 * they are, and reported.
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import type { BranchId, ChangeHash, MemoryId } from "../format/ids.js";
import type { StateField } from "../format/record.js";
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
import type { RevertedBy } from "../rollback/deciders.js";
import { planRevert, type Step } from "../rollback/revert.js";

/** Which branch, and where it left its parent. */
export interface BranchOrigin {
  /** The branch itself. */
  readonly branch: BranchId;
  /** The parent's heads when it was forked. Empty for `main`. */
  readonly forkHeads: readonly ChangeHash[];
}

/** What an undo would write, and what it leaves alone. */
export interface UndoPlan {
  /** To be written as one change. Empty if nothing is left to revert. */
  readonly writes: readonly PlannedWrite[];
  /** Fields that others decided since, or at the same time, and conflicts that were settled; they stay. */
  readonly kept: readonly FieldsOfMemory[];
  /** Those of `kept` that were in conflict before the change: that cannot be opened again. */
  readonly settled: readonly FieldsOfMemory[];
}

/** Some fields of one memory. */
interface FieldsOfMemory {
  /** The memory. */
  readonly id: MemoryId;
  /** Never empty. */
  readonly fields: readonly StateField[];
}

/** What planning an undo may know besides the steps. */
export interface UndoNotes {
  /** Kept with each record that the undo writes. */
  readonly reason?: string | undefined;
  /** What earlier undos took back. */
  readonly revertedBy?: ((id: MemoryId) => RevertedBy) | undefined;
}

/** What a change did to each memory: the state just before it and the one just after. */
export type UndoSteps = ReadonlyMap<MemoryId, readonly Step[]>;

/**
 * What a change did, by the states around it. For a change that merged nothing in, its own records say
 * the same: see `stepOfRecord`.
 *
 * @throws {CambiumError} HEADS_NOT_HERE when the branch has no such change, CONTENT_NOT_HERE when a
 * memory it wrote has not arrived whole: what was there before is not known then
 */
export async function undoSteps(
  state: BranchState,
  branch: BranchOrigin,
  hash: ChangeHash,
  load: RecordLoader,
): Promise<UndoSteps> {
  const { history, times } = state;
  const after: BranchState = { history, times, set: history.ancestors([hash]) };
  const before: BranchState = { history, times, set: setBefore(history, branch, hash) };
  const isMerge = history.get(hash)?.statement?.type === "merge";
  const steps = new Map<MemoryId, readonly Step[]>();
  for (const id of memoriesBetween(history, before.set as ChangeSet, after.set as ChangeSet)) {
    const [then, became] = [await readWhole(before, id, load), await readWhole(after, id, load)];
    if (became === undefined) continue;
    steps.set(id, [stepBetween(then, became, isMerge)]);
  }
  return steps;
}

function stepBetween(then: MemoryReading | undefined, became: MemoryReading, isMerge: boolean): Step {
  return {
    was: then?.resolved.fields,
    wasOpen: then?.resolved.conflicts.map(({ field }) => field) ?? [],
    is: became.resolved.fields,
    records: new Set([...became.records.keys()].filter((record) => then?.records.has(record) !== true)),
    isMerge,
  };
}

/**
 * @param steps - of each memory, newest first
 * @param read - the memory as it is now
 * @throws {CambiumError} CONTENT_NOT_HERE when a memory has not arrived whole
 */
export async function planUndo(
  steps: UndoSteps,
  read: (id: MemoryId) => Promise<MemoryReading | undefined>,
  context: WriteContext,
  { reason, revertedBy }: UndoNotes = {},
): Promise<UndoPlan> {
  const writes: PlannedWrite[] = [];
  const kept: FieldsOfMemory[] = [];
  const settled: FieldsOfMemory[] = [];
  for (const [id, ofMemory] of steps) {
    const now = await read(id);
    if (now === undefined) continue;
    refuseLate(now);
    const taken = planRevert(now, ofMemory, {
      type: "undo",
      context,
      notes: { reason },
      revertedBy: revertedBy?.(id),
    });
    if (taken.write !== undefined) writes.push(taken.write);
    if (taken.kept.length > 0) kept.push({ id, fields: taken.kept });
    if (taken.settled.length > 0) settled.push({ id, fields: taken.settled });
  }
  return { writes, kept, settled };
}

async function readWhole(
  state: BranchState,
  id: MemoryId,
  load: RecordLoader,
): Promise<MemoryReading | undefined> {
  const reading = await readMemory(state, id, load);
  if (reading !== undefined) refuseLate(reading);
  else if (referencesAt(state, id).length > 0) throw isLate(id);
  return reading;
}

/**
 * Does nothing if the memory has arrived whole.
 *
 * @throws {CambiumError} CONTENT_NOT_HERE
 */
export function refuseLate({ id, absent }: MemoryReading): void {
  if (absent.length > 0) throw isLate(id);
}

const isLate = (id: MemoryId): CambiumError =>
  new CambiumError("CONTENT_NOT_HERE", `The memory ${id} has not arrived whole yet.`, {
    hint: "Run `cambium sync` and try again.",
    details: { count: 1, memories: [id] },
  });

/** What the branch held just before a change of its own: for a merge, without what the merge brought. */
function setBefore(history: History, { branch, forkHeads }: BranchOrigin, hash: ChangeHash): ChangeSet {
  const change = history.get(hash);
  if (change === undefined)
    throw new CambiumError("HEADS_NOT_HERE", `The change ${hash.slice(0, 12)} is not on this branch.`);
  if (change.statement?.type !== "merge") return history.ancestors(change.deps);
  const { from, before } = change.statement;
  if (from === branch && before !== undefined)
    return history.ancestors(before.filter((head) => history.has(head)));
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
  return memoriesWritten(
    history.changes.filter((_, position) => after[position] === 1 && before[position] !== 1),
  );
}

/** Each once, sorted. */
export function memoriesWritten(changes: readonly Change[]): readonly MemoryId[] {
  const ids = changes.flatMap(({ writes }) => writes.map(({ key }) => memoryIdOfKey(key)));
  return [...new Set(ids.filter((id) => id !== undefined))].sort();
}
