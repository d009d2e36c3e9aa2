/** Versions of memories in a real space: found, compared, blamed, and as a story. */
import { createHash } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import type { Summarizer } from "../../src/api.js";
import { Documents } from "../../src/documents/documents.js";
import { openReplica } from "../../src/replica/open-replica.js";
import { type Device, World } from "../support/world.js";

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

async function budget() {
  const world = new World();
  const { space, home, replica } = await world.found();
  const ada = space.as({ agent: "ada", session: "s1", conversation: "c1", trigger: "test" });
  const bo = space.as({ agent: "bo" });
  const { id } = await ada.remember({
    content: "The budget is 50M; the period is Jan–Mar.",
    category: "plan",
    occurredAt: "2026-01-02",
    source: { kind: "email", thread: "t1", message: 4 },
  });
  await bo.revise(id, {
    content: "The budget is 60M.",
    type: "correct",
    reason: "The first number was a guess.",
  });
  await ada.revise(id, { tags: ["money"] });
  return {
    world,
    home,
    replica,
    space,
    ada,
    bo,
    id,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

describe("versions", () => {
  test("[VN16] a new text has the source that is given with it, or none; what is brought back names its version", async () => {
    await using world = new World();
    const { space } = await world.found();
    const ada = space.as({ agent: "ada" });
    const email = { kind: "email", thread: "t1" };
    const { id, record } = await ada.remember({ content: "The budget is 50.", source: email });
    expect((await ada.revise(id, { tags: ["money"] })).source).toEqual(email);
    const second = await ada.revise(id, { content: "The budget is 60." });
    expect(second.source).toBeUndefined();
    expect((await ada.undo()).memories[0]?.source).toEqual(email);

    const restored = await ada.restore(id, { version: second.record });
    const versionOf = (of: string, inputMethod: string) => ({
      ...{ kind: "version", memory: id, record: of, inputMethod },
    });
    expect(restored).toMatchObject({
      content: "The budget is 60.",
      source: versionOf(second.record, "restore"),
    });
    await ada.rollback({ to: `main@heads:${(await space.log()).changes.at(-1)?.hash}` });
    expect(await space.get(id)).toMatchObject({
      content: "The budget is 50.",
      source: versionOf(record, "rollback"),
    });
    // Two versions of one part beside the text, and of two sources.
    expect((await ada.undo()).memories[0]?.source).toEqual(versionOf(second.record, "restore"));
    expect((await ada.undo()).memories[0]?.source).toEqual(versionOf(record, "rollback"));
    expect((await ada.forget(id)).source).toEqual(versionOf(record, "rollback"));
    expect((await ada.restore(id)).source).toMatchObject({ kind: "version", inputMethod: "restore" });
    const sources = async () => (await space.history(id)).map(({ source }) => source);
    const before = await sources();
    await space.reindex();
    expect(await sources()).toEqual(before);
    expect((await ada.revise(id, { tags: [], source: null })).source).toBeUndefined();
  });

  test("[VN16] what is brought back after an undo of several changes is the version that its source names", async () => {
    await using world = new World();
    const { space } = await world.found();
    const ada = space.as({ agent: "ada" });
    const { id, record } = await ada.remember({ content: "A1", tags: ["x"] });
    await ada.revise(id, { tags: ["y"] });
    await ada.revise(id, { content: "C3" });
    await ada.undo({ last: 3 });
    expect((await space.get(id)).deleted).toBe(true);
    expect(await ada.restore(id)).toMatchObject({ content: "A1", tags: ["x"], source: { record } });
  });

  test("[VN16] of two texts, the one that is kept comes from where it came from", async () => {
    await using world = new World();
    const one = await world.found();
    const email = { kind: "email", thread: "t1" };
    const { id } = await one.space.as({ agent: "ada" }).remember({ content: "Nine" });
    const { name } = await one.space.as({ agent: "ada" }).branches.create("work");
    const mine = await one.space.as({ agent: "ada" }).revise(id, { content: "Ten", source: email });
    await one.space.as({ agent: "bo" }).revise(id, { content: "Eleven" }, { branch: name });
    await one.space.as({}).merge({ from: name, strategy: "target" });
    expect(await one.space.get(id)).toMatchObject({ content: mine.content, source: email });
  });

  test("[VN12] any version is read by its number or record, with all that is known of it", async () => {
    await using scene = await budget();
    const { space, id } = scene;
    const versions = await space.history(id);
    const first = await space.version(id, 1);
    expect(first).toEqual(versions[0]);
    expect(first).toMatchObject({
      ...{ version: 1, parents: [], type: "create", changed: [], category: "plan" },
      contentHash: sha256("The budget is 50M; the period is Jan–Mar."),
      occurredAt: Date.UTC(2026, 0, 2),
      by: { agent: "ada", session: "s1", conversation: "c1", trigger: "test", replica: space.replica },
      source: { kind: "email", thread: "t1", message: 4 },
    });
    expect(await space.version(id, versions[1]?.record.slice(0, 8) ?? "")).toEqual(versions[1]);
    expect(versions[2]).toMatchObject({ parents: [versions[1]?.record], type: "tag", changed: ["tags"] });
    await expect(space.version(id, 9)).rejects.toMatchObject({ code: "RECORD_NOT_FOUND" });
    await expect(space.at("main@2020-01-01").version(id, 1)).rejects.toMatchObject({
      code: "MEMORY_NOT_FOUND",
    });
  });

  test("[VN12] history says in a sentence what each version changed, and whose sentence it is", async () => {
    await using scene = await budget();
    const versions = await scene.space.history(scene.id);
    expect(versions.map(({ change }) => change)).toEqual([
      { summary: "first written: The budget is 50M; the period is Jan–Mar", summaryBy: "rules" },
      { summary: "budget 50M → 60M; “the period is Jan–Mar” dropped", summaryBy: "rules" },
      { summary: "tag money added", summaryBy: "rules" },
    ]);
  });

  test("[VN1] compare gives fields, patch, words and a sentence, between any two versions", async () => {
    await using scene = await budget();
    const { space, id } = scene;
    const { from, to, fields, patch, words, summary } = await space.compare(id, { from: 1, to: 3 });
    expect([from.version, to.version, fields]).toEqual([1, 3, ["content", "tags"]]);
    expect(patch).toEqual([
      { op: "replace", path: "/content", value: "The budget is 60M." },
      { op: "add", path: "/tags/0", value: "money" },
    ]);
    expect(
      words
        .filter(({ op }) => op !== "added")
        .map(({ text }) => text)
        .join(""),
    ).toBe(from.content);
    expect(summary).toBe("budget 50M → 60M; “the period is Jan–Mar” dropped; tag money added");
    expect((await space.compare(id)).summary).toBe("tag money added");
    expect((await space.compare(id, { from: 3, to: 1 })).summary).toContain("budget 60M → 50M");
    await expect(space.compare(id, { to: 1 })).rejects.toMatchObject({ code: "BAD_INPUT" });
  });

  test("[VN6] blame names who wrote each phrase and field, on a branch and after its merge", async () => {
    await using scene = await budget();
    const { space, ada, bo, id } = scene;
    await bo.branches.create("draft");
    await bo.revise(id, { content: "The budget is 60M. Carla signs it." }, { branch: "draft" });
    await ada.revise(id, { content: "The yearly budget is 60M." });
    await ada.merge({ from: "draft" });
    const { content, fields } = await space.blame(id);
    expect(content.map(({ text, setBy }) => [text, setBy.by.agent, setBy.version])).toEqual([
      ["The ", "ada", 1],
      ["yearly ", "ada", 4],
      ["budget is ", "ada", 1],
      ["60M", "bo", 2],
      [". ", "ada", 1],
      ["Carla signs it.", "bo", 4],
    ]);
    const tags = fields.find(({ field }) => field === "tags");
    expect(tags).toMatchObject({ value: ["money"], setBy: [{ version: 3, type: "tag" }] });
    expect((await space.blame(id, { branch: "draft" })).content.at(-1)?.text).toBe("Carla signs it.");
  });

  test("[VN6] text that a restore brings back is blamed on the restore", async () => {
    await using scene = await budget();
    const { space, ada, bo, id } = scene;
    await bo.revise(id, { content: "The budget is gone." });
    await ada.restore(id, { version: 3 });
    const { content } = await space.blame(id);
    expect(content.map(({ text, setBy }) => [text, setBy.type, setBy.by.agent])).toEqual([
      ["The budget is ", "create", "ada"],
      ["60M", "restore", "ada"],
      [".", "create", "ada"],
    ]);
  });

  test("[VN13] what was said before its correction, and what took its place", async () => {
    await using scene = await budget();
    const { space, ada, id } = scene;
    const corrected = await space.beforeCorrection(id);
    expect(corrected).toMatchObject({
      before: { version: 1, content: "The budget is 50M; the period is Jan–Mar." },
      correction: { version: 2 },
      reason: "The first number was a guess.",
    });
    const newer = await ada.remember({
      content: "There is no budget.",
      links: [{ rel: "supersedes", to: id }],
      reason: "The board met.",
    });
    const both = await ada.combine([id, newer.id], { content: "The board took the 60M back." });
    expect(await space.supersededBy(id)).toMatchObject([
      { memory: newer.id, how: "supersedes", reason: "The board met.", deleted: true },
      { memory: both.id, how: "combined", content: "The board took the 60M back.", deleted: false },
    ]);
    expect(await space.beforeCorrection(newer.id)).toBeUndefined();
    expect(await space.supersededBy(both.id)).toEqual([]);
  });
});

test("[VN9] what is written is told by the model in the background; no write and no read waits for it", async () => {
  await using world = new World();
  const { dir, stateDir, name } = world.newHome();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const summarizer: Summarizer = {
    model: "tiny-chat",
    summarize: async () => {
      asked.resolve();
      return answer.promise;
    },
  };
  const { clock, random } = world;
  await using replica = await openReplica({ dir, stateDir, name, clock: clock.now, random, summarizer });
  const space = await replica.createSpace({ name: "notes" });
  const ada = space.as({ agent: "ada" });
  const { id } = await ada.remember({ content: "The budget is 50M." });
  await ada.revise(id, { content: "The budget is 60M." });
  await asked.promise; // nobody has looked yet
  const rules = { summary: "budget 50M → 60M", summaryBy: "rules" };
  expect((await space.history(id))[1]?.change).toEqual(rules);
  expect(await space.compare(id)).toMatchObject(rules);
  answer.resolve("The budget grew to 60M.");
  expect(await space.summariesMade()).toBeUndefined();
  const written = { summary: "The budget grew to 60M.", summaryBy: "tiny-chat" };
  expect((await space.history(id))[1]?.change).toEqual(written);
  expect(await space.compare(id)).toMatchObject(written);
  expect((await space.evolution({ id })).steps[1]).toMatchObject({
    ...written,
    text: "revised “The budget is 50M.”: The budget grew to 60M.",
  });
});

describe("evolution", () => {
  test("[VN8] a query tells the story of what says so or ever did, with what superseded it", async () => {
    await using scene = await budget();
    const { world, space, ada, id } = scene;
    const noise = await ada.remember({ content: "Tea is at four." });
    const newer = await ada.remember({ content: "Nothing is paid.", links: [{ rel: "supersedes", to: id }] });
    await ada.forget(id, { reason: "Settled." });
    const { steps, memories } = await space.evolution("period Jan–Mar");
    expect(steps.map(({ text, by, reason }) => [by.agent, text, reason])).toEqual([
      ["ada", "noted “The budget is 50M; the period is Jan–Mar.”", undefined],
      [
        "bo",
        "corrected “The budget is 50M; the period is Jan–Mar.”: budget 50M → 60M; “the period is Jan–Mar” dropped",
        "The first number was a guess.",
      ],
      ["ada", "tagged “The budget is 60M.”: tag money added", undefined],
      ["ada", "noted “Nothing is paid.”, superseding “The budget is 60M.”", undefined],
      ["ada", "forgot “The budget is 60M.”", "Settled."],
    ]);
    expect(memories.map((one) => [one.id, one.isAsked, one.deleted, one.supersededBy])).toEqual([
      [id, true, true, [newer.id]],
      [newer.id, false, false, []],
    ]);
    expect(memories.some((one) => one.id === noise.id)).toBe(false);
    expect((await space.evolution({ id })).steps).toEqual(steps);
    const early = { to: steps[1]?.at ?? world.clock.now() };
    expect((await space.evolution({ id }, early)).steps).toEqual(steps.slice(0, 2));
    expect((await space.evolution({ id }, { from: steps[4]?.at ?? 0 })).steps).toEqual(steps.slice(4));
  });

  test("[VN8] a category tells of all that are or were of it; undone and decided things are steps", async () => {
    await using scene = await budget();
    const { space, ada, bo, id } = scene;
    await ada.revise(id, { category: "done" });
    await ada.revise(id, { content: "The budget is 70M." });
    await ada.undo();
    await bo.branches.create("draft");
    await bo.revise(id, { content: "The budget is 80M." }, { branch: "draft" });
    await ada.revise(id, { content: "The budget is 90M." });
    await ada.merge({ from: "draft", strategy: "newest" }).catch(() => undefined);
    const { steps } = await space.evolution({ category: "plan" });
    const types = steps.map(({ type }) => type);
    expect(types.slice(0, 6)).toEqual(["create", "correct", "tag", "move", "update", "undo"]);
    expect(steps[5]).toMatchObject({
      text: "took back a change of “The budget is 70M.”: budget 70M → 60M",
      superseded: [{ how: "taken back", content: "The budget is 70M." }],
    });
    expect((await space.evolution({ category: "nobody" })).steps).toEqual([]);
    expect((await space.evolution({ category: "plan" }, { branch: "draft" })).branch).toBe("draft");
  });

  test("[VN14] stories are told from the index alone: no document is opened", async () => {
    await using scene = await budget();
    const { world, home, id } = scene;
    const ask = async ({ space }: Pick<Device, "space">): Promise<unknown> => [
      await space.evolution({ id }),
      await space.evolution("budget"),
      await space.blame(id),
      await space.compare(id),
      await space.supersededBy(id),
    ];
    const told = await ask(scene);
    await scene.replica.close();
    const loaded = vi.spyOn(Documents.prototype, "load");
    const peeked = vi.spyOn(Documents.prototype, "peek");
    try {
      expect(await ask(await world.reopen(home))).toEqual(told);
      expect([...loaded.mock.calls, ...peeked.mock.calls]).toEqual([]);
    } finally {
      loaded.mockRestore();
      peeked.mockRestore();
    }
  });
});
