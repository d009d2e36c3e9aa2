import { describe, test } from "vitest";
import { MemoryDisk, openMemoryMedium, type StoreHarness, storeContract } from "../../src/storage/testing.js";
import { REAL_PLACES, temporaryDirectories } from "./places.js";

const newDirectory = temporaryDirectories();

function memoryPlace(): StoreHarness {
  const disk = new MemoryDisk();
  return {
    open: async () => openMemoryMedium(disk),
    damage: async (key, change) => disk.damage(key, change),
  };
}

describe.each([...REAL_PLACES, ["memory", memoryPlace] as const])("store of %s", (_, place) => {
  for (const { id, promise, check } of storeContract) {
    test(`[${id}] ${promise}`, () => check(place(newDirectory())));
  }
});
