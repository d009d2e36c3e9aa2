import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { INDEX_VERSION } from "../../src/index-store/schema.js";
import { contentsOf, type Home, World } from "../support/world.js";

/** Made by `fixtures/make-tables-14.mjs`. */
const FIXTURE = fileURLToPath(new URL("fixtures/tables-14", import.meta.url));

/** A home with a copy of it, and the folder of its space. */
function oldHome(world: World): { readonly home: Home; readonly dir: string } {
  const home = world.newHome("old");
  world.copy(FIXTURE, home.dir);
  const [id = ""] = readdirSync(join(home.dir, "spaces"));
  const dir = join(home.dir, "spaces", id);
  const packed = join(dir, "index.sqlite.gz");
  writeFileSync(join(dir, "index.sqlite"), gunzipSync(readFileSync(packed)));
  rmSync(packed);
  world.clock.advance(200 * 86_400_000);
  return { home, dir };
}

function pragma(path: string, name: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database.prepare(`PRAGMA ${name}`).get()?.[name];
  } finally {
    database.close();
  }
}

test("[IX4] an index with tables and pages of an earlier version is rebuilt, and answers as before", async () => {
  await using world = new World(271);
  const { home, dir } = oldHome(world);
  expect(pragma(join(dir, "index.sqlite"), "page_size")).toBe(8_192);
  const device = await world.reopen(home);
  const { space, replica } = device;
  expect(await contentsOf(device)).toEqual(["Bread is baked on Friday.", "Tea is drunk at five."]);
  expect(await contentsOf(device, "summer")).toContain("Bread is bought on Friday.");
  const [tea] = await space.recall("tea");
  expect(tea).toMatchObject({ content: "Tea is drunk at five.", category: "habits", version: 5 });
  expect(await space.get((tea?.id ?? "").slice(0, 23))).toMatchObject({ id: tea?.id });
  const first = (await space.history(tea?.id ?? "")).find(({ version }) => version === 1);
  expect(first?.content).toBe("Tea is drunk at four.");
  await space.as({ agent: "ada" }).remember({ content: "Scones are new." });
  await replica.close();

  expect(pragma(join(dir, "index.sqlite"), "user_version")).toBe(INDEX_VERSION);
  expect(pragma(join(dir, "index.sqlite"), "page_size")).toBe(4_096);
  const again = await world.reopen(home);
  expect(await again.space.verify()).toMatchObject({ ok: true, damaged: [] });
  expect(await contentsOf(again)).toContain("Scones are new.");
});
