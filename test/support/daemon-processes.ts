/** Daemons as the operating system knows them: one that has told nobody of itself counts, too. */
import { readdirSync, readFileSync } from "node:fs";
import { daemonsIn } from "../../packages/cambium/test/cli/daemons.js";

/** @returns the processes of all daemons whose home is in `dir`; without /proc, those that a note tells of */
export function daemonProcesses(dir: string): readonly number[] {
  if (process.platform !== "linux") return daemonsIn(dir);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isDaemonIn(dir, name))
    .map(Number);
}

function isDaemonIn(dir: string, pid: string): boolean {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const env = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return args[2] === "daemon" && env.some((entry) => entry.startsWith(`CAMBIUM_HOME=${dir}/`));
  } catch {
    return false; // it has ended meanwhile, or is somebody else's
  }
}
