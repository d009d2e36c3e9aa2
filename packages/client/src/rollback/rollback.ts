/**
 * Rollback: a branch, or a part of it, as it was at another state; by one forward change, with a
 * checkpoint before it.
 *
 * @module
 */
import {
  CambiumError,
  type MemoryId,
  type MemoryReading,
  memoryOf,
  outcomeOf,
  type RollbackOutcome,
  readMemory,
  valuesOf,
} from "@cambium/core";
import type { RollbackOptions, RollbackResult, RollbackScope, StateRef } from "../api.js";
import { guardCheckpoint } from "../checkpoints/restore-guard.js";
import { rollbackAction } from "../governance/checked-actions.js";
import { unknownAuthors } from "../space/authors.js";
import { refuseDeleted } from "../space/branch-directory.js";
import type { BranchView } from "../space/branch-views.js";
import { previewNotes } from "./preview-notes.js";
import { planReturnToState } from "./return-to-state.js";
import { planTakingBack } from "./revert-writes.js";
import { parseScope } from "./selection.js";
import type { RollbackServices } from "./services.js";
import type { ReadMemory, RollbackPlan, RollbackTask } from "./task.js";
import { splitByText } from "./texts-gone.js";

/**
 * @throws {CambiumError} BAD_INPUT, BAD_REF, CONTENT_NOT_HERE when a memory in question has not arrived whole,
 * STALE_EXPECTATION when the branch has moved on since the preview, SCHEMA_TOO_NEW, CHECKPOINT_MISMATCH
 */
export async function rollBack(
  services: RollbackServices,
  options: RollbackOptions,
): Promise<RollbackResult> {
  const { preview = false, onBranch } = options;
  if (preview || onBranch === undefined) return applyRollback(services, options);
  services.writer.refuseReaders();
  const from = options.branch ?? "main";
  // Whatever speaks against it is said before there is a branch.
  await applyRollback(services, { ...options, preview: true });
  const { name } = await services.branches.create(onBranch, { from });
  const to = options.to === undefined ? {} : { to: await absoluteRef(services, options.to, from) };
  const result = await applyRollback(services, { ...options, ...to, branch: name, expect: undefined });
  return { ...result, to: { ...result.to, ref: options.to ?? name }, triedOn: name };
}

async function applyRollback(services: RollbackServices, options: RollbackOptions): Promise<RollbackResult> {
  const { finder, writer, directory } = services;
  const preview = options.preview === true;
  if (!preview) writer.refuseReaders();
  const branch = await directory.find(options.branch ?? "main", !preview);
  if (!preview) refuseDeleted(branch);
  const now = await finder.find({ branch: branch.id });
  const past =
    options.to === undefined ? undefined : await finder.find({ branch: branch.id, at: options.to });
  const area = past?.checkpoint && (await guardCheckpoint(past.checkpoint, services));
  const limited = area === undefined ? options : { ...options, only: onlyArea(area, options.only) };
  const selection = await parseScope(services, limited, now, past);
  checkHeads(options, now.view);
  const isByTopic = options.only?.query !== undefined;
  const task = { now, past, selection, reason: options.reason, isByTopic };
  const from = { ...now.ref, ref: branch.name, branch: branch.name };
  const refs = { from, to: past?.ref ?? from };
  if (preview) return advised(await previewOf(services, task, refs), services, task);

  let done: { outcome: RollbackOutcome; left: LeftAsItIs } | undefined;
  let checkpoint: string | undefined;
  const change = await writer.write({
    view: now.view,
    type: "rollback",
    plan: async (read) => {
      checkHeads(options, now.view);
      const before = new Map<MemoryId, MemoryReading | undefined>();
      const noting: ReadMemory = async (id) => {
        const reading = await read(id);
        before.set(id, reading);
        return reading;
      };
      const plan = await planOf(services, task, noting);
      const outcome = outcomeWith(plan, before);
      done = { outcome, left: plan };
      if (plan.writes.length > 0)
        await services.policyCheck.check(rollbackAction(options, plan.writes, now.view, outcome));
      if (plan.writes.length > 0) checkpoint ??= await services.checkpoint(now.view, "rollback");
      return { writes: plan.writes };
    },
  });
  const { outcome, left } = done ?? { outcome: outcomeOf([]), left: { kept: [] } };
  const result = resultOf(change === undefined ? "up-to-date" : "rolled-back", refs, outcome, left);
  if (change === undefined) return advised(result, services, task);
  return {
    ...{ ...result, change },
    ...(checkpoint === undefined ? {} : { checkpoint }),
  };
}

async function previewOf(
  services: RollbackServices,
  task: RollbackTask,
  refs: Pick<RollbackResult, "from" | "to">,
): Promise<RollbackResult> {
  const before = new Map<MemoryId, MemoryReading | undefined>();
  const plan = await planOf(services, task, async (id) => {
    const reading = await readMemory(task.now.view.stateOf(id), id, services.load);
    before.set(id, reading);
    return reading;
  });
  const outcome = outcomeWith(plan, before);
  return {
    ...resultOf("preview", refs, outcome, plan),
    ...(await previewNotes(services, task, plan, outcome)),
  };
}

/** Nothing goes back, perhaps because nobody of that name has written. */
async function advised(
  result: RollbackResult,
  { index, load }: RollbackServices,
  { now, selection }: RollbackTask,
): Promise<RollbackResult> {
  const agent = selection.changes?.agent;
  const isNothing =
    result.kept.length === 0 &&
    result.textsGone === undefined &&
    Object.values(result.counts).every((count) => count === 0);
  if (agent === undefined || !isNothing) return result;
  const written = { log: index.log, state: now.state, load, branch: now.branch.name };
  const advice = await unknownAuthors([agent], written);
  return advice.length === 0 ? result : { ...result, advice };
}

async function planOf(
  services: RollbackServices,
  task: RollbackTask,
  read: ReadMemory,
): Promise<RollbackPlan> {
  const plan = await (task.selection.changes === undefined
    ? planReturnToState(services, task, read)
    : planTakingBack(services, task, read, task.selection.changes));
  return { ...plan, ...splitByText(services, plan.writes) };
}

function outcomeWith(
  { writes }: RollbackPlan,
  before: ReadonlyMap<MemoryId, MemoryReading | undefined>,
): RollbackOutcome {
  return outcomeOf(
    writes.map((write) => {
      const reading = before.get(write.memory);
      return [reading && memoryOf(reading), write] as const;
    }),
  );
}

type LeftAsItIs = Pick<RollbackPlan, "kept" | "textsGone">;

function resultOf(
  status: RollbackResult["status"],
  refs: { readonly from: StateRef; readonly to: StateRef },
  { hidden, ...outcome }: RollbackOutcome,
  { kept, textsGone = [] }: LeftAsItIs,
): RollbackResult {
  const { created, changed, broughtBack } = outcome;
  const counts = {
    created: created.length,
    changed: changed.length,
    broughtBack: broughtBack.length,
    hidden: hidden.length,
  };
  const gone = textsGone.length === 0 ? {} : { textsGone };
  return { status, ...refs, counts, ...outcome, deleted: hidden, kept, ...gone };
}

function checkHeads({ expect }: RollbackOptions, view: BranchView): void {
  if (expect === undefined || [...expect].sort().join() === view.heads.join()) return;
  throw new CambiumError("STALE_EXPECTATION", "The branch has moved on since the preview.", {
    hint: "Look at the preview again.",
    details: { expected: expect, heads: view.heads },
  });
}

/** A checkpoint of an area names nothing beyond it. */
function onlyArea(area: string, only: RollbackOptions["only"]): RollbackScope {
  const asked = valuesOf(only, "area");
  if (asked.length === 0 || asked.includes(area)) return { ...only, area };
  const others = asked.join(", ");
  throw new CambiumError("BAD_INPUT", `The checkpoint is one of the area ${area}, not of ${others}.`);
}

/** A bare date means the branch that is rolled back, not the one it is tried on. */
async function absoluteRef({ finder }: RollbackServices, to: string, branch: string): Promise<string> {
  const { ref, checkpoint } = await finder.find({ branch, at: to });
  if (checkpoint !== undefined) return `checkpoint:${checkpoint.id}`;
  return `${ref.branch}@heads:${ref.heads.join(",")}`;
}
