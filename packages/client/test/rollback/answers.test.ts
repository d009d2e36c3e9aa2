/** What going back does to things that are not memories; docs/decisions/0025 gives the answers in words. */
import { describe, expect, test } from "vitest";
import type { Embedder } from "../../src/api/embedder.js";
import { openReplica } from "../../src/replica/open-replica.js";
import { contentsOf, converged, numbered, World } from "../support/world.js";

const now = (world: World): string => new Date(world.clock.now()).toISOString();

describe("a consolidation", () => {
  test("[GB40] is undone by rolling back to before it; how often things were recalled is not", async () => {
    await using world = new World(401);
    const { space } = await world.found();
    const agent = space.as({ agent: "ada" });
    const [one, other] = [
      await agent.remember({ content: "Prefers tea in the morning." }),
      await agent.remember({ content: "Prefers tea in the morning!" }),
    ];
    const before = now(world);
    world.clock.advance(1_000);
    const [proposal] = await space.duplicates();
    if (proposal === undefined) throw new Error("Nothing was proposed.");
    const combined = await agent.consolidate(proposal);
    await agent.reinforce([combined.id], { times: 3 });
    await space.rollback({ to: before });
    const ids = (await space.list()).memories.map(({ id }) => id).toSorted();
    expect(ids).toEqual([one.id, other.id].toSorted());
    expect((await space.strength(combined.id)).uses).toBe(3);
  });
});

describe("an agent that has written nothing", () => {
  test("[GB71] is said to be unknown by a rollback and by the log, with who has written and a name near it", async () => {
    await using world = new World(403);
    const { space } = await world.found();
    await space.as({ agent: "cursor" }).remember({ content: "Falcon is red." });
    const nobody =
      'Nobody called "cursr" has written on main, so there is nothing of theirs. These have: cursor. Nearest: cursor.';
    for (const preview of [true, false])
      expect(await space.rollback({ only: { agent: "cursr" }, preview })).toMatchObject({ advice: [nobody] });
    expect(await space.log({ agent: "cursr" })).toEqual({ changes: [], advice: [nobody] });
    const known = { agent: "cursor", until: "1990-01-01" };
    expect(await space.rollback({ only: known, preview: true })).not.toHaveProperty("advice");
    expect(await space.log(known)).not.toHaveProperty("advice");
  });
});

test("[GB72] a log has the place of a piece of a document where its heading stands", async () => {
  await using world = new World(404);
  const { space } = await world.found();
  const source = { kind: "import", name: "Notes.md", file: "Notes.md", format: "markdown", heading: "B" };
  await space.as({ agent: "ada" }).remember({ content: "## B\n\nBeta two.", source });
  expect((await space.log()).changes[0]?.text).toBe("Notes › B: Beta two.");
});

describe("vectors", () => {
  test("[GB41] are kept by text and model, so that a wording that comes back has its vector already", async () => {
    await using world = new World(402);
    const asked: string[] = [];
    const embedder: Embedder = {
      model: "lengths",
      embed: async (texts) => {
        asked.push(...texts);
        return texts.map((text) => new Float32Array([text.length, 1]));
      },
    };
    const { clock, random } = world;
    await using replica = await openReplica({ ...world.newHome(), clock: clock.now, random, embedder });
    const space = await replica.createSpace({ name: "shared" });
    const agent = space.as({ agent: "ada" });
    const { id } = await agent.remember({ content: "The ship leaves at noon." });
    await space.reindex();
    const before = now(world);
    world.clock.advance(1_000);
    await agent.revise(id, { content: "The ship leaves at nine." });
    await space.reindex();
    const made = asked.length;
    await space.rollback({ to: before });
    await space.reindex();
    expect((await space.get(id)).content).toBe("The ship leaves at noon.");
    expect((await space.status()).index.vectors).toMatchObject({ done: 1, total: 1 });
    expect([made, asked.slice(made)]).toEqual([2, []]);
  });
});

describe("branches", () => {
  test("[GB42] may diverge without bound: nothing expires, and a merge still asks only about what both decided", async () => {
    await using world = new World(403);
    const { space } = await world.found();
    const agent = space.as({ agent: "ada" });
    const shared = await agent.remember({ content: "shared", category: "old" });
    await space.branches.create("far");
    for (let year = 0; year < 10; year += 1) {
      world.clock.advance(365 * 86_400_000);
      await Promise.all(numbered(10, `main ${year}`).map((content) => agent.remember({ content })));
      await Promise.all(
        numbered(10, `far ${year}`).map((content) => agent.remember({ content }, { branch: "far" })),
      );
    }
    await agent.revise(shared.id, { category: "new" });
    await agent.revise(shared.id, { content: "shared, and more" }, { branch: "far" });
    const [, far] = await space.branches.list();
    expect(far).toMatchObject({ ahead: 101, behind: 101 });
    const merged = await space.merge({ from: "far" });
    expect(merged).toMatchObject({ status: "merged", conflicts: [] });
    expect(merged.created).toHaveLength(100);
    expect(await space.get(shared.id)).toMatchObject({ content: "shared, and more", category: "new" });
  });
});

describe("a memory about several people", () => {
  test("[GB43] belongs to the space: any writer may change or hide it, everyone sees who did, and it comes back", async () => {
    await using world = await World.withRelay(404);
    const ada = await world.found("ada");
    const { id } = await ada.space.as({ agent: "Ada" }).remember({ content: "Ada and Bob share the flat." });
    const bob = await world.join(ada, "bob");
    await converged(ada, bob);
    await bob.space.as({ agent: "Bob" }).forget(id, { reason: "I moved out." });
    await converged(ada, bob);
    expect(await contentsOf(ada)).toEqual([]);
    expect((await ada.space.history(id)).at(-1)).toMatchObject({
      type: "forget",
      by: { agent: "Bob", replica: bob.replica.id },
      reason: "I moved out.",
    });
    await ada.space.undo();
    await converged(ada, bob);
    expect(await contentsOf(bob)).toEqual(["Ada and Bob share the flat."]);
  });
});

describe("another model behind an agent", () => {
  test("[GB44] changes nothing that was written; what it wrote since can be taken back by name and date", async () => {
    await using world = new World(405);
    const { space } = await world.found();
    const assistant = space.as({ agent: "assistant", session: "old model" });
    const tea = await assistant.remember({ content: "drinks tea" });
    world.clock.advance(86_400_000);
    const switched = now(world);
    const renewed = space.as({ agent: "assistant", session: "new model" });
    await renewed.revise(tea.id, { content: "drinks a beverage" });
    await renewed.remember({ content: "likes beverages" });
    expect((await space.history(tea.id)).map(({ by }) => by.session)).toEqual(["old model", "new model"]);
    await space.rollback({ only: { agent: "assistant", since: switched } });
    expect((await space.list()).memories.map(({ content }) => content)).toEqual(["drinks tea"]);
  });
});
