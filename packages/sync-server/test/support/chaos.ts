/**
 * Relays on one database that are killed, paused and cut off from it, while clients write through all of them; and
 * what has to hold afterwards.
 *
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Draw, draws } from "../../../core/test/support/random-documents.js";
import { DirectoryBlobs } from "../../src/log/blobs/directory-blobs.js";
import { openPostgres } from "../../src/log/postgres/postgres-log.js";
import { ChaosClient, faultsOf } from "./chaos-client.js";
import { type CutWay, cutWayTo, newPostgresStore } from "./postgres-server.js";
import { makeSpace, RelayProcess } from "./store-relay.js";

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

/** Packs all that it can, and is cut off now and then: half of what it does is half done. */
async function packOnAndOn(way: CutWay, segments: string, isOver: () => boolean): Promise<number> {
  let made = 0;
  // On a busy machine, nothing may have been packed by then.
  const isDone = (): boolean => isOver() && made > 0;
  while (!isDone()) {
    const blobs = new DirectoryBlobs(segments);
    const options = { timeoutMs: 2_000, sizes: SIZES, blobs, leastOutsideBytes: 2_048 };
    const log = await openPostgres(way.url, options).catch(() => undefined);
    try {
      for (let rounds = 20; rounds > 0 && !isDone(); rounds -= 1) {
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
    const token = await makeSpace(relays[0] as RelayProcess);
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
