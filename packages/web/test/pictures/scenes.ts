/**
 * What is pictured: an address of the page, and what somebody does there.
 *
 * @module
 */
import { CATALOGUE } from "../../src/i18n/catalogue.ts";
import type { OpenedPage } from "../support/browser.ts";
import type { Sample } from "../support/sample-space.ts";

export type Page = Awaited<ReturnType<OpenedPage["open"]>>;

export interface Scene {
  readonly name: string;
  readonly path: string | ((sample: Sample) => string);
  readonly locale?: string;
  /** Before the page is loaded. */
  readonly before?: (page: Page) => Promise<unknown>;
  readonly act?: (page: Page) => Promise<unknown>;
  readonly waitsMs?: number;
}

const API = "**/v1/**";
const DAY_MS = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const past = dayBefore(13);

/** A sentence of the page, in the language that it is shown in. */
async function inLanguage<Name extends string | RegExp>(page: Page, english: Name): Promise<Name | string> {
  if (!(await page.evaluate(() => document.documentElement.lang)).startsWith("ko")) return english;
  return Object.values(CATALOGUE).find(([said]) => said === english)?.[1] ?? english;
}
const press = (english: string | RegExp) => async (page: Page) => {
  const name = await inLanguage(page, english);
  await page.getByRole("button", { name }).filter({ visible: true }).first().click();
};
const scrolled = (by: number) => async (page: Page) => {
  await page.mouse.move(300, 400);
  await page.mouse.wheel(0, by);
};
const chooseLean = async (page: Page) => {
  await page.getByRole("radio", { name: "Lean" }).check();
  await page.getByRole("button", { name: "Use this" }).scrollIntoViewIfNeeded();
};
const writeOwn = async (page: Page) => {
  await page.getByRole("button", { name: "Keep that" }).click();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page
    .getByRole("textbox", { name: "In your own words" })
    .fill("Notice period: two months, says Daniel.");
};
const openSettings = async (page: Page) => {
  const all = page.getByText(await inLanguage(page, "All settings"), { exact: true });
  await all.click();
  await all.evaluate((element) => element.scrollIntoView());
};
const openPolicy = async (page: Page) => {
  const all = page.getByText(await inLanguage(page, "Show and change the list"));
  await all.click();
  await all.evaluate((element) => element.scrollIntoView());
};
const checkStored = async (page: Page) => {
  await press("Check everything")(page);
  const fine = page.locator("#stored [role=status]");
  await fine.waitFor();
  await fine.evaluate((element) => element.scrollIntoView({ block: "center" }));
};
const editProposal = async (page: Page) => {
  await page.locator(".pr", { hasText: "prefers trains" }).getByRole("button").click();
  await page.getByRole("button", { name: "Edit, then accept" }).click();
};
const never = (page: Page) => page.route(API, () => new Promise(() => {}));
const unreached = (page: Page) => page.route(API, (route) => route.abort());
const refused = (status: number, code: string, message: string) => (page: Page) =>
  page.route(API, (route) =>
    route.fulfill({ status, json: { error: { code, message, hint: "Run “cambium doctor”." } } }),
  );

const VIEWS: readonly Scene[] = [
  { name: "memories", path: "/" },
  { name: "memories-search", path: "/?q=launch" },
  { name: "memories-scrolled", path: "/", act: scrolled(1_400) },
  { name: "memories-tags", path: "/", act: press("Tag") },
  { name: "memories-sorted", path: "/?sort=name" },
  { name: "memories-past", path: `/?at=${past}` },
  { name: "memories-forgotten", path: "/?forgotten=1" },
  { name: "memories-conflicts", path: "/?conflict=1" },
  { name: "memories-write", path: "/", act: press("Add a memory") },
  { name: "memories-not-found", path: "/?q=zeppelin" },
  { name: "memories-not-now", path: "/?q=Seolleung" },
  { name: "memory", path: ({ staging }) => `/memory/${staging}` },
  { name: "memory-conflict", path: ({ conflict }) => `/memory/${conflict}` },
  { name: "memory-edit", path: ({ staging }) => `/memory/${staging}`, act: press("Edit") },
  { name: "memory-erase", path: ({ staging }) => `/memory/${staging}`, act: press("Erase…") },
  { name: "memory-past", path: ({ staging }) => `/memory/${staging}?at=${past}` },
  { name: "memory-past-later", path: ({ conflict }) => `/memory/${conflict}?at=${past}` },
  { name: "timeline", path: "/timeline" },
  { name: "timeline-days", path: "/timeline?zoom=days" },
  { name: "timeline-open", path: "/timeline", act: press("Show what it was") },
  { name: "compare", path: `/compare?from=${dayBefore(7)}` },
  { name: "compare-apart", path: `/compare?from=${dayBefore(7)}&side=1` },
  { name: "branches", path: "/branches" },
  { name: "branches-delete", path: "/branches", act: press("Delete") },
  { name: "branches-try", path: "/branches", act: press("Try something") },
  { name: "merge", path: "/merge?from=job-hunt" },
  { name: "merge-own", path: "/merge?from=job-hunt", act: writeOwn },
  { name: "merge-into", path: "/merge?from=job-hunt&into=quiet" },
  { name: "review", path: "/review" },
  { name: "review-edit", path: "/review", act: editProposal },
  { name: "review-asks", path: "/review?show=asks" },
  { name: "review-decided", path: "/review?show=decided" },
  { name: "goback", path: "/goback" },
  { name: "goback-preview", path: `/goback?to=${dayBefore(2)}` },
  { name: "goback-stretch", path: `/goback?scope=time&since=${dayBefore(2)}T14:00&of=claude-code` },
  { name: "devices", path: "/devices" },
  { name: "devices-scrolled", path: "/devices", act: scrolled(1_400) },
  { name: "devices-archive", path: "/devices", act: press("Archive") },
  { name: "devices-policy", path: "/devices", act: openPolicy },
  { name: "devices-kit", path: "/devices", act: press("Make a recovery kit…") },
  { name: "devices-role", path: "/devices", act: press("What it may do…") },
  { name: "devices-invite", path: "/devices", act: press("Make an invitation…") },
  { name: "devices-take-in", path: "/devices", act: press("Take in an archive…") },
  { name: "devices-code", path: "/devices", act: press("Set an owner’s code…") },
  { name: "devices-stored", path: "/devices", act: checkStored },
  { name: "devices-backups", path: "/devices", act: press("Turn on backups…") },
  { name: "devices-settings", path: "/devices", act: chooseLean },
  { name: "devices-settings-all", path: "/devices", act: openSettings },
];

const STATES: readonly Scene[] = [
  ...["/", "/timeline", "/compare", "/branches", "/review", "/goback", "/devices"].map((path) => ({
    name: `empty-${path === "/" ? "memories" : path.slice(1)}`,
    path: `${path}?space=empty`,
  })),
  { name: "loading-memories", path: "/", before: never, waitsMs: 2_500 },
  { name: "loading-timeline", path: "/timeline", before: never, waitsMs: 2_500 },
  { name: "unreached-memories", path: "/", before: unreached, waitsMs: 3_500 },
  { name: "session-ended", path: "/", before: refused(401, "SESSION_ENDED", "The session has ended.") },
  {
    name: "error-timeline",
    path: "/timeline",
    before: refused(500, "STORE_DAMAGED", "The store is damaged and cannot be opened."),
  },
  {
    name: "too-new",
    path: "/devices",
    before: refused(400, "SCHEMA_TOO_NEW", "A newer Cambium wrote this."),
  },
  { name: "no-such-page", path: "/nothing-here" },
  { name: "sync-word", path: "/", act: (page) => page.locator(".sync:visible").first().click() },
  { name: "choose-date", path: "/", act: press(/Choose a date/) },
  { name: "help", path: "/", act: (page) => page.keyboard.press("?") },
  { name: "branch-picker", path: "/", act: press(/Branch: main/) },
];

const KOREAN_VIEWS = ["/", "/timeline", "/branches", "/review", "/goback", "/devices"].map(
  (path): Scene => ({ name: path === "/" ? "memories" : path.slice(1), path }),
);

/** Those with the most words on them. */
const KOREAN_TEXTS = new Set([
  ...["memory", "memory-conflict", "memory-erase", "memories-past", "compare", "merge", "review-asks"],
  ...["goback-preview", "devices-scrolled", "devices-policy", "devices-role", "devices-invite"],
  ...["devices-take-in", "devices-code", "devices-stored", "devices-backups", "devices-settings-all"],
]);

const KOREAN: readonly Scene[] = [...KOREAN_VIEWS, ...VIEWS.filter(({ name }) => KOREAN_TEXTS.has(name))].map(
  (scene) => ({ ...scene, name: `korean-${scene.name}`, locale: "ko-KR" }),
);

export const SCENES: readonly Scene[] = [...VIEWS, ...STATES, ...KOREAN];
