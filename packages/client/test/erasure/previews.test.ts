/** What a preview lists, and takes along: what says the same, and no more than that. */
import { expect, test } from "vitest";
import { World } from "../support/world.js";

const SENTENCE = "Dentist Dr. Pangolinski treats my gums";

test("[ER78] a line of an erased text counts as repeating it; a heading or a category does not", async () => {
  await using world = new World(11);
  const { space } = await world.found();
  const [ada, owner] = [space.as({ agent: "ada" }), space.as({ confirmed: true })];
  const section = await ada.remember({ content: `# Health\n\n${SENTENCE}` });
  const bare = await ada.remember({ content: SENTENCE });
  const note = await ada.remember({ content: `note: ${SENTENCE}` });
  await ada.remember({ content: "Allergic to Xylocainium", category: "health" });
  const listed = async (id: string) =>
    (await owner.erase({ ids: [id], preview: true })).repeated.map((one) => one.id).sort();
  expect(await listed(section.id)).toEqual([bare.id, note.id].sort());
  expect(await listed(bare.id)).toEqual([section.id, note.id].sort());
  expect(await listed(note.id)).toEqual([section.id, bare.id].sort());
  const all = await owner.erase({ ids: [section.id], also: ["all"], confirm: 3 });
  expect(all.repeated).toEqual([]);
  expect((await space.list()).memories.map(({ content }) => content)).toEqual(["Allergic to Xylocainium"]);
});

test("[ER78] `all` takes along what repeats a memory that it takes along", async () => {
  await using world = new World(12);
  const { space } = await world.found();
  const [ada, owner] = [space.as({ agent: "ada" }), space.as({ confirmed: true })];
  const { id } = await ada.remember({ content: "the vault opens with a whistle at midnight" });
  const copy = await ada.remember({ content: "heard: the vault opens with a whistle at midnight, says bo" });
  const tea = await ada.remember({ content: "tea at four" });
  const joined = await ada.combine([copy.id, tea.id], { content: "how to get in" });
  const first = await owner.erase({ ids: [id], preview: true });
  expect(first.repeated.map((one) => one.id)).toEqual([copy.id]);
  const all = await owner.erase({ ids: [id], also: ["all"], preview: true });
  expect(all.memories.map((one) => one.id).sort()).toEqual([id, copy.id, joined.id].sort());
  expect(all.repeated.map(({ how }) => how)).not.toContain("derived");
});

test("[ER79] only checkpoints that hold it are named, and those of a branch go with it, names and all", async () => {
  await using world = new World(13);
  const { space } = await world.found();
  const [ada, owner] = [space.as({ agent: "ada" }), space.as({ confirmed: true })];
  await ada.remember({ content: "tea at four" });
  await owner.checkpoints.create({ name: "first" });
  await space.branches.create("trial");
  const { id } = await ada.remember({ content: "the Vombatus story" }, { branch: "trial" });
  await owner.checkpoints.create({ name: "zwirn-on-trial", branch: "trial" });
  await owner.checkpoints.create({ name: "on-main" });
  const shown = async () => (await owner.erase({ ids: [id], preview: true, branch: "trial" })).checkpoints;
  expect(await shown()).toEqual(["zwirn-on-trial"]);
  await ada.revise(id, { content: "another story" }, { branch: "trial" });
  const second = await owner.erase({ versions: [{ id, version: 2 }], preview: true, branch: "trial" });
  expect(second.checkpoints).toEqual([]);

  await owner.erase({ onlyOn: "trial", confirm: 1 });
  const [erasure] = await space.erasures();
  expect(erasure?.covers.memories).toEqual([id]);
  expect(erasure?.counts.memories).toBe(1);
  const left = await space.checkpoints.list({ deleted: true });
  expect(left.filter(({ state }) => state === "kept").map(({ name }) => name)).toEqual(["on-main", "first"]);
  expect(left.map(({ name }) => name)).not.toContain("zwirn-on-trial");
  expect(await space.traces(["zwirn", "vombatus"])).toEqual([]);
  const tea = (await space.list()).memories[0]?.id ?? "";
  expect((await owner.erase({ ids: [tea], preview: true })).branches).toEqual(["main"]);
});

test("[ER80] a memory that was selected for what it was once says so", async () => {
  await using world = new World(14);
  const { space } = await world.found();
  const [ada, owner] = [space.as({ agent: "ada" }), space.as({ confirmed: true })];
  const { id } = await ada.remember({ content: "about gums", category: "health" });
  const still = await ada.remember({ content: "about teeth", category: "health" });
  await ada.revise(id, { content: "now about cars", category: "cars" });
  const preview = await owner.erase({ category: "health", preview: true });
  expect(new Map(preview.memories.map((one) => [one.id, one.isFormer]))).toEqual(
    new Map<string, true | undefined>([
      [id, true],
      [still.id, undefined],
    ]),
  );
  await owner.erase({ versions: [{ id, version: 1 }] });
  expect(await space.text(id, 1)).toMatchObject({ how: "none", text: "", isErased: true });
});
