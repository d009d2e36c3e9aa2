/**
 * What somebody wrote, or what was written in a time, reverted; what others wrote since stays.
 *
 * @module
 */
import {
  CambiumError,
  isInScope,
  type MemoryFields,
  type MemoryId,
  type MemoryReading,
  type MemoryRecord,
  type PlannedWrite,
  planRevert,
  readMemory,
  refuseLate,
  type Step,
  stepOfRecord,
  versionsOf,
} from "@cambium/core";
import type { KeptFields } from "../api.js";
import { memoriesWritten } from "../index-store/change-selection.js";
import { revertedIn } from "../index-store/undone-versions.js";
import type { ChangeSelection } from "./selection.js";
import type { RollbackServices } from "./services.js";
import type { ReadMemory, RollbackPlan, RollbackTask } from "./task.js";

/** @throws {CambiumError} CONTENT_NOT_HERE when a memory in question has not arrived whole */
export async function planTakingBack(
  services: RollbackServices,
  task: RollbackTask,
  read: ReadMemory,
  changes: ChangeSelection,
): Promise<RollbackPlan> {
  const { tables, states } = services.index;
  const { now, selection, reason } = task;
  const current = states.stateAt(now.view.row, undefined);
  const writes: PlannedWrite[] = [];
  const kept: KeptFields[] = [];
  let versions = 0;
  let since = Number.POSITIVE_INFINITY;
  for (const id of memoriesWritten(tables, current, changes)) {
    if (selection.scope.ids?.includes(id) === false) continue;
    const reading = await read(id);
    if (reading === undefined) throw notHere(id);
    const records = await selectedRecords(services, task, reading, changes);
    if (records.length === 0) continue;
    refuseLate(reading);
    const steps = records.map(({ hash }) => stepOrRefuse(reading, hash));
    if (!isInScope(selection.scope, id, sidesOf(reading, steps))) continue;
    const taken = planRevert(reading, steps, {
      type: "rollback",
      context: services.context(),
      notes: { reason },
      revertedBy: revertedIn(tables, id),
    });
    if (taken.write !== undefined) {
      writes.push(taken.write);
      versions += records.length;
      since = Math.min(since, ...records.map(({ hash }) => reading.countsFrom(hash)));
    }
    if (taken.kept.length > 0) kept.push({ id, fields: taken.kept });
  }
  return { writes, kept, undoes: versions === 0 ? undefined : { changes: versions, since } };
}

/** Newest first. */
async function selectedRecords(
  { index, load }: RollbackServices,
  { past }: RollbackTask,
  reading: MemoryReading,
  { agent, since, until }: ChangeSelection,
): Promise<readonly MemoryRecord[]> {
  const number = index.tables.memories.find(reading.id);
  const earlier =
    past === undefined || number === undefined
      ? undefined
      : await readMemory(index.states.writesAt(past.state, number), reading.id, load);
  return versionsOf(reading)
    .toReversed()
    .map(({ record }) => reading.records.get(record) as MemoryRecord)
    .filter(({ hash, author }) => {
      const time = reading.countsFrom(hash);
      const isTheirs = agent === undefined || author.agent === agent;
      return isTheirs && time >= since && time <= until && earlier?.records.has(hash) !== true;
    });
}

const sidesOf = (reading: MemoryReading, steps: readonly Step[]): readonly (MemoryFields | undefined)[] => [
  reading.resolved.fields,
  ...steps.map(({ was }) => was),
];

function stepOrRefuse(reading: MemoryReading, hash: MemoryRecord["hash"]): Step {
  const step = stepOfRecord(reading, hash);
  if (step === undefined) throw notHere(reading.id);
  return step;
}

const notHere = (id: MemoryId): CambiumError =>
  new CambiumError("CONTENT_NOT_HERE", `The memory ${id} has not arrived whole yet.`, {
    hint: "Run `cambium sync` and try again.",
    details: { count: 1, memories: [id] },
  });
