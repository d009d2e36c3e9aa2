/**
 * Every setting of the relay, once. The options, the variables, the keys of the file, their checks, the help, and
 * what `cambium-relay config` shows follow from it.
 *
 * @module
 */
import {
  addresses,
  blobPlace,
  byteLimit,
  bytes,
  choice,
  databaseUrl,
  duration,
  limit,
  port,
  type Setting,
  secret,
  secretToken,
  text,
  whole,
} from "./setting.js";

/** By what they are about, in the order in which the help shows them. */
export const SETTING_GROUPS = {
  "Where it listens, and where its data are": {
    host: text("the address to listen on", "127.0.0.1", "<address>"),
    port: port("0 for any free one", "4141"),
    data: text("where the relay keeps its data (default: relay in CAMBIUM_HOME)", undefined, "<dir>"),
    store: databaseUrl(
      "keep the log in this PostgreSQL database, which several relays may share (default: a file in the data directory)",
    ),
    "store-connections": whole("connections to that database at a time", "10", { least: 3, most: 1_000 }),
    "store-timeout": duration(
      "after so long without an answer a connection to that database is given up",
      "10s",
    ),
    blobs: blobPlace(
      "keep large segments of that log in this directory, or in s3://bucket/prefix?endpoint=…&region=… (default: in the database)",
    ),
    "blobs-key": text(
      "the id of the access key of the bucket (default: AWS_ACCESS_KEY_ID)",
      undefined,
      "<id>",
    ),
    "blobs-secret": secret("the secret of that key (default: AWS_SECRET_ACCESS_KEY)"),
    "admin-token": secretToken(
      "the relay's admin token, in place of the one that it makes and keeps in a file",
    ),
  },
  "TLS and proxies": {
    "tls-cert": text("a file with the certificate and its chain; read again at SIGHUP", undefined, "<file>"),
    "tls-key": text("the file with the key of the certificate", undefined, "<file>"),
    "trusted-proxies": addresses(
      "proxies whose X-Forwarded-For is believed: addresses and networks, with commas",
    ),
  },
  "Log and metrics": {
    "log-level": choice(
      "what is logged, from this level up",
      ["debug", "info", "warn", "error", "silent"],
      "info",
    ),
    "log-format": choice(
      "auto: plain lines at a terminal, JSON elsewhere",
      ["auto", "json", "plain"],
      "auto",
    ),
    "metrics-port": port("serve /metrics on this port; 0 for any free one (default: no metrics)", undefined),
    "metrics-host": text(
      "the address of the metrics; whoever reaches it can read them",
      "127.0.0.1",
      "<address>",
    ),
  },
  "Limits of connections": {
    "max-payload": bytes("the longest frame a client may send", "64MiB"),
    "max-payload-before-join": bytes("what a client may send before it has joined", "64KiB"),
    "max-connections": limit("open at a time", "20000"),
    "max-connections-per-token": limit("open at a time with one token", "500"),
    "max-connections-per-address": limit("open at a time from one address", "2000"),
    "max-wrong-tokens": limit("different wrong tokens from one address in ten minutes", "100"),
    "max-messages-per-second": limit("from one token, for long; more waits", "2000"),
    "max-bytes-per-second": byteLimit("from one token, for long; more waits", "32MiB"),
  },
  "Limits of spaces": {
    "max-bytes-in-flight": byteLimit("bytes in memory on their way", "512MiB"),
    "max-bytes-in-flight-per-space": byteLimit("the same, of one space", "64MiB"),
    "max-documents-per-space": limit("documents stored", "200000"),
    "max-bytes-per-space": byteLimit("bytes stored", "20GiB"),
    "max-tokens-per-space": limit("tokens that stand", "10000"),
  },
  Timing: {
    "idle-document": duration("how long a document stays in memory after its last use", "5m"),
    heartbeat: duration("how often a client has to give a sign of life", "30s"),
    drain: duration("how long an ending relay waits for its clients to close", "1s"),
  },
  "Tokens of an identity provider (OIDC)": {
    "oidc-issuer": text(
      "the address of the provider: its JWTs are taken as tokens of spaces",
      undefined,
      "<url>",
    ),
    "oidc-audience": text("what the claim aud of a JWT has to be", undefined),
    "oidc-space-claim": text("the claim that names the space", "cambium_space", "<claim>"),
    "oidc-role-claim": text("the claim that names the role: read, write or admin", "cambium_role", "<claim>"),
    "oidc-skew": whole("seconds by which clocks may differ", "30", {
      least: 0,
      most: 600,
      placeholder: "<seconds>",
    }),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>>;

type Groups = typeof SETTING_GROUPS;
type Merged = { [G in keyof Groups]: (all: Groups[G]) => void }[keyof Groups] extends (all: infer All) => void
  ? All
  : never;

/** Every setting with its value. */
export type Settings = {
  readonly [Name in keyof Merged]: Merged[Name] extends Setting<infer Value> ? Value : never;
};
export type SettingName = keyof Settings;

/** All of them by name. */
export const SETTINGS = Object.assign({}, ...Object.values(SETTING_GROUPS)) as Readonly<
  Record<SettingName, Setting<unknown>>
>;

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** The variable that sets it. */
export const variableOf = (name: string): string =>
  `CAMBIUM_RELAY_${name.toUpperCase().replaceAll("-", "_")}`;
