import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GenerationCache } from "../../src/index-store/generation-cache.js";

interface Sized {
  readonly size: number;
}

const MAX = 40;

const step = fc.oneof(
  fc.record({ kind: fc.constant("get" as const), key: fc.nat(20) }),
  fc.record({ kind: fc.constant("set" as const), key: fc.nat(20), size: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ kind: fc.constant("delete" as const), key: fc.nat(20) }),
);

describe("a cache in two generations", () => {
  test("gives what was last set, and has all that was used last up to half of its size", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = new GenerationCache<number, Sized>(MAX, ({ size }) => size);
        const lastSet = new Map<number, Sized>();
        let used: (Sized & { readonly key: number })[] = []; // the last one first
        for (const one of steps) {
          const { key } = one;
          if (one.kind === "set") {
            const value = { size: one.size };
            lastSet.set(key, value);
            cache.set(key, value);
          } else if (one.kind === "delete") {
            lastSet.delete(key);
            cache.delete(key);
            expect(cache.get(key)).toBeUndefined();
          } else {
            const found = cache.get(key);
            const within = sizeUpTo(used, key) <= MAX / 2;
            if (found === undefined) expect(lastSet.has(key) && within).toBe(false);
            else expect(found).toBe(lastSet.get(key));
            if (found === undefined) continue;
          }
          used = [{ key, size: lastSet.get(key)?.size ?? 0 }, ...used];
        }
      }),
    );
  });

  test("forgets what was not used for a long time, and all of it when told", () => {
    const cache = new GenerationCache<number, string>(10);
    for (let key = 0; key < 1_000; key += 1) {
      cache.set(key, `value ${key}`);
      expect(cache.get(0)).toBe("value 0");
    }
    expect(cache.get(500)).toBeUndefined();
    expect(cache.get(999)).toBe("value 999");
    cache.clear();
    expect(cache.get(0)).toBeUndefined();
    expect(cache.get(999)).toBeUndefined();
  });
});

/** What has been used since `key` was, and that itself: each use counts, for all that the cache knows. */
function sizeUpTo(used: readonly (Sized & { readonly key: number })[], key: number): number {
  const until = used.findIndex((one) => one.key === key);
  if (until === -1) return Number.POSITIVE_INFINITY;
  return used.slice(0, until + 1).reduce((sum, { size }) => sum + size, 0);
}
