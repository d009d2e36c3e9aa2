import { describe, expect, it } from "vitest";
import { sentence, type Translate } from "../src/i18n/text.ts";
import { differenceOf } from "../src/views/branches/branch-row.tsx";
import { type Branch, lanesOf, ordered, partedByUse } from "../src/views/branches/lanes.ts";
import {
  answered,
  type MergePreview,
  mergeOf,
  NOTHING_LEFT,
  toggled,
  totalsOf,
} from "../src/views/merge/selection.ts";

const t: Translate = (key, values) => sentence("en", key, values);
const branch = (name: string, forkedAt?: number, fields: Partial<Branch> = {}) =>
  ({
    id: name,
    name,
    status: "open",
    isHere: true,
    ...(forkedAt === undefined ? {} : { forkedAt }),
    ...fields,
  }) as Branch;

describe("branches", () => {
  it("[PG18] are lanes below main, the newest fork first", () => {
    const all = ordered([
      branch("old", 100),
      branch("main"),
      branch("new", 300, { last: { at: 900, by: {} } }),
    ]);
    expect(all.map(({ name }) => name)).toEqual(["main", "new", "old"]);
    const [first, second] = lanesOf(all, 1_000);
    expect(first).toMatchObject({ id: "new", row: 1 });
    expect(second).toMatchObject({ id: "old", row: 2 });
    expect(second?.from ?? 0).toBeLessThan(first?.from ?? 0);
    for (const lane of [first, second]) {
      expect(lane?.from).toBeGreaterThan(0);
      expect(lane?.to).toBeGreaterThan(lane?.from ?? 100);
      expect(lane?.to).toBeLessThanOrEqual(100);
    }
    expect(lanesOf([branch("main")], 1_000)).toEqual([]);
  });

  it("[PG18] without anything of their own are one line where there are many", () => {
    const many = [branch("main"), branch("used", 1, { created: 2 })];
    for (let index = 0; index < 98; index += 1) many.push(branch(`quiet-${index}`, index + 2));
    const { shown, quiet } = partedByUse(many);
    expect(shown.map(({ name }) => name)).toEqual(["main", "used"]);
    expect(quiet).toHaveLength(98);
    expect(partedByUse(many.slice(0, 4)).quiet).toEqual([]);
  });

  it("[PG18] say how they differ", () => {
    expect(differenceOf(t, branch("a", 1, { created: 12, changed: 3, conflicts: 1 }))).toBe(
      "12 more, 3 changed, 1 needs your answer",
    );
    expect(differenceOf(t, branch("a", 1, { created: 0 }))).toBe("Nothing that main lacks");
  });
});

describe("bringing a branch home", () => {
  const memory = (id: string) => ({ id });
  const preview = {
    status: "preview",
    from: { branch: "try", heads: ["f"] },
    to: { branch: "main", heads: ["t"] },
    created: [memory("a"), memory("b")],
    changed: [
      { id: "c", before: {}, after: {}, fields: [] },
      { id: "x", before: {}, after: {}, fields: [] },
    ],
    deleted: [memory("d")],
    conflicts: [{ id: "x", fields: [] }],
  } as unknown as MergePreview;

  it("[PG19] takes everything that is ticked or answered, and expects what was shown", () => {
    expect(totalsOf(preview, NOTHING_LEFT)).toMatchObject({
      all: 5,
      created: 2,
      changed: 1,
      deleted: 1,
      answers: 0,
    });
    expect(mergeOf(preview, NOTHING_LEFT)).toEqual({
      ...{ from: "try", into: "main", expect: { from: ["f"], into: ["t"] } },
      only: { ids: ["a", "b", "c", "d"] },
    });
    const all = answered(NOTHING_LEFT, "x", "source");
    expect(mergeOf(preview, all)).toEqual({
      ...{ from: "try", into: "main", expect: { from: ["f"], into: ["t"] } },
      resolutions: { x: "source" },
    });
  });

  it("[PG19] takes own words, and what else differs from the side that they began with", () => {
    const tags = { ...preview, conflicts: [{ id: "x", fields: [{ field: "content" }, { field: "tags" }] }] };
    const own = (content: string) => answered(NOTHING_LEFT, "x", { content, rest: "target" });
    expect(mergeOf(tags as never, own("Both, in a way."))).toMatchObject({
      resolutions: { x: { content: { value: "Both, in a way." }, tags: { take: "target" } } },
    });
    expect(totalsOf(preview, own(" ")).answers).toBe(0);
    expect(mergeOf(preview, own(" "))).toMatchObject({ only: { ids: ["a", "b", "c", "d"] } });
    expect(mergeOf(preview, own(" "))).not.toHaveProperty("resolutions");
  });

  it("[PG19] leaves on the branch what is not ticked", () => {
    const some = toggled(answered(NOTHING_LEFT, "x", "both"), ["b", "d"], false);
    expect(mergeOf(preview, some)).toMatchObject({
      only: { ids: ["a", "c", "x"] },
      resolutions: { x: "both" },
    });
    expect(totalsOf(preview, toggled(some, ["b"], true)).taken).toEqual(["a", "b", "c", "x"]);
    expect(answered(some, "x", undefined).answers.size).toBe(0);
  });
});
