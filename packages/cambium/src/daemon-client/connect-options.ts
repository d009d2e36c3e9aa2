/**
 * Which daemon is meant, and whether it is started.
 *
 * @module
 */
/** Which daemon to use, and whether to start it. */
export interface ConnectReplicaOptions {
  /** The home of the replica: Default: CAMBIUM_HOME, or else `.cambium` in the user's home. */
  readonly dir?: string | undefined;
  /** Whether the daemon is started when it does not run. Default: true. */
  readonly start?: boolean | undefined;
  /** Stops the waiting for the daemon: the call rejects with ABORTED. */
  readonly signal?: AbortSignal | undefined;
  /** What the daemon is started with. Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}
