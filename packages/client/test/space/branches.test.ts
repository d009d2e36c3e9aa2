import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { storePath } from "../support/stored.js";
import { contentsOf, converged, type Device, meet, numbered, part, synced, World } from "../support/world.js";
import { pair } from "./support/pair.js";

test("[CL112] a memory that is not in a state is said to be elsewhere, and where ids are found", async () => {
  await using world = new World(111);
  const { space } = await world.found("a");
  const agent = space.as({ role: "owner" });
  await agent.branches.create("work");
  const { id } = await agent.remember({ content: "Only there." }, { branch: "work" });
  const hintOf = async (wanted: string): Promise<string> =>
    await agent.revise(wanted, { content: "x" }).then(
      () => "",
      (error: { readonly code: string; readonly hint: string }) => `${error.code}: ${error.hint}`,
    );
  for (const wanted of [id, id.slice(0, 8)])
    expect(await hintOf(wanted)).toMatch(/^MEMORY_NOT_FOUND: It is on another branch.*cambium list/);
  for (const wanted of ["ffffffff", "ab", "what I said"])
    expect(await hintOf(wanted)).toMatch(/^MEMORY_NOT_FOUND: `cambium list`.*first 4 characters/);
});

describe("names", () => {
  test("[RP18] of two branches made apart under one name, the smallest id keeps it", async () => {
    await using world = await World.withRelay(110);
    const { a, b } = await pair(world);
    const made = [await a.space.branches.create("work"), await b.space.branches.create("work")];
    await a.space.as({ agent: "ada" }).remember({ content: "ada's work" }, { branch: "work" });
    await b.space.as({ agent: "bob" }).remember({ content: "bob's work" }, { branch: "work" });
    await meet(a, b);

    const ids = made.map(({ id }) => id as string).sort() as [string, string];
    const second = `work~${ids[1].slice(0, 4)}`;
    for (const { space } of [a, b]) {
      const branches = await space.branches.list();
      expect(branches.map(({ id, name }) => [id, name]).slice(1)).toEqual([
        [ids[0], "work"],
        [ids[1], second],
      ]);
      expect(branches[2]?.notice).toContain("work");
      expect((await space.status()).notices.join()).toContain(second);
      const refused = space.as({ agent: "x" }).remember({ content: "where?" }, { branch: "work" });
      await expect(refused).rejects.toMatchObject({
        code: "AMBIGUOUS_BRANCH",
        details: { refs: expect.arrayContaining(ids.map((id) => `work~${id.slice(0, 4)}`)) },
      });
      for (const id of ids) {
        const { memories } = await space.list({ branch: `work~${id.slice(0, 4)}` });
        expect(memories).toHaveLength(2);
      }
    }
    await a.space.branches.rename(second, "play");
    await meet(a, b);
    expect((await b.space.branches.list()).map(({ name, notice }) => [name, notice])).toEqual([
      ["main", undefined],
      ["play", undefined],
      ["work", undefined],
    ]);
    await b.space.as({ agent: "bob" }).remember({ content: "clear again" }, { branch: "work" });
  });

  test("[RP18] two renames made apart show, until someone renames again", async () => {
    await using world = await World.withRelay(111);
    const { a, b } = await pair(world);
    await a.space.branches.create("draft");
    await meet(a, b);
    await part(a, b);
    await a.space.branches.rename("draft", "essay");
    await b.space.branches.rename("draft", "novel");
    await meet(a, b);
    for (const { space } of [a, b]) {
      const branch = (await space.branches.list())[1];
      expect(branch?.name).toBe("essay");
      expect(branch?.notice).toContain("novel");
    }
    await b.space.branches.rename("essay", "book");
    await meet(a, b);
    expect((await a.space.branches.list())[1]).toMatchObject({ name: "book" });
    expect((await a.space.branches.list())[1]?.notice).toBeUndefined();
  });
});

/** How often each came about: `ok`, or the code of the error. */
async function tally(calls: readonly Promise<unknown>[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(calls)) {
    const outcome = result.status === "fulfilled" ? "ok" : String((result.reason as { code?: string }).code);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

describe("names given at once in one process", () => {
  const five = <T>(make: (number: number) => T): readonly T[] => Array.from({ length: 5 }, (_, n) => make(n));

  test("[RP35] go to one of the branches, whoever makes or renames them", async () => {
    await using world = new World(116);
    const { space } = await world.found();
    const agent = (n: number) => space.as({ agent: `a${n}`, role: "owner", confirmed: true });
    expect(await tally(five((n) => agent(n).branches.create("same")))).toEqual({ ok: 1, BRANCH_EXISTS: 4 });
    for (const n of [0, 1, 2, 3, 4]) await agent(n).branches.create(`own-${n}`);
    expect(await tally(five((n) => agent(n).branches.rename(`own-${n}`, "theirs")))).toEqual({
      ok: 1,
      BRANCH_EXISTS: 4,
    });
    const [kept = ""] = five((n) => `own-${n}`).slice(1);
    expect(
      await tally([
        agent(0).branches.rename(kept, "both"),
        agent(1).branches.create("both", { from: "same" }),
        agent(2).branches.create("same/again"),
        agent(3).rollback({ to: "main", onBranch: "both" }),
      ]),
    ).toEqual({ ok: 2, BRANCH_EXISTS: 2 });
    const names = (await space.branches.list()).map(({ name }) => name);
    expect(names.filter((name) => name.includes("~"))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    await agent(0).remember({ content: "on it" }, { branch: "same" });
    expect(await tally([agent(0).branches.delete("same"), agent(1).branches.create("same")])).toEqual({
      ok: 2,
    });
  });

  test("[RP35] go to one of the spaces, also on a relay, and an invitation is taken once", async () => {
    await using world = await World.withRelay(117);
    const { replica, space } = await world.found("a");
    const made = five(() => replica.createSpace({ name: "twin", relay: world.access }));
    expect(await tally(made)).toEqual({ ok: 1, SPACE_EXISTS: 4 });
    const invitation = await space.invite({ role: "write" });
    const other = await world.open(world.newHome("b"));
    expect(await tally(five(() => other.joinSpace(invitation)))).toEqual({ ok: 5 });
    expect(await other.spaces()).toHaveLength(1);
  });

  test("[RF7] are checked by one rule, and none is the id of another", async () => {
    await using world = new World(118);
    const { replica, space, home } = await world.found();
    const { id, name } = await space.branches.create("work");
    const agent = space.as({ agent: "ada" });
    for (const bad of [id, "a\0b", "x".repeat(201), "", null, 7, {}] as string[]) {
      const refused = { code: "BAD_INPUT" };
      await expect(space.branches.create(bad)).rejects.toMatchObject(refused);
      await expect(space.branches.rename(name, bad)).rejects.toMatchObject(refused);
      await expect(space.rollback({ to: "main", onBranch: bad })).rejects.toMatchObject(refused);
      await expect(agent.checkpoints.create({ name: bad })).rejects.toMatchObject(refused);
      if (bad === id) continue;
      await expect(replica.createSpace({ name: bad })).rejects.toMatchObject(refused);
      expect(() => space.as({ agent: bad })).toThrow(expect.objectContaining(refused));
      await expect(world.open({ ...home, dir: `${home.dir}-other`, name: bad })).rejects.toMatchObject(
        refused,
      );
    }
    await expect(replica.createSpace({ name: space.id })).rejects.toMatchObject({ code: "BAD_INPUT" });
  });
});

describe("forks", () => {
  test("[RP21] cost the same at any size", async () => {
    await using world = new World(113);
    const { home, space } = await world.found();
    const agent = space.as({ agent: "a" });
    const sizeOf = (): number =>
      ["", "-wal"].reduce((sum, end) => sum + statSync(`${storePath(home, space.id)}${end}`).size, 0);
    const costOf = async (name: string): Promise<number> => {
      const before = sizeOf();
      await space.branches.create(name);
      return sizeOf() - before;
    };
    await agent.remember({ content: "one" });
    await costOf("warm-up");
    const small = await costOf("small");
    for (const content of numbered(150, "memory")) await agent.remember({ content });
    const large = await costOf("large");
    expect((await space.branches.list()).find(({ name }) => name === "large")).toMatchObject({
      memories: 151,
    });
    // What grows is the WAL: pages, whatever is on them. The document alone has 151 references of 48 bytes.
    expect(large).toBeLessThan(small + 64 * 1024);
  });

  test("[RP21] from a date, from heads and from another branch hold what was known there", async () => {
    await using world = await World.withRelay(114);
    const first = await world.found("first");
    const agent = first.space.as({ agent: "a" });
    await agent.remember({ content: "one" });
    const [main] = await first.space.branches.list();
    const then = world.clock.now();
    world.clock.advance(60_000);
    await agent.remember({ content: "two" });
    await first.space.branches.create("by-date", { from: `@${new Date(then).toISOString()}` });
    await first.space.branches.create("by-heads", {
      from: `main@heads:${main?.head.join(",")}`,
    });
    const forks = (await first.space.branches.list()).slice(1);
    expect(forks.map(({ name, memories, behind }) => [name, memories, behind])).toEqual([
      ["by-date", 1, 1],
      ["by-heads", 1, 1],
    ]);
    await agent.remember({ content: "three" }, { branch: "by-date" });
    await first.space.branches.create("nested", { from: "by-date" });
    await agent.remember({ content: "four" }, { branch: "nested" });
    const second = await world.join(first, "second");
    await converged(first, second);
    expect(await contentsOf(second, "by-heads")).toEqual(["one"]);
    expect(await contentsOf(second, "by-date")).toEqual(["one", "three"]);
    expect(await contentsOf(second, "nested")).toEqual(["four", "one", "three"]);
    expect(await contentsOf(second)).toEqual(["one", "two"]);
    const unknown = second.space.branches.create("no", { from: `main@heads:${"ab".repeat(32)}` });
    await expect(unknown).rejects.toMatchObject({ code: "HEADS_NOT_HERE" });
  });
});

describe("merges", () => {
  /** `side` and main decided the category of one memory differently, and each has a memory of its own. */
  async function diverged(world: World): Promise<{ readonly device: Device; readonly id: string }> {
    const device = await world.found("first");
    const agent = device.space.as({ agent: "a" });
    const { id } = await agent.remember({ content: "The lamp.", category: "none" });
    await agent.branches.create("side");
    await agent.remember({ content: "only on side" }, { branch: "side" });
    await agent.remember({ content: "only on main" });
    await agent.revise(id, { category: "side" }, { branch: "side" });
    await agent.revise(id, { category: "main" });
    return { device, id };
  }

  test.each([
    ["source", ["side"]],
    ["target", ["main"]],
    ["newest", ["main"]],
    ["both", ["main", "side"]],
  ] as const)("[RP22] with the strategy %s", async (strategy, categories) => {
    await using world = new World(115);
    const { device } = await diverged(world);
    const preview = await device.space.merge({ from: "side", strategy, preview: true });
    const merged = await device.space.merge({
      from: "side",
      strategy,
      expect: { from: preview.from.heads, into: preview.to.heads },
    });
    expect([preview.status, merged.status]).toEqual(["preview", "merged"]);
    expect(merged.created.length).toBe(preview.created.length);
    const { memories } = await device.space.list();
    const lamps = memories.filter(({ content }) => content === "The lamp.");
    expect(lamps.map(({ category }) => category).sort()).toEqual(categories);
    expect(await contentsOf(device)).toEqual(expect.arrayContaining(["only on main", "only on side"]));
    expect(await device.space.conflicts()).toEqual([]);
    expect((await device.space.merge({ from: "side" })).status).toBe("up-to-date");
  });

  test("[RP22] manual writes nothing while a conflict is open; a resolver and resolutions decide", async () => {
    await using world = new World(116);
    const { device, id } = await diverged(world);
    const before = (await device.space.branches.list())[0]?.head;
    const open = await device.space.merge({ from: "side" });
    expect(open).toMatchObject({ status: "conflict", conflicts: [{ id }] });
    expect((await device.space.branches.list())[0]?.head).toEqual(before);
    const merged = await device.space.merge({
      from: "side",
      strategy: "resolver",
      resolver: ({ source, target }) => ({
        category: { value: `${source.category} and ${target?.category}` },
      }),
    });
    expect(merged.status).toBe("merged");
    expect((await device.space.get(id)).category).toBe("side and main");
    await device.space.as({ agent: "a" }).remember({ content: "moved" });
    const stale = device.space.merge({ from: "side", expect: { from: [], into: [] } });
    await expect(stale).rejects.toMatchObject({ code: "STALE_EXPECTATION" });
  });

  test("[RP22] undone and merged again asks what becomes of it", async () => {
    await using world = await World.withRelay(117);
    const { device } = await diverged(world);
    const { change } = await device.space.merge({ from: "side", strategy: "source" });
    const agent = device.space.as({ agent: "a" });
    await agent.undo({ change: change as string });
    expect(await contentsOf(device)).not.toContain("only on side");
    await agent.remember({ content: "new on side" }, { branch: "side" });
    await expect(agent.merge({ from: "side" })).rejects.toMatchObject({ code: "MERGE_AGAIN_UNDECIDED" });
    expect((await agent.merge({ from: "side", preview: true })).undone).toHaveLength(1);
    await agent.branches.create("only-new");
    expect((await agent.merge({ from: "side", into: "only-new", again: false })).status).toBe("merged");
    expect(await contentsOf(device, "only-new")).toContain("new on side");
    expect(await contentsOf(device, "only-new")).not.toContain("only on side");
    const sure = device.space.as({ agent: "a", confirmed: true });
    expect((await sure.merge({ from: "side", again: true, strategy: "source" })).status).toBe("merged");
    expect(await contentsOf(device)).toEqual(expect.arrayContaining(["new on side", "only on side"]));
    const other = await world.join(device, "other");
    await converged(device, other);
  });

  test("[RP22] made apart on two devices, meet without a loss", async () => {
    await using world = await World.withRelay(118);
    const { a, b } = await pair(world);
    await a.space.branches.create("side");
    const { id } = await a.space
      .as({ agent: "ada" })
      .remember({ content: "from side", category: "s" }, { branch: "side" });
    await meet(a, b);
    await part(a, b);
    await a.space.as({ agent: "ada" }).remember({ content: "ada on main" });
    await b.space.as({ agent: "bob" }).revise(id, { category: "b" }, { branch: "side" });
    await b.space.as({ agent: "bob" }).remember({ content: "bob on main" });
    expect((await a.space.merge({ from: "side" })).status).toBe("merged");
    expect((await b.space.merge({ from: "side" })).status).toBe("merged");
    await meet(a, b);
    expect(await contentsOf(a)).toEqual(["ada on main", "bob on main", "common", "from side"]);
    expect(await a.space.get(id)).toMatchObject({ category: "b", conflicts: [] });
    expect((await a.space.merge({ from: "side" })).status).toBe("up-to-date");
    await synced(b);
  });
});
