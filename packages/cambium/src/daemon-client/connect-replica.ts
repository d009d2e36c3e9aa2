/**
 * The way to a replica through its daemon.
 *
 * @module
 */
import type { Replica } from "@cambium/client";
import { withCodes } from "@cambium/client/host";
import type { ConnectReplicaOptions } from "./connect-options.js";
import { connectionTo } from "./connect-spaces.js";
import { RemoteReplica } from "./remote-replica.js";

export type { ConnectReplicaOptions } from "./connect-options.js";

/**
 * Connects to the daemon that owns the replica of a home directory, and starts it if need be. Unlike
 * `openReplica`, any number of programs can do so at once.
 *
 * @throws {CambiumError} DAEMON_UNREACHABLE, ABORTED, and what keeps the daemon from opening the replica
 */
export async function connectReplica(options: ConnectReplicaOptions = {}): Promise<Replica> {
  const connection = connectionTo(options);
  try {
    const { replica } = await connection.call("daemon.status", {}, { signal: options.signal });
    return withCodes<Replica>(new RemoteReplica(connection, replica));
  } catch (error) {
    connection[Symbol.dispose]();
    throw error;
  }
}
