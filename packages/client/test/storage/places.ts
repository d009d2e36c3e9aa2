/** Real places for stores to live in, and ways to damage what lies there. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { StorageKey } from "@automerge/automerge-repo/slim";
import { afterAll } from "vitest";
import { keyToPath } from "../../src/storage/fs-layout.js";
import { openFsMedium } from "../../src/storage/fs-store.js";
import { keyToText } from "../../src/storage/medium.js";
import { openSqliteMedium } from "../../src/storage/sqlite-store.js";
import type { StoreHarness } from "../../src/storage/testing.js";

/** Makes directories that are gone when the tests of this file are done. */
export function temporaryDirectories(): () => string {
  const root = mkdtempSync(join(tmpdir(), "cambium-stores-"));
  afterAll(() => rmSync(root, { recursive: true }));
  return () => mkdtempSync(join(root, "place-"));
}

export const sqlitePath = (dir: string): string => join(dir, "store.sqlite");

const sqlitePlace = (dir: string): StoreHarness => ({
  open: async () => openSqliteMedium({ path: sqlitePath(dir) }),
  damage: async (key, change) => {
    using database = new DatabaseSync(sqlitePath(dir));
    const select =
      "SELECT contents.id, bytes FROM contents JOIN chunks ON content = contents.id WHERE key = ?";
    const found = database.prepare(select).get(keyToText(key));
    const update = database.prepare("UPDATE contents SET bytes = ? WHERE id = ?");
    update.run(change(found?.bytes as Uint8Array), found?.id as number);
  },
});

export const fsPath = (dir: string, key: StorageKey): string => join(dir, "documents", keyToPath(key));

const fsPlace = (dir: string): StoreHarness => ({
  open: () => openFsMedium({ dir }),
  damage: async (key, change) => {
    const path = fsPath(dir, key);
    writeFileSync(path, change(readFileSync(path)));
  },
});

export const REAL_PLACES = [
  ["SQLite", sqlitePlace],
  ["files", fsPlace],
] as const;
