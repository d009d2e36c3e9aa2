import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Brief } from "../../src/api.js";
import { converged, numbered, World } from "../support/world.js";

const DAY_MS = 86_400_000;
const news = ({ news: { items } }: Brief): readonly string[] =>
  items.map(({ what, text, by }) => `${by.agent} ${what} ${text}`).sort();

describe("what is new", () => {
  test("[BF3] is what others created, changed and forgot since the agent's last brief", async () => {
    await using world = new World(70);
    const { space } = await world.found();
    const [ada, bob] = [space.as({ agent: "ada" }), space.as({ agent: "bob" })];
    const [kept, changed, gone] = [
      await bob.remember({ content: "Kept." }),
      await bob.remember({ content: "Before." }),
      await bob.remember({ content: "Gone." }),
    ];
    const first = await space.brief({ agent: "ada" });
    expect(first.since).toBeUndefined();
    expect(first.news).toEqual({ total: 0, items: [] });
    expect(first.matters.items.map(({ id }) => id).sort()).toEqual([kept.id, changed.id, gone.id].sort());

    await bob.remember({ content: "Created." });
    await bob.revise(changed.id, { content: "After." });
    await bob.forget(gone.id);
    const fleeting = await bob.remember({ content: "Came and went." });
    await bob.forget(fleeting.id);
    await ada.remember({ content: "By ada herself." });
    const second = await space.brief({ agent: "ada" });

    expect(news(second)).toEqual(["bob changed After.", "bob created Created.", "bob forgotten Gone."]);
    expect(second.news.total).toBe(3);
    for (const text of ["[created]", "[changed]", "[forgotten]", "bob", "After."])
      expect(second.text).toContain(text);
    expect(second.matters.items.map(({ text }) => text).sort()).toEqual(["By ada herself.", "Kept."]);
    const third = await space.brief({ agent: "ada" });
    expect(third.news.total).toBe(0);
    expect(third.text).toContain("Nothing new by others since");
  });

  test("[BF3] is what `diff` shows from the state that the brief names", async () => {
    await using world = new World(71);
    const { space } = await world.found();
    const bob = space.as({ agent: "bob" });
    await bob.remember({ content: "One." });
    await space.brief({ agent: "ada" });
    await bob.remember({ content: "Two." });
    const { since, at, news: told } = await space.brief({ agent: "ada" });
    const { created, changed, deleted } = await space.diff(since ?? "", at);
    expect(created.map(({ id }) => id)).toEqual(told.items.map(({ id }) => id));
    expect([...changed, ...deleted]).toEqual([]);
  });

  test("[BF4] is kept for each agent and branch, survives reopening, and a peek leaves it", async () => {
    await using world = new World(72);
    const { space, home, replica } = await world.found();
    await space.as({ agent: "bob" }).remember({ content: "One." });
    await space.branches.create("side");
    for (const agent of ["ada", "eve"]) await space.brief({ agent });
    await space.brief({ agent: "ada", branch: "side" });
    await space.as({ agent: "bob" }).remember({ content: "Two." });
    expect((await space.brief({ agent: "ada", peek: true })).news.total).toBe(1);
    expect((await space.brief({ agent: "ada", branch: "side" })).news.total).toBe(0);
    await replica.close();

    const { space: again } = await world.reopen(home);
    expect((await again.brief({ agent: "ada" })).news.total).toBe(1);
    expect((await again.brief({ agent: "ada" })).news.total).toBe(0);
    expect((await again.brief({ agent: "eve" })).news.total).toBe(1);
    expect((await again.brief({ agent: "dan" })).since).toBeUndefined();
  });

  test("[BF4] a lost or damaged note of the last time makes it a first time", async () => {
    await using world = new World(73);
    const { space, home, replica } = await world.found();
    await space.as({ agent: "bob" }).remember({ content: "One." });
    await space.brief({ agent: "ada" });
    const path = join(home.dir, "spaces", space.id, "briefs.json");
    expect(existsSync(path)).toBe(true);
    await replica.close();
    for (const text of ["{", '{"v":2}', '{"v":1,"marks":[{"agent":4}]}']) {
      writeFileSync(path, text);
      const device = await world.reopen(home);
      const brief = await device.space.brief({ agent: "ada", peek: true });
      expect(brief.since, text).toBeUndefined();
      await device.replica.close();
    }
  });

  test("[BF3] can be asked for from any ref of the branch, and of no other", async () => {
    await using world = new World(74);
    const { space } = await world.found();
    const bob = space.as({ agent: "bob" });
    await bob.remember({ content: "One." });
    await space.checkpoints.create({ name: "begun" });
    await space.brief({ agent: "ada" });
    await bob.remember({ content: "Two." });
    await space.brief({ agent: "ada" });
    await space.branches.create("side");
    expect((await space.brief({ agent: "ada", since: "checkpoint:begun" })).news.total).toBe(1);
    await expect(space.brief({ since: "side" })).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(space.brief({ since: "main@nonsense" })).rejects.toMatchObject({ code: "BAD_REF" });
  });

  test("[BF3] begins with everything where the branch was empty the last time", async () => {
    await using world = new World(75);
    const { space } = await world.found();
    expect((await space.brief({ agent: "ada" })).text).toContain("Nothing is remembered here yet.");
    world.clock.advance(1_000);
    await space.as({ agent: "bob" }).remember({ content: "One." });
    expect(news(await space.brief({ agent: "ada" }))).toEqual(["bob created One."]);
  });

  test("[BF3] counts what the same agent wrote on another device, which this one has not seen", async () => {
    await using world = await World.withRelay(76);
    const first = await world.found("first");
    await first.space.as({ agent: "ada" }).remember({ content: "At home." });
    const second = await world.join(first, "second");
    await converged(first, second);
    await second.space.brief({ agent: "ada" });
    await first.space.as({ agent: "ada" }).remember({ content: "At work." });
    await converged(first, second);
    expect(news(await second.space.brief({ agent: "ada" }))).toEqual(["ada created At work."]);
  });
});

describe("what matters", () => {
  test("[BF5] comes by strength and importance: an old important memory before yesterday's small talk", async () => {
    await using world = new World(77);
    const { space } = await world.found();
    const agent = space.as({ agent: "bob" });
    const vital = await agent.remember({ content: "Allergic to nuts.", importance: 1 });
    const used = await agent.remember({ content: "The office is in Lisbon." });
    const expired = await agent.remember({
      content: "On leave.",
      importance: 1,
      validUntil: world.clock.now() + DAY_MS,
    });
    await agent.remember({ content: "Old and idle." });
    world.clock.advance(200 * DAY_MS);
    await agent.reinforce([used.id], { times: 20 });
    for (const content of numbered(3, "small talk")) await agent.remember({ content, importance: 0.1 });

    const { matters } = await space.brief({ agent: "ada" });
    const order = matters.items.map(({ text }) => text);
    expect(order.slice(0, 2).sort()).toEqual(["Allergic to nuts.", "The office is in Lisbon."]);
    expect(order[2]).toBe("Old and idle.");
    expect(matters.items.map(({ id }) => id)).not.toContain(expired.id);
    const { strength } = await space.strength(vital.id);
    expect(matters.items.find(({ id }) => id === vital.id)?.strength).toBeCloseTo(strength, 2);
  });

  test("[BF5] finds what is important, used or new among thousands, on a fork as well", async () => {
    await using world = new World(78);
    const { space } = await world.found();
    const agent = space.as({ agent: "bob" });
    const vital = await agent.remember({ content: "Vital.", importance: 0.95 });
    const often = await agent.remember({ content: "Often asked." });
    world.clock.advance(100 * DAY_MS);
    await Promise.all(numbered(600, "filler").map((content) => agent.remember({ content, importance: 0.3 })));
    await agent.reinforce([often.id], { times: 50 });
    await space.branches.create("side");
    await agent.revise(vital.id, { content: "Vital on main.", importance: 0.95 });

    for (const [branch, text] of [
      ["main", "Vital on main."],
      ["side", "Vital."],
    ] as const) {
      const { matters } = await space.brief({ branch, peek: true });
      expect(
        matters.items
          .slice(0, 2)
          .map((item) => item.text)
          .sort(),
        branch,
      ).toEqual(["Often asked.", text].sort());
      expect(matters.total).toBe(602);
      expect(matters.items.length).toBeLessThan(matters.total);
    }
  });
});

describe("the brief", () => {
  test("[BF6] tells of open conflicts, of what waits for the owner, and what a person should know", async () => {
    await using world = await World.withRelay(79);
    const first = await world.found("first");
    const { id } = await first.space.as({ agent: "bob" }).remember({ content: "The meeting is on Monday." });
    const second = await world.join(first, "second");
    await converged(first, second);
    await first.space.sync.stop();
    await first.space.as({ agent: "bob" }).revise(id, { content: "The meeting is on Tuesday." });
    await second.space.as({ agent: "eve" }).revise(id, { content: "The meeting is on Friday." });
    first.space.sync.start();
    await converged(first, second);
    await first.space.policy.set("write", "agent", "approve");
    await expect(first.space.as({ agent: "bob" }).remember({ content: "x" })).rejects.toMatchObject({
      code: "APPROVAL_NEEDED",
    });

    const { conflicts, requests, text } = await first.space.brief({ agent: "ada" });
    expect(conflicts).toMatchObject({ total: 1, items: [{ id, fields: ["content"] }] });
    expect(requests).toMatchObject({
      total: 1,
      items: [{ operation: "write", by: expect.stringMatching(/ · bob \(agent\)$/) }],
    });
    expect(text).toContain("Open conflicts (1):");
    expect(text).toContain("Waiting for the owner (1):");
    const { notices } = await first.space.status();
    expect((await first.space.brief()).notices.total).toBe(notices.length);
  });

  test("[BF1] stays within any budget, of any space, and shows in its parts what its text shows", async () => {
    await using world = new World(80);
    const { space } = await world.found();
    const content = fc
      .string({ unit: "binary", minLength: 1, maxLength: 400 })
      .filter((text) => text.trim() !== "");
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { maxLength: 8 }),
        fc.integer({ min: 500, max: 6_000 }),
        fc.string({ unit: "grapheme", maxLength: 300 }),
        async (contents, maxBytes, agent) => {
          const bob = space.as({ agent: `bob ${agent}` });
          for (const one of contents)
            await bob.remember({ content: one.toWellFormed(), category: one.slice(0, 9).toWellFormed() });
          const options = { agent, maxBytes };
          const before = await space.brief({ ...options, peek: true });
          const brief = await space.brief(options);
          expect(brief).toEqual(before);
          expect(Buffer.byteLength(brief.text)).toBeLessThanOrEqual(maxBytes);
          const parts = [brief.news, brief.matters];
          const lines = brief.text
            .split("\n")
            .filter((line) => line.startsWith("- ") && !/^- \d+ more: /.test(line));
          expect(parts.reduce((sum, { items }) => sum + items.length, 0)).toBe(lines.length);
          for (const { items } of parts) for (const { text } of items) expect(brief.text).toContain(text);
        },
      ),
      { numRuns: 40 },
    );
    for (const maxBytes of [499, 1_000_001, 600.5])
      await expect(space.brief({ maxBytes })).rejects.toMatchObject({ code: "BAD_INPUT" });
    expect(Buffer.byteLength((await space.brief()).text)).toBeLessThanOrEqual(4_000);
  });
});
