/**
 * Taking back what was written: field by field, from the newest change to the oldest. A field that
 * somebody else has written since stays as it is, and is reported.
 *
 * @module
 */
import type { RecordHash } from "../format/ids.js";
import type { MemoryFields, MemoryRecord, RecordNotes, RecordType, StateField } from "../format/record.js";
import {
  differingFields,
  type PlannedWrite,
  planNext,
  sameField,
  type WriteContext,
} from "../memory/operations.js";
import type { MemoryReading } from "../memory/read-memory.js";
import { resolveMemory } from "../merge/resolve-memory.js";

/** What one change did to a memory. */
export interface Step {
  /** Undefined when the change brought the memory into being. */
  readonly was: MemoryFields | undefined;
  readonly is: MemoryFields;
}

export interface TakenBack {
  /** Undefined when nothing is left to take back. */
  readonly write: PlannedWrite | undefined;
  /** Fields of the steps that were written again since, other than back, or that are in conflict; they stay. */
  readonly kept: readonly StateField[];
}

export interface TakeBackOptions {
  readonly type: RecordType & ("undo" | "rollback");
  readonly context: WriteContext;
  readonly notes?: RecordNotes;
}

/** @param steps - newest first */
export function planTakeBack(
  now: MemoryReading,
  steps: readonly Step[],
  { type, context, notes = {} }: TakeBackOptions,
): TakenBack {
  const { fields: shown, conflicts } = now.resolved;
  // A conflict means that someone else wrote the field as well; their value must not go unseen.
  const inConflict = new Set(conflicts.map(({ field }) => field));
  const kept = new Set<StateField>();
  let fields: MemoryFields = shown;
  for (const { was, is } of steps) {
    const target = was ?? { ...is, deleted: true };
    for (const field of was === undefined ? (["deleted"] as const) : differingFields(was, is)) {
      if (!inConflict.has(field) && sameField(fields, is, field))
        fields = { ...fields, [field]: target[field] };
      else if (inConflict.has(field) || !sameField(fields, target, field)) kept.add(field);
    }
  }
  const decides = differingFields(shown, fields);
  const write = decides.length === 0 ? undefined : planNext(now, { fields, decides, type, notes, context });
  return { write, kept: [...kept] };
}

/**
 * What a record did to the memory it stands in: its writer saw what its parents say together.
 *
 * @returns undefined when a record before it is not here, so that nobody can tell
 */
export function stepOfRecord(
  { records, rank }: Pick<MemoryReading, "records" | "rank">,
  hash: RecordHash,
): Step | undefined {
  const record = records.get(hash);
  if (record === undefined) return undefined;
  const { parents, fields: is } = record;
  if (parents.length === 0) return { was: undefined, is };
  if (!parents.every((parent) => isWhole(records, parent))) return undefined;
  return { was: resolveMemory({ tips: parents, records, rank }).fields, is };
}

function isWhole(records: ReadonlyMap<RecordHash, MemoryRecord>, from: RecordHash): boolean {
  const seen = new Set<RecordHash>();
  const open = [from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const record = records.get(next);
    if (record === undefined) return false;
    open.push(...record.parents);
  }
  return true;
}
