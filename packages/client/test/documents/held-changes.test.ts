import { type DocumentId, decodeCanonical } from "@cambium/core";
import { expect, test } from "vitest";
import { HeldChanges } from "../../src/documents/held-changes.js";
import type { ReplicaStore } from "../../src/storage/store.js";

const MAIN = "main" as DocumentId;
const MB = 1024 * 1024;

/** As much of a store as is needed here. */
function storeOf(rows: Map<string, { readonly key: readonly string[]; readonly data: Uint8Array }>) {
  const idOf = (key: readonly string[]): string => key.join("/");
  return {
    save: async (key: readonly string[], data: Uint8Array) => void rows.set(idOf(key), { key, data }),
    remove: async (key: readonly string[]) => void rows.delete(idOf(key)),
    loadRange: async (key: readonly string[]) =>
      [...rows.values()].filter(({ key: other }) => idOf(other).startsWith(idOf(key))),
  } as unknown as ReplicaStore;
}

test("[RL194] of what is held, bounded bytes are kept, also over sessions, and all of it is counted", async () => {
  const rows = new Map<string, { readonly key: readonly string[]; readonly data: Uint8Array }>();
  const keptBytes = (): number =>
    [...rows.values()].reduce((sum, { data }) => {
      const { bytes } = decodeCanonical(data) as unknown as { readonly bytes: Uint8Array | null };
      return sum + (bytes?.length ?? 0);
    }, 0);
  const big = new Uint8Array(60 * 1024);
  const hold = (held: HeldChanges, from: number, count: number): void => {
    for (let number = from; number < from + count; number += 1)
      held.add(MAIN, { hash: `h${number}`, reason: number % 100 === 0 ? "elsewhere" : "unsigned" }, big);
  };
  const held = new HeldChanges(storeOf(rows));
  await held.read();
  hold(held, 0, 400);
  expect(keptBytes()).toBeLessThanOrEqual(16 * MB);
  expect(keptBytes()).toBeGreaterThan(15 * MB);
  const later = new HeldChanges(storeOf(rows));
  await later.read();
  hold(later, 400, 100);
  expect(keptBytes()).toBeLessThanOrEqual(16 * MB);
  expect(later.counts()).toEqual([
    { document: MAIN, reason: "elsewhere", count: 5 },
    { document: MAIN, reason: "unsigned", count: 495 },
  ]);
  expect(later.madeElsewhere(MAIN)).toEqual(["h0", "h100", "h200", "h300", "h400"]);
  for (const hash of later.madeElsewhere(MAIN)) later.release(MAIN, hash);
  expect(later.documentsWaiting()).toEqual([]);
  const before = keptBytes();
  hold(later, 501, 3); // there is room again for what was released
  expect(keptBytes()).toBeGreaterThan(before);
  expect(await later.clean()).toBe(498);
  expect(keptBytes()).toBe(0);
});
