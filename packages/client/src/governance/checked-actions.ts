/**
 * What operations that know only on their way what they touch tell the policy's check.
 *
 * @module
 */
import type { MergePlan, PlannedWrite, RollbackOutcome } from "@cambium/core";
import type { MergeOptions, RollbackOptions, UndoOptions } from "../api.js";
import type { BranchView } from "../space/branch-views.js";
import type { CheckedAction } from "./policy-check.js";

/**
 * A merge that writes records decides what was in conflict, also where it leaves the target as it is: so it
 * touches what it decides, and not only what looks different afterwards.
 */
export function mergeAction(
  options: MergeOptions,
  { writes, created, changed, deleted }: MergePlan,
  source: BranchView,
  target: BranchView,
): CheckedAction {
  const decided = writes.filter(({ draft }) => draft.decides.length > 0);
  const decidedIds = decided.map(({ memory }) => memory);
  const touched = [...new Set([...[...created, ...changed, ...deleted].map(({ id }) => id), ...decidedIds])];
  // What a partial merge only brings along decides nothing.
  const decides = writes.some(({ draft }) => draft.decides.length > 0 || draft.parents.length === 0);
  return {
    operation: decides ? "merge-conflicts" : "merge",
    call: { method: "merge", args: [options] },
    branch: target.branch,
    affected: decides ? decided.length : touched.length,
    preview: () => ({
      counts: {
        ...{ created: created.length, changed: changed.length, deleted: deleted.length },
        decided: decided.length,
      },
      ids: touched,
      heads: { [source.branch]: source.heads, [target.branch]: target.heads },
      plan: [planned(decided), writes.length],
    }),
  };
}

export const rollbackAction = (
  options: RollbackOptions,
  writes: readonly PlannedWrite[],
  view: BranchView,
  { created, changed, broughtBack, hidden }: RollbackOutcome,
): CheckedAction => ({
  operation: "rollback",
  call: { method: "rollback", args: [options] },
  branch: view.branch,
  // Tried on a branch of its own, it touches nothing that anyone relies on.
  affected: options.onBranch === undefined ? writes.length : 0,
  reason: options.reason,
  preview: () => ({
    counts: {
      ...{ created: created.length, changed: changed.length },
      ...{ broughtBack: broughtBack.length, hidden: hidden.length },
    },
    ids: writes.map(({ memory }) => memory),
    heads: { [view.branch]: view.heads },
    plan: planned(writes),
  }),
});

export const undoAction = (
  options: UndoOptions,
  writes: readonly PlannedWrite[],
  view: BranchView,
): CheckedAction => ({
  operation: "undo",
  call: { method: "undo", args: [options] },
  branch: view.branch,
  affected: writes.length,
  reason: options.reason,
  preview: () => ({
    counts: { changed: writes.length },
    ids: writes.map(({ memory }) => memory),
    heads: { [view.branch]: view.heads },
    plan: planned(writes),
  }),
});

/** Without what differs each time a plan is made: when, by whom, and new ids. */
const planned = (writes: readonly PlannedWrite[]): readonly unknown[] =>
  writes.map(({ memory, draft: { type, decides, fields } }) => [memory, type, decides, fields]);
