import { existsSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifyArchive } from "../../src/archive/verify-archive.js";
import { seededBytes } from "../support/seeded.js";
import { allSynced, type Device, shownBy, synced, World } from "../support/world.js";

const CLEAR = { clear: true } as const;

const textsOf = async ({ space }: Device, branch = "main"): Promise<readonly string[]> =>
  (await space.list({ branch, limit: 1_000 })).memories.map(({ content }) => content).toSorted();

/** Two devices that have met once; from here on they are apart. */
async function parted(world: World) {
  const first = await world.found("first");
  const ada = first.space.as({ agent: "ada" });
  const tea = await ada.remember({ content: "tea at four", tags: ["drink"] });
  const cake = await ada.remember({ content: "cake at five" });
  const second = await world.join(first, "second");
  for (const device of [first, second]) await synced(device);
  world.proxy.cut();
  return { first, second, tea, cake };
}

test("[AR10] an archive is merged into the space that went on: what it brings is shown first, and undo takes it back", async () => {
  await using world = await World.withRelay(1);
  const { first, second, tea, cake } = await parted(world);
  const [ada, ben] = [first.space.as({ agent: "ada", confirmed: true }), second.space.as({ agent: "ben" })];
  const milk = await ben.remember({ content: "milk first" });
  await ben.revise(tea.id, { content: "tea at three" });
  await ben.forget(cake.id);
  await second.space.branches.create("draft");
  await ben.remember({ content: "only a draft" }, { branch: "draft" });
  const path = join(world.root, "second.tar");
  await second.space.archive(path, CLEAR);
  await ada.revise(tea.id, { category: "habit" });
  await ada.remember({ content: "sugar" });
  await ada.revise(tea.id, { content: "tea at six" });

  const before = await shownBy(first);
  const preview = await first.replica.importArchive(path, { preview: true });
  expect(await shownBy(first)).toEqual(before);
  const main = { branch: "main", isNew: false, changes: 3, conflicts: 1 };
  expect(preview).toMatchObject({
    ...{ status: "preview", as: "merge" },
    branches: [
      {
        ...main,
        created: [{ id: milk.id, content: "milk first" }],
        changed: [{ id: tea.id }],
        deleted: [{ id: cake.id, content: "cake at five" }],
      },
      { branch: "draft", isNew: true },
    ],
  });

  const imported = await first.replica.importArchive(path);
  expect(imported).toMatchObject({ status: "imported", as: "merge", branches: [main, { branch: "draft" }] });
  expect(await textsOf(first)).toEqual(
    ["milk first", "sugar", (await first.space.get(tea.id)).content].toSorted(),
  );
  expect(await first.space.get(tea.id)).toMatchObject({
    category: "habit",
    conflicts: [{ field: "content" }],
  });
  expect(await textsOf(first, "draft")).toContain("only a draft");
  expect(await first.space.verify()).toMatchObject({ ok: true, damaged: [] });
  // Once more brings nothing.
  expect((await first.replica.importArchive(path)).branches).toEqual([]);

  const change = imported.branches?.[0]?.change as string;
  await ada.undo({ change });
  expect(await textsOf(first)).toEqual(["cake at five", "sugar", "tea at six"]);
  expect(await first.space.get(tea.id)).toMatchObject({ category: "habit", content: "tea at six" });
  expect((await first.replica.importArchive(path)).branches).toEqual([]);
  expect(await textsOf(first)).toEqual(["cake at five", "sugar", "tea at six"]);
});

test("[AR10] devices that meet after a merge of archives agree, and a merge into an older space brings it up to date", async () => {
  await using world = await World.withRelay(2);
  const { first, second, tea } = await parted(world);
  await second.space.as({ agent: "ben" }).revise(tea.id, { content: "tea at three" });
  const path = join(world.root, "second.tar");
  await second.space.archive(path, CLEAR);
  const [main] = (await first.replica.importArchive(path)).branches ?? [];
  expect(main).toMatchObject({ branch: "main", conflicts: 0 });
  expect((await first.space.get(tea.id)).content).toBe("tea at three");
  world.proxy.restore();
  for (const device of [first, second, first]) await synced(device);
  expect(await shownBy(second)).toEqual(await shownBy(first));
  await first.space.as({ agent: "ada", confirmed: true }).undo({ change: main?.change as string });
  expect((await first.space.get(tea.id)).content).toBe("tea at four");
});

test("[AR11] what was erased here does not come back with an archive, nor does it show in the preview", async () => {
  await using world = new World(3);
  const { space, replica, home } = await world.found("first");
  const ada = space.as({ agent: "ada", confirmed: true });
  await ada.remember({ content: "tea at four" });
  const { id } = await ada.remember({ content: "SECRET Quixamber" });
  await ada.revise(id, { content: "SECRET Quixamber 2" });
  const path = join(world.root, "a.tar");
  await space.archive(path, CLEAR);
  await space.as({ confirmed: true }).erase({ ids: [id] });
  const preview = await replica.importArchive(path, { preview: true });
  expect(JSON.stringify(preview)).not.toContain("Quixamber");
  await replica.importArchive(path);
  expect(await space.get(id)).toMatchObject({ erased: "whole", content: "" });
  expect(await space.traces(["Quixamber"], { paths: [home.dir] })).toEqual([]);
  expect(await space.verify()).toMatchObject({ ok: true, damaged: [] });
  expect(await textsOf({ home, replica, space })).toEqual(["tea at four"]);
});

test("[AR11] what another device wrote to it, and asked for, in the words that are erased here, does not come by its archive", async () => {
  await using world = await World.withRelay(6);
  const first = await world.found("first");
  const second = await world.join(first, "second");
  const { id } = await first.space.as({ agent: "ada" }).remember({ content: "SECRET Quixamber" });
  await allSynced(first, second);
  world.proxy.cut();
  const bob = second.space.as({ agent: "bob" });
  const tea = await bob.remember({ content: "tea at four" });
  await bob.revise(id, { content: "SECRET Quixamber, says bob" });
  await bob.revise(id, { tags: ["quixotic"] });
  await expect(bob.erase({ ids: [tea.id], reason: "As is SECRET Quixamber" })).rejects.toThrow();
  const path = join(world.root, "second.tar");
  await second.space.archive(path, CLEAR);
  await first.space.as({ confirmed: true }).erase({ ids: [id] });
  const preview = await first.replica.importArchive(path, { preview: true });
  expect(JSON.stringify(preview)).not.toContain("Quixamber");
  expect(JSON.stringify(preview)).toContain("tea at four");
  await first.replica.importArchive(path);
  expect(await first.space.get(id)).toMatchObject({ erased: "whole", content: "" });
  expect(await first.space.traces(["Quixamber"], { paths: [first.home.dir] })).toEqual([]);
  expect(await textsOf(first)).toEqual(["tea at four"]);
  expect(await first.space.verify()).toMatchObject({ ok: true, damaged: [] });
});

test("[AR12] an archive since an earlier one holds what is new; import and verify take the chain", async () => {
  await using world = new World(4);
  const first = await world.found("first");
  const ada = first.space.as({ agent: "ada", confirmed: true });
  const random = seededBytes(4);
  const text = (name: string, number: number) => ({
    content: `${name} ${number} ${Buffer.from(random(1_000)).toString("base64")}`,
  });
  const at = (name: string): string => join(world.root, name);
  for (let number = 0; number < 40; number += 1) await ada.remember(text("monday", number));
  const monday = await first.space.archive(at("monday.tar"), CLEAR);
  const { id } = await ada.remember(text("tuesday", 0));
  await first.space.branches.create("draft");
  const tuesday = await first.space.archive(at("tuesday.tar"), { ...CLEAR, since: at("monday.tar") });
  await ada.forget(id);
  await first.space.archive(at("wednesday.tar"), { ...CLEAR, since: at("tuesday.tar") });
  expect(tuesday.sizeBytes).toBeLessThan(monday.sizeBytes / 2);
  expect(await verifyArchive(at("wednesday.tar"))).toMatchObject({
    since: [at("monday.tar"), at("tuesday.tar")],
  });

  const restored = await world.open(world.newHome());
  await restored.importArchive(at("wednesday.tar"));
  const device = { home: first.home, replica: restored, space: await restored.openSpace() };
  expect(await shownBy(device)).toEqual(await shownBy(first));
  expect(await device.space.verify()).toMatchObject({ ok: true });

  // Merged, the chain brings what is missing, and nothing else.
  const older = await world.open(world.newHome());
  await older.importArchive(at("monday.tar"));
  const [main] = (await older.importArchive(at("wednesday.tar"))).branches ?? [];
  expect(main).toMatchObject({ branch: "main", changes: 2, deleted: [{ id }] });

  renameSync(at("tuesday.tar"), at("tuesday-kept.tar"));
  const missing = verifyArchive(at("wednesday.tar"));
  await expect(missing).rejects.toMatchObject({
    code: "BAD_INPUT",
    hint: expect.stringContaining("tuesday.tar"),
  });
  const renamed = { since: [at("monday.tar"), at("tuesday-kept.tar")] };
  const found = [at("monday.tar"), at("tuesday-kept.tar")];
  expect(await verifyArchive(at("wednesday.tar"), renamed)).toMatchObject({ since: found });
  await first.space.archive(at("tuesday.tar"), CLEAR);
  await expect(verifyArchive(at("wednesday.tar"))).rejects.toMatchObject({ code: "BAD_INPUT" });
  expect(await verifyArchive(at("wednesday.tar"), renamed)).toMatchObject({ since: found });
  const other = await world.found("other");
  const foreign = other.space.archive(at("foreign.tar"), { ...CLEAR, since: at("monday.tar") });
  await expect(foreign).rejects.toHaveProperty("code", "BAD_INPUT");
  expect(existsSync(at("foreign.tar"))).toBe(false);
  // It would take the place of what it builds on, under whichever name.
  const before = readFileSync(at("monday.tar"));
  symlinkSync(at("monday.tar"), at("link.tar"));
  for (const name of ["monday.tar", "link.tar"])
    await expect(
      first.space.archive(at(name), { ...CLEAR, since: at("monday.tar"), overwrite: true }),
    ).rejects.toMatchObject({ code: "BAD_INPUT", message: expect.stringContaining("take the place") });
  expect(readFileSync(at("monday.tar"))).toEqual(before);
  // One of another space that lies in the place of the base is called that.
  await other.space.archive(at("tuesday.tar"), { ...CLEAR, overwrite: true });
  await expect(verifyArchive(at("wednesday.tar"))).rejects.toMatchObject({
    message: expect.stringContaining("it is one of the space shared"),
  });
});
