/**
 * Merging one branch into another: what would change, what is in conflict, and what to write.
 *
 * Plan: read every memory the source's new changes wrote, with everything both branches know of it, and
 * compare with the target. The one merge of `merge/` has already combined what combines; only fields
 * still in conflict are put to the strategy. Preview and result come from this same function.
 *
 * @module
 */

import { CambiumError } from "../errors.js";
import type { MemoryId } from "../format/ids.js";
import { diffOf } from "../memory/diff.js";
import type { Memory, MemoryConflicts, StateDiff } from "../memory/memory.js";
import {
  type ConflictDecision,
  type PlannedWrite,
  planResolve,
  withDecisions,
} from "../memory/operations.js";
import { type MemoryReading, memoryOf, type RecordLoader, readMemory } from "../memory/read-memory.js";
import { lastInTurn, shownMemory } from "../memory/shown-memory.js";
import type { FieldConflict } from "../merge/resolve-memory.js";
import type { MergeStates } from "./branch-pair.js";
import { findUndone, type UndoneMerge, undoneOpinion } from "./merge-again.js";
import { type Decider, decideMemory, type MemoryResolution } from "./merge-decisions.js";
import type { MergeRequest } from "./merge-request.js";
import { concerning, isChosen, planJoin, settledBy } from "./partial-merge.js";

/** What a merge would do, with the records to write. */
export interface MergePlan extends StateDiff {
  /**
   * `undecided`: it was merged and undone before, and `again` does not say what becomes of that. `conflict`: a field
   * is still open.
   */
  readonly status: "up-to-date" | "ready" | "conflict" | "undecided";
  /** To be written as one change. Complete only if the status is `ready`. */
  readonly writes: readonly PlannedWrite[];
  /** Earlier merges of these two branches that were undone. Empty in nearly all cases. */
  readonly undone: readonly UndoneMerge[];
  /** Those of `undone` that this merge has the last word about. */
  readonly answered: readonly UndoneMerge[];
}

/** @throws {CambiumError} CONTENT_NOT_HERE when a memory it must read has not arrived whole */
export async function planMerge(request: MergeRequest): Promise<MergePlan> {
  const { branches } = request;
  const found = findUndone(branches);
  // With an undone merge there is an answer to write down, even when it is "only what is new" and nothing is.
  if (branches.isUpToDate && found.length === 0) return planOf("up-to-date", [], NONE);

  const broughtBack = new Set(request.again === true ? found.flatMap(({ memories }) => memories) : []);
  const touched = [...new Set([...branches.arriving, ...found.flatMap(({ memories }) => memories)])];
  const chosen = await chosenOf(request, touched);
  const undone = chosen === undefined ? found : concerning(found, chosen);
  const ids = [...new Set([...branches.arriving, ...broughtBack])]
    .filter((id) => chosen === undefined || chosen.has(id))
    .sort();
  const memories = await readAll(request, ids, broughtBack);
  const named = { ...request, resolutions: namedResolutions(request, ids, found) };
  const outcomes: MemoryOutcome[] = [];
  for (const memory of memories) outcomes.push(await outcomeOf(named, memory, undone));
  const undecided = undone.length > 0 && request.again === undefined;
  const isOpen = outcomes.some(({ open }) => open.length > 0);
  const answered = chosen === undefined ? undone : settledBy(undone, chosen);
  const isNothing = chosen !== undefined && outcomes.every(({ writes }) => writes.length === 0);
  const status = undecided ? "undecided" : isOpen ? "conflict" : isNothing ? "up-to-date" : "ready";
  return planOf(status, outcomes, { undone, answered });
}

/** @returns undefined when all are merged */
async function chosenOf(
  { chooses, branches, load }: MergeRequest,
  ids: readonly MemoryId[],
): Promise<ReadonlySet<MemoryId> | undefined> {
  if (chooses === undefined) return undefined;
  const chosen = new Set<MemoryId>();
  for (const id of ids) if (await isChosen(chooses, branches.states(id), id, load)) chosen.add(id);
  return chosen;
}

/** Its versions follow one after the other on both branches together: there is nothing to decide. */
interface WrittenInTurn {
  readonly kind: "in turn";
  readonly before: Memory | undefined;
  readonly after: Memory;
}

interface ApartRequest {
  readonly states: MergeStates;
  readonly id: MemoryId;
  readonly load: RecordLoader;
  /** Something may have to be decided although nothing is in conflict. */
  readonly isBroughtBack: boolean;
}

interface WrittenApart {
  readonly kind: "apart";
  readonly states: MergeStates;
  readonly before: MemoryReading | undefined;
  readonly after: MemoryReading;
  /** Not read where there is nothing to decide. */
  readonly source: MemoryReading | undefined;
}

type MergedMemory = WrittenInTurn | WrittenApart;

interface MemoryOutcome {
  readonly before: Memory | undefined;
  readonly after: Memory;
  /** Conflicts the strategy leaves open. */
  readonly open: readonly FieldConflict[];
  readonly writes: readonly PlannedWrite[];
  readonly made: readonly Memory[];
}

/** @param broughtBack - memories that may have something to decide although they were written in turn */
async function readAll(
  { branches, load, chooses }: MergeRequest,
  ids: readonly MemoryId[],
  broughtBack: ReadonlySet<MemoryId>,
): Promise<readonly MergedMemory[]> {
  // All at once: while records load, the branches may move on.
  const states = ids.map((id) => [id, branches.states(id)] as const);
  const memories: MergedMemory[] = [];
  const incomplete: MemoryId[] = [];
  for (const [id, of] of states) {
    const memory =
      (broughtBack.has(id) || chooses !== undefined ? undefined : await readInTurn(of, id, load)) ??
      (await readApart({ states: of, id, load, isBroughtBack: broughtBack.has(id) }));
    if (memory === undefined) incomplete.push(id);
    else memories.push(memory);
  }
  if (incomplete.length === 0) return memories;
  const [subject, have] =
    incomplete.length === 1 ? ["1 memory", "has"] : [`${incomplete.length} memories`, "have"];
  throw new CambiumError("CONTENT_NOT_HERE", `${subject} of this merge ${have} not arrived whole yet.`, {
    hint: "Run `cambium sync` and merge again.",
    details: { count: incomplete.length, memories: incomplete.slice(0, 16) },
  });
}

/** Opens one record on each side, however many versions there are. */
async function readInTurn(
  { target, union }: MergeStates,
  id: MemoryId,
  load: RecordLoader,
): Promise<WrittenInTurn | undefined> {
  const after = await lastInTurn(union, id, load);
  return after && { kind: "in turn", before: await shownMemory(target, id, load), after };
}

/** @returns undefined when the memory has not arrived whole */
async function readApart({
  states,
  id,
  load,
  isBroughtBack,
}: ApartRequest): Promise<WrittenApart | undefined> {
  const after = await readMemory(states.union, id, load);
  if (after === undefined || after.absent.length > 0) return undefined;
  const before = await readMemory(states.target, id, load);
  const isDecided = !isBroughtBack && after.resolved.conflicts.length === 0;
  return {
    kind: "apart",
    states,
    before,
    after,
    source: isDecided ? undefined : await readMemory(states.source, id, load),
  };
}

async function outcomeOf(
  request: MergeRequest,
  memory: MergedMemory,
  undone: readonly UndoneMerge[],
): Promise<MemoryOutcome> {
  if (memory.kind === "in turn") {
    return { before: memory.before, after: memory.after, open: [], writes: [], made: [] };
  }
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
    request.chooses !== undefined
      ? planJoin(memory, decisions, request)
      : decisions.length === 0
        ? undefined
        : planResolve(memory.after, decisions, request.context, { type: "merge", reason: request.reason });
  return {
    before: memory.before && memoryOf(memory.before),
    after: afterDecisions(memory.after, decisions),
    open: decision.open,
    writes: [...(write === undefined ? [] : [write]), ...decision.copies],
    made: decision.copies.map(({ memory: id, draft }) => draftedMemory(id, draft)),
  };
}

/** Conflicts the merge brings; those that were open on the target already are not its business. */
function newConflicts({ before, after }: WrittenApart): readonly FieldConflict[] {
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

/**
 * Resolutions by whole id; people give the beginning of one.
 *
 * @param undone - what earlier merges brought, and was taken back: until it is said whether it comes again, a
 *   resolution may name that, too
 */
function namedResolutions(
  { resolutions, again }: MergeRequest,
  ids: readonly MemoryId[],
  undone: readonly UndoneMerge[],
): MergeRequest["resolutions"] {
  const named = new Map<string, MemoryResolution>();
  const reverted = undone.flatMap(({ memories }) => memories);
  const touched = [...new Set([...ids, ...reverted])];
  for (const [text, resolution] of Object.entries(resolutions)) {
    const matching = touched.filter((id) => id === text || (text.length >= 4 && id.startsWith(text)));
    const [found] = matching;
    if (found === undefined || matching.length > 1) {
      const why = found === undefined ? "This merge does not touch" : "Several memories of this merge match";
      throw new CambiumError("BAD_INPUT", `${why} ${text}; a resolution names one memory it touches.`);
    }
    if (again === false && !ids.includes(found)) {
      const message = `An undo took back what an earlier merge brought to ${text}, and \`again: false\` leaves it so: there is nothing to resolve.`;
      throw new CambiumError("BAD_INPUT", message, {
        hint: "Leave its resolution out, or pass again: true.",
      });
    }
    if (named.has(found)) {
      throw new CambiumError("BAD_INPUT", `The memory ${found} is resolved under two names; use one.`);
    }
    named.set(found, resolution);
  }
  return Object.fromEntries(named);
}

const NONE = { undone: [], answered: [] } as const;

function planOf(
  status: MergePlan["status"],
  outcomes: readonly MemoryOutcome[],
  earlier: Pick<MergePlan, "undone" | "answered">,
): MergePlan {
  const pairs = outcomes.flatMap(({ before, after, made }) => [
    [before, after] as const,
    ...made.map((memory) => [undefined, memory] as const),
  ]);
  const conflicts: readonly MemoryConflicts[] = outcomes.flatMap(({ after, open }) =>
    open.length === 0 ? [] : [{ id: after.id, fields: open }],
  );
  return {
    ...diffOf(pairs),
    conflicts,
    status,
    ...earlier,
    writes: outcomes.flatMap(({ writes }) => writes),
  };
}
