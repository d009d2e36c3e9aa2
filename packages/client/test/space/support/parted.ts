/** A device that knows of a branch and does not have its document, and what is asked of that branch. */
import { documentIdFromHex, type MemoryId } from "@cambium/core";
import { expect } from "vitest";
import type { Agent, Space } from "../../../src/api.js";
import { withholding } from "../../support/withheld.js";
import { converged, type Device, synced, until, type World } from "../../support/world.js";

export interface Parted {
  readonly a: Device;
  /** Offline, with the entry of the branch `w` in its catalog and nothing of its document. */
  readonly b: Device;
  readonly id: MemoryId;
}

/** Keeps documents from reaching the devices; everything else goes through. */
function withhold(world: World, ...documents: readonly string[]): void {
  world.proxy.filter = withholding((document) => documents.includes(document));
}

export async function parted(world: World): Promise<Parted> {
  const a = await world.found("a");
  const agent = owner(a);
  const { id } = await agent.remember({ content: "on main" });
  const b = await world.join(a, "b", { role: "admin" });
  await converged(a, b);
  await b.space.sync.stop();
  const { id: branch } = await agent.branches.create("w");
  for (const content of ["one", "two"]) await agent.remember({ content }, { branch: "w" });
  await agent.checkpoints.create({ name: "x", branch: "w" });
  await agent.branches.create("old", { from: "w" });
  await agent.branches.delete("old");
  await synced(a);
  const old = (await a.space.branches.list({ deleted: true })).find(({ name }) => name === "old")?.id ?? "";
  withhold(world, documentIdFromHex(branch), documentIdFromHex(old));
  b.space.sync.start();
  await until("the branch is listed", [b], async () => (await b.space.branches.list()).length === 2);
  await until("the checkpoint is listed", [b], async () => (await b.space.checkpoints.list()).length === 1);
  await b.space.sync.stop();
  world.proxy.filter = () => true;
  return { a, b, id };
}

export const owner = ({ space }: { readonly space: Space }): Agent =>
  space.as({ agent: "owner", role: "owner", confirmed: true });

export const branchOf = async ({ space }: Device, name: string) =>
  (await space.branches.list()).find((branch) => branch.name === name);

type Calls = Readonly<Record<string, () => Promise<unknown>>>;

export function reads(space: Space, id: MemoryId): Calls {
  const at = { branch: "w" };
  return {
    list: () => space.list(at),
    get: () => space.get(id, at),
    recall: () => space.recall("main", at),
    history: () => space.history(id, at),
    log: () => space.log(at),
    conflicts: () => space.conflicts(at),
    version: () => space.version(id, 1, at),
    compare: () => space.compare(id, at),
    blame: () => space.blame(id, at),
    supersededBy: () => space.supersededBy(id, at),
    beforeCorrection: () => space.beforeCorrection(id, at),
    "diff to it": () => space.diff("main", "w"),
    "diff from it": () => space.diff("w", "main"),
    graph: () => space.graph(at),
    evolution: () => space.evolution("main", at),
    brief: () => space.brief(at),
    alike: () => space.alike("on main", at),
    strength: () => space.strength(id, at),
    decay: () => space.decay(at),
    duplicates: () => space.duplicates(at),
    "a date of it": () => space.list({ at: "w@2030-01-01" }),
    "heads of it": () => space.list({ at: `w@heads:${"0".repeat(64)}` }),
    "a checkpoint of it": () => space.list({ at: "w@checkpoint:x" }),
    "a checkpoint by itself": () => space.list({ at: "checkpoint:x" }),
    "space.at": () => space.at("w").list(),
    "preview of a merge from it": () => space.merge({ from: "w", preview: true }),
    "preview of a rollback to it": () => space.rollback({ to: "w", preview: true }),
  };
}

export function writes(agent: Agent, id: MemoryId): Calls {
  const at = { branch: "w" };
  return {
    remember: () => agent.remember({ content: "x" }, at),
    revise: () => agent.revise(id, { content: "x" }, at),
    forget: () => agent.forget(id, at),
    restore: () => agent.restore(id, at),
    combine: () => agent.combine([id], { content: "x" }, at),
    split: () => agent.split(id, [{ content: "x" }, { content: "y" }], at),
    resolve: () => agent.resolve(id, { field: "content", keep: "mine", discard: [] } as never, at),
    reinforce: () => agent.reinforce([id], at),
    "edit of the graph": () => agent.editGraph({ type: "create-entities", entities: [] } as never, at),
    import: () => agent.import("/nowhere", at),
    "undo on it": () => agent.undo(at),
    "rollback to it": () => agent.rollback({ to: "w" }),
    "rollback to it on a branch": () => agent.rollback({ to: "w", onBranch: "trial" }),
    "rollback of it": () => agent.rollback({ to: "main", branch: "w" }),
    "merge from it": () => agent.merge({ from: "w" }),
    "merge into it": () => agent.merge({ from: "main", into: "w" }),
    fork: () => agent.branches.create("f", { from: "w" }),
    checkpoint: () => agent.checkpoints.create({ name: "y", branch: "w" }),
  };
}

/** What each call was refused with, or what it answered. */
async function refusals(calls: Calls): Promise<Record<string, unknown>> {
  const said: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(calls)) {
    said[name] = await call().then(
      (answer) => ({ answer }),
      (error: { readonly code?: unknown }) => error.code ?? String(error),
    );
  }
  return said;
}

const allRefused = (calls: Calls): Record<string, unknown> =>
  Object.fromEntries(Object.keys(calls).map((name) => [name, "HEADS_NOT_HERE"]));

export async function expectRefused(calls: Calls): Promise<void> {
  expect(await refusals(calls)).toEqual(allRefused(calls));
}
