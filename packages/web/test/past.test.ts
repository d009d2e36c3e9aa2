import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "../src/i18n/dates.ts";
import { barsOf, daysBetween, heightOf, pastOf } from "../src/time/bars.ts";

const TODAY = "2026-03-22";

describe("the past as bars", () => {
  it("[PG4] counts every change once, in bars that are not too many", () => {
    const days = fc.dictionary(
      fc.integer({ min: 0, max: 4_000 }).map((ago) => addDays(TODAY, -ago)),
      fc.integer({ min: 1, max: 900 }),
    );
    fc.assert(
      fc.property(days, fc.constantFrom<(1 | 7)[]>(1, 7), (counted, size) => {
        const counts = new Map(Object.entries(counted));
        const past = pastOf(counts, TODAY);
        const bars = barsOf(counts, past, size);
        const sum = (all: Iterable<number>) => [...all].reduce((one, other) => one + other, 0);
        expect(sum(bars.map(({ count }) => count))).toBe(sum(counts.values()));
        expect(bars.length).toBeLessThanOrEqual(157);
        expect(bars[0]?.day).toBe(past.first);
        expect((bars.at(-1)?.day ?? "") <= TODAY).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("[PG4] shows twelve weeks at least, and begins on a Monday", () => {
    const past = pastOf(new Map(), TODAY);
    expect(daysBetween(past.first, TODAY)).toBe(11 * 7 + 6);
    expect(new Date(`${past.first}T12:00`).getDay()).toBe(1);
  });

  it("[PG4] shows little beside much", () => {
    expect(heightOf(0, 10)).toBe(0);
    expect(heightOf(1, 100)).toBeCloseTo(0.1);
    expect(heightOf(100, 100)).toBe(1);
  });
});
