import { describe, expect, test } from "vitest";
import { type RetentionRecord, textsToPrune } from "../../src/index.js";
import { prunedHistory } from "./pruned-histories.js";

/** Seeds that once failed. */
const KEPT_SEEDS: readonly number[] = [];
const SEEDS = process.env.CAMBIUM_SOAK === undefined ? 60 : 3_000;

describe("merges after retention", () => {
  test("[RT20] whatever devices write, merge and prune, every value and every conflict is as if nothing had been pruned", () => {
    let [pruned, conflicts] = [0, 0];
    for (const seed of [...KEPT_SEEDS, ...Array.from({ length: SEEDS }, (_, index) => index + 1)]) {
      const history = prunedHistory(seed);
      expect(history.differences.slice(0, 2), `seed ${seed}:\n${history.steps.join("\n")}`).toEqual([]);
      pruned += history.pruned;
      conflicts += history.conflicts;
    }
    expect(pruned).toBeGreaterThan(SEEDS / 2);
    expect(conflicts).toBeGreaterThan(SEEDS);
  });

  test("[RT21] pruning what a device may still build upon would show", () => {
    const seeds = Array.from({ length: 60 }, (_, index) => index + 1);
    const failing = seeds.filter(
      (seed) => prunedHistory(seed, { without: "waiting" }).differences.length > 0,
    );
    expect(failing.length).toBeGreaterThan(5);
  });
});

const DAY_MS = 86_400_000;

/** One text after the other, written at these days by the clocks of their writers. */
function prunedOf(
  days: readonly number[],
  rule: { contents?: number; days?: number; versions?: number; depth?: number },
  now: number,
) {
  const records = days.map(
    (day, index): RetentionRecord => ({
      ...{ hash: `r${index}` as never, content: `p${index}` as never, at: day * DAY_MS, type: "update" },
      ...{ parents: index === 0 ? [] : [`r${index - 1}` as never], decides: ["content"] },
    }),
  );
  const all = new Set(records.map(({ hash }) => hash));
  const whole = {
    contents: rule.contents,
    days: rule.days,
    versions: rule.versions ?? 1e9,
    depth: rule.depth ?? 1e9,
    differences: false,
  };
  const memory = {
    records,
    branches: [{ known: all, common: all }],
    kept: new Set<never>(),
    gone: new Set<never>(),
  };
  return textsToPrune({ ...memory, rules: [whole] }, now * DAY_MS).map(({ part }) => String(part));
}

describe("what the rules let go", () => {
  test("[RT18] by the order of the texts and by when each was replaced; a clock that is behind makes nothing old", () => {
    const days = [0, 10, 20, 30];
    expect(prunedOf(days, { contents: 2 }, 30)).toEqual(["p1", "p0"]);
    expect(prunedOf(days, { contents: 2, days: 15 }, 30)).toEqual(["p0"]);
    expect(prunedOf(days, { days: 15 }, 30)).toEqual(["p0"]);
    expect(prunedOf(days, { contents: 4, versions: 3 }, 30)).toEqual(["p0"]);
    expect(prunedOf(days, { contents: 4, depth: 10 }, 30)).toEqual(["p1", "p0"]);
    expect(prunedOf(days, {}, 9_999)).toEqual([]);
    expect(prunedOf([1_000, 0, 0], { days: 30 }, 1_001)).toEqual([]);
    expect(prunedOf([1_000, 0, 0], { days: 30 }, 1_030)).toEqual(["p1", "p0"]);
  });
});
