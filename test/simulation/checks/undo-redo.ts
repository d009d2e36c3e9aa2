/**
 * An undo, and the undo of that undo, give the state back.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { listAll } from "../steps/questions.ts";
import type { Asked } from "./asked.ts";
import { CheckFailure } from "./check-failure.ts";
import { isCambiumError } from "./coded-error.ts";
import { canonicalJson, differenceOf } from "./digest.ts";

/** @throws {CheckFailure} */
export async function checkUndoRedo(device: Asked, branch: string): Promise<void> {
  const [before, after] = await device.call(async (space) => {
    const agent = space.as({ agent: "checker", confirmed: true });
    const first = await stateOf(space, branch);
    const { changes } = await space.log({ branch, limit: 1 });
    if (changes.length === 0) return [first, first];
    const undone = await agent.undo({ branch }).catch(whereNothingIsLeft);
    if (undone === undefined) return [first, first];
    await agent.undo({ branch, change: undone.change });
    return [first, await stateOf(space, branch)];
  });
  if (before === after) return;
  throw new CheckFailure(
    "undo and redo",
    `${device.name}, branch ${branch}: ${differenceOf(before ?? "", after ?? "")}`,
  );
}

/** What was written side by side since may leave nothing of a change to take back. */
function whereNothingIsLeft(error: unknown): undefined {
  if (!isCambiumError(error) || error.code !== "BAD_INPUT") throw error;
}

async function stateOf(space: Space, branch: string): Promise<string> {
  const memories = await listAll(space, branch);
  return canonicalJson(
    memories.map(({ id, content, kind, area, category, tags, importance, confidence, links, deleted }) => ({
      ...{ id, content, kind, area, category, tags, importance, confidence, links, deleted },
    })),
  );
}
