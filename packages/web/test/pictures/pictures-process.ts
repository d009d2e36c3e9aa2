/**
 * Pictures of the web page for somebody to look at: every view and its states, light and dark, wide and narrow, of a
 * daemon with a sample space. Writes PNGs and an index.html.
 *
 *   node packages/web/test/pictures/pictures-process.ts [--to folder] [part of a name …]
 *
 * @module
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openPage } from "../support/browser.ts";
import { writeMuch } from "../support/sample-much.ts";
import { type Page, SCENES, type Scene } from "./scenes.ts";

const SIZES = [
  { size: "wide", viewport: { width: 1280, height: 860 } },
  { size: "narrow", viewport: { width: 390, height: 844 } },
] as const;
const THEMES = ["light", "dark"] as const;
const DAYS = 236;
const STEP_MS = 50;
const QUIET_STEPS = 6;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: "string", default: join(tmpdir(), "cambium-page-pictures") } },
});
mkdirSync(values.to, { recursive: true });
const chosen = SCENES.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
await using opened = await openPage(DAYS, writeMuch);
await opened.cambium("init", "empty");
for (const { size, viewport } of SIZES) {
  for (const scene of chosen) await takePictures(opened, scene, size, viewport);
  process.stdout.write(`${size}: ${chosen.length} scenes\n`);
}
writeFileSync(join(values.to, "index.html"), indexOf(chosen));
process.stdout.write(`${values.to}/index.html\n`);

async function takePictures(
  { open, sample }: typeof opened,
  scene: Scene,
  size: string,
  viewport: (typeof SIZES)[number]["viewport"],
): Promise<void> {
  const page = await open({
    ...{ viewport, reducedMotion: "reduce", colorScheme: "light" },
    ...{ locale: scene.locale ?? "en-GB", path: "/nowhere" },
  });
  const asked = asking(page);
  await scene.before?.(page);
  const path = typeof scene.path === "string" ? scene.path : scene.path(sample);
  await page.goto(new URL(`/ui${path}`, page.url()).href);
  await answered(page, asked, scene);
  await scene.act?.(page);
  await answered(page, asked, scene);
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(values.to, `${scene.name}.${size}.${colorScheme}.png`) });
  }
  await page.close();
}

/** What the page has asked the daemon and has no answer to; the stream of events never ends. */
function asking(page: Page): ReadonlySet<unknown> {
  const open = new Set<unknown>();
  page.on("request", (request) => {
    if (request.url().includes("/v1/") && !request.url().endsWith("/events")) open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return open;
}

/** Until nothing is asked for a while: an answer often leads to another question. */
async function answered(page: Page, open: ReadonlySet<unknown>, { waitsMs }: Scene): Promise<void> {
  if (waitsMs !== undefined) return page.waitForTimeout(waitsMs);
  let quiet = 0;
  for (let attempt = 0; attempt < 300 && quiet < QUIET_STEPS; attempt += 1) {
    await page.waitForTimeout(STEP_MS);
    quiet = open.size === 0 ? quiet + 1 : 0;
  }
}

function indexOf(scenes: readonly Scene[]): string {
  const rows = scenes.map(({ name }) => {
    const names = SIZES.flatMap(({ size }) => THEMES.map((theme) => `${name}.${size}.${theme}.png`));
    return `<h2>${name}</h2><p>${names.map((file) => `<img src="${file}" height="430" alt="">`).join(" ")}</p>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Cambium</title><body>${rows.join("\n")}`;
}
