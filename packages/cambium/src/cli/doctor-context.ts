/**
 * This device, as the doctor looks at it.
 *
 * @module
 */
import { statfsSync } from "node:fs";
import { isCambiumError } from "@cambium/core";
import { daemonPlace } from "../daemon-client/daemon-place.js";
import type { DoctorContext, RunningDaemon } from "../doctor/doctor-context.js";
import { readDaemonNote } from "../doctor/read-daemon-note.js";
import { build } from "../operations/version.js";
import type { Context } from "./context.js";
import { machineOf } from "./machine.js";

const DAEMON_TIMEOUT_MS = 3_000;

export function doctorContext(context: Context): DoctorContext {
  const { home, io } = context;
  return {
    ...{ home, machine: machineOf(io), version: build(), nodeVersion: process.versions.node },
    ...{ now: io.now, timers: io.timers, signal: io.signal },
    freeBytes: (dir) => {
      const { bavail, bsize } = statfsSync(dir);
      return bavail * bsize;
    },
    openReplica: () => context.openHere(),
    findDaemon: () => findDaemon(home, io.signal),
  };
}

/** Says that it is of the daemon's own version, and names no models: else an older one would make room for it. */
async function findDaemon(home: string, signal: AbortSignal): Promise<RunningDaemon | undefined> {
  const note = readDaemonNote(daemonPlace(home).note);
  if (note === undefined) return undefined;
  const [{ DaemonConnection }, { RemoteReplica }] = await Promise.all([
    import("../daemon-client/daemon-connection.js"),
    import("../daemon-client/remote-replica.js"),
  ]);
  const same = { version: note.version, env: {} };
  const connection = new DaemonConnection({ home, ...same, start: false, timeoutMs: DAEMON_TIMEOUT_MS });
  try {
    const status = await connection.call("daemon.status", {}, { signal });
    const replica = new RemoteReplica(connection, status.replica);
    const [{ pid }, dispose] = [status, () => connection[Symbol.dispose]()];
    return { pid, version: status.version, replica, [Symbol.dispose]: dispose };
  } catch (error) {
    connection[Symbol.dispose]();
    if (isCambiumError(error, "DAEMON_UNREACHABLE")) return undefined;
    throw error;
  }
}
