import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { verifyArchive } from "@cambium/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe, hasChromium, type OpenedPage, openShared } from "./support/browser.ts";
import type { SharedSpace } from "./support/shared-space.ts";

/** What is set for a device or for all of them: on one that shares its space with a phone. */
describe.skipIf(!hasChromium)("devices and privacy", { timeout: 60_000 }, () => {
  let opened: OpenedPage & { readonly shared: SharedSpace };
  beforeAll(async () => {
    opened = await openShared();
  }, 60_000);
  afterAll(() => opened[Symbol.asyncDispose]());

  it("[PG21] turns backups on with a passphrase, changes them, takes that back, and turns them off", async () => {
    const folder = join(opened.home, "..", "kept");
    const page = await opened.open({ path: "/devices" });
    await page.getByText("No backups are made of this space on this device.").waitFor();
    await page.getByRole("button", { name: "Turn on backups…" }).click();
    const dialog = page.getByRole("dialog");
    expect(await axe(page)).toEqual([]);
    await dialog.getByLabel("Folder on this device").fill(folder);
    await dialog.getByLabel("How many of the newest stay").fill("3");
    await dialog.getByLabel("Passphrase", { exact: true }).fill("correct horse");
    const start = dialog.getByRole("button", { name: "Turn on, and back up now" });
    expect(await start.isDisabled()).toBe(true);
    await dialog.getByLabel("The passphrase again").fill("correct horse");
    await start.click();
    await page.getByText("Every day, the newest 3 stay, sealed with a passphrase:").waitFor();
    await page.getByText(/^The next is made (today|tomorrow), \d\d:\d\d/).waitFor();
    const [made = ""] = readdirSync(folder);
    expect((await verifyArchive(join(folder, made), { passphrase: "correct horse" })).isSealed).toBe(true);
    const [kept = ""] = readdirSync(join(opened.home, "backup-passphrases"));
    expect(statSync(join(opened.home, "backup-passphrases", kept)).mode & 0o077).toBe(0);

    await page.getByRole("button", { name: "Change…" }).click();
    await dialog.getByLabel("How often").selectOption("week");
    expect(await dialog.getByLabel(/^Another passphrase/).inputValue()).toBe("");
    await dialog.getByRole("button", { name: "Save, and back up now" }).click();
    await page.getByText(/^Every week, the newest 3/).waitFor();
    await page.getByText("Saved. A backup was made that way.").hover();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText(/^Every day, the newest 3/).waitFor();

    rmSync(folder, { recursive: true });
    await page.reload();
    await page.getByText("It is late. There is none yet.").waitFor();
    await page.getByRole("button", { name: "Back up now" }).click();
    await page.getByText("Backed up. The newest 3 stay.").waitFor();
    await page.getByRole("button", { name: "Turn off…" }).click();
    await dialog.getByText("To turn them on again, you need the passphrase").waitFor();
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("button", { name: "Turn on backups…" }).waitFor();
    expect(readdirSync(join(opened.home, "backup-passphrases"))).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(1);
    await page.context().close();
  });
});
