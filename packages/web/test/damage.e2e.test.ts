import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe, cambiumIn, hasChromium, type OpenedPage, openOn } from "./support/browser.ts";

/** One bit of what was stored last, as a failing disk does. */
function flipLastBit(store: string): void {
  using database = new DatabaseSync(store);
  const row = database.prepare("SELECT id, bytes FROM contents ORDER BY id DESC LIMIT 1").get();
  const { id, bytes } = row as { id: number; bytes: Uint8Array };
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  database.prepare("UPDATE contents SET bytes = ? WHERE id = ?").run(bytes, id);
}

/** So much that it is no database any more. */
function spoil(store: string): void {
  const bytes = readFileSync(store);
  writeFileSync(store, bytes.fill(7, 100, 9_000));
}

/** As a Cambium leaves it that has other tables. */
function renew(store: string): void {
  using database = new DatabaseSync(store);
  database.exec("PRAGMA user_version = 999");
}

/** What happens to the store of each space. */
const BREAK = { memory: flipLastBit, closed: spoil, newer: renew } as const;

describe.skipIf(!hasChromium)("a damaged store", { timeout: 120_000 }, () => {
  let opened: OpenedPage;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "cambium-page-"));
    const home = join(folder, "home");
    mkdirSync(home);
    const cambium = cambiumIn(home);
    for (const name of Object.keys(BREAK) as (keyof typeof BREAK)[]) {
      const { id } = JSON.parse(await cambium("init", name, "--json")) as { readonly id: string };
      const of = ["--space", name];
      await cambium("remember", "The spare key is under the third pot.", ...of);
      await cambium("backup", join(folder, `${name} backups`), "--clear", ...of);
      await cambium("remember", "The neighbours are away until Sunday.", ...of);
      await cambium("daemon", "stop");
      BREAK[name](join(home, "spaces", id, "store.sqlite"));
    }
    opened = await openOn(folder);
  }, 180_000);
  afterAll(() => opened[Symbol.asyncDispose]());

  it("[PG32] says what is damaged, what is fine, and where a copy is, with the command that mends", async () => {
    const page = await opened.open({ path: "/devices" });
    await page.getByRole("button", { name: "Check everything" }).click();
    await page.getByText(/^Fine: \d+ stored parts with \d+ versions\.$/).waitFor();
    await page.getByText("1 stored part cannot be read, and was set aside.").waitFor();
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByText("Something that is stored on this device is damaged.").waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole("link", { name: "What is fine, and where a copy is" }).click();
    await page.getByRole("button", { name: "Check everything" }).click();
    await page.getByText("Which", { exact: true }).click();
    await page.getByText(": altered").waitFor();
    await page.getByText("The newest backup is of").waitFor();
    expect(await axe(page)).toEqual([]);
    const shown = await page.getByText(/^cambium restore-backup/).textContent();
    expect(shown).toBe('cambium restore-backup --space "memory"');
    await opened.cambium("restore-backup", "--space", "memory", "--yes");
    expect(await opened.cambium("recall", "third pot")).toContain("The spare key");
    await page.close();
  });

  it("[PG32] says of a space that cannot be opened where a copy is, and names those that are fine", async () => {
    const page = await opened.open({ path: "/?space=closed" });
    await page.getByText("What is stored here is damaged", { exact: true }).waitFor();
    await page.getByRole("link", { name: "What is fine, and where a copy is" }).click();
    await page.getByText("is damaged and cannot be opened.").first().waitFor();
    await page.getByText("Fine: memory and newer.").waitFor();
    await page.getByText("It comes back in its place.").waitFor();
    expect(await axe(page)).toEqual([]);
    const shown = await page.getByText(/^cambium restore-backup/).textContent();
    expect(shown).toBe('cambium restore-backup --space "closed"');
    await opened.cambium("restore-backup", "--space", "closed", "--yes");
    expect(await opened.cambium("list", "--space", "closed")).toContain("The spare key");
    await page.close();
  });

  it("[PG3] [PG32] says of what a newer Cambium wrote that it is safe, and offers nothing in its place", async () => {
    const page = await opened.open({ path: "/?space=newer" });
    for (const path of ["/", "/timeline", "/branches", "/review", "/goback", "/devices"]) {
      await page.goto(`${opened.url}${path}?space=newer`);
      await page.getByText("Written by a newer Cambium").first().waitFor();
      expect(await page.getByText(/damaged|cambium restore-backup/).count(), path).toBe(0);
      expect(await axe(page), path).toEqual([]);
    }
    const restored = opened.cambium("restore-backup", "--space", "newer", "--yes");
    await expect(restored).rejects.toThrow("newer version of Cambium");
    await page.close();
  });
});
