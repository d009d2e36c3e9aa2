/**
 * What a relay is started with, and what it is then.
 *
 * @module
 */
import type { BlockList } from "node:net";
import type { OnEvent } from "./events.js";
import type { RelayLimits } from "./limits/limits.js";
import type { RelayLog } from "./log/relay-log.js";
import type { OidcOptions } from "./oidc.js";
import type { ShownSetting } from "./settings/show-settings.js";
import type { Timers } from "./timers.js";

/** A certificate with its chain and its key, each as PEM. */
export interface TlsFiles {
  /** The certificate, then those that it rests on. */
  readonly cert: string;
  /** The key of the certificate. */
  readonly key: string;
}

/** Where a relay keeps what it is sent, and where it listens. */
export interface RelayOptions {
  /** Where the embedded log lives. Either this or `log`. */
  readonly dataDir?: string;
  /** A log of your own; it is closed with the relay. */
  readonly log?: RelayLog;
  /** Default: `127.0.0.1`, so that only this machine reaches it. */
  readonly host?: string;
  /** Default: 0, any free one. */
  readonly port?: number;
  /** The relay's admin token from now on; without it, one is made at the first run. */
  readonly adminToken?: string;
  /** Returns milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: () => number;
  /** Returns cryptographically strong random bytes. Default: Node's `randomBytes`. */
  readonly random?: (length: number) => Uint8Array;
  /** For heartbeats and for letting idle documents go. Default: `systemTimers`. */
  readonly timers?: Timers;
  /** The longest frame a client may send. A longer one ends its session. Default: 64 MiB. */
  readonly maxPayloadBytes?: number;
  /** How long a document stays in memory after its last use. Default: 300,000, five minutes. */
  readonly idleDocumentMs?: number;
  /** How often a client has to give a sign of life. Default: 30,000. */
  readonly heartbeatMs?: number;
  /** How long an ending relay waits for its clients to answer. Default: 1,000. */
  readonly drainMs?: number;
  /** What one client, address or space may take. */
  readonly limits?: Partial<RelayLimits>;
  /** Speak TLS. Default: plain HTTP, for this machine or behind a proxy. */
  readonly tls?: TlsFiles;
  /** Proxies whose `X-Forwarded-For` is believed. Default: none. */
  readonly trustedProxies?: BlockList;
  /** Takes JWTs of an identity provider as tokens of spaces. */
  readonly oidc?: OidcOptions;
  /** Keeps a new admin token of the relay before it counts; what it throws leaves the old one. */
  readonly keepAdminToken?: (token: string) => void;
  /** How it was set up, for its admin, who asks for it: no secrets. Default: nothing. */
  readonly settings?: readonly ShownSetting[];
  /** Takes the relay's log. Default: nothing is logged. */
  readonly onEvent?: OnEvent;
}

/** A relay that listens. */
export interface Relay extends AsyncDisposable {
  /** `http://…`; clients sync at `ws://…/sync`. */
  readonly url: string;
  /** The port it listens on, also if any free one was asked for. */
  readonly port: number;
  /** Only on the run that made it. */
  readonly adminToken?: string;
  /** Speaks TLS with another certificate from the next connection on. For a relay that began with one. */
  renewTls(files: TlsFiles): void;
  /** Finishes what has arrived, ends all sessions, frees the port. More than once is as once. */
  close(): Promise<void>;
}
