import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyArchive } from "@cambium/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe, hasChromium, openPage } from "./support/browser.ts";

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const ATLAS = "The Atlas launch";

describe.skipIf(!hasChromium)("what is changed on the page", { timeout: 120_000 }, () => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    opened = await openPage(20);
  }, 180_000);
  afterAll(() => opened[Symbol.asyncDispose]());

  it("[PG20] decides with a key what an agent asks", async () => {
    const page = await opened.open({ path: "/review?show=asks" });
    await page.getByRole("heading", { name: "Go back in many memories at once" }).waitFor();
    const allow = page.getByRole("button", { name: /^Allow it/ });
    expect(await allow.isEnabled()).toBe(true);
    const calls: string[] = [];
    page.on("request", (request) => calls.push(request.url()));
    await opened.cambium("remember", "The parcel came while the agent waited");
    await page.getByText("it cannot be allowed as it was shown").waitFor();
    expect(await allow.isDisabled()).toBe(true);
    await page.keyboard.press("a");
    await page.keyboard.press(" ");
    await page.keyboard.press("Shift+A");
    expect(await allow.evaluateAll((all) => all.every((each) => (each as HTMLButtonElement).disabled))).toBe(
      true,
    );
    expect(calls.filter((url) => url.endsWith("/approve"))).toEqual([]);
    await page.keyboard.press("x");
    await page.getByText("Nothing waits for you.").waitFor();
    await page.getByText("Not allowed").waitFor();
    await page.close();
  });

  it("[PG10] [PG13] changes a memory, and takes it back", async () => {
    const page = await opened.open({ path: "/?q=hazelnuts" });
    await page.locator(".mem", { hasText: "hazelnuts" }).click();
    await page.getByRole("heading", { level: 1, name: /hazelnuts/ }).waitFor();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Edit" }).fill("Jun is allergic to hazelnuts and walnuts.");
    await page.getByRole("button", { name: /Save version/ }).click();
    await page.getByRole("heading", { level: 1, name: /walnuts/ }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { level: 1, name: /not to all nuts/ }).waitFor();
    await page.getByRole("button", { name: "Forget" }).click();
    await page.getByRole("button", { name: "Bring back" }).click();
    await page.getByRole("button", { name: "Forget" }).waitFor();
    await page.close();
  });

  it("[PG14] settles a conflict with one of its answers", async () => {
    const page = await opened.open({ path: "/?conflict=1" });
    await page.locator(".mem", { hasText: ATLAS }).click();
    await page.getByText("2 answers for the words").waitFor();
    const side = page.locator(".sd", { hasText: "Claude Code" });
    await side.getByRole("button").click();
    await page.getByText("It will read").waitFor();
    await page.getByRole("button", { name: "Settle it" }).click();
    await page.getByRole("heading", { level: 1, name: /Tuesday 14 April/ }).waitFor();
    await page.getByText("2 answers for the words").waitFor({ state: "hidden" });
    await page.close();
  });

  it("[PG19] brings a part of a branch home, with an answer, and takes it back", async () => {
    const page = await opened.open({ path: "/branches" });
    const row = page.locator(".br", { hasText: "job-hunt" });
    await row.getByRole("link", { name: "Bring into main…" }).click();
    await page.locator(".sd", { hasText: "30 days" }).getByRole("button", { name: "Keep this" }).click();
    await page.getByRole("checkbox", { name: /References/ }).uncheck();
    await page.getByRole("button", { name: "Bring 4 of 5 into main" }).click();
    await page.getByText("4 memories brought into main.").hover();
    expect(await opened.cambium("recall", "notice period")).toContain("30 days");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone.").waitFor();
    expect(await opened.cambium("recall", "notice period")).toContain("end of the month");
    await page.close();
  });

  it("[PG2] [PG19] says in a merge that is open that somebody has written, and keeps what was ticked", async () => {
    const page = await opened.open({ path: "/merge/job-hunt" });
    await page.getByRole("checkbox", { name: /References/ }).uncheck();
    expect(new URL(page.url()).search).toBe("?from=job-hunt");
    await opened.cambium("remember", "The recruiter calls on Friday.", "--branch", "job-hunt");
    await page.getByRole("status").getByText("Written since you looked: job-hunt.").waitFor();
    await page.locator(".pv", { hasText: "The recruiter calls" }).waitFor();
    expect(await page.getByRole("checkbox", { name: /References/ }).isChecked()).toBe(false);
    expect(await axe(page)).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText("Written since you looked").waitFor({ state: "hidden" });
    await opened.cambium("undo", "--branch", "job-hunt");
    await page.locator(".pv", { hasText: "The recruiter calls" }).waitFor({ state: "hidden" });
    await page.close();
  });

  it("[PG19] answers in own words, into another branch than main", async () => {
    const page = await opened.open({ path: "/merge?from=job-hunt" });
    await page.getByRole("combobox", { name: "Into" }).selectOption("quiet");
    await page.getByRole("heading", { level: 1, name: "Bring job-hunt into quiet" }).waitFor();
    const card = page.locator(".con");
    await card.getByRole("button", { name: "Keep that" }).click();
    await card.getByText("It will read").waitFor();
    await card.getByRole("button", { name: "Edit" }).click();
    await card.getByRole("textbox", { name: "In your own words" }).fill("Notice period: ask Daniel.");
    await card.locator(".res ins", { hasText: "ask Daniel" }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole("button", { name: "Bring all 5 into quiet" }).click();
    await page.getByText("5 memories brought into quiet.").hover();
    const notice = (branch: string) => opened.cambium("recall", "notice period", "--branch", branch);
    expect(await notice("quiet")).toContain("Notice period: ask Daniel.");
    expect(await notice("main")).not.toContain("ask Daniel");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone.").waitFor();
    expect(await notice("quiet")).not.toContain("ask Daniel");
    await page.close();
  });

  it("[PG20] reads what an agent proposes, accepts it edited, and decides many at once", async () => {
    const page = await opened.open({ path: "/review" });
    await page.getByText("4 wait. Agents do not see them until you accept.").waitFor();
    const trains = page.locator(".pr", { hasText: "prefers trains" });
    await trains.getByRole("button").click();
    await page.locator("ins", { hasText: "prefers trains" }).waitFor();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Edit" }).fill("Mina prefers night trains.");
    await page.getByRole("button", { name: "Accept these words" }).click();
    await page.getByText("1 accepted.").waitFor();
    expect(await opened.cambium("recall", "night trains")).toContain("Mina prefers night trains.");
    await page.getByText("3 wait.").waitFor();
    await page.getByRole("checkbox", { name: "Select all" }).check();
    await page.locator(".pr", { hasText: "climbing wall" }).getByRole("checkbox").uncheck();
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("Shift+A");
    await page.getByText("2 accepted.").hover();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("2 selected").waitFor();
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("Shift+A");
    await page.getByText("2 accepted.").waitFor();
    await page.keyboard.press("x");
    await page.getByText("1 rejected.").hover();
    await page.getByText("Nothing waits for you.").waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.locator(".pr", { hasText: "climbing wall" }).waitFor();
    await page.keyboard.press("x");
    await page.getByText("1 rejected.").waitFor();
    expect(await opened.cambium("recall", "climbing wall")).toContain("closes at ten");
    await page.getByRole("button", { name: "Decided" }).click();
    const said = page.locator(".chg", { hasText: "Proposed by" });
    await said.filter({ hasText: "Rejected" }).filter({ hasText: "climbing wall" }).first().waitFor();
    await said.filter({ hasText: "edited" }).filter({ hasText: "night trains" }).getByText("You").waitFor();
    expect(await axe(page)).toEqual([]);
    await page.close();
  });

  it("[PG13] hides without a trace, and shows it again from Devices and privacy", async () => {
    const { id } = JSON.parse(await opened.cambium("remember", "The surprise party is in May", "--json")) as {
      readonly id: string;
    };
    const found = async () => (await opened.cambium("log", "--limit", "400", "--json")).includes(id);
    const page = await opened.open({ path: `/memory/${id}` });
    await page.getByRole("button", { name: "Hide", exact: true }).click();
    await page.getByText(/^Hidden without a trace. Devices/).hover();
    expect(await found()).toBe(false);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone.").waitFor();
    expect(await found()).toBe(true);
    await opened.cambium("forget", id, "--no-trace", "--yes");
    await page.getByRole("link", { name: "Devices and privacy" }).click();
    const row = page.locator(".concealed", { hasText: "surprise party" });
    await row.waitFor();
    expect(await axe(page)).toEqual([]);
    await row.getByRole("button", { name: "Show it again" }).click();
    await page.getByText("It is there again, with its history.").waitFor();
    expect(await found()).toBe(true);
    await page.close();
  });

  it("[PG22] erases after a preview, when the number is typed, and names who has not confirmed", async () => {
    const { id } = JSON.parse(
      await opened.cambium("remember", "The door code of the cellar is 4711-88", "--json"),
    ) as { readonly id: string };
    await opened.cambium("remember", "Cellar: 4711-88 works since May");
    const page = await opened.open({ path: `/memory/${id}` });
    await page.getByRole("button", { name: "Erase…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Forget is enough").waitFor();
    await dialog.getByText("1 memory, 1 version").waitFor();
    await dialog.getByRole("checkbox", { name: /works since May/ }).check();
    await dialog.getByText("2 memories, 2 versions").waitFor();
    const button = dialog.getByRole("button", { name: "Erase 2 memories" });
    await dialog.getByLabel(/Type 2/).fill("1");
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel(/Type 2/).fill("2");
    await button.click();
    await page.getByText(/2 memories erased/).waitFor();
    expect(await opened.cambium("recall", "cellar")).not.toContain("4711");
    await page.getByRole("link", { name: "Devices and privacy" }).click();
    const row = page.getByRole("row", { name: /2 memories, 2 versions/ });
    await row.getByRole("cell", { name: /^desktop/ }).waitFor();
    await page.close();
  });

  it("[PG18] moves what came since a day to a branch of its own, from where it can come home, and takes that back", async () => {
    const page = await opened.open({ path: "/branches?try=1" });
    await page.getByLabel("Name of the branch").fill("second-thoughts");
    await page.getByLabel("Begin with main as it was on a day").fill(dayBefore(2));
    await page.getByRole("checkbox", { name: /main goes back to that day/ }).check();
    await page.getByRole("button", { name: "Make the branch" }).click();
    // What it offers stays while the pointer is on it, however long the next lines take.
    await page.getByText("main is back to that day.").hover();
    const count = async (branch: string) =>
      (JSON.parse(await opened.cambium("list", "--branch", branch, "--json")) as { memories: unknown[] })
        .memories.length;
    const [ofMain, moved] = [await count("main"), await count("second-thoughts")];
    expect(ofMain).toBeLessThan(moved);
    const merge = ["merge", "second-thoughts", "--preview", "--json"];
    const { created } = JSON.parse(await opened.cambium(...merge)) as { created: unknown[] };
    expect(created).toHaveLength(moved - ofMain);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone.").waitFor();
    expect(await opened.cambium("branches")).not.toContain("second-thoughts");
    await page.close();
  });

  it("[PG18] deletes a branch, and brings it back at once or later", async () => {
    const page = await opened.open({ path: "/branches" });
    const row = page.locator(".br", { hasText: "garden" });
    const remove = async () => {
      await row.getByRole("button", { name: "Delete" }).click();
      await page.getByText("You can bring the branch back at any time. Old texts that only it").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await row.waitFor({ state: "hidden" });
    };
    await opened.cambium("branch", "garden");
    await opened.cambium("remember", "The beans need water.", "--branch", "garden");
    await remove();
    await page.getByText("Deleted garden.").hover();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await row.waitFor();
    await remove();
    await page.getByRole("button", { name: /deleted branch/ }).click();
    expect(await axe(page)).toEqual([]);
    await page.locator(".goner", { hasText: "garden" }).getByRole("button", { name: "Bring back" }).click();
    await row.waitFor();
    expect(await opened.cambium("recall", "beans", "--branch", "garden")).toContain("The beans need water.");
    await page.close();
  });

  it("[PG21] lists devices, and hands over an export and a sealed archive as downloads", async () => {
    const page = await opened.open({ path: "/devices" });
    await page.getByRole("row", { name: /laptop this one/ }).waitFor();
    await page.getByRole("row", { name: /^desktop/ }).waitFor();
    const downloaded = async (button: string) => {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: button }).click();
      return await download;
    };
    await page.getByLabel("As", { exact: true }).selectOption("jsonl");
    const exported = await downloaded("Download the export");
    expect(exported.suggestedFilename()).toMatch(/^memory-\d{4}-\d\d-\d\d\.jsonl$/);
    expect(readFileSync(await exported.path(), "utf8")).toContain("Kitchen renovation");
    await page.getByRole("button", { name: "Archive", exact: true }).click();
    await page.getByLabel("Passphrase", { exact: true }).fill("correct horse");
    await page.getByLabel("The passphrase again").fill("correct hors");
    expect(await page.getByRole("button", { name: "Download the archive" }).isDisabled()).toBe(true);
    await page.getByText("The two are not the same.").waitFor();
    await page.getByLabel("The passphrase again").fill("correct horse");
    const archive = await downloaded("Download the archive");
    const { isSealed } = await verifyArchive(await archive.path(), { passphrase: "correct horse" });
    expect(isSealed).toBe(true);
    expect(await page.getByLabel("Passphrase", { exact: true }).inputValue()).toBe("");
    expect(readdirSync(join(opened.home, "downloads"))).toEqual([]);
    await page.close();
  });

  it("[PG25] says what a rule would let go of, sets it, takes it back, and lets it go", async () => {
    const own = ["--space", "alone"];
    await opened.cambium("init", "alone");
    const written = await opened.cambium("remember", "First words", "--category", "home", "--json", ...own);
    const { id } = JSON.parse(written) as { readonly id: string };
    for (const text of ["Second words", "Third words"])
      await opened.cambium("revise", id, text, "--type", "update", "--agent", "codex", ...own);
    await opened.cambium("settings", "set", "retention.days", "30", ...own);
    const page = await opened.open({ path: "/devices?space=alone" });
    const settings = async () =>
      JSON.parse(await opened.cambium("settings", "--json", ...own)) as {
        readonly settings: readonly { readonly key: string; readonly value: unknown }[];
      };
    await page.getByRole("combobox", { name: "Another rule for" }).selectOption("home");
    await page.getByRole("combobox", { name: "home", exact: true }).selectOption("Lean");
    await page.getByText("Nothing would go now.").waitFor();
    await page.getByRole("button", { name: "Use this" }).click();
    await page.getByText("Saved, for all devices.").hover();
    expect((await settings()).settings).toContainEqual(
      expect.objectContaining({ key: "retention.versions@category:home", value: 12 }),
    );
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone.").waitFor();
    expect((await settings()).settings.filter(({ key }) => key.includes("@"))).toEqual([]);
    await page.getByText("All settings", { exact: true }).click();
    const row = page.locator(".setting", { hasText: "After how many days an older text may go" });
    await row.getByRole("spinbutton").fill("0");
    await row.getByRole("button", { name: "Change" }).click();
    await page.getByText(/^2 old texts of 1 memory would go. That frees [\d.,]+ (byte|kB)/).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole("button", { name: "Use this" }).click();
    expect(await opened.cambium("history", id, ...own)).toContain("First words");
    await page.getByRole("button", { name: "Let 2 old texts go" }).click();
    await page.getByText(/^2 old texts are gone/).waitFor();
    expect(await opened.cambium("history", id, ...own)).not.toContain("First words");
    // Going back cannot give what is gone, and says what stays instead.
    await page.goto(`${opened.url}/goback?space=alone&scope=agent&of=codex&to=${dayBefore(1)}`);
    await page.getByText("1 memory stays as it is: the rules have let go of").waitFor();
    await page.locator(".warn", { hasText: "Third words" }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.close();
  });

  it("[PG17] goes back after showing what it would undo, and takes it back", async () => {
    const page = await opened.open({ path: "/goback" });
    const saved = page.locator(".cp", { hasText: "Offer signed" });
    await saved.getByRole("button", { name: "Go back…" }).click();
    const button = page.getByRole("button", { name: /^Undo \d+ changes$/ });
    await button.waitFor();
    const [count] = /\d+/.exec((await button.textContent()) ?? "") ?? [];
    await page.getByText(new RegExp(`This will undo ${count} changes since`)).waitFor();
    await button.click();
    await page.getByText(`${count} changes undone.`).waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone.").waitFor();
    await saved.getByRole("button", { name: "Delete" }).click();
    await saved.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await saved.getByText("New job from April.").waitFor();
    await page.locator(".cp", { hasText: "Before going back" }).first().waitFor();
    expect(await page.getByText(/before-[a-z]+-\d/).count()).toBe(0);
    await page.close();
  });

  it("[PG7] is let by its own policy, in all of this", () => {
    // The relay of the sample is gone, and says so; what is erased or deleted while it is shown is not found.
    expect(opened.complaints.filter((complaint) => !/status of (404|502)/.test(complaint))).toEqual([]);
  });
});
