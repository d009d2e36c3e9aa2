import type { MemoryId } from "@cambium/core";
import { describe, expect, test, vi } from "vitest";
import type { Agent } from "../../src/api.js";
import type { openReplica } from "../../src/replica/open-replica.js";
import { converged, meet, part, World } from "../support/world.js";

const MERGE_VERSION = "../../../core/src/merge/merge-version.js";
const BASE = { content: "The sky is blue.", tags: ["a", "b"], importance: 0.5 };
const MINE = { content: "The sky is grey.", tags: ["a"], importance: 0.9 };
const THEIRS = { content: "The sky is black.", tags: ["b"], importance: 0.7 };

/** Each begins with a memory that says MINE and said BASE, and goes back to that. */
const BACK: Readonly<Record<string, (agent: Agent, id: MemoryId, to: string) => Promise<unknown>>> = {
  restore: (agent, id) => agent.restore(id, { version: 1 }),
  rollback: (agent, _id, to) => agent.rollback({ to }),
  "rollback of what an agent wrote": (agent) => agent.rollback({ only: { agent: "mine" } }),
  undo: (agent) => agent.undo(),
};
const SETTLING = Object.keys(BACK).filter((way) => way !== "undo");

/** Both sides know BASE; one has gone to MINE and back, the other to THEIRS. */
async function onDevices(world: World, way: string) {
  const a = await world.found("a");
  const { id } = await a.space.as({ agent: "ada" }).remember(BASE);
  const b = await world.join(a, "b");
  await converged(a, b);
  const to = new Date(world.clock.now()).toISOString();
  world.clock.advance(1_000);
  await part(a, b);
  await a.space.as({ agent: "mine" }).revise(id, MINE);
  await BACK[way]?.(a.space.as({ agent: "ada" }), id, to);
  await b.space.as({ agent: "bob" }).revise(id, THEIRS);
  await meet(a, b);
  return { id, space: a.space, other: b.space };
}

async function onBranches(world: World, way: string) {
  const { space } = await world.found("a");
  const agent = space.as({ agent: "ada" });
  const { id } = await agent.remember(BASE);
  await space.branches.create("side");
  await space.as({ agent: "bob" }).revise(id, THEIRS, { branch: "side" });
  const to = new Date(world.clock.now()).toISOString();
  world.clock.advance(1_000);
  await space.as({ agent: "mine" }).revise(id, MINE);
  await BACK[way]?.(agent, id, to);
  return { id, space };
}

const ALL = [
  { field: "content", values: [BASE.content, THEIRS.content] },
  { field: "tags", values: [BASE.tags, THEIRS.tags] },
  { field: "importance", values: [BASE.importance, THEIRS.importance] },
];
const listed = (
  fields: readonly { readonly field: string; readonly values: readonly { readonly value: unknown }[] }[],
) => fields.map(({ field, values }) => ({ field, values: values.map(({ value }) => value) }));
const inAnyOrder = ({ field, values }: { readonly field: string; readonly values: readonly unknown[] }) => ({
  field,
  values: expect.toSatisfy(
    (found: unknown[]) =>
      found.length === values.length &&
      values.every((value) => JSON.stringify(found).includes(JSON.stringify(value))),
  ),
});

describe("between devices", () => {
  test.each(SETTLING)("[GB14] a %s is listed against an edit made meanwhile, field by field", async (way) => {
    await using world = await World.withRelay(50);
    const { id, space, other } = await onDevices(world, way);
    const { conflicts } = await space.get(id);
    expect(listed(conflicts)).toEqual(ALL.map(inAnyOrder));
    expect(await other.get(id)).toEqual(await space.get(id));
    const agent = space.as({ agent: "ada" });
    for (const {
      field,
      values: [kept, ...others],
    } of conflicts) {
      const discard = others.map(({ record }) => record);
      await agent.resolve(id, { field, keep: kept?.record ?? "", discard });
    }
    expect((await space.get(id)).conflicts).toEqual([]);
  });

  test("[GB15] an undo leaves the edit that was made meanwhile", async () => {
    await using world = await World.withRelay(51);
    const { id, space, other } = await onDevices(world, "undo");
    expect(await space.get(id)).toMatchObject({ ...THEIRS, conflicts: [] });
    expect(await other.conflicts()).toEqual([]);
  });
});

describe("between branches", () => {
  test.each(SETTLING)("[GB14] a %s is put to whoever merges", async (way) => {
    await using world = new World(52);
    const { id, space } = await onBranches(world, way);
    const preview = await space.merge({ from: "side", preview: true });
    expect(preview.conflicts.map((each) => [each.id, listed(each.fields)])).toEqual([
      [id, ALL.map(inAnyOrder)],
    ]);
    expect((await space.merge({ from: "side" })).status).toBe("conflict");
    expect(await space.get(id)).toMatchObject(BASE);
    await space.merge({ from: "side", strategy: "source" });
    expect(await space.get(id)).toMatchObject({ ...THEIRS, conflicts: [] });
    await space.as({ agent: "bob" }).revise(id, { content: "The evening sky is black." }, { branch: "side" });
    expect(await space.merge({ from: "side" })).toMatchObject({ status: "merged", conflicts: [] });
    expect((await space.get(id)).content).toBe("The evening sky is black.");
  });

  test("[GB15] an undo leaves what the other branch wrote", async () => {
    await using world = new World(53);
    const { id, space } = await onBranches(world, "undo");
    expect((await space.merge({ from: "side" })).status).toBe("merged");
    expect(await space.get(id)).toMatchObject({ ...THEIRS, conflicts: [] });
  });
});

test("[MG24] a space says by which version its writers merge; who knows only an older one is told", async () => {
  await using world = new World(54);
  const { home, replica } = await world.found("a");
  await replica.close();
  vi.resetModules();
  vi.doMock(MERGE_VERSION, async (original) => ({ ...(await original<object>()), MERGE_VERSION: 9 }));
  const newer: { openReplica: typeof openReplica } = await import("../../src/replica/open-replica.js");
  vi.doUnmock(MERGE_VERSION);
  vi.resetModules();
  const { dir, stateDir } = home;
  {
    await using later = await newer.openReplica({
      dir,
      stateDir,
      clock: world.clock.now,
      random: world.random,
    });
    expect((await (await later.openSpace()).status()).notices).toEqual([]);
  }
  const again = await world.reopen(home);
  expect((await again.space.status()).notices).toEqual([expect.stringContaining("version 9 of the rules")]);
});
