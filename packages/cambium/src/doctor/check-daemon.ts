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
  return (await isStaying(note.pid, timers)) && (await isHeld(lock))
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
  const path = join(home, "lock");
  if (!existsSync(path)) return ok("lock", "No program holds the memory.");
  try {
    (await acquireLock(path, { waitMs: RELEASE_MS })).release();
    return ok("lock", "No program holds the memory.");
  } catch (error) {
    if (!isCambiumError(error, "REPLICA_LOCKED")) throw error;
    const pid = error.details?.pid;
    return problem(
      "lock",
      `Another program holds the memory${typeof pid === "number" ? `: process ${pid}` : ""}.`,
      "Programs that open it by themselves shut others out: end it, or have it use the daemon.",
    );
  }
}

/** The number of a daemon that was killed may be another program's by now: the lock decides. */
async function isHeld(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  try {
    (await acquireLock(path, { waitMs: 0 })).release();
    return false;
  } catch (error) {
    if (!isCambiumError(error, "REPLICA_LOCKED")) throw error;
    return true;
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
