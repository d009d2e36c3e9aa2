/**
 * The reference workload, and what the operations of the design cost on it.
 *
 * @module
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openReplica, type Replica } from "@cambium/client";
import { directoryBytes } from "../support/disk.ts";
import { bytesText, machine, machineLine, table, writeJson } from "../support/report.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { msText, timed } from "../support/statistics.ts";
import { wholeNumber } from "../support/usage-error.ts";
import { workloadSize } from "../support/workload-size.ts";
import { BUDGETS, type Figure, figure } from "./budgets.ts";
import { measureOperations } from "./operations.ts";
import { type Home, measureStarts, measureTwoDevices } from "./starts.ts";
import { Workload, type WorkloadSize, YEAR_START } from "./workload.ts";

const SPACE = "reference";
/** How much of the workload two devices sync at most. */
const DEVICES_CHANGES = 3_000;

export async function reference(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      memories: { type: "string", default: "10000" },
      changes: { type: "string", default: "30000" },
      samples: { type: "string", default: "1000" },
      seed: { type: "string", default: "1" },
      json: { type: "string" },
    },
  });
  const size = workloadSize(values);
  const seed = wholeNumber("seed", values.seed);
  const report = {
    benchmark: "reference",
    seed,
    size,
    machine: await machine(),
    ...(await measure(size, seed)),
  };
  print(report);
  if (values.json !== undefined) await writeJson(values.json, report);
  return 0;
}

async function measure(size: WorkloadSize, seed: number) {
  await using root = await mkdtempDisposable(join(tmpdir(), "cambium-bench-"));
  const clock = { now: YEAR_START };
  const home: Home = { dir: join(root.path, "home"), stateDir: join(root.path, "home-state") };
  const open = (stream: number): Promise<Replica> =>
    openReplica({ ...home, clock: () => clock.now, random: seededRandom(seed, stream).bytes });
  const workload = new Workload(size, seed, clock);

  const writer = await open(3);
  const space = await writer.createSpace({ name: SPACE });
  const writing = await timed(() => workload.write(space, progress(size.changes)));
  await writer.close();
  const homeBytes = await directoryBytes(home.dir);
  const { rawBytes } = workload.written;

  const again = await open(4);
  const operations = await measureOperations(await again.openSpace(SPACE), workload, (operation) =>
    say(`measuring: ${operation}`),
  );
  await again.close();
  say("measuring: new processes");
  const starts = await measureStarts(home, clock.now, workload);
  say("measuring: two devices");
  const devices = await measureTwoDevices(root.path, partOf(size), seed);
  const disk = figure("disk", { p50: homeBytes / rawBytes, samples: 1 });
  return {
    figures: inOrder([...operations, ...starts, ...devices.figures, disk]),
    writing: {
      ms: Math.round(writing.ms),
      changesPerSecond: Math.round(size.changes / (writing.ms / 1_000)),
    },
    disk: { rawBytes, homeBytes },
    firstSync: { ...devices.firstSync, size: devices.size },
  };
}

/** A relay and two devices in one process need several times the memory of one. */
function partOf({ memories, changes, samples }: WorkloadSize): WorkloadSize {
  const part = Math.min(1, DEVICES_CHANGES / changes);
  return { memories: Math.ceil(memories * part), changes: Math.ceil(changes * part), samples };
}

/** As the design lists them, with those that cannot be measured yet. */
function inOrder(measured: readonly Figure[]): readonly Figure[] {
  return Object.values(BUDGETS).map(
    (budget) => measured.find(({ operation }) => operation === budget.operation) ?? budget,
  );
}

type Report = Awaited<ReturnType<typeof measure>> & {
  readonly seed: number;
  readonly size: WorkloadSize;
  readonly machine: Awaited<ReturnType<typeof machine>>;
};

function print({ figures, writing, disk, firstSync, seed, size, machine: on }: Report): void {
  console.log(
    `reference, ${size.memories} memories, ${size.changes} changes, seed ${seed}\n${machineLine(on)}\n`,
  );
  console.log(table(["operation", "p50", "p95", "samples", "budget", ""], figures.map(rowOf)));
  console.log(
    `\nWritten at ${writing.changesPerSecond} changes a second, 32 in flight. Raw content ${bytesText(disk.rawBytes)}, home ${bytesText(disk.homeBytes)}.`,
  );
  console.log(
    `First sync of ${firstSync.size.changes} changes: to the relay in ${seconds(firstSync.uploadMs)}, to a new device in ${seconds(firstSync.downloadMs)}.`,
  );
}

export function rowOf({ operation, p50, p95, samples, budget, unit = "ms" }: Figure): readonly string[] {
  const text = (value: number | undefined): string =>
    value === undefined ? "–" : `${msText(value)} ${unit}`;
  return [
    operation,
    text(p50),
    text(p95),
    String(samples ?? "–"),
    budget === undefined ? "–" : `≤ ${budget} ${unit}`,
    verdict(p50, budget),
  ];
}

const verdict = (p50: number | undefined, budget: number | undefined): string =>
  p50 === undefined || budget === undefined ? "" : p50 <= budget ? "met" : "over";

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const PROGRESS_STEPS = 10;

/** To standard error, so that the table alone can be kept. */
export function progress(total: number): (done: number) => void {
  let shown = 0;
  return (done) => {
    const step = Math.floor((done / total) * PROGRESS_STEPS);
    if (step === shown) return;
    shown = step;
    say(`${done} of ${total} changes written`);
  };
}

export const say = (text: string): void => console.error(`… ${text}`);
