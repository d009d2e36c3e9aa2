/**
 * The daemon, and who else may hold the replica.
 *
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { acquireLock } from "@cambium/client/host";
import { isCambiumError } from "@cambium/core";
import { daemonPlace } from "../daemon-client/daemon-place.js";
import type { DoctorContext, RunningDaemon } from "./doctor-context.js";
import { type Finding, ok, problem, warn } from "./finding.js";
import { readDaemonNote } from "./read-daemon-note.js";

export function checkDaemon(
  daemon: RunningDaemon | undefined,
  { home, machine, version }: DoctorContext,
): Finding {
  const { note: notePath, log } = daemonPlace(home);
  if (daemon !== undefined) {
    const who = `The daemon answers: version ${daemon.version}, process ${daemon.pid}.`;
    return daemon.version === version
      ? ok("daemon", who)
      : warn("daemon", `${who} This is version ${version}.`, "The newer one takes over at its next call.");
  }
  const isOff = machine.env.CAMBIUM_DAEMON === "off";
  if (isOff) return ok("daemon", "No daemon runs; CAMBIUM_DAEMON=off keeps verbs from starting one.");
  const note = readDaemonNote(notePath);
  if (note === undefined) return ok("daemon", "No daemon runs; the next verb starts one.");
  return isAlive(note.pid)
    ? problem(
        "daemon",
        `Process ${note.pid} should be the daemon, but does not answer at ${note.socket}.`,
        `See ${log}; if it hangs, end that process: the next verb starts another.`,
      )
    : warn(
        "daemon",
        `The daemon of process ${note.pid} ended without a word.`,
        `See ${log}; the next verb starts another.`,
      );
}

/** Only asked when no daemon answers: it would be the one. */
export async function checkLock({ home }: DoctorContext): Promise<Finding> {
  const path = join(home, "lock");
  if (!existsSync(path)) return ok("lock", "No program holds the memory.");
  try {
    (await acquireLock(path, { waitMs: 0 })).release();
    return ok("lock", "No program holds the memory.");
  } catch (error) {
    if (!isCambiumError(error, "REPLICA_LOCKED")) throw error;
    const writer = writerOf(home);
    return problem(
      "lock",
      `Another program holds the memory${writer === undefined ? "" : `, as it seems process ${writer}`}.`,
      "Programs that open it by themselves shut others out: end it, or have it use the daemon.",
    );
  }
}

/** The session that writes leaves its process here. */
function writerOf(home: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(home, "writing"), "utf8").trim());
    return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined; // it only reads
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // somebody else's
  }
}
