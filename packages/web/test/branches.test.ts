import { describe, expect, it } from "vitest";
import { sentence, type Translate } from "../src/i18n/text.ts";
import { differenceOf } from "../src/views/branches/branch-row.tsx";
import { type Branch, isOfProposals, lanesOf, ordered, partedByUse } from "../src/views/branches/lanes.ts";
import {
  answered,
  heldIn,
  type MergePreview,
  mergeOf,
  movedBetween,
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

  it("[PG18] leave main on the day that they start from, however late they were made", () => {
    const early = branch("early", 300);
    const past = branch("past", 900, { startsAt: 100, last: { at: 100, by: {} } });
    const all = ordered([branch("main"), past, early]);
    expect(all.map(({ name }) => name)).toEqual(["main", "early", "past"]);
    const [first, second] = lanesOf(all, 1_000);
    expect(second?.from).toBeLessThan(first?.from ?? 0);
    expect(second?.to).toBeGreaterThan(80);
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
    expect(differenceOf(t, branch("a", 1, { changed: 3, onBothSides: 1 }))).toBe(
      "3 changed, 1 may need your answer",
    );
    expect(differenceOf(t, branch("a", 1, { created: 0 }))).toBe("Nothing that main lacks");
    expect(differenceOf(t, branch("a", 1, { parent: "work" }))).toBe("Nothing that work lacks");
    const home = branch("a", 1, { parent: "work", merged: 2, created: 0 });
    expect(differenceOf(t, home)).toBe("Brought into work, with nothing left over");
    expect(lanesOf([branch("main"), home], 9)).toMatchObject([{ isMerged: true }]);
    expect(lanesOf([branch("main"), { ...home, created: 1 }], 9)).toMatchObject([{ isMerged: false }]);
  });

  it("[PG18] [PG20] hold proposals by what they were made from, not by how their names begin", () => {
    const isOne = (name: string, parent?: string) =>
      isOfProposals({ name, ...(parent === undefined ? {} : { parent }) });
    expect(["proposed", "proposed~ab12"].map((name) => isOne(name, "main"))).toEqual([true, true]);
    expect(isOne("proposed-work", "work~ab12")).toBe(true);
    expect(isOne("proposed-ideas", "main")).toBe(false);
    expect(isOne("proposed", "work")).toBe(false);
    expect(isOne("main")).toBe(false);
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

  it("[PG19] keeps ticks, and answers to the same question, when a branch moves", () => {
    const conflicts = [...preview.conflicts, { id: "y", fields: [{ field: "content", base: "old" }] }];
    const seen = { ...preview, conflicts } as unknown as MergePreview;
    const asked = [conflicts[0], { id: "y", fields: [{ field: "content", base: "new" }] }];
    const now = {
      ...seen,
      to: { branch: "main", heads: ["u"] },
      conflicts: asked,
    } as unknown as MergePreview;
    expect(movedBetween(seen, seen)).toEqual([]);
    expect(movedBetween(seen, now)).toEqual(["main"]);
    const selection = answered(answered(toggled(NOTHING_LEFT, ["a"], false), "x", "both"), "y", "source");
    expect(heldIn(selection, seen, seen)).toEqual(selection);
    expect(heldIn(selection, seen, now)).toEqual({ left: new Set(["a"]), answers: new Map([["x", "both"]]) });
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
