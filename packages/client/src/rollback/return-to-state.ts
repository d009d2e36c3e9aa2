/**
 * Memories as they were at a state, no matter who wrote them since.
 *
 * @module
 */
import {
  CambiumError,
  isInScope,
  type Memory,
  type MemoryReading,
  type PlannedWrite,
  planRollback,
  refuseLate,
} from "@cambium/core";
import type { KeptFields } from "../api.js";
import type { IndexedState } from "../index-store/state-queries.js";
import type { RollbackServices } from "./services.js";
import type { ReadMemory, RollbackPlan, RollbackTask } from "./task.js";

/** @throws {CambiumError} CONTENT_NOT_HERE with a count */
export async function planReturnToState(
  services: RollbackServices,
  { now, past, selection: { scope }, reason }: RollbackTask,
  read: ReadMemory,
): Promise<RollbackPlan> {
  if (past === undefined) return { writes: [], kept: [] };
  const { states } = services.index;
  const current = states.stateAt(now.view.row, undefined);
  const numbers = states.mayDiffer(past.state, current);
  refuseUnreadable(services, [past.state, current], numbers, scope.ids);
  const writes: PlannedWrite[] = [];
  const kept: KeptFields[] = [];
  for (const [was, is] of states.pairs(past.state, current, numbers)) {
    const id = (was ?? is)?.id;
    if (id === undefined || !isInScope(scope, id, [was, is])) continue;
    if (was?.incomplete !== undefined) throw notHere(1);
    const reading = is === undefined ? undefined : await read(id);
    if (reading !== undefined) refuseLate(reading);
    const write = planRollback({ id, now: reading, past: was, context: services.context(), reason });
    if (write !== undefined) writes.push(write);
    const settled = settledSince(was, reading);
    if (settled.length > 0) kept.push({ id, fields: settled });
  }
  return { writes, kept };
}

/** What was in conflict then and is not now: it comes back as it was shown, and stays decided. */
function settledSince(was: Memory | undefined, now: MemoryReading | undefined): KeptFields["fields"] {
  const open = new Set(now?.resolved.conflicts.map(({ field }) => field));
  return (was?.conflicts ?? []).map(({ field }) => field).filter((field) => !open.has(field));
}

/** Something of which nothing is readable would look as if it had not been there. */
function refuseUnreadable(
  { index: { states, tables } }: RollbackServices,
  both: readonly IndexedState[],
  numbers: readonly number[],
  ids: readonly string[] | undefined,
): void {
  const unreadable = new Set(both.flatMap((state) => states.unreadable(state)));
  const late = numbers.filter(
    (number) => unreadable.has(number) && (ids === undefined || ids.includes(tables.memories.idOf(number))),
  );
  if (late.length > 0) throw notHere(late.length);
}

const notHere = (count: number): CambiumError =>
  new CambiumError(
    "CONTENT_NOT_HERE",
    `${count === 1 ? "1 memory has" : `${count} memories have`} not arrived whole yet, so nobody can tell what it was.`,
    { hint: "Run `cambium sync` and try again.", details: { count } },
  );
