/**
 * From a request to what comes of it.
 *
 * @module
 */
import type { Intent } from "../intent.js";
import { branchPlan, deleteBranchPlan, mergePlan, renameBranchPlan } from "./branch-plans.js";
import { correctPlan, earlierPlan, statedPlan } from "./correction-plans.js";
import { forgetPlan, rememberPlan, restorePlan } from "./memory-plans.js";
import type { Idle, Plan, Planning, Reading } from "./plan.js";
import { readingFor } from "./readings.js";
import { settlePlan } from "./settle-plan.js";
import {
  checkpointPlan,
  deleteCheckpointPlan,
  freshPlan,
  revertPlan,
  rollbackPlan,
  undoPlan,
} from "./state-plans.js";

/** Reads and previews; writes nothing. @throws {CambiumError} for what cannot be done so */
export async function planFor(request: Intent, planning: Planning): Promise<Plan | Idle | Reading> {
  switch (request.operation) {
    case "remember":
      return request.isStated ? await statedPlan(request, planning) : rememberPlan(request, planning);
    case "correct":
      return await correctPlan(request, planning);
    case "settle":
      return await settlePlan(request, planning);
    case "forget":
      return await forgetPlan(request, planning);
    case "restore":
      return request.isEarlier && request.topic !== undefined
        ? await earlierPlan(request.topic, planning)
        : await restorePlan(request, planning);
    case "undo":
      return await undoPlan(request, planning);
    case "checkpoint":
      return await checkpointPlan(request, planning);
    case "delete-checkpoint":
      return deleteCheckpointPlan(request);
    case "rollback":
      return await rollbackPlan(request, planning);
    case "take-back":
      return await revertPlan(request, planning);
    case "fresh":
      return await freshPlan(request, planning);
    case "merge":
      return await mergePlan(request, planning);
    case "branch":
      return branchPlan(request, planning);
    case "delete-branch":
      return await deleteBranchPlan(request, planning);
    case "rename-branch":
      return await renameBranchPlan(request, planning);
    default: {
      const reading = await readingFor(request, planning);
      if (reading === undefined) throw new Error(`Nothing does ${request.operation}.`);
      return reading;
    }
  }
}
