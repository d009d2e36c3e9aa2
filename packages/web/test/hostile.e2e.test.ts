import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica } from "@cambium/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, type OpenedPage, openOn } from "./support/browser.ts";

/** What would run, load, or turn letters around, if it were more than letters. */
const NASTY = [
  "<img src=x onerror=\"document.title='ran'\">",
  "<script>document.title='ran'</script>",
  "[x](javascript:document.title='ran')",
  "constructor",
  "__proto__",
] as const;
const [IMAGE, SCRIPT, LINK] = NASTY;
/** Names of branches, some of which are another's in an address, or none. */
const BRANCHES = [
  "<img/src=x/onerror=alert(1)>",
  "100%",
  "a/b",
  "a%2Fb",
  "..",
  "?q=1&branch=main#x",
  "שלום/🌱",
  "w".repeat(200),
  "__proto__",
] as const;
const TURNED = "\u202Egnp.exe\u202C and \u2066isolated";

describe.skipIf(!hasChromium)("names by others", { timeout: 120_000 }, () => {
  let opened: OpenedPage;
  const paths = ["/", "/timeline", "/compare", "/branches", "/goback", "/review", "/devices"];
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "cambium-page-"));
    const replica = await openReplica({ dir: join(folder, "home"), name: IMAGE });
    const space = await replica.createSpace({ name: "memory" });
    const owner = space.as({ role: "owner", confirmed: true });
    for (const name of NASTY) {
      const agent = space.as({ agent: name, session: name, conversation: name, confirmed: true });
      const source = { kind: "url", name, url: "javascript:document.title='ran'", path: name };
      const labels = { category: name, kind: name, area: name, tags: [name, `${name}-2`], aliases: [name] };
      const { id } = await agent.remember({ content: `About ${name} ${TURNED}`, ...labels, source });
      paths.push(`/memory/${id}`);
      await agent.revise(id, { content: `More about ${name}` }, {});
      await owner.checkpoints.create({ name: `At ${name}`, description: TURNED });
    }
    await owner.branches.create("draft");
    await space.as({ agent: SCRIPT, confirmed: true }).remember({ content: LINK }, { branch: "draft" });
    paths.push("/merge?from=draft");
    for (const [index, name] of BRANCHES.entries()) {
      const { id: branch } = await owner.branches.create(name);
      await owner.remember({ content: `Of branch ${index}.` }, { branch });
    }
    await owner.policy.set("forget", "agent", "confirm");
    await replica.close();
    opened = await openOn(folder);
  }, 180_000);
  afterAll(() => opened[Symbol.asyncDispose]());

  it("[PG7] are letters in every view, whatever they are called", async () => {
    const page = await opened.open();
    for (const path of paths) {
      await page.goto(`${opened.url}${path}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor({ timeout: 60_000 });
      await expect.poll(() => page.locator(".loading").count(), { timeout: 60_000 }).toBe(0);
      expect(await page.locator("main img, main script, a[href^='javascript']").count(), path).toBe(0);
      expect(await page.title(), path).not.toBe("ran");
    }
    expect(opened.complaints).toEqual([]);
    await page.close();
  });

  it("[PG2] [PG18] lead to their own branch, each, and to what it would bring", async () => {
    const page = await opened.open({ viewport: { width: 390, height: 780 } });
    for (const [index, name] of BRANCHES.entries()) {
      await page.goto(`${opened.url}/branches`);
      const row = page.locator(".br").filter({ has: page.getByRole("link", { name, exact: true }) });
      await row.getByRole("link", { name, exact: true }).click();
      await page.locator(".mem", { hasText: `Of branch ${index}.` }).waitFor();
      await page.goBack();
      await row.getByRole("link", { name: "Bring into main…" }).click();
      await page.locator(".pv", { hasText: `Of branch ${index}.` }).waitFor();
      const cut = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(cut, name).toBe(0);
    }
    await page.getByRole("button", { name: "Branch: main" }).click();
    await page.getByRole("link", { name: /^\.\. / }).click();
    await page.locator(".mem", { hasText: "Of branch 4." }).waitFor();
    await page.close();
  });

  it("[PG3] says what to do when the daemon has stopped, and keeps what is shown", async () => {
    const page = await opened.open();
    await page.locator(".mem").first().waitFor();
    await opened.cambium("daemon", "stop");
    const word = page.getByRole("button", { name: /^Cambium does not answer.*Run “cambium ui” again/ });
    await word.click();
    await page.locator(".menu-text", { hasText: "Your memories are safe" }).waitFor();
    expect(await page.locator(".mem").count()).toBe(NASTY.length);
    await page.close();
  });
});
