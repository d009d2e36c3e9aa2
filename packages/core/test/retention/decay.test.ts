import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DECAY_DEFAULTS, type DecayFacts, proposeDecay, retentionStrength } from "../../src/index.js";
import { memoryIdOf } from "../support/memory-ids.js";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 7, 1);

const faded: DecayFacts = {
  ...{ id: memoryIdOf(1), uses: 0, at: NOW - 800 * DAY, pins: [], deleted: false, linksTo: 0 },
  importance: 0.3,
};

const time = fc.integer({ min: NOW - 2_000 * DAY, max: NOW + 100 * DAY });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const memories = fc
  .array(
    fc.record({
      importance: optional(fc.double({ min: 0, max: 1, noNaN: true })),
      uses: fc.constantFrom(0, 0, 1, 5),
      lastUsedAt: optional(time),
      at: time,
      pins: fc.constantFrom([], [], ["start"]),
      validUntil: optional(time),
      deleted: fc.constantFrom(false, false, true),
      linksTo: fc.constantFrom(0, 0, 2),
    }),
    { maxLength: 40 },
  )
  .map((all) => all.map((memory, index): DecayFacts => ({ ...memory, id: memoryIdOf(index) })));

describe("the decay sweep", () => {
  test("[US10] proposed is exactly what is weak and none of pinned, important, recent, linked to or forgotten", () => {
    fc.assert(
      fc.property(memories, (all) => {
        const expected = all.filter((memory) => {
          const touched = Math.max(memory.at, memory.lastUsedAt ?? 0);
          if (memory.deleted || memory.pins.length > 0 || memory.linksTo > 0) return false;
          if ((memory.importance ?? 0.5) >= 0.8 || NOW - touched < 30 * DAY) return false;
          const limit = (memory.validUntil ?? NOW) < NOW ? 0.5 : 0.25;
          return retentionStrength(memory, NOW) < limit;
        });
        const proposed = proposeDecay(all, { now: NOW });
        expect(proposed.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
        const strengths = proposed.map(({ strength }) => strength);
        expect(strengths).toEqual(strengths.toSorted((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });

  test("[US11] every proposal says why", () => {
    const why = (changed: Partial<DecayFacts>) =>
      proposeDecay([{ ...faded, ...changed }], { now: NOW })[0]?.why;
    expect(why({})).toBe(
      "Never recalled and written 2 years ago, importance 0.3: its strength of 0.13 is below 0.25.",
    );
    expect(why({ uses: 1, lastUsedAt: NOW - 700 * DAY, importance: undefined, validUntil: NOW - DAY })).toBe(
      "No longer true for 1 day, recalled once and not touched for 22 months: its strength of 0.25 is below 0.5.",
    );
    expect(why({ uses: 3, validUntil: NOW - 59 * DAY })).toMatch(
      /^No longer true for 59 days, recalled 3 times/,
    );
  });

  test("[US12] thresholds are options, and one out of its range is refused", () => {
    const propose = (options: object) => proposeDecay([faded], { now: NOW, ...options });
    expect(propose({ weakerThan: undefined })).toHaveLength(1);
    expect(propose({ weakerThan: 0.1 })).toEqual([]);
    expect(propose({ keepImportance: 0.3 })).toEqual([]);
    expect(propose({ keepRecentMs: 801 * DAY })).toEqual([]);
    expect(DECAY_DEFAULTS.keepRecentMs).toBe(30 * DAY);
    for (const options of [{ weakerThan: 1.1 }, { expiredWeakerThan: Number.NaN }, { keepRecentMs: -1 }]) {
      expect(() => propose(options)).toThrow(
        expect.objectContaining({ code: "BAD_INPUT", details: { field: Object.keys(options)[0] } }),
      );
    }
  });
});
