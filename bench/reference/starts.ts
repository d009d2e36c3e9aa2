/**
 * What takes a new process: starting cold, and everything that shall not share memory with the rest.
 *
 * @module
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { quantiles } from "../support/statistics.ts";
import { type Figure, figure } from "./budgets.ts";
import type { FirstSync } from "./devices.ts";
import type { Workload, WorkloadSize } from "./workload.ts";

export interface Home {
  readonly dir: string;
  readonly stateDir: string;
}

export interface TwoDevices {
  readonly size: WorkloadSize;
  readonly figures: readonly Figure[];
  readonly firstSync: FirstSync;
}

const STARTS = 7;

/** Both counted from the start of the process, Node's own start included. */
export async function measureStarts(
  { dir, stateDir }: Home,
  now: number,
  workload: Workload,
): Promise<readonly Figure[]> {
  const [opens, recalls]: [number[], number[]] = [[], []];
  for (let round = 0; round < Math.min(STARTS, workload.size.samples); round += 1) {
    const query = `${workload.topic()} ${workload.topic()}`;
    const { openMs, recallMs } = await run<{ readonly openMs: number; readonly recallMs: number }>(
      "first-recall-process.mjs",
      [dir, stateDir, String(now), query],
    );
    opens.push(openMs);
    recalls.push(recallMs);
  }
  return [figure("open", quantiles(opens)), figure("firstRecall", quantiles(recalls))];
}

export function measureTwoDevices(root: string, size: WorkloadSize, seed: number): Promise<TwoDevices> {
  return run("two-devices-process.ts", [root, JSON.stringify(size), String(seed)]);
}

/** @returns what the process printed */
async function run<Result>(file: string, args: readonly string[]): Promise<Result> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, path, ...args]);
  return JSON.parse(stdout) as Result;
}
