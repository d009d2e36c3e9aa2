import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Catalog, type ErasureEntry, packHashes, type ReplicaId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import type { SettingsChange } from "../../src/api.js";
import { ErasureNote } from "../../src/documents/erasure-note.js";
import { ArrivalGuard, type ArrivalGuardOptions } from "../../src/erasure/arrival-guard.js";
import { contentsOf, type Device, synced, World } from "../support/world.js";

const DAY_MS = 86_400_000;
const ownerOf = ({ space }: Device) => space.as({ role: "owner" });

/** A memory with several texts, each a day after the one before. */
async function written(world: World, { space }: Device, texts: readonly string[]): Promise<string> {
  const [first = "", ...others] = texts;
  const agent = space.as({ agent: "ada" });
  const { id } = await agent.remember({
    content: first,
    summary: "About the door",
    category: "home",
  } as never);
  for (const content of others) {
    world.clock.advance(DAY_MS);
    await agent.revise(id, { content });
  }
  return id;
}

const textsOf = async ({ space }: Device, id: string) =>
  (await space.history(id)).map(({ content, erased }) => erased ?? content);

const bothSynced = async (...devices: readonly Device[]): Promise<void> => {
  for (let round = 0; round < 3; round += 1) for (const device of devices) await synced(device);
};

const FIVE = ["Zwyvern one", "Zwyvern two", "Zwyvern three", "Zwyvern four", "Zwyvern five"];

describe("retention", () => {
  test("[RT11] prunes the texts that the rules do not keep, says before what goes, and leaves the rest of each version", async () => {
    await using world = new World(501);
    const a = await world.found("a");
    const id = await written(world, a, FIVE);
    expect(await ownerOf(a).prune()).toMatchObject({ status: "off" });
    await ownerOf(a).changeSettings({ set: { "retention.contents": 2, "retention.days": 30 } });
    expect(await ownerOf(a).prune()).toMatchObject({ status: "nothing" });
    world.clock.advance(31 * DAY_MS);
    const before = (await a.space.history(id)).map(({ record, at, contentHash: _, ...one }) => [
      record,
      at,
      one.tags,
    ]);
    const preview = await ownerOf(a).prune({ preview: true });
    expect(preview).toMatchObject({
      ...{ status: "preview", counts: { memories: 1, versions: 3 }, memories: [{ id, versions: 3 }] },
      bytes: expect.any(Number),
    });
    expect(preview.bytes).toBeGreaterThan(100);
    expect(await textsOf(a, id)).toEqual(FIVE);
    const asIf = (settings: SettingsChange) => ownerOf(a).prune({ preview: true, settings });
    expect((await asIf({ set: { "retention.contents": 4 } })).counts).toEqual({ memories: 1, versions: 1 });
    expect(await asIf({ preset: "keep-everything" })).toMatchObject({ status: "off" });
    await expect(asIf({ preset: "tidy" })).rejects.toMatchObject({ code: "BAD_SETTING" });
    await expect(ownerOf(a).prune({ settings: { preset: "lean" } })).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
    expect(await ownerOf(a).prune()).toMatchObject({ status: "pruned", counts: preview.counts });
    expect(await textsOf(a, id)).toEqual(["pruned", "pruned", "pruned", "Zwyvern four", "Zwyvern five"]);
    const after = (await a.space.history(id)).map(({ record, at, contentHash: _, ...one }) => [
      record,
      at,
      one.tags,
    ]);
    expect(after).toEqual(before);
    expect(await contentsOf(a)).toEqual(["Zwyvern five"]);
    expect(await a.space.traces(["Zwyvern two"])).toEqual([]);
    expect((await a.space.traces(["Zwyvern four"])).length).toBeGreaterThan(0);
    expect(await a.space.erasures()).toEqual([]);
    expect((await a.space.verify()).ok).toBe(true);
    expect(await ownerOf(a).prune()).toMatchObject({ status: "nothing" });
    const { entries } = await a.space.audit.list({ operation: "retention" });
    expect(entries).toHaveLength(1);
    const { events } = await a.space.log({ type: "retention" });
    expect(events).toMatchObject([{ type: "retention", from: "space", memories: 1 }]);
  });

  test("[RT12] what is pinned, in a checkpoint made by hand, in conflict or on a branch stays", async () => {
    await using world = new World(502);
    const a = await world.found("a");
    const pinned = await written(world, a, ["p one", "p two"]);
    await a.space.as({}).revise(pinned, { pins: ["door.md"] });
    const id = await written(world, a, ["one", "two"]);
    await a.space.checkpoints.create({ name: "by hand" });
    await a.space.as({}).revise(id, { content: "three" });
    await a.space.branches.create("work");
    await a.space.as({}).revise(id, { content: "four" });
    await a.space.as({}).revise(id, { content: "five" });
    await ownerOf(a).changeSettings({ set: { "retention.contents": 1, "retention.days": 0 } });
    await ownerOf(a).prune();
    expect(await textsOf(a, pinned)).toEqual(["p one", "p two", "p two"]);
    expect(await textsOf(a, id)).toEqual(["pruned", "two", "three", "pruned", "five"]);
    expect(
      (await a.space.list({ at: "checkpoint:by hand", category: "home" })).memories.map(
        ({ content }) => content,
      ),
    ).toContain("two");
    await a.space.as({}).revise(id, { content: "three, on the branch" }, { branch: "work" });
    const { conflicts } = await a.space.merge({ from: "work", preview: true });
    expect(conflicts[0]?.fields[0]).toMatchObject({ field: "content", base: "three" });
  });

  test("[RT13] rules of a category go before those of the space", async () => {
    await using world = new World(503);
    const a = await world.found("a");
    const id = await written(world, a, ["one", "two", "three"]);
    await ownerOf(a).changeSettings({
      set: { "retention.contents": 1, "retention.days": 0, "retention.contents@category:home": 2 },
    });
    await ownerOf(a).prune();
    expect(await textsOf(a, id)).toEqual(["pruned", "two", "three"]);
  });

  test("[RT14] nothing goes that another device may build upon; once all have said what they have, it goes everywhere", async () => {
    const world = await World.withRelay(504);
    await using _world = world;
    const ada = await world.found();
    const bob = await world.join(ada, "bob", { role: "admin" });
    const id = await written(world, ada, ["a; b; c", "a; b; c; d", "a; b; c; d; e"]);
    await ownerOf(ada).changeSettings({ set: { "retention.contents": 1, "retention.days": 0 } });
    await bothSynced(ada, bob);
    const waiting = await ownerOf(ada).prune();
    expect(waiting).toMatchObject({ status: "nothing", waitingFor: [{ name: bob.replica.name }] });
    world.clock.advance(2 * DAY_MS);
    await bothSynced(ada, bob);
    expect(await ownerOf(bob).prune()).toMatchObject({ status: "pruned", counts: { versions: 2 } });
    await bothSynced(ada, bob);
    expect(await textsOf(ada, id)).toEqual(["pruned", "pruned", "a; b; c; d; e"]);
    expect(await textsOf(bob, id)).toEqual(["pruned", "pruned", "a; b; c; d; e"]);
    // An edit made beside another one still merges: their base is kept.
    await ada.space.as({}).revise(id, { content: "a1; b; c; d; e" });
    await bob.space.as({}).revise(id, { content: "a; b; c; d; e2" });
    await bothSynced(ada, bob);
    expect(await contentsOf(ada)).toEqual(["a1; b; c; d; e2"]);
    expect(await contentsOf(bob)).toEqual(["a1; b; c; d; e2"]);
    // Nobody is asked about it. (The clock of the test makes leaps, and status may say so.)
    expect((await bob.space.status()).notices.join()).not.toContain("eras");
  });

  test("[RT24] a device that is silent for too long, or was removed, is not waited for", async () => {
    await using world = await World.withRelay(506);
    let ada = await world.found();
    const bob = await world.join(ada, "bob", { role: "admin" });
    const id = await written(world, ada, ["one", "two"]);
    await ownerOf(ada).changeSettings({
      set: { "retention.contents": 1, "retention.days": 0, "retention.wait": 30 },
    });
    await bothSynced(ada, bob);
    expect(await ownerOf(ada).prune()).toMatchObject({ waitingFor: [{ name: bob.replica.name }] });
    // Away while the clock leaps, so that nothing under way tells an old time.
    await ada.replica.close();
    world.clock.advance(31 * DAY_MS);
    ada = await world.reopen(ada.home, { connect: false });
    expect(await ownerOf(ada).prune()).toMatchObject({ status: "pruned", waitingFor: [] });
    await ada.replica.close();
    ada = await world.reopen(ada.home);
    await bothSynced(ada, bob);
    expect(await textsOf(bob, id)).toEqual(["pruned", "two"]);

    await ownerOf(bob).prune();
    await bothSynced(ada, bob);
    await ada.space.as({}).revise(id, { content: "three" });
    world.clock.advance(DAY_MS);
    expect(await ownerOf(ada).prune()).toMatchObject({ status: "nothing" });
    await ada.space.as({ confirmed: true }).members.revoke(bob.replica.name, { devices: true });
    expect(await ownerOf(ada).prune()).toMatchObject({ status: "pruned", counts: { versions: 1 } });
  });

  test("[RT25] two devices that prune at once agree, and neither brings back what the other pruned", async () => {
    await using world = await World.withRelay(507);
    const ada = await world.found();
    const bob = await world.join(ada, "bob", { role: "admin" });
    const id = await written(world, ada, ["a; b; c; d", "a; b; c; d; e", "a; b; c; d; e; f"]);
    await ownerOf(ada).changeSettings({ set: { "retention.contents": 1, "retention.days": 0 } });
    await bothSynced(ada, bob);
    const alone = async (device: Device): Promise<Device> => {
      await device.replica.close();
      return world.reopen(device.home, { connect: false });
    };
    const back = async (device: Device): Promise<Device> => {
      await device.replica.close();
      return world.reopen(device.home);
    };
    // Each says what it has before it hears of the other: then neither has let anything go yet.
    const [adaFirst, bobFirst] = [await alone(ada), await alone(bob)];
    for (const device of [adaFirst, bobFirst])
      expect((await ownerOf(device).prune()).counts).toEqual({ memories: 0, versions: 0 });
    const [adaNow, bobNow] = [await back(adaFirst), await back(bobFirst)];
    await bothSynced(adaNow, bobNow);
    world.clock.advance(2 * DAY_MS);
    const [adaAlone, bobAlone] = [await alone(adaNow), await alone(bobNow)];
    for (const device of [adaAlone, bobAlone])
      expect((await ownerOf(device).prune()).counts).toEqual({ memories: 1, versions: 2 });
    await adaAlone.space.as({}).revise(id, { content: "a1; b; c; d; e; f" });
    await bobAlone.space.as({}).revise(id, { content: "a; b; c; d; e; f2" });
    const both = [await back(adaAlone), await back(bobAlone)];
    await bothSynced(...both);
    for (const device of both) {
      expect(await contentsOf(device)).toEqual(["a1; b; c; d; e; f2"]);
      expect((await textsOf(device, id)).filter((text) => text === "pruned")).toHaveLength(2);
      expect((await device.space.verify()).ok).toBe(true);
      const { events } = await device.space.log({ type: "retention" });
      expect(events).toHaveLength(1);
    }
  });

  test("[RT15] states, digests, undo, rollback and restore answer over pruned versions", async () => {
    await using world = new World(505);
    const a = await world.found("a");
    const id = await written(world, a, ["one", "two", "three"]);
    const heads = (await a.space.log()).changes.map(({ hash }) => hash);
    const past = `main@heads:${heads.at(-1)}`;
    await ownerOf(a).changeSettings({ set: { "retention.contents": 1, "retention.days": 0 } });
    await ownerOf(a).prune();
    const then = await a.space.get(id, { at: past });
    expect(then).toMatchObject({ erased: "pruned", content: "", category: "home", version: 1 });
    expect((await a.space.list({ at: past })).memories).toHaveLength(1);
    expect((await a.space.diff(past)).changed).toMatchObject([{ id, fields: ["content"] }]);
    await expect(a.space.as({}).restore(id, { version: 1 })).rejects.toMatchObject({
      code: "CONTENT_PRUNED",
    });
    const confirmed = a.space.as({ confirmed: true });
    const left = { changed: [], textsGone: [id], counts: { changed: 0 } };
    expect(await confirmed.rollback({ to: past, preview: true })).toMatchObject({
      status: "preview",
      ...left,
    });
    expect(await confirmed.rollback({ to: past })).toMatchObject({ status: "up-to-date", ...left });
    const refused = { code: "CONTENT_PRUNED", details: { memories: [id] } };
    await expect(a.space.undo()).rejects.toMatchObject(refused);
    await expect(a.space.undo({ preview: true })).rejects.toMatchObject({
      ...refused,
      hint: expect.stringContaining(`cambium undo --change ${heads.at(-1)?.slice(0, 12)}`),
    });
    await expect(a.space.undo({ change: heads[0] })).rejects.toMatchObject(refused);
    expect((await a.space.get(id)).content).toBe("three");
    // What can be told of one change is undone, and the rest is named.
    const { id: other } = await a.space.as({}).remember({ content: "other" });
    expect(await a.space.undo({ last: 2, preview: true })).toMatchObject({
      memories: [{ id: other, deleted: true }],
      textsGone: [id],
    });
    expect(await a.space.undo({ last: 2 })).toMatchObject({ memories: [{ id: other }], textsGone: [id] });
    expect((await a.space.get(id)).content).toBe("three");
    expect((await a.space.verify()).ok).toBe(true);
  });
});

test("[RT29] of the two rules that go together, the one that is not set shows what counts", async () => {
  await using world = new World(508);
  const a = await world.found("a");
  const shown = async (change: SettingsChange) => {
    const { settings } = await ownerOf(a).changeSettings(change);
    return (key: string) => settings.find((one) => one.key === `retention.${key}`)?.value;
  };
  const byContents = await shown({ set: { "retention.contents": 3 } });
  expect([byContents("contents"), byContents("days")]).toEqual([3, 0]);
  const byDays = await shown({ set: { "retention.days": 30 }, unset: ["retention.contents"] });
  expect([byDays("contents"), byDays("days")]).toEqual([1, 30]);
  const all = await shown({ set: { "retention.contents": "all" }, unset: ["retention.days"] });
  expect([all("contents"), all("days")]).toEqual(["all", "never"]);
  const scoped = await shown({ set: { "retention.contents@category:home": 2 } });
  expect([scoped("contents@category:home"), scoped("days@category:home")]).toEqual([2, 0]);
  expect(scoped("days")).toBe("never");
  const both = await shown({ set: { "retention.days": 90 } });
  expect(both("days@category:home")).toBeUndefined();
});

test("[RT19] a rule that comes and names texts which are current here is held; one that names old ones is followed", async () => {
  const dir = mkdtempSync(join(tmpdir(), "cambium-guard-"));
  try {
    const hash = (of: string, number: number) => `${of}${String(number).padStart(63, "0")}`;
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    // Each memory has an old text and a current one.
    const headers = numbers.flatMap((number) =>
      ["a", "b"].map((of, place) => ({
        ...{ hash: hash(of, number), memory: `m${number}`, type: "update", at: 0, decides: ["content"] },
        parents: place === 0 ? [] : [hash("a", number)],
        ...{
          content: { hash: hash(`${place === 0 ? "c" : "d"}`, number) },
          meta: { hash: hash("e", number) },
        },
      })),
    );
    const ruleOf = (of: string): ErasureEntry => ({
      ...{
        seen: {},
        texts: new Uint8Array(),
        at: 1,
        cause: "retention",
        by: { replica: "other" as ReplicaId },
      },
      counts: { memories: 40, versions: 40 },
      parts: packHashes(numbers.map((number) => hash(of, number) as never)),
    });
    const entries = new Map(["c", "d"].map((of) => [`pruned-${of}`, { value: ruleOf(of), others: [] }]));
    const note = new ErasureNote(join(dir, "erasures.json"));
    const catalog = { current: { erasures: entries, settings: new Map() } as unknown as Catalog };
    const packErasure = {
      headers: async () => headers,
      presentParts: async () => new Set(headers.map(({ content }) => content.hash)),
    };
    const guard = new ArrivalGuard({
      ...{ catalog, note, now: () => 1, packs: { erasureEntries: [] }, packErasure },
    } as unknown as ArrivalGuardOptions);
    await guard.judge();
    expect([note.stateOf("pruned-c"), note.stateOf("pruned-d")]).toEqual(["in-force", "held"]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
