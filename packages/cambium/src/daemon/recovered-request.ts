/**
 * Calls that a daemon before this one has made, and did not get to answer.
 *
 * @module
 */

import type { IdempotencyKey, RequestedChange, Space } from "@cambium/client";
import { CambiumError, type Memory } from "@cambium/core";
import type { Definition } from "../operations/definition.js";
import { DEFINITIONS, type OperationName } from "../operations/definitions/table.js";

/**
 * @returns what to answer: the memory as it is now; undefined when the call was not made
 * @throws {CambiumError} ALREADY_DONE when it was, and the answer cannot be made again; REQUEST_KEY_REUSED
 */
export async function answerRecovered(
  name: OperationName,
  space: Space,
  request: IdempotencyKey,
): Promise<unknown | undefined> {
  const done = await space.requestOf(request);
  if (done === undefined) return undefined;
  const [first] = typeof done.memories === "number" ? [] : done.memories;
  const { answersMemory }: Definition = DEFINITIONS[name];
  if (answersMemory && first !== undefined) return await memoryNow(space, first, done);
  throw alreadyDone(done);
}

const memoryNow = (space: Space, id: Memory["id"], { branch }: RequestedChange): Promise<Memory> =>
  space.get(id, { branch });

const alreadyDone = ({ change, type, branch, memories, at }: RequestedChange): CambiumError =>
  new CambiumError("ALREADY_DONE", "This call was made already, and its answer is lost.", {
    hint: `It wrote the change ${change}; \`cambium log\` shows it.`,
    details: { change, type, branch, memories, at },
  });
