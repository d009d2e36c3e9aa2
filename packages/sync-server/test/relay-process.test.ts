import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import * as A from "@automerge/automerge";
import { afterAll, expect, test } from "vitest";
import { relayCommand } from "../src/command/relay-command.js";
import { startRelay } from "../src/index.js";
import { startByPs } from "../src/operate/running-file.js";
import { runCommand } from "./support/command.js";
import { DocumentClient, type Notes, testDocumentId } from "./support/document-client.js";
import { LogClient } from "./support/log-client.js";

const BIN = fileURLToPath(new URL("../bin/cambium-relay.mjs", import.meta.url));
const pem = (name: string): string => fileURLToPath(new URL(`./support/tls/${name}.pem`, import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "cambium-relay-process-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

const DOCUMENT = testDocumentId(1);

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly tokenFile: string;
  readonly metricsUrl: string;
  /** What it has written so far. */
  readonly said: { out: string; errors: string };
  /** Waits for a line of the log. */
  logged(event: string): Promise<void>;
  readonly ended: Promise<readonly [number | null, string | null]>;
}

async function run(data: string, ...more: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [
    BIN,
    "--port",
    "0",
    "--metrics-port",
    "0",
    "--data",
    data,
    "--json",
    ...more,
  ]);
  children.push(child);
  const said = { out: "", errors: "" };
  child.stdout.on("data", (text) => (said.out += String(text)));
  child.stderr.on("data", (text) => (said.errors += String(text)));
  const ended = once(child, "close") as Promise<[number | null, string | null]>;
  while (!said.out.includes("\n")) await once(child.stdout, "data");
  const logged = async (event: string): Promise<void> => {
    while (!said.errors.includes(`"event":"${event}"`)) await once(child.stderr, "data");
  };
  return {
    child,
    said,
    logged,
    ended,
    ...(JSON.parse(said.out) as Omit<Running, "child" | "said" | "logged" | "ended">),
  };
}

function makeSpace(url: string, token: string, ca: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/spaces`, { method: "POST", headers, ca }, (response) => {
      response.on("data", (text) => resolve((JSON.parse(String(text)) as { token: string }).token));
    });
    asked.on("error", reject).end('{"space":"space-a"}');
  });
}

/** The fingerprint of the certificate that a new connection is shown. */
async function shownBy(url: string, ca: string): Promise<string> {
  const { port } = new URL(url);
  const socket: TLSSocket = connect({ host: "127.0.0.1", port: Number(port), ca });
  await once(socket, "secureConnect");
  const { fingerprint } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint;
}

test("[RO18] a certificate is renewed at SIGHUP, and nobody is cut; [RO8] SIGTERM under load loses no receipt", async () => {
  const data = join(dir, "data");
  const [cert, key] = [join(dir, "cert.pem"), join(dir, "key.pem")];
  const use = (name: string): string => {
    copyFileSync(pem(`${name}.cert`), cert);
    copyFileSync(pem(`${name}.key`), key);
    return readFileSync(cert, "utf8");
  };
  const first = use("first");
  const relay = await run(data, "--tls-cert", cert, "--tls-key", key);
  expect(relay.url).toMatch(/^https:/);
  const adminToken = readFileSync(relay.tokenFile, "utf8");
  const token = await makeSpace(relay.url, adminToken, first);
  const client = await LogClient.subscribe(relay.url, token, [], { ca: first });
  const writer = new DocumentClient(client, DOCUMENT);
  writer.write("a", "before");
  await writer.receipt();

  const before = await shownBy(relay.url, first);
  const second = use("second");
  relay.child.kill("SIGHUP");
  await relay.logged("tls-renewed");
  expect(await shownBy(relay.url, second)).not.toBe(before);
  writer.write("a", "the session is still open");
  await writer.receipt();
  // A renewal that failed half-way changes nothing.
  copyFileSync(pem("first.key"), key);
  relay.child.kill("SIGHUP");
  await relay.logged("failed");
  await shownBy(relay.url, second);
  expect(await (await fetch(relay.metricsUrl)).text()).toContain("cambium_relay_sessions 1\n");

  // Written until the socket closes, while another client does not read.
  const deaf = await LogClient.subscribe(relay.url, token, [], { ca: second });
  deaf.setReading(false);
  let count = 0;
  const receipted: string[][] = [];
  const writing = (async () => {
    for (;;) {
      writer.write("a", `${count}`);
      const heads = [...writer.heads];
      await writer.receipt();
      receipted.push(heads);
      count += 1;
      if (count === 20) relay.child.kill("SIGTERM");
    }
  })().catch(() => {});
  const startedAt = performance.now();
  expect(await relay.ended).toEqual([0, null]);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(await client.closed).toBe(1001);
  await writing;
  // No token on standard output, nor in the log.
  expect(relay.said.out + relay.said.errors).not.toMatch(/cambium_(relay|space)_/);
  await using again = await startRelay({ dataDir: data });
  const response = await fetch(`${again.url}/spaces/space-a/documents/${DOCUMENT}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const stored = A.load<Notes>(new Uint8Array(await response.arrayBuffer()));
  expect(receipted.length).toBeGreaterThanOrEqual(20);
  for (const heads of receipted) expect(A.hasHeads(stored, heads)).toBe(true);
});

test("[RO18] verbs on the same machine take the certificate of the relay there, and no other", async () => {
  const data = join(dir, "named");
  const [cert, key] = [join(dir, "named-cert.pem"), join(dir, "named-key.pem")];
  copyFileSync(pem("first.cert"), cert);
  copyFileSync(pem("first.key"), key);
  const tls = ["--tls-cert", cert, "--tls-key", key];
  const relay = await run(data, "--host", "0.0.0.0", ...tls);
  const { urlForDevices } = JSON.parse(relay.said.out) as { urlForDevices: string };
  expect(urlForDevices).toBe(relay.url.replace("0.0.0.0", "localhost"));
  const spaces = async (): Promise<number> => {
    const io = { env: {}, userHome: dir, isWatched: false, signal: new AbortController().signal };
    return await relayCommand(["spaces", "--data", data], { ...io, output: () => {}, errors: () => {} });
  };
  expect(await spaces()).toBe(0);
  copyFileSync(pem("second.cert"), cert);
  copyFileSync(pem("second.key"), key);
  relay.child.kill("SIGHUP");
  await relay.logged("tls-renewed");
  expect(await spaces()).toBe(0);
  const file = join(data, "running.json");
  const running = JSON.parse(readFileSync(file, "utf8")) as object;
  const certificate = readFileSync(pem("first.cert"), "utf8");
  writeFileSync(file, JSON.stringify({ ...running, certificate }));
  expect(await spaces()).toBe(1);
});

test("[RO8] a second signal ends it at once", async () => {
  const relay = await run(join(dir, "second"), "--drain", "1h");
  const created = await fetch(`${relay.url}/spaces`, {
    ...{ method: "POST", body: '{"space":"space-a"}' },
    headers: {
      authorization: `Bearer ${readFileSync(relay.tokenFile, "utf8")}`,
      "content-type": "application/json",
    },
  });
  const { token } = (await created.json()) as { token: string };
  const deaf = await LogClient.subscribe(relay.url, token);
  deaf.setReading(false);
  const signals = setInterval(() => relay.child.kill("SIGTERM"), 100);
  expect(await relay.ended).toEqual([143, null]);
  clearInterval(signals);
  await deaf[Symbol.asyncDispose]();
});

test.runIf(process.platform === "linux")(
  "[RO11] [RO21] the process that has got the number of a relay that was killed is not taken for it",
  async () => {
    const [data, copy] = [join(dir, "reused"), join(dir, "reused.sqlite")];
    const relay = await run(data);
    const verb = async (...argv: readonly string[]) =>
      await runCommand([...argv, "--data", data], { userHome: dir });
    expect(await verb("backup", copy)).toMatchObject({ code: 0 });
    relay.child.kill("SIGKILL");
    await relay.ended;
    const file = join(data, "running.json");
    const left = JSON.parse(readFileSync(file, "utf8")) as object;
    writeFileSync(file, JSON.stringify({ ...left, pid: process.pid }));
    expect(await verb("spaces")).toMatchObject({
      code: 1,
      errors: expect.stringContaining("No relay runs with the data in"),
    });
    rmSync(join(data, "relay.sqlite"));
    expect(await verb("restore", copy)).toMatchObject({ code: 0 });
  },
);

test.runIf(existsSync("/bin/ps") || existsSync("/usr/bin/ps"))(
  "[RO11] where there is no /proc, `ps` tells when a process began",
  () => {
    const [own, first] = [startByPs(process.pid), startByPs(1)];
    expect(own).toMatch(/\d\d:\d\d:\d\d/);
    expect(first).toMatch(/\d\d:\d\d:\d\d/);
    expect(first).not.toBe(own);
    expect(startByPs(2 ** 30)).toBeUndefined();
  },
);
