/**
 * Merging some memories of a branch and not others. The branch itself cannot come, for it would bring all of
 * them. So each chosen memory gets a record that joins the versions of both sides and decides nothing but what
 * was in conflict. A later merge of the whole finds the source's versions already built upon: they are
 * neither brought again nor in conflict with themselves, and what was left out still differs.
 *
 * @module
 */
import { memoryKey } from "../format/documents.js";
import type { MemoryId } from "../format/ids.js";
import { type Reference, STATE_FIELDS } from "../format/record.js";
import type { Memory } from "../memory/memory.js";
import { type ConflictDecision, type PlannedWrite, planResolve, sameField } from "../memory/operations.js";
import { type MemoryReading, memoryOf, type RecordLoader, referencesOf } from "../memory/read-memory.js";
import { shownMemory } from "../memory/shown-memory.js";
import type { MergeStates } from "./branch-pair.js";
import type { UndoneMerge } from "./merge-again.js";
import type { Choice, MergeRequest } from "./merge-request.js";

/** A memory of which nothing is readable may be meant: it is not passed over. */
export async function isChosen(
  chooses: Choice,
  { source, target }: MergeStates,
  id: MemoryId,
  load: RecordLoader,
): Promise<boolean> {
  const sides = [await shownMemory(source, id, load), await shownMemory(target, id, load)];
  return sides.every((side) => side === undefined) || chooses(id, sides);
}

interface Joined {
  readonly states: MergeStates;
  readonly before: MemoryReading | undefined;
  readonly after: MemoryReading;
}

/** @returns undefined when the target shows all of it already */
export function planJoin(
  { states, before, after }: Joined,
  decisions: readonly ConflictDecision[],
  { context, reason }: MergeRequest,
): PlannedWrite | undefined {
  if (decisions.length === 0 && isSame(before && memoryOf(before), memoryOf(after))) return undefined;
  const write = planResolve(after, decisions, context, { type: "merge", reason });
  return { ...write, carried: [...write.carried, ...referencesLacking(states, after)] };
}

const isSame = (before: Memory | undefined, after: Memory): boolean =>
  before === undefined
    ? after.deleted
    : STATE_FIELDS.every((field) => sameField(before, after, field)) &&
      before.conflicts.length === after.conflicts.length;

/** Where the source's versions are: the target's history says it of its own only. */
function referencesLacking({ union, target }: MergeStates, { id, records }: MemoryReading) {
  const referencesIn = ({ history }: MergeStates["union"]): readonly Reference[] =>
    history.writes(memoryKey(id)).flatMap(referencesOf);
  const known = new Set(referencesIn(target).map(({ record }) => record));
  const lacking = new Map<string, Reference>();
  for (const reference of referencesIn(union)) {
    const { record } = reference;
    if (records.has(record) && !known.has(record)) lacking.set(record, reference);
  }
  return [...lacking.values()];
}

/** Of undone merges, those that touch what is merged now. */
export const concerning = (
  undone: readonly UndoneMerge[],
  chosen: ReadonlySet<MemoryId>,
): readonly UndoneMerge[] => undone.filter(({ memories }) => memories.some((id) => chosen.has(id)));

/** Those about which a partial merge has the last word, as all that they took back is chosen. */
export const settledBy = (
  undone: readonly UndoneMerge[],
  chosen: ReadonlySet<MemoryId>,
): readonly UndoneMerge[] => undone.filter(({ memories }) => memories.every((id) => chosen.has(id)));
