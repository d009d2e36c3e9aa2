/** Which changes a log shows, against the whole log and what is known of each memory. */
import type { LogEntry } from "@cambium/core";
import { beforeAll, describe, expect, test } from "vitest";
import type { LogOptions, Space } from "../../src/api.js";
import { World } from "../support/world.js";

/** What each change wrote, by its type and its text. */
const WROTE: Readonly<Record<string, { readonly tags: readonly string[]; readonly category?: string }>> = {
  "remember Tea": { tags: ["drink"] },
  "remember Rent": { tags: ["money"], category: "home" },
  "revise Tea, green": { tags: ["drink", "hot"] },
  "forget Rent": { tags: ["money"], category: "home" },
  "revise Tea, black": { tags: ["drink"], category: "home" },
  "merge Tea, black": { tags: ["drink", "hot"], category: "home" },
};

let space: Space;
let whole: readonly LogEntry[] = [];

beforeAll(async () => {
  const world = new World(53);
  const device = await world.found("laptop");
  space = device.space;
  const [ada, bot] = [space.as({ agent: "ada", role: "owner", confirmed: true }), space.as({ agent: "bot" })];
  const tea = await ada.remember({ content: "Tea", tags: ["drink"] });
  const rent = await bot.remember({ content: "Rent", tags: ["money"], category: "home" });
  await bot.branches.create("work");
  await bot.revise(tea.id, { content: "Tea, black", category: "home" }, { branch: "work" });
  await ada.revise(tea.id, { content: "Tea, green", tags: ["drink", "hot"] });
  await ada.forget(rent.id);
  await ada.merge({ from: "work", strategy: "source" });
  await ada.checkpoints.create({ name: "done" });
  whole = (await space.log()).changes;
  return async () => await world[Symbol.asyncDispose]();
});

const nameOf = ({ type, text }: LogEntry): string => `${type} ${text}`;
const listOf = (values: string | readonly string[] = []): readonly string[] => [values].flat();

function model({ type, agent, tag, category, not }: LogOptions): readonly string[] {
  return whole
    .filter((entry) => {
      const { tags, category: own = "" } = WROTE[nameOf(entry)] ?? { tags: [] };
      return (
        (listOf(type).length === 0 || listOf(type).includes(entry.type)) &&
        (listOf(agent).length === 0 || listOf(agent).includes(entry.by.agent ?? "")) &&
        listOf(tag).every((one) => tags.includes(one)) &&
        (listOf(category).length === 0 || listOf(category).includes(own)) &&
        !listOf(not?.agent).includes(entry.by.agent ?? "") &&
        !listOf(not?.tag).some((one) => tags.includes(one))
      );
    })
    .map(nameOf);
}

const FILTERS: readonly LogOptions[] = [
  { agent: "bot" },
  { agent: ["bot", "ada"], type: "revise" },
  { type: ["forget", "merge"] },
  { tag: "drink" },
  { tag: ["drink", "hot"] },
  { category: "home" },
  { category: "home", agent: "ada" },
  { not: { agent: "ada" } },
  { tag: "money", not: { agent: "ada" } },
  { not: { tag: "drink" } },
  { tag: "nobody uses it" },
];

describe("[TI16] a log", () => {
  test.each(FILTERS)("of %j has the changes that are meant, whole and in pages", async (filter) => {
    expect(whole.map(nameOf).toSorted()).toEqual(Object.keys(WROTE).toSorted());
    expect((await space.log(filter)).changes.map(nameOf)).toEqual(model(filter));
    const paged: LogEntry[] = [];
    let cursor: string | undefined;
    do {
      const page = await space.log({ ...filter, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
      paged.push(...page.changes);
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(paged.map(nameOf)).toEqual(model(filter));
    const past = await space.log({ ...filter, at: `main@heads:${whole[0]?.hash}` });
    expect(past.changes.map(nameOf)).toEqual(model(filter));
  });

  test("has events by their type and who did it, and none where labels are asked for", async () => {
    const typesOf = async (filter: LogOptions) =>
      ((await space.log(filter)).events ?? []).map(({ type }) => type);
    expect(await typesOf({ type: "checkpoint" })).toEqual(["checkpoint", "checkpoint"]);
    expect(await typesOf({ agent: "bot" })).toEqual(["branch"]);
    expect(await typesOf({ tag: "drink" })).toEqual([]);
  });
});
