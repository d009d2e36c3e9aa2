/**
 * What an attack does to an innocent writer of another space: her receipts while it goes on, and while its process is
 * stopped, in turns. A busy machine slows both.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ChangeMaker, documentHex } from "../support/change-maker.js";
import { LogClient } from "../support/log-client.js";
import { ADMIN_TOKEN } from "../support/relay-fixture.js";
import { pause } from "./hostile-client.js";

/** Stretches of each kind, and receipts in each. */
const ROUNDS = 6;
const OFTEN: Pace = { samples: 25, betweenMs: 10 };
/** So rarely that whoever else writes is alone in between. */
export const RARELY: Pace = { samples: 12, betweenMs: 1_100 };
/** Once an attack goes on. */
const SETTLE_MS = 500;
/** A relay is quiet when it has used so little of the processor in a while. */
const IDLE = { overMs: 250, ticks: 1 } as const;
/** It gets some time to become so: with the attacker stopped, and with it gone. */
const QUIET_WITHIN_MS = { stopped: 2_500, gone: 20_000 } as const;

/** How often the innocent one writes in each stretch. */
interface Pace {
  readonly samples: number;
  readonly betweenMs: number;
}

export interface AttackFigures {
  /** Medians, in milliseconds. */
  readonly quietMs: number;
  readonly attackedMs: number;
  /** Of 20 receipts, the one that takes longest but for one, in milliseconds. */
  readonly p95Ms: { readonly quiet: number; readonly attacked: number };
  readonly times: number;
  /** What the relay's process has in use, at most, after a collection of garbage while the attack goes on. */
  readonly usedMb: number;
  /** The most memory that it had from the machine; Node keeps much for later. */
  readonly peakMb: number;
}

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const node = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, ["--expose-gc", "--import", script("../support/typescript-hooks.mjs"), ...args], {
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
  readonly #pace: Pace;
  readonly #maker = new ChangeMaker("aa");
  #count = 0;

  constructor(client: LogClient, pace: Pace) {
    this.#client = client;
    this.#pace = pace;
  }

  /** How long receipts take. */
  async samples(): Promise<readonly number[]> {
    const times: number[] = [];
    while (times.length < this.#pace.samples) {
      const chunk = this.#maker.write(`k${this.#count % 50}`, `${this.#count}`);
      this.#count += 1;
      this.#client.frames.length = 0;
      const start = performance.now();
      const answer = await this.#client.write(documentHex(1), chunk);
      if (answer.type !== "receipt") throw new Error(`The innocent one was refused: ${answer.code}.`);
      times.push(performance.now() - start);
      await pause(this.#pace.betweenMs);
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

const at = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] as number;
const median = (values: readonly number[]): number => at(values, 0.5);

/** The most memory that the process ever had, in megabytes. */
async function peakOf(child: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}

/** Asks a relay that was started with `--expose-gc`. */
async function usedOf(child: ChildProcess): Promise<number> {
  child.stdin?.write("memory\n");
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return Math.round(Number(String(line)) / 1_048_576);
}

/** What the process has used of the processor, in hundredths of a second. */
async function ticksOf(child: ChildProcess): Promise<number> {
  const fields = (await readFile(`/proc/${child.pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** What an attack has left to be done would not be a quiet time. @returns whether that is done */
async function isQuiet(child: ChildProcess, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += IDLE.overMs) {
    const before = await ticksOf(child);
    await pause(IDLE.overMs);
    if ((await ticksOf(child)) - before <= IDLE.ticks) return true;
  }
  return false;
}

async function beginAttack(name: string, world: object): Promise<ChildProcess> {
  const attacker = node(script("attack-process.ts"), name, JSON.stringify(world));
  await once(attacker.stdout as NodeJS.ReadableStream, "data");
  return attacker;
}

async function killed(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

async function alternate(child: ChildProcess, url: string, name: string, pace: Pace): Promise<AttackFigures> {
  const { innocent, hostile } = await tokensOf(url);
  await using client = await LogClient.subscribe(url, innocent);
  const writer = new Innocent(client, pace);
  await writer.samples();
  const [quiet, attacked]: [number[], number[]] = [[...(await writer.samples())], []];
  let usedMb = 0;
  const world = { url, tokens: hostile, scale: 1 };
  let attacker: ChildProcess | undefined;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      attacker ??= await beginAttack(name, world);
      attacker.kill("SIGCONT");
      await pause(SETTLE_MS);
      attacked.push(...(await writer.samples()));
      usedMb = Math.max(usedMb, await usedOf(child));
      attacker.kill("SIGSTOP");
      if (!(await isQuiet(child, QUIET_WITHIN_MS.stopped))) {
        // Its questions go on being answered as long as it has sockets.
        await killed(attacker);
        attacker = undefined;
        if (!(await isQuiet(child, QUIET_WITHIN_MS.gone)))
          throw new Error("The relay goes on although nobody attacks it any more.");
      }
      quiet.push(...(await writer.samples()));
    }
  } finally {
    if (attacker !== undefined) await killed(attacker);
  }
  const [quietMs, attackedMs] = [median(quiet), median(attacked)];
  const peakMb = await peakOf(child);
  const p95Ms = { quiet: at(quiet, 0.95), attacked: at(attacked, 0.95) };
  return { quietMs, attackedMs, p95Ms, times: attackedMs / quietMs, usedMb, peakMb };
}

/** @param name - of one of the attacks */
export async function measureAttack(name: string, pace: Pace = OFTEN): Promise<AttackFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), "cambium-attacked-"));
  const { child, url } = await startRelay(dataDir);
  try {
    preferred(child.pid);
    return await alternate(child, url, name, pace);
  } finally {
    await killed(child);
    await rm(dataDir, { recursive: true, force: true });
  }
}
