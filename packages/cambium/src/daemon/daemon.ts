/**
 * The daemon: owns the replica of one home directory, answers calls, and ends when nobody needs it.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OpenReplicaOptions, Replica } from "@cambium/client";
import type { Timers } from "@cambium/client/host";
import { CambiumError } from "@cambium/core";
import { removeDaemonNote, writeDaemonNote } from "../daemon-client/daemon-note.js";
import { type DaemonPlace, makeSocketDirectory } from "../daemon-client/daemon-place.js";
import type { OperationName } from "../operations/definitions/table.js";
import type { DaemonStatus } from "../operations/described.js";
import { MODELS_HEADER } from "../operations/models.js";
import { CLIENT_VERSION_HEADER, DAEMON_INSTANCE_HEADER, DAEMON_VERSION_HEADER } from "../operations/wire.js";
import { Activity } from "./activity.js";
import { HttpFailure, sendFailure, toCambiumError } from "./answer.js";
import {
  AuxiliaryRoutes,
  type AuxiliaryRoutesOptions,
  allowOrigin,
  answerPreflight,
} from "./auxiliary-routes.js";
import { BackupRunner } from "./backup-runner.js";
import type { DaemonLog } from "./daemon-log.js";
import { readOrMakeToken } from "./daemon-token.js";
import { Dispatch, type Incoming } from "./dispatch.js";
import { admit, isOwnOrigin, type Listener, refuseForeignHost, refuseForeignPages } from "./guards.js";
import type { DaemonControl, StopOptions } from "./handler-context.js";
import { type HttpListener, openHttpListener } from "./http-listener.js";
import { leaveSettings } from "./inherited-settings.js";
import { OwnedReplica } from "./owned-replica.js";
import { isPagePath, PageRoutes } from "./page/page-routes.js";
import { RekeyRunner } from "./rekey-runner.js";
import { prunedSpacesIn, RetentionRunner } from "./retention-runner.js";
import { SpaceFeeds } from "./space-feeds.js";
import { isNewerVersion } from "./version-order.js";

export interface DaemonOptions {
  /** The home directory; its lock has to be held already. */
  readonly home: string;
  readonly place: DaemonPlace;
  readonly openReplica: (
    notify: Required<Pick<OpenReplicaOptions, "signal" | "onStoreFailed">>,
  ) => Promise<Replica>;
  readonly openMcp: AuxiliaryRoutesOptions["openMcp"];
  /** With its build; see `build`. */
  readonly version: string;
  /** Of the program as it is installed now. */
  readonly versionOnDisk: () => string;
  /** Of the models this daemon was started with; see `modelsDigest`. */
  readonly models: string | undefined;
  /** Where the built web page is, if it is. */
  readonly pageFolder: string;
  /** 0 for any free one. */
  readonly port: number;
  /** How long it stays when nobody calls; infinite with `--stay`. */
  readonly idleMs: number;
  readonly now: () => number;
  readonly timers: Timers;
  readonly log: DaemonLog;
  readonly checkResponse?: ((name: OperationName, response: unknown) => void) | undefined;
}

const DRAIN_MS = 10_000;
/** For what was aborted to come to its end. */
const GRACE_MS = 2_000;
const INSTANCE_BYTES = 9;

export class Daemon {
  readonly instance = randomBytes(INSTANCE_BYTES).toString("base64url");
  /** Resolves when it has ended and let go of everything. */
  readonly ended: Promise<void>;
  readonly #options: DaemonOptions;
  readonly #replica: OwnedReplica;
  readonly #dispatch: Dispatch;
  readonly #auxiliaryRoutes: AuxiliaryRoutes;
  readonly #page: PageRoutes;
  readonly #activity: Activity;
  readonly #backups: BackupRunner;
  readonly #retention: RetentionRunner;
  readonly #rekeying: RekeyRunner;
  readonly #startedAt: number;
  readonly #listeners: HttpListener[] = [];
  /** Of the calls that are under way: aborted when they can be waited for no longer. */
  readonly #underWay = new Set<AbortController>();
  readonly #end = Promise.withResolvers<void>();
  readonly #stopping = new AbortController();

  private constructor(options: DaemonOptions) {
    const { place, timers, log, now, idleMs, checkResponse } = options;
    this.#options = options;
    this.#startedAt = now();
    this.ended = this.#end.promise;
    this.#replica = new OwnedReplica({
      ...{ lastPath: place.last, timers, log },
      // What is in memory may show more than was stored, and nothing is stored any more until it is opened again.
      open: (signal) =>
        options.openReplica({ signal, onStoreFailed: () => this.stop("something could not be stored") }),
    });
    this.#page = new PageRoutes({ folder: options.pageFolder, home: options.home, now, timers });
    const daemon: DaemonControl = {
      ...{ home: options.home, now, downloads: this.#page.downloads },
      newPageLink: () => this.#page.newLink(this.url),
      closePages: () => this.#page.sessions.closeAll(),
      status: () => this.#status(),
      stop: (why, after) => this.stop(why, after),
      leaveToNext: (error) => this.#leaveToNext(error),
    };
    this.#dispatch = new Dispatch({
      ...{ replica: this.#replica, daemon, now, timers, log, checkResponse },
      stopping: this.#stopping.signal,
    });
    this.#auxiliaryRoutes = new AuxiliaryRoutes({
      replica: this.#replica,
      feeds: new SpaceFeeds({ instance: this.instance, timers, log }),
      openMcp: options.openMcp,
      openApi: async () => {
        const { openApiDocument } = await import("../operations/openapi/document.js");
        const [version = ""] = options.version.split("+", 1);
        return JSON.stringify(openApiDocument({ version, url: this.url }));
      },
    });
    this.#backups = new BackupRunner({
      ...{ home: options.home, timers, now, log },
      openSpace: (id) => this.#replica.spaceUnasked(id),
    });
    this.#retention = new RetentionRunner({
      ...{ home: options.home, timers, now, log },
      spaces: () => prunedSpacesIn(options.home),
      openSpace: (id) => this.#replica.spaceUnasked(id),
    });
    this.#rekeying = new RekeyRunner({
      ...{ home: options.home, timers, log },
      openSpace: (id) => this.#replica.spaceUnasked(id),
    });
    this.#activity = new Activity({
      ...{ timers, idleMs, isBusy: () => this.#hasPending() },
      onIdle: () => this.stop("nobody needed it"),
    });
  }

  /** @throws {CambiumError} BAD_INPUT when the port is taken */
  static async start(options: DaemonOptions): Promise<Daemon> {
    const daemon = new Daemon(options);
    try {
      await daemon.#listen();
    } catch (error) {
      daemon.stop("it could not listen");
      await daemon.ended;
      throw error;
    }
    daemon.#replica.start();
    return daemon;
  }

  /** Where it is reached by TCP. */
  get url(): string {
    return `http://127.0.0.1:${this.#listeners[1]?.port ?? 0}`;
  }

  /** Refuses what comes from now on, finishes what is under way, and ends. See `ended`. */
  stop(why: string, { isReplaced = false }: StopOptions = {}): void {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(stopping());
    if (isReplaced) this.#leaveSettings();
    this.#options.log.info(`Ending, because ${why}.`);
    this.#drain().then(this.#end.resolve, this.#end.reject);
  }

  #leaveSettings(): void {
    const { place, port, idleMs, log } = this.#options;
    try {
      leaveSettings(place.next, { stay: idleMs === Number.POSITIVE_INFINITY, port });
    } catch (error) {
      log.error(`The next daemon does not learn how this one was started: ${String(error)}`);
    }
  }

  async #listen(): Promise<void> {
    const { place, port, version, log } = this.#options;
    makeSocketDirectory(place);
    const token = readOrMakeToken(place.token);
    this.#listeners.push(
      await openHttpListener(
        { socket: place.socket },
        this.#answererAt(() => ({ kind: "socket" })),
      ),
    );
    const tcp = await openHttpListener(
      { port },
      this.#answererAt(() => ({ kind: "tcp", port: tcp.port, token })),
    );
    this.#listeners.push(tcp);
    const { instance, url } = this;
    const startedAt = this.#startedAt;
    writeDaemonNote(place.note, {
      ...{ v: 1, pid: process.pid, version, instance, socket: place.socket, url, startedAt },
    });
    log.info(`Started, version ${version}, process ${process.pid}, ${url}.`);
  }

  #answererAt(listenerOf: () => Listener): (request: IncomingMessage, response: ServerResponse) => void {
    return (request, response) => {
      this.#answer(request, response, listenerOf()).catch((error: unknown) => {
        this.#options.log.error(`A request could not be answered: ${String(error)}`);
        response.destroy();
      });
    };
  }

  async #answer(request: IncomingMessage, response: ServerResponse, listener: Listener): Promise<void> {
    const startedMs = performance.now();
    response.setHeader(DAEMON_VERSION_HEADER, this.#options.version);
    response.setHeader(DAEMON_INSTANCE_HEADER, this.instance);
    const leaving = new AbortController();
    const isOver = this.#activity.begin();
    this.#underWay.add(leaving);
    response.on("close", () => {
      if (!response.writableFinished) leaving.abort(callerLeft());
      this.#underWay.delete(leaving);
      isOver();
    });
    let name: string = request.method ?? "";
    try {
      if (isPreflight(request, response, listener)) return;
      name = await this.#answerAdmitted({ request, response, signal: leaving.signal }, listener);
    } catch (thrown) {
      sendFailure(response, toCambiumError(thrown));
    }
    const tookMs = (performance.now() - startedMs).toFixed(1);
    this.#options.log.debug?.(`${name} ${response.statusCode} ${tookMs} ms`);
  }

  /** @returns what was asked for, for the log */
  async #answerAdmitted(asked: Omit<Incoming, "url" | "caller">, listener: Listener): Promise<string> {
    const { request, response } = asked;
    const url = placeOf(request);
    if (listener.kind === "tcp" && isPagePath(url.pathname)) {
      refuseForeignPages(request.headers, listener);
      return await this.#page.answer({ request, response, path: url.pathname, port: listener.port });
    }
    const caller = admit(request, listener, this.#page.sessions);
    this.#refuseStrangers(request);
    const incoming = { ...asked, url, caller };
    return (await this.#auxiliaryRoutes.answer(incoming)) ?? (await this.#dispatch.answer(incoming));
  }

  /** @throws {CambiumError} DAEMON_STOPPING; DAEMON_OLDER, and then this daemon ends */
  #refuseStrangers({ headers }: IncomingMessage): void {
    if (this.#stopping.signal.aborted) throw stopping();
    const { version, models } = this.#options;
    const theirs = headers[CLIENT_VERSION_HEADER];
    if (typeof theirs === "string" && isNewerVersion(theirs, version)) {
      this.stop(`a caller has the newer version ${theirs}`, { isReplaced: true });
      throw handedOver(`The daemon of the older version ${version} makes room for one of ${theirs}.`);
    }
    const wanted = headers[MODELS_HEADER];
    if (typeof wanted === "string" && wanted !== "" && wanted !== models) {
      this.stop("a caller names other models", { isReplaced: true });
      throw handedOver("The daemon was started with other models and makes room for one that has yours.");
    }
  }

  /** An update removes parts of the program that this daemon has not loaded yet. */
  #leaveToNext(error: unknown): void {
    const { version, versionOnDisk } = this.#options;
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND" || versionOnDisk() === version)
      return;
    this.stop("the program was updated", { isReplaced: true });
    throw stopping();
  }

  async #status(): Promise<DaemonStatus> {
    const { version, idleMs } = this.#options;
    const { id, name, dir } = await this.#replica.replica();
    return {
      ...{ pid: process.pid, version, instance: this.instance, replica: { id, name, dir } },
      ...{ startedAt: this.#startedAt, url: this.url, stays: idleMs === Number.POSITIVE_INFINITY },
      spaces: this.#replica.openSpaces.map((space) => space.name),
    };
  }

  /** Whether a relay that is there has not confirmed everything yet. */
  async #hasPending(): Promise<boolean> {
    for (const space of this.#replica.openSpaces) {
      const { relay } = await space.sync.status();
      if (relay.pending > 0 && (relay.state === "pending" || relay.state === "synced")) return true;
    }
    return false;
  }

  async #drain(): Promise<void> {
    const { timers, log, place } = this.#options;
    this.#activity.end();
    // From here on, a caller that finds no socket starts the next daemon, which waits for our lock.
    for (const listener of this.#listeners) listener.closeToNew();
    const cancel = timers.after(DRAIN_MS, () => {
      for (const call of this.#underWay) call.abort(stopping());
    });
    const tooLong = Promise.withResolvers<void>();
    const cancelAll = timers.after(DRAIN_MS + GRACE_MS, tooLong.resolve);
    // Who watches comes back to the next one.
    const settled = this.#auxiliaryRoutes.close().then(() => this.#activity.settled());
    await Promise.race([settled, tooLong.promise]);
    cancel();
    cancelAll();
    await this.#backups.stop();
    await this.#retention.stop();
    await this.#rekeying.stop();
    await this.#page.downloads.close();
    try {
      await this.#replica.close();
    } catch (error) {
      log.error(`The replica could not be closed cleanly: ${String(error)}`);
    }
    await Promise.all(this.#listeners.map((listener) => listener.close()));
    removeDaemonNote(place.note, this.instance);
    log.info("Ended.");
  }
}

/** @throws {CambiumError} ORIGIN_REFUSED */
function isPreflight(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  listener: Listener,
): boolean {
  const { origin } = headers;
  if (origin === undefined || !isOwnOrigin(origin, listener)) return false; // told by `admit`
  if (method !== "OPTIONS") {
    for (const [name, value] of Object.entries(allowOrigin(origin))) response.setHeader(name, value);
    return false;
  }
  if (listener.kind === "tcp") refuseForeignHost(headers, listener.port);
  answerPreflight(response, origin);
  return true;
}

/**
 * As it was sent: a URL would resolve `..`, and a memory called so must not lead to another operation.
 *
 * @throws {HttpFailure}
 */
function placeOf({ url = "/" }: IncomingMessage): Incoming["url"] {
  const [, pathname, query = ""] = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  if (pathname === undefined) throw new HttpFailure(400, "The path is malformed.");
  return { pathname, searchParams: new URLSearchParams(query) };
}

const callerLeft = (): CambiumError => new CambiumError("ABORTED", "The caller left.");

const stopping = (): CambiumError =>
  new CambiumError("DAEMON_STOPPING", "The daemon is ending.", {
    hint: "Call again: the next call starts another one.",
  });

const handedOver = (message: string): CambiumError =>
  new CambiumError("DAEMON_OLDER", message, { hint: "Call again: the next call starts a newer one." });
