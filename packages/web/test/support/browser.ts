/**
 * A Chromium, a home with sample memories, a daemon that serves the page, and the page's session.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Space } from "@cambium/client";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { writeMany } from "./many-changes.ts";
import { makeSample, type Sample } from "./sample-space.ts";
import { makeSharedSpace, type SharedSpace } from "./shared-space.ts";

const CHROMIUM = process.env.CAMBIUM_CHROMIUM ?? "/usr/bin/chromium";
const COMMAND = fileURLToPath(new URL("../../../cambium/bin/cambium.mjs", import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Much longer than anything takes, on a busy machine too. */
const PATIENCE_MS = 15_000;
const run = promisify(execFile);

export const hasChromium = existsSync(CHROMIUM);

export interface Look extends Omit<BrowserContextOptions, "storageState"> {
  readonly path?: string;
}

export interface OpenedPage extends AsyncDisposable {
  readonly browser: Browser;
  readonly url: string;
  readonly home: string;
  /** A window of its own, signed in. What the browser complained about is in `complaints`. */
  open(look?: Look): Promise<Page>;
  /** Runs a verb as somebody else would. */
  cambium(...args: readonly string[]): Promise<string>;
  /** What the page was not allowed to do, or did wrong. */
  readonly complaints: string[];
}

/**
 * @param days - of history before what the pictures show
 * @param more - writes what only some need
 */
export async function openPage(
  days: number,
  more?: (space: Space) => Promise<void>,
): Promise<OpenedPage & { readonly sample: Sample }> {
  const folder = mkdtempSync(join(tmpdir(), "cambium-page-"));
  const sample = await makeSample(join(folder, "home"), join(folder, "other"), days, more);
  return { ...(await openOn(folder)), sample };
}

/** The page of a device that shares its space with another one. */
export async function openShared(): Promise<OpenedPage & { readonly shared: SharedSpace }> {
  const folder = mkdtempSync(join(tmpdir(), "cambium-page-"));
  const shared = await makeSharedSpace(folder);
  return { ...(await openOn(folder, () => shared[Symbol.asyncDispose]())), shared };
}

/** The page of a space that has many changes. */
export async function openMany(changes: number): Promise<OpenedPage> {
  const folder = mkdtempSync(join(tmpdir(), "cambium-page-"));
  await writeMany(join(folder, "home"), changes);
  return await openOn(folder);
}

/** @returns runs a verb, and tells what it printed */
export const cambiumIn =
  (home: string) =>
  async (...args: readonly string[]): Promise<string> => {
    const env = { ...process.env, CAMBIUM_HOME: home, CAMBIUM_SPACE: "memory" };
    const { stdout } = await run(process.execPath, [COMMAND, ...args], { env });
    return stdout;
  };

/**
 * @param folder - with a `home`; it is deleted with the page
 * @param close - closes what else is open there
 */
export async function openOn(folder: string, close?: () => PromiseLike<void>): Promise<OpenedPage> {
  const home = join(folder, "home");
  const cambium = cambiumIn(home);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  const { url: link } = JSON.parse(await cambium("ui", "--no-open", "--json")) as { readonly url: string };
  const storageState = await signIn(browser, link);
  const windows = new Windows(browser, storageState);
  const complaints: string[] = [];
  const url = new URL("/ui", link).href;
  return {
    ...{ browser, url, home, complaints, cambium },
    open: async ({ path = "/", ...look } = {}) => {
      const page = await windows.open(look);
      page.setDefaultTimeout(PATIENCE_MS);
      page.on("console", (said) => said.type() === "error" && complaints.push(said.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(url + path);
      return page;
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await cambium("daemon", "stop");
      await close?.();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type StorageState = Exclude<BrowserContextOptions["storageState"], string | undefined>;

/** Two that are open at once share nothing. One that was closed makes room for the next: to make one takes a second. */
class Windows {
  /** By how they look. */
  readonly #free = new Map<string, BrowserContext[]>();
  readonly #browser: Browser;
  readonly #storageState: StorageState;

  constructor(browser: Browser, storageState: StorageState) {
    this.#browser = browser;
    this.#storageState = storageState;
  }

  async open(look: Omit<BrowserContextOptions, "storageState">): Promise<Page> {
    const key = JSON.stringify(look);
    const free = this.#free.get(key)?.pop();
    const { locale = "en-GB", ...more } = look;
    const context =
      free ?? (await this.#browser.newContext({ locale, ...more, storageState: this.#storageState }));
    if (free === undefined) await context.newPage(); // a window that has no page left is closed
    const page = await context.newPage();
    if (free !== undefined) await page.addInitScript(asSignedIn, this.#storageState);
    page.on("close", () => this.#free.set(key, [...(this.#free.get(key) ?? []), context]));
    return page;
  }
}

/** Runs in the page, each time it loads; what was chosen in the one before is gone from the first time on. */
function asSignedIn({ origins }: StorageState): void {
  if (window.name !== "") return;
  window.name = "begun";
  localStorage.clear();
  const stored = origins.find(({ origin }) => origin === location.origin)?.localStorage ?? [];
  for (const { name, value } of stored) localStorage.setItem(name, value);
}

async function signIn(browser: Browser, link: string): Promise<StorageState> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole("heading", { level: 1, name: "Memories" }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}

/** @returns what axe finds wrong, in a line each */
export async function axe(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe: checker } = window as unknown as { readonly axe: typeof import("axe-core") };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await checker.run({ runOnly: { type: "tag", values: tags } });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`,
    );
  });
  return found;
}

/** An address of every view, the past among them. */
export function viewsOf({ conflict }: Sample): readonly string[] {
  const day = new Date(Date.now() - 13 * 86_400_000).toISOString().slice(0, 10);
  const past = ["/", "/timeline"].map((path) => `${path}?at=${day}`);
  const now = ["/", `/memory/${conflict}`, "/timeline", "/compare", "/branches", "/merge?from=job-hunt"];
  return [...now, ...past, `/goback?to=${day}`, "/review", "/devices"];
}
