/** Spaces that devices have lived in, and everything that they say of themselves. */
import { isCambiumError } from "@cambium/core";
import { seededNumbers } from "./seeded.js";
import { type Device, shownBy, synced } from "./world.js";

/** Writes of two devices that meet now and then, on several branches. */
export async function live(seed: number, devices: readonly Device[], length: number): Promise<void> {
  const next = seededNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item;
  for (let step = 0; step < length; step += 1) {
    const device = pick(devices);
    const { space } = device;
    const agent = space.as({ agent: pick(["ada", "ben"]), confirmed: true });
    const branch = pick((await space.branches.list()).filter(({ isHere }) => isHere)).name;
    const { memories } = await space.list({ branch, limit: 100 });
    const kind = pick([
      "remember",
      "revise",
      "revise",
      "revise",
      "tag",
      "forget",
      "branch",
      "merge",
      "checkpoint",
      "sync",
    ]);
    const memory = memories.length === 0 ? undefined : pick(memories);
    if (kind === "sync") for (const one of devices) await synced(one);
    else if (kind === "branch") await space.branches.create(`b${seed}-${step}`, { from: branch });
    else if (kind === "checkpoint") await space.checkpoints.create({ name: `c${seed}-${step}`, branch });
    else if (kind === "merge" && branch !== "main") await agent.merge({ from: branch, strategy: "newest" });
    else if (memory === undefined || kind === "remember")
      await agent.remember({ content: `text ${step}`, tags: ["t"] }, { branch });
    else if (kind === "tag") await agent.revise(memory.id, { tags: [`t${step}`] }, { branch });
    else if (kind === "forget") await agent.forget(memory.id, { branch, reason: `no more ${step}` });
    else
      await agent
        .revise(memory.id, { content: `${memory.content} and ${step}` }, { branch })
        .catch(unlessInConflict);
  }
}

/** What is in conflict stays so. */
function unlessInConflict(error: unknown): void {
  if (!isCambiumError(error, "CONFLICT_OPEN")) throw error;
}

/** Everything that a space answers about itself. */
export async function wholeOf(device: Device) {
  const { space } = device;
  const histories: unknown[] = [];
  for (const { name } of await space.branches.list()) {
    const { memories } = await space.list({ branch: name, deleted: true, limit: 1_000 });
    for (const { id } of memories) histories.push(await space.history(id, { at: name }));
    histories.push((await space.log({ branch: name, limit: 1_000 })).changes);
  }
  const checkpoints = await space.checkpoints.list();
  return { shown: await shownBy(device), histories, checkpoints, policy: await space.policy.show() };
}
