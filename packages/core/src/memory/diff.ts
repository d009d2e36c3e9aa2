/**
 * What differs between two states, of one branch or of two.
 *
 * @module
 */

import { compareText } from "../format/bytes.js";
import type { MemoryId } from "../format/ids.js";
import type { ReadableState } from "../history/branch-state.js";
import type { ChangedMemory, Memory, MemoryConflicts, StateDiff } from "./memory.js";
import { differingFields } from "./operations.js";
import { memoryIds, type RecordLoader, referencesAt } from "./read-memory.js";
import { shownMemory } from "./shown-memory.js";

/** Compares the states of every memory; those with the same references are not opened. */
export async function diffStates(
  before: ReadableState,
  after: ReadableState,
  load: RecordLoader,
): Promise<StateDiff> {
  const ids = new Set([...memoryIds(before), ...memoryIds(after)]);
  const touched = [...ids]
    .filter((id) => referenceText(before, id) !== referenceText(after, id))
    .sort(compareText);
  const pairs = [];
  for (const id of touched)
    pairs.push([await shownMemory(before, id, load), await shownMemory(after, id, load)] as const);
  return diffOf(pairs);
}

const referenceText = (state: ReadableState, id: MemoryId): string =>
  referencesAt(state, id)
    .map(({ record }) => record)
    .sort()
    .join();

/** Sorts pairs of "was" and "is" into created, changed and deleted. */
export function diffOf(pairs: readonly (readonly [Memory | undefined, Memory | undefined])[]): StateDiff {
  const created: Memory[] = [];
  const changed: ChangedMemory[] = [];
  const deleted: Memory[] = [];
  const conflicts: MemoryConflicts[] = [];
  for (const [before, after] of pairs) {
    if (after !== undefined && after.conflicts.length > 0)
      conflicts.push({ id: after.id, fields: after.conflicts });
    const [was, is] = [visible(before), visible(after)];
    if (was === undefined) {
      if (is !== undefined) created.push(is);
    } else if (is === undefined) {
      deleted.push(was);
    } else {
      const fields = differingFields(was, is);
      if (fields.length > 0 || was.conflicts.length !== is.conflicts.length) {
        changed.push({ id: is.id, before: was, after: is, fields });
      }
    }
  }
  return { created, changed, deleted, conflicts };
}

const visible = (memory: Memory | undefined): Memory | undefined =>
  memory?.deleted === false ? memory : undefined;
