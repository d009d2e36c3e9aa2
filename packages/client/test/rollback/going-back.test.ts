/**
 * Random lives of one writer, against a model of a few lines: what a state showed, an undo or a rollback shows again,
 * and what an import brought and lost comes again.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../bench/support/seeded-random.js";
import { World } from "../support/world.js";

type Shown = ReadonlyMap<string, string>;

const STEPS = 16;
const SEEDS = [1, 2, 123];

async function live(seed: number): Promise<void> {
  await using world = new World(700 + seed);
  const { space } = await world.found();
  const agent = space.as({ agent: "ada", role: "owner", confirmed: true });
  const { bytes } = seededRandom(7, seed);
  const below = (limit: number): number => ((bytes(2)[0] ?? 0) * 256 + (bytes(2)[1] ?? 0)) % limit;
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const path = join(world.root, "notes.md");
  const shown = async (branch: string): Promise<Shown> => {
    const { memories } = await space.list({ branch, limit: 1000 });
    return new Map(memories.map(({ id, content }): [string, string] => [id, content]).sort());
  };
  const heads = async (branch: string) => (await space.status({ branch })).branch.head;
  const logOf = async () => (await space.log({ limit: 1 })).changes[0]?.hash as string;
  const states: { readonly to: string; readonly was: Shown }[] = [];
  const trail: string[] = [];
  const expecting = async (what: string, branch: string, wanted: Shown): Promise<void> => {
    expect({ seed, trail, what, is: [...(await shown(branch))] }).toEqual({
      seed,
      trail,
      what,
      is: [...wanted].sort(),
    });
  };
  await agent.remember({ content: "the first" });
  await space.branches.create("work");
  const bases = new Map(await shown("main"));
  for (let step = 0; step < STEPS; step += 1) {
    const before = await shown("main");
    states.push({ to: `main@heads:${(await heads("main")).join(",")}`, was: before });
    const ids = [...before.keys()];
    const act = pick([
      "remember",
      "revise",
      "forget",
      "restore",
      "rollback",
      "undo",
      "import",
      "work",
      "merge",
      "part",
      "series",
    ]);
    trail.push(act);
    const after = new Map(before);
    if (act === "remember") after.set((await agent.remember({ content: `new ${step}` })).id, `new ${step}`);
    else if (act === "revise" && ids.length > 0) {
      const id = pick(ids);
      await agent.revise(id, { content: `revised ${step}` });
      after.set(id, `revised ${step}`);
    } else if (act === "forget" && ids.length > 0) {
      const some = new Set([pick(ids), pick(ids), pick(ids)]);
      const [first = "", ...also] = some;
      await agent.forget(first, { also });
      for (const id of some) after.delete(id);
      await expecting("forgotten", "main", after);
      if (below(2) === 0) {
        const { memories } = await agent.undo();
        expect(memories).toHaveLength(some.size);
        for (const id of some) after.set(id, before.get(id) as string);
      }
    } else if (act === "restore") {
      const { memories } = await space.list({ deleted: true, limit: 1000 });
      const hidden = memories.filter(({ deleted }) => deleted);
      if (hidden.length > 0) {
        const { id } = pick(hidden);
        after.set(id, (await agent.restore(id)).content);
      }
    } else if (act === "rollback") {
      const { to, was } = pick(states);
      const preview = await agent.rollback({ to, preview: true });
      const done = await agent.rollback({ to });
      expect({ seed, trail, counts: done.counts }).toEqual({ seed, trail, counts: preview.counts });
      await expecting(`rollback to ${to}`, "main", was);
      after.clear();
      for (const [id, content] of was) after.set(id, content);
      if (done.change !== undefined && below(3) === 0) {
        await agent.undo({ change: done.change });
        after.clear();
        for (const [id, content] of before) after.set(id, content);
      }
    } else if (act === "undo" && ids.length > 0) {
      const id = pick(ids);
      await agent.revise(id, { content: `for a moment ${step}`, tags: ["x"] });
      const change = await logOf();
      const other = await agent.remember({ content: `beside ${step}` });
      await agent.undo({ change });
      after.set(other.id, `beside ${step}`);
    } else if (act === "series" && ids.length > 0) {
      const id = pick(ids);
      const said = [before.get(id) as string];
      for (let count = 2 + below(3); count > 0; count -= 1) {
        // Few texts, so that one is often set again beside a tag that is new.
        const content = pick([...said, `series ${step}`]);
        await agent.revise(id, { content, tags: [`series ${said.length}`] });
        said.push(content);
      }
      const last = 1 + below(said.length - 1);
      const { kept } = await agent.undo({ last });
      after.set(id, said[said.length - 1 - last] as string);
      expect({ seed, trail, kept }).toEqual({ seed, trail, kept: [] });
    } else if (act === "import") {
      writeFileSync(
        path,
        [1, 2, 3].map((each) => `# Note ${each}\n\nText ${below(3)} of ${each}.\n`).join("\n"),
      );
      const counts = await agent.import(path, { preview: true });
      const done = await agent.import(path);
      expect({ ...counts, preview: undefined }).toMatchObject({
        ...{
          created: done.created,
          changed: done.changed,
          broughtBack: done.broughtBack,
          unchanged: done.unchanged,
        },
      });
      const now = await shown("main");
      if (done.operation !== undefined) {
        await agent.undo({ change: done.operation });
        await expecting("undone import", "main", before);
        await agent.import(path);
        await expecting("imported again", "main", now);
      }
      expect((await agent.import(path)).memories).toEqual([]);
      for (const [id, content] of now) after.set(id, content);
    } else if (act === "work") {
      const there = [...(await shown("work")).keys()];
      if (below(2) === 0 || there.length === 0)
        await agent.remember({ content: `at work ${step}` }, { branch: "work" });
      else await agent.revise(pick(there), { content: `work ${step}` }, { branch: "work" });
    } else if (act === "merge" || act === "part") {
      const work = await shown("work");
      const chosen = act === "merge" ? [...work.keys()] : [pick([...work.keys()])];
      const all = { from: "work", strategy: "source", again: true } as const;
      await agent.merge(act === "merge" ? all : { ...all, only: { ids: chosen } });
      const now = await shown("main");
      for (const id of chosen) {
        const [source, base] = [work.get(id) as string, bases.get(id)];
        if (source === base) continue;
        bases.set(id, source);
        if (now.has(id)) after.set(id, source);
        expect({ seed, trail, id, isThere: now.has(id) || base !== undefined }).toMatchObject({
          isThere: true,
        });
      }
    }
    await expecting(act, "main", after);
  }
}

describe("going back", () => {
  for (const seed of SEEDS)
    test(`[GB70] undo, rollback, forgetting, importing and merging in part show what the model shows (seed ${seed})`, async () => {
      await live(seed);
    });
});
