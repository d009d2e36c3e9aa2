/**
 * Undo: one change, or the last few, reverted by one change.
 *
 * @module
 */

import {
  CambiumError,
  type ChangeHash,
  isOperationId,
  type LogEntry,
  type Memory,
  type MemoryId,
  memoryAfter,
  memoryOf,
  planUndo,
  type RevertedBy,
  readMemory,
  refuseLate,
  type Step,
  stepOfRecord,
  type UndoPlan,
  type UndoSteps,
  undoSteps,
} from "@cambium/core";
import type { UndoOptions, UndoResult } from "../api.js";
import { undoAction } from "../governance/checked-actions.js";
import { changesNamed, changesOfOperation, recordsWritten } from "../index-store/change-selection.js";
import { revertedIn } from "../index-store/undone-versions.js";
import { refuseDeleted } from "../space/branch-directory.js";
import type { BranchView } from "../space/branch-views.js";
import type { RollbackServices } from "./services.js";
import type { ReadMemory } from "./task.js";
import { splitByText } from "./texts-gone.js";

const MAX_CHANGES = 1_000;
const PAGE = 100;
/** How many changes an undo passes over that left nothing to revert. */
const MAX_TRIED = 50;

/** @throws {CambiumError} BAD_INPUT when there is nothing to revert, CONTENT_PRUNED, HEADS_NOT_HERE, CONTENT_NOT_HERE */
export async function undoChanges(services: RollbackServices, options: UndoOptions): Promise<UndoResult> {
  const { views, directory, writer } = services;
  const target = await directory.find(options.branch ?? "main", true);
  refuseDeleted(target);
  const view = await views.open(target.id);
  const candidates = changesToUndo(services, view, options);
  const planOne = (one: readonly Undoable[], read: ReadMemory) =>
    planOf(services, view, one, read, options.reason);
  const planned = (read: ReadMemory) => firstOf(candidates, (one) => planOne(one, read));
  const refusal = async (found: Planned): Promise<CambiumError> =>
    found.plan.textsGone.length === 0 || found.plan.kept.length > 0
      ? nothingLeft(found.plan)
      : textGone(found.plan, await olderOf(services, view, candidates, planOne));
  if (options.preview === true) return await previewOf(services, view, { planned, refusal });
  let changes: readonly Undoable[] = [];
  let plan: PlanOfUndo = NOTHING;
  let ids: readonly MemoryId[] = [];
  const change = await writer.write({
    view,
    type: "undo",
    plan: async (read) => {
      ({ changes, plan } = await planned(read));
      ids = plan.writes.map(({ memory }) => memory);
      if (ids.length > 0) await services.policyCheck.check(undoAction(options, plan.writes, view));
      return { writes: plan.writes, statement: { of: changes.map(({ hash }) => hash) } };
    },
  });
  const [newest] = changes;
  if (change === undefined || newest === undefined) throw await refusal({ changes, plan });
  const memories: Memory[] = [];
  for (const id of ids) memories.push(await services.reader.get(id, { branch: view.branch }));
  const undone = { of: newest.hash, changes: changes.map(({ hash }) => hash) };
  return { status: "undone", change, ...undone, ...leftBy(plan), memories };
}

interface Planned {
  readonly changes: readonly Undoable[];
  readonly plan: PlanOfUndo;
}

/** With the memories that stay as they are because their text of then is gone. */
interface PlanOfUndo extends UndoPlan {
  readonly textsGone: readonly MemoryId[];
}

const leftBy = ({ kept, textsGone }: PlanOfUndo): Pick<UndoResult, "kept" | "textsGone"> => ({
  kept,
  ...(textsGone.length === 0 ? {} : { textsGone }),
});

/** A merge that brought nothing is no change to someone who undoes the last one. */
async function firstOf(
  candidates: readonly (readonly Undoable[])[],
  planOf: (changes: readonly Undoable[]) => Promise<PlanOfUndo>,
): Promise<Planned> {
  let found: Planned = { changes: [], plan: NOTHING };
  for (const changes of candidates) {
    found = { changes, plan: await planOf(changes) };
    const { writes, kept, textsGone } = found.plan;
    if (writes.length > 0 || kept.length > 0 || textsGone.length > 0) break;
  }
  return found;
}

/** The newest change that can be undone, where the one that was meant cannot. */
async function olderOf(
  { load }: RollbackServices,
  view: BranchView,
  candidates: readonly (readonly Undoable[])[],
  planOne: (changes: readonly Undoable[], read: ReadMemory) => Promise<PlanOfUndo>,
): Promise<ChangeHash | undefined> {
  for (const changes of candidates) {
    const { writes } = await planOne(changes, (id) => readMemory(view.stateOf(id), id, load));
    if (writes.length > 0) return changes[0]?.hash;
  }
  return undefined;
}

async function previewOf(
  { load }: RollbackServices,
  view: BranchView,
  {
    planned,
    refusal,
  }: {
    readonly planned: (read: ReadMemory) => Promise<Planned>;
    readonly refusal: (found: Planned) => Promise<CambiumError>;
  },
): Promise<UndoResult> {
  const before = new Map<MemoryId, Memory | undefined>();
  const { changes, plan } = await planned(async (id) => {
    const reading = await readMemory(view.stateOf(id), id, load);
    before.set(id, reading && memoryOf(reading));
    return reading;
  });
  const [newest] = changes;
  if (plan.writes.length === 0 || newest === undefined) throw await refusal({ changes, plan });
  const memories = plan.writes.map((write) => memoryAfter(before.get(write.memory), write));
  const hashes = changes.map(({ hash }) => hash);
  return { status: "preview", of: newest.hash, changes: hashes, ...leftBy(plan), memories };
}

const NOTHING: PlanOfUndo = { writes: [], kept: [], settled: [], textsGone: [] };

async function planOf(
  services: RollbackServices,
  view: BranchView,
  changes: readonly Undoable[],
  read: ReadMemory,
  reason: string | undefined,
): Promise<PlanOfUndo> {
  const steps = await stepsOf(services, view, changes, read);
  const revertedBy = (id: MemoryId): RevertedBy => revertedIn(services.index.tables, id);
  const plan = await planUndo(steps, read, services.context(), { reason, revertedBy });
  return { ...plan, ...splitByText(services, plan.writes) };
}

function textGone({ textsGone }: PlanOfUndo, older: ChangeHash | undefined): CambiumError {
  const instead =
    older === undefined ? "" : `, or undo an earlier change: cambium undo --change ${older.slice(0, 12)}`;
  return new CambiumError(
    "CONTENT_PRUNED",
    "This cannot be undone: the text from before it is not kept any more.",
    { hint: `Write it anew with \`cambium revise\`${instead}`, details: { memories: textsGone } },
  );
}

function nothingLeft({ kept, settled }: UndoPlan): CambiumError {
  const count = (list: UndoPlan["kept"]): number => list.flatMap(({ fields }) => fields).length;
  const onlySettled = count(settled) === count(kept);
  const [why, hint] =
    kept.length === 0
      ? ["it left nothing that is still there.", "See the changes with `cambium log`."]
      : onlySettled
        ? [
            "it settled a conflict, and what was settled cannot be opened again.",
            "Set it with `cambium revise`, or name an earlier change: `cambium undo --change`.",
          ]
        : [
            "the same fields were decided by others, since or at the same time.",
            "Revert theirs as well (`cambium undo --last`), or set it with `cambium revise`.",
          ];
  return new CambiumError("BAD_INPUT", `There is nothing left to undo: ${why}`, {
    hint,
    details: { kept },
  });
}

type Undoable = Pick<LogEntry, "hash" | "type" | "operation">;

/** What to try, one after the other; the changes of each newest first. */
function changesToUndo(
  { index }: RollbackServices,
  view: BranchView,
  { change, last }: UndoOptions,
): readonly (readonly Undoable[])[] {
  if (change !== undefined && last !== undefined)
    throw new CambiumError("BAD_INPUT", "Give a change to undo, or how many, not both.");
  if (change !== undefined) {
    if (isOperationId(change))
      return [namedOperation(changesOfOperation(index.tables, view.row, change), change)];
    return [[namedChange(changesNamed(index.tables, view.row, change), change)]];
  }
  const count = last ?? 1;
  if (!Number.isInteger(count) || count < 1 || count > MAX_CHANGES)
    throw new CambiumError("BAD_INPUT", `last has to be a whole number from 1 to ${MAX_CHANGES}.`);
  const found = lastOperations(index, view, last ?? MAX_TRIED);
  if (found.length > 0) return last === undefined ? found : [found.flat()];
  throw new CambiumError("BAD_INPUT", "There is nothing to undo on this branch.");
}

function namedChange(matching: readonly Undoable[], text: string): Undoable {
  const [found] = matching;
  if (found !== undefined && matching.length === 1) return found;
  throw new CambiumError("HEADS_NOT_HERE", `This branch has no change ${text} of its own.`, {
    hint: "See its changes with `cambium log`.",
  });
}

function namedOperation(changes: readonly Undoable[], text: string): readonly Undoable[] {
  if (changes.length > 0) return changes;
  throw new CambiumError("HEADS_NOT_HERE", `This branch has no operation ${text} of its own.`, {
    hint: "See its changes with `cambium log`.",
  });
}

/**
 * What was done last on this branch and is no undo itself, and what no undo has reverted of it: what somebody did as
 * one thing is one, however many changes it took.
 */
function lastOperations(
  index: RollbackServices["index"],
  view: BranchView,
  count: number,
): readonly (readonly Undoable[])[] {
  const { found, reverted } = lastChanges(index, view, count);
  return found.map((change) =>
    change.operation === undefined
      ? [change]
      : changesOfOperation(index.tables, view.row, change.operation).filter(
          ({ hash }) => !reverted.has(hash),
        ),
  );
}

/** The newest change of each. */
function lastChanges(
  index: RollbackServices["index"],
  view: BranchView,
  count: number,
): { readonly found: readonly Undoable[]; readonly reverted: ReadonlySet<ChangeHash> } {
  const state = index.states.stateAt(view.row, undefined);
  const found: Undoable[] = [];
  const operations = new Set<string>();
  const reverted = new Set<ChangeHash>();
  let after: ChangeHash | undefined;
  for (;;) {
    const page = index.log.entries(state, { since: -Number.MAX_VALUE, limit: PAGE, after });
    for (const { hash, type, branch, of, operation } of page) {
      if (branch !== view.branch) continue;
      if (type === "undo") {
        // The newest undo has the last word; one that was undone itself has none.
        if (!reverted.has(hash)) for (const undone of of ?? []) reverted.add(undone);
      } else if (!reverted.has(hash) && found.length < count) {
        if (operation !== undefined && operations.has(operation)) continue;
        if (operation !== undefined) operations.add(operation);
        found.push({ hash, type, ...(operation === undefined ? {} : { operation }) });
      }
    }
    after = page.at(-1)?.hash;
    if (found.length === count || page.length < PAGE) return { found, reverted };
  }
}

async function stepsOf(
  services: RollbackServices,
  view: BranchView,
  changes: readonly Undoable[],
  read: ReadMemory,
): Promise<UndoSteps> {
  const steps = new Map<MemoryId, Step[]>();
  const add = (id: MemoryId, step: Step): void => {
    const known = steps.get(id);
    if (known === undefined) steps.set(id, [step]);
    else known.push(step);
  };
  for (const { hash, type } of changes) {
    if (type === "merge") {
      const ofMerge = await undoSteps(view.whole(), view, hash, services.load);
      const { concealed } = services.index.tables;
      for (const [id, [step]] of ofMerge) if (step !== undefined && !concealed.hasId(id)) add(id, step);
      continue;
    }
    for (const { memory, record } of recordsWritten(services.index.tables, hash)) {
      const reading = await read(memory);
      if (reading === undefined) continue;
      refuseLate(reading);
      const step = stepOfRecord(reading, record);
      if (step !== undefined) add(memory, step);
    }
  }
  return steps;
}
