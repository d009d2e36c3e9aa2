/**
 * How much memory the daemon holds, after it has started and after it was used.
 *
 * @module
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { connectReplica } from "cambium";
import { daemonOf, inherited } from "../support/cambium-command.ts";
import type { Device } from "./device.ts";

export interface Resident {
  readonly after: string;
  readonly bytes: number;
}

const RECALLS = 1_000;
const WRITES = 100;

export async function measureMemory(device: Device): Promise<readonly Resident[]> {
  const { dir } = device.home;
  const times = (most: number): number => Math.min(most, device.workload.size.samples);
  await device.endDaemon();
  await using replica = await connectReplica({ dir, env: { ...inherited(), ...device.env } });
  const started = await residentBytes(dir);
  const space = await replica.openSpace();
  const opened = await residentBytes(dir);
  for (let round = 0; round < times(RECALLS); round += 1) {
    device.check(await space.recall(device.words().join(" "), { limit: 10 }));
  }
  const recalled = await residentBytes(dir);
  const agent = space.as({ agent: "bench" });
  for (let round = 0; round < times(WRITES); round += 1) await device.workload.remember(agent);
  const written = await residentBytes(dir);
  return [
    { after: "started", bytes: started },
    { after: "space opened", bytes: opened },
    { after: `${times(RECALLS)} recalls`, bytes: recalled },
    { after: `${times(WRITES)} writes`, bytes: written },
  ];
}

/** By `ps`, which Linux and macOS have. */
async function residentBytes(home: string): Promise<number> {
  const pid = await daemonOf(home);
  assert(pid !== undefined, "no daemon runs");
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) * 1_024;
}
