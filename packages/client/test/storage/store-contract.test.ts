import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, test } from "vitest";
import { keyToPath } from "../../src/storage/fs-layout.js";
import { openFsMedium } from "../../src/storage/fs-store.js";
import { keyToText } from "../../src/storage/medium.js";
import { openSqliteMedium } from "../../src/storage/sqlite-store.js";
import { MemoryDisk, openMemoryMedium, type StoreHarness, storeContract } from "../../src/storage/testing.js";

const root = mkdtempSync(join(tmpdir(), "cambium-stores-"));
afterAll(() => rmSync(root, { recursive: true }));

const sqliteHarness = (): StoreHarness => {
  const path = join(mkdtempSync(join(root, "sqlite-")), "store.sqlite");
  return {
    open: async () => openSqliteMedium({ path }),
    damage: async (key, change) => {
      using database = new DatabaseSync(path);
      const select =
        "SELECT contents.id, bytes FROM contents JOIN chunks ON content = contents.id WHERE key = ?";
      const found = database.prepare(select).get(keyToText(key));
      const update = database.prepare("UPDATE contents SET bytes = ? WHERE id = ?");
      update.run(change(found?.bytes as Uint8Array), found?.id as number);
    },
  };
};

const fsHarness = (): StoreHarness => {
  const dir = mkdtempSync(join(root, "fs-"));
  return {
    open: () => openFsMedium({ dir }),
    damage: async (key, change) => {
      const path = join(dir, "documents", keyToPath(key));
      writeFileSync(path, change(readFileSync(path)));
    },
  };
};

const memoryHarness = (): StoreHarness => {
  const disk = new MemoryDisk();
  return {
    open: async () => openMemoryMedium(disk),
    damage: async (key, change) => disk.damage(key, change),
  };
};

describe.each([
  ["SQLite", sqliteHarness],
  ["files", fsHarness],
  ["memory", memoryHarness],
])("store of %s", (_, harness) => {
  for (const { id, promise, check } of storeContract) test(`[${id}] ${promise}`, () => check(harness()));
});
