/**
 * A relay until it is asked to end, as `cambium-relay` and `cambium serve` run it: from settings to a listening relay
 * with its log, its metrics and its files.
 *
 * @module
 */
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { CambiumError } from "@cambium/core";
import { adminTokenPath, keepAdminToken, keptAdminToken, readAdminToken } from "./admin-token.js";
import type { OnEvent } from "./events.js";
import { openBlobs } from "./log/blobs/open-blobs.js";
import { openPostgresLog } from "./log/postgres/open-log.js";
import type { RelayLog } from "./log/relay-log.js";
import { hasLog, LOG_FILE_NAME } from "./log/sqlite-log.js";
import { writeRunning } from "./operate/running-file.js";
import { startRelay } from "./relay.js";
import type { Relay, RelayOptions, TlsFiles } from "./relay-options.js";
import { readSettings, type SettingSources } from "./settings/read-settings.js";
import { badSetting } from "./settings/setting.js";
import { shownSettings, withData } from "./settings/show-settings.js";
import type { Settings } from "./settings/table.js";
import { hashToken } from "./tokens.js";

/** What there is to say once the relay listens. */
export interface RelayReady {
  /** `http://…` or `https://…`, with the port it listens on. */
  readonly url: string;
  /** With a name that other machines may know. Only of a relay that listens on all addresses. */
  readonly urlForDevices?: string;
  /** Only if it was asked for. */
  readonly adminToken?: string;
  /** Where it is kept, readable by its owner alone. Absent where it is set, or was shown before relays kept it. */
  readonly tokenFile?: string;
  /** Where Prometheus finds the metrics, if they are shown. */
  readonly metricsUrl?: string;
}

/** Where the settings come from, and what there is besides them. */
export interface ServeRelayOptions extends SettingSources {
  /** The relay ends when it fires, after what has arrived is finished. */
  readonly signal: AbortSignal;
  /** Called once, when the relay listens and before it ends. */
  readonly onReady: (ready: RelayReady) => void | Promise<void>;
  /** Takes the lines of the log. */
  readonly log: (line: string) => void;
  /** A person reads the log as it is written. */
  readonly isWatched: boolean;
  /** Have the admin token in what `onReady` is told. */
  readonly showAdminToken?: boolean;
}

/** @throws {CambiumError} BAD_INPUT for a setting, and as {@link startRelay} */
export async function serveRelay(options: ServeRelayOptions): Promise<void> {
  const { signal, onReady, log, isWatched, showAdminToken = false } = options;
  const { settings, found } = readSettings(options);
  const { data: dataDir } = settings;
  // Embedders bring their own log, and most relays show no metrics.
  const { eventLogger } = await import("./operate/logger.js");
  const format = settings["log-format"] === "auto" ? (isWatched ? "plain" : "json") : settings["log-format"];
  const write = eventLogger({ level: settings["log-level"], format, write: log });
  await using metrics = await metricsOf(settings);
  const onEvent: OnEvent = (event) => {
    metrics?.metrics.take(event);
    write(event);
  };
  const sharedLog = await sharedLogOf(settings, options.env, onEvent);
  const admin = sharedLog === undefined ? adminOf(settings) : await sharedAdminOf(settings, sharedLog);
  const shared = sharedLog === undefined ? {} : { log: sharedLog };
  const relayOptions = relayOptionsOf(settings);
  const shown = shownSettings(withData(found, dataDir));
  const startOptions = { ...relayOptions, ...shared, ...admin.options, settings: shown, onEvent };
  await using relay = await startRelay(startOptions);
  const tellRunning = (tls: TlsFiles | undefined): (() => void) =>
    writeRunning(dataDir, { url: relay.url, pid: process.pid, certificate: tls?.cert });
  using _running = atEnd(tellRunning(relayOptions.tls));
  using _reload = atEnd(onHangUp(relay, settings, { onEvent, onRenewed: tellRunning }));
  await onReady({
    url: relay.url,
    ...urlForDevices(relay.url, relayOptions.tls),
    ...(admin.file === undefined ? {} : { tokenFile: admin.file }),
    ...(metrics === undefined ? {} : { metricsUrl: metrics.url }),
    ...(showAdminToken && admin.options.adminToken !== undefined
      ? { adminToken: admin.options.adminToken }
      : {}),
  });
  if (!signal.aborted) await once(signal, "abort");
}

const atEnd = (run: () => void): Disposable => ({ [Symbol.dispose]: run });

/** The settings as a relay that is embedded takes them. */
function relayOptionsOf(settings: Settings & { readonly data: string }): RelayOptions {
  const { host, port, data: dataDir } = settings;
  const trustedProxies = settings["trusted-proxies"];
  const [tls, oidc] = [tlsOf(settings), oidcOf(settings)];
  return {
    ...{ dataDir, host, port },
    maxPayloadBytes: settings["max-payload"],
    idleDocumentMs: settings["idle-document"],
    heartbeatMs: settings.heartbeat,
    drainMs: settings.drain,
    limits: {
      connections: settings["max-connections"],
      connectionsPerToken: settings["max-connections-per-token"],
      connectionsPerAddress: settings["max-connections-per-address"],
      bytesBeforeJoin: settings["max-payload-before-join"],
      wrongTokens: settings["max-wrong-tokens"],
      messagesPerSecond: settings["max-messages-per-second"],
      bytesPerSecond: settings["max-bytes-per-second"],
      bytesInFlight: settings["max-bytes-in-flight"],
      bytesInFlightPerSpace: settings["max-bytes-in-flight-per-space"],
      documentsPerSpace: settings["max-documents-per-space"],
      bytesPerSpace: settings["max-bytes-per-space"],
      tokensPerSpace: settings["max-tokens-per-space"],
    },
    ...(tls === undefined ? {} : { tls }),
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
    ...(oidc === undefined ? {} : { oidc }),
  };
}

function oidcOf(settings: Settings): RelayOptions["oidc"] {
  const [issuer, audience] = [settings["oidc-issuer"], settings["oidc-audience"]];
  if (issuer === undefined || audience === undefined) return undefined;
  const [spaceClaim, roleClaim] = [settings["oidc-space-claim"], settings["oidc-role-claim"]];
  return { issuer, audience, spaceClaim, roleClaim, skewSeconds: settings["oidc-skew"] };
}

const ALL_ADDRESSES: ReadonlySet<string> = new Set(["0.0.0.0", "[::]"]);

/** The name in the certificate, or that of the machine. */
function urlForDevices(url: string, tls: TlsFiles | undefined): Pick<RelayReady, "urlForDevices"> {
  const found = new URL(url);
  if (!ALL_ADDRESSES.has(found.hostname)) return {};
  const names = tls === undefined ? "" : (new X509Certificate(tls.cert).subjectAltName ?? "");
  const [, name] = /(?:^|, )DNS:([^*,"]+)(?:,|$)/.exec(names) ?? [];
  found.hostname = name ?? hostname();
  return { urlForDevices: found.origin };
}

function tlsOf(settings: Settings): TlsFiles | undefined {
  const [cert, key] = [settings["tls-cert"], settings["tls-key"]];
  if (cert === undefined || key === undefined) return undefined;
  return { cert: pemOf("tls-cert", cert), key: pemOf("tls-key", key) };
}

function pemOf(setting: "tls-cert" | "tls-key", file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw badSetting(
      setting,
      `names ${file}, which cannot be read (${(cause as NodeJS.ErrnoException).code})`,
    );
  }
  if (text.includes("-----BEGIN ")) return text;
  throw badSetting(setting, `names ${file}, which is not PEM`);
}

/** Certificates are renewed every few weeks, and nobody is cut for it. */
function onHangUp(
  relay: Relay,
  settings: Settings,
  { onEvent, onRenewed }: { readonly onEvent: OnEvent; readonly onRenewed: (files: TlsFiles) => void },
): () => void {
  if (settings["tls-cert"] === undefined) return () => {};
  const reload = (): void => {
    try {
      const files = tlsOf(settings);
      if (files !== undefined) {
        relay.renewTls(files);
        onRenewed(files);
      }
      onEvent({ level: "info", type: "tls-renewed" });
    } catch (error) {
      onEvent({ level: "error", type: "failed", error });
    }
  };
  process.on("SIGHUP", reload);
  return () => process.off("SIGHUP", reload);
}

/** The admin token that is set, or the one of the file. */
function adminOf(settings: Settings & { readonly data: string }): {
  readonly options: Pick<RelayOptions, "adminToken" | "keepAdminToken">;
  readonly file?: string;
} {
  const { data: dataDir, "admin-token": set } = settings;
  if (set !== undefined) return { options: { adminToken: set, keepAdminToken: refuseRotation } };
  const keep = (token: string): void => keepAdminToken(dataDir, token);
  if (hasLog(dataDir) && !existsSync(adminTokenPath(dataDir))) return { options: { keepAdminToken: keep } };
  const { token, path } = keptAdminToken(dataDir);
  return { options: { adminToken: token, keepAdminToken: keep }, file: path };
}

/** The log in a database, where one is named. The relay closes it. */
async function sharedLogOf(
  settings: Settings & { readonly data: string },
  env: SettingSources["env"],
  onEvent: OnEvent,
): Promise<RelayLog | undefined> {
  const { store: url, "store-connections": connections, "store-timeout": timeoutMs } = settings;
  const blobs = openBlobs(settings, env, {
    onRetry: seldom((error) => onEvent({ level: "warn", type: "segments-retried", error })),
  });
  if (url === undefined) return undefined;
  const onError = (error: unknown): void => onEvent({ level: "error", type: "failed", error });
  // The audit and the admin token are kept here all the same.
  mkdirSync(settings.data, { recursive: true, mode: 0o700 });
  // A bucket that is misnamed, or closed, is told now, and not once there is something to pack.
  blobs?.get(NO_BLOB).catch(onError);
  return await openPostgresLog(url, {
    connections,
    timeoutMs,
    onError,
    ...(blobs === undefined ? {} : { blobs }),
  });
}

/** A name that no blob has. */
const NO_BLOB = "is/there";
const SELDOM_MS = 60_000;

function seldom<Value>(take: (value: Value) => void): (value: Value) => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  return (value) => {
    if (performance.now() - lastAt < SELDOM_MS) return;
    lastAt = performance.now();
    take(value);
  };
}

/** Relays that share a log have one admin token: a file that holds another one is of another time, and not believed. */
async function sharedAdminOf(
  settings: Settings & { readonly data: string },
  log: RelayLog,
): Promise<ReturnType<typeof adminOf>> {
  const { data: dataDir, "admin-token": set } = settings;
  const known = await log.relayAdminHash();
  const inFile = readAdminToken(dataDir);
  const isOfOthers = known !== undefined && (inFile === undefined || hashToken(inFile) !== known);
  if (set !== undefined || !isOfOthers) return adminOf(settings);
  return { options: { keepAdminToken: (token) => keepAdminToken(dataDir, token) } };
}

function refuseRotation(): never {
  throw new CambiumError("BAD_INPUT", "The relay's admin token is set from outside: change it there.", {
    hint: "It is in CAMBIUM_RELAY_ADMIN_TOKEN, or in the file of the settings.",
  });
}

async function metricsOf(settings: Settings & { readonly data: string }) {
  const { "metrics-port": port, "metrics-host": host, data } = settings;
  if (port === undefined) return undefined;
  const { listenForMetrics, Metrics } = await import("./operate/metrics.js");
  const files = ["", "-wal"].map((end) => join(data, `${LOG_FILE_NAME}${end}`));
  const metrics = new Metrics(files);
  const listener = await listenForMetrics(metrics, { host, port });
  return { metrics, url: listener.url, [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose]() };
}
