/** Erasing by where something is or came from: a branch, a source, a time, a whole space. */
import { expect, test } from "vitest";
import { contentsOf, synced, World } from "../support/world.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";

test("[ER39] [ER40] [ER42] what only one branch has goes with the branch and its name; a source takes what came from it", async () => {
  await using world = new World(1);
  const { space } = await world.found();
  const ada = space.as({ agent: "ada" });
  const owner = space.as({ confirmed: true });
  const tea = await ada.remember({ content: "Ada drinks tea at four" });
  await space.branches.create("quixamber-trip");
  const on = { branch: "quixamber-trip" };
  await ada.remember({ content: SECRET }, on);
  await ada.revise(tea.id, { content: "Ada drinks Zwyvernhof coffee" }, on);
  await ada.remember({ content: "The boat is blue" }, on);
  await space.branches.create("other", { from: "quixamber-trip" });
  await ada.remember({ content: "Zwyvernhof, late" }, on);
  await space.as({ confirmed: true }).branches.delete("other");
  await space.branches.create("kept", { from: "quixamber-trip" });
  await expect(owner.erase({ onlyOn: "main" })).rejects.toMatchObject({ code: "BAD_INPUT" });
  await expect(owner.erase({ onlyOn: "nope", preview: true })).rejects.toMatchObject({
    ...{ code: "BRANCH_NOT_FOUND", hint: expect.stringMatching(/^Branches here: [a-z, -]+\.$/) },
  });
  const preview = await owner.erase({ onlyOn: "quixamber-trip", preview: true });
  expect(preview).toMatchObject({ status: "nothing" });
  await space.as({ confirmed: true }).branches.delete("kept");
  const whole = await owner.erase({ onlyOn: "quixamber-trip", preview: true });
  expect(new Map(whole.memories.map(({ id, isWhole }) => [id, isWhole])).get(tea.id)).toBe(false);
  expect(whole.counts).toEqual({ memories: 4, versions: 4 });
  await owner.erase({ onlyOn: "quixamber-trip", confirm: 4 });
  expect((await space.branches.list()).map(({ name }) => name)).toEqual(["main"]);
  expect(await space.traces([SECRET, "zwyvernhof", "quixamber", "boat is blue"])).toEqual([]);
  expect((await space.get(tea.id)).content).toBe("Ada drinks tea at four");
  expect((await space.verify()).ok).toBe(true);

  const [one, two] = ["notes/a.md", "notes/b.md"].map((path) => ({ kind: "file", path }));
  await ada.remember({ content: "from a", source: one as never });
  await ada.remember({ content: "from b", source: two as never });
  await ada.remember({ content: "from elsewhere", source: { kind: "file", path: "notes.md" } });
  expect((await owner.erase({ source: "notes/a.md", preview: true })).counts.memories).toBe(1);
  expect((await owner.erase({ source: "notes" })).counts.memories).toBe(2);
  expect((await space.list()).memories.map(({ content }) => content).sort()).toEqual(
    ["Ada drinks tea at four", "from elsewhere"].sort(),
  );
  const since = world.clock.now() - 1;
  await ada.remember({ content: "written just now" });
  await owner.erase({ since });
  await ada.remember({ content: "a new beginning" });
  expect((await space.list()).memories.map(({ content }) => content)).toContain("a new beginning");
});

test("[ER13] a query looks on every branch: what was proposed, and what a deleted one has", async () => {
  await using world = new World(3);
  const { space } = await world.found();
  const [ada, owner] = [space.as({ agent: "ada" }), space.as({ confirmed: true })];
  await ada.remember({ content: "Ada drinks tea at four" });
  await space.as({ role: "owner" }).policy.set("write", "agent:cursor", "propose");
  await space.as({ agent: "cursor" }).remember({ content: `Proposed: ${SECRET}` });
  await space.branches.create("trip");
  const other = await ada.remember({ content: `Deleted: ${SECRET}` }, { branch: "trip" });
  await ada.revise(other.id, { content: "Nothing of interest" }, { branch: "trip" });
  await owner.branches.delete("trip");
  const query = "Zwyvernhof 4711-Quixamber";
  expect(await owner.erase({ query, preview: true })).toMatchObject({
    counts: { memories: 2, versions: 3 },
    branches: ["proposed", "trip"],
  });
  await owner.erase({ query, confirm: 2 });
  expect(await space.traces(["zwyvernhof"])).toEqual([]);
  expect((await space.list()).memories.map(({ content }) => content)).toEqual(["Ada drinks tea at four"]);
});

test("[ER41] [ER74] a whole space: nothing of it is left on devices and relay, and nothing can be written any more", async () => {
  await using world = await World.withRelay(2);
  const ada = await world.found();
  const bob = await world.join(ada, "bob", { role: "admin" });
  const owner = ada.space.as({ confirmed: true });
  const asAda = ada.space.as({ agent: "ada" });
  await asAda.remember({ content: SECRET });
  expect((await ada.space.status()).erased).toBeUndefined();
  await ada.space.branches.create("quixamber");
  await ada.space.checkpoints.create({ name: "quixamber-then" });
  for (const device of [ada, bob, ada]) await synced(device);
  world.proxy.cut();
  await bob.space.as({ agent: "bob" }).remember({ content: `${SECRET}, still` });
  await expect(owner.erase({ everything: true, category: "x" })).rejects.toMatchObject({ code: "BAD_INPUT" });
  await owner.erase({ everything: true, confirm: 1 });
  world.proxy.restore();
  for (const device of [ada, bob, ada, bob, ada]) await synced(device);
  const texts = ["zwyvernhof", "4711-quixamber", "quixamber-then", "quixamber"];
  for (const { space } of [ada, bob]) expect(await space.traces(texts)).toEqual([]);
  expect(await ada.space.traces(texts, { paths: [world.relayDir] })).toEqual([]);
  expect(await contentsOf(bob)).toEqual([]);
  await expect(asAda.remember({ content: "again" })).rejects.toMatchObject({ code: "MEMORY_ERASED" });
  expect(await ada.space.erasures()).toMatchObject([
    { relay: "destroyed", waiting: [], covers: { everything: true } },
  ]);
  const { at } = (await ada.space.erasures())[0] ?? {};
  for (const { space, replica } of [ada, bob]) {
    const { erased, notices, mayHide } = await space.status();
    expect(erased).toEqual({ at, device: ada.replica.name });
    expect(notices.join()).toContain("This space was erased for good as a whole");
    expect(mayHide).toEqual([]);
    expect(await replica.spaces()).toMatchObject([{ erasedAt: at }]);
  }
  await bob.replica.close();
  const closed = await world.open(bob.home);
  expect(await closed.spaces()).toMatchObject([{ erasedAt: at }]);
});
