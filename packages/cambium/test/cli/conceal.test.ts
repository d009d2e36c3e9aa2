/** `forget --no-trace`, `list --concealed` and `restore`, on a home of their own. */
import { afterAll, expect, test } from "vitest";
import { OwnHome } from "./own-home.js";

const home = new OwnHome();
afterAll(() => home[Symbol.dispose]());
const cambium = (...line: readonly string[]) => home.run(line);
const cambiumAs = (env: Readonly<Record<string, string>>, ...line: readonly string[]) =>
  home.run(line, { env });

const remembered = async (text: string, ...more: readonly string[]): Promise<string> =>
  (JSON.parse((await cambium("remember", text, ...more, "--json")).stdout) as { id: string }).id;

test("[ER65] forget --no-trace hides by id, label or time, in the past too; list --concealed shows it, restore brings it back", async () => {
  await cambium("init", "notes");
  const tea = await remembered("Tea at four", "--tag", "drink");
  const party = await remembered("The surprise party is on Friday", "--tag", "surprise");
  const cake = await remembered("Bring the cake", "--tag", "surprise", "--category", "party");

  const one = await cambium("forget", party.slice(-12), "--no-trace");
  expect([one.code, one.stderr]).toEqual([0, ""]);
  for (const text of ["Concealed", "still in the files", "cambium erase", "cambium restore"])
    expect(one.stdout).toContain(text);
  expect((await cambium("list", "--at", "1 second ago", "--all")).stdout).not.toContain("surprise party");
  expect((await cambium("log")).stdout).not.toContain("surprise party");
  expect((await cambium("show", party)).code).toBe(3);

  const unasked = await cambium("forget", "--no-trace", "--tag", "surprise");
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining("--yes")]);
  const byTag = await cambium("forget", "--no-trace", "--tag", "surprise", "--yes", "--json");
  expect(JSON.parse(byTag.stdout)).toMatchObject({
    memories: [{ id: cake, memory: { content: "Bring the cake" } }],
  });
  expect((await cambium("forget", "--no-trace", "--tag", "surprise", "--yes")).stdout).toContain(
    "Nothing was",
  );
  const shown = (await cambium("list", "--concealed")).stdout;
  for (const text of ["Bring the cake", "The surprise party"]) expect(shown).toContain(text);
  expect(shown).not.toContain("Tea at four");

  await cambium("forget", tea);
  await cambium("forget", tea, "--no-trace");
  expect((await cambium("restore", cake)).stdout).toContain("Shown again:");
  expect((await cambium("restore", tea)).stdout).toContain("Restored");
  const list = (await cambium("list")).stdout;
  for (const text of ["Bring the cake", "Tea at four"]) expect(list).toContain(text);
  expect((await cambium("history", cake, "--json")).stdout).toContain('"version":1');
  expect((await cambium("restore", "00000000")).code).toBe(3);
});

test("[ER64] [ER65] an agent gets neither the list nor, unless the owner agrees, anything concealed; nonsense is refused", async () => {
  const id = await remembered("The door code is 4711");
  expect((await cambiumAs({ CAMBIUM_AGENT: "cursor" }, "list", "--concealed")).code).toBe(5);
  const asked = await cambium("forget", id, "--no-trace", "--agent", "cursor");
  expect([asked.code, asked.stderr]).toEqual([5, expect.stringContaining("cambium approve")]);
  expect((await cambium("list")).stdout).toContain("4711");
  await cambium("forget", id, "--no-trace");
  const requests = async () => (await cambium("approve", "--all", "--json")).stdout;
  const before = await requests();
  const unknown = id.replace(/^./, "f");
  const [hidden, none] = [
    await cambiumAs({ CAMBIUM_AGENT: "cursor" }, "restore", id),
    await cambiumAs({ CAMBIUM_AGENT: "cursor" }, "restore", unknown),
  ];
  expect([hidden.code, hidden.stderr.replaceAll(id, unknown)]).toEqual([3, none.stderr]);
  expect(await requests()).toBe(before);
  expect((await cambium("restore", id)).stdout).toContain("Shown again:");
  for (const line of [
    ["forget"],
    ["forget", "--no-trace"],
    ["forget", id, "--no-trace", "--tag", "x"],
    ["forget", id, "--no-trace", "--reason", "x"],
    ["forget", id, "--no-trace", "--with-similar"],
    ["forget", "--tag", "x"],
    ["forget", id, "--tag", "x"],
  ])
    expect([line, (await cambium(...line)).code]).toEqual([line, 2]);
});
