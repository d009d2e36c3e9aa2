import { catalogKey, documentIdFromHex, mainBranchId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import type { CatalogWrite } from "../../src/documents/catalog-keeper.js";
import { Device, SPACE } from "../usage/support/device.js";

const KEY = "shared";
const setting = (value: number): CatalogWrite => ({ map: "settings", key: KEY, entry: { value } });

/** Another write of the same setting, by bytes that were sealed before. */
function overtake({ documents, catalog, now }: Device, sealed: Uint8Array): void {
  documents.change({
    document: catalog.document,
    statement: { type: "catalog", memories: 0 },
    writes: [{ key: catalogKey("settings", KEY), value: sealed }],
    time: now(),
  });
}

/** A device whose setting was 0 and 1, and is 2, and what it was, sealed. */
async function begun() {
  const device = await Device.open(1, 1_700_000_000_000);
  const { catalog } = device;
  for (const value of [0, 1, 2]) await catalog.put(() => [setting(value)]);
  const written = catalog.changes.flatMap(({ writes }) => writes.map(({ value }) => value as Uint8Array));
  return { device, sealed: written.slice(0, 2) as [Uint8Array, Uint8Array] };
}

const valueNow = ({ catalog }: Device): unknown => catalog.current.settings.get(KEY)?.value.value;

describe("[CO88] an entry is computed from what the catalog holds when it is written", () => {
  test("and again when somebody wrote it while it was sealed", async () => {
    const { device, sealed } = await begun();
    const seen: unknown[] = [];
    await device.catalog.put(({ settings }) => {
      const value = settings.get(KEY)?.value.value as number;
      if (seen.push(value) === 1) overtake(device, sealed[1]);
      return [setting(value + 10)];
    });
    expect(seen).toEqual([2, 1]);
    expect(valueNow(device)).toBe(11);
  });

  test("not again when something else was written meanwhile", async () => {
    const { device, sealed } = await begun();
    let asked = 0;
    await device.catalog.put(() => {
      asked += 1;
      overtake(device, sealed[1]);
      return [{ ...setting(3), key: "another" } as CatalogWrite];
    });
    expect(asked).toBe(1);
    expect(valueNow(device)).toBe(1);
  });

  test("a bounded number of times; then it is refused, and nothing was written over", async () => {
    const { device, sealed } = await begun();
    let asked = 0;
    const put = device.catalog.put(() => {
      overtake(device, sealed[asked % 2 === 0 ? 0 : 1]);
      asked += 1;
      return [setting(3)];
    });
    await expect(put).rejects.toMatchObject({ code: "STALE_EXPECTATION" });
    expect(asked).toBe(10);
    expect(valueNow(device)).toBe(1);
    await device.catalog.put(() => [setting(4)]);
    expect(valueNow(device)).toBe(4);
  });

  test("of many writers at once each sees what the one before it has written", async () => {
    const { device } = await begun();
    const add = () =>
      device.catalog.put(({ settings }) => [setting((settings.get(KEY)?.value.value as number) + 1)]);
    await Promise.all(Array.from({ length: 40 }, add));
    expect(valueNow(device)).toBe(42);
  });
});

test("[RL150] an entry that calls main or the catalog retired has no effect", async () => {
  const { catalog } = await Device.open(1, 1_700_000_000_000);
  const pack = documentIdFromHex("0a".repeat(16));
  const ids = [pack, catalog.document, documentIdFromHex(mainBranchId(SPACE))];
  const entry = { packs: [], state: "retired" } as const;
  await catalog.put(() => ids.map((key) => ({ map: "documents", key, entry }) as CatalogWrite));
  expect(ids.map((id) => catalog.isRetired(id))).toEqual([true, false, false]);
});
