import { describe, expect, test } from "vitest";
import type { Checkpoint } from "../../src/api.js";
import { contentsOf, type Device, numbered, World } from "../support/world.js";

const agentOf = ({ space }: Device, agent = "ada") => space.as({ agent, session: "s1" });

async function remembered(device: Device, contents: readonly string[], area?: string): Promise<void> {
  for (const content of contents) await agentOf(device).remember({ content, area });
}

const namesOf = (checkpoints: readonly Checkpoint[]) => checkpoints.map(({ name }) => name);

describe("checkpoints made by hand", () => {
  test("[CP1] names a state, and says who made it, when, why and of what", async () => {
    await using world = new World(210);
    const a = await world.found("a");
    await remembered(a, ["one", "two"]);
    const { head } = (await a.space.branches.list())[0] as { head: readonly string[] };
    const made = await agentOf(a).checkpoints.create({
      ...{ name: " before-cleanup ", description: "All is well.", reason: "A big clean-up comes." },
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      ...{ name: "before-cleanup", description: "All is well.", reason: "A big clean-up comes." },
      ...{ branch: "main", heads: head, scope: "full", cause: "manual" },
      by: { agent: "ada", session: "s1", replica: a.replica.id },
      ...{ at: expect.any(Number), state: "kept", isHere: true },
      ...{ schemaVersion: expect.any(Number), indexVersion: expect.any(Number) },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    for (const text of ["before-cleanup", made.id, made.id.slice(0, 8), "main@checkpoint:before-cleanup"])
      expect(await a.space.checkpoints.get(text)).toEqual({ ...made, memories: 2 });
    expect(await a.space.checkpoints.list()).toEqual([made]);
    await a.replica.close();
    const again = await world.reopen(a.home);
    expect(await again.space.checkpoints.get("before-cleanup")).toEqual({ ...made, memories: 2 });
  });

  test("[CP03] is read wherever a ref is: with its branch, without, and on a fork that has its state", async () => {
    await using world = new World(211);
    const a = await world.found("a");
    await remembered(a, ["one"]);
    await a.space.checkpoints.create({ name: "start" });
    await remembered(a, ["two"]);
    const [two] = (await a.space.list()).memories;
    await a.space.branches.create("work");
    await agentOf(a).remember({ content: "at work" }, { branch: "work" });
    for (const at of [
      "main@checkpoint:start",
      "checkpoint:start",
      "@checkpoint:start",
      "start",
      "work@checkpoint:start",
    ]) {
      expect((await a.space.list({ at })).memories.map(({ content }) => content)).toEqual(["one"]);
      expect((await a.space.at(at).log()).changes).toHaveLength(1);
      await expect(a.space.get(two?.id ?? "", { at })).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
    }
    expect((await a.space.list({ branch: "work", at: "checkpoint:start" })).memories).toHaveLength(1);
    expect((await a.space.list({ at: "yesterday" })).memories).toHaveLength(0);
    expect(await a.space.recall("one two", { at: "checkpoint:start" })).toMatchObject([{ content: "one" }]);
    const diff = await a.space.diff("checkpoint:start", "work");
    expect(diff.created.map(({ content }) => content).sort()).toEqual(["at work", "two"]);
    await a.space.branches.create("again", { from: "checkpoint:start" });
    expect(await contentsOf(a, "again")).toEqual(["one"]);
    await a.space.checkpoints.create({ name: "late" });
    await expect(a.space.list({ at: "again@checkpoint:late" })).rejects.toMatchObject({
      ...{ code: "HEADS_NOT_HERE", message: expect.stringContaining("The branch again") },
    });
    await expect(a.space.list({ at: "main@checkpoint:lost" })).rejects.toMatchObject({
      ...{ code: "CHECKPOINT_NOT_FOUND", hint: expect.stringContaining("start, late") },
    });
  });

  test("[CP03] may name a state of the past, and an empty one", async () => {
    await using world = new World(212);
    const a = await world.found("a");
    await a.space.checkpoints.create({ name: "nothing" });
    await remembered(a, ["one"]);
    const { heads } = (await a.space.diff("main")).to;
    await remembered(a, ["two"]);
    const past = await a.space.checkpoints.create({ name: "past", at: `main@heads:${heads.join()}` });
    expect(past.heads).toEqual(heads);
    expect((await a.space.checkpoints.get("past")).memories).toBe(1);
    expect((await a.space.checkpoints.get("nothing")).memories).toBe(0);
    expect((await a.space.list({ at: "checkpoint:nothing" })).memories).toEqual([]);
    expect((await a.space.checkpoints.compare("nothing", "past")).created).toHaveLength(1);
  });

  test("[CP04] a name is unique among those kept, follows the rules of refs, and is free again when deleted", async () => {
    await using world = new World(213);
    const a = await world.found("a");
    await remembered(a, ["one"]);
    const { checkpoints } = a.space;
    const first = await checkpoints.create({ name: "x" });
    await expect(checkpoints.create({ name: "x" })).rejects.toMatchObject({ code: "CHECKPOINT_EXISTS" });
    for (const name of ["", "a\nb", "last", "a~ab12", '"a"'])
      await expect(checkpoints.create({ name })).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(await checkpoints.delete("x")).toMatchObject({ id: first.id, state: "deleted" });
    expect(await checkpoints.list()).toEqual([]);
    expect(namesOf(await checkpoints.list({ deleted: true }))).toEqual(["x"]);
    await expect(a.space.list({ at: "checkpoint:x" })).rejects.toMatchObject({
      ...{ code: "CHECKPOINT_NOT_FOUND", message: 'The checkpoint "x" was deleted.' },
    });
    expect((await checkpoints.get(first.id)).state).toBe("deleted");
    const second = await checkpoints.create({ name: "x" });
    expect(second.id).not.toBe(first.id);
    expect((await checkpoints.get("x")).id).toBe(second.id);
  });

  test("[CP42] a deleted name is given back, to the state that it named, unless another has it", async () => {
    await using world = new World(214);
    const a = await world.found("a");
    await remembered(a, ["one"]);
    const { checkpoints } = a.space;
    const first = await checkpoints.create({ name: "x", description: "one only" });
    await remembered(a, ["two"]);
    await checkpoints.delete("x");
    const back = await checkpoints.restore("x");
    expect(back).toMatchObject({ id: first.id, state: "kept", description: "one only", at: first.at });
    expect((await a.space.list({ at: "checkpoint:x" })).memories).toHaveLength(1);
    expect(await checkpoints.restore("x")).toMatchObject({ id: first.id });
    await checkpoints.delete("x");
    const second = await checkpoints.create({ name: "x" });
    await expect(checkpoints.restore(first.id)).rejects.toMatchObject({ code: "CHECKPOINT_EXISTS" });
    // The name means the one that is kept, and the one deleted last where none is.
    expect(await checkpoints.restore("x")).toMatchObject({ id: second.id });
    await expect(checkpoints.restore("y")).rejects.toMatchObject({ code: "CHECKPOINT_NOT_FOUND" });
    await checkpoints.delete("x");
    await checkpoints.setPolicy({ byHand: 1 });
    await checkpoints.create({ name: "z" });
    await expect(checkpoints.restore("x")).rejects.toMatchObject({ code: "CHECKPOINT_LIMIT" });
  });

  test("[CP05] as many as the settings allow; made at once, they count one after the other", async () => {
    await using world = new World(214);
    const a = await world.found("a");
    await remembered(a, ["one"]);
    const { checkpoints } = a.space;
    expect((await checkpoints.policy()).byHand).toBe(50);
    await checkpoints.setPolicy({ byHand: 3 });
    const made = await Promise.allSettled(
      numbered(5, "c").map((name) => checkpoints.create({ name: name.replace(" ", "-") })),
    );
    expect(made.map(({ status }) => status)).toEqual([
      ...Array(3).fill("fulfilled"),
      ...Array(2).fill("rejected"),
    ]);
    await expect(checkpoints.create({ name: "more" })).rejects.toMatchObject({
      ...{ code: "CHECKPOINT_LIMIT", hint: expect.stringContaining("c-0"), details: { limit: 3 } },
    });
    await checkpoints.delete("c-1");
    await checkpoints.create({ name: "more" });
    const same = await Promise.allSettled([checkpoints.delete("c-0"), checkpoints.delete("c-2")]);
    expect(same.every(({ status }) => status === "fulfilled")).toBe(true);
    const twice = await Promise.allSettled([
      checkpoints.create({ name: "y" }),
      checkpoints.create({ name: "y" }),
    ]);
    expect(twice.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(checkpoints.setPolicy({ days: -1 })).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  test("[CP06] two are compared, or one and now, within the area they name", async () => {
    await using world = new World(215);
    const a = await world.found("a");
    await remembered(a, ["home 1"], "home");
    await remembered(a, ["work 1"], "work");
    const { checkpoints } = a.space;
    const made = await checkpoints.create({ name: "home", scope: { area: "home" } });
    expect(made.scope).toEqual({ area: "home" });
    expect((await checkpoints.get("home")).memories).toBe(1);
    await checkpoints.create({ name: "all" });
    await remembered(a, ["home 2"], "home");
    await remembered(a, ["work 2"], "work");
    await checkpoints.create({ name: "all-later" });
    const [moved] = (await a.space.list({ area: "work" })).memories.filter(
      ({ content }) => content === "work 1",
    );
    await agentOf(a).revise(moved?.id ?? "", { area: "home" });
    const within = await checkpoints.compare("home");
    expect([within.from.ref, within.to.ref]).toEqual(["main@checkpoint:home", "main"]);
    expect(within.created.map(({ content }) => content)).toEqual(["home 2"]);
    expect(within.changed.map(({ after }) => after.content)).toEqual(["work 1"]);
    const whole = await checkpoints.compare("all", "all-later");
    expect(whole.created.map(({ content }) => content).sort()).toEqual(["home 2", "work 2"]);
    expect(whole.to.ref).toBe("main@checkpoint:all-later");
    await checkpoints.create({ name: "work", scope: { area: "work" } });
    await expect(checkpoints.compare("home", "work")).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  test("[CP07] a reader can read them, and make, delete or set nothing", async () => {
    await using world = await World.withRelay(216);
    const a = await world.found("a");
    await remembered(a, ["one"]);
    await a.space.checkpoints.create({ name: "x" });
    const b = await world.join(a, "b", { role: "read" });
    await b.space.sync.whenSynced({ signal: AbortSignal.timeout(15_000) });
    expect(namesOf(await b.space.checkpoints.list())).toEqual(["x"]);
    const { checkpoints } = b.space;
    for (const refused of [
      checkpoints.create({ name: "y" }),
      checkpoints.delete("x"),
      checkpoints.setPolicy({ days: 1 }),
    ])
      await expect(refused).rejects.toMatchObject({ code: "ROLE_REFUSED" });
  });
});
