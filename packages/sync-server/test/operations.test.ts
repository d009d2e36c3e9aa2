import {
  appendFileSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as A from "@automerge/automerge";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { openSqliteLog, startRelay } from "../src/index.js";
import { readAudit } from "../src/operate/audited-acts.js";
import { runCommand } from "./support/command.js";
import { DocumentClient, testDocumentId } from "./support/document-client.js";
import { LogClient } from "./support/log-client.js";
import { RawClient } from "./support/raw-client.js";
import { ADMIN_TOKEN, RelayFixture } from "./support/relay-fixture.js";
import { StockDocument } from "./support/stock-document.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-relay-operations-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const DOCUMENT = testDocumentId(1);
let files = 0;
const newFile = (): string => {
  files += 1;
  return join(dir, `file-${files}`);
};

/** Asks a relay as its admin, through the command. */
async function asked(fixture: RelayFixture, ...argv: readonly string[]) {
  const { code, out, errors } = await runCommand([...argv, "--url", fixture.url, "--json"], {
    ...{ userHome: dir, env: { CAMBIUM_RELAY_TOKEN: ADMIN_TOKEN } },
  });
  return code === 0
    ? { code, ...(JSON.parse(out) as Record<string, unknown>) }
    : { code, ...JSON.parse(errors) };
}

async function withDocument(size = 10) {
  const fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  const client = await LogClient.subscribe(fixture.url, token);
  const writer = new DocumentClient(client, DOCUMENT);
  writer.write("a", "x".repeat(size));
  await writer.receipt();
  return {
    ...{ fixture, token, client, writer },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

/** Bytes that do not compress. */
function seededNoise(length: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 0xff;
  });
}

const codeOf = async (response: Response): Promise<unknown> => {
  const { error } = (await response.json()) as { error: { code: string } };
  return [response.status, error.code];
};

test("[RO11] spaces, usage, members and tokens are listed, and a token is made and revoked", async () => {
  await using setup = await withDocument();
  const { fixture } = setup;
  const spaces = [
    {
      space: "space-a",
      createdAt: fixture.timeMs,
      documents: 1,
      bytes: expect.any(Number),
      tokens: 1,
      sessions: 1,
    },
  ];
  expect(await asked(fixture, "spaces")).toEqual({ code: 0, spaces });
  expect(await asked(fixture, "usage", "space-a")).toMatchObject({
    ...{ documents: 1, tokens: 1, sessions: 1, limits: { documents: 200_000 } },
  });
  const made = (await asked(fixture, "tokens", "space-a", "--make", "read", "--label", "Ann")) as {
    tokenId: string;
  };
  await using _reader = await LogClient.subscribe(fixture.url, (made as unknown as { token: string }).token);
  const { members } = (await asked(fixture, "members", "space-a")) as { members: unknown[] };
  expect(members).toContainEqual({
    ...{ tokenId: made.tokenId, role: "read", label: "Ann", sessions: 1 },
    ...{ createdAt: fixture.timeMs, lastUsedAt: fixture.timeMs },
  });
  expect(await asked(fixture, "tokens", "space-a", "--revoke", made.tokenId)).toMatchObject({
    revoked: true,
  });
  expect(await asked(fixture, "tokens", "space-a")).toMatchObject({ tokens: [{ role: "admin" }] });
  expect(await asked(fixture, "members", "space-b")).toMatchObject({
    code: 3,
    error: { code: "SPACE_NOT_FOUND", hint: "`cambium-relay spaces` lists those that it has." },
  });
  expect(await asked(fixture, "tokens", "space-a", "--revoke", "t9")).toMatchObject({
    error: { hint: "`cambium-relay tokens <space>` lists them." },
  });
  // For people, in columns; and who is not the admin learns nothing.
  const text = await runCommand(["spaces", "--url", fixture.url, "--token", ADMIN_TOKEN], { userHome: dir });
  expect(text.out).toMatch(/^space {4}documents {2}size .*\nspace-a {2}1 /);
  expect(await codeOf(await fixture.call("GET", "/spaces", setup.token))).toEqual([403, "ROLE_REFUSED"]);
});

test("[RO11] when a token was last used is stored", async () => {
  await using setup = await withDocument();
  const { fixture } = setup;
  fixture.timers.tick();
  await setup.client[Symbol.asyncDispose]();
  const usedAt = fixture.timeMs;
  fixture.timeMs += 1_000_000;
  await fixture.restart();
  expect(await asked(fixture, "members", "space-a")).toMatchObject({
    members: [{ lastUsedAt: usedAt, sessions: 0 }],
  });
});

test("[RO11] a space is exported as documents that Automerge loads, and deleted with its sessions and tokens", async () => {
  await using setup = await withDocument();
  const { fixture, writer } = setup;
  await fixture.makeSpace("space-b");
  const file = newFile();
  expect(await asked(fixture, "export", "space-a", "--to", file)).toMatchObject({ code: 0, file });
  const [head, ...documents] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(head).toMatchObject({ format: "cambium-relay-space", version: 1, space: "space-a" });
  expect(documents).toMatchObject([{ documentId: DOCUMENT, heads: writer.heads }]);
  expect(A.load(Buffer.from(documents[0].bytes, "base64"))).toEqual(writer.doc);

  const again = await asked(fixture, "export", "space-a", "--to", file);
  expect(again).toMatchObject({ code: 2, error: { hint: expect.stringContaining("--overwrite") } });
  expect(await asked(fixture, "export", "space-a", "--to", file, "--overwrite")).toMatchObject({ code: 0 });

  expect(await asked(fixture, "delete", "space-a")).toMatchObject({ code: 2, error: { code: "BAD_INPUT" } });
  expect(await asked(fixture, "delete", "space-a", "--yes")).toMatchObject({ code: 0, deleted: true });
  expect(await setup.client.closed).toBe(4401);
  expect(await codeOf(await fixture.call("GET", "/space", setup.token))).toEqual([401, "TOKEN_REFUSED"]);
  expect(await asked(fixture, "delete", "space-a", "--yes")).toMatchObject({
    error: { code: "SPACE_NOT_FOUND" },
  });
  const { spaces } = (await asked(fixture, "spaces")) as { spaces: { space: string }[] };
  expect(spaces.map(({ space }) => space)).toEqual(["space-b"]);
  // Its name and its documents' ids are free again, and nothing of before is in them.
  await using other = await LogClient.subscribe(fixture.url, await fixture.makeSpace("space-a"));
  const reader = new DocumentClient(other, DOCUMENT);
  await other.settled();
  expect(reader.doc).toEqual({});
});

test("[RO4] a rotated admin token counts at once, and the one before no more", async () => {
  await using fixture = await RelayFixture.start();
  const { token } = (await asked(fixture, "rotate")) as unknown as { token: string };
  expect((await fixture.call("GET", "/spaces", token)).status).toBe(200);
  expect(await codeOf(await fixture.call("GET", "/spaces", ADMIN_TOKEN))).toEqual([401, "TOKEN_REFUSED"]);
});

test("[RO12] the last admin of a space cannot revoke its own token; another can, and the relay's admin", async () => {
  await using fixture = await RelayFixture.start();
  const admin = await fixture.makeSpace("space-a");
  const tokens = z.object({ tokens: z.array(z.object({ tokenId: z.string() })) });
  const listed = await (await fixture.call("GET", "/spaces/space-a/tokens", admin)).json();
  const path = `/spaces/space-a/tokens/${tokens.parse(listed).tokens[0]?.tokenId}`;
  // One that has expired admits nobody.
  await fixture.makeToken("space-a", "admin", fixture.timeMs + 10);
  fixture.timeMs += 10;
  expect(await codeOf(await fixture.call("DELETE", path, admin))).toEqual([403, "ROLE_REFUSED"]);
  const other = await fixture.makeToken("space-a", "admin");
  expect((await fixture.call("DELETE", path, admin)).status).toBe(204);
  const otherPath = `/spaces/space-a/tokens/${other.tokenId}`;
  expect((await fixture.call("DELETE", otherPath, ADMIN_TOKEN)).status).toBe(204);
});

test("[RO9] a backup made while the relay runs has everything, and a relay starts from it", async () => {
  await using setup = await withDocument();
  const { fixture, writer, token } = setup;
  const file = newFile();
  const leftOver = "backup-00000000-0000-4000-8000-000000000000.sqlite";
  writeFileSync(join(fixture.dataDir, leftOver), "of a crash");
  const both = await Promise.all([asked(fixture, "backup", file), asked(fixture, "backup", newFile())]);
  for (const made of both) expect(made).toMatchObject({ code: 0, ok: true, problems: [] });
  expect(readdirSync(fixture.dataDir).filter((name) => name.startsWith("backup"))).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await asked(fixture, "check")).toMatchObject({ ok: true });
  const data = newFile();
  const restored = () => runCommand(["restore", file, "--data", data, "--json"], { userHome: dir });
  const { tokenFile, ...counts } = JSON.parse((await restored()).out) as { tokenFile: string };
  expect(counts).toMatchObject({ madeAt: fixture.timeMs, spaces: 1, tokens: 1, invitations: 0, revoked: 0 });
  expect(readAudit(join(data, "audit.jsonl"))).toMatchObject([{ act: "restored", tokens: 1 }]);
  expect(await restored()).toMatchObject({ code: 2, errors: expect.stringContaining("has a log already") });
  await using relay = await startRelay({ dataDir: data, adminToken: readFileSync(tokenFile, "utf8") });
  await using client = await LogClient.subscribe(relay.url, token);
  const reader = new DocumentClient(client, DOCUMENT);
  await reader.has("a", writer.doc.a ?? "");
});

test("[RO9] a backup is written beside what is there, and takes its place only if that is asked for", async () => {
  await using setup = await withDocument();
  const file = newFile();
  writeFileSync(file, "of yesterday");
  writeFileSync(`${file}.part`, "of one that was killed");
  const refused = await asked(setup.fixture, "backup", file);
  expect(refused).toMatchObject({ code: 2, error: { hint: expect.stringContaining("--overwrite") } });
  expect(readFileSync(file, "utf8")).toBe("of yesterday");
  expect(await asked(setup.fixture, "backup", file, "--overwrite")).toMatchObject({ code: 0, file });
  expect(await runCommand(["check", file], { userHome: dir })).toMatchObject({ code: 0 });
  const names = readdirSync(dir).filter((name) => join(dir, name).startsWith(file));
  expect(names.map((name) => join(dir, name))).toEqual([file]);
});

/** A relay whose backup is older than what was revoked in it since. */
async function setBack() {
  const setup = await withDocument();
  const { fixture } = setup;
  const [lost, demoted] = [
    await fixture.makeToken("space-a", "write"),
    await fixture.makeToken("space-a", "admin"),
  ];
  const deleted = await fixture.makeSpace("space-b");
  const invitations = "/spaces/space-a/invitations";
  const made = await (await fixture.call("POST", invitations, ADMIN_TOKEN, { role: "write" })).json();
  const { invitationId } = made as { invitationId: string };
  const file = newFile();
  await asked(fixture, "backup", file);
  fixture.timeMs += 1_000;
  const tokens = "/spaces/space-a/tokens";
  for (const [method, path, body] of [
    ["DELETE", `${tokens}/${lost.tokenId}`],
    ["PATCH", `${tokens}/${demoted.tokenId}`, { role: "read" }],
    ["DELETE", `${invitations}/${invitationId}`],
    ["DELETE", "/spaces/space-b"],
  ] as const)
    expect((await fixture.call(method, path, ADMIN_TOKEN, body)).ok).toBe(true);
  const restored = async (data: string, ...more: readonly string[]) =>
    await runCommand(["restore", file, "--data", data, ...more], { userHome: dir });
  const audit = join(fixture.dataDir, "audit.jsonl");
  return { setup, file, restored, audit, tokens: { lost, demoted, deleted } };
}

test("[RO21] restore says what may stand again, and revokes again what an audit file names", async () => {
  const { setup, restored, audit, tokens } = await setBack();
  await using _setup = setup;
  const [plain, mended] = [newFile(), newFile()];
  const told = await restored(plain);
  expect(told.out).toMatch(/was made on \d{4}-.* UTC\. The log has 2 spaces, 4 tokens and 1 invitation;/);
  expect(told.out).toContain("revoked tokens and invitations open their spaces");
  expect(told.out).toMatch(/--audit <audit\.jsonl>.*--revoke-tokens/);
  const opens = async (data: string) => {
    await using relay = await startRelay({ dataDir: data, adminToken: ADMIN_TOKEN });
    const asks = [setup.token, tokens.lost.token, tokens.demoted.token, tokens.deleted].map((token) =>
      fetch(`${relay.url}/space`, { headers: { authorization: `Bearer ${token}` } }),
    );
    const answers = (await Promise.all((await Promise.all(asks)).map((one) => one.json()))) as {
      role?: string;
    }[];
    return answers.map(({ role }) => role);
  };
  expect(await opens(plain)).toEqual(["admin", "write", "admin", "admin"]);
  expect((await restored(mended, "--audit", audit)).out).toContain(
    "revoked again: 2 tokens and invitations; changed: 1 role; deleted: 1 space.",
  );
  expect(await opens(mended)).toEqual(["admin", undefined, "read", undefined]);
  // A directory whose log was moved away has its own.
  for (const name of readdirSync(mended)) if (name.startsWith("relay.sqlite")) rmSync(join(mended, name));
  writeFileSync(join(mended, "audit.jsonl"), readFileSync(audit));
  expect((await restored(mended)).out).toContain("revoked again: 2 tokens and invitations");
  const bad = newFile();
  writeFileSync(bad, "none\n");
  expect(await restored(newFile(), "--audit", bad)).toMatchObject({
    code: 2,
    errors: expect.stringContaining("Line 1"),
  });
});

test("[RO21] restore can let nobody in, and is in the audit file; a relay that runs is not restored under", async () => {
  const { setup, restored, file } = await setBack();
  await using _setup = setup;
  const data = newFile();
  expect((await restored(data, "--revoke-tokens")).out).toContain(
    "Nobody is let in: 5 tokens and invitations",
  );
  const line = readAudit(join(data, "audit.jsonl"));
  expect(line).toMatchObject([{ act: "restored", file, tokens: 0, revoked: 5, by: "command" }]);
  await using relay = await startRelay({ dataDir: data, adminToken: ADMIN_TOKEN });
  const asked = await fetch(`${relay.url}/space`, { headers: { authorization: `Bearer ${setup.token}` } });
  expect(asked.status).toBe(401);
  const running = newFile();
  mkdirSync(running);
  writeFileSync(join(running, "running.json"), JSON.stringify({ url: relay.url, pid: process.pid }));
  expect(await restored(running)).toMatchObject({ code: 2, errors: expect.stringContaining("A relay runs") });
});

test.skipIf(process.getuid?.() !== 0)(
  "[RO20] what root restores and rotates belongs to whom the data belong",
  async () => {
    await using setup = await withDocument();
    const [file, data] = [newFile(), newFile()];
    await asked(setup.fixture, "backup", file);
    const [uid, gid] = [64_001, 64_002];
    mkdirSync(data);
    chownSync(data, uid, gid);
    for (const argv of [["restore", file], ["rotate"]]) {
      expect(await runCommand([...argv, "--data", data], { userHome: dir })).toMatchObject({ code: 0 });
      const owners = readdirSync(data).map((name) => statSync(join(data, name)));
      expect(owners).toMatchObject(owners.map(() => ({ uid, gid })));
      expect(owners.length).toBeGreaterThan(2);
    }
  },
);

test("[RO9] a damaged backup is named, and not restored", async () => {
  await using setup = await withDocument(60_000);
  const file = newFile();
  await asked(setup.fixture, "backup", file);
  const bytes = readFileSync(file);
  bytes.fill(0x5a, bytes.length - 6_000, bytes.length - 2_000);
  writeFileSync(file, bytes);
  const checked = await runCommand(["check", file, "--json"], { userHome: dir });
  expect(checked.code).toBe(6);
  const data = newFile();
  const restored = await runCommand(["restore", file, "--data", data], { userHome: dir });
  expect([restored.code, restored.errors]).toEqual([6, expect.stringContaining("is damaged")]);
  const empty = newFile();
  writeFileSync(empty, "no log");
  expect(await runCommand(["restore", empty, "--data", data], { userHome: dir })).toMatchObject({
    ...{ code: 6, errors: expect.stringContaining(`${empty} cannot be read`) },
  });
  expect(await runCommand(["restore", newFile(), "--data", data], { userHome: dir })).toMatchObject({
    ...{ code: 2, errors: expect.stringContaining("is not there") },
  });
  await (await startRelay({ dataDir: data })).close(); // nothing of it is there
});

test("[RO10] a compaction gives back what a deleted space took, while the relay runs and at rest", async () => {
  await using setup = await withDocument();
  const { fixture, writer } = setup;
  for (let count = 1; count <= 30; count += 1) {
    writer.doc = A.change(writer.doc, (notes) => {
      Object.assign(notes, { noise: seededNoise(50_000, count) });
    });
    writer.send();
    await writer.receipt();
  }
  await asked(fixture, "delete", "space-a", "--yes");
  const { before, after } = (await asked(fixture, "compact")) as unknown as { before: number; after: number };
  expect(before - after).toBeGreaterThan(500_000);
  await fixture.relay.close();
  const atRest = await runCommand(["compact", "--data", fixture.dataDir, "--json"], { userHome: dir });
  expect(JSON.parse(atRest.out)).toMatchObject({ after: expect.any(Number) });
  await fixture.restart();
  expect(await asked(fixture, "spaces")).toMatchObject({ spaces: [] });
});

test("[RO7] a log that was removed or replaced stores nothing more, and says so", async () => {
  await using setup = await withDocument();
  const { fixture, writer, client } = setup;
  const ready = async (): Promise<number> => (await fetch(`${fixture.url}/readyz`)).status;
  expect(await ready()).toBe(200);
  const file = join(fixture.dataDir, "relay.sqlite");
  const away = newFile();
  renameSync(file, away);
  const receipts = client.frames.filter(({ type }) => type === "receipt").length;
  writer.write("a", "lost");
  expect(await client.closed).toBe(1011);
  expect(client.frames.filter(({ type }) => type === "receipt")).toHaveLength(receipts);
  expect(fixture.events.find(({ type }) => type === "commit-failed")).toMatchObject({
    error: { code: "STORE_FAILED", message: expect.stringContaining("was removed") },
  });
  expect(await ready()).toBe(503);
  // What the relay still holds can be saved.
  expect(await asked(fixture, "backup", newFile())).toMatchObject({ ok: true });
  writeFileSync(file, "");
  expect(await ready()).toBe(503);
  renameSync(away, file);
  expect(await ready()).toBe(200);
});

test("[RO7] readiness is found by writing, and not told from the last write", async () => {
  await using fixture = await RelayFixture.start();
  rmSync(join(fixture.dataDir, "relay.sqlite"));
  expect((await fetch(`${fixture.url}/readyz`)).status).toBe(503);
});

test("[RO13] an address that guesses tokens is answered 429, over HTTP and at the socket", async () => {
  await using fixture = await RelayFixture.start({ limits: { wrongTokens: 2 } });
  for (const guess of ["one", "two"])
    expect(await codeOf(await fixture.call("GET", "/space", guess))).toEqual([401, "TOKEN_REFUSED"]);
  expect(await codeOf(await fixture.call("GET", "/space", ADMIN_TOKEN))).toEqual([429, "RATE_LIMITED"]);
  await expect(LogClient.open(fixture.url, "three")).rejects.toThrow("429");
  expect(fixture.events).toContainEqual({ level: "warn", type: "address-shut", address: "127.0.0.1" });
  expect((await fetch(`${fixture.url}/readyz`)).status).toBe(200);
});

test("[RO14] connections over the limit are refused with 429, and who has not joined may send little", async () => {
  await using fixture = await RelayFixture.start({
    limits: { connectionsPerToken: 2, bytesBeforeJoin: 1_000 },
  });
  const token = await fixture.makeSpace("space-a");
  await using member = await LogClient.subscribe(fixture.url, token);
  const stranger = await RawClient.open(fixture.url, token);
  await expect(LogClient.open(fixture.url, token)).rejects.toThrow("429");
  stranger.sendBytes(new Uint8Array(300_000));
  expect(await stranger.closed).toBe(1006);
  await member.settled();
  await using _next = await LogClient.subscribe(fixture.url, token);
});

test("[RO14] an address has so many sockets that are no sessions, whatever is said on them", async () => {
  await using fixture = await RelayFixture.start({ limits: { connectionsPerAddress: 10 } });
  const token = await fixture.makeSpace("space-a");
  await using member = await LogClient.subscribe(fixture.url, token);
  const sockets = Array.from({ length: 30 }, () =>
    connect(fixture.relay.port, "127.0.0.1").on("error", () => {}),
  );
  const open = (): number => sockets.filter(({ destroyed }) => !destroyed).length;
  for (const socket of sockets) socket.resume();
  await expect.poll(open).toBeLessThanOrEqual(10);
  expect(open()).toBeGreaterThan(5);
  await expect(LogClient.open(fixture.url, token)).rejects.toThrow();
  await member.settled();
  for (const socket of sockets) socket.destroy();
  await expect
    .poll(() =>
      LogClient.open(fixture.url, token).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const more = await Promise.all(Array.from({ length: 7 }, () => LogClient.subscribe(fixture.url, token)));
  for (const session of more) await session[Symbol.asyncDispose]();
});

test("[RO15] what a space may not store is refused in words; what it has can be read and it can be told so again", async () => {
  await using fixture = await RelayFixture.start({
    limits: { documentsPerSpace: 1, bytesPerSpace: 3_000, tokensPerSpace: 2 },
  });
  const token = await fixture.makeSpace("space-a");
  await using client = await RawClient.join(fixture.url, token);
  const writer = new StockDocument(client, DOCUMENT);
  writer.write("a", "small");
  await writer.stored();
  const second = new StockDocument(client, testDocumentId(2));
  second.write("b", "another document");
  await client.next("error", ({ message }) => String(message).includes("1 documents"));
  writer.doc = A.change(writer.doc, (notes) => {
    Object.assign(notes, { noise: seededNoise(4_000, 1) });
  });
  writer.send();
  await client.next("error", ({ message }) => String(message).includes("3000 bytes"));
  await using reading = await RawClient.join(fixture.url, (await fixture.makeToken("space-a", "read")).token);
  const reader = new StockDocument(reading, DOCUMENT);
  reader.send("request");
  await reader.has("a", "small");
  const more = await fixture.call("POST", "/spaces/space-a/tokens", ADMIN_TOKEN, { role: "read" });
  expect(await codeOf(more)).toEqual([507, "QUOTA_EXCEEDED"]);
});

test("[RO17] what admins did is in a file that only its owner can read, and no token is in it", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  const made = await fixture.makeToken("space-a", "read");
  await fixture.call("DELETE", `/spaces/space-a/tokens/${made.tokenId}`, token);
  await asked(fixture, "backup", newFile());
  const file = join(fixture.dataDir, "audit.jsonl");
  const text = readFileSync(file, "utf8");
  const acts = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const from = { time: new Date(fixture.timeMs).toISOString(), address: "127.0.0.1" };
  const own = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect(acts).toEqual([
    { ...from, act: "space-made", by: "relay-admin", space: "space-a", tokenId: own, role: "admin" },
    { ...from, act: "token-made", by: "relay-admin", space: "space-a", tokenId: made.tokenId, role: "read" },
    { ...from, act: "token-revoked", by: own, space: "space-a", tokenId: made.tokenId },
    { ...from, act: "backed-up", by: "relay-admin" },
  ]);
  expect(text).not.toMatch(/cambium_|relay-admin-token/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("[RO17] half a line of the audit file, of a relay that was killed, spoils no other", async () => {
  await using fixture = await RelayFixture.start();
  const path = join(fixture.dataDir, "audit.jsonl");
  await fixture.makeSpace("space-a");
  appendFileSync(path, '{"time":"2026-11-28T10:0');
  await fixture.makeSpace("space-b");
  await fixture.makeSpace("space-c");
  const lines = readFileSync(path, "utf8").split("\n");
  const acts = lines.flatMap((line) => (line.endsWith("}") ? [JSON.parse(line)] : []));
  expect(acts.map(({ space }) => space)).toEqual(["space-a", "space-b", "space-c"]);
  expect([lines.length, lines[1], lines.at(-1)]).toEqual([5, '{"time":"2026-11-28T10:0', ""]);
});

test("[RO10] a log of the first version is opened as it is, and made ready for compaction at rest", async () => {
  await using setup = await withDocument();
  const { fixture } = setup;
  await fixture.relay.close();
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(join(fixture.dataDir, "relay.sqlite"));
  database.exec("PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM; DROP TABLE token_uses");
  database.close();
  await fixture.restart();
  expect(await asked(fixture, "compact")).toMatchObject({
    code: 2,
    error: { hint: expect.stringContaining("Stop the relay") },
  });
  await fixture.relay.close();
  expect(await runCommand(["compact", "--data", fixture.dataDir], { userHome: dir })).toMatchObject({
    code: 0,
  });
  await fixture.restart();
  expect(await asked(fixture, "compact")).toMatchObject({ code: 0 });
  await openSqliteLog(newFile()).close();
});
