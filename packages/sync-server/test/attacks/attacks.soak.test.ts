import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ChangeMaker, documentHex } from "../support/change-maker.js";
import { LogClient } from "../support/log-client.js";
import { ADMIN_TOKEN } from "../support/relay-fixture.js";
import { ATTACKS } from "./attacks.js";
import { pause } from "./hostile-client.js";

/** Samples of one stretch, and stretches of each kind. */
const SAMPLES = 40;
const ROUNDS = 2;
const WARM_UP_MS = 1_500;
const MOST_TIMES = 3;
/** Beside what a relay has anyway; Node gives memory back late. */
const MOST_GROWTH_MB = 400;
const ONLY = process.env.CAMBIUM_ATTACK;

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const node = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, ["--import", script("../support/typescript-hooks.mjs"), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });

async function startRelay(dataDir: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = node(script("../support/relay-process.ts"), dataDir, ADMIN_TOKEN);
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return { child, url: String(line).trim() };
}

async function call(url: string, path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return ((await response.json()) as { token: string }).token;
}

async function tokensOf(url: string) {
  const innocent = await call(url, "/spaces", { space: "innocent" });
  const admin = await call(url, "/spaces", { space: "hostile" });
  const of = (role: string) => call(url, "/spaces/hostile/tokens", { role });
  return { innocent, hostile: { admin, read: await of("read"), write: await of("write") } };
}

class Innocent {
  readonly #client: LogClient;
  readonly #maker = new ChangeMaker("aa");
  #count = 0;

  constructor(client: LogClient) {
    this.#client = client;
  }

  /** How long receipts take. */
  async samples(): Promise<readonly number[]> {
    const times: number[] = [];
    while (times.length < SAMPLES) {
      const chunk = this.#maker.write(`k${this.#count % 50}`, `${this.#count}`);
      this.#count += 1;
      this.#client.frames.length = 0;
      const start = performance.now();
      const answer = await this.#client.write(documentHex(1), chunk);
      if (answer.type !== "receipt") throw new Error(`The innocent one was refused: ${answer.code}.`);
      times.push(performance.now() - start);
      await pause(10);
    }
    return times;
  }
}

/** Whatever else the machine does: what is measured is how the relay shares its time. Only root may. */
function preferred(pid: number | undefined): void {
  try {
    for (const each of [pid ?? 0, process.pid]) setPriority(each, -10);
  } catch {}
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

async function megabytesOf(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}

for (const name of Object.keys(ATTACKS).filter((each) => ONLY === undefined || each.includes(ONLY))) {
  test(`[RL98] an innocent writer's receipt takes at most three times as long: ${name}`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "cambium-attacked-"));
    const { child, url } = await startRelay(dataDir);
    try {
      preferred(child.pid);
      const { innocent, hostile } = await tokensOf(url);
      await using client = await LogClient.subscribe(url, innocent);
      const writer = new Innocent(client);
      await writer.samples();
      const [quiet, attacked]: [number[], number[]] = [[], []];
      const before = await megabytesOf(child);
      let peak = before;
      for (let round = 0; round < ROUNDS; round += 1) {
        quiet.push(...(await writer.samples()));
        const world = JSON.stringify({ url, tokens: hostile, scale: 1 });
        const attacker = node(script("attack-process.ts"), name, world);
        await once(attacker.stdout as NodeJS.ReadableStream, "data");
        await pause(WARM_UP_MS);
        attacked.push(...(await writer.samples()));
        peak = Math.max(peak, await megabytesOf(child));
        const ended = once(attacker, "close");
        attacker.stdin?.end();
        await ended;
        await pause(1_500);
        quiet.push(...(await writer.samples()));
      }
      await pause(3_000);
      const after = await megabytesOf(child);
      const times = median(attacked) / median(quiet);
      const figures = `quiet ${median(quiet).toFixed(1)} ms, attacked ${median(attacked).toFixed(1)} ms, ${times.toFixed(2)} times, ${Math.round(before)} → ${Math.round(peak)} → ${Math.round(after)} MB`;
      process.stdout.write(`${name}: ${figures}\n`);
      expect(times, figures).toBeLessThan(MOST_TIMES);
      expect(after - before, figures).toBeLessThan(MOST_GROWTH_MB);
    } finally {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}
