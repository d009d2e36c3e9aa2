import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RetentionFacts, retentionStrength } from "../../src/index.js";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 7, 1);

const facts = fc.record({
  importance: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  uses: fc.nat({ max: 1_000_000 }),
  lastUsedAt: fc.option(fc.integer({ min: NOW - 4_000 * DAY, max: NOW + DAY }), { nil: undefined }),
  at: fc.integer({ min: NOW - 4_000 * DAY, max: NOW + DAY }),
});

describe("the strength of a memory", () => {
  test("[US1] it lies between 0 and 1", () => {
    fc.assert(
      fc.property(facts, (memory) => {
        const strength = retentionStrength(memory, NOW);
        expect(strength).toBeGreaterThanOrEqual(0);
        expect(strength).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("[US2] more uses, a later use, a later writing or more importance never lower it, nor does less waiting", () => {
    fc.assert(
      fc.property(facts, facts, fc.nat({ max: 4_000 }), (memory, other, days) => {
        const strength = retentionStrength(memory, NOW);
        const better: readonly RetentionFacts[] = [
          { ...memory, uses: Math.max(memory.uses, other.uses) },
          { ...memory, lastUsedAt: Math.max(memory.lastUsedAt ?? 0, other.lastUsedAt ?? 0) },
          { ...memory, at: Math.max(memory.at, other.at) },
          { ...memory, importance: Math.max(memory.importance ?? 0.5, other.importance ?? 0.5) },
        ];
        for (const one of better) expect(retentionStrength(one, NOW)).toBeGreaterThanOrEqual(strength);
        expect(retentionStrength(memory, NOW + days * DAY)).toBeLessThanOrEqual(strength);
      }),
      { numRuns: 1_000 },
    );
  });

  test("[US3] it falls fast at first and slowly later, and slower with each use", () => {
    const after = (days: number, uses = 0) =>
      retentionStrength({ uses, at: NOW, importance: 0 }, NOW + days * DAY);
    expect(after(0)).toBe(1);
    expect(after(21)).toBe(0.5);
    expect(after(105)).toBe(0.25); // a power law: the second halving takes four times as long
    expect(after(42, 1)).toBe(0.5);
    expect(after(63, 3)).toBe(0.5);
    expect(after(10_000)).toBeGreaterThan(0);
  });

  test("[US4] what matters never fades below its floor", () => {
    const afterAges = (importance: number) => retentionStrength({ uses: 0, at: 0, importance }, 1e17);
    expect(afterAges(1)).toBeCloseTo(0.5, 3);
    expect(afterAges(0.8)).toBeCloseTo(0.32, 3);
    expect(afterAges(0)).toBeCloseTo(0, 3);
    expect(retentionStrength({ uses: 0, at: 0 }, 21 * DAY)).toBe(0.5625);
  });
});
