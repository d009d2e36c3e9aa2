/**
 * The three pictures of the README, into `docs/pictures`.
 *
 *   node packages/web/test/pictures/readme-process.ts
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { openPage } from "../support/browser.ts";

const FOLDER = fileURLToPath(new URL("../../../../docs/pictures/", import.meta.url));
const DAY_MS = 86_400_000;
const DAYS = 236;
const SIZE = { width: 1120, height: 700 };

await using opened = await openPage(DAYS);
const past = new Date(Date.now() - 11 * DAY_MS).toISOString().slice(0, 10);
const pictures = [
  ["memories", "/", ".mem", "light"],
  ["timeline", `/timeline?at=${past}`, ".e", "light"],
  ["merge", "/merge?from=job-hunt", ".con", "dark"],
] as const;
for (const [name, path, shown, colorScheme] of pictures) {
  const page = await opened.open({ viewport: SIZE, colorScheme, reducedMotion: "reduce", path });
  await page.locator(shown).first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".loading").length === 0);
  await page.waitForTimeout(2_000);
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  await page.close();
}
