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
    paths.push("/merge/draft");
    await owner.policy.set("forget", "agent", "confirm");
    await replica.close();
    opened = await openOn(folder);
  }, 60_000);
  afterAll(() => opened[Symbol.asyncDispose]());

  it("[PG7] are letters in every view, whatever they are called", async () => {
    const page = await opened.open();
    for (const path of paths) {
      await page.goto(`${opened.url}${path}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.locator(".loading").waitFor({ state: "hidden" });
      expect(await page.locator("main img, main script, a[href^='javascript']").count(), path).toBe(0);
      expect(await page.title(), path).not.toBe("ran");
    }
    expect(opened.complaints).toEqual([]);
    await page.context().close();
  });

  it("[PG3] says what to do when the daemon has stopped, and keeps what is shown", async () => {
    const page = await opened.open();
    await page.locator(".mem").first().waitFor();
    await opened.cambium("daemon", "stop");
    const word = page.getByRole("button", { name: /^Cambium does not answer.*Run “cambium ui” again/ });
    await word.click();
    await page.locator(".menu-text", { hasText: "Your memories are safe" }).waitFor();
    expect(await page.locator(".mem").count()).toBe(NASTY.length);
    await page.context().close();
  });
});
