/**
 * Merging one branch into another: what would change, what is in conflict, and what to write.
 *
 * Plan: take the union of both histories, read every memory the source's new changes wrote, and
 * compare with the target. The one merge of `merge/` has already combined what combines; only fields
 * still in conflict are put to the strategy. Preview and result come from this same function.
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import type { MemoryId } from "../format/ids.js";
import type { BranchState } from "../history/branch-state.js";
import { diffOf } from "../memory/diff.js";
import type { Memory, MemoryConflicts, StateDiff } from "../memory/memory.js";
import {
  type ConflictDecision,
  type PlannedWrite,
  planResolve,
  withDecisions,
} from "../memory/operations.js";
import { type MemoryReading, memoryOf, readMemory } from "../memory/read-memory.js";
import type { FieldConflict } from "../merge/resolve-memory.js";
import { findUndone, type UndoneMerge, undoneOpinion } from "./merge-again.js";
import { type Decider, decideMemory, type MemoryResolution } from "./merge-decisions.js";
import type { MergeRequest } from "./merge-request.js";
import { memoriesBetween } from "./undo.js";

export interface MergePlan extends StateDiff {
  readonly status: "up-to-date" | "ready" | "conflict" | "undecided";
  readonly writes: readonly PlannedWrite[];
  readonly undone: readonly UndoneMerge[];
}

/** @throws {CambiumError} CONTENT_NOT_HERE when a memory it must read has not arrived whole */
export async function planMerge(request: MergeRequest): Promise<MergePlan> {
  const { source, target } = request;
  const union = unionState(request);
  const undone = findUndone(target, source);
  const arrived = memoriesBetween(
    union.history,
    union.history.ancestors(target.state.history.heads),
    union.history.all(),
  );
  const nothingNew = source.state.history.heads.every((head) => target.state.history.has(head));
  // With an undone merge there is an answer to write down, even when it is "only what is new" and nothing is.
  if (nothingNew && undone.length === 0) return planOf("up-to-date", [], undone);

  const broughtBack = request.again === true ? undone.flatMap(({ memories }) => memories) : [];
  const ids = [...new Set([...arrived, ...broughtBack])].sort();
  const memories = await readAll(request, union, ids);
  const named = { ...request, resolutions: namedResolutions(request, memories) };
  const outcomes: MemoryOutcome[] = [];
  for (const memory of memories) outcomes.push(await outcomeOf(named, memory, undone));
  const undecided = undone.length > 0 && request.again === undefined;
  const isOpen = outcomes.some(({ open }) => open.length > 0);
  return planOf(undecided ? "undecided" : isOpen ? "conflict" : "ready", outcomes, undone);
}

interface MergedMemory {
  readonly before: MemoryReading | undefined;
  readonly after: MemoryReading;
  readonly source: MemoryReading | undefined;
}

interface MemoryOutcome {
  readonly before: Memory | undefined;
  readonly after: Memory;
  /** Conflicts the strategy leaves open. */
  readonly open: readonly FieldConflict[];
  readonly writes: readonly PlannedWrite[];
  readonly made: readonly Memory[];
}

/** Both histories as one. What arrives counts from the moment of the merge. */
function unionState({ source, target, context }: MergeRequest): BranchState {
  const history = target.state.history.fork();
  history.add(source.state.history.changes);
  const mergedAt = target.state.times.reduce((latest, time) => Math.max(latest, time), context.at);
  const times = new Float64Array(history.size).fill(mergedAt);
  times.set(target.state.times);
  return { history, times };
}

async function readAll(
  { source, target, load }: MergeRequest,
  union: BranchState,
  ids: readonly MemoryId[],
): Promise<readonly MergedMemory[]> {
  const memories: MergedMemory[] = [];
  const incomplete: MemoryId[] = [];
  for (const id of ids) {
    const after = await readMemory(union, id, load);
    if (after === undefined || after.absent.length > 0) {
      incomplete.push(id);
      continue;
    }
    memories.push({
      before: await readMemory(target.state, id, load),
      after,
      source: await readMemory(source.state, id, load),
    });
  }
  if (incomplete.length === 0) return memories;
  const [subject, have] =
    incomplete.length === 1 ? ["1 memory", "has"] : [`${incomplete.length} memories`, "have"];
  throw new CambiumError("CONTENT_NOT_HERE", `${subject} of this merge ${have} not arrived whole yet.`, {
    hint: "Run `cambium sync` and merge again.",
    details: { count: incomplete.length, memories: incomplete.slice(0, 16) },
  });
}

async function outcomeOf(
  request: MergeRequest,
  memory: MergedMemory,
  undone: readonly UndoneMerge[],
): Promise<MemoryOutcome> {
  const opinion =
    request.again === true ? await undoneOpinion(request, memory, undone) : { settled: [], conflicts: [] };
  const settledFields = new Set(opinion.settled.map(({ field }) => field));
  const fresh = [...newConflicts(memory), ...opinion.conflicts].filter(
    ({ field }) => !settledFields.has(field),
  );
  const decider: Decider = { ...request, ...memory, conflicts: fresh };
  const decision = await decideMemory(decider);
  const decisions: readonly ConflictDecision[] = [...opinion.settled, ...decision.decisions];
  const write =
    decisions.length === 0 ? [] : [planResolve(memory.after, decisions, request.context, { type: "merge" })];
  return {
    before: memory.before && memoryOf(memory.before),
    after: afterDecisions(memory.after, decisions),
    open: decision.open,
    writes: [...write, ...decision.copies],
    made: decision.copies.map(({ memory: id, draft }) => draftedMemory(id, draft)),
  };
}

/** Conflicts the merge brings; those that were open on the target already are not its business. */
function newConflicts({ before, after }: MergedMemory): readonly FieldConflict[] {
  const known = new Set((before?.resolved.conflicts ?? []).map(conflictText));
  return after.resolved.conflicts.filter((conflict) => !known.has(conflictText(conflict)));
}

const conflictText = ({ field, values }: FieldConflict): string =>
  `${field} ${values
    .map(({ record }) => record)
    .sort()
    .join()}`;

function afterDecisions(reading: MemoryReading, decisions: readonly ConflictDecision[]): Memory {
  const memory = memoryOf(reading);
  const decided = new Set(decisions.map(({ field }) => field));
  return {
    ...memory,
    ...withDecisions(reading.resolved.fields, decisions),
    conflicts: memory.conflicts.filter(({ field }) => !decided.has(field)),
  };
}

/** A memory that the merge makes, before it has a record. */
function draftedMemory(id: MemoryId, { fields, notes, at, type, author }: PlannedWrite["draft"]): Memory {
  const unwritten = "" as Memory["record"];
  return {
    id,
    ...fields,
    ...notes,
    version: 1,
    versions: 1,
    record: unwritten,
    at,
    type,
    by: author,
    conflicts: [],
  };
}

/** Resolutions by whole id; people give the beginning of one. */
function namedResolutions(
  { resolutions }: MergeRequest,
  memories: readonly MergedMemory[],
): MergeRequest["resolutions"] {
  const named = new Map<string, MemoryResolution>();
  for (const [text, resolution] of Object.entries(resolutions)) {
    const matching = memories.filter(
      ({ after }) => after.id === text || (text.length >= 4 && after.id.startsWith(text)),
    );
    const [found] = matching;
    if (found === undefined || matching.length > 1) {
      const why = found === undefined ? "This merge does not touch" : "Several memories of this merge match";
      throw new CambiumError("BAD_INPUT", `${why} ${text}; a resolution names one memory it touches.`);
    }
    if (named.has(found.after.id)) {
      throw new CambiumError(
        "BAD_INPUT",
        `The memory ${found.after.id} is resolved under two names; use one.`,
      );
    }
    named.set(found.after.id, resolution);
  }
  return Object.fromEntries(named);
}

function planOf(
  status: MergePlan["status"],
  outcomes: readonly MemoryOutcome[],
  undone: readonly UndoneMerge[],
): MergePlan {
  const pairs = outcomes.flatMap(({ before, after, made }) => [
    [before, after] as const,
    ...made.map((memory) => [undefined, memory] as const),
  ]);
  const conflicts: readonly MemoryConflicts[] = outcomes.flatMap(({ after, open }) =>
    open.length === 0 ? [] : [{ id: after.id, fields: open }],
  );
  return { ...diffOf(pairs), conflicts, status, undone, writes: outcomes.flatMap(({ writes }) => writes) };
}
