import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openReplica, verifyArchive } from "@cambium/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe, hasChromium, type OpenedPage, openShared } from "./support/browser.ts";
import { disposable } from "./support/sample-space.ts";
import type { SharedSpace } from "./support/shared-space.ts";

/** What is set for a device or for all of them: on one that shares its space with a phone. */
describe.skipIf(!hasChromium)("devices and privacy", { timeout: 60_000 }, () => {
  let opened: OpenedPage & { readonly shared: SharedSpace };
  beforeAll(async () => {
    opened = await openShared();
  }, 180_000);
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
    // The disk of the folder may not be connected: no other is made in its place.
    const now = page.getByRole("button", { name: "Back up now" });
    await now.click();
    await page
      .getByText(/The folder .*kept of the backups is not there/)
      .first()
      .waitFor();
    mkdirSync(folder);
    await now.click();
    await page.getByText("Backed up. The newest 3 stay.").waitFor();
    await page.getByRole("button", { name: "Turn off…" }).click();
    await dialog.getByText("To turn them on again, you need the passphrase").waitFor();
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("button", { name: "Turn on backups…" }).waitFor();
    expect(readdirSync(join(opened.home, "backup-passphrases"))).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(1);
    await page.close();
  });

  it("[PG28] invites with a role, an end and a number of devices, changes a role in place, and removes a device", async () => {
    const page = await opened.open({ path: "/devices" });
    await page.getByRole("button", { name: "Make an invitation…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("For somebody who may").selectOption("read and write");
    await dialog.getByLabel("Good for").selectOption("a day");
    await dialog.getByLabel("Who joins has access").selectOption("for 30 days from now");
    await dialog.getByLabel("For how many devices").fill("2");
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Make an invitation" }).click();
    const shownIn = async () =>
      (await dialog.getByText(/^cambium join "/).textContent())?.slice('cambium join "'.length, -1) ?? "";
    const invitation = await shownIn();
    await page.keyboard.press("Escape");
    await page.getByText(/^for 2 more devices, until .*, access until /).waitFor();
    await using tablet = disposable(
      await openReplica({ dir: join(opened.home, "..", "tablet"), name: "tablet" }),
    );
    const joined = await tablet.replica.joinSpace(invitation);
    await page.reload();

    const row = page.getByRole("row", { name: /^tablet/ });
    await row.getByRole("cell", { name: "read and write" }).waitFor({ timeout: 30_000 });
    await row.getByRole("button", { name: "What it may do…" }).click();
    const change = dialog.getByRole("button", { name: "Change what it may do" });
    expect(await change.isDisabled()).toBe(true);
    await dialog.getByLabel("It may").selectOption("read");
    await dialog.getByText("waits there until it may write again").waitFor();
    await dialog.getByText("The invitation by which it came allows more. It ends too").waitFor();
    expect(await axe(page)).toEqual([]);
    await change.click();
    await page.getByText("tablet may now: read.").hover();
    await row.getByRole("cell", { name: /^read access until / }).waitFor();
    await expect.poll(() => joined.role).toBe("read");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone.").waitFor();
    await row.getByRole("cell", { name: "read and write" }).waitFor();
    expect(await opened.cambium("members", "tablet", "--role", "read")).toContain("tablet may now read.");
    await expect.poll(() => joined.role).toBe("read");
    await page.reload();
    await row.getByRole("cell", { name: /^read access until / }).waitFor({ timeout: 30_000 });

    await row.getByRole("button", { name: "Remove…" }).click();
    await dialog.getByText("comes back only with a new invitation").waitFor();
    await dialog.getByRole("button", { name: "Remove tablet" }).click();
    await row.getByText(/^removed/).waitFor();
    await page
      .getByRole("row", { name: /^phone/ })
      .getByRole("cell", { name: "read and write" })
      .waitFor();
    await page.close();
  });

  it("[PG29] makes a recovery kit whose words are shown once, lists it, and ends it", async () => {
    const page = await opened.open({ path: "/devices" });
    await page.getByText("There is no recovery kit of this space.").waitFor();
    await page.getByRole("button", { name: "Make a recovery kit…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Whoever has the words can read and change everything.").waitFor();
    await dialog.getByRole("button", { name: "Make it, and show the words" }).click();
    await dialog.locator("li").first().waitFor();
    const words = (await dialog.locator("li").allTextContents()).join(" ");
    expect(words.split(" ")).toHaveLength(15);
    expect(await axe(page)).toEqual([]);
    const download = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Download as a file" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("cambium-recovery-kit-memory.txt");
    expect(readFileSync(await file.path(), "utf8").replaceAll(/[^a-z]+/g, " ")).toContain(words);
    await dialog.getByRole("button", { name: "I have written them down" }).click();
    expect(await page.getByText(words.split(" ")[0] ?? "", { exact: true }).count()).toBe(0);
    await page.getByText("There is one, made by").waitFor();
    await page
      .getByRole("row", { name: /^recovery kit/ })
      .getByRole("button", { name: "Remove…" })
      .click();
    await dialog.getByText("Its words open nothing any more.").waitFor();
    await dialog.getByRole("button", { name: "Remove recovery kit" }).click();
    await page.getByText("There is no recovery kit of this space.").waitFor();
    await page.close();
  });

  it("[PG30] shows what agents may do, changes it for all or for one, and asks for the owner's code", async () => {
    const page = await opened.open({ path: "/devices" });
    await page.getByText("Show and change the list").click();
    const forget = page.getByLabel("Forget memories");
    expect(await forget.locator("option").allTextContents()).toContain("proposes it in Review");
    await forget.selectOption("waits for you in Review");
    await page.getByText("Changed, for all devices.").hover();
    const set = async () =>
      (JSON.parse(await opened.cambium("policy", "--json")) as { changed: readonly object[] }).changed;
    expect(await set()).toMatchObject([{ operation: "forget", role: "agent", class: "approve" }]);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone.").waitFor();
    expect(await set()).toEqual([]);

    const many = page.getByLabel("Going back in more memories than this counts as many");
    await many.fill("40");
    await many.press("Enter");
    await page.getByText("Changed, for all devices.").hover();
    const limits = async () =>
      (JSON.parse(await opened.cambium("policy", "--json")) as { limits: { rollback: number } }).limits;
    await expect.poll(async () => (await limits()).rollback).toBe(40);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone.").waitFor();
    expect((await limits()).rollback).toBe(25);

    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Set an owner’s code…" }).click();
    const sets = dialog.getByRole("button", { name: "Set an owner’s code" });
    await dialog.getByLabel("The new code, at least 6 characters").fill("open sesame");
    await dialog.getByLabel("The new code again").fill("open sesam");
    await dialog.getByText("The two are not the same.").waitFor();
    expect(await sets.isDisabled()).toBe(true);
    await dialog.getByLabel("The new code again").fill("open sesame");
    expect(await axe(page)).toEqual([]);
    await sets.click();
    await page.getByText("The code is set, for all devices.").waitFor();
    await page.getByText("An owner’s code is set").waitFor();
    await page.getByLabel("For", { exact: true }).selectOption("Codex");
    await page.getByLabel("Write memories").selectOption("proposes it in Review");
    await dialog.getByLabel("Code").fill("wrong");
    await dialog.getByRole("button", { name: "Go on" }).click();
    await page.getByText(/code is wrong|not the owner's code/i).waitFor();
    expect(await set()).toEqual([]);
    await page.getByLabel("Write memories").selectOption("proposes it in Review");
    await dialog.getByLabel("Code").fill("open sesame");
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Go on" }).click();
    await page.getByText("Changed, for all devices.").waitFor();
    expect(await set()).toMatchObject([{ operation: "write", role: "agent:codex", class: "propose" }]);
    await page.getByRole("button", { name: "Remove the code" }).click();
    await dialog.getByLabel("Code").fill("open sesame");
    await dialog.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("button", { name: "Set an owner’s code…" }).waitFor();
    expect(JSON.parse(await opened.cambium("policy", "--json"))).toMatchObject({ ownerCode: false });
    await page.close();
  });

  it("[PG31] takes in an archive after looking into it: where it belongs, or as a space of its own", async () => {
    const file = join(opened.home, "..", "before.cambium");
    const passphraseFile = join(opened.home, "..", "passphrase");
    writeFileSync(passphraseFile, "four small words\n", { mode: 0o600 });
    await opened.cambium("remember", "The spare key is under the third pot.");
    await opened.cambium("archive", file, "--passphrase-file", passphraseFile);
    const page = await opened.open({ path: "/devices" });
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Take in an archive…" }).click();
    await dialog.getByLabel("File on this device").fill("~/nowhere.cambium");
    await dialog.getByRole("button", { name: "Look into it" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("File on this device").fill(file);
    await dialog.getByLabel("Passphrase, if it is sealed").fill("four small words");
    await dialog.getByRole("button", { name: "Look into it" }).click();
    await dialog.getByText("It joins memory, which is here.").waitFor();
    await dialog.getByText("Everything in it is here already.").waitFor();
    expect(await axe(page)).toEqual([]);

    // Another way is another look.
    await dialog.getByRole("button", { name: "As a new space" }).click();
    expect(await dialog.getByRole("button", { name: "Take it in" }).count()).toBe(0);
    await dialog.getByLabel("Name of the new space").fill("second");
    await dialog.getByRole("button", { name: "Look into it" }).click();
    await dialog.getByText("It becomes a new space with a key of its own").waitFor();
    const spaces = async () => await opened.cambium("spaces");
    expect(await spaces()).not.toContain("second");
    await dialog.getByRole("button", { name: "Take it in" }).click();
    await page.getByText("second has what was in the archive.").waitFor();
    expect(await spaces()).toContain("second");
    await page.getByRole("heading", { level: 1, name: "Memories" }).waitFor();
    await page.locator(".mem", { hasText: "third pot" }).waitFor();
    await page.close();
  });
});
