/**
 * The way to spaces through the daemon. Apart from connect-replica.ts, whose declarations are public and mention none
 * of this.
 *
 * @module
 */

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { OPTIONS, withCodes } from "@cambium/client/host";
import { nonEmpty } from "@cambium/core/text";
import { version } from "../operations/version.js";
import type { ConnectReplicaOptions } from "./connect-options.js";
import { DaemonConnection } from "./daemon-connection.js";
import { RemoteSpaces, type Spaces } from "./remote-replica.js";

/**
 * Like `connectReplica` without asking who it is: the daemon is called, and started, with the first call. `signal` ends every call.
 *
 * @throws {CambiumError} BAD_INPUT
 */
export const connectSpaces = (options: ConnectReplicaOptions): Spaces =>
  withCodes<Spaces>(new RemoteSpaces(connectionTo(options), { signal: options.signal }));

export function connectionTo(options: ConnectReplicaOptions): DaemonConnection {
  OPTIONS.connecting(options, "options");
  const { dir, start, env = process.env } = options;
  const home = resolve(dir ?? nonEmpty(env.CAMBIUM_HOME) ?? join(homedir(), ".cambium"));
  return new DaemonConnection({ home, start, env, version: version() });
}
