import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentRows } from "../src/log/recent-rows.js";

test("[RL133] rows that are remembered are those that are there, whatever is undone", () => {
  const step = fc.record({
    key: fc.integer({ min: 0, max: 20 }).map(String),
    act: fc.constantFrom("read", "add", "commit", "undo"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const recent = new RecentRows<string>(6);
      let stored = new Map<string, string>();
      let inside = new Map(stored);
      for (const [at, { key, act }] of steps.entries()) {
        if (act === "add" && !inside.has(key)) inside.set(key, `row ${at}`);
        if (act === "commit") {
          stored = new Map(inside);
          recent.begin();
        }
        if (act === "undo") {
          inside = new Map(stored);
          recent.undo();
        }
        const look = inside.get(key);
        expect(recent.get(key, () => look)).toBe(look);
      }
    }),
  );
});
