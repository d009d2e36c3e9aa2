/** A space at a glance, against what its states show one by one. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Memory, Source } from "@cambium/core";
import { expect, test } from "vitest";
import type { Activity, Episode, Space } from "../../src/api.js";
import { LocalDays } from "../../src/platform/local-days.js";
import { seededNumbers } from "../support/seeded.js";
import { allSynced, converged, World } from "../support/world.js";

const HOUR = 3_600_000;
const KINDS = ["added", "changed", "hidden", "restored"] as const;
type Kind = (typeof KINDS)[number];

/** What each change made of the state before it, by the states themselves. */
async function counted(space: Space, branch: string, timeZone: string): Promise<ReadonlyMap<string, number>> {
  const { changes } = await space.log({ branch, limit: 1_000 });
  const times = [...new Set(changes.map(({ at }) => at))].sort((a, b) => a - b);
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone });
  const counts = new Map<string, number>();
  let before = new Map<string, Memory>();
  for (const at of times) {
    const ref = `${branch}@${new Date(at).toISOString()}`;
    const { memories } = await space.list({ at: ref, deleted: true, limit: 1_000 });
    const after = new Map(memories.map((memory) => [memory.id as string, memory]));
    for (const [id, memory] of after) {
      const kind = kindOf(before.get(id), memory);
      if (kind === undefined) continue;
      for (const key of [`${format.format(at)} ${kind}`, `${format.format(at)} ${memory.by.agent}`])
        counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    before = after;
  }
  return counts;
}

function kindOf(before: Memory | undefined, after: Memory): Kind | undefined {
  if (before === undefined) return after.deleted ? undefined : "added";
  if (after.deleted !== before.deleted) return after.deleted ? "hidden" : "restored";
  return after.record === before.record ? undefined : "changed";
}

const told = ({ periods }: Activity): ReadonlyMap<string, number> =>
  new Map(
    periods.flatMap((period) => [
      ...KINDS.flatMap((kind) =>
        period[kind] === 0 ? [] : [[`${period.day} ${kind}`, period[kind]] as const],
      ),
      ...period.by.map(({ agent, count }) => [`${period.day} ${agent}`, count] as const),
    ]),
  );

const inOrder = (counts: ReadonlyMap<string, number>): readonly string[] =>
  [...counts].map(([key, count]) => `${key} ${count}`).sort();

const sum = (counts: readonly Partial<Record<Kind, number>>[]): readonly number[] =>
  KINDS.map((kind) => counts.reduce((total, one) => total + (one[kind] ?? 0), 0));

/** Agents write on main and on a branch that is merged, over some days. */
async function lived(world: World, seed: number, timeZone: string): Promise<Space> {
  const { space } = await world.found("laptop");
  const random = seededNumbers(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const agents = ["ada", "bob"].map((agent) => space.as({ agent, role: "owner", confirmed: true }));
  const branches = ["main"];
  for (let step = 0; step < 36; step += 1) {
    world.clock.advance(Math.floor(random() * 20 * HOUR));
    const [agent, branch] = [pick(agents), pick(branches)];
    if (step === 12 || step === 25) {
      await agent.branches.create(`work-${step}`, { from: branch });
      branches.push(`work-${step}`);
    }
    if (step === 20 || step === 32) await agent.merge({ from: branches[1] as string, strategy: "newest" });
    // What was counted is kept, and has to follow.
    if (step % 4 === 0) for (const one of branches) await space.activity({ branch: one, timeZone });
    const { memories } = await space.list({ branch, deleted: true });
    const shown = memories.length === 0 ? undefined : pick(memories);
    const act = random();
    if (shown === undefined || act < 0.4)
      await agent.remember(
        { content: `Fact ${step} of ${branch}`, category: pick(["home", "work"]) },
        { branch },
      );
    else if (shown.deleted) await agent.restore(shown.id, { branch });
    else if (act < 0.7) await agent.revise(shown.id, { content: `Other fact ${step}` }, { branch });
    else if (act < 0.9) await agent.forget(shown.id, { branch });
    else await agent.rollback({ to: `${branch}@"2 days ago"`, branch }).catch(() => undefined);
  }
  return space;
}

test("[UI7] what is counted for each day is what the states of the day show", async () => {
  for (const [seed, timeZone] of [
    [1, "Asia/Seoul"],
    [2, "America/New_York"],
  ] as const) {
    await using world = new World(seed);
    world.clock.advance(80 * 24 * HOUR); // clocks change in between
    const space = await lived(world, seed, timeZone);
    for (const branch of ["main", "work-12", "work-25"]) {
      const expected = await counted(space, branch, timeZone);
      const activity = await space.activity({ branch, timeZone });
      expect([seed, branch, inOrder(told(activity))]).toEqual([seed, branch, inOrder(expected)]);
      const weeks = await space.activity({ branch, timeZone, by: "week" });
      const months = await space.activity({ branch, timeZone, by: "month" });
      for (const { periods } of [weeks, months]) expect(sum(periods)).toEqual(sum(activity.periods));
      expect(weeks.periods.every(({ day }) => new Date(day).getUTCDay() === 1)).toBe(true);
      expect(months.periods.every(({ day }) => day.endsWith("-01"))).toBe(true);
      const { episodes } = await space.episodes({ branch, timeZone, limit: 1_000 });
      expect(sum(episodes)).toEqual(sum(activity.periods));
    }
  }
});

test("[UI7] counts follow each write, and tell merges, checkpoints and days asked for", async () => {
  await using world = new World(4);
  const { space } = await world.found("laptop");
  const agent = space.as({ agent: "ada", role: "owner", confirmed: true });
  const today = async () => (await space.activity({ timeZone: "UTC" })).periods.at(-1);
  const { id } = await agent.remember({ content: "one" });
  expect(await today()).toMatchObject({ day: "2026-08-01", added: 1, changed: 0 });
  await agent.revise(id, { content: "two" });
  expect(await today()).toMatchObject({ added: 1, changed: 1 });
  await agent.forget(id);
  world.clock.advance(24 * HOUR);
  await agent.checkpoints.create({ name: "Start" });
  await agent.branches.create("work");
  await agent.remember({ content: "three" }, { branch: "work" });
  await agent.merge({ from: "work" });
  const { periods } = await space.activity({ timeZone: "UTC" });
  expect(periods).toMatchObject([
    { added: 1, changed: 1, hidden: 1, merges: 0, by: [{ agent: "ada", count: 3 }] },
    { added: 1, merges: 1, checkpoints: [{ name: "Start" }], until: Date.UTC(2026, 7, 3) },
  ]);
  const only = await space.activity({ timeZone: "UTC", since: "2026-08-02" });
  expect(only.periods).toEqual(periods.slice(1));
  await expect(space.activity({ timeZone: "Mars/Olympus" })).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(space.episodes({ cursor: "x" })).rejects.toMatchObject({ code: "BAD_INPUT" });
});

test("[UI8] a thousand changes are a few episodes, which open to their changes", async () => {
  await using world = new World(5);
  const { space } = await world.found("laptop");
  const [ada, bob] = ["ada", "bob"].map((agent) => space.as({ agent, role: "owner", confirmed: true })) as [
    ReturnType<Space["as"]>,
    ReturnType<Space["as"]>,
  ];
  for (let n = 0; n < 12; n += 1) {
    await ada.remember({ content: `Fact ${n}`, category: n < 9 ? "home" : "work" });
    if (n % 4 === 0) await bob.remember({ content: `Thing ${n}` });
  }
  world.clock.advance(24 * HOUR);
  await bob.branches.create("work");
  await bob.remember({ content: "On a branch" }, { branch: "work" });
  await ada.merge({ from: "work" });
  await ada.undo({ last: 1 });
  await ada.checkpoints.create({ name: "Done" });
  const { episodes } = await space.episodes({ timeZone: "UTC" });
  const shown = ({ kind, by, added, hidden }: Episode) => [kind, by.agent, added, hidden];
  expect(episodes.map(shown)).toEqual([
    ["checkpoint", "ada", 0, 0],
    ["undo", "ada", 0, 1],
    ["merge", "ada", 1, 0],
    ["write", "ada", 12, 0],
    ["write", "bob", 3, 0],
  ]);
  expect(episodes[2]).toMatchObject({ source: "work", memories: [{ text: "On a branch" }] });
  const write = episodes[3] as Episode;
  expect(write).toMatchObject({
    ...{
      categories: [
        { name: "home", count: 9 },
        { name: "work", count: 3 },
      ],
      day: "2026-08-01",
    },
    memories: [{ text: "Fact 11" }, { text: "Fact 10" }, { text: "Fact 9" }],
  });
  const period = { since: new Date(write.from).toISOString(), until: new Date(write.until).toISOString() };
  const { changes } = await space.log({ ...period, agent: "ada" });
  expect(changes).toHaveLength(12);
  const first = await space.episodes({ timeZone: "UTC", limit: 2 });
  const second = await space.episodes({ timeZone: "UTC", limit: 50, cursor: first.cursor });
  expect([...first.episodes, ...second.episodes]).toEqual(episodes);
  expect(second.cursor).toBeUndefined();
  expect((await space.episodes({ timeZone: "UTC", agent: "bob" })).episodes.map(shown)).toEqual([
    ["write", "bob", 3, 0],
  ]);
  const elsewhere = await space.episodes({ device: "00000000-0000-7000-8000-000000000000" });
  expect(elsewhere.episodes).toEqual([]);
});

test("[UI7] days are those of the zone, also where clocks change at midnight", () => {
  const random = seededNumbers(6);
  for (const timeZone of ["Europe/Zurich", "Asia/Beirut", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"]) {
    const days = new LocalDays(timeZone);
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone });
    for (let n = 0; n < 60; n += 1) {
      const at = Date.UTC(2024, 0) + Math.floor(random() * 3 * 365 * 24 * HOUR);
      const day = days.dayOf(at);
      expect(new Date(day * 24 * HOUR).toISOString().slice(0, 10)).toBe(format.format(at));
      expect(days.dayOf(days.startOf(day))).toBe(day);
      expect(days.dayOf(days.startOf(day) - 1)).toBe(day - 1);
    }
  }
});

test("[UI9] each branch says what it has that its parent lacks, and what both have changed", async () => {
  await using world = new World(7);
  const { space } = await world.found("laptop");
  const agent = space.as({ agent: "ada", role: "owner", confirmed: true });
  const summaryOf = async (name: string) =>
    (await space.branchSummaries()).find((summary) => summary.name === name);
  const ids: string[] = [];
  for (const content of ["one", "two", "three", "four"]) ids.push((await agent.remember({ content })).id);
  const [one, two, three, four] = ids as [string, string, string, string];
  await agent.branches.create("work");
  expect(await summaryOf("work")).toMatchObject({ parent: "main", created: 0, changed: 0, hidden: 0 });
  await agent.remember({ content: "five" }, { branch: "work" });
  await agent.revise(one, { content: "one here" }, { branch: "work" });
  await agent.revise(two, { content: "two here" }, { branch: "work" });
  await agent.forget(three, { branch: "work" });
  await agent.revise(two, { content: "two there" });
  await agent.revise(four, { content: "four there" });
  await agent.branches.create("play", { from: "work" });
  await agent.remember({ content: "six" }, { branch: "play" });
  expect(await summaryOf("work")).toMatchObject({
    ...{ created: 1, changed: 2, hidden: 1, onBothSides: 1, conflicts: 0, last: { by: { agent: "ada" } } },
  });
  expect(await summaryOf("play")).toMatchObject({ parent: "work", created: 1, changed: 0, hidden: 0 });
  await agent.merge({ from: "work", strategy: "newest" });
  expect(await summaryOf("work")).toMatchObject({
    ...{ created: 0, hidden: 0, merged: expect.any(Number) },
  });
  expect(await summaryOf("main")).not.toHaveProperty("created");
  await agent.branches.delete("play");
  expect((await space.branchSummaries({ deleted: true })).map(({ status }) => status)).toContain("deleted");
  expect(await summaryOf("play")).toBeUndefined();
});

test("[UI9] a branch of the past starts where its parent was then, on every device and however it is asked", async () => {
  await using world = new World(7);
  const { space } = await world.found("laptop");
  const agent = space.as({ agent: "ada", role: "owner", confirmed: true });
  const startOf = async (name: string) => {
    const ofBoth = [await space.branchSummaries(), await space.branches.list()] as const;
    const [summary, info] = ofBoth.map((branches) => branches.find((branch) => branch.name === name));
    expect(info?.startsAt).toBe(summary?.startsAt);
    return { start: summary?.startsAt, forked: summary?.forkedAt };
  };
  await agent.remember({ content: "one" });
  const [first] = (await space.log({ limit: 1 })).changes;
  world.clock.advance(5 * HOUR);
  const then = new Date(world.clock.now()).toISOString();
  world.clock.advance(5 * HOUR);
  const quiet = await agent.branches.create("quiet");
  expect(quiet.startsAt).toBe(quiet.forkedAt);
  await agent.remember({ content: "two" });
  world.clock.advance(HOUR);
  const past = await agent.branches.create("past", { from: `main@${then}` });
  expect(past.startsAt).toBe(first?.at);
  const now = await agent.branches.create("now");
  await agent.remember({ content: "three" }, { branch: "past" });
  await agent.merge({ from: "main", into: "past" });
  world.clock.advance(HOUR);
  await agent.remember({ content: "four" });
  expect(await startOf("past")).toEqual({ start: first?.at, forked: past.forkedAt });
  for (const { name, forkedAt } of [quiet, now])
    expect(await startOf(name)).toEqual({ start: forkedAt, forked: forkedAt });
  expect(await startOf("main")).toEqual({ start: undefined, forked: undefined });
  const nothing = await agent.branches.create("nothing", { from: "main@1999-01-01" });
  expect(nothing.startsAt).toBe(first?.at);
});

test("[UI9] where a branch starts is the same on every device, whatever arrives on its parent later", async () => {
  await using world = new World(7);
  await world.startRelay();
  const laptop = await world.found("laptop");
  const phone = await world.join(laptop, "phone");
  const agents = [laptop, phone].map(({ space }) => space.as({ agent: "ada", role: "owner" }));
  await agents[0]?.remember({ content: "one" });
  await allSynced(laptop, phone);
  world.proxy.cut();
  world.clock.advance(HOUR);
  await agents[1]?.remember({ content: "two, away" });
  world.clock.advance(HOUR);
  const { startsAt, forkedAt } = await laptop.space.branches.create("trial");
  expect(startsAt).toBe(forkedAt);
  world.proxy.restore();
  await converged(laptop, phone);
  for (const { space } of [laptop, phone]) {
    const ofBoth = [await space.branches.list(), await space.branchSummaries()] as const;
    for (const branches of ofBoth)
      expect(branches.find(({ name }) => name === "trial")).toMatchObject({ startsAt, forkedAt });
  }
});

test("[UI9] what was brought over in part is not counted, whatever its parent wrote since beside it", async () => {
  await using world = new World(7);
  const { space } = await world.found("laptop");
  const agent = space.as({ agent: "ada", role: "owner", confirmed: true });
  const expectDifferences = async (created: number, changed: number, onBothSides: number) =>
    expect((await space.branchSummaries()).find(({ name }) => name === "work")).toMatchObject({
      ...{ created, changed, hidden: 0, onBothSides },
    });
  const { id: rent } = await agent.remember({ content: "The rent is 900." });
  await agent.branches.create("work");
  const { id: bike } = await agent.remember({ content: "The bike is blue." }, { branch: "work" });
  await agent.revise(rent, { content: "The rent is 950." }, { branch: "work" });
  await expectDifferences(1, 1, 0);
  await agent.merge({ from: "work", only: { ids: [bike] } });
  await expectDifferences(0, 1, 0);
  await agent.merge({ from: "work", only: { ids: [rent] } });
  await agent.revise(rent, { category: "home" });
  await expectDifferences(0, 0, 0);
  await agent.revise(rent, { content: "The rent is 990." }, { branch: "work" });
  await expectDifferences(0, 1, 1);
  await agent.merge({ from: "work" });
  await agent.revise(rent, { content: "The rent is 1,000." });
  await agent.revise(bike, { content: "The bike is red." });
  await expectDifferences(0, 0, 0);
});

test("[UI10] facets count what a list shows, each label as if nothing were asked of it", async () => {
  await using world = new World(8);
  const { space } = await world.found("laptop");
  const random = seededNumbers(8);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const agents = ["ada", "bob"].map((agent) => space.as({ agent, role: "owner" }));
  for (let n = 0; n < 40; n += 1) {
    world.clock.advance(HOUR);
    const tags = ["x", "y", "z"].filter(() => random() < 0.4);
    const category = pick(["home", "work", undefined]);
    const { id } = await pick(agents).remember({ content: `Fact ${n}`, tags, ...(category && { category }) });
    if (random() < 0.2) await pick(agents).forget(id);
    if (n % 13 === 5) await space.as({ role: "owner", confirmed: true }).erase({ ids: [id] });
  }
  // Many memories of one change.
  const path = join(world.root, "notes.md");
  writeFileSync(path, Array.from({ length: 60 }, (_, n) => `# Note ${n}\n\nText ${n}.\n`).join("\n"));
  await pick(agents).import(path);
  const filters = [{}, { category: "home" }, { tag: "x", agent: "ada" }, { not: { category: "work" } }];
  const at = new Date(world.clock.now() - 20 * HOUR).toISOString();
  for (const state of [{}, { at: `main@${at}` }])
    for (const filter of filters) {
      const asked = { ...state, ...filter };
      const facets = await space.facets(asked);
      expect(facets.total).toBe((await space.list({ ...asked, limit: 1_000 })).memories.length);
      const forgotten = await space.list({ ...asked, forgotten: true, limit: 1_000 });
      expect(facets.forgotten).toBe(forgotten.memories.length);
      for (const label of ["category", "tag", "agent", "device"] as const)
        for (const { value, count } of facets[label]) {
          const { memories } = await space.list({ ...asked, [label]: value, limit: 1_000 });
          expect([asked, label, value, memories.length]).toEqual([asked, label, value, count]);
        }
    }
  expect((await space.facets({ device: "00000000-0000-7000-8000-000000000000" })).total).toBe(0);
  expect((await space.recall(undefined, { device: space.replica })).length).toBeGreaterThan(0);
});

test("[UI20] memories are chosen by the conversation or session that they come from", async () => {
  await using world = new World(14);
  const { space } = await world.found("laptop");
  const said = (content: string, identity: object, source?: Source) =>
    space
      .as({ role: "owner", ...identity })
      .remember({ content, ...(source === undefined ? {} : { source }) });
  await said("tea", { conversation: "monday" });
  await said("cake", { session: "monday" });
  await said("milk", {}, { kind: "conversation", conversation: "monday", turn: 3 });
  await said("sugar", {}, { kind: "chat", title: "monday" });
  await said("lemon", {}, { kind: "book", title: "monday" });
  await said("salt", { conversation: "tuesday" });
  await said("rice", {});
  const listed = async (conversation: string | string[]) =>
    (await space.list({ conversation })).memories.map(({ content }) => content).sort();
  expect(await listed("monday")).toEqual(["cake", "milk", "sugar", "tea"]);
  expect(await listed(["monday", "tuesday"])).toEqual(["cake", "milk", "salt", "sugar", "tea"]);
  expect(await listed("sunday")).toEqual([]);
  expect((await space.facets({ conversation: "monday" })).total).toBe(4);
  expect((await space.recall("tea", { conversation: "monday" })).map(({ content }) => content)).toEqual([
    "tea",
  ]);
  expect(await space.recall("salt", { conversation: "monday" })).toHaveLength(0);
});

test("[UI22] a difference is told of chosen memories, or only counted", async () => {
  await using world = new World(15);
  const { space } = await world.found("laptop");
  const agent = space.as({});
  const ids: string[] = [];
  for (const content of ["tea", "cake", "milk"]) ids.push((await agent.remember({ content })).id);
  const { head } = (await space.status()).branch;
  const from = `main@heads:${head.join(",")}`;
  await agent.revise(ids[0] as string, { content: "green tea" });
  await agent.revise(ids[1] as string, { content: "apple cake" });
  await agent.forget(ids[2] as string);
  await agent.remember({ content: "sugar" });
  const whole = await space.diff(from, "main");
  expect([whole.created.length, whole.changed.length, whole.deleted.length]).toEqual([1, 2, 1]);
  const chosen = await space.diff(from, "main", { ids: [ids[0] as string, ids[2] as string] });
  expect(chosen).toEqual({
    ...{ ...whole, created: [], deleted: whole.deleted },
    changed: whole.changed.filter(({ id }) => id === ids[0]),
  });
  expect((await space.diff(from, "main", { ids: "00000000-0000-7000-8000-000000000000" })).changed).toEqual(
    [],
  );
  const counted = await space.diff(from, "main", { onlyCounts: true });
  expect(counted.counts).toEqual({ created: 1, changed: 2, deleted: 1 });
  expect([counted.created, counted.changed, counted.deleted]).toEqual([[], [], []]);
});

test("[UI11] a query that finds nothing now says when it found something last", async () => {
  await using world = new World(9);
  const { space } = await world.found("laptop");
  const agent = space.as({ agent: "ada", role: "owner" });
  const { id } = await agent.remember({ content: "The heating is serviced in May", category: "home" });
  const other = await agent.remember({ content: "The heating needs oil", category: "car" });
  expect(await space.lastFound("heating")).toBeUndefined();
  world.clock.advance(24 * HOUR);
  await agent.forget(other.id);
  world.clock.advance(24 * HOUR);
  await agent.revise(id, { content: "The boiler is serviced in June" });
  const found = await space.lastFound("heating");
  expect(found).toMatchObject({ count: 1 });
  const then = await space.recall("heating", { at: new Date(found?.at ?? 0).toISOString() });
  expect(then.map(({ content }) => content)).toEqual(["The heating is serviced in May"]);
  expect((await space.recall("heating", { at: new Date(found?.until ?? 0).toISOString() })).length).toBe(0);
  const ofCar = await space.lastFound("heating", { category: "car" });
  expect(ofCar?.at).toBeLessThan(found?.at ?? 0);
  expect(await space.lastFound("bicycle")).toBeUndefined();
  await expect(space.lastFound(" ")).rejects.toMatchObject({ code: "BAD_INPUT" });
});
