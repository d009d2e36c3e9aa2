import { describe, expect, test } from "vitest";
import { reconnectDelayMs } from "../../src/platform/backoff.js";

describe("reconnecting", () => {
  test("[NW1] the delay is uniform below a bound that doubles from 100 ms to a cap", () => {
    const half = () => 0.5;
    expect([0, 1, 2, 3, 8, 9, 1_000].map((attempt) => reconnectDelayMs(attempt, half))).toEqual([
      50, 100, 200, 400, 12_800, 15_000, 15_000,
    ]);
    expect([5, 6, 1_000].map((attempt) => reconnectDelayMs(attempt, half, 5_000))).toEqual([
      1_600, 2_500, 2_500,
    ]);
    expect(reconnectDelayMs(1_000, () => 0)).toBe(0);
    expect(reconnectDelayMs(1_000, () => 1 - Number.EPSILON)).toBeLessThan(30_000);
  });

  test("[NW1] attempts are counted from 0", () => {
    expect(() => reconnectDelayMs(-1, Math.random)).toThrow(RangeError);
    expect(() => reconnectDelayMs(0.5, Math.random)).toThrow(RangeError);
  });
});
