import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ListOptions, ListOrder, Space } from "../../src/api.js";
import { seededNumbers } from "../support/seeded.js";
import { World } from "../support/world.js";

const HOUR_MS = 3_600_000;
const WORDS = ["figs", "the Roof", "10 eggs", "9 eggs", "ärger", "비 오는 날", "the roof", "  early"];

/** All of it, by pages of a few. */
async function paged(space: Space, options: ListOptions): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await space.list({ ...options, limit: 3, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.memories.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return ids;
}

test("[UI18] memories are listed by when they were made, by name and by strength, page by page, at any state", async () => {
  await using world = new World(611);
  const { space } = await world.found("a");
  const agent = space.as({ agent: "ada" });
  const pick = seededNumbers(7);
  const notes = join(world.root, "notes.md");
  writeFileSync(notes, "- Imported one\n- Imported two\n");
  const made: string[] = [];
  for (let step = 0; step < 14; step += 1) {
    world.clock.advance(HOUR_MS);
    if (step === 4) made.push(...(await agent.import(notes)).memories);
    const { id } = await agent.remember({ content: `${WORDS[step % WORDS.length]} ${step}` });
    made.push(id);
    if (step === 9) await agent.branches.create("side");
  }
  for (let step = 0; step < 8; step += 1) {
    world.clock.advance(HOUR_MS);
    const id = made[Math.floor(pick() * made.length)] as string;
    await agent.revise(id, { content: `Z ${step}` });
    await agent.reinforce([id], { times: 1 + step });
  }
  await agent.remember({ content: "Only there" }, { branch: "side" });
  for (const options of [
    {},
    { branch: "side" },
    { at: `main@${new Date(world.clock.now() - 10 * HOUR_MS).toISOString()}` },
  ]) {
    const all = (await space.list({ ...options, limit: 1_000 })).memories;
    const here = new Set(all.map(({ id }) => id as string));
    const by = (order: ListOrder) => paged(space, { ...options, order });
    const created = await by("created");
    expect(new Set(created)).toEqual(here);
    const times = await Promise.all(
      created.map(async (id) => (await space.history(id, options)).at(0)?.at ?? Number.NaN),
    );
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const strengths = await Promise.all(
      (await by("strength")).map(async (id) => (await space.strength(id, options)).strength),
    );
    expect(strengths).toEqual(strengths.toSorted((a, b) => b - a));
    expect(strengths).toHaveLength(here.size);
    const texts = new Map(all.map(({ id, content }) => [id as string, content]));
    const names = (await by("name")).map((id) => texts.get(id)?.replace(/^[- ]+/, "") ?? "");
    expect(names).toEqual(names.toSorted(new Intl.Collator("en", { numeric: true }).compare));
    expect(names).toHaveLength(here.size);
    expect(await by("changed")).toEqual(all.map(({ id }) => id));
  }
  const { cursor } = await space.list({ order: "name", limit: 1 });
  // What is written between two pages is in its place on the next one.
  const { id: early } = await agent.remember({ content: "1 aaa" });
  const { id: late } = await agent.remember({ content: "zzz" });
  const rest = await paged(space, { order: "name", ...(cursor === undefined ? {} : { cursor }) });
  expect([rest.includes(late), rest.includes(early)]).toEqual([true, false]);
  await expect(space.list({ order: "created", cursor })).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(space.list({ order: "loudest" as never })).rejects.toMatchObject({ code: "BAD_INPUT" });
});
