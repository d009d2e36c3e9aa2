/**
 * What differs between two states, of one branch or of two.
 *
 * @module
 */
import { compareText } from "./bytes.js";
import type { MemoryId } from "./ids.js";
import type { ChangedMemory, Memory, MemoryConflicts, StateDiff } from "./memory.js";
import { differingFields } from "./operations.js";
import { type BranchState, memoryIds, memoryOf, type RecordLoader, readMemory, referencesAt } from "./read-memory.js";

/** Compares the states of every memory; those with the same references are not opened. */
export async function diffStates(before: BranchState, after: BranchState, load: RecordLoader): Promise<StateDiff> {
  const ids = new Set([...memoryIds(before), ...memoryIds(after)]);
  const touched = [...ids].filter((id) => referenceText(before, id) !== referenceText(after, id)).sort(compareText);
  const pairs = [];
  for (const id of touched) pairs.push([await shownMemory(before, id, load), await shownMemory(after, id, load)] as const);
  return diffOf(pairs);
}

const referenceText = (state: BranchState, id: MemoryId): string =>
  referencesAt(state, id)
    .map(({ record }) => record)
    .sort()
    .join();

export async function shownMemory(state: BranchState, id: MemoryId, load: RecordLoader): Promise<Memory | undefined> {
  const reading = await readMemory(state, id, load);
  return reading === undefined ? undefined : memoryOf(reading);
}

/** Sorts pairs of "was" and "is" into created, changed and deleted. */
export function diffOf(pairs: readonly (readonly [Memory | undefined, Memory | undefined])[]): StateDiff {
  const created: Memory[] = [];
  const changed: ChangedMemory[] = [];
  const deleted: Memory[] = [];
  const conflicts: MemoryConflicts[] = [];
  for (const [before, after] of pairs) {
    const [wasThere, isThere] = [before !== undefined && !before.deleted, after !== undefined && !after.deleted];
    if (after !== undefined && after.conflicts.length > 0) conflicts.push({ id: after.id, fields: after.conflicts });
    if (!wasThere && isThere) created.push(after);
    else if (wasThere && !isThere) deleted.push(before);
    else if (wasThere && isThere) {
      const fields = differingFields(before, after);
      if (fields.length > 0 || before.conflicts.length !== after.conflicts.length) {
        changed.push({ id: after.id, before, after, fields });
      }
    }
  }
  return { created, changed, deleted, conflicts };
}
