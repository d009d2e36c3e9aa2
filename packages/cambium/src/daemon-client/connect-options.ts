/**
 * Which daemon is meant, and whether it is started.
 *
 * @module
 */
export interface ConnectReplicaOptions {
  /** The home of the replica: CAMBIUM_HOME unless said, and else `.cambium` in the user's home. */
  readonly dir?: string | undefined;
  /** Whether the daemon is started when it does not run. Default: true. */
  readonly start?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the daemon is started with. Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}
