import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyArchive } from "@cambium/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe, hasChromium, openPage, viewsOf } from "./support/browser.ts";

// biome-ignore lint/suspicious/noConsole: one line says why nothing was tested
if (!hasChromium) console.log("No Chromium is here: the tests of the web page are skipped.");

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 780 };
const ATLAS = "The Atlas launch";

describe.skipIf(!hasChromium)("the page", { timeout: 120_000 }, () => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    opened = await openPage(20);
  }, 60_000);
  afterAll(() => opened[Symbol.asyncDispose]());

  // Every view once, in light, dark and narrow by turns, in one window: axe takes its time.
  it("[PG6] has nothing that axe complains about, light, dark, past and narrow", async () => {
    const page = await opened.open();
    for (const [index, path] of viewsOf(opened.sample).entries()) {
      const colorScheme = index % 2 === 0 ? "light" : "dark";
      // What moves between two colours is measured at neither of them.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize(index % 3 === 2 ? NARROW : WIDE);
      await page.evaluate((address) => history.pushState(null, "", address), `/ui${path}`);
      await page.locator("main h1").waitFor();
      await expect.poll(() => page.locator(".loading").count(), { timeout: 15_000 }).toBe(0);
      expect(await axe(page), path).toEqual([]);
      // Only the view scrolls, never the whole page with its bars.
      expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight), path).toBe(0);
    }
    await page.context().close();
  });

  it("[PG8] finds while somebody types, and keeps the search in the address", async () => {
    const page = await opened.open();
    await page.locator(".mem").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("hazelnuts");
    await page.locator(".mem", { hasText: "allergic" }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("hazelnuts");
    await page.reload();
    expect(await page.getByRole("searchbox").inputValue()).toBe("hazelnuts");
    await page.context().close();
  });

  it("[PG4] shows the past under the handle, and comes back with one key", async () => {
    const page = await opened.open();
    await page.locator(".mem").first().waitFor();
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await page.getByText(/As known on/).waitFor();
    await page.getByRole("button", { name: "Add a memory" }).waitFor({ state: "hidden" });
    await page.getByRole("heading", { level: 1 }).focus();
    await page.keyboard.press("n");
    await page.getByText(/As known on/).waitFor({ state: "hidden" });
    await page.keyboard.press("[");
    await page.getByText(/As known on/).waitFor();
    await page.keyboard.press("Escape");
    expect(new URL(page.url()).search).toBe("");
    await page.context().close();
  });

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
    await page.context().close();
  });

  it("[PG9] says what others write while it is open, and shows it when asked", async () => {
    const page = await opened.open();
    await page.locator(".mem").first().waitFor();
    await opened.cambium("remember", "Written while the page is open");
    const bar = page.locator(".arrive", { hasText: "1 new memory" });
    await bar.waitFor();
    expect(await page.locator(".mem", { hasText: "Written while" }).count()).toBe(0);
    await bar.getByRole("button", { name: "Show" }).click();
    await page.locator(".mem", { hasText: "Written while" }).waitFor();
    await page.context().close();
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
    await page.context().close();
  });

  it("[PG10] opens where a memory comes from on a click, the web only, with the whole address in view", async () => {
    const remember = async (url: string) => {
      const from = ["--source", "kind=url", "--source", `url=${url}`];
      const made = await opened.cambium("remember", `Read at ${url}`, ...from, "--json");
      return (JSON.parse(made) as { readonly id: string }).id;
    };
    const page = await opened.open({ path: `/memory/${await remember("https://example.invalid/a?b=c")}` });
    const link = page.getByRole("link", { name: "https://example.invalid/a?b=c" });
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    const popup = page.waitForEvent("popup");
    await link.click();
    expect((await popup).url()).not.toContain("/ui/");
    expect(await page.evaluate(() => document.title)).toContain("Read at");
    await page.goto(`${opened.url}/memory/${await remember("javascript:document.title='ran'")}`);
    await page.getByText("url javascript:").waitFor();
    expect(await page.locator(".box a").count()).toBe(0);
    await page.context().close();
  });

  it("[PG10] shows the file that a memory comes from, at its line, and says why where it cannot", async () => {
    const path = join(opened.home, "..", "notes.md");
    writeFileSync(path, "# Notes\n<script>document.title='ran'</script>\nJun drinks tea.\n");
    const remember = async (content: string, ...source: readonly string[]) => {
      const from = source.flatMap((pair) => ["--source", pair]);
      const made = await opened.cambium("remember", content, ...from, "--json");
      return (JSON.parse(made) as { readonly id: string }).id;
    };
    const here = await remember("Jun drinks tea", "kind=file", `path=${path}`, "line=3");
    const page = await opened.open({ path: `/memory/${here}` });
    await page.getByText("notes.md:3").waitFor();
    await page.getByRole("button", { name: "Show the file" }).click();
    const meant = page.locator(".lines li[aria-current]");
    await meant.filter({ hasText: "Jun drinks tea." }).waitFor();
    await page.getByText("Line 3 of 3.").waitFor();
    await page.getByText("<script>document.title").waitFor();
    expect(await page.title()).not.toBe("ran");
    expect(await axe(page)).toEqual([]);
    await page.getByRole("button", { name: "Close the file" }).click();
    await meant.waitFor({ state: "hidden" });
    const gone = await remember("Jun drinks milk", "kind=file", "path=/nowhere/at/all.md");
    await page.goto(`${opened.url}/memory/${gone}`);
    await page.getByRole("button", { name: "Show the file" }).click();
    await page.getByText("There is no such file on this device any more.").waitFor();
    await page.context().close();
  });

  it("[PG10] leads from a memory to all of its conversation, and to the version that it names", async () => {
    const chat = ["--source", "kind=conversation", "--source", "conversation=Tea talk"];
    const made = await opened.cambium("remember", "Said over tea", ...chat, "--json");
    const { id, record } = JSON.parse(made) as { readonly id: string; readonly record: string };
    await opened.cambium("remember", "Also said over tea", ...chat);
    await opened.cambium("revise", id, "Said over tea, and changed", ...chat);
    const page = await opened.open({ path: `/memory/${id}` });
    await page.getByRole("link", { name: /Conversation “Tea talk”/ }).click();
    await page.locator(".mem", { hasText: "Also said over tea" }).waitFor();
    expect(await page.locator(".mem").count()).toBe(2);
    await page.getByRole("button", { name: "Conversation “Tea talk”" }).click();
    await page.locator(".mem").nth(3).waitFor();
    const version = ["kind=version", `memory=${id}`, `record=${record}`].flatMap((pair) => [
      "--source",
      pair,
    ]);
    const from = await opened.cambium("remember", "Made of what was said", ...version, "--json");
    await page.goto(`${opened.url}/memory/${(JSON.parse(from) as { readonly id: string }).id}`);
    await page.getByRole("link", { name: /Version of a memory/ }).click();
    await page.getByText("You see version 1, not the newest.").waitFor();
    await page.context().close();
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
    await page.context().close();
  });

  it("[PG7] shows whatever a memory says as letters", async () => {
    const nasty = [
      "<img src=x onerror=\"document.title='ran'\"><script>document.title='ran'</script>",
      "[click](javascript:document.title='ran') ![x](http://example.invalid/x.png)",
      "<svg onload=document.title='ran'><a xlink:href='javascript:1'>x</a></svg>",
      "evil \u202Egnp.exe\u202C and \u2066isolated",
    ];
    for (const content of nasty)
      await opened.cambium("remember", content, "--tag", content.slice(0, 20), "--category", "<b>bold</b>");
    const page = await opened.open();
    for (const content of nasty) {
      const row = page.locator(".mem", { hasText: content }).first();
      await row.waitFor();
      expect(await row.locator(".txt").textContent()).toBe(content);
      await row.click();
      await page.locator(".lead").waitFor();
      expect(await page.locator(".lead").textContent()).toBe(content);
      expect(await page.locator(".lead *, main img, main script, main a[href^='javascript']").count()).toBe(
        0,
      );
      await page.goBack();
    }
    expect(await page.title()).not.toContain("ran");
    await page.context().close();
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
    await page.context().close();
  });

  it("[PG19] answers in own words, into another branch than main", async () => {
    const page = await opened.open({ path: "/merge/job-hunt" });
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
    await page.context().close();
  });

  it("[PG8] filters by agent and device, by names for people", async () => {
    const page = await opened.open();
    await page.locator(".mem").first().waitFor();
    await page.getByRole("button", { name: "Device" }).click();
    await page.getByRole("checkbox", { name: /^laptop/ }).check();
    await page.getByRole("button", { name: "Device: laptop" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Agent" }).click();
    await page.getByRole("checkbox", { name: /^Codex/ }).waitFor();
    expect(await page.getByText("claude-code").count()).toBe(0);
    await page.context().close();
  });

  it("[PG8] sorts the list, and keeps that in the address", async () => {
    const page = await opened.open();
    await page.getByLabel("Sort by").selectOption("name");
    await expect.poll(() => page.url()).toContain("sort=name");
    const first = async () => (await page.locator(".mem .txt").allTextContents()).slice(0, 6);
    const byName = (texts: readonly string[]) =>
      texts.toSorted(new Intl.Collator("en", { numeric: true }).compare);
    await expect
      .poll(
        async () => (await first()).length === 6 && (await first()).join() === byName(await first()).join(),
      )
      .toBe(true);
    await page.reload();
    expect(await page.getByLabel("Sort by").inputValue()).toBe("name");
    await page.getByLabel("Sort by").selectOption("last changed");
    await expect.poll(() => page.url()).not.toContain("sort");
    await page.context().close();
  });

  it("[PG4] says beside the words of then what they have become", async () => {
    const page = await opened.open({ path: `/?at=${dayBefore(13)}` });
    const row = page.locator(".mem", { hasText: "in the week of 13 April" });
    await row.getByText(/Later became: The Atlas launch is/).waitFor();
    await row.click();
    await page.getByRole("heading", { level: 1, name: /in the week of 13 April/ }).waitFor();
    await page.locator(".since del", { hasText: "13" }).first().waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole("button", { name: "See it as it is now" }).click();
    await expect.poll(() => page.url()).not.toContain("at=");
    await page.getByRole("button", { name: "Correct", exact: true }).waitFor();
    await page.context().close();
  });

  it("[PG15] [PG16] tells what happened, and what is different", async () => {
    const page = await opened.open({ path: "/timeline" });
    await page.locator(".e", { hasText: "24 memories added" }).first().getByText("Show what it was").click();
    await page.locator(".opened").getByText("note 24").first().click();
    await page.getByRole("heading", { level: 1, name: /note 24/ }).waitFor();
    await page.keyboard.press("c");
    await page.locator(".chg", { hasText: "hazelnuts" }).waitFor();
    await page.getByRole("button", { name: "Side by side" }).click();
    const sides = page.locator(".chg", { hasText: "hazelnuts" }).locator(".apart .txt");
    expect(await sides.allTextContents()).toEqual([
      "Jun is allergic to nuts.",
      "Jun is allergic to hazelnuts, not to all nuts.",
    ]);
    expect(await axe(page)).toEqual([]);
    await page.getByRole("button", { name: /^Added/ }).click();
    expect(await page.locator(".chg .k", { hasText: "Changed" }).count()).toBe(0);
    await page.context().close();
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
    await page.context().close();
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
    await page.context().close();
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
    await page.context().close();
  });

  it("[PG18] moves what came since a day to a branch of its own, and takes that back", async () => {
    const page = await opened.open({ path: "/branches?try=1" });
    await page.getByLabel("Name of the branch").fill("second-thoughts");
    await page.getByLabel("main as it was on a date").fill(dayBefore(2));
    await page.getByRole("checkbox", { name: /main goes back to that day/ }).check();
    await page.getByRole("button", { name: "Make the branch" }).click();
    // What it offers stays while the pointer is on it, however long the next lines take.
    await page.getByText("main is back to that day.").hover();
    const count = async (branch: string) =>
      (JSON.parse(await opened.cambium("list", "--branch", branch, "--json")) as { memories: unknown[] })
        .memories.length;
    expect(await count("main")).toBeLessThan(await count("second-thoughts"));
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone.").waitFor();
    expect(await opened.cambium("branches")).not.toContain("second-thoughts");
    await page.context().close();
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
    await page.context().close();
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
    await page.context().close();
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
    await page.context().close();
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
    await page.context().close();
  });

  it("[PG3] says what is wrong where nothing can be read, and goes on when it can", async () => {
    const complained = opened.complaints.length;
    const page = await opened.open({ path: "/devices" });
    await page.route("**/v1/**", (route) => route.abort());
    await page.evaluate(() => history.pushState(null, "", "/ui/timeline"));
    await page.getByRole("heading", { name: "Cambium does not answer." }).waitFor();
    await page.unroute("**/v1/**");
    const ended = { error: { code: "SESSION_ENDED", message: "The session has ended." } };
    await page.route("**/v1/**/memories?*", (route) => route.fulfill({ status: 401, json: ended }));
    await page.evaluate(() => history.pushState(null, "", "/ui/"));
    await page.getByText("Run “cambium ui” for a new link.").waitFor();
    await page.unroute("**/v1/**/memories?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".mem").first().waitFor();
    opened.complaints.length = complained;
    await page.context().close();
  });

  it("[PG7] is let by its own policy, in all of this", () => {
    // The relay of the sample is gone, and says so; what is erased or deleted while it is shown is not found.
    expect(opened.complaints.filter((complaint) => !/status of (404|502)/.test(complaint))).toEqual([]);
  });
});
