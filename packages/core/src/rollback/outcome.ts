/**
 * What a rollback comes to, known before it is done: from the memories as they are, and what would be
 * written.
 *
 * @module
 */
import { compareText } from "../format/bytes.js";
import type { RecordHash } from "../format/ids.js";
import type { ChangedMemory, Memory, MemoryConflicts } from "../memory/memory.js";
import { differingFields, type PlannedWrite } from "../memory/operations.js";

/** What a rollback would change, memory by memory. */
export interface RollbackOutcome {
  /** New to the branch. */
  readonly created: readonly Memory[];
  /** Shown before and after, differently. */
  readonly changed: readonly ChangedMemory[];
  /** Forgotten until now. */
  readonly broughtBack: readonly Memory[];
  /** Forgotten from now on: they stay in the history. */
  readonly hidden: readonly Memory[];
  /** What stays undecided in these memories. */
  readonly conflicts: readonly MemoryConflicts[];
}

/** @param planned - each write with the memory as it is, if the branch has it */
export function outcomeOf(
  planned: readonly (readonly [before: Memory | undefined, write: PlannedWrite])[],
): RollbackOutcome {
  const created: Memory[] = [];
  const changed: ChangedMemory[] = [];
  const broughtBack: Memory[] = [];
  const hidden: Memory[] = [];
  const conflicts: MemoryConflicts[] = [];
  for (const [before, write] of planned.toSorted(([, a], [, b]) => compareText(a.memory, b.memory))) {
    const after = memoryAfter(before, write);
    if (before === undefined) created.push(after);
    else if (after.deleted) hidden.push(...(before.deleted ? [] : [before]));
    else if (before.deleted) broughtBack.push(after);
    else changed.push({ id: after.id, before, after, fields: differingFields(before, after) });
    if (after.conflicts.length > 0) conflicts.push({ id: after.id, fields: after.conflicts });
  }
  return { created, changed, broughtBack, hidden, conflicts };
}

/** @returns the memory as a write leaves it; its record has no name before it is written */
export function memoryAfter(before: Memory | undefined, { memory: id, draft }: PlannedWrite): Memory {
  const { fields, notes, type, at, author: by, decides } = draft;
  const conflicts = (before?.conflicts ?? []).filter(({ field }) => !decides.includes(field));
  const version = (before?.version ?? 0) + 1;
  const versions = (before?.versions ?? 0) + 1;
  return { id, ...fields, ...notes, version, versions, record: "" as RecordHash, type, at, by, conflicts };
}
