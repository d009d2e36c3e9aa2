/**
 * The way to a replica through its daemon.
 *
 * @module
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Replica } from "@cambium/client";
import { CONNECTING, withCodes } from "@cambium/client/host";
import { version } from "../operations/version.js";
import { DaemonConnection } from "./daemon-connection.js";
import { RemoteReplica, RemoteSpaces, type Spaces } from "./remote-replica.js";

export interface ConnectReplicaOptions {
  /** The home of the replica: CAMBIUM_HOME unless said, and else `.cambium` in the user's home. */
  readonly dir?: string | undefined;
  /** Whether the daemon is started when it does not run. Default: true. */
  readonly start?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the daemon is started with. Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

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

/**
 * The same without asking who it is: the daemon is called, and started, with the first call. `signal` ends every call.
 *
 * @throws {CambiumError} BAD_INPUT
 */
export const connectSpaces = (options: ConnectReplicaOptions): Spaces =>
  withCodes<Spaces>(new RemoteSpaces(connectionTo(options), { signal: options.signal }));

function connectionTo(options: ConnectReplicaOptions): DaemonConnection {
  CONNECTING(options, "options");
  const { dir, start, env = process.env } = options;
  const home = resolve(dir ?? nonEmpty(env.CAMBIUM_HOME) ?? join(homedir(), ".cambium"));
  return new DaemonConnection({ home, start, env, version: version() });
}

const nonEmpty = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
