import { execFileSync } from "node:child_process";
import { globSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Progress, Space } from "../../src/api.js";
import { World } from "../support/world.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";
const FRAGMENTS = [SECRET, "4711-quixamber", "zwyvernhof", "quixamber"];

const whereOf = async (space: Space, texts: readonly string[]) =>
  (await space.traces(texts)).map(({ path, where }) => `${path.split("/").at(-1)}: ${where}`);

/** Which databases below a folder a process of its own may write to. */
const writable = (dir: string): readonly string[] => {
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const isFree = (path) => {
      const database = new DatabaseSync(path);
      try { database.exec("BEGIN EXCLUSIVE"); return true; } catch { return false; } finally { database.close(); }
    };
    console.log(JSON.stringify(process.argv.slice(1).filter(isFree)));`;
  const paths = globSync("**/{*.sqlite,*.lock}", { cwd: dir }).map((path) => join(dir, path));
  expect(paths.length).toBeGreaterThan(1);
  return JSON.parse(execFileSync(process.execPath, ["-e", script, ...paths], { encoding: "utf8" }));
};

test.runIf(process.platform === "linux")(
  "[ER59] looking for traces leaves the home locked, and names what cannot be read",
  async () => {
    await using world = new World(59);
    const { space } = await world.found();
    await space.as({ agent: "ada" }).remember({ content: SECRET });
    const before = writable(world.root);
    expect(before.filter((path) => /lock$/.test(path))).toEqual([]);
    expect((await space.traces(FRAGMENTS)).length).toBeGreaterThan(0);
    expect(writable(world.root)).toEqual(before);
    const loop = join(world.root, "a file");
    symlinkSync("/proc/self/mem", loop);
    await expect(space.traces(FRAGMENTS, { paths: [loop] })).rejects.toMatchObject({ code: "STORE_FAILED" });
    rmSync(loop);
  },
);

describe("on one device", () => {
  test("[ER8] [ER9] [ER15] [ER76] after erasing a memory nothing of it is in any file, and the rest is as it was", async () => {
    await using world = new World(1);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada" });
    const owner = space.as({ confirmed: true });
    const tea = await ada.remember({ content: "Ada drinks tea at four", tags: ["drink"] });
    const { id } = await ada.remember({ content: "The gate is locked at night", category: "house" });
    await ada.revise(id, { content: SECRET, reason: "asked at the Zwyvernhof" });
    await ada.revise(id, { tags: ["door"] });
    await space.branches.create("trip");
    await ada.revise(tea.id, { content: "Ada drinks coffee at four" }, { branch: "trip" });
    await space.recall("code of the Zwyvernhof");
    const before = await space.traces(FRAGMENTS);
    expect(new Set(before.map(({ text }) => text))).toEqual(new Set(FRAGMENTS));
    expect(before.some(({ where }) => where.includes("sealed parts"))).toBe(true);
    const teaBefore = [await space.get(tea.id), await space.history(tea.id)];

    for (const nothing of [[], [""], [SECRET, " "]])
      await expect(space.traces(nothing)).rejects.toMatchObject({ code: "BAD_INPUT" });
    const preview = await owner.erase({ ids: [id], preview: true });
    expect(preview).toMatchObject({
      status: "preview",
      counts: { memories: 1, versions: 3 },
      branches: ["main", "trip"],
      memories: [{ id, versions: 3, isWhole: true, content: SECRET }],
    });
    const steps = new Set<string>();
    const onProgress = ({ stage, done, total }: Progress) => steps.add(`${stage}: ${done} of ${total}`);
    const erased = await owner.erase({ ids: [id], confirm: 1, reason: "a guest's code", onProgress });
    expect([...steps]).toEqual(
      expect.arrayContaining([
        "packs looked through: 1 of 1",
        "packs written anew: 1 of 1",
        expect.stringMatching(/^index of main: (\d+) of \1$/),
      ]),
    );
    expect(erased).toMatchObject({ status: "erased", counts: { memories: 1, versions: 3 } });

    expect(await whereOf(space, [...FRAGMENTS, "gate is locked"])).toEqual([]);
    expect(await space.get(id)).toMatchObject({ erased: "whole", content: "", tags: [] });
    expect((await space.history(id)).map(({ erased }) => erased)).toEqual(["whole", "whole", "whole"]);
    expect((await space.list()).memories.map(({ content }) => content)).toEqual(["Ada drinks tea at four"]);
    expect(await space.recall("code of the Zwyvernhof")).toEqual([]);
    expect([await space.get(tea.id), await space.history(tea.id)]).toEqual(teaBefore);
    expect((await space.get(tea.id, { branch: "trip" })).content).toBe("Ada drinks coffee at four");
    expect((await space.verify()).ok).toBe(true);
    expect(await space.erasures()).toMatchObject([
      { id: erased.erasure, reason: "a guest's code", covers: { memories: [id] }, isDoneHere: true },
    ]);
  });

  test("[ER11] of one version the others stay, and what only carries its text goes with it", async () => {
    await using world = new World(2);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada" });
    const { id } = await ada.remember({ content: "The gate is locked at night" });
    await ada.revise(id, { content: SECRET });
    await ada.revise(id, { tags: ["door"] });
    await ada.revise(id, { content: "The gate has a new code" });
    const owner = space.as({ confirmed: true });
    const result = await owner.erase({ versions: [{ id, version: 2 }] });
    expect(result).toMatchObject({
      counts: { memories: 1, versions: 2 },
      memories: [{ id, versions: 2, isWhole: false }],
    });
    expect((await space.history(id)).map(({ erased, content, tags }) => [erased, content, tags])).toEqual([
      [undefined, "The gate is locked at night", []],
      ["whole", "", []],
      ["content", "", ["door"]],
      [undefined, "The gate has a new code", ["door"]],
    ]);
    expect((await space.history(id))[1]?.change.summary).toBe("erased for good");
    expect(await space.traces(FRAGMENTS)).toEqual([]);
    await expect(ada.restore(id, { version: 2 })).rejects.toMatchObject({ code: "MEMORY_ERASED" });
    expect((await ada.restore(id, { version: 1 })).content).toBe("The gate is locked at night");
    expect((await space.get(id, { at: "main" })).erased).toBeUndefined();
  });

  test("[ER12] nothing is written to an erased memory, and going back, undo and merges pass it over", async () => {
    await using world = new World(3);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada", confirmed: true });
    const { id } = await ada.remember({ content: "The gate is locked at night" });
    const other = await ada.remember({ content: "Ada drinks tea at four" });
    await space.branches.create("trip");
    await ada.revise(id, { content: SECRET }, { branch: "trip" });
    await ada.revise(id, { content: "The gate is open" });
    await space.checkpoints.create({ name: "then" });
    await ada.revise(other.id, { content: "Ada drinks coffee" });
    await ada.forget(id);
    await space.as({ confirmed: true }).erase({ ids: [id] });
    for (const write of [
      () => ada.revise(id, { content: SECRET }),
      () => ada.revise(id, { tags: ["door"] }),
      () => ada.restore(id),
    ])
      await expect(write()).rejects.toMatchObject({
        code: expect.stringMatching(/MEMORY_ERASED|MEMORY_FORGOTTEN/),
      });
    const { change } = await ada.rollback({ to: "checkpoint:then" });
    expect((await ada.merge({ from: "trip" })).status).toBe("merged");
    expect((await space.list()).memories.map(({ content }) => content)).toEqual(["Ada drinks tea at four"]);
    await ada.undo({ change });
    expect((await space.list()).memories.map(({ content }) => content)).toEqual(["Ada drinks coffee"]);
    expect(await space.get(id)).toMatchObject({ erased: "whole", content: "" });
    expect(await space.get(id, { branch: "trip" })).toMatchObject({ erased: "whole", content: "" });
    expect(await space.traces(FRAGMENTS)).toEqual([]);
    expect((await space.verify()).ok).toBe(true);
  });

  test("[ER13] a range of time, an agent, a label: each says what goes, and a wide sweep has to be meant", async () => {
    await using world = new World(4);
    const { space } = await world.found();
    const [ada, rex] = [space.as({ agent: "ada" }), space.as({ agent: "rex" })];
    const owner = space.as({ confirmed: true });
    const old = await ada.remember({ content: "an old note of Ada's", category: "note" });
    world.clock.advance(86_400_000);
    const since = world.clock.now();
    const mixed = await ada.remember({ content: "begun by Ada", category: "task" });
    await rex.revise(mixed.id, { content: "gone on with by Rex" });
    const own = await rex.remember({ content: "all by Rex", category: "note" });
    const seen = async (options: object) => {
      const { counts, memories } = await owner.erase({ ...options, preview: true });
      return [counts, new Map(memories.map(({ id, isWhole }) => [id, isWhole]))];
    };
    expect(await seen({ agent: "rex" })).toEqual([
      { memories: 2, versions: 2 },
      new Map([
        [mixed.id, false],
        [own.id, true],
      ]),
    ]);
    expect(await seen({ category: "note" })).toEqual([
      { memories: 2, versions: 2 },
      new Map([
        [old.id, true],
        [own.id, true],
      ]),
    ]);
    expect(await seen({ category: "note", until: since - 1 })).toEqual([
      { memories: 1, versions: 1 },
      new Map([[old.id, true]]),
    ]);
    expect(await seen({ query: "begun" })).toEqual([
      { memories: 1, versions: 2 },
      new Map([[mixed.id, true]]),
    ]);
    await expect(owner.erase({ labels: "note" } as object)).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(owner.erase({})).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(owner.erase({ until: since - 1, confirm: 2 })).rejects.toMatchObject({
      code: "STALE_EXPECTATION",
    });
    await expect(space.erase({ until: since - 1 })).rejects.toMatchObject({ code: "CONFIRMATION_NEEDED" });
    await expect(ada.erase({ until: since - 1 })).rejects.toMatchObject({ code: "APPROVAL_NEEDED" });
    await owner.erase({ until: since - 1, confirm: 1 });
    expect((await space.get(old.id)).erased).toBe("whole");
    for (let number = 0; number < 30; number += 1) await ada.remember({ content: `one of many ${number}` });
    await expect(owner.erase({ since })).rejects.toMatchObject({ code: "ERASES_MANY" });
    await owner.erase({ since, many: true, until: world.clock.now() });
    expect((await space.list()).memories).toEqual([]);
    expect(await space.traces(["one of many", "gone on with by Rex", "old note"])).toEqual([]);
    expect((await ada.remember({ content: "a new beginning" })).content).toBe("a new beginning");
  });

  test("[ER14] [ER19] a preview names what stays and says the same, and requests that quote it lose their words", async () => {
    await using world = new World(5);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada" });
    const { id } = await ada.remember({ content: SECRET });
    const copy = await ada.remember({ content: `Note to self. ${SECRET}. Tell nobody.` });
    const tea = await ada.remember({ content: "Ada drinks tea at four" });
    const joined = await ada.combine([id, tea.id], { content: "There is a code for the door" });
    await ada.erase({ ids: [id], reason: SECRET }).catch(() => undefined);
    const owner = space.as({ confirmed: true });
    const preview = await owner.erase({ ids: [id], preview: true });
    expect(new Map(preview.repeated.map((one) => [one.id, one.how]))).toEqual(
      new Map([
        [copy.id, "repeats"],
        [joined.id, "derived"],
      ]),
    );
    expect(preview.requests).toBe(1);
    await owner.erase({ ids: [id, copy.id] });
    const [erasure] = await space.erasures();
    expect(erasure?.covers.memories.toSorted()).toEqual([id, copy.id].sort());
    expect(erasure?.covers.versions).toBe(0); // the words of the request are no version
    expect(await space.traces(FRAGMENTS)).toEqual([]);
  });

  test("[ER30] [ER31] [ER32] what shares a telling part is named before and after, and goes along when told", async () => {
    await using world = new World(7);
    const { space } = await world.found();
    const ada = space.as({ agent: "ada" });
    const owner = space.as({ confirmed: true });
    const { id } = await ada.remember({ content: "Lisa's passport number is X1234567" });
    const visa = await ada.remember({ content: "For the visa form: X 1234567" });
    const scan = await ada.remember({
      content: "The scan lies in the safe",
      source: { kind: "file", path: "scans/x1234567.pdf" },
    });
    const brief = await ada.remember({ content: "Trip to Oslo", summary: "passport X1234567 is needed" });
    const tea = await ada.remember({ content: "Ada drinks tea at four" });
    const preview = await owner.erase({ ids: [id], preview: true });
    expect(preview.repeated.map((one) => [one.id, one.how, one.field, one.parts]).sort()).toEqual(
      [
        [visa.id, "part", undefined, ["x1234567"]],
        [scan.id, "part", "source", ["x1234567"]],
        [brief.id, "part", "summary", ["x1234567", "passport"]],
      ].sort(),
    );
    const erased = await owner.erase({ ids: [id], also: [visa.id], confirm: 2 });
    expect(new Set(erased.repeated.map((one) => one.id))).toEqual(new Set([scan.id, brief.id]));
    expect(await space.erasures()).toMatchObject([{ mayRepeat: [scan.id, brief.id].sort() }]);
    const holders = (await space.traces(["x1234567"])).flatMap(({ memory = [] }) => memory);
    expect(holders.sort()).toEqual([scan.id, brief.id].sort());
    await expect(owner.erase({ ids: [brief.id], also: ["zzzz"] })).rejects.toMatchObject({
      code: expect.stringMatching(/MEMORY_NOT_FOUND|BAD_INPUT/),
    });
    await owner.erase({ ids: [brief.id], also: ["all"], confirm: 2 });
    expect((await space.erasures()).map(({ mayRepeat }) => mayRepeat)).toEqual([[], []]);
    expect(await space.traces(["x1234567", "x 1234567"])).toEqual([]);
    expect((await space.list()).memories.map(({ content }) => content)).toEqual([tea.content]);
  });
});

describe("what was erased and comes again", () => {
  test("[ER25] [ER26] an import leaves it out and says so; who remembers it on purpose is told", async () => {
    await using world = new World(6);
    const { space, home } = await world.found();
    const ada = space.as({ agent: "ada" });
    const { id } = await ada.remember({ content: SECRET });
    await ada.revise(id, { tags: ["door"] });
    await ada.remember({ content: "Ada drinks tea at four" });
    const jsonl = `${world.root}/all.jsonl`;
    await space.export(jsonl, { format: "jsonl" });
    const owner = space.as({ confirmed: true });
    await owner.erase({ ids: [id] });
    const again = await owner.import(jsonl);
    expect(again).toMatchObject({ created: 0, unchanged: 1, skipped: [{ where: "line 2" }] });
    await expect(ada.restore(id)).rejects.toMatchObject({ code: "MEMORY_ERASED" });
    expect(await space.traces(FRAGMENTS, { paths: [home.dir] })).toEqual([]);
    expect((await ada.remember({ content: "Ada drinks tea at five" })).erasedBefore).toBeUndefined();
    const anew = await ada.remember({ content: SECRET.toLowerCase() });
    expect(anew).toMatchObject({ erasedBefore: true, content: SECRET.toLowerCase() });
    expect((await space.get(anew.id)).erasedBefore).toBeUndefined();
  });
});
