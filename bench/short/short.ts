/**
 * What short memories cost on disk, by file and by table, beside what people would use instead.
 *
 * @module
 */
import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeAutomerge } from "../peers/automerge.ts";
import { makeEventLog } from "../peers/event-log.ts";
import { makeGit } from "../peers/git.ts";
import type { MakePeer } from "../peers/peer.ts";
import { bytesText, machine, machineLine, writeJson } from "../support/report.ts";
import { UsageError, wholeNumber } from "../support/usage-error.ts";
import { CambiumHome } from "./cambium-home.ts";
import { homeBytes } from "./home-bytes.ts";
import { fileTable, type Measured, sizeTable, tableTable } from "./tables.ts";
import { type ShortWorkload, shortWorkload, WORKLOAD_NAMES, type WorkloadName } from "./workloads.ts";

const PEERS: Readonly<Record<string, MakePeer>> = {
  "event-log": makeEventLog,
  git: makeGit,
  automerge: makeAutomerge,
};
/** Turns are said one after the other. The others come as from a few agents at once, which share commits. */
const IN_FLIGHT = 32;
/** What is left of five versions when a year has passed. */
const PRUNED_BY = "lean";
const SMALLEST = 20;

export async function short(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      memories: { type: "string", default: "1500" },
      seed: { type: "string", default: "1" },
      only: { type: "string", default: WORKLOAD_NAMES.join(",") },
      json: { type: "string" },
    },
  });
  const memories = wholeNumber("memories", values.memories, SMALLEST);
  const seed = wholeNumber("seed", values.seed);
  const chosen = chosenWorkloads(values.only);
  const on = await machine();
  const emptyBytes = await bytesOfEmpty(seed);
  const measured: Measured[] = [];
  for (const name of chosen) measured.push(await measure(await shortWorkload(name, memories, seed), seed));
  console.log(`short, ${memories} memories, seed ${seed}\n${machineLine(on)}\n`);
  print(measured, emptyBytes);
  if (values.json !== undefined) {
    const report = { benchmark: "short", seed, memories, machine: on, emptyBytes, workloads: measured };
    await writeJson(values.json, report);
  }
  return 0;
}

/** What a home takes before anything is written into its space. */
async function bytesOfEmpty(seed: number): Promise<number> {
  await using root = await mkdtempDisposable(join(tmpdir(), "cambium-bench-"));
  const home = new CambiumHome(root.path, seed);
  return bytesAfter(() => home.write([], 1), home.dir);
}

function chosenWorkloads(only: string): readonly WorkloadName[] {
  const names = new Set(only.split(","));
  const chosen = WORKLOAD_NAMES.filter((name) => names.delete(name));
  if (names.size === 0) return chosen;
  throw new UsageError(`--only takes some of ${WORKLOAD_NAMES.join(",")}, with commas.`);
}

async function measure(workload: ShortWorkload, seed: number): Promise<Measured> {
  await using root = await mkdtempDisposable(join(tmpdir(), "cambium-bench-"));
  const { name, title, memories, writes, contentBytes, currentBytes } = workload;
  console.error(`… ${title}: ${writes.length} versions into Cambium`);
  const home = new CambiumHome(root.path, seed);
  await home.write(writes, name === "turns" ? 1 : IN_FLIGHT);
  const files = await homeBytes(home.dir);
  await home.check(workload);
  const pruned =
    name === "versions" ? await bytesAfter(() => home.prune(PRUNED_BY, workload), home.dir) : undefined;
  const peers: Record<string, number> = {};
  for (const [peer, make] of Object.entries(PEERS)) {
    console.error(`… ${title}: into ${peer}`);
    peers[peer] = await peerBytes(make, join(root.path, peer), workload, seed);
  }
  return {
    ...{ name, title, memories, versions: writes.length, contentBytes, currentBytes, files, peers },
    ...(pruned === undefined ? {} : { pruned: { preset: PRUNED_BY, bytes: pruned } }),
  };
}

async function bytesAfter(run: () => Promise<void>, dir: string): Promise<number> {
  await run();
  return (await homeBytes(dir)).reduce((sum, { bytes }) => sum + bytes, 0);
}

async function peerBytes(
  make: MakePeer,
  dir: string,
  { writes }: ShortWorkload,
  seed: number,
): Promise<number> {
  await mkdir(dir);
  await using peer = await make(dir, seed);
  await peer.load(writes, () => {});
  const [whole] = await peer.disk();
  if (whole === undefined) throw new Error(`${peer.name} does not say what it takes.`);
  return whole.bytes;
}

function print(measured: readonly Measured[], emptyBytes: number): void {
  console.log(`All files of a closed home, bytes per memory:\n\n${sizeTable(measured)}`);
  console.log(`\nEach home begins with ${bytesText(emptyBytes)} before the first memory.`);
  console.log(`\nCambium by file, bytes per version:\n\n${fileTable(measured)}`);
  console.log(`\nCambium by table of its two databases, bytes per version:\n\n${tableTable(measured)}`);
}
