import { describe, expect, it } from "vitest";
import type { Memory } from "../src/api/client.ts";
import { chosenIn } from "../src/views/memories/filters.ts";
import { summaryOf } from "../src/views/memories/news.tsx";
import { rowsOf } from "../src/views/memories/rows.ts";
import { tagsIn } from "../src/views/memories/write-dialog.tsx";
import { strengthWord } from "../src/views/memory/facts.tsx";
import { type Version, versionDays } from "../src/views/memory/versions.ts";

const at = (day: number, hour: number) => new Date(2026, 2, day, hour).getTime();
const memory = (id: string, time: number) => ({ id, at: time }) as Memory;
const version = (record: string, number: number, time: number, parents: readonly string[] = []) =>
  ({ record, version: number, at: time, parents }) as unknown as Version;

describe("the list of memories", () => {
  it("[PG8] is parted by days, or in the order of the search", () => {
    const memories = [memory("a", at(22, 11)), memory("b", at(22, 9)), memory("c", at(21, 9))];
    expect(rowsOf(memories, true).map(({ key }) => key)).toEqual(["2026-03-22", "a", "b", "2026-03-21", "c"]);
    expect(rowsOf(memories, false).map(({ key }) => key)).toEqual(["a", "b", "c"]);
  });

  it("[PG9] says what came since, new memories apart from other changes", () => {
    const change = (type: string, memories: string[] | number) => ({ type, memories });
    const summary = (...changes: object[]) => summaryOf(changes as never);
    expect(summary(change("remember", ["a"]), change("remember", ["b"]))).toEqual({ isNew: true, count: 2 });
    expect(summary(change("remember", ["a"]), change("revise", 41))).toEqual({ isNew: false, count: 42 });
  });

  it("[PG8] reads its filters from the address", () => {
    expect(chosenIn(new URLSearchParams("tag=a&tag=b&kind=fact&q=x"))).toEqual({
      tag: ["a", "b"],
      kind: ["fact"],
    });
    expect(tagsIn(" one, two words ,, ")).toEqual(["one", "two words"]);
  });
});

describe("the versions of a memory", () => {
  it("[PG11] are newest first, by day, and those written apart are marked", () => {
    const days = versionDays([
      version("1", 1, at(2, 10)),
      version("2", 2, at(9, 11), ["1"]),
      version("3a", 3, at(12, 16), ["2"]),
      version("3b", 3, at(12, 15), ["2"]),
    ]);
    expect(days.map(({ day }) => day)).toEqual(["2026-03-12", "2026-03-09", "2026-03-02"]);
    expect(days[0]?.versions.map(({ version: { record }, isApart }) => [record, isApart])).toEqual([
      ["3a", true],
      ["3b", true],
    ]);
    expect(days[1]?.versions[0]).toMatchObject({ before: { record: "1" }, isApart: false });
  });

  it("[PG10] have a strength in words", () => {
    expect([0.9, 0.5, 0.1].map(strengthWord)).toEqual(["strength.strong", "strength.fair", "strength.weak"]);
  });
});
