/**
 * Rolling back: what has to be written so that a memory is again as it was at another state.
 *
 * @module
 */
import type { MemoryId } from "../format/ids.js";
import { type MemoryFields, type RecordNotes, STATE_FIELDS, type StateField } from "../format/record.js";
import { GRAPH_FORMAT, versionSource } from "../format/source.js";
import type { Memory } from "../memory/memory.js";
import {
  notesThatStay,
  type PlannedWrite,
  planNext,
  sameField,
  type WriteContext,
} from "../memory/operations.js";
import { type MemoryReading, memoryOf } from "../memory/read-memory.js";
import type { FieldConflict } from "../merge/resolve-memory.js";

/** One memory of a rollback. */
export interface RollbackRequest {
  /** The memory. */
  readonly id: MemoryId;
  /** Undefined when the branch has never had the memory. */
  readonly now: MemoryReading | undefined;
  /** Undefined when it did not exist then. */
  readonly past: Memory | undefined;
  /** Who rolls back, and when. */
  readonly context: WriteContext;
  /** Kept with the record that is written. */
  readonly reason?: string | undefined;
}

/** @returns undefined when the memory is as it was */
export function planRollback({ id, now, past, context, reason }: RollbackRequest): PlannedWrite | undefined {
  if (now === undefined) return past && planReturn(id, past, context, reason);
  const { fields: current, conflicts } = now.resolved;
  const target = past === undefined ? { ...current, deleted: true } : fieldsOf(past);
  const decides = STATE_FIELDS.filter(
    (field) =>
      !sameField(current, target, field) ||
      (past !== undefined && isSettled(field, conflicts, past.conflicts)),
  );
  if (decides.length === 0) return undefined;
  const notes = past === undefined ? { ...notesThatStay(memoryOf(now), []), reason } : notesOf(past, reason);
  return planNext(now, { fields: target, decides, type: "rollback", notes, context });
}

/** Into a branch that lacks it, as on the branch it comes from. */
function planReturn(
  memory: MemoryId,
  past: Memory,
  context: WriteContext,
  reason: string | undefined,
): PlannedWrite | undefined {
  if (past.deleted) return undefined;
  const draft = { ...context, memory, parents: [], type: "rollback" as const, decides: [] };
  return { memory, carried: [], draft: { ...draft, notes: notesOf(past, reason), fields: fieldsOf(past) } };
}

/** Those of then; it comes from that version. A memory keeps its place in a knowledge graph. */
function notesOf(past: Memory, reason: string | undefined): RecordNotes {
  const { source, ...notes } = notesThatStay(past, []);
  const from = source?.format === GRAPH_FORMAT ? source : versionSource(past, "rollback");
  return { ...notes, source: from, ...(reason === undefined ? {} : { reason }) };
}

/** Whether a field is undecided now and was not then, or was undecided between other values. */
function isSettled(
  field: StateField,
  now: readonly FieldConflict[],
  past: readonly FieldConflict[],
): boolean {
  const [open, was] = [now, past].map((conflicts) => conflicts.find((conflict) => conflict.field === field));
  return open !== undefined && valuesText(open) !== valuesText(was);
}

const valuesText = (conflict: FieldConflict | undefined): string =>
  (conflict?.values ?? [])
    .map(({ record }) => record)
    .sort()
    .join();

const fieldsOf = (memory: MemoryFields): MemoryFields =>
  Object.fromEntries(
    STATE_FIELDS.flatMap((field) => (memory[field] === undefined ? [] : [[field, memory[field]]])),
  ) as unknown as MemoryFields;
