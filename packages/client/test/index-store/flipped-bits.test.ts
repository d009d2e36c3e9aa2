import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MemoryId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { seededNumbers } from "../support/seeded.js";
import { type Device, World } from "../support/world.js";
import { type Flip, lifeOf, lookAfter, type Piece } from "./support/flipped-bits.js";

/** A few of each file; `flipped-bits.soak.test.ts` tries many. */
const PLACES: readonly (readonly [Flip["session"], Piece, number])[] = [
  ["closed", "", 16],
  ["closed", "-sums", 4],
  ["crashed", "", 8],
  ["crashed", "-wal", 8],
  ["crashed", "-sums", 4],
];

describe("[IX14] one bit of the index is flipped", () => {
  test.each(PLACES)(
    "after a session that %s, in index.sqlite%s, at %i places",
    async (session, piece, count) => {
      const random = seededNumbers(count);
      const life = await lifeOf(301);
      await using _world = life.world;
      for (let index = 0; index < count; index += 1) {
        const flip = { session, piece, place: random(), bit: Math.floor(random() * 8) };
        const seen = await lookAfter(life, flip);
        expect(seen?.second, JSON.stringify(flip)).toEqual(life.expected);
      }
    },
  );
});

test("[IX14] what is written after a flip is what was true", async () => {
  await using world = new World(302);
  const { home, replica, space } = await world.found();
  const { id } = await space.as({ agent: "ada" }).remember({ content: "The number is 4711 in Basel." });
  await space.as({ agent: "ada" }).remember({ content: "The number is 4712 in Basel." });
  await replica.close();
  const path = join(home.dir, "spaces", space.id, "index.sqlite");
  const bytes = readFileSync(path);
  for (let at = bytes.indexOf("4711"); at !== -1; at = bytes.indexOf("4711", at)) bytes[at] = 0x35; // a 5
  writeFileSync(path, bytes);

  const device = await world.reopen(home);
  const agent = device.space.as({ agent: "ada" });
  const { content } = await device.space.get(id);
  await agent.revise(id, { content: content.replace("Basel", "Bern") });
  await device.space.reindex();
  expect(await device.space.get(id)).toMatchObject({ content: "The number is 4711 in Bern." });
});

test("[IX14] a bit that is flipped while the index is open is found by verify, and gone at the next read", async () => {
  await using world = new World(303);
  const { home, replica, space } = await world.found();
  const { id } = await space.as({ agent: "ada" }).remember({ content: "The number is 4711 in Basel." });
  await replica.close();
  const path = join(home.dir, "spaces", space.id, "index.sqlite");
  const device = await world.reopen(home);
  expect(await device.space.verify()).toMatchObject({ ok: true, damaged: [] });
  const bytes = readFileSync(path);
  bytes[bytes.indexOf("4711")] = 0x35;
  writeFileSync(path, bytes);
  expect(await device.space.verify()).toMatchObject({ ok: false, damaged: [{ what: "index" }] });
  expect(await device.space.get(id)).toMatchObject({ content: "The number is 4711 in Basel." });
  expect(await device.space.verify()).toMatchObject({ ok: true, damaged: [] });
});

const calls: readonly (readonly [string, (device: Device, id: MemoryId) => Promise<unknown>])[] = [
  ["get", ({ space }, id) => space.get(id)],
  ["list", ({ space }) => space.list()],
  ["recall", ({ space }) => space.recall("number", { priors: false })],
  ["history", ({ space }, id) => space.history(id)],
  ["blame", ({ space }, id) => space.blame(id)],
];

describe("[IX14] a bit that is flipped before its page is first read", () => {
  test.each(
    ["4711", "ada-the-agent", "a-tag"].flatMap((text) =>
      calls.map(([name, call]) => [text, name, call] as const),
    ),
  )("in %j is no answer of %s", async (text, _, call) => {
    await using world = new World(304);
    const { home, replica, space } = await world.found();
    const agent = space.as({ agent: "ada-the-agent" });
    const { id } = await agent.remember({ content: "The number is 4711 in Basel.", tags: ["a-tag"] });
    const expected = await call({ home, replica, space }, id);
    await replica.close();
    const device = await world.reopen(home);
    alter(join(home.dir, "spaces", space.id, "index.sqlite"), text);

    const first = await call(device, id).catch((error: unknown) => error);
    if (first instanceof Error) expect(first).toMatchObject({ code: "STORE_DAMAGED" });
    else expect(first).toEqual(expected);
    expect(await call(device, id)).toEqual(expected);
  });

  test("gets into no record", async () => {
    await using world = new World(305);
    const { home, replica, space } = await world.found();
    const { id } = await space.as({ agent: "ada" }).remember({ content: "The number is 4711 in Basel." });
    await replica.close();
    const device = await world.reopen(home);
    alter(join(home.dir, "spaces", space.id, "index.sqlite"), "4711");
    const agent = device.space.as({ agent: "ada" });
    const tagged = () => agent.revise(id, { tags: ["bank"] });
    await tagged().catch(tagged);
    await device.space.reindex();
    const content = "The number is 4711 in Basel.";
    expect(await device.space.get(id)).toMatchObject({ content, tags: ["bank"] });
  });
});

/** In place, as a disk does it. */
function alter(path: string, text: string): void {
  const bytes = readFileSync(path);
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at))
    bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
}
