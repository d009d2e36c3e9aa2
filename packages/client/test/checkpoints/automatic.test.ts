import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contentsOf, type Device, numbered, World } from "../support/world.js";

const DAY_MS = 86_400_000;
const agentOf = ({ space }: Device) => space.as({ agent: "ada" });

async function causesOf({ space }: Device, branch?: string): Promise<readonly string[]> {
  const checkpoints = await space.checkpoints.list({ branch });
  return checkpoints.map(({ cause }) => cause).toReversed();
}

describe("automatic checkpoints", () => {
  test("[CP30] one before a merge, named by it and the time; none before a preview or where there is nothing to merge", async () => {
    await using world = new World(230);
    const a = await world.found("a");
    await agentOf(a).remember({ content: "one" });
    await a.space.branches.create("work");
    await agentOf(a).remember({ content: "two" }, { branch: "work" });
    await a.space.merge({ from: "work", preview: true });
    expect(await causesOf(a)).toEqual([]);
    const before = (await a.space.diff("main")).to.heads;
    await agentOf(a).merge({ from: "work" });
    expect(await a.space.checkpoints.list()).toMatchObject([
      {
        cause: "merge",
        branch: "main",
        heads: before,
        name: expect.stringMatching(/^before-merge-2026-08-01-0000-[0-9a-f]{4}$/),
        by: { replica: a.replica.id },
      },
    ]);
    await a.space.merge({ from: "work" });
    expect(await causesOf(a)).toEqual(["merge"]);
    const at = "checkpoint:before-merge-2026-08-01-0000";
    expect((await a.space.list({ at })).memories.map(({ content }) => content)).toEqual(["one"]);
  });

  test("[CP18] the name that a rollback answers with leads to the state before it, however many follow at once", async () => {
    await using world = new World(236);
    const { space } = await world.found("a");
    const agent = space.as({ confirmed: true });
    await agent.remember({ content: "0" });
    const to = `main@heads:${(await space.diff("main")).to.heads.join(",")}`;
    const states = new Map<string, readonly string[]>();
    for (const content of ["1", "2", "3", "4", "5"]) {
      await agent.remember({ content });
      const { heads } = (await space.diff("main")).to;
      states.set((await agent.rollback({ to })).checkpoint ?? "none", heads);
    }
    const [first = "", ...others] = states.keys();
    expect(new Set([first, ...others].map((name) => name.slice(0, -5))).size).toBe(1); // one minute
    for (const [name, heads] of states)
      expect(await space.checkpoints.get(name)).toMatchObject({ name, heads });
    const beginning = first.slice(0, -5);
    await expect(space.list({ at: `checkpoint:${beginning}` })).rejects.toMatchObject({
      code: "AMBIGUOUS_CHECKPOINT",
    });
    for (const name of others) await agent.checkpoints.delete(name);
    expect((await space.checkpoints.get(first)).heads).toEqual(states.get(first));
    await expect(space.checkpoints.get(others[0] ?? "")).rejects.toMatchObject({
      code: "CHECKPOINT_NOT_FOUND",
    });
  });

  test("[CP31] one before an import, however many changes it makes; none when there is nothing new", async () => {
    await using world = new World(231);
    const a = await world.found("a");
    const notes = join(world.root, "notes");
    mkdirSync(notes);
    writeFileSync(
      join(notes, "a.md"),
      numbered(600, "# Section")
        .map((head) => `${head}\n\nText of ${head}.`)
        .join("\n\n"),
    );
    await agentOf(a).import(notes);
    expect(await causesOf(a), "nothing to go back to").toEqual([]);
    await agentOf(a).import(notes);
    expect(await causesOf(a)).toEqual([]);
    writeFileSync(
      join(notes, "b.md"),
      numbered(600, "# Other")
        .map((head) => `${head}\n\nMore of ${head}.`)
        .join("\n\n"),
    );
    await agentOf(a).import(notes);
    expect(await causesOf(a)).toEqual(["import"]);
    const [made] = await a.space.checkpoints.list();
    expect((await a.space.checkpoints.get(made?.id ?? "")).memories).toBe(600);
  });

  test("[CP32] one before an operation that touches more memories than the setting says; small ones make none", async () => {
    await using world = new World(232);
    const a = await world.found("a");
    const ids: string[] = [];
    for (const content of numbered(26, "memory")) ids.push((await agentOf(a).remember({ content })).id);
    await agentOf(a).combine(ids.slice(0, 3), { content: "few" });
    expect(await causesOf(a)).toEqual([]);
    const many = (await a.space.list()).memories.map(({ id }) => id);
    await agentOf(a)
      .combine([...many.slice(0, 24), ids[0] ?? ""], { content: "many" })
      .catch(() => undefined);
    await a.space.checkpoints.setPolicy({ bulk: 3 });
    const left = (await a.space.list()).memories.map(({ id }) => id);
    if (left.length > 3) await agentOf(a).combine(left.slice(0, 3), { content: "as many as that" });
    expect((await causesOf(a)).at(-1)).toBe("bulk");
    expect((await a.space.checkpoints.list())[0]?.name).toMatch(/^before-bulk-2026-08-0/);
  });

  test("[CP33] consolidations one after the other are one run, with one checkpoint before it", async () => {
    await using world = new World(233);
    const a = await world.found("a");
    for (const content of [
      "Mia likes tea in the morning.",
      "The bridge was painted green last summer.",
      "Nightly backups run at three.",
    ])
      for (let time = 0; time < 2; time += 1) await agentOf(a).remember({ content });
    const proposals = await a.space.duplicates();
    expect(proposals).toHaveLength(3);
    const [first, second, third] = proposals;
    await agentOf(a).consolidate(first as never);
    await agentOf(a).consolidate(second as never);
    expect(await causesOf(a)).toEqual(["consolidate"]);
    await agentOf(a).remember({ content: "something else" });
    await agentOf(a).consolidate(third as never);
    expect(await causesOf(a)).toEqual(["consolidate", "consolidate"]);
  });

  test("[CP34] one at the first write of a week on a branch that has changed; none for a state that has one", async () => {
    await using world = new World(234);
    const a = await world.found("a");
    await agentOf(a).remember({ content: "week 31" });
    await agentOf(a).remember({ content: "week 31 again" });
    expect(await causesOf(a)).toEqual([]);
    world.clock.advance(3 * DAY_MS);
    await agentOf(a).remember({ content: "week 32" });
    await agentOf(a).remember({ content: "week 32 again" });
    expect(await a.space.checkpoints.list()).toMatchObject([
      { cause: "weekly", name: expect.stringMatching(/^weekly-2026-w32-[0-9a-f]{4}$/) },
    ]);
    expect((await a.space.checkpoints.get("weekly-2026-w32")).memories).toBe(2);
    await a.replica.close();
    const again = await world.reopen(a.home);
    await agentOf(again).remember({ content: "still week 32" });
    expect(await causesOf(again)).toEqual(["weekly"]);
    world.clock.advance(7 * DAY_MS);
    await again.space.checkpoints.create({ name: "by-hand" });
    await agentOf(again).remember({ content: "week 33" });
    expect(await causesOf(again)).toEqual(["weekly", "manual"]);
    await again.space.checkpoints.setPolicy({ weekly: false });
    world.clock.advance(7 * DAY_MS);
    await agentOf(again).remember({ content: "week 34" });
    expect(await causesOf(again)).toEqual(["weekly", "manual"]);
  });

  test("[CP35] making one lets go those that the policy keeps no longer; those made by hand stay", async () => {
    await using world = new World(235);
    const a = await world.found("a");
    await agentOf(a).remember({ content: "start" });
    await a.space.checkpoints.create({ name: "for-ever" });
    for (let week = 0; week < 12; week += 1) {
      await agentOf(a).remember({ content: `week ${week}` });
      world.clock.advance(7 * DAY_MS);
    }
    await agentOf(a).remember({ content: "last" });
    const kept = await a.space.checkpoints.list();
    expect(kept.at(-1)?.name).toBe("for-ever");
    expect(kept.filter(({ cause }) => cause === "weekly").length).toBeLessThan(10);
    expect(await a.space.checkpoints.list({ deleted: true })).toHaveLength(13);
    for (const { id, digest } of kept) expect((await a.space.checkpoints.get(id)).digest).toBe(digest);
    expect((await contentsOf(a)).length).toBe(14);
  });
});
