/**
 * Tips: the newest records of a memory, out of everything a branch document refers to.
 *
 * @module
 */
import type { RecordHash } from "../format/ids.js";
import type { MemoryRecord, Reference } from "../format/record.js";

/**
 * Returns the references that no other one descends from, in the given order and each once.
 *
 * Descent is known only through readable records, so an unreadable reference stays unless a readable
 * record names it, or a readable descendant of it, as a parent.
 *
 * @param references - all references in the memory's conflict set, carried ones included
 * @param records - the readable records among them and their ancestors
 */
export function reduceTips(
  references: readonly Reference[],
  records: ReadonlyMap<RecordHash, MemoryRecord>,
): readonly Reference[] {
  const referenceByName = new Map(
    references.map((reference) => [reference.record + reference.pack, reference]),
  );
  const distinct = [...referenceByName.values()];
  if (distinct.length < 2) return distinct;
  const followed = properAncestors(distinct, records);
  return distinct.filter(({ record }) => !followed.has(record));
}

function properAncestors(
  references: readonly Reference[],
  records: ReadonlyMap<RecordHash, MemoryRecord>,
): ReadonlySet<RecordHash> {
  const found = new Set<RecordHash>();
  const pending = references.map(({ record }) => record);
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    for (const parent of records.get(hash)?.parents ?? []) {
      if (found.has(parent)) continue;
      found.add(parent);
      pending.push(parent);
    }
  }
  return found;
}
