/**
 * The same memories and the same operations, given to Cambium and to what people would use instead.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { WorkloadSize } from "../reference/workload.ts";
import { bytesText, machine, machineLine, writeJson } from "../support/report.ts";
import { UsageError, wholeNumber } from "../support/usage-error.ts";
import { workloadSize } from "../support/workload-size.ts";
import type { PeerReport } from "./measure.ts";
import { PEER_NAMES, type PeerName } from "./peer.ts";
import { medianTable, missedAims, ratioTable, wayTable } from "./tables.ts";

interface Measurement extends PeerReport {
  readonly rawBytes: number;
}

/** Two batches of writes: with one, no two dates differ. */
const SMALLEST_CHANGES = 64;

export async function peers(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      memories: { type: "string", default: "10000" },
      changes: { type: "string", default: "30000" },
      samples: { type: "string", default: "500" },
      seed: { type: "string", default: "1" },
      only: { type: "string", default: PEER_NAMES.join(",") },
      json: { type: "string" },
    },
  });
  const size = workloadSize(values, SMALLEST_CHANGES);
  const seed = wholeNumber("seed", values.seed);
  const chosen = chosenPeers(values.only);
  const on = await machine();
  const measured: Measurement[] = [];
  for (const name of chosen) measured.push(await measureAlone(name, size, seed));
  print(measured, size, seed, machineLine(on));
  if (values.json !== undefined) {
    await writeJson(values.json, { benchmark: "peers", seed, size, machine: on, peers: measured });
  }
  return 0;
}

function chosenPeers(only: string): readonly PeerName[] {
  const names = new Set(only.split(","));
  const chosen = PEER_NAMES.filter((name) => names.delete(name));
  if (names.size === 0) return chosen;
  throw new UsageError(`--only takes some of ${PEER_NAMES.join(",")}, with commas.`);
}

async function measureAlone(name: PeerName, size: WorkloadSize, seed: number): Promise<Measurement> {
  await using dir = await mkdtempDisposable(`${tmpdir()}/cambium-bench-`);
  const path = fileURLToPath(new URL("peer-process.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    [...process.execArgv, path, name, dir.path, JSON.stringify(size), String(seed)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = once(child, "close");
  const stdout = await text(child.stdout);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${name} was not measured to its end.`);
  return JSON.parse(stdout) as Measurement;
}

function print(measured: readonly Measurement[], size: WorkloadSize, seed: number, on: string): void {
  const rawBytes = measured[0]?.rawBytes ?? 0;
  console.log(
    `peers, ${size.memories} memories, ${size.changes} changes (${bytesText(rawBytes)} of text), seed ${seed}\n${on}\n`,
  );
  for (const { name, version, loading } of measured) {
    console.log(`- ${name}: ${version}; loaded in ${(loading.ms / 1_000).toFixed(1)} s (${loading.how})`);
  }
  console.log(`\nMedians, each peer's quickest whole way:\n\n${medianTable(measured)}`);
  const ratios = ratioTable(measured);
  if (ratios !== undefined) {
    console.log(`\nPeer over Cambium; below 1 the peer is ahead:\n\n${ratios}`);
    console.log(`\n${missedAims(measured).join("\n")}`);
  }
  console.log(`\nEvery way measured:\n\n${wayTable(measured)}`);
}
