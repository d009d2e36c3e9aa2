/**
 * A relay until it is told to end, as `cambium-relay` and `cambium serve` run it.
 *
 * @module
 */
import { once } from "node:events";
import { type RelayOptions, startRelay } from "./relay.js";

/** What there is to say once the relay listens. */
export interface RelayReady {
  /** `http://…`, with the port it listens on. */
  readonly url: string;
  /** Only on the first run with these data. */
  readonly adminToken?: string;
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
  await using relay = await startRelay(options);
  const { url, adminToken } = relay;
  await onReady({ url, ...(adminToken === undefined ? {} : { adminToken }) });
  if (!signal.aborted) await once(signal, "abort");
}
