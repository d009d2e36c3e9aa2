/**
 * From a request that writes to the deed that it asks for.
 *
 * @module
 */
import type { Request } from "../../ask/request.js";
import { branchDeed, mergeDeed } from "./branch-deeds.js";
import type { Deed, Idle, Preparing } from "./deed.js";
import { correctDeed, forgetDeed, rememberDeed, restoreDeed } from "./memory-deeds.js";
import { checkpointDeed, freshDeed, rollbackDeed, takeBackDeed, undoDeed } from "./state-deeds.js";

/** @returns undefined for what is only read */
export async function deedFor(request: Request, use: Preparing): Promise<Deed | Idle | undefined> {
  switch (request.operation) {
    case "remember":
      return rememberDeed(request.content, use);
    case "correct":
      return await correctDeed(request, use);
    case "forget":
      return await forgetDeed(request, use);
    case "restore":
      return await restoreDeed(request, use);
    case "undo":
      return await undoDeed(request, use);
    case "checkpoint":
      return await checkpointDeed(request, use);
    case "rollback":
      return await rollbackDeed(request, use);
    case "take-back":
      return await takeBackDeed(request, use);
    case "fresh":
      return await freshDeed(request, use);
    case "merge":
      return await mergeDeed(request, use);
    case "branch":
      return branchDeed(request, use);
    default:
      return undefined;
  }
}
