/**
 * The life of the daemon's process: it becomes the one daemon of its home or finds that there is one, and ends
 * cleanly.
 *
 * @module
 */
import { statSync } from "node:fs";
import { connect } from "node:net";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { OpenReplicaOptions } from "@cambium/client";
import { openReplica } from "@cambium/client";
import { acquireLock, type Lock, makePrivateDirectory, systemTimers } from "@cambium/client/host";
import { CambiumError, isCambiumError, throwIfAborted } from "@cambium/core";
import { type DaemonPlace, daemonPlace } from "../daemon-client/daemon-place.js";
import type { McpEndpoint } from "../mcp/http.js";
import { withDeviceNames } from "../operations/device-names.js";
import { modelsDigest } from "../operations/models.js";
import { build } from "../operations/version.js";
import { Daemon } from "./daemon.js";
import { openDaemonLog } from "./daemon-log.js";
import { takeSettings } from "./inherited-settings.js";
import type { OwnedReplica } from "./owned-replica.js";

export interface RunDaemonOptions {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly port: number;
  readonly idleMs: number;
  readonly signal: AbortSignal;
  readonly onReady: (ready: { readonly url: string; readonly socket: string }) => Promise<void>;
}

/** Longer than a daemon that ends takes to let go. */
const TAKEOVER_MS = 20_000;
/** How long one attempt waits for the lock before it looks whether somebody answers. */
const TURN_MS = 50;
const HOME_LOOK_MS = 5_000;

/**
 * @returns whether this was the daemon; otherwise another one answers already
 * @throws {CambiumError} REPLICA_LOCKED when another one holds its lock and does not answer
 */
export async function runDaemon(options: RunDaemonOptions): Promise<boolean> {
  const { env, version, port, idleMs, signal, onReady } = options;
  const home = resolve(options.home);
  makePrivateDirectory(home);
  const place = daemonPlace(home);
  const lock = await becomeTheOne(place, signal);
  if (lock === undefined) return false;
  try {
    const before = takeSettings(place.next);
    const log = openDaemonLog({ path: place.log, now: Date.now, isVerbose: env.CAMBIUM_DEBUG === "1" });
    const helpers = await helpersFrom(env);
    const daemon = await Daemon.start({
      ...{ home, place, version, log, now: Date.now, timers: systemTimers },
      port: port === 0 ? before.port : port,
      idleMs: before.stay ? Number.POSITIVE_INFINITY : idleMs,
      models: modelsDigest(env),
      versionOnDisk: build,
      // Beside the bundle, and beside what the compiler writes.
      pageFolder: fileURLToPath(new URL("../page", import.meta.url)),
      openMcp: (owned) => openMcp(owned, env),
      openReplica: async (notify) => {
        const onWait = ({ pid }: { readonly pid?: number }): void =>
          log.info(
            `Waiting for ${pid === undefined ? "another process" : `process ${pid}`}, which has the replica open.`,
          );
        return withDeviceNames(
          await openReplica({ dir: home, connect: true, onWait, ...helpers, ...notify }),
        );
      },
    });
    const stop = (): void => daemon.stop(`of ${String(signal.reason)}`);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    const watch = watchHome(place, () => daemon.stop("its home or its socket is gone"));
    try {
      await onReady({ url: daemon.url, socket: place.socket });
      await daemon.ended;
    } finally {
      clearInterval(watch);
      daemon.stop("it could not write its note");
      await daemon.ended; // the lock is let go only when nothing is answered any more
    }
    return true;
  } finally {
    lock.release();
  }
}

/**
 * A person who removes the home, and perhaps makes another in its place, does not know of this process. Without its
 * socket nobody finds it, and nobody else may begin.
 */
function watchHome({ lock, socket }: DaemonPlace, onGone: () => void): NodeJS.Timeout {
  const watched = process.platform === "win32" ? [lock] : [lock, socket];
  const inos = watched.map(inoOf);
  return setInterval(() => {
    if (watched.some((path, place) => inoOf(path) !== inos[place])) onGone();
  }, HOME_LOOK_MS);
}

const inoOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;

/** A daemon that ends still holds the lock, though nobody can reach it any more: then this one waits its turn. */
async function becomeTheOne(place: DaemonPlace, signal: AbortSignal): Promise<Lock | undefined> {
  const deadline = performance.now() + TAKEOVER_MS;
  for (;;) {
    throwIfAborted(signal);
    try {
      return await acquireLock(place.lock, { waitMs: 0, signal });
    } catch (error) {
      if (!isCambiumError(error, "REPLICA_LOCKED")) throw error;
    }
    if (await isAnswering(place.socket)) return undefined;
    if (performance.now() > deadline) throw silentHolder();
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  }
}

function isAnswering(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.on("connect", () => resolve(true));
  socket.on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

const silentHolder = (): CambiumError =>
  new CambiumError("REPLICA_LOCKED", "Another daemon of this CAMBIUM_HOME is there, and does not answer.", {
    hint: "Stop it. daemon.json in CAMBIUM_HOME names the process.",
  });

/** Loaded when somebody first speaks MCP over HTTP. */
async function openMcp(owned: OwnedReplica, env: RunDaemonOptions["env"]): Promise<McpEndpoint> {
  const { openMcpEndpoint } = await import("../mcp/http.js");
  const { toolSetOf } = await import("../mcp/settings.js");
  const replica = await owned.replica();
  return await openMcpEndpoint({ replica, settings: { tools: toolSetOf(env.CAMBIUM_TOOLS) } });
}

/** What the environment names; most people have nothing there, and need not wait for what could make it. */
async function helpersFrom(
  env: RunDaemonOptions["env"],
): Promise<Pick<OpenReplicaOptions, "embedder" | "summarizer" | "sourceFetchers">> {
  const names = Object.keys(env);
  const embedder = names.some((name) => name.startsWith("CAMBIUM_EMBEDDINGS_"))
    ? (await import("@cambium/client/host")).embedderFromEnvironment(env)
    : undefined;
  const summarizer = names.some((name) => name.startsWith("CAMBIUM_SUMMARIES_"))
    ? (await import("@cambium/client/host")).summarizerFromEnvironment(env)
    : undefined;
  const sourceFetchers = names.includes("CAMBIUM_IMAP_URL")
    ? (await import("../sources/fetchers-from-environment.js")).fetchersFromEnvironment(env)
    : undefined;
  return {
    ...(sourceFetchers === undefined ? {} : { sourceFetchers }),
    ...(embedder === undefined ? {} : { embedder }),
    ...(summarizer === undefined ? {} : { summarizer }),
  };
}
