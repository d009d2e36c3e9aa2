import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWithSpace, type TestDaemon } from "./support/daemon.js";

const SPACE = "/v1/spaces/notes";

let folder: string;
let running: TestDaemon;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cambium-source-"));
  running = await startWithSpace();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function remember(source: object, content = "Read somewhere"): Promise<string> {
  const { json } = await running.call(`${SPACE}/memories`, { body: { content, source } });
  return json.id as string;
}

async function shown(source: object, content?: string) {
  const { json } = await running.call(`${SPACE}/memories/${await remember(source, content)}/source-file`);
  return json;
}

function written(name: string, text: string | Uint8Array, at = 0): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  utimesSync(path, at, at);
  return path;
}

const many = Array.from({ length: 1_000 }, (_, index) => `line ${index + 1}`);

test("[UI21] a file is shown around the line, the heading or the words that are meant", async () => {
  const path = written("many.txt", many.join("\n"));
  const file = await shown({ kind: "file", path, line: 500 });
  expect(file).toMatchObject({ status: "shown", path, line: 500, first: 400, total: 1_000 });
  expect([file.lines[100], file.lines.length, file.changedAt]).toEqual(["line 500", 400, undefined]);
  const notes = written(
    "notes.md",
    "# Rent\r\n900 euros\r\n## Heating ##\r\nis in it since the first of May\r\n",
  );
  const heading = await shown({ kind: "file", path: notes, heading: "Rent > Heating" });
  expect([heading.line, heading.lines]).toEqual([3, expect.arrayContaining(["900 euros"])]);
  const words = await shown(
    { kind: "url", url: pathToFileURL(notes).href },
    "is in it since the first of May",
  );
  expect([words.status, words.line]).toEqual(["shown", 4]);
  expect((await shown({ kind: "file", path, line: 4_000 })).line).toBeUndefined();
});

test("[UI21] says that a file has changed since, and that none is named, known or there", async () => {
  const changed = written("changed.txt", "new", Date.now() / 1_000 + 60);
  expect((await shown({ kind: "file", path: changed })).changedAt).toBeGreaterThan(Date.now());
  expect(await shown({ kind: "file", path: join(folder, "gone.txt") })).toMatchObject({ status: "missing" });
  expect(await shown({ kind: "file", path: join(changed, "under.txt") })).toMatchObject({
    status: "missing",
  });
  for (const source of [{ path: "notes/today.md" }, { name: "the plan" }, { path: "//server/share/a.txt" }])
    expect(await shown({ kind: "file", ...source })).toEqual({ status: "partial" });
  expect(await shown({ kind: "url", url: "file://server/share/a.txt" })).toEqual({ status: "partial" });
  const { json } = await running.call(`${SPACE}/memories`, { body: { content: "From nowhere" } });
  expect((await running.call(`${SPACE}/memories/${json.id}/source-file`)).json).toEqual({ status: "none" });
});

test("[UI21] follows no link at the end of a path, waits for no pipe, and shows text alone", async () => {
  const secret = written("secret.txt", "secret");
  const link = join(folder, "link.txt");
  symlinkSync(secret, link);
  const linked = await shown({ kind: "file", path: link });
  expect([linked.status, JSON.stringify(linked).includes("secret")]).toEqual(["link", false]);
  // A folder that is a link is said by where it leads.
  mkdirSync(join(folder, "real"));
  const real = written("real/a.txt", "a");
  symlinkSync(join(folder, "real"), join(folder, "alias"));
  expect(await shown({ kind: "file", path: join(folder, "alias", "a.txt") })).toMatchObject({ path: real });
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect((await shown({ kind: "file", path: pipe })).status).toBe("unreadable");
  expect((await shown({ kind: "file", path: folder })).status).toBe("folder");
  const binary = written("a.bin", new Uint8Array([65, 0, 66]));
  const latin = written("latin.txt", new Uint8Array([0x66, 0xfc, 0x72]));
  for (const path of [binary, latin]) expect((await shown({ kind: "file", path })).status).toBe("binary");
  const large = written("large.txt", "x".repeat(2 * 1_048_576 + 1));
  expect(await shown({ kind: "file", path: large })).toMatchObject({ status: "large", sizeBytes: 2_097_153 });
  const wide = await shown({ kind: "file", path: written("wide.txt", "가".repeat(5_000)) });
  expect(wide.lines[0]).toHaveLength(2_001);
});

test("[UI21] shows nothing of Cambium's own, and nothing to an agent", async () => {
  const token = await shown({ kind: "file", path: join(running.home, "daemon.token") });
  expect(token.status).toBe("private");
  expect(token.lines).toBeUndefined();
  const id = await remember({ kind: "file", path: written("a.txt", "a") });
  for (const headers of [
    { "cambium-agent": "cursor" },
    { "cambium-role": "agent" },
    { "cambium-role": "operator" },
  ]) {
    const refused = await running.call(`${SPACE}/memories/${id}/source-file`, { headers });
    expect([headers, refused.json.error?.code]).toEqual([headers, "ROLE_REFUSED"]);
  }
});

test("[UI21] shows nothing of another home of Cambium, and nothing that holds keys by its name", async () => {
  const space = join(folder, "other-home", "spaces", "one");
  mkdirSync(space, { recursive: true });
  for (const name of [".ssh", "tls", "game", "shadow.key"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "game", "space.json"), "{}"); // of another program
  writeFileSync(join(folder, "other-home", "replica.json"), "{}");
  for (const name of ["other-home/daemon.token", "other-home/spaces/one/space.json", "other-home/x.txt"])
    expect([name, (await shown({ kind: "file", path: written(name, "key") })).status]).toEqual([
      name,
      "private",
    ]);
  for (const name of [
    ".ssh/config",
    ".env",
    ".env.local",
    "id_ed25519",
    "id_ecdsa_sk",
    ".git-credentials",
    "tls/site.PEM",
    "shadow",
  ])
    expect([name, (await shown({ kind: "file", path: written(name, "key") })).status]).toEqual([
      name,
      "secret",
    ]);
  for (const name of [".eslintrc", "game/space.json.md", "game/level.txt", "shadow.key/notes.txt"])
    expect([name, (await shown({ kind: "file", path: written(name, "{}") })).status]).toEqual([
      name,
      "shown",
    ]);
});

test("[UI21] shows no private key, whatever the file is called, nor what another user keeps", async () => {
  for (const kind of ["", "OPENSSH ", "RSA ", "PGP "]) {
    const end = kind === "PGP " ? " BLOCK" : "";
    const path = written("id_github", `# mine\r\n-----BEGIN ${kind}PRIVATE KEY${end}-----\r\nabc\n`);
    expect([kind, await shown({ kind: "file", path })]).toEqual([kind, { status: "secret", path }]);
  }
  const notes = written("keys.md", "A file of keys begins with `-----BEGIN PRIVATE KEY-----`.");
  expect((await shown({ kind: "file", path: notes })).status).toBe("shown");
});

test.runIf(process.getuid?.() === 0)(
  "[UI21] root is shown nothing that only another user may read",
  async () => {
    const path = written("diary.txt", "of another user");
    chownSync(path, 12_345, 12_345);
    chmodSync(path, 0o644);
    expect((await shown({ kind: "file", path })).status).toBe("shown");
    chmodSync(path, 0o640);
    expect(await shown({ kind: "file", path })).toEqual({ status: "secret", path });
  },
);

test("[UI21] a heading is found in no time, however it is written", async () => {
  const path = written("spaces.md", `# a${" ".repeat(1_000_000)}x\n## Rent ##  \n`);
  const started = performance.now();
  expect((await shown({ kind: "file", path, heading: "Rent" })).line).toBe(2);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("[UI21] a change of other fields keeps when and where a source was written", async () => {
  const path = written("kept.txt", "kept");
  const id = await remember({ kind: "file", path });
  const { at } = (await running.call(`${SPACE}/memories/${id}`)).json;
  utimesSync(path, (at + 2) / 1_000, (at + 2) / 1_000);
  while (Date.now() <= at + 3) await new Promise(setImmediate);
  const body = { category: "later" };
  const later = (await running.call(`${SPACE}/memories/${id}`, { method: "PATCH", body })).json;
  expect([later.category, later.at > at + 2]).toEqual(["later", true]);
  const { json } = await running.call(`${SPACE}/memories/${id}/source-file`);
  expect([json.status, json.changedAt >= at + 1]).toEqual(["shown", true]);
});
