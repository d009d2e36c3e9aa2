import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { encode } from "cborg";
import { expect, test } from "vitest";
import { automerge } from "../src/stock/wasm.js";
import { DocumentClient, testDocumentId } from "./support/document-client.js";
import { LogClient } from "./support/log-client.js";
import { RawClient } from "./support/raw-client.js";
import { ADMIN_TOKEN, RelayFixture } from "./support/relay-fixture.js";

const ATTACK_MS = 6_000;

async function relayProcess(dataDir: string) {
  const script = (name: string): string => fileURLToPath(new URL(`./support/${name}`, import.meta.url));
  const args = ["--import", script("typescript-hooks.mjs"), script("relay-process.ts"), dataDir, ADMIN_TOKEN];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  const spaceToken = async (space: string): Promise<string> => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
    const body = JSON.stringify({ space });
    const made = await fetch(`${url}/spaces`, { method: "POST", headers, body });
    return ((await made.json()) as { token: string }).token;
  };
  return { child, url, spaceToken };
}

const sync = (number: number, message: Partial<A.DecodedSyncMessage>) => ({
  ...{ type: "sync", documentId: testDocumentId(number) },
  data: automerge().encodeSyncMessage({
    ...{ heads: ["ab".repeat(32)], need: [], have: [], changes: [], type: "v2" },
    ...message,
  }),
});

function bomb(): Uint8Array {
  const deflated = deflateRawSync(Buffer.alloc(63 * 2 ** 20));
  const length = [(deflated.length & 127) | 128, ((deflated.length >> 7) & 127) | 128, deflated.length >> 14];
  return Uint8Array.from([0x85, 0x6f, 0x4a, 0x83, 0, 0, 0, 0, 2, ...length, ...deflated]);
}

function longDocument(): { heads: string[]; whole: Uint8Array } {
  let doc = A.init<Record<string, string>>();
  for (let number = 0; number < 10_000; number += 1)
    doc = A.change(doc, (notes) => {
      notes[`key ${number % 1_000}`] = `value ${number}`;
    });
  return { heads: A.getHeads(doc), whole: A.save(doc) };
}

/** Each sends something bad on one connection, and returns when that is over. */
const attacks: Record<string, (send: RawClient, round: number) => void> = {
  "a filter at which Automerge panics": (client) =>
    client.send(sync(1, { have: [{ lastSync: [], bloom: Uint8Array.of(10, 0, 0) }] })),
  "a filter of billions of probes": (client) =>
    client.send(sync(1, { have: [{ lastSync: [], bloom: Uint8Array.of(1, 8, 255, 255, 255, 255, 15, 1) }] })),
  bombs: (client, round) => client.send(sync(round + 1, { changes: Array.from({ length: 4 }, () => BOMB) })),
  "long documents, one after the other": (client, round) =>
    client.send(sync(round + 1, { heads: LONG.heads, changes: [LONG.whole] })),
  "changes that are none": (client, round) =>
    client.send(sync(round + 1, { changes: Array.from({ length: 20_000 }, () => Uint8Array.of(1, 2, 3)) })),
  "unknown documents": (client, round) => {
    for (let number = 0; number < 500; number += 1)
      client.send({ ...sync(round * 500 + number, { heads: [] }), type: "request" });
  },
  "many values": (client) => client.sendBytes(MANY),
  "connections alone": () => {},
};
const MANY = encode({ type: "ephemeral", more: Array.from({ length: 1e6 }, () => 1) });
const BOMB = bomb();
const LONG = longDocument();

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

test("[RL82] whatever stock clients send, a replica in another space gets its receipts", async () => {
  await using fixture = await RelayFixture.start();
  const { child, url, spaceToken } = await relayProcess(`${fixture.dataDir}/attacked`);
  const [quietToken, hostileToken] = [await spaceToken("quiet"), await spaceToken("hostile")];
  await using log = await LogClient.subscribe(url, quietToken);
  const olga = new DocumentClient(log, testDocumentId(9));
  let written = 0;
  const receipts = async (until: () => boolean): Promise<readonly number[]> => {
    const times: number[] = [];
    while (!until()) {
      const start = performance.now();
      written += 1;
      olga.write("count", `${written}`);
      await olga.receipt();
      times.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return times;
  };
  const during = (ms: number): (() => boolean) => {
    const end = performance.now() + ms;
    return () => performance.now() > end;
  };
  const quiet = await receipts(during(ATTACK_MS));
  const report = [["quiet", quantile(quiet, 0.5), quantile(quiet, 0.95)]];
  for (const [name, attack] of Object.entries(attacks)) {
    const isOver = during(ATTACK_MS);
    const lines = Array.from({ length: 4 }, async () => {
      for (let round = 0; !isOver(); round += 1) {
        const client = await RawClient.open(url, hostileToken);
        client.send({ type: "join", senderId: "x", peerMetadata: {}, supportedProtocolVersions: ["1"] });
        attack(client, round);
        await Promise.race([client.closed, new Promise((resolve) => setTimeout(resolve, 500))]);
        await client[Symbol.asyncDispose]();
      }
    });
    const times = await receipts(isOver);
    await Promise.all(lines);
    report.push([name, quantile(times, 0.5), quantile(times, 0.95)]);
    expect(child.exitCode).toBeNull();
  }
  process.stderr.write(`${JSON.stringify(report)}\n`);
  const bound = 3 * quantile(quiet, 0.5) + 25;
  for (const [name, half] of report) expect([name, Number(half) <= bound]).toEqual([name, true]);
  child.kill("SIGKILL");
  await once(child, "exit");
});
