/**
 * From a request that writes to the action that it asks for.
 *
 * @module
 */
import type { Intent } from "../../ask/intent.js";
import { branchAction, deleteBranchAction, mergeAction, renameBranchAction } from "./branch-actions.js";
import { correctAction, forgetAction, rememberAction, restoreAction } from "./memory-actions.js";
import type { Idle, PlannedAction, Preparing } from "./planned-action.js";
import { checkpointAction, freshAction, revertAction, rollbackAction, undoAction } from "./state-actions.js";

/** @returns undefined for what is only read */
export async function actionFor(request: Intent, use: Preparing): Promise<PlannedAction | Idle | undefined> {
  switch (request.operation) {
    case "remember":
      return rememberAction(request.content, use);
    case "correct":
      return await correctAction(request, use);
    case "forget":
      return await forgetAction(request, use);
    case "restore":
      return await restoreAction(request, use);
    case "undo":
      return await undoAction(request, use);
    case "checkpoint":
      return await checkpointAction(request, use);
    case "rollback":
      return await rollbackAction(request, use);
    case "take-back":
      return await revertAction(request, use);
    case "fresh":
      return await freshAction(request, use);
    case "merge":
      return await mergeAction(request, use);
    case "branch":
      return branchAction(request, use);
    case "delete-branch":
      return await deleteBranchAction(request, use);
    case "rename-branch":
      return await renameBranchAction(request, use);
    default:
      return undefined;
  }
}
