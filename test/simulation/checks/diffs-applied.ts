/**
 * A diff, applied to the state it starts from, gives the state it ends at.
 *
 * @module
 */
import type { Memory, Space } from "@cambium/client";
import { listAll } from "../steps/questions.ts";
import type { Asked } from "./asked.ts";
import { CheckFailure } from "./check-failure.ts";
import { canonicalJson, differenceOf } from "./digest.ts";

/** @throws {CheckFailure} */
export async function checkDiff(device: Asked, from: string, to: string): Promise<void> {
  const [applied, expected] = await device.call(async (space) => [
    await appliedDiff(space, from, to),
    canonicalJson(sortedStates(await listAll(space, to))),
  ]);
  if (applied === expected) return;
  const difference = differenceOf(applied ?? "", expected ?? "");
  throw new CheckFailure("diff", `${device.name}: ${from} to ${to}: ${difference}`);
}

async function appliedDiff(space: Space, from: string, to: string): Promise<string> {
  const { created, changed, deleted } = await space.diff(from, to);
  const memories = new Map((await listAll(space, from)).filter(isShown).map((memory) => [memory.id, memory]));
  for (const { id } of deleted) memories.delete(id);
  for (const memory of created) memories.set(memory.id, memory);
  for (const { id, after } of changed) memories.set(id, after);
  return canonicalJson(sortedStates([...memories.values()]));
}

const isShown = ({ deleted }: Memory): boolean => !deleted;

/** What a state says of its memories; which version says it does not matter here. */
function sortedStates(memories: readonly Memory[]): readonly object[] {
  return memories
    .filter(isShown)
    .map(({ id, content, kind, area, category, tags, importance, confidence, links }) => ({
      ...{ id, content, kind, area, category, tags, importance, confidence, links },
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}
