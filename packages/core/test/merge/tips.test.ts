import { expect, test } from "vitest";
import { compareRank, type Rank } from "../../src/merge/rank.js";
import { reduceTips } from "../../src/merge/tips.js";
import { referenceTo, Story } from "./records.js";

const STORY = new Story()
  .write("root", [], {})
  .write("left", ["root"], { kind: "a" })
  .write("right", ["root"], { area: "a" })
  .write("both", ["left", "right"], { tags: ["t"] });

const tipsOf = (story: Story, ...names: string[]): string[] =>
  reduceTips(names.map(referenceTo), story.records).map(({ record }) => record);

test("[MG13] tips are the references that no other one descends from, each once", () => {
  expect(tipsOf(STORY, "left", "root", "right", "left")).toEqual(["left", "right"]);
  expect(tipsOf(STORY, "root", "both", "left", "right")).toEqual(["both"]);
  expect(tipsOf(STORY, "root", "both")).toEqual(["both"]);
  expect(tipsOf(STORY, "left")).toEqual(["left"]);
  expect(tipsOf(STORY)).toEqual([]);
});

test("[MG13] a reference that cannot be read stays", () => {
  expect(tipsOf(STORY, "late", "left")).toEqual(["late", "left"]);
});

test("[MG13] a reference that cannot be read goes when a readable record names it as a parent", () => {
  expect(tipsOf(STORY.without("left"), "left", "both")).toEqual(["both"]);
  expect(tipsOf(STORY.without("left"), "root", "left")).toEqual(["root", "left"]);
});

test("[MG3] rank is time, then operation id", () => {
  const ranks: Rank[] = [
    { time: 1, counter: 9, actor: "ff" },
    { time: 2, counter: 1, actor: "0a" },
    { time: 2, counter: 1, actor: "a0" },
    { time: 2, counter: 2, actor: "00" },
  ];
  expect(ranks.toReversed().sort(compareRank)).toEqual(ranks);
});
