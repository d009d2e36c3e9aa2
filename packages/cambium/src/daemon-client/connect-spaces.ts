/**
 * The way to spaces through the daemon. Apart from connect-replica.ts, whose declarations are public and mention none
 * of this.
 *
 * @module
 */

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Replica } from "@cambium/client";
import { OPTIONS, withCodes } from "@cambium/client/host";
import { nonEmpty } from "@cambium/core/text";
import { build } from "../operations/version.js";
import type { ConnectReplicaOptions } from "./connect-options.js";
import { DaemonConnection, type DaemonNews } from "./daemon-connection.js";
import { RemoteReplica, RemoteSpaces, type Spaces } from "./remote-replica.js";

/**
 * Like `connectReplica` without asking who it is: the daemon is called, and started, with the first call. `signal` ends every call.
 *
 * @throws {CambiumError} BAD_INPUT
 */
export const connectSpaces = (options: ConnectReplicaOptions, news?: DaemonNews): Spaces =>
  withCodes<Spaces>(new RemoteSpaces(connectionTo(options, news), { signal: options.signal }));

/** See `connectReplica`. */
export async function connectWhole(options: ConnectReplicaOptions, news?: DaemonNews): Promise<Replica> {
  const connection = connectionTo(options, news);
  try {
    const { replica } = await connection.call("daemon.status", {}, { signal: options.signal });
    return withCodes<Replica>(new RemoteReplica(connection, replica));
  } catch (error) {
    connection[Symbol.dispose]();
    throw error;
  }
}

function connectionTo(options: ConnectReplicaOptions, news: DaemonNews = {}): DaemonConnection {
  OPTIONS.connecting(options, "options");
  const { dir, start, env = process.env } = options;
  const home = resolve(dir ?? nonEmpty(env.CAMBIUM_HOME) ?? join(homedir(), ".cambium"));
  return new DaemonConnection({ home, start, env, version: build(), ...news });
}
