import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe, hasChromium, openPage, viewsOf } from "./support/browser.ts";

// biome-ignore lint/suspicious/noConsole: one line says why nothing was tested
if (!hasChromium) console.log("No Chromium is here: the tests of the web page are skipped.");

const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 780 };

describe.skipIf(!hasChromium)("the page", { timeout: 120_000 }, () => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    opened = await openPage(20);
  }, 180_000);
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
    await page.close();
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
    await page.close();
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
    await page.close();
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
    await page.close();
  });

  it("[PG9] [PG13] tells who edits in one window what another has done to the memory, and keeps the words", async () => {
    const made = await opened.cambium("remember", "The key is under the mat", "--json");
    const path = `/memory/${(JSON.parse(made) as { readonly id: string }).id}`;
    const [here, there] = await Promise.all([opened.open({ path }), opened.open({ path })]);
    await here.getByRole("button", { name: "Edit", exact: true }).click();
    const words = here.getByRole("textbox", { name: "Edit" });
    const save = here.getByRole("button", { name: /^Save version/ });
    await words.fill("The key is with Ada");
    await there.getByRole("button", { name: "Forget", exact: true }).click();
    await here.getByText("It was forgotten while you wrote.").waitFor();
    expect(await save.isDisabled()).toBe(true);
    await here.getByRole("button", { name: "Bring back" }).click();
    await save.click();
    await there.getByRole("heading", { level: 1, name: "The key is with Ada" }).waitFor();
    await here.getByRole("button", { name: "Edit", exact: true }).click();
    await words.fill("The key is with Bea");
    await there.getByRole("button", { name: "Erase…" }).click();
    await there.getByLabel(/^Type 1 to erase/).fill("1");
    await there.getByRole("button", { name: "Erase 1 memory" }).click();
    await here.getByText("It was erased while you wrote").waitFor();
    expect(await words.inputValue()).toBe("The key is with Bea");
    await here.getByRole("heading", { level: 1, name: "Erased" }).waitFor();
    await here.goto(`${opened.url}/?forgotten=1`);
    await here.locator(".mem", { hasText: "Erased" }).waitFor();
    await Promise.all([here, there].map((page) => page.close()));
  });

  it("[PG8] [PG15] shows on a narrow screen which filter is chosen, and events on their line", async () => {
    const page = await opened.open({ viewport: NARROW, path: "/?forgotten=1" });
    const chosen = page.locator(".filters .on");
    await chosen.waitFor();
    await page.getByRole("button", { name: /Has a conflict/ }).waitFor();
    const isInSight = () =>
      chosen.evaluate((button) => {
        const { left, right } = button.getBoundingClientRect();
        return left >= 0 && right <= window.innerWidth;
      });
    await expect.poll(isInSight).toBe(true);
    await page.goto(`${opened.url}/timeline`);
    await page.locator(".e").first().waitFor();
    const apart = await page.evaluate(() => {
      const [line, event] = [".ev", ".e"].map((name) => document.querySelector(name));
      if (!line || !event) return Number.NaN;
      const { left, width } = getComputedStyle(event, "::before");
      const middle =
        event.getBoundingClientRect().left + Number.parseFloat(left) + Number.parseFloat(width) / 2;
      return middle - line.getBoundingClientRect().left;
    });
    expect(Math.abs(apart)).toBeLessThan(3);
    await page.close();
  });

  it("[PG8] [PG9] says in a search, too, that somebody has written", async () => {
    const page = await opened.open({ path: "/?q=ferry" });
    await page.getByText("Nothing matches.").waitFor();
    await opened.cambium("remember", "The ferry leaves at nine");
    await page.locator(".arrive").getByRole("button", { name: "Show" }).click();
    await page.locator(".mem", { hasText: "The ferry leaves" }).waitFor();
    await page.close();
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
    await page.close();
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
    await page.close();
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
    await page.close();
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
    await page.close();
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
    await page.close();
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
        { timeout: 15_000 },
      )
      .toBe(true);
    await page.reload();
    expect(await page.getByLabel("Sort by").inputValue()).toBe("name");
    await page.getByLabel("Sort by").selectOption("last changed");
    await expect.poll(() => page.url()).not.toContain("sort");
    await page.close();
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
    await page.close();
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
    await page.close();
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
    await page.close();
  });

  it("[PG7] is let by its own policy, in all of this", () => {
    // The relay of the sample is gone, and says so; what is erased or deleted while it is shown is not found.
    expect(opened.complaints.filter((complaint) => !/status of (404|502)/.test(complaint))).toEqual([]);
  });
});
