import { createHash } from "node:crypto";
import { cpSync, mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Space } from "../../src/api.js";
import { openReplica } from "../../src/replica/open-replica.js";
import { seededNumbers } from "../support/seeded.js";
import { type Device, World } from "../support/world.js";

const DAY_MS = 86_400_000;
const WORDS = ["harbour", "lantern", "meadow", "orchard", "saddle", "violet", "walnut", "zephyr"];
const ownerOf = ({ space }: Device) => space.as({ role: "owner" });

/** Writes on three branches, forgets and merges; each text has a word that no other has. */
async function lived(world: World, { space }: Device, seed: number): Promise<number> {
  const next = seededNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item;
  const ada = space.as({ agent: "ada" });
  const branches = ["main"];
  let texts = 0;
  /** Two lines, so that what two sides write merges; each time one of them has another word. */
  const textOn = (before: string): string => {
    texts += 1;
    const lines = before.split("\n");
    lines[Math.floor(next() * lines.length)] = `The ${pick(WORDS)} has a long name: ${wordOf(texts)}`;
    return lines.join("\n");
  };
  const FIRST = "A line that stays for quite a while\nAnd one more that may stay\nAnd the last";
  for (let step = 0; step < 70; step += 1) {
    world.clock.advance(DAY_MS);
    const branch = pick(branches);
    const { memories } = await space.list({ at: branch, limit: 100 });
    const { id, content = FIRST } = memories.length === 0 ? {} : pick(memories);
    const kind = pick(["new", "revise", "revise", "revise", "tag", "forget", "merge", "merge", "branch"]);
    if (id === undefined || (kind === "new" && memories.length < 7))
      await ada.remember({ content: textOn(FIRST), category: pick(["plan", "taste"]) }, { branch });
    else if (kind === "revise") await ada.revise(id, { content: textOn(content) }, { branch });
    else if (kind === "tag") await ada.revise(id, { tags: [pick(WORDS)] }, { branch });
    else if (kind === "forget" && next() < 0.3) await ada.forget(id, { branch });
    else if (kind === "branch" && branches.length < 3) {
      branches.push(`b${branches.length}`);
      await space.branches.create(branches.at(-1) as string);
    } else if (kind === "merge" && branch !== "main") await ada.merge({ from: branch });
    else if (kind === "merge" && branches.length > 1)
      await ada.merge({ from: "main", into: branches[1] as string });
  }
  // One branch stays; then everything is followed by another text, so that nearly all of the past may go.
  for (const from of branches.slice(1)) await ada.merge({ from });
  for (const name of branches.slice(2)) await space.branches.delete(name);
  for (const { id, content } of (await space.list({ limit: 100 })).memories) {
    world.clock.advance(DAY_MS);
    await ada.revise(id, { content: textOn(content), category: "plan" });
  }
  for (const into of branches.slice(1, 2)) await ada.merge({ from: "main", into });
  return texts;
}

/** Nothing of one is in another: indexes shorten what begins alike. */
const wordOf = (number: number): string =>
  createHash("md5").update(String(number)).digest("hex").replace(/[0-9]/g, "x").slice(0, 20);

/** What can be asked of the index: now, at every change, at dates, by words. */
async function answers(space: Space): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const refs = new Set(["main", "main@2026-01-20"]);
  const { changes } = await space.log({ limit: 200 });
  for (const { hash, at } of changes) {
    refs.add(`main@heads:${hash}`);
    refs.add(`main@${new Date(at).toISOString()}`);
  }
  for (const { name } of await space.branches.list()) refs.add(name);
  for (const at of refs) {
    const { memories } = await space.list({ at, limit: 100 }).catch(() => ({ memories: [] }));
    found.push(at, memories);
  }
  for (const { name } of await space.branches.list())
    for (const { id } of (await space.list({ at: name, limit: 100 })).memories)
      found.push(name, await space.history(id, { at: name }));
  for (const word of WORDS) {
    found.push(word, (await space.recall(word)).map(({ id, content }) => [id, content]).sort());
    const past = await space.recall(word, {
      at: `main@heads:${changes[Math.floor(changes.length / 2)]?.hash}`,
    });
    found.push(past.map(({ id, content, erased }) => [id, content, erased]).sort());
  }
  found.push(await space.conflicts(), changes);
  return found;
}

/** In which files each is found, with their logs. */
async function placesOf(
  space: Space,
  words: readonly string[],
): Promise<readonly (readonly [string, string])[]> {
  const found = (await space.traces(words)).map(
    ({ text, path }) => `${text} ${basename(path).replace("-wal", "")}`,
  );
  return [...new Set(found)].sort().map((one) => one.split(" ") as [string, string]);
}

test("[RT26] texts are taken out of the index where they are, and it answers as a new one does", async () => {
  let [pruned, gone] = [0, 0];
  for (const seed of process.env.CAMBIUM_SOAK === "1" ? [1, 2, 3, 4, 5, 6] : [1, 2]) {
    await using world = new World(seed);
    const device = await world.found();
    const { space } = device;
    const texts = await lived(world, device, seed);
    await space.recall("harbour lantern", { at: `main@heads:${(await space.log()).changes[5]?.hash}` });
    await ownerOf(device).changeSettings({
      set: { "retention.contents": 1, "retention.days": 0, "retention.differences": "no" },
    });
    const words = Array.from({ length: texts }, (_, number) => wordOf(number + 1).slice(4));
    const file = join(device.home.dir, "spaces", space.id, "index.sqlite");
    const { ino, birthtimeMs } = statSync(file);
    const { counts } = await ownerOf(device).prune();
    pruned += counts.versions;
    expect(statSync(file)).toMatchObject({ ino, birthtimeMs });
    const inPlace = await answers(space);
    // What the texts that stay share with those that go is in a new one, too.
    const places = await placesOf(space, words);
    await space.reindex();
    expect(inPlace).toEqual(await answers(space));
    expect(places).toEqual(await placesOf(space, words));
    gone += texts - new Set(places.map(([word]) => word)).size;
  }
  expect(gone).toBeGreaterThan(20);
  expect(pruned).toBeGreaterThan(20);
}, 60_000);

const isRuled = async (space: Space): Promise<boolean> =>
  ((await space.log({ type: "retention" })).events?.length ?? 0) > 0;

test("[RT26] writes and searches go on while texts are pruned, and a run that was cut short is gone on with", async () => {
  await using world = new World(9);
  const device = await world.found();
  const { space, home } = device;
  const ada = space.as({ agent: "ada" });
  for (let number = 0; number < 40; number += 1) {
    const { id } = await ada.remember({ content: `harbour ${wordOf(number)} one` });
    await ada.revise(id, { content: `harbour two ${number}` });
  }
  world.clock.advance(DAY_MS);
  await ownerOf(device).changeSettings({
    set: { "retention.contents": 1, "retention.days": 0, "retention.differences": "no" },
  });
  const copies: string[] = [];
  let isDone = false;
  let written = 0;
  const pruning = ownerOf(device)
    .prune()
    .finally(() => {
      isDone = true;
    });
  const writing = (async () => {
    for (; !isDone; written += 1) {
      await ada.remember({ content: `written meanwhile ${written}` });
      expect((await space.recall("harbour", { limit: 5 })).length).toBe(5);
    }
  })();
  for (let turn = 0, next = 0, since = 0; !isDone; turn += 1, await setImmediate()) {
    if (turn < next || !(await isRuled(space))) continue;
    const copy = `${world.root}/copy-${turn}`;
    mkdirSync(copy);
    cpSync(home.dir, copy, { recursive: true });
    copies.push(copy);
    since += 1;
    next = turn + since;
  }
  expect(await pruning).toMatchObject({ status: "pruned", counts: { versions: 40 } });
  await writing;
  expect(written).toBeGreaterThan(3);
  const gone = [0, 7, 39].map(wordOf);
  expect(await space.traces(gone.map((word) => word.slice(4)))).toEqual([]);
  expect(copies.length).toBeGreaterThan(3);
  let cut = 0;
  for (const dir of copies) {
    await using replica = await openReplica({ dir, stateDir: `${dir}-state`, clock: world.clock.now });
    const again = await replica.openSpace(space.id);
    if (!(await isRuled(again))) continue; // before the rule was on disk
    cut += 1;
    expect(await again.traces(gone.map((word) => word.slice(4)))).toEqual([]);
    expect(
      (await again.recall("harbour", { limit: 50 })).every(({ content }) => content.includes("two")),
    ).toBe(true);
    expect(await again.verify()).toMatchObject({ ok: true });
  }
  expect(cut).toBeGreaterThan(3);
}, 60_000);

test("[IX13] after many texts were pruned, the pages of a closed index are full", async () => {
  await using world = new World(11);
  const device = await world.found();
  const { space, home } = device;
  const ada = space.as({ agent: "ada" });
  const lengthy = (number: number, words: string) =>
    `${createHash("sha512").update(String(number)).digest("base64").repeat(4)} ${words}`;
  const ids = await Promise.all(
    Array.from({ length: 130 }, async (_, number) => {
      const { id } = await ada.remember({ content: lengthy(number, "one") });
      return id;
    }),
  );
  for (const words of ["one and two", "two and three"])
    await Promise.all(
      ids.map((id, number) => ada.revise(id, { content: `${lengthy(number, words)} ${number}` })),
    );
  world.clock.advance(DAY_MS);
  await ownerOf(device).changeSettings({ set: { "retention.contents": 1, "retention.days": 0 } });
  expect(await ownerOf(device).prune()).toMatchObject({ counts: { versions: 260 } });
  await device.replica.close();
  const path = join(home.dir, "spaces", space.id, "index.sqlite");
  expect(fillOf(path, "forms")).toBeGreaterThan(0.85);
  const again = await world.reopen(home);
  expect(await again.space.verify()).toMatchObject({ ok: true, damaged: [] });
  expect(await again.space.recall("three", { limit: 50 })).toHaveLength(50);
}, 60_000);

/** Which part of the pages of a table its rows take. */
function fillOf(path: string, table: string): number {
  using database = new DatabaseSync(path, { readOnly: true });
  const row = database
    .prepare("SELECT sum(payload) * 1.0 / sum(pgsize) AS fill FROM dbstat WHERE name = ?")
    .get(table);
  return Number(row?.fill);
}
