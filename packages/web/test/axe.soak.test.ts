import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe, hasChromium, openPage, viewsOf } from "./support/browser.ts";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 780 },
];
const MORE = [
  "/review?show=asks",
  "/review?show=decided",
  "/goback?scope=time",
  "/?q=zeppelin",
  "/?conflict=1",
];

describe.skipIf(!hasChromium)("the page", { timeout: 600_000 }, () => {
  let opened: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    opened = await openPage(20);
  }, 120_000);
  afterAll(() => opened[Symbol.asyncDispose]());

  it("[PG6] has nothing that axe complains about, each view in both themes and sizes, and its dialogs", async () => {
    const page = await opened.open();
    const check = async (what: string) => {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect.soft(await axe(page), `${what}, ${colorScheme}`).toEqual([]);
      }
    };
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const path of [...viewsOf(opened.sample), ...MORE]) {
        await page.goto(`${opened.url}${path}`);
        await page.locator("main h1").waitFor();
        await expect.poll(() => page.locator(".loading").count(), { timeout: 15_000 }).toBe(0);
        await check(`${path}, ${size.width}`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const [path, name] of [
      ["/", "Add a memory"],
      ["/", "Tag"],
      ["/", "Keyboard"],
      [`/memory/${opened.sample.staging}`, "Erase…"],
      [`/memory/${opened.sample.staging}`, "Edit"],
      ["/branches", "Try something"],
      ["/devices", "Rename"],
      ["/devices", "What it may do…"],
      ["/devices", "Make an invitation…"],
      ["/devices", "Take in an archive…"],
      ["/devices", "Set an owner’s code…"],
      ["/devices", "Turn on backups…"],
      ["/devices", "Check everything"],
    ] as const) {
      await page.goto(`${opened.url}${path}`);
      await page.getByRole("button", { name, exact: true }).first().click();
      await check(`${path}, ${name}`);
    }
    await page.close();
  });
});
