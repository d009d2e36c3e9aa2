import { describe, expect, test } from "vitest";
import { contentsOf, converged, type Device, meet, part, synced, World } from "../support/world.js";

const DAY_MS = 86_400_000;
const iso = (time: number): string => new Date(time).toISOString();

/** Three memories, a day's rest, and then a bad day on which two agents write. */
async function badDay(world: World) {
  const device = await world.found();
  const { space } = device;
  const ada = space.as({ agent: "ada" });
  const rex = space.as({ agent: "rex" });
  const tea = await ada.remember({ content: "drinks tea", category: "taste" });
  const city = await ada.remember({ content: "lives in Oslo", category: "place", tags: ["home"] });
  const cat = await ada.remember({ content: "has a cat", category: "home" });
  const good = iso(world.clock.now());
  // A day that passes while the relay says what time it is would look like a wrong clock.
  if ((await space.sync.status()).relay.url !== null) await synced(device);
  world.clock.advance(DAY_MS);
  await rex.revise(tea.id, { content: "drinks coffee" });
  await rex.forget(cat.id);
  const junk = await rex.remember({ content: "likes spam", category: "taste" });
  const car = await ada.remember({ content: "bought a car", category: "home" });
  await ada.revise(city.id, { content: "lives in Bergen" });
  return { device, space, ada, rex, tea, city, cat, junk, car, good };
}

const shown = async (device: Device): Promise<readonly string[]> =>
  (await contentsOf(device)).toSorted((a, b) => a.localeCompare(b));

const BEFORE = ["drinks tea", "has a cat", "lives in Oslo"];
const AFTER = ["bought a car", "drinks coffee", "likes spam", "lives in Bergen"];

describe("to a state", () => {
  test("[GB1] a preview says what would be brought back, changed and hidden, and writes nothing", async () => {
    await using world = new World(1);
    const { device, space, tea, cat, good } = await badDay(world);
    const { head } = (await space.status()).branch;
    const preview = await space.rollback({ to: `main@${good}`, preview: true });
    expect(preview).toMatchObject({
      status: "preview",
      counts: { created: 0, changed: 2, broughtBack: 1, hidden: 2 },
      from: { branch: "main", heads: head },
    });
    expect(preview.changed.find(({ id }) => id === tea.id)).toMatchObject({
      fields: ["content"],
      before: { content: "drinks coffee" },
      after: { content: "drinks tea" },
    });
    expect(preview.broughtBack.map(({ id }) => id)).toEqual([cat.id]);
    expect(preview.deleted.map(({ content }) => content).toSorted()).toEqual(["bought a car", "likes spam"]);
    expect((await space.status()).branch.head).toEqual(head);
    expect(await shown(device)).toEqual(AFTER);
  });

  test("[TI12] the log says who went back, and why, of however many memories", async () => {
    await using world = new World(21);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada", confirmed: true });
    for (let number = 0; number < 20; number += 1) await ada.remember({ content: `note ${number}` });
    const [first] = (await space.log({ limit: 1_000 })).changes.slice(-1);
    await ada.rollback({ to: `main@heads:${first?.hash}`, reason: "a bad day" });
    expect((await space.log({ limit: 1 })).changes[0]).toMatchObject({
      type: "rollback",
      memories: 19,
      by: { agent: "ada" },
      reason: "a bad day",
    });
  });

  test("[GB2] it is one change, after which the state is what it was; an undo takes it back", async () => {
    await using world = new World(2);
    const { device, space, good } = await badDay(world);
    const before = await space.status();
    const { status, change } = await space.rollback({ to: good, reason: "a bad day" });
    expect(status).toBe("rolled-back");
    expect(await shown(device)).toEqual(BEFORE);
    const { changes } = await space.log({ limit: 1 });
    expect(changes[0]).toMatchObject({ hash: change, type: "rollback", parents: before.branch.head });
    expect((await space.rollback({ to: good })).status).toBe("up-to-date");

    const undone = await space.undo();
    expect(undone).toMatchObject({ of: change, kept: [] });
    expect(await shown(device)).toEqual(AFTER);
    await space.undo({ change: undone.change });
    expect(await shown(device)).toEqual(BEFORE);
  });

  test("[GB3] in part, it touches nothing else", async () => {
    await using world = new World(3);
    const { device, space, tea, good } = await badDay(world);
    const preview = await space.rollback({ to: good, only: { category: "taste" }, preview: true });
    expect(preview.counts).toEqual({ created: 0, changed: 1, broughtBack: 0, hidden: 1 });
    await space.rollback({ to: good, only: { ids: [tea.id.slice(0, 13)] } });
    expect(await shown(device)).toEqual(["bought a car", "drinks tea", "likes spam", "lives in Bergen"]);
    await space.rollback({ to: good, only: { tag: "home" } });
    expect(await shown(device)).toEqual(["bought a car", "drinks tea", "likes spam", "lives in Oslo"]);
    await space.rollback({ to: good, only: { category: "home" } });
    expect(await shown(device)).toEqual(["drinks tea", "has a cat", "likes spam", "lives in Oslo"]);
  });

  test("[GB4] a preview that the branch has left behind is refused", async () => {
    await using world = new World(4);
    const { device, space, ada, good } = await badDay(world);
    const { from } = await space.rollback({ to: good, preview: true });
    await ada.remember({ content: "one more" });
    await expect(space.rollback({ to: good, expect: from.heads })).rejects.toMatchObject({
      code: "STALE_EXPECTATION",
    });
    expect(await shown(device)).toContain("one more");
  });

  test("[GB5] tried on a branch, it leaves the branch it was forked from alone", async () => {
    await using world = new World(5);
    const { device, space, good } = await badDay(world);
    const result = await space.rollback({ to: good, onBranch: "try" });
    expect(result).toMatchObject({ status: "rolled-back", triedOn: "try", from: { branch: "try" } });
    expect(await shown(device)).toEqual(AFTER);
    const { memories } = await space.list({ branch: "try" });
    expect(memories.map(({ content }) => content).toSorted()).toEqual(BEFORE);
    const refused = space.rollback({ to: good, only: { ids: ["ffffffff"] }, onBranch: "another" });
    await expect(refused).rejects.toMatchObject({ code: "MEMORY_NOT_FOUND" });
    expect((await space.branches.list()).map(({ name: branch }) => branch)).toEqual(["main", "try"]);
    await space.merge({ from: "try", strategy: "source" });
    expect(await shown(device)).toEqual(BEFORE);
  });

  test("[GB16] tried on a branch, it goes back to a state in which nothing had happened", async () => {
    await using world = new World(15);
    const { device, space } = await badDay(world);
    const nothing = "main@2020-01-01";
    const result = await space.rollback({ to: nothing, onBranch: "try" });
    expect(result).toMatchObject({ status: "rolled-back", triedOn: "try", to: { ref: nothing } });
    expect((await space.list({ branch: "try" })).memories).toEqual([]);
    expect(await shown(device)).toEqual(AFTER);
    const empty = await device.replica.createSpace({ name: "empty" });
    const { head } = (await empty.status()).branch;
    expect(head).toEqual([]);
    const ref = `main@heads:${head.join(",")}`;
    await empty.as({ agent: "ada" }).remember({ content: "later" });
    expect((await empty.list({ at: ref })).memories).toEqual([]);
    expect((await empty.diff(ref, "main")).created).toHaveLength(1);
    expect((await empty.rollback({ to: ref, onBranch: "try" })).counts.hidden).toBe(1);
    expect((await empty.branches.create("anew", { from: ref })).head).toEqual([]);
    expect((await empty.rollback({ to: ref })).status).toBe("rolled-back");
    const fresh = await device.replica.createSpace({ name: "fresh" });
    expect((await fresh.rollback({ to: "main", onBranch: "try" })).status).toBe("up-to-date");
  });

  test("[GB6] to a state of another branch it brings what this branch has never had", async () => {
    await using world = new World(6);
    const { device, space, ada } = await badDay(world);
    await space.branches.create("side");
    await ada.remember({ content: "only beside" }, { branch: "side" });
    const preview = await space.rollback({ to: "side", preview: true });
    expect(preview.counts).toEqual({ created: 1, changed: 0, broughtBack: 0, hidden: 0 });
    await space.rollback({ to: "side" });
    expect(await shown(device)).toEqual([...AFTER, "only beside"].toSorted((a, b) => a.localeCompare(b)));
    expect((await space.merge({ from: "side" })).conflicts).toEqual([]);
  });

  test("[GB7] edits that were made elsewhere meanwhile are kept, and shown", async () => {
    await using world = await World.withRelay(7);
    const { device: a, tea, good } = await badDay(world);
    const b = await world.join(a, "b");
    await converged(a, b);
    await b.space.sync.stop();
    await b.space.as({ agent: "bob" }).revise(tea.id, { content: "drinks mate" });
    await b.space.as({ agent: "bob" }).remember({ content: "written elsewhere" });
    await a.space.rollback({ to: good });
    b.space.sync.start();
    await converged(a, b);
    expect(await shown(a)).toContain("written elsewhere");
    const [conflict] = await a.space.conflicts();
    expect(conflict?.id).toBe(tea.id);
    expect(conflict?.fields[0]?.values.map(({ value }) => value).toSorted()).toEqual([
      "drinks mate",
      "drinks tea",
    ]);
  });

  test("[GB8] a conflict that has come since is decided as it was; one that was open then stays open", async () => {
    await using world = await World.withRelay(8);
    const a = await world.found("a");
    const { id } = await a.space.as({ agent: "ada" }).remember({ content: "red" });
    const b = await world.join(a, "b");
    await converged(a, b);
    const calm = iso(world.clock.now());
    world.clock.advance(1_000);
    await part(a, b);
    await a.space.as({ agent: "ada" }).revise(id, { content: "green" });
    await b.space.as({ agent: "bob" }).revise(id, { content: "blue" });
    await meet(a, b);
    const open = (await a.space.status()).branch.head;
    expect(await a.space.conflicts()).toHaveLength(1);
    await a.space.as({ agent: "ada" }).revise(id, { category: "colour" });
    await a.space.rollback({ to: `main@heads:${open.join(",")}` });
    expect(await a.space.conflicts()).toHaveLength(1);
    expect((await a.space.get(id)).category).toBeUndefined();
    await a.space.rollback({ to: calm });
    expect(await a.space.conflicts()).toEqual([]);
    expect((await a.space.get(id)).content).toBe("red");
    await a.space.undo();
    expect((await a.space.get(id)).content).not.toBe("red");
  });
});

describe("what somebody wrote, or when", () => {
  test("[GB10] an agent's changes are taken back; what others wrote stays", async () => {
    await using world = new World(10);
    const { device, space, good } = await badDay(world);
    const result = await space.rollback({ only: { agent: "rex" } });
    expect(result.counts).toEqual({ created: 0, changed: 1, broughtBack: 1, hidden: 1 });
    expect(await shown(device)).toEqual(["bought a car", "drinks tea", "has a cat", "lives in Bergen"]);
    await space.undo();
    await space.rollback({ to: good, only: { agent: "ada" } });
    expect(await shown(device)).toEqual(["drinks coffee", "likes spam", "lives in Oslo"]);
  });

  test("[GB11] fields that others wrote since stay, and are reported", async () => {
    await using world = new World(11);
    const { space, ada, tea, junk } = await badDay(world);
    await ada.revise(tea.id, { content: "drinks cocoa" });
    await ada.revise(junk.id, { category: "food" });
    const result = await space.rollback({ only: { agent: "rex" } });
    expect(result.kept).toEqual([{ id: tea.id, fields: ["content"] }]);
    expect((await space.get(tea.id)).content).toBe("drinks cocoa");
    expect((await space.get(junk.id)).deleted).toBe(true);
  });

  test("[GB12] a time range is taken back, also within a category", async () => {
    await using world = new World(12);
    const { device, space, good } = await badDay(world);
    const since = Date.parse(good) + 1;
    const until = world.clock.now();
    world.clock.advance(DAY_MS);
    await space.as({ agent: "rex" }).remember({ content: "a new day", category: "home" });
    await space.rollback({ only: { category: "home", since, until } });
    expect(await shown(device)).toEqual([
      "a new day",
      "drinks coffee",
      "has a cat",
      "likes spam",
      "lives in Bergen",
    ]);
    await space.rollback({ only: { since, until } });
    expect(await shown(device)).toEqual(["a new day", "drinks tea", "has a cat", "lives in Oslo"]);
  });

  test("[GB13] asked for nothing in particular, or for a time that ends before it begins, it refuses", async () => {
    await using world = new World(13);
    const { space } = await badDay(world);
    for (const only of [undefined, { category: "taste" }, { since: 2, until: 1 }]) {
      await expect(space.rollback({ ...(only === undefined ? {} : { only }) })).rejects.toMatchObject({
        code: "BAD_INPUT",
      });
    }
    await expect(
      space.rollback({ to: "main@2020-01-01", only: { ids: ["ffffffff"] } }),
    ).rejects.toMatchObject({
      code: "MEMORY_NOT_FOUND",
    });
  });
});
