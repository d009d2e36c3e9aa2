/**
 * The way to a replica through its daemon.
 *
 * @module
 */
import type { Replica } from "@cambium/client";
import type { ConnectReplicaOptions } from "./connect-options.js";
import { connectWhole } from "./connect-spaces.js";

export type { ConnectReplicaOptions } from "./connect-options.js";

/**
 * Connects to the daemon that owns the replica of a home directory, and starts it if need be. Unlike
 * `openReplica`, any number of programs can do so at once.
 *
 * @throws {CambiumError} DAEMON_UNREACHABLE, ABORTED, and what keeps the daemon from opening the replica
 */
export async function connectReplica(options: ConnectReplicaOptions = {}): Promise<Replica> {
  return await connectWhole(options);
}
