/**
 * A relay until it is asked to end, as `cambium-relay` and `cambium serve` run it.
 *
 * @module
 */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { adminTokenPath, keptAdminToken } from "./admin-token.js";
import { hasLog } from "./log/sqlite-log.js";
import { type RelayOptions, startRelay } from "./relay.js";

/** What there is to say once the relay listens. */
export interface RelayReady {
  /** `http://…`, with the port it listens on. */
  readonly url: string;
  /** Only on the first run with these data. */
  readonly adminToken?: string;
  /** Where it is kept, readable by its owner alone. Absent where it was shown before relays kept it. */
  readonly tokenFile?: string;
}

/** Where the relay keeps its data, where it listens, and when it ends. */
export interface ServeRelayOptions extends Required<Pick<RelayOptions, "dataDir" | "host" | "port">> {
  /** The relay ends when it fires, after what has arrived is finished. */
  readonly signal: AbortSignal;
  /** Called once, when the relay listens and before it ends. */
  readonly onReady: (ready: RelayReady) => void | Promise<void>;
}

/** @throws {CambiumError} as {@link startRelay} */
export async function serveRelay({ signal, onReady, ...options }: ServeRelayOptions): Promise<void> {
  const { dataDir } = options;
  const kept = hasLog(dataDir) && !existsSync(adminTokenPath(dataDir)) ? undefined : keptAdminToken(dataDir);
  await using relay = await startRelay(kept === undefined ? options : { ...options, adminToken: kept.token });
  await onReady({
    url: relay.url,
    ...(kept === undefined ? {} : { tokenFile: kept.path }),
    ...(kept?.isNew === true ? { adminToken: kept.token } : {}),
  });
  if (!signal.aborted) await once(signal, "abort");
}
