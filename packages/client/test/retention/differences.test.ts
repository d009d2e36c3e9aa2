import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { openReplica } from "../../src/replica/open-replica.js";
import { seededNumbers } from "../support/seeded.js";
import { allSynced, type Device, synced, World } from "../support/world.js";

const DAY_MS = 86_400_000;
const ownerOf = ({ space }: Device) => space.as({ role: "owner", confirmed: true });

/** About 500 letters, of which each next version exchanges one sentence in ten. */
function textsOf(name: string, count: number, seed = 1): readonly string[] {
  const next = seededNumbers(seed);
  const sentence = (place: number): string =>
    `${name} ${place} has the number ${Math.floor(next() * 1e12).toString(36)} and a lamp.`;
  let sentences = Array.from({ length: 10 }, (_, place) => sentence(place));
  const texts = [sentences.join(" ")];
  while (texts.length < count) {
    const place = Math.floor(next() * sentences.length);
    sentences = sentences.with(place, sentence(place));
    texts.push(sentences.join(" "));
  }
  return texts;
}

async function written(
  world: World,
  { space }: Device,
  texts: readonly string[],
  more = {},
): Promise<string> {
  const agent = space.as({ agent: "ada" });
  const { id } = await agent.remember({ content: texts[0] ?? "", ...more });
  for (const content of texts.slice(1)) {
    world.clock.advance(DAY_MS);
    await agent.revise(id, { content });
  }
  return id;
}

const howOf = async ({ space }: Device, id: string, count: number) => {
  const found: string[] = [];
  for (let version = 1; version <= count; version += 1) found.push((await space.text(id, version)).how);
  return found;
};

const prune = async (device: Device, set: Record<string, string | number>) => {
  await ownerOf(device).changeSettings({ set });
  return ownerOf(device).prune();
};

const fileOf = ({ home, space }: Device): string => join(home.dir, "spaces", space.id, "differences.sqlite");

test("[RT30] a pruned text is rebuilt from later versions, exactly, over several of them, and the answer says so", async () => {
  await using world = new World(611);
  const a = await world.found("a");
  const texts = textsOf("Zwyvern", 7);
  const id = await written(world, a, texts);
  await ownerOf(a).changeSettings({ set: { "retention.contents": 1 } });
  const preview = await ownerOf(a).prune({ preview: true });
  expect(preview.differences.texts).toBe(6);
  expect(preview.differences.bytes).toBeLessThan(preview.bytes / 2);
  expect(await ownerOf(a).prune()).toMatchObject({ status: "pruned", differences: preview.differences });
  for (const [place, text] of texts.entries()) {
    const how = place === 6 ? "whole" : "difference";
    expect(await a.space.text(id, place + 1)).toMatchObject({ how, text });
  }
  expect((await a.space.history(id)).map(({ erased, content }) => erased ?? content)).toEqual([
    ...Array.from({ length: 6 }, () => "pruned"),
    texts[6],
  ]);
  await a.replica.close();
  const again = await world.reopen(a.home);
  expect(await again.space.text(id, 1)).toMatchObject({ how: "difference", text: texts[0] });
  // The one that all others are put together from is replaced, by a text that has nothing in common with it.
  world.clock.advance(DAY_MS);
  await again.space.as({}).revise(id, { content: "Quite another thing." });
  await ownerOf(again).prune();
  expect(await howOf(again, id, 8)).toEqual([...Array.from({ length: 7 }, () => "none"), "whole"]);
});

test("[RT31] within versions and depth a difference stays, beyond them nothing does, and none where that is not wanted", async () => {
  await using world = new World(612);
  const a = await world.found("a");
  const ids = {
    plan: await written(world, a, textsOf("Plan", 6, 2), { category: "plan" }),
    taste: await written(world, a, textsOf("Taste", 6, 3), { category: "taste" }),
    other: await written(world, a, textsOf("Other", 6, 4)),
  };
  await prune(a, {
    ...{ "retention.contents": 2, "retention.versions": 4, "retention.depth": 300 },
    "retention.differences@category:taste": "no",
  });
  const kept = ["none", "none", "difference", "difference", "whole", "whole"];
  expect(await howOf(a, ids.plan, 6)).toEqual(kept);
  expect(await howOf(a, ids.other, 6)).toEqual(kept);
  expect(await howOf(a, ids.taste, 6)).toEqual(["none", "none", "none", "none", "whole", "whole"]);
  world.clock.advance(301 * DAY_MS);
  await ownerOf(a).prune();
  expect(await howOf(a, ids.plan, 6)).toEqual(["none", "none", "none", "none", "none", "whole"]);
  expect(rowsIn(a)).toEqual([]);

  const later = await written(world, a, textsOf("Later", 4, 5));
  await prune(a, { "retention.contents": 1 });
  expect(await howOf(a, later, 4)).toEqual(["difference", "difference", "difference", "whole"]);
  const sealed = rowsIn(a);
  expect(sealed).toHaveLength(1);
  await ownerOf(a).changeSettings({ set: { "retention.differences": "no" } });
  expect(await ownerOf(a).prune()).toMatchObject({ status: "nothing" });
  expect(await howOf(a, later, 4)).toEqual(["none", "none", "none", "whole"]);
  expect(filesWith(a, sealed)).toEqual([]);
});

test("[RT31] a text that has hardly anything in common with later ones is not kept so, nor are a few short ones", async () => {
  await using world = new World(613);
  const a = await world.found("a");
  const [one = "", two = ""] = [textsOf("Zwyvern", 1, 1)[0], textsOf("Quixamber", 1, 2)[0]];
  const anew = await written(world, a, [one, two]);
  const short = await written(world, a, ["Ada drinks tea", "Ada drinks tee"]);
  const long = "Zwyvern ".repeat(9_000);
  const grown = await written(world, a, [long, `${long}at the end`, `At first ${long}at the end`]);
  await prune(a, { "retention.contents": 1 });
  expect(await howOf(a, anew, 2)).toEqual(["none", "whole"]);
  expect(await howOf(a, short, 2)).toEqual(["none", "whole"]);
  expect((await a.space.text(grown, 1)).text).toBe(long);
});

test("[RT32] what is erased takes every difference of its memories along, and each device does so before it says that it has", async () => {
  await using world = await World.withRelay(614);
  const a = await world.found("a");
  const b = await world.join(a, "b");
  const texts = textsOf("Zwyvern", 4);
  const id = await written(world, a, texts);
  const bystander = await written(world, a, textsOf("Quixamber", 4, 7));
  await allSynced(a, b);
  world.clock.advance(7 * DAY_MS);
  await prune(a, { "retention.contents": 1 });
  await allSynced(a, b);
  await ownerOf(b).prune();
  await allSynced(a, b);
  await ownerOf(a).prune();
  await allSynced(a, b);
  const kept = ["difference", "difference", "difference", "whole"];
  for (const device of [a, b])
    for (const memory of [id, bystander]) expect(await howOf(device, memory, 4)).toEqual(kept);
  // What only the first text says, and nothing but a difference holds.
  const only = texts[0]
    ?.split(/[. ]/)
    .find((word) => word.length > 5 && !texts.slice(1).join(" ").includes(word));
  if (only === undefined) throw new Error("The first text has no word of its own.");
  for (const device of [a, b]) {
    const found = await device.space.traces([only]);
    expect(found.filter(({ path }) => path.includes("differences.sqlite")).length).toBeGreaterThan(0);
  }
  const rows = [a, b].map((device) => rowOf(device, id));
  const preview = await ownerOf(b).erase({ query: only, preview: true });
  expect(preview.memories.map((memory) => memory.id)).toEqual([id]);
  await ownerOf(b).erase({ versions: [{ id, version: 1 }] });
  expect(filesWith(b, [rows[1] as Uint8Array])).toEqual([]);
  await allSynced(a, b);
  for (const [place, device] of [a, b].entries()) {
    expect(await device.space.traces([only])).toEqual([]);
    expect(await howOf(device, id, 4)).toEqual(["none", "none", "none", "whole"]);
    expect(await howOf(device, bystander, 4)).toEqual(kept);
    expect(filesWith(device, [rows[place] as Uint8Array])).toEqual([]);
    expect((await device.space.erasures())[0]?.isDoneHere).toBe(true);
  }
  // Nothing is kept of it later, either.
  await a.space.as({}).revise(id, { content: `${texts[3]} And more.` });
  await allSynced(a, b);
  world.clock.advance(7 * DAY_MS);
  for (const device of [a, b, a]) {
    await ownerOf(device).prune();
    await allSynced(a, b);
  }
  expect(await howOf(a, id, 5)).toEqual(["none", "none", "none", "none", "whole"]);
  const c = await world.join(a, "c");
  await synced(c);
  expect(await howOf(c, bystander, 4)).toEqual(["none", "none", "none", "whole"]);
});

test("[RT32] a preview lists what repeats an erased text in a pruned version that can be rebuilt", async () => {
  await using world = new World(615);
  const a = await world.found("a");
  const secret = "The gate of the Zwyvernhof opens with 4711-Quixamber.";
  const texts = textsOf("House", 3, 9);
  const holder = await written(world, a, [`${texts[0]} ${secret}`, ...texts]);
  const other = await a.space.as({}).remember({ content: secret });
  await prune(a, { "retention.contents": 1 });
  expect((await a.space.text(holder, 1)).how).toBe("difference");
  const { repeated } = await ownerOf(a).erase({ ids: [other.id], preview: true });
  expect(repeated).toMatchObject([{ id: holder, how: "repeats" }]);
  await ownerOf(a).erase({ ids: [other.id], also: ["all"] });
  expect(await a.space.traces([secret, "quixamber"])).toEqual([]);
});

test("[RT32] cut short while it prunes or erases, the next session goes on: nothing that is erased can be rebuilt", async () => {
  await using world = new World(616);
  const a = await world.found("a");
  const texts = textsOf("Zwyvern", 5);
  const id = await written(world, a, texts);
  await ownerOf(a).changeSettings({ set: { "retention.contents": 1 } });
  const pruned = await copiesDuring(world, a, "pruning", () => ownerOf(a).prune());
  const row = rowOf(a, id);
  const only = texts[0]
    ?.split(/[. ]/)
    .find((word) => word.length > 5 && !texts.slice(1).join(" ").includes(word));
  const erased = await copiesDuring(world, a, "erasing", () => ownerOf(a).erase({ ids: [id] }));
  const found = { whole: 0, difference: 0, erased: 0 };
  for (const dir of [...pruned, ...erased]) {
    await using replica = await openReplica({ dir, stateDir: `${dir}-state`, clock: world.clock.now });
    const space = await replica.openSpace(a.space.id);
    const again = { ...a, home: { ...a.home, dir }, replica, space };
    if ((await space.erasures()).length > 0) {
      found.erased += 1;
      expect(await space.traces([only as string])).toEqual([]);
      expect(filesWith(again, [row])).toEqual([]);
      continue;
    }
    for (const [place, text] of texts.entries()) {
      const { how, text: read } = await space.text(id, place + 1);
      expect(read).toBe(text);
      if (how === "difference") found.difference += 1;
      else found.whole += 1;
    }
  }
  expect(Math.min(...Object.values(found))).toBeGreaterThan(0);
});

test("[RT34] a version that can be rebuilt is restored, with its text written anew", async () => {
  await using world = new World(617);
  const a = await world.found("a");
  const texts = textsOf("Zwyvern", 3);
  const id = await written(world, a, texts);
  await prune(a, { "retention.contents": 1 });
  const ada = a.space.as({ agent: "ada" });
  expect(await ada.restore(id, { version: 1 })).toMatchObject({ content: texts[0], version: 4 });
  expect(await howOf(a, id, 4)).toEqual(["difference", "difference", "whole", "whole"]);
  await ownerOf(a).prune();
  expect(await howOf(a, id, 4)).toEqual(["difference", "difference", "difference", "whole"]);
  for (const [place, text] of [...texts, texts[0]].entries())
    expect((await a.space.text(id, place + 1)).text).toBe(text);
});

test("[RT33] differences are sealed, and a file of them that cannot be used costs nothing but them", async () => {
  await using world = new World(618);
  const a = await world.found("a");
  const texts = textsOf("Zwyvern", 3);
  const id = await written(world, a, texts);
  expect(existsSync(fileOf(a))).toBe(false);
  await prune(a, { "retention.contents": 1 });
  const bytes = Buffer.concat([readFileSync(fileOf(a)), Buffer.concat(rowsIn(a))]).toString("latin1");
  for (const word of new Set(texts.join(" ").split(/[. ]/)))
    if (word.length > 5) expect(bytes).not.toContain(word);
  await a.replica.close();
  const database = new DatabaseSync(fileOf(a));
  const { sealed } = database.prepare("SELECT sealed FROM differences").get() as { sealed: Uint8Array };
  sealed[40] = 1 - (sealed[40] as number);
  database.prepare("UPDATE differences SET sealed = ?").run(sealed);
  database.close();
  const again = await world.reopen(a.home);
  expect(await howOf(again, id, 3)).toEqual(["none", "none", "whole"]);
  expect((await again.space.verify()).ok).toBe(true);
});

/** The sealed rows of the file, read from a copy: the space holds it. */
function rowsIn(device: Device): readonly Uint8Array[] {
  return rowsOf(device).map(({ sealed }) => sealed);
}

function rowsOf(device: Device): readonly { readonly memory: string; readonly sealed: Uint8Array }[] {
  const path = fileOf(device);
  if (!existsSync(path)) return [];
  const copy = join(device.home.dir, "..", `copy-${Math.abs(device.home.name.length)}`);
  mkdirSync(copy, { recursive: true });
  for (const suffix of ["", "-wal"])
    if (existsSync(path + suffix)) cpSync(path + suffix, join(copy, `differences${suffix}`));
  using database = new DatabaseSync(join(copy, "differences"));
  return database
    .prepare("SELECT lower(hex(memory)) AS memory, sealed FROM differences")
    .all()
    .map(({ memory, sealed }) => ({ memory: String(memory), sealed: sealed as Uint8Array }));
}

function rowOf(device: Device, id: string): Uint8Array {
  const row = rowsOf(device).find(({ memory }) => memory === id.replaceAll("-", ""));
  if (row === undefined) throw new Error("Nothing is kept of this memory.");
  return row.sealed;
}

/** Files of a home in which some of the sealed bytes lie, pages and logs of databases included. */
function filesWith({ home }: Device, sealed: readonly Uint8Array[]): readonly string[] {
  const PIECE = 24;
  const pieces = sealed.flatMap((bytes) =>
    Array.from({ length: Math.floor(bytes.length / PIECE) }, (_, place) =>
      Buffer.from(bytes.subarray(place * PIECE, (place + 1) * PIECE)),
    ),
  );
  const files = readdirSync(home.dir, { recursive: true }).map((name) => join(home.dir, String(name)));
  return files.filter((path) => {
    if (!statSync(path).isFile()) return false;
    const bytes = readFileSync(path);
    return pieces.some((piece) => bytes.includes(piece));
  });
}

/** What is on disk between two turns is what a killed process leaves: often at first, then ever more rarely. */
async function copiesDuring(
  world: World,
  { home }: Device,
  name: string,
  run: () => Promise<unknown>,
): Promise<readonly string[]> {
  const copies: string[] = [];
  let isDone = false;
  const running = run().finally(() => {
    isDone = true;
  });
  for (let turn = 0, next = 0; !isDone; turn += 1) {
    if (turn === next) {
      const copy = join(world.root, `${name}-${turn}`);
      mkdirSync(copy);
      cpSync(home.dir, copy, { recursive: true });
      copies.push(copy);
      next += Math.max(1, Math.round(next / 4));
    }
    await setImmediate();
  }
  await running;
  const last = join(world.root, `${name}-last`);
  mkdirSync(last);
  cpSync(home.dir, last, { recursive: true });
  return [...copies, last];
}
