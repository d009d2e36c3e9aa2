/** Short forms of what tests about memories look at. */
import { type BranchId, type Memory, type MemoryId, memoryIds, type StateDiff } from "../../src/index.js";
import type { SimulatedReplica } from "./simulated-replica.js";

/** Field → the values side by side. */
export function openConflicts({ conflicts }: Pick<Memory, "conflicts">): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    conflicts.map(({ field, values }) => [field, values.map(({ value }) => value).sort()]),
  );
}

/** What a person compares: the fields and what is undecided, without who and when. */
export function appearance({
  conflicts,
  record,
  at,
  by,
  type,
  version,
  versions,
  reason,
  ...fields
}: Memory) {
  return { ...fields, conflicts: openConflicts({ conflicts }) };
}

export async function appearances(replica: SimulatedReplica, branch: BranchId, at?: Uint8Array) {
  const shown: Record<MemoryId, ReturnType<typeof appearance>> = {};
  for (const id of memoryIds(replica.state(branch, at)).toSorted()) {
    shown[id] = appearance(await replica.memory(branch, id, at));
  }
  return shown;
}

/** Ids per kind of difference, and the fields of what changed. */
export function outline({ created, changed, deleted, conflicts }: StateDiff) {
  return {
    created: created.map(({ id }) => id),
    changed: Object.fromEntries(changed.map(({ id, fields }) => [id, fields])),
    deleted: deleted.map(({ id }) => id),
    conflicts: conflicts.map(({ id }) => id),
  };
}
