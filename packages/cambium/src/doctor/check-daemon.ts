/**
 * The daemon, and who else may hold the replica.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { acquireLock } from "@cambium/client/host";
import { isCambiumError } from "@cambium/core";
import { daemonPlace } from "../daemon-client/daemon-place.js";
import type { DoctorContext, RunningDaemon } from "./doctor-context.js";
import { type Finding, ok, problem, warn } from "./finding.js";
import { readDaemonNote } from "./read-daemon-note.js";

export async function checkDaemon(
  daemon: RunningDaemon | undefined,
  { home, machine, version, timers }: DoctorContext,
): Promise<Finding> {
  const { note: notePath, lock, log } = daemonPlace(home);
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
  return (await isStaying(note.pid, timers)) && (await holderOf(lock, 0)) !== undefined
    ? problem(
        "daemon",
        `Process ${note.pid} should be the daemon, but does not answer at ${note.socket}.`,
        `See ${log}; if it hangs, end that process: the next verb starts another.`,
      )
    : ok(
        "daemon",
        `The daemon of process ${note.pid} was ended from outside; the next verb starts another.`,
        {
          hint: `Its log: ${log}`,
        },
      );
}

const ENDING_LOOKS = 10;
const ENDING_PAUSE_MS = 100;
/** What a program that ends takes to let go. */
const RELEASE_MS = 500;

/** Only asked when no daemon answers: it would be the one. */
export async function checkLock({ home }: DoctorContext): Promise<Finding> {
  const holder = await holderOf(join(home, "lock"), RELEASE_MS);
  if (holder === undefined) return ok("lock", "No program holds the memory.");
  return problem(
    "lock",
    `Another program holds the memory${holder.pid === undefined ? "" : `: process ${holder.pid}`}.`,
    "Programs that open it by themselves shut others out: end it, or have it use the daemon.",
  );
}

/** Who holds a lock, by its number where that is known: of a note alone, the number may be another program's by now. */
async function holderOf(path: string, waitMs: number): Promise<{ readonly pid?: number } | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    (await acquireLock(path, { waitMs })).release();
    return undefined;
  } catch (error) {
    if (!isCambiumError(error, "REPLICA_LOCKED")) throw error;
    const pid = error.details?.pid;
    return typeof pid === "number" ? { pid } : {};
  }
}

/** A process that was killed is seen for a moment longer. */
async function isStaying(pid: number, timers: DoctorContext["timers"]): Promise<boolean> {
  for (let looks = 0; looks < ENDING_LOOKS; looks += 1) {
    if (!isAlive(pid)) return false;
    await new Promise<void>((resolve) => void timers.after(ENDING_PAUSE_MS, resolve));
  }
  return isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"; // somebody else's
  }
}
