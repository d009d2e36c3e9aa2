import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { openSqliteLog } from "../src/index.js";
import { DocumentClient, testDocumentId } from "./support/document-client.js";
import { failingLog } from "./support/failing-log.js";
import { LogClient } from "./support/log-client.js";
import { RawClient } from "./support/raw-client.js";
import { ADMIN_TOKEN, RelayFixture } from "./support/relay-fixture.js";
import { StockDocument } from "./support/stock-document.js";

const DOCUMENT = testDocumentId(1);

test("[RL30] a stock client is told nothing, and nobody anything of what it sent, before that is stored", async () => {
  await using fixture = await RelayFixture.start();
  const { promise: mayStore, resolve: store } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const sqlite = openSqliteLog(`${fixture.dataDir}/slow`);
  const append: typeof sqlite.spaces.append = async (batches) => {
    ask();
    await mayStore;
    return sqlite.spaces.append(batches);
  };
  await fixture.restart({ log: { ...sqlite, spaces: { ...sqlite.spaces, append } } });
  const token = await fixture.makeSpace("space-a");
  await using writing = await RawClient.join(fixture.url, token);
  await using watching = await RawClient.join(fixture.url, token);
  const watcher = new StockDocument(watching, DOCUMENT);
  watcher.send("request");
  await watching.settled();
  const known = [writing.frames.length, watching.frames.length];
  const writer = new StockDocument(writing, DOCUMENT);
  writer.write("a", "1");
  await asked;
  // A round trip through HTTP, so that anything sent too early would have come.
  await fetch(`${fixture.url}/healthz`);
  const early = [...writing.frames.slice(known[0]), ...watching.frames.slice(known[1])];
  const told = early.map(({ type, data }) => [type, data && A.decodeSyncMessage(data).heads]);
  for (const frame of told) expect(frame).toEqual(["sync", []]);
  expect(watcher.doc).toEqual({});
  store();
  await writer.stored();
  await watcher.has("a", "1");
});

test("[RL31] when storing fails, nothing is passed on, the sender must come again, and readiness says so", async () => {
  await using fixture = await RelayFixture.start();
  const log = failingLog(openSqliteLog(`${fixture.dataDir}/full`));
  await fixture.restart({ log });
  const token = await fixture.makeSpace("space-a");
  const writing = await RawClient.join(fixture.url, token);
  const writer = new StockDocument(writing, DOCUMENT);
  writer.write("a", "1");
  await writer.stored();
  await using watching = await RawClient.join(fixture.url, token);
  const watcher = new StockDocument(watching, DOCUMENT);
  watcher.send("request");
  await watcher.has("a", "1");

  log.isFull = true;
  writer.write("a", "2");
  expect(await writing.closed).toBe(1011);
  expect(String((await writing.next("error")).message)).toContain("connect again");
  expect((await fetch(`${fixture.url}/readyz`)).status).toBe(503);
  await watching.settled();
  expect(watcher.doc).toEqual({ a: "1" });

  log.isFull = false;
  expect((await fetch(`${fixture.url}/readyz`)).status).toBe(200);
  await using again = await RawClient.join(fixture.url, token);
  const returned = new StockDocument(again, DOCUMENT, writer.doc);
  returned.send();
  await returned.stored();
  await watcher.has("a", "2");
});

test("[RP4] [RL83] what was receipted survives kill -9 of the relay, whose main thread never loads Automerge", async () => {
  await using fixture = await RelayFixture.start();
  const dataDir = `${fixture.dataDir}/killed`;
  const script = (name: string): string => fileURLToPath(new URL(`./support/${name}`, import.meta.url));
  const args = ["--import", script("typescript-hooks.mjs"), script("relay-process.ts"), dataDir, ADMIN_TOKEN];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
  const made = await fetch(`${url}/spaces`, { method: "POST", headers, body: '{"space":"space-a"}' });
  const { token } = (await made.json()) as { token: string };
  const client = await LogClient.subscribe(url, token);
  const writer = new DocumentClient(client, DOCUMENT);
  for (let count = 1; count <= 20; count += 1) {
    writer.write(`note ${count}`, "kept");
    await writer.receipt();
  }
  await using raw = await RawClient.join(url, token);
  const stock = new StockDocument(raw, testDocumentId(2));
  stock.write("served", "in a thread");
  await stock.stored();
  child.kill("SIGKILL");
  const said: Buffer[] = await child.stderr.toArray();
  expect(Buffer.concat(said).toString()).toBe("");

  await fixture.restart({ dataDir });
  await using reading = await LogClient.subscribe(fixture.url, token);
  const reader = new DocumentClient(reading, DOCUMENT);
  await reader.has("note 20", "kept");
  expect(reader.heads).toEqual(writer.heads);
});

test("[RL35] a document that cannot be read back is refused by name, and the others are served", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  const client = await RawClient.join(fixture.url, token);
  const [damaged, sound] = [
    new StockDocument(client, DOCUMENT),
    new StockDocument(client, testDocumentId(2)),
  ];
  for (const document of [damaged, sound]) document.write("a", "1");
  await damaged.stored();
  await sound.stored();
  await fixture.relay.close();
  const file = new DatabaseSync(`${fixture.dataDir}/relay.sqlite`);
  file.prepare("UPDATE log_bytes SET bytes = substr(bytes, 1, 20) WHERE bytes_no = 1").run();
  file.close();
  await fixture.restart();
  await using again = await RawClient.join(fixture.url, token);
  new StockDocument(again, DOCUMENT).send("request");
  expect(String((await again.next("error")).message)).toContain(DOCUMENT);
  const reader = new StockDocument(again, testDocumentId(2));
  reader.send("request");
  await reader.has("a", "1");
});
