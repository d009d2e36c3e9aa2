import fc from "fast-check";
import { expect, test } from "vitest";
import type { MemoryId } from "../../src/format/ids.js";
import { type Blame, blameOf } from "../../src/versions/blame.js";
import { hashOf, Story } from "../merge/records.js";

function blame(story: Story, ...tips: readonly string[]): Blame {
  const resolved = story.at(...tips);
  const shownTips = tips.map(hashOf);
  return blameOf({
    ...{ id: "memory" as MemoryId, resolved, records: story.records, shownTips },
    ...{ carried: [], absent: [], rank: story.rank, countsFrom: () => 0 },
  });
}

const phrases = ({ content }: Blame): readonly (readonly [string, string])[] =>
  content.map(({ text, setBy }) => [text, setBy.record]);
const fields = (told: Blame): Record<string, readonly string[]> =>
  Object.fromEntries(told.fields.map(({ field, setBy }) => [field, setBy.map(({ record }) => record)]));

test("[VN6] each phrase is the last version's that wrote it, each field the last one's that set it", () => {
  const story = new Story()
    .write("a", [], { content: "Budget is 50M. Ada leads.", category: "plan" })
    .write("b", ["a"], { content: "Budget is 60M. Ada leads." })
    .write("c", ["b"], { tags: ["money"] })
    .write("d", ["c"], { content: "Budget is 60M. Ada leads. Bo helps." });
  expect(phrases(blame(story, "d"))).toEqual([
    ["Budget is ", "a"],
    ["60M", "b"],
    [". Ada leads. ", "a"],
    ["Bo helps.", "d"],
  ]);
  expect(fields(blame(story, "d"))).toEqual({ content: ["d"], category: ["a"], tags: ["c"] });
});

test("[VN6] what two sides wrote keeps both their names through a merge, written down or not", () => {
  const story = new Story()
    .write("base", [], { content: "Tea in the morning.\nCoffee at noon.\nWine at night.\n" })
    .write("left", ["base"], { content: "Green tea in the morning.\nCoffee at noon.\nWine at night.\n" })
    .write("right", ["base"], { content: "Tea in the morning.\nCoffee at noon.\nWater at night.\n" });
  const expected = [
    ["Green tea ", "left"],
    ["in the morning.\nCoffee at noon.\n", "base"],
    ["Water ", "right"],
    ["at night.\n", "base"],
  ];
  expect(phrases(blame(story, "left", "right"))).toEqual(expected);
  expect(fields(blame(story, "left", "right")).content?.toSorted()).toEqual(["left", "right"]);
  story.write("joined", ["left", "right"], { kind: "habit" });
  expect(phrases(blame(story, "joined"))).toEqual(expected);
});

interface Step {
  readonly kind: "insert" | "remove" | "join" | "fork";
  readonly tip: number;
  readonly place: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("insert", "insert", "remove", "join", "fork"),
  tip: fc.nat(7),
  place: fc.nat(20),
});

/** Every word is written once and never again, so that whoever wrote it can be read off the word. */
function lived(steps: readonly Step[]): { readonly story: Story; readonly tips: readonly string[] } {
  const story = new Story().write("r0", [], { content: "r0-a r0-b" });
  let tips = ["r0"];
  for (const [index, { kind, tip, place }] of steps.entries()) {
    const name = `r${index + 1}`;
    const mine = tips[tip % tips.length] as string;
    const others = tips.filter((other) => other !== mine);
    if (kind === "fork") tips = [...tips, mine];
    else if (kind === "join") {
      story.write(name, [...new Set(tips)], { kind: name });
      tips = [name];
    } else {
      const words = story.at(mine).fields.content.split(" ");
      const at = place % (words.length + 1);
      if (kind === "insert") words.splice(at, 0, `${name}-x`);
      else if (words.length > 1) words.splice(at, 1);
      story.write(name, [mine], { content: words.join(" ") });
      tips = [...others, ...tips.filter((other) => other === mine).slice(1), name];
    }
  }
  return { story, tips: [...new Set(tips)] };
}

test("[VN6] blame tells for every word who wrote it, through forks and joins of any shape", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 16 }), (steps) => {
      const { story, tips } = lived(steps);
      const told = blame(story, ...tips);
      expect(told.content.map(({ text }) => text).join("")).toBe(story.at(...tips).fields.content);
      for (const { text, setBy } of told.content) {
        for (const word of text.trim().split(" ")) expect(word.split("-")[0]).toBe(setBy.record);
      }
    }),
  );
});
