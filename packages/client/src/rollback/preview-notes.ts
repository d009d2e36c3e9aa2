/**
 * What somebody wants to know before a rollback besides what it would change. Only asked for in a preview: it takes a
 * look at the whole branch.
 *
 * @module
 */
import { isCambiumError, type Memory, type MemoryId, type RollbackOutcome } from "@cambium/core";
import type { RollbackResult } from "../api.js";
import type { RollbackServices } from "./services.js";
import type { RollbackPlan, RollbackTask } from "./task.js";

/** More would say no more. */
const MAX_MATCHED = 100;
const EVERYTHING = Number.MAX_SAFE_INTEGER;

export async function previewNotes(
  services: RollbackServices,
  task: RollbackTask,
  plan: RollbackPlan,
  { hidden }: RollbackOutcome,
): Promise<Pick<RollbackResult, "undoes" | "matched" | "linked">> {
  const undoes = undone(services, task, plan);
  const linked = linksTo(services, task, hidden);
  return {
    ...(undoes === undefined ? {} : { undoes }),
    ...(task.isByTopic ? { matched: await matched(services, task) } : {}),
    ...(linked.length === 0 ? {} : { linked }),
  };
}

function undone(
  { index }: RollbackServices,
  { now, past, selection }: RollbackTask,
  { writes, undoes }: RollbackPlan,
): RollbackResult["undoes"] {
  if (writes.length === 0 || selection.changes !== undefined || past === undefined) return undoes;
  const isWhole = Object.values(selection.scope).every((part) => part === undefined);
  const affected = isWhole ? undefined : writes.map(({ memory }) => memory);
  const current = index.states.stateAt(now.view.row, undefined);
  const { changes, since } = index.log.changesSince(past.state, current, affected);
  const from = past.at ?? past.checkpoint?.entry.at ?? since;
  return { changes, ...(from === undefined ? {} : { since: from }) };
}

/** As they are now; those that are not here now are among what would come back. */
async function matched(
  { reader }: RollbackServices,
  { now, selection }: RollbackTask,
): Promise<readonly Memory[]> {
  const found: Memory[] = [];
  for (const id of (selection.scope.ids ?? []).slice(0, MAX_MATCHED)) {
    try {
      found.push(await reader.get(id, { branch: now.branch.id }));
    } catch (error) {
      if (!isCambiumError(error)) throw error;
    }
  }
  return found;
}

/** Memories that stay and link to one that would be hidden. */
function linksTo(
  { index }: RollbackServices,
  { now }: RollbackTask,
  hidden: readonly Memory[],
): NonNullable<RollbackResult["linked"]> {
  if (hidden.length === 0) return [];
  const from = new Map<string, MemoryId[]>(hidden.map(({ id }) => [id, []]));
  const current = index.states.stateAt(now.view.row, undefined);
  const passes = ({ id, links }: Memory): boolean => !from.has(id) && links.some(({ to }) => from.has(to));
  for (const { id, links } of index.states.list(
    current,
    { forgotten: "without", passes },
    EVERYTHING,
    undefined,
  ))
    for (const { to } of links) from.get(to)?.push(id);
  return [...from].flatMap(([id, by]) => (by.length === 0 ? [] : [{ id: id as MemoryId, from: by }]));
}
