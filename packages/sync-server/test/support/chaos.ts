/**
 * Relays on one database that are killed, paused and cut off from it, while clients write through all of them; and
 * what has to hold afterwards.
 *
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readChangeHeader } from "@cambium/core";
import { LOG_START, type LogPoint, nextPoint, samePoint } from "@cambium/core/wire";
import { type Draw, draws } from "../../../core/test/support/random-documents.js";
import { chunkTools } from "../../src/chunk-tools.js";
import { openPostgresLog } from "../../src/index.js";
import { DirectoryBlobs } from "../../src/log/blobs/directory-blobs.js";
import { openPostgres } from "../../src/log/postgres/postgres-log.js";
import { ChangeMaker, documentHex } from "./change-maker.js";
import { LogClient } from "./log-client.js";
import { type CutWay, cutWayTo, newPostgresStore } from "./postgres-server.js";

const BIN = fileURLToPath(new URL("../../bin/cambium-relay.mjs", import.meta.url));
const ADMIN = "cambium_relay_admin_of_the_chaos_tests_0123456789";
const SPACE = "team";

/** How a run went. */
export interface ChaosReport {
  /** What is wrong in the end. */
  readonly faults: readonly string[];
  readonly receipts: number;
  readonly entries: number;
  /** That were packed meanwhile. */
  readonly segments: number;
  readonly blows: Readonly<Record<string, number>>;
}

/** So small that much is packed, and packed anew, while it is written and read. */
const SIZES = { bytes: 1 << 16, entries: 32, kept: 4, least: 4 };

class RelayProcess {
  readonly way: CutWay;
  readonly #dataDir: string;
  #port = 0;
  #child: ChildProcess | undefined;
  url = "";

  readonly #segments: string;

  constructor(way: CutWay, dataDir: string, segments: string) {
    this.way = way;
    this.#dataDir = dataDir;
    this.#segments = segments;
  }

  async start(): Promise<void> {
    const settings = [
      "--blobs",
      this.#segments,
      "--store",
      this.way.url,
      "--store-timeout",
      "2s",
      "--port",
      String(this.#port),
    ];
    const child = spawn(process.execPath, [BIN, ...settings, "--data", this.#dataDir, "--json"], {
      env: { ...process.env, CAMBIUM_RELAY_ADMIN_TOKEN: ADMIN, CAMBIUM_RELAY_LOG_LEVEL: "silent" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#child = child;
    let said = "";
    child.stdout.on("data", (text) => {
      said += String(text);
      if (!said.includes("\n")) return;
      this.url = (JSON.parse(said) as { url: string }).url;
      this.#port = Number(new URL(this.url).port);
    });
    // One that finds its database away ends, and is started again as a service manager would.
    await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  }

  get isAlive(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  async kill(): Promise<void> {
    if (this.#child === undefined || !this.isAlive) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "close");
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    if (this.isAlive) this.#child?.kill(signal);
  }
}

/** Writes its own document, and reads everything. */
class ChaosClient {
  readonly receipts = new Map<string, number>();
  /** By position. */
  readonly seen = new Map<number, string>();
  readonly faults: string[] = [];
  readonly document: string;
  readonly #maker: ChangeMaker;
  readonly #draw: Draw;
  readonly #relays: readonly RelayProcess[];
  readonly #token: string;
  #point: LogPoint = LOG_START;
  #unsent: Uint8Array[] = [];

  constructor(name: number, relays: readonly RelayProcess[], token: string, draw: Draw) {
    this.document = documentHex(1 + (name % 2));
    this.#maker = new ChangeMaker(`a${name}`);
    this.#relays = relays;
    this.#token = token;
    this.#draw = draw;
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver() || this.#unsent.length > 0) {
      const { url } = this.#relays[this.#draw(this.#relays.length)] as RelayProcess;
      try {
        await using client = await within(LogClient.subscribe(url, this.#token, [this.#point]));
        try {
          await this.#use(client, isOver);
        } finally {
          this.#look(client);
        }
      } catch {
        await delay(50);
      }
    }
  }

  async #use(client: LogClient, isOver: () => boolean): Promise<void> {
    for (let rounds = 20 + this.#draw(30); rounds > 0; rounds -= 1) {
      if (isOver() && this.#unsent.length === 0) return;
      if (this.#unsent.length === 0)
        for (let more = this.#draw(3); more >= 0; more -= 1)
          this.#unsent.push(this.#maker.write(`${this.#draw(4)}`, `${rounds}`));
      const answer = await within(client.write(this.document, ...this.#unsent));
      if (answer.type === "refused") {
        this.faults.push(`${answer.code}: ${answer.message}`);
        return;
      }
      for (const [at, chunk] of this.#unsent.entries())
        this.receipts.set(readChangeHeader(chunk, chunkTools).hash, answer.positions[at] as number);
      this.#unsent = [];
      await delay(this.#draw(10));
    }
  }

  /** Reads to the end of the log. */
  async catchUp(position: number): Promise<void> {
    for (const relay of this.#relays) {
      await using client = await within(LogClient.subscribe(relay.url, this.#token, [this.#point]));
      await within(client.reached(position));
      this.#look(client);
    }
  }

  #look({ items, point }: LogClient): void {
    const start = point.position - items.length;
    if (start !== this.#point.position)
      this.faults.push(`it was sent on from ${start}, not ${this.#point.position}`);
    for (const [at, item] of items.entries()) {
      const hash =
        item.kind === "change"
          ? readChangeHeader(item.chunk, chunkTools).hash
          : "hash" in item
            ? item.hash
            : "";
      this.seen.set(start + at + 1, hash);
    }
    this.#point = point;
  }
}

/** Packs all that it can, and is cut off now and then: half of what it does is half done. */
async function packOnAndOn(way: CutWay, segments: string, isOver: () => boolean): Promise<number> {
  let made = 0;
  while (!isOver()) {
    const blobs = new DirectoryBlobs(segments);
    const options = { timeoutMs: 2_000, sizes: SIZES, blobs, leastOutsideBytes: 2_048 };
    const log = await openPostgres(way.url, options).catch(() => undefined);
    try {
      for (let rounds = 20; rounds > 0 && !isOver(); rounds -= 1) {
        await delay(20);
        made += (await log?.packer.packAll()) ?? 0;
        await log?.packing.sweep();
      }
    } catch {
      await delay(50);
    } finally {
      await log?.close();
    }
  }
  return made;
}

async function cutNowAndThen(way: CutWay, draw: Draw, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await delay(draw(1_000));
    way.set("closed");
    await delay(draw(200));
    way.set("open");
  }
}

/** Blows fall on one relay at a time, or on several. */
async function blow(relay: RelayProcess, draw: Draw): Promise<string> {
  const kind = ["kill", "pause", "silent", "closed"][draw(4)] as string;
  const lasts = 200 + draw(2_500);
  if (kind === "kill") await relay.kill();
  else if (kind === "pause") relay.signal("SIGSTOP");
  else relay.way.set(kind as "silent" | "closed");
  await delay(lasts);
  relay.signal("SIGCONT");
  relay.way.set("open");
  while (!relay.isAlive) await relay.start();
  return kind;
}

/** @param seed - of what clients do and of the blows; when these meet is not repeated */
export async function chaos(options: { seed: number; relays: number; forMs: number }): Promise<ChaosReport> {
  const draw = draws(options.seed);
  const store = await newPostgresStore();
  const dir = mkdtempSync(join(tmpdir(), "cambium-chaos-"));
  await using ways = new AsyncDisposableStack();
  const relays: RelayProcess[] = [];
  const segments = join(dir, "segments");
  const packersWay = ways.use(await cutWayTo(store));
  for (let at = 0; at < options.relays; at += 1)
    relays.push(new RelayProcess(ways.use(await cutWayTo(store)), join(dir, `${at}`), segments));
  try {
    await Promise.all(relays.map((relay) => relay.start()));
    const made = await fetch(`${relays[0]?.url}/spaces`, {
      ...{ method: "POST", body: JSON.stringify({ space: SPACE }) },
      headers: { authorization: `Bearer ${ADMIN}`, "content-type": "application/json" },
    });
    const { token } = (await made.json()) as { token: string };
    const clients = [0, 1, 2, 3].map(
      (name) => new ChaosClient(name, relays, token, draws(options.seed + name)),
    );
    const end = performance.now() + options.forMs;
    const isOver = (): boolean => performance.now() > end;
    const blows: Record<string, number> = {};
    const strike = async (relay: RelayProcess): Promise<void> => {
      while (!isOver()) {
        await delay(draw(1_500));
        const kind = await blow(relay, draw);
        blows[kind] = (blows[kind] ?? 0) + 1;
      }
    };
    const [packed] = await Promise.all([
      packOnAndOn(packersWay, segments, isOver),
      cutNowAndThen(packersWay, draw, isOver),
      ...clients.map((client) => client.run(isOver)),
      ...relays.map(strike),
    ]);
    return { ...(await faultsOf(store, segments, clients)), segments: packed, blows };
  } finally {
    await Promise.all(relays.map((relay) => relay.kill()));
    rmSync(dir, { recursive: true, force: true });
  }
}

async function faultsOf(
  store: string,
  segments: string,
  clients: readonly ChaosClient[],
): Promise<Omit<ChaosReport, "blows" | "segments">> {
  const log = await openPostgresLog(store, { blobs: new DirectoryBlobs(segments) });
  try {
    const faults: string[] = [];
    const entries = await log.spaces.read({ space: SPACE, after: 0, maxBytes: Number.MAX_SAFE_INTEGER });
    const places = new Map<string, number>();
    const hashes = new Map<number, string>();
    let point = LOG_START;
    for (const entry of entries) {
      point = nextPoint(point, entry, chunkTools.sha256);
      if (entry.bytes === undefined) faults.push(`the entry at ${entry.position} has lost its bytes`);
      if (!samePoint(point, entry)) faults.push(`the entry at ${entry.position} does not follow`);
      const name = `${entry.document} ${entry.hash}`;
      if (places.has(name)) faults.push(`${name} is there twice`);
      places.set(name, entry.position);
      hashes.set(entry.position, entry.hash);
    }
    if (!samePoint(point, await log.spaces.end(SPACE))) faults.push("the end is not that of the last entry");
    for (const client of clients) {
      await client.catchUp(point.position);
      faults.push(...client.faults);
      for (const [hash, position] of client.receipts)
        if (places.get(`${client.document} ${hash}`) !== position)
          faults.push(`${hash} was confirmed at ${position}`);
      for (const [position, hash] of hashes)
        if (client.seen.get(position) !== hash) faults.push(`a reader did not see the entry at ${position}`);
    }
    const receipts = clients.reduce((sum, client) => sum + client.receipts.size, 0);
    return { faults, receipts, entries: entries.length };
  } finally {
    await log.close();
  }
}

/** A relay that is paused answers nothing, and closes nothing. */
async function within<Result>(work: Promise<Result>): Promise<Result> {
  const late = new AbortController();
  const limit = delay(4_000, undefined, { signal: late.signal }).then(() => {
    throw new Error("It does not answer.");
  });
  limit.catch(() => {});
  try {
    return await Promise.race([work, limit]);
  } finally {
    late.abort();
  }
}
