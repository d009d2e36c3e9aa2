/**
 * The reference workload ten times over: what stays as fast, and how much memory it takes to build the
 * index and to answer from it.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { openReplica, type Replica } from "@cambium/client";
import { type Figure, figure } from "../reference/budgets.ts";
import { measureOperations } from "../reference/operations.ts";
import { progress, rowOf, say } from "../reference/reference.ts";
import { type Home, measureStarts } from "../reference/starts.ts";
import type { WorkloadSize } from "../reference/workload.ts";
import { directoryBytes } from "../support/disk.ts";
import { bytesText, machine, machineLine, table, writeJson } from "../support/report.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { msText, type Quantiles } from "../support/statistics.ts";
import { wholeNumber } from "../support/usage-error.ts";
import { workloadSize } from "../support/workload-size.ts";
import { copyHome, SPACE, type WrittenHome, writeHome } from "./written-home.ts";

/** The design allows so many times the reference's budget. */
const TIMES_THE_BUDGET = 4;
const QUERIES = 200;

/** What a process printed that rebuilt the index. */
export interface Build {
  readonly records: number;
  readonly ms: number;
  readonly peakBytes: number;
}

/** What a process printed that only read. */
export interface Serving {
  readonly recall: Quantiles;
  readonly get: Quantiles;
  readonly past: Quantiles;
  readonly peakBytes: number;
}

export async function scale(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      memories: { type: "string", default: "100000" },
      changes: { type: "string", default: "300000" },
      samples: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      json: { type: "string" },
      keep: { type: "string" },
      home: { type: "string" },
    },
  });
  const size = workloadSize(values);
  const seed = wholeNumber("seed", values.seed);
  await using root = await mkdtempDisposable(join(tmpdir(), "cambium-bench-"));
  if (values.keep !== undefined) await writeHome(resolve(values.keep), size, seed, progress(size.changes));
  const from = values.home ?? values.keep;
  const written =
    from === undefined
      ? await writeHome(root.path, size, seed, progress(size.changes))
      : await copyHome(resolve(from), root.path, size.samples);
  const measured = await measure(written);
  const about = { seed: written.seed, size: written.workload.size };
  const report = { benchmark: "scale", ...about, machine: await machine(), ...measured };
  print(report);
  if (values.json !== undefined) await writeJson(values.json, report);
  return 0;
}

/** Measures a home that nobody else needs: some of what is measured writes. */
async function measure(written: WrittenHome) {
  const { home, clock, seed, workload } = written;
  const { size } = workload;
  const open = (): Promise<Replica> =>
    openReplica({ ...home, clock: () => clock.now, random: seededRandom(seed, 4).bytes });
  const homeBytes = await directoryBytes(home.dir);
  const { rawBytes } = workload.written;

  say("measuring: building the index");
  const build = await run<Build>("build-process.ts", home, clock.now, []);
  say("measuring: a process that only reads");
  const queries = Array.from(
    { length: QUERIES },
    () => `${workload.topic()} ${workload.topic()} ${workload.topic()}`,
  );
  const serving = await run<Serving>("serve-process.ts", home, clock.now, [
    JSON.stringify(queries),
    JSON.stringify(workload.sample(Math.min(1_000, size.memories))),
  ]);
  const starts = await measureStarts(home, clock.now, workload);
  const again = await open();
  const operations = await measureOperations(await again.openSpace(SPACE), workload, (operation) =>
    say(`measuring: ${operation}`),
  );
  await again.close();
  const changesPerSecond = Math.round(size.changes / (written.writingMs / 1_000));
  return {
    figures: [...operations, ...starts, figure("disk", { p50: homeBytes / rawBytes, samples: 1 })],
    build,
    serving,
    changesPerSecond,
    disk: { rawBytes, homeBytes },
  };
}

type Report = Awaited<ReturnType<typeof measure>> & {
  readonly seed: number;
  readonly size: WorkloadSize;
  readonly machine: Awaited<ReturnType<typeof machine>>;
};

function print({ figures, build, serving, changesPerSecond, disk, seed, size, machine: on }: Report): void {
  console.log(
    `scale, ${size.memories} memories, ${size.changes} changes, seed ${seed}\n${machineLine(on)}\n`,
  );
  console.log(table(["operation", "p50", "p95", "samples", "budget", ""], figures.map(scaledRow)));
  const perSecond = Math.round(build.records / (build.ms / 1_000));
  console.log(
    `\nBuilding the index: ${build.records} records in ${(build.ms / 1_000).toFixed(1)} s, ${perSecond} a second (aim 5,000), peak memory ${bytesText(build.peakBytes)} (aim 1.5 GB).`,
  );
  console.log(
    `Only reading: recall ${quantileText(serving.recall)} (aim 25 and 60), recall in the past ${quantileText(serving.past)}, one memory ${quantileText(serving.get)}, peak memory ${bytesText(serving.peakBytes)} (aim 400 MB).`,
  );
  console.log(
    `Written at ${changesPerSecond} changes a second, 32 in flight. Raw content ${bytesText(disk.rawBytes)}, home ${bytesText(disk.homeBytes)}.`,
  );
}

const quantileText = ({ p50, p95 }: Quantiles): string => `p50 ${msText(p50)} ms, p95 ${msText(p95)} ms`;

/** Disk grows with the content; everything else may take four times as long. */
const scaledRow = (measured: Figure): readonly string[] =>
  rowOf(
    measured.unit === "×" || measured.budget === undefined
      ? measured
      : { ...measured, budget: measured.budget * TIMES_THE_BUDGET },
  );

/** @returns what the process printed */
async function run<Result>(
  file: string,
  { dir, stateDir }: Home,
  now: number,
  args: readonly string[],
): Promise<Result> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...process.execArgv, path, dir, stateDir, String(now), ...args],
    { maxBuffer: 1 << 26 },
  );
  return JSON.parse(stdout) as Result;
}
