import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Space } from "../../src/api.js";
import { answers, lifeOf, live, WORDS } from "../support/lives.js";
import { seededNumbers } from "../support/seeded.js";
import { allSynced, contentsOf, World } from "../support/world.js";

/** More in the soak. */
const LIVES = process.env.CAMBIUM_SOAK === "1" ? 24 : 1;
const SECRET = "The surprise party is at the Zwyvernhof on Friday";

/** What the past shows, without what two spaces never have in common. */
async function pastOf(space: Space) {
  const contents = (memories: readonly { readonly content: string }[]) =>
    memories.map(({ content }) => content);
  const found: unknown[] = [];
  const { changes, operations } = await space.log({ limit: 200 });
  found.push(operations);
  for (const { hash, type, memories, text, parents } of changes) {
    const at = `main@heads:${hash}`;
    const { created, changed, deleted } = await space.diff(at, "main");
    found.push(
      [type, Array.isArray(memories) ? memories.length : memories, text, parents.length],
      contents((await space.list({ at, deleted: true })).memories),
      [created.length, changed.length, deleted.length],
      contents(await space.recall("secret harbour", { at })).toSorted(),
    );
  }
  for (const word of [...WORDS.slice(0, 3), "SECRET"]) {
    const { memories, steps } = await space.evolution(word);
    found.push(memories.map(({ content }) => content).toSorted(), steps.length);
  }
  for (const category of ["place", "plan", "taste"])
    found.push((await space.evolution({ category })).memories.length);
  const { news, matters } = await space.brief({ agent: "grace", peek: true });
  found.push([news.total, matters.total], (await space.graph()).entities);
  for (const { memories } of await space.branches.list()) found.push(memories);
  return found;
}

const owner = (space: Space) => space.as({ role: "owner", confirmed: true });

describe("what is concealed", () => {
  test("[ER61] leaves what can be asked of a space that never had it, of the present and the past", async () => {
    for (const seed of [1, 2]) {
      await using world = new World(seed);
      const [one, other] = [await world.found("one"), await world.found("other")];
      const steps = lifeOf(seed, 16);
      const hidden = await live(one.space, steps, true);
      await live(other.space, steps, false);
      if (hidden === undefined) continue;
      const before = await pastOf(one.space);
      await owner(one.space).conceal([hidden]);
      const expected = [await answers(other.space, undefined), await pastOf(other.space)];
      expect(before).not.toEqual(expected[1]);
      expect([await answers(one.space, hidden), await pastOf(one.space)]).toEqual(expected);
      if (seed > 1) await one.space.reindex();
      await one.replica.close();
      const again = await world.reopen(one.home);
      expect([await answers(again.space, hidden), await pastOf(again.space)]).toEqual(expected);
      for (const ask of [() => again.space.get(hidden), () => again.space.history(hidden.slice(0, 13))])
        await expect(ask()).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
    }
  });

  test("[ER62] is there again as it was once it is revealed, and nothing says that it was away", async () => {
    for (const seed of [5, 6]) {
      await using world = new World(seed);
      const { space } = await world.found();
      const hidden = (await live(space, lifeOf(seed, 16), true)) as string;
      const all = async () => ({
        ...{ log: await space.log({ limit: 200 }), past: await pastOf(space) },
        ...{ answers: await answers(space, undefined), history: await space.history(hidden) },
        list: await space.list({ deleted: true }),
      });
      await space.as({ agent: "grace" }).checkpoints.create({ name: "before" });
      const before = await all();
      await owner(space).conceal([hidden.slice(0, 18)]);
      expect(await owner(space).concealed()).toMatchObject([
        { id: hidden, by: { replica: space.replica }, memory: { id: hidden } },
      ]);
      const { created, changed, deleted } = await space.diff("checkpoint:before");
      expect([created, changed, deleted]).toEqual([[], [], []]);
      const [revealed] = await owner(space).reveal([hidden.slice(0, 18)]);
      expect(revealed?.memory).toEqual(await space.get(hidden));
      expect(await all()).toEqual(before);
      expect(await owner(space).concealed()).toEqual([]);
      expect((await space.verify()).ok).toBe(true);
    }
  });

  test("[ER63] is left as it is by merges, undo, rollback and retention", async () => {
    await using world = new World(7);
    const { space } = await world.found();
    const [ada, asOwner] = [space.as({ agent: "ada" }), owner(space)];
    const { id } = await ada.remember({ content: SECRET });
    const tea = await ada.remember({ content: "Tea at four" });
    await ada.branches.create("trip");
    await ada.revise(id, { content: `${SECRET}, bring cake` }, { branch: "trip" });
    await ada.revise(id, { content: `${SECRET}, bring a hat` });
    await ada.revise(tea.id, { content: "Tea at five" }, { branch: "trip" });
    await asOwner.conceal([id]);
    const preview = await ada.merge({ from: "trip", preview: true });
    expect([preview.conflicts, preview.changed.map((one) => one.id)]).toEqual([[], [tea.id]]);
    expect((await ada.merge({ from: "trip" })).status).toBe("merged");
    const [undone] = (await ada.undo({ last: 1 })).memories;
    expect(undone).toMatchObject({ id: tea.id, content: "Tea at four" });
    const { counts } = await asOwner.rollback({ only: { agent: "ada" } });
    expect(counts).toMatchObject({ hidden: 1 });
    expect((await space.list()).memories).toEqual([]);
    await asOwner.reveal([id]);
    const { conflicts, versions } = await space.get(id);
    expect([conflicts.map(({ field }) => field), versions]).toEqual([["content"], 3]);
  });

  test("[ER63] keeps its texts, whatever the settings let go of", async () => {
    await using world = new World(14);
    const { space } = await world.found();
    const [ada, asOwner] = [space.as({ agent: "ada" }), owner(space)];
    const ids: string[] = [];
    for (const name of ["tea", "coffee"]) {
      const { id } = await ada.remember({ content: `${name} at one` });
      for (const time of ["two", "three"]) await ada.revise(id, { content: `${name} at ${time}` });
      ids.push(id);
    }
    await asOwner.changeSettings({ set: { "retention.contents": 1 } });
    expect((await asOwner.prune({ preview: true })).counts).toMatchObject({ memories: 2 });
    await asOwner.conceal(ids.slice(0, 1));
    expect((await asOwner.prune()).memories.map(({ id }) => id)).toEqual(ids.slice(1));
    await asOwner.reveal(ids.slice(0, 1));
    const texts = (await space.history(ids[0] as string)).map(({ content }) => content);
    expect(texts).toEqual(["tea at one", "tea at two", "tea at three"]);
  });

  test("[ER67] is not named by what was made from it", async () => {
    await using world = new World(19);
    const { space } = await world.found();
    const [ada, asOwner] = [space.as({ agent: "ada" }), owner(space)];
    const { id } = await ada.remember({ content: SECRET });
    const tea = await ada.remember({ content: "Tea at four" });
    await ada.branches.create("trip");
    await ada.checkpoints.create({ name: "before" });
    const both = await ada.combine([id, tea.id], { content: "Tea and a party" });
    const [part] = await ada.split(both.id, [{ content: "Tea" }, { content: "Party" }], { branch: "main" });
    const path = join(world.root, "export");
    const told = async () => [
      ...[await space.get(both.id), await space.history(both.id), await space.list({ deleted: true })],
      ...[await space.recall("tea party"), await space.diff("checkpoint:before"), await space.log()],
      ...[await space.checkpoints.compare("before"), await space.at("main").get(both.id)],
      ...[
        await ada.merge({ from: "main", into: "trip", preview: true }),
        await space.get(part?.id as string),
      ],
      ...[
        await ada.undo({ last: 2, preview: true }),
        await asOwner.rollback({ to: "checkpoint:before", preview: true }),
      ],
      ...[await space.export(path, { overwrite: true }), await readFile(path, "utf8")],
      await space.evolution("tea"),
    ];
    const before = await told();
    expect(before.filter((one) => JSON.stringify(one).includes(id)).length).toBeGreaterThan(8);
    await asOwner.conceal([id]);
    for (const one of await told()) expect(JSON.stringify(one)).not.toContain(id);
    expect((await space.get(both.id)).derivedFrom).toEqual([tea.id]);
    expect(Object.keys(await space.recall("tea party"))).toEqual(Object.keys(before[3] as object));
    await asOwner.reveal([id]);
    expect((await space.get(both.id)).derivedFrom).toEqual([id, tea.id]);
  });

  test("[ER67] is named by no link, source or sentence of others, whose links to it stay", async () => {
    await using world = new World(20);
    const { space } = await world.found();
    const [ada, asOwner] = [space.as({ agent: "ada" }), owner(space)];
    const { id, record } = await ada.remember({ content: SECRET });
    const tea = await ada.remember({ content: "Tea at four" });
    await ada.checkpoints.create({ name: "before" });
    const links = [tea.id, id].map((to) => ({ rel: "about", to }));
    const plan = await ada.remember({ content: "Plan the trip", links });
    await ada.revise(plan.id, { links: [...links, { rel: "needs", to: id.toUpperCase() }] });
    const source = { kind: "version", memory: id, record };
    const copy = await ada.remember({ content: "As it was said at first", source });
    const paths = { jsonl: join(world.root, "all.jsonl"), "mcp-memory": join(world.root, "graph") };
    const told = async () => [
      ...[await space.list(), await space.history(plan.id), await space.log(), await space.evolution("trip")],
      ...[await space.recall("trip first"), await space.get(copy.id), await space.diff("checkpoint:before")],
      await ada.undo({ last: 2, preview: true }),
      await space.compare(plan.id),
      ...(await Promise.all(
        Object.entries(paths).map(async ([format, path]) => {
          await space.export(path, { format: format as "jsonl", overwrite: true });
          return await readFile(path, "utf8");
        }),
      )),
    ];
    const names = (one: unknown): boolean => JSON.stringify(one).toLowerCase().includes(id.slice(0, 13));
    const before = await told();
    expect(before.filter(names).length).toBeGreaterThan(8);
    const { links: all } = await space.get(plan.id);
    await asOwner.conceal([id]);
    expect((await told()).map(names)).toEqual(before.map(() => false));
    expect((await space.get(plan.id)).links).toEqual([links[0]]);
    expect(await space.get(copy.id)).not.toHaveProperty("source");

    // An export that does not name it brings nothing anew, and takes nothing away.
    const notes = join(world.root, "notes");
    await space.export(notes, { format: "markdown" });
    for (const path of [paths.jsonl, notes])
      expect(await ada.import(path)).toMatchObject({ created: 0, changed: 0, skipped: [] });
    await ada.revise(plan.id, { links: [{ rel: "about", to: copy.id }] });
    expect((await space.get(plan.id)).links).toEqual([{ rel: "about", to: copy.id }]);
    await asOwner.reveal([id]);
    expect((await space.get(plan.id)).links).toEqual(
      expect.arrayContaining([{ rel: "about", to: copy.id }, ...(all as object[]).filter(names)]),
    );
    expect(await ada.import(paths.jsonl)).toMatchObject({ created: 0, changed: 0, skipped: [] });
    expect(await told().then((after) => after.slice(0, 4).map(names))).toEqual([true, true, true, true]);
  });
});

describe("on several devices", () => {
  test("[ER63] what is revealed on one and concealed on another at once stays concealed; edits are kept", async () => {
    await using world = await World.withRelay(10);
    const ada = await world.found();
    const bob = await world.join(ada, "bob", { role: "admin" });
    const { id } = await ada.space.as({ agent: "ada" }).remember({ content: SECRET });
    await owner(ada.space).conceal([id]);
    await allSynced(ada, bob);
    expect(await contentsOf(bob)).toEqual([]);
    world.proxy.cut();
    await owner(bob.space).reveal([id]);
    await bob.space.as({ agent: "bob" }).revise(id, { content: `${SECRET}, with cake` });
    await owner(ada.space).reveal([id]);
    await owner(ada.space).conceal([id]);
    world.proxy.restore();
    await allSynced(ada, bob);
    expect([await contentsOf(ada), await contentsOf(bob)]).toEqual([[], []]);
    await owner(ada.space).reveal([id]);
    await allSynced(ada, bob);
    expect(await contentsOf(bob)).toEqual([`${SECRET}, with cake`]);
    expect((await ada.space.history(id)).length).toBe(2);
  });

  /** Of each memory what was last said, by all that did not know of each other: true for concealed. */
  type Said = Map<string, readonly boolean[]>;
  const concealedIn = (said: Said): readonly string[] =>
    [...said].flatMap(([id, values]) => (values.includes(true) ? [id] : [])).toSorted();

  test("[ER61] [ER63] whatever is concealed, revealed, written, forked and merged at once, all agree with a simple model", async () => {
    for (const seed of Array.from({ length: LIVES }, (_, index) => 11 + index)) {
      await using world = await World.withRelay(seed);
      const next = seededNumbers(seed);
      const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item;
      const ada = await world.found();
      const devices = [ada, await world.join(ada, "bob", { role: "admin" })];
      let said: Said = new Map();
      const known = new Set<string>();
      for (let round = 0; round < 3; round += 1) {
        await allSynced(...devices);
        world.proxy.cut();
        const branch = `b${round}`;
        const after: Said[] = [];
        const made: string[] = [];
        for (const [place, { space }] of devices.entries()) {
          const here = new Set(known);
          const saidHere: Said = new Map();
          const agent = space.as({ agent: `agent${place}` });
          for (let step = 0; step < 8; step += 1) {
            const now: Said = new Map([...said, ...saidHere]);
            const id = here.size === 0 ? undefined : pick([...here]);
            const isConcealed = id !== undefined && concealedIn(now).includes(id);
            const kind = pick(["remember", "revise", "conceal", "conceal", "reveal", "reveal", "forget"]);
            if (id === undefined || kind === "remember")
              here.add((await agent.remember({ content: `${seed} ${round} ${place} ${step}` })).id);
            else if (kind === "conceal" && !isConcealed) {
              await owner(space).conceal([id]);
              saidHere.set(id, [true]);
            } else if (kind === "reveal" && isConcealed) {
              await owner(space).reveal([id]);
              saidHere.set(id, [false]);
            } else if (isConcealed)
              await expect(agent.forget(id)).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
            else if ((await space.get(id)).conflicts.length > 0) continue;
            else if ((await space.get(id)).deleted) await agent.restore(id);
            else if (kind === "forget") await agent.forget(id);
            else await agent.revise(id, { content: `${seed} ${round} ${place} ${step}` });
          }
          if (place === 0) {
            await agent.branches.create(branch);
            const shown = (await space.list({ branch })).memories[0];
            if (shown?.conflicts.length === 0)
              await agent.revise(shown.id, { content: "on the branch" }, { branch });
          }
          await showsExactly(space, concealedIn(new Map([...said, ...saidHere])), here);
          after.push(saidHere);
          made.push(...here);
        }
        for (const id of made) known.add(id);
        const ids = new Set([...said.keys(), ...after.flatMap((one) => [...one.keys()])]);
        said = new Map(
          [...ids].map((id) => {
            const anew = after.flatMap((one) => one.get(id) ?? []);
            return [id, anew.length > 0 ? anew : (said.get(id) ?? [])];
          }),
        );
        world.proxy.restore();
        await allSynced(...devices);
        await owner(pick(devices).space).merge({ from: branch, strategy: "newest" });
        await allSynced(...devices);
        for (const { space } of devices) await showsExactly(space, concealedIn(said), known);
      }
      for (const { space } of devices) {
        await space.reindex();
        await showsExactly(space, concealedIn(said), known);
        expect((await space.verify()).ok).toBe(true);
      }
    }
  });
});

/** Everything that is known and not concealed, in the present; and nothing concealed, ever and anywhere. */
async function showsExactly(
  space: Space,
  concealed: readonly string[],
  known: ReadonlySet<string>,
): Promise<void> {
  const all = (await owner(space).concealed()).map(({ id }) => id);
  expect(all.toSorted()).toEqual(concealed);
  const shown = (await space.list({ deleted: true, limit: 1_000 })).memories.map(({ id }) => id as string);
  expect(shown.toSorted()).toEqual([...known].filter((id) => !concealed.includes(id)).toSorted());
  const { changes } = await space.log({ limit: 500 });
  const logged = changes.flatMap(({ memories }) => (Array.isArray(memories) ? memories : []));
  const past = [];
  for (const { hash } of changes.slice(0, 12))
    past.push(...(await space.list({ at: `main@heads:${hash}`, deleted: true })).memories);
  for (const { name } of await space.branches.list())
    past.push(...(await space.list({ branch: name, deleted: true })).memories);
  for (const id of concealed) {
    expect(logged).not.toContain(id);
    expect(past.map((memory) => memory.id)).not.toContain(id);
    await expect(space.history(id)).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
  }
}
