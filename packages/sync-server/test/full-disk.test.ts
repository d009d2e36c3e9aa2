import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readChangeHeader } from "@cambium/core";
import { afterAll, expect, test } from "vitest";
import { chunkTools } from "../src/chunk-tools.js";
import { openSqliteLog } from "../src/index.js";
import { LOG_FILE_NAME } from "../src/log/sqlite-log.js";
import { checkLog } from "../src/operate/check-log.js";
import { ChangeMaker, documentHex } from "./support/change-maker.js";
import { LogClient } from "./support/log-client.js";

const isSoak = process.env.CAMBIUM_SOAK === "1";
const BIN = fileURLToPath(new URL("../bin/cambium-relay.mjs", import.meta.url));
const ADMIN = "cambium_relay_admin_of_the_full_disk_tests_0123456789";
const PRLIMIT = "/usr/bin/prlimit";
const dir = mkdtempSync(join(tmpdir(), "cambium-full-disk-"));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

/** A page of the side file with its head. */
const FRAME = 4_096 + 24;
/** How many bytes more each file may have than the largest has: each is where another write does not fit. */
const ROOM = isSoak
  ? Array.from({ length: 60 }, (_, at) => at * 1_030 + (at % 3))
  : [0, FRAME + 24, 9 * FRAME];
/** So that the side file is copied into the log, and begun anew, meanwhile. */
const WRITES = isSoak ? 400 : 60;

class LimitedRelay {
  readonly events: Record<string, unknown>[] = [];
  readonly #child: ChildProcess;
  url = "";

  private constructor(data: string) {
    const env = { ...process.env, CAMBIUM_RELAY_ADMIN_TOKEN: ADMIN };
    const argv = [BIN, "--port", "0", "--data", data, "--json", "--log-format", "json"];
    this.#child = spawn(process.execPath, argv, { env, stdio: ["ignore", "pipe", "pipe"] });
    children.push(this.#child);
    createInterface(this.#child.stderr as NodeJS.ReadableStream).on("line", (line) => {
      this.events.push(JSON.parse(line) as Record<string, unknown>);
    });
  }

  static async start(data: string): Promise<LimitedRelay> {
    const relay = new LimitedRelay(data);
    const lines = createInterface(relay.#child.stdout as NodeJS.ReadableStream);
    const [line] = (await once(lines, "line")) as [string];
    relay.url = (JSON.parse(line) as { url: string }).url;
    return relay;
  }

  /** What no file of it may exceed, as if the disk was full then. */
  limit(bytes: number | "unlimited"): void {
    execFileSync(PRLIMIT, ["--pid", `${this.#child.pid}`, `--fsize=${bytes}:unlimited`]);
  }

  async kill(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}

/** Writes one change after the other, and each again that it has no receipt for. */
class Writer {
  readonly receipts = new Map<string, number>();
  readonly #maker = new ChangeMaker("aa");
  #unsent: Uint8Array | undefined;

  /** @returns whether the relay cut it off */
  async write(url: string, token: string, count: number): Promise<boolean> {
    await using client = await LogClient.open(url, token);
    for (let at = 0; at < count; at += 1) {
      this.#unsent ??= this.#maker.write(`${at % 20}`, randomBytes(200).toString("base64"));
      const answer = await client.write(documentHex(1), this.#unsent).catch(() => undefined);
      if (answer === undefined) {
        expect(await client.closed).toBe(1011);
        return true;
      }
      expect(answer).toMatchObject({ type: "receipt" });
      const { positions } = answer as { readonly positions: readonly number[] };
      this.receipts.set(readChangeHeader(this.#unsent, chunkTools).hash, positions[0] as number);
      this.#unsent = undefined;
    }
    return false;
  }
}

async function makeSpace(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${ADMIN}`, "content-type": "application/json" };
  const made = await fetch(`${url}/spaces`, { method: "POST", headers, body: '{"space":"team"}' });
  return ((await made.json()) as { token: string }).token;
}

const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/readyz`)).ok;

/** @returns the positions of all changes, by hash */
async function storedIn(data: string): Promise<ReadonlyMap<string, number>> {
  const log = openSqliteLog(data);
  try {
    expect(await checkLog(log)).toEqual([]);
    const entries = await log.spaces.read({ space: "team", after: 0, maxBytes: Number.MAX_SAFE_INTEGER });
    return new Map(entries.map(({ hash, position }) => [hash, position]));
  } finally {
    await log.close();
  }
}

test.skipIf(!existsSync(PRLIMIT))(
  "[RL31] a disk that is full at any write takes back no receipt, is told, and is used again once it has room",
  async () => {
    const data = join(dir, "data");
    const writer = new Writer();
    let relay = await LimitedRelay.start(data);
    const token = await makeSpace(relay.url);
    for (const [round, room] of ROOM.entries()) {
      const said = relay.events.length;
      const sizes = ["", "-wal"].map((end) => statSync(join(data, LOG_FILE_NAME + end)).size);
      relay.limit(Math.max(...sizes) + room);
      expect(await writer.write(relay.url, token, WRITES)).toBe(true);
      expect(await isReady(relay.url)).toBe(false);
      const failures = relay.events.slice(said).filter(({ level }) => level === "error");
      expect(failures[0]).toMatchObject({ event: "commit-failed" });
      if (round % 2 === 1) {
        await relay.kill();
        const stored = await storedIn(data);
        for (const [hash, position] of writer.receipts) expect(stored.get(hash)).toBe(position);
        relay = await LimitedRelay.start(data);
      } else relay.limit("unlimited");
      expect(await isReady(relay.url)).toBe(true);
      expect(await writer.write(relay.url, token, 3)).toBe(false);
    }
    await relay.kill();
    const stored = await storedIn(data);
    expect(stored).toEqual(writer.receipts);
  },
);
