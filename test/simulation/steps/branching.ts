/**
 * Operations on branches, checkpoints and the past.
 *
 * @module
 */
import type { BranchInfo, Space } from "@cambium/client";
import { checkUndoneMerge } from "../checks/undone-merge.ts";
import {
  agentOf,
  NOTHING_TO_DO,
  type Operation,
  type OperationContext,
  pickBranch,
  short,
} from "./operation.ts";

const STRATEGIES = ["manual", "source", "target", "newest", "both"] as const;

const createBranch: Operation = async (context) => {
  const { dice, space, step, device } = context;
  const branch = await pickBranch(context);
  let from = branch.id as string;
  if (dice.chance(0.4)) {
    const { changes } = await space.log({ branch: branch.id, limit: 50 });
    const past = dice.pick(changes);
    if (past !== undefined) from = `${branch.id}@heads:${past.hash}`;
  }
  // Names that devices choose apart are sometimes the same.
  const name = dice.chance(0.8) ? `work-${device}-${step}` : `shared-${dice.below(3)}`;
  const created = await space.branches.create(name, { from });
  return `${created.name} ${short(created.id)}`;
};

const renameBranch: Operation = async (context) => {
  const { space, book, device, step } = context;
  const branch = await pickBranch(context);
  if (branch.name === "main") return NOTHING_TO_DO;
  const name = `renamed-${device}-${step}`;
  const acknowledge = book.beginBranchDecision({ device, branch: branch.id, name, step });
  const renamed = await space.branches.rename(branch.id, name);
  acknowledge();
  return renamed.name;
};

const deleteBranch: Operation = async (context) => {
  const { space, book, device, step } = context;
  const branch = await pickBranch(context);
  if (branch.name === "main") return NOTHING_TO_DO;
  const acknowledge = book.beginBranchDecision({ device, branch: branch.id, name: undefined, step });
  await space.branches.delete(branch.id);
  acknowledge();
  return branch.name;
};

const merge: Operation = async (context) => {
  const { dice } = context;
  const [from, into] = await pickTwo(context);
  if (from === undefined || into === undefined || from.id === into.id) return NOTHING_TO_DO;
  const strategy = dice.pick(STRATEGIES) ?? "manual";
  const options = { from: from.id, into: into.id, strategy };
  const result = await agentOf(context).merge({ ...options, preview: dice.chance(0.1) });
  if (result.undone === undefined) return `${strategy} ${result.status} ${short(result.change)}`;
  const again = await agentOf(context).merge({ ...options, again: dice.chance(0.5) });
  return `${strategy} again ${again.status} ${short(again.change)}`;
};

async function pickTwo(context: OperationContext): Promise<readonly (BranchInfo | undefined)[]> {
  const { dice, space, focus } = context;
  const picked = [await pickBranch(context), dice.pick(await space.branches.list())];
  return focus === undefined || dice.chance(0.3) ? picked : picked.reverse();
}

/** A merge that is taken back at once. */
const tryMerge: Operation = async (context) => {
  const { dice, space } = context;
  const [from, into] = await pickTwo(context);
  if (from === undefined || into === undefined || from.id === into.id) return NOTHING_TO_DO;
  const strategy = dice.pick(STRATEGIES) ?? "manual";
  const merged = await agentOf(context).merge({ from: from.id, into: into.id, strategy, again: true });
  if (merged.change === undefined) return `${strategy} ${merged.status}`;
  const undone = await agentOf(context).undo({ branch: into.id, change: merged.change });
  await checkUndoneMerge(space, { branch: into.id, merge: merged.change, refs: merged, undone });
  return `${strategy} ${short(merged.change)}, undone by ${short(undone.change)}`;
};

const undo: Operation = async (context) => {
  const { dice, space } = context;
  const { id: branch } = await pickBranch(context);
  const { changes } = await space.log({ branch, limit: 20 });
  if (changes.length === 0) return NOTHING_TO_DO;
  const change = dice.chance(0.5) ? undefined : dice.pick(changes)?.hash;
  const last = change === undefined && dice.chance(0.3) ? 1 + dice.below(3) : undefined;
  const undone = await agentOf(context).undo({
    branch,
    ...(change === undefined ? {} : { change }),
    ...(last === undefined ? {} : { last }),
  });
  return `${short(undone.change)} of ${undone.changes.map(short).join(",")}`;
};

type LogEntry = Awaited<ReturnType<Space["log"]>>["changes"][number];

/** Of a change whose memory was written again since. */
const undoOlder: Operation = async (context) => {
  const { dice, space, focus } = context;
  const { id: branch } = await pickBranch(context);
  const { changes } = await space.log({ branch, limit: 50 });
  const older = changes.filter((entry, place) => isWrittenOver(entry, changes.slice(0, place)));
  const ofFocus = older.filter(({ memories }) => memoriesIn(memories).some((id) => id === focus?.memory));
  const change = dice.pick(ofFocus.length > 0 ? ofFocus : older)?.hash;
  if (change === undefined) return NOTHING_TO_DO;
  const undone = await agentOf(context).undo({ branch, change });
  return `${short(undone.change)} of ${short(change)}`;
};

const memoriesIn = (memories: LogEntry["memories"]): readonly string[] =>
  typeof memories === "number" ? [] : memories;

function isWrittenOver({ memories }: LogEntry, later: readonly LogEntry[]): boolean {
  const written = new Set(memoriesIn(memories));
  return later.some((entry) => memoriesIn(entry.memories).some((id) => written.has(id)));
}

const rollback: Operation = async (context) => {
  const { dice, space, step } = context;
  const { id: branch } = await pickBranch(context);
  const { changes } = await space.log({ branch, limit: 50 });
  const target = dice.pick(changes);
  if (target === undefined) return NOTHING_TO_DO;
  const to = dice.chance(0.7)
    ? `${branch}@heads:${target.hash}`
    : `${branch}@${new Date(target.at).toISOString()}`;
  const only = dice.pick([undefined, undefined, { category: "fact" }, { tag: "red" }, { area: "work" }]);
  const result = await agentOf(context).rollback({
    to,
    branch,
    ...(only === undefined ? {} : { only }),
    ...(dice.chance(0.15) ? { onBranch: `tried-${step}` } : {}),
    preview: dice.chance(0.1),
  });
  return `${result.status} ${short(result.change)}`;
};

const checkpoint: Operation = async (context) => {
  const { dice, space, step, device } = context;
  const { id: branch } = await pickBranch(context);
  if (dice.chance(0.2)) {
    const old = dice.pick(await space.checkpoints.list());
    if (old !== undefined) return `deleted ${(await agentOf(context).checkpoints.delete(old.id)).name}`;
  }
  const made = await agentOf(context).checkpoints.create({ name: `point-${device}-${step}`, branch });
  return made.name;
};

export const BRANCHING = {
  "branch-create": createBranch,
  "branch-rename": renameBranch,
  "branch-delete": deleteBranch,
  merge,
  "merge-tried": tryMerge,
  undo,
  "undo-older": undoOlder,
  rollback,
  checkpoint,
} satisfies Readonly<Record<string, Operation>>;
