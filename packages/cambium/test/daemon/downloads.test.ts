import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { verifyArchive } from "@cambium/client";
import { manualTimers } from "@cambium/client/host";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noteBackupFailure, writeBackupPlan } from "../../src/backup/backup-settings.js";
import { Downloads } from "../../src/daemon/page/downloads.js";
import { type Answered, startWithSpace, type TestDaemon } from "./support/daemon.js";

const SPACE = "/v1/spaces/notes";
const ALWAYS = { isGood: () => true, subscribe: () => () => undefined };

let folder: string;
let running: TestDaemon;
let session: Record<string, string>;
/** With all that is said where somebody looks for faults. */
const logged: string[] = [];
const note = (text: string): void => void logged.push(text);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cambium-downloads-"));
  mkdirSync(join(folder, "page"));
  writeFileSync(join(folder, "page", "index.html"), "<title>Cambium</title>");
  const log = { info: note, error: note, debug: note };
  running = await startWithSpace({ pageFolder: join(folder, "page"), log });
  for (const content of ["Tea at four", "비밀번호는 바꾼다"])
    await running.call(`${SPACE}/memories`, { body: { content } });
  session = await opened();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const origin = (): string => `http://127.0.0.1:${running.port}`;

async function opened(): Promise<Record<string, string>> {
  const { json } = await running.call("/v1/page/links", { body: {} });
  const [, code] = json.url.split("#");
  const sent = { port: running.port, body: { code }, headers: { origin: origin() } };
  const { headers, json: traded } = await running.call("/ui/session", sent);
  return { cookie: headers["set-cookie"]?.[0]?.split(";")[0] ?? "", "cambium-page": traded.token };
}

const asked = (body: object, headers: Record<string, string> = {}): Promise<Answered> =>
  running.call(`${SPACE}/page/downloads`, {
    ...{ port: running.port, body },
    headers: { origin: origin(), ...session, ...headers },
  });

/** As a browser follows a link: without what only scripts send. */
async function fetched(url: string, headers: Record<string, string> = { cookie: session.cookie ?? "" }) {
  const response = await running.open(url, { port: running.port, headers }).response;
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}

const leftIn = (home: string): readonly string[] =>
  existsSync(join(home, "downloads")) ? readdirSync(join(home, "downloads")) : [];

const BY_NAME: Record<string, string> = { "cambium-agent": "cursor" };
/** One that gives its name, and two that give their role alone. */
const AGENTS: readonly Record<string, string>[] = [
  BY_NAME,
  { "cambium-role": "agent" },
  { "cambium-role": "operator" },
];

test("[UI16] the page gets an export with a safe name, once, and nothing of it stays on the device", async () => {
  await running.call("/v1/spaces", { body: { name: "우리 집" } });
  const home = `/v1/spaces/${encodeURIComponent("우리 집")}`;
  await running.call(`${home}/memories`, { body: { content: "Tea at four" } });
  const { json } = await running.call(`${home}/page/downloads`, {
    ...{ port: running.port, body: { what: "export" }, headers: { origin: origin(), ...session } },
  });
  const day = new Date().toISOString().slice(0, 10);
  expect(json).toMatchObject({ memories: 1, name: `우리-집-${day}.jsonl` });
  expect(leftIn(running.home)).toEqual([]);
  const { status, headers, bytes } = await fetched(json.url);
  expect([status, bytes.length, Number(headers["content-length"])]).toEqual([
    200,
    json.sizeBytes,
    json.sizeBytes,
  ]);
  expect(headers["content-disposition"]).toBe(
    `attachment; filename="_-_-${day}.jsonl"; filename*=UTF-8''${encodeURIComponent(json.name)}`,
  );
  expect([headers["cache-control"], headers["x-content-type-options"]]).toEqual(["no-store", "nosniff"]);
  expect(bytes.toString()).toContain("Tea at four");
  expect((await fetched(json.url)).status).toBe(404);
});

test("[UI16] an archive is sealed with the passphrase that the page was given, and Markdown comes as a zip", async () => {
  const { json } = await asked({ what: "archive", passphrase: "correct horse" });
  const { bytes } = await fetched(json.url);
  const path = join(folder, json.name);
  await writeFile(path, bytes);
  const contents = await verifyArchive(path, { passphrase: "correct horse" });
  expect([contents.isSealed, contents.branches[0]?.memories]).toEqual([true, 2]);
  expect((await asked({ what: "archive" })).status).toBe(400);
  const zip = await asked({ what: "export", format: "markdown" });
  expect(zip.json.name).toMatch(/^notes-.*\.zip$/);
  const files = filesIn((await fetched(zip.json.url)).bytes);
  expect(files.size).toBe(2);
  expect([...files.values()].some((text) => text.includes("비밀번호는 바꾼다"))).toBe(true);
  expect(leftIn(running.home)).toEqual([]);
});

test("[UI16] only the page that asked gets it: not without its cookie, from elsewhere, or for an agent", async () => {
  const { json } = await asked({ what: "export" });
  const other = await opened();
  expect((await fetched(json.url, {})).status).toBe(401);
  expect(
    (await fetched(json.url, { cookie: session.cookie ?? "", "sec-fetch-site": "same-site" })).status,
  ).toBe(403);
  expect((await fetched(`${json.url}x`, { cookie: other.cookie ?? "" })).status).toBe(404);
  expect((await fetched(json.url)).status).toBe(200);
  for (const headers of AGENTS) {
    const agent = await running.call(`${SPACE}/page/downloads`, { body: { what: "export" }, headers });
    expect([headers, agent.json.error?.code]).toEqual([headers, "ROLE_REFUSED"]);
  }
});

test("[UI16] what nobody fetches is gone after two minutes, and so is what a killed process left", async () => {
  const home = mkdtempSync(join(folder, "home-"));
  mkdirSync(join(home, "downloads", "0123"), { recursive: true });
  writeFileSync(join(home, "downloads", "0123", "file"), "half");
  const timers = manualTimers();
  const downloads = new Downloads({ home, now: () => 0, timers });
  const { url } = await downloads.make("a.jsonl", ALWAYS, (path) => writeFile(path, "{}"));
  expect(leftIn(home)).toEqual([]);
  await expect(downloads.make("b", ALWAYS, () => Promise.reject(new Error("disk full")))).rejects.toThrow(
    "disk full",
  );
  expect(leftIn(home)).toEqual([]);
  timers.advance(2 * 60_000);
  expect(await downloads.take(url.split("/").at(-1) ?? "")).toBeUndefined();
});

test("[UI17] the page sees how the backups are, and makes one now", async () => {
  const shown = async () => (await running.call(`${SPACE}/backups`)).json;
  expect(await shown()).toEqual({ state: "off", backups: [] });
  expect((await running.call(`${SPACE}/backups`, { body: {} })).json.error.message).toContain("not set");
  const { id } = (await running.call(SPACE)).json;
  const dir = join(folder, "backups");
  const plan = { space: id, dir, everyMs: 86_400_000, keep: 2, passphraseFile: null };
  writeBackupPlan(running.home, id, plan);
  const nextAt = expect.any(Number);
  const planned = { dir, everyMs: 86_400_000, keep: 2, isSealed: false, nextAt };
  expect(await shown()).toEqual({ state: "late", plan: planned, backups: [] });
  noteBackupFailure(running.home, id, { space: id, at: 7, message: "The disk is full." });
  expect(await shown()).toMatchObject({ state: "failed", failure: { at: 7, message: "The disk is full." } });
  // The disk of the folder may not be connected.
  const gone = await running.call(`${SPACE}/backups`, { body: {} });
  expect([gone.status, gone.json.error.message]).toEqual([
    400,
    `The folder ${dir} of the backups is not there.`,
  ]);
  mkdirSync(dir);
  const made = await running.call(`${SPACE}/backups`, { body: {} });
  expect(made.json).toMatchObject({ state: "fine", plan: planned, backups: [{ at: expect.any(Number) }] });
  expect(made.json.failure).toBeUndefined();
  expect((await running.call(`${SPACE}/backups`, { headers: { "cambium-agent": "cursor" } })).status).toBe(
    403,
  );
});

test("[UI17] backups are turned on with a passphrase that is in no answer and no log, changed, and turned off", async () => {
  const { id } = (await running.call("/v1/spaces", { body: { name: "kept" } })).json;
  const path = `/v1/spaces/${id}/backups`;
  const set = (body: object, headers = {}) => running.call(path, { method: "PUT", body, headers });
  const dir = join(folder, "kept");
  const passphrases = () => {
    const kept = join(running.home, "backup-passphrases");
    return existsSync(kept) ? readdirSync(kept).map((name) => join(kept, name)) : [];
  };
  for (const wrong of [
    { dir, clear: true, passphrase: "x" },
    { dir },
    { passphrase: "correct horse" },
    { dir: "kept", clear: true },
    { dir: join(folder, "no", "where"), passphrase: "correct horse" },
    { dir, passphrase: "two\nlines" },
    { dir, clear: true, keep: 0 },
  ])
    expect([(await set(wrong)).status, passphrases()]).toEqual([400, []]);
  expect((await running.call(path)).json).toEqual({ state: "off", backups: [] });
  for (const headers of AGENTS)
    for (const refused of [await set({ dir, clear: true }, headers), await running.call(path, { headers })])
      expect([headers, refused.json.error?.code]).toEqual([headers, "ROLE_REFUSED"]);

  const made = await set({ dir, keep: 3, passphrase: "correct horse" });
  const [newest] = made.json.backups;
  expect(made.json).toMatchObject({
    state: "fine",
    plan: { dir, everyMs: 86_400_000, keep: 3, isSealed: true, nextAt: newest.at + 86_400_000 },
  });
  await verifyArchive(newest.path, { passphrase: "correct horse" });
  const [kept = ""] = passphrases();
  expect(statSync(kept).mode & 0o077).toBe(0);
  // What is left out stays, the passphrase too; another one takes its place.
  expect((await set({ every: "week" })).json.plan).toMatchObject({ dir, keep: 3, isSealed: true });
  expect(passphrases()).toEqual([kept]);
  expect((await set({ passphrase: "battery staple" })).json.state).toBe("fine");
  expect(passphrases()).toHaveLength(1);
  expect(passphrases()).not.toEqual([kept]);
  const told = [made.text, (await running.call(path)).text, logged.join("\n")].join();
  expect(told).not.toMatch(/correct horse|battery staple/);

  expect((await running.call(path, { method: "DELETE", headers: BY_NAME })).status).toBe(403);
  expect((await running.call(path, { method: "DELETE" })).json).toEqual({ state: "off", backups: [] });
  expect([passphrases(), readdirSync(dir).length > 0]).toEqual([[], true]);
});

/** Read as the format says, from the list at its end. */
function filesIn(zip: Buffer): ReadonlyMap<string, string> {
  const end = zip.length - 22;
  const files = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const packed = zip.readUInt32LE(at + 20);
    const length = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = inflateRawSync(zip.subarray(start, start + packed));
    files.set(zip.toString("utf8", at + 46, at + 46 + length), bytes.toString());
    at += 46 + length;
  }
  return files;
}

test.each(["erase", "conceal"])(
  "[ER71] a file that waits is dropped when something is gone: %s",
  async (verb) => {
    const { json } = await running.call(`${SPACE}/memories`, { body: { content: `Quokka to ${verb}` } });
    const [other, { url }] = [(await asked({ what: "export" })).json, (await asked({ what: "export" })).json];
    expect((await fetched(other.url)).bytes.toString()).toContain(`Quokka to ${verb}`);
    const body = verb === "erase" ? { ids: [json.id], confirm: 1 } : { ids: [json.id] };
    const headers = { "cambium-role": "owner", "cambium-confirmed": "true" };
    expect((await running.call(`${SPACE}/${verb}`, { body, headers })).status).toBe(200);
    const { status, bytes } = await fetched(url);
    expect([status, bytes.toString().includes("Quokka")]).toEqual([404, false]);
  },
);
