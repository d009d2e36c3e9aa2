/**
 * The relay, put together: an HTTP server, a sync socket, one loop, one log.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { CambiumError, documentIdFromHex, isCambiumError } from "@cambium/core";
import { auditFile } from "./audit.js";
import type { OnEvent } from "./events.js";
import { fairRequests } from "./http/fair-requests.js";
import type { HttpApiOptions } from "./http/http-options.js";
import { cannotListen } from "./http/listen-error.js";
import { requestTurns } from "./http/request-turns.js";
import { httpApi } from "./http-api.js";
import { Invitations } from "./invitations.js";
import { clientAddress } from "./limits/client-address.js";
import { Connections } from "./limits/connections.js";
import { Entrance } from "./limits/entrance.js";
import { InFlight } from "./limits/in-flight.js";
import { type RelayLimits, STANDARD_LIMITS } from "./limits/limits.js";
import { Pace } from "./limits/pace.js";
import { PlainSockets } from "./limits/plain-sockets.js";
import { Quotas } from "./limits/quotas.js";
import type { RelayLog, SharedStore } from "./log/relay-log.js";
import { openSqliteLog } from "./log/sqlite-log.js";
import { clockWatch } from "./operate/clock-watch.js";
import type { Relay, RelayOptions, TlsFiles } from "./relay-options.js";
import { Broadcasts } from "./sessions/broadcasts.js";
import { CLOSE_CODES, type CloseCode, endOfToken } from "./sessions/close-codes.js";
import { asksForLog, LogListener, type LogListenerOptions } from "./sessions/log-listener.js";
import type { LogSession } from "./sessions/log-session.js";
import { OtherRelays } from "./sessions/other-relays.js";
import type { AnySession } from "./sessions/session-hub.js";
import { StockListener } from "./stock/stock-listener.js";
import type { StockSession } from "./stock/stock-session.js";
import { neverBack, onwards, type StopTimer, systemTimers, type Timers } from "./timers.js";
import { Tokens } from "./tokens.js";
import { admit, type RefusalStatus, refuseUpgrade } from "./upgrade.js";

/** Long, because Automerge needs some 3 ms more for a change to a part of a document not touched since loading. */
const DEFAULT_IDLE_DOCUMENT_MS = 300_000;
const DEFAULT_HEARTBEAT_MS = 30_000;
/** How long a client may take to answer the closing of its session when the relay stops. */
const DEFAULT_DRAIN_MS = 1_000;
/** A request, and a new connection, keep a token's pace like so many bytes: 250 and 50 a second for long. */
const REQUEST_COST_BYTES = 128 * 1024;
const CONNECTION_COST_BYTES = 640 * 1024;
/** How often is looked for what can be packed. */
const PACK_MS = 1_000;
/** How long an ending relay goes on storing what arrives. */
const MOST_FINISHING_MS = 5_000;
/** Of what another relay wrote, stock sessions hear of so many documents at once. */
const MAX_NEWS = 1_000;

/**
 * Starts a relay.
 *
 * @throws {CambiumError} STORE_FAILED or STORE_DAMAGED when the log cannot be opened, BAD_INPUT when the
 *   address cannot be used
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { clock = Date.now, random = randomBytes } = options;
  // A clock that is given has no other beside it.
  const now = onwards(clock, options.clock === undefined ? () => performance.now() : neverBack(clock));
  const log = openLog(options);
  try {
    const limits = { ...STANDARD_LIMITS, ...options.limits };
    const { oidc, keepAdminToken } = options;
    const tokens = new Tokens({ log, now, random, mostTokens: limits.tokensPerSpace, oidc, keepAdminToken });
    const adminToken = await tokens.prepareRelayAdmin(options.adminToken);
    const parts = { log, tokens, now, random, limits };
    const relay = new RunningRelay(options, parts, adminToken);
    await relay.listen();
    return relay;
  } catch (error) {
    await log.close();
    throw error;
  }
}

function openLog({ log, dataDir }: RelayOptions): RelayLog {
  if (log !== undefined) return log;
  if (dataDir !== undefined) return openSqliteLog(dataDir);
  throw new CambiumError("BAD_INPUT", "A relay needs a directory for its data, or a log.");
}

interface RelayParts {
  readonly log: RelayLog;
  readonly tokens: Tokens;
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  readonly limits: RelayLimits;
}

const serverFor = (tls: TlsFiles | undefined, api: RequestListener): Server | TlsServer =>
  tls === undefined ? createServer(api) : createTlsServer({ cert: tls.cert, key: tls.key }, api);

const quotasOf = ({ log, limits, now }: RelayParts): Quotas =>
  new Quotas({
    ...{ documentsPerSpace: limits.documentsPerSpace, bytesPerSpace: limits.bytesPerSpace, now },
    usage: (space) => log.usage(space),
    has: async (space, document) => (await log.spaces.describe(space, [document])).length > 0,
  });

/** How a stock client is told what HTTP would tell others. */
const STOCK_REFUSALS: Partial<Record<RefusalStatus, CloseCode>> = {
  401: CLOSE_CODES.token,
  403: CLOSE_CODES.admin,
  429: CLOSE_CODES.tooMany,
  503: CLOSE_CODES.shutdown,
};

const pause = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });

class RunningRelay implements Relay {
  readonly adminToken?: string;
  readonly #options: RelayOptions;
  readonly #parts: RelayParts;
  readonly #logListener: LogListener;
  readonly #stockListener: StockListener;
  readonly #server: Server | TlsServer;
  readonly #entrance: Entrance;
  readonly #connections: Connections;
  readonly #plainSockets: PlainSockets;
  readonly #quotas: Quotas;
  readonly #pace: Pace;
  /** When tokens were used, until that is stored. */
  readonly #uses = new Map<string, number>();
  readonly #watchClock: () => void;
  readonly #onEvent: OnEvent;
  #url = "";
  #stopTimers: readonly StopTimer[] = [];
  #others: OtherRelays | undefined;
  #broadcasts: Broadcasts | undefined;
  #isPacking = false;
  #closing: Promise<void> | undefined;

  constructor(options: RelayOptions, parts: RelayParts, adminToken: string | undefined) {
    this.#options = options;
    this.#parts = parts;
    if (adminToken !== undefined) this.adminToken = adminToken;
    this.#onEvent = options.onEvent ?? (() => {});
    const { log, tokens, limits, now, random } = parts;
    const onEvent = this.#onEvent;
    this.#watchClock = clockWatch(options.clock ?? Date.now, now, onEvent);
    this.#connections = new Connections(limits);
    this.#pace = new Pace({ ...limits, now: () => performance.now() });
    this.#quotas = quotasOf(parts);
    parts.log.shared?.limit(parts.limits);
    this.#entrance = new Entrance({
      bearerOf: (token) => tokens.bearerOf(token),
      wrongTokens: limits.wrongTokens,
      now,
      onShut: (address) => onEvent({ level: "warn", type: "address-shut", address }),
    });
    const shared: Omit<LogListenerOptions, "probe" | "onAppended"> = {
      ...{ log: log.spaces, now, random, onEvent },
      broadcast: (space, words) => this.#broadcasts?.broadcast(space, words),
      quotaRefusal: (space, document, size, makesRoom) =>
        this.#quotaRefusal(space, document, size, makesRoom),
      pace: this.#pace,
      inFlight: new InFlight(limits),
    };
    this.#logListener = new LogListener({
      ...shared,
      probe: () => log.probe(),
      onAppended: (space, documents) => this.#stockListener.appended(space, documents),
    });
    this.#stockListener = new StockListener({
      ...{ ...shared, appender: this.#logListener.appender },
      ...{ maxPayloadBytes: options.maxPayloadBytes, bytesBeforeJoin: limits.bytesBeforeJoin },
    });
    const addressOf = (request: IncomingMessage): string => clientAddress(request, options.trustedProxies);
    this.#plainSockets = new PlainSockets(limits.connectionsPerAddress, options.trustedProxies);
    this.#server = serverFor(options.tls, fairRequests(this.#api(), this.#logListener.turns, addressOf));
  }

  #api(): ReturnType<typeof httpApi> {
    const { log, tokens, limits, now, random } = this.#parts;
    const { dataDir, trustedProxies, settings = [] } = this.#options;
    const keepAct = dataDir === undefined ? () => {} : auditFile(dataDir, now);
    return httpApi({
      ...{ tokens, hub: this.#allHubs(), log, limits, now, appender: this.#logListener.appender },
      invitations: new Invitations({ log, tokens, now, random }),
      uses: this.#uses,
      callers: {
        addressOf: (request) => clientAddress(request, trustedProxies),
        bearerOf: async (token, address) => {
          const bearer = await this.#entrance.bearerOf(token, address);
          if (bearer?.kind === "member") this.#pace.require(bearer.tokenId, REQUEST_COST_BYTES);
          return bearer;
        },
        noteTrade: (hash, address) => this.#entrance.noteTrade(hash, address),
      },
      isClosing: () => this.#closing !== undefined,
      forgetSpace: (space) => this.#forget(space),
      keepAct: (act) => {
        keepAct(act);
        this.#onEvent({ level: "info", type: "admin-act", ...act });
      },
      inTurn: requestTurns(this.#logListener.requestTurns),
      settings,
      scratchDir: dataDir ?? tmpdir(),
      onEvent: this.#onEvent,
    });
  }

  #forget(space: string): void {
    this.#logListener.forget(space);
    this.#quotas.forget(space);
  }

  /** Where other relays use the same store. */
  #watchOthers(shared: SharedStore, timers: Timers): readonly StopTimer[] {
    const onError = (error: unknown): void => this.#onEvent({ level: "error", type: "failed", error });
    const { now, log } = this.#parts;
    const tell = async (space: string, after: number): Promise<void> => {
      if ([...this.#stockListener.hub.inSpace(space)].length === 0) return;
      const documents = await log.spaces.documents({ space, after, limit: MAX_NEWS });
      this.#stockListener.appended(space, documents);
    };
    this.#broadcasts = new Broadcasts({
      ...{ shared, onError, elapsed: () => performance.now() },
      onBroadcast: (space, words) => {
        if (words.kind === "stock") this.#stockListener.hear(space, words.message);
        else this.#logListener.hear(space, words);
      },
    });
    this.#others = new OtherRelays({
      ...{ shared, timers, now, onError, sessions: () => this.#sessions() },
      onAppended: (space, after, upTo) => {
        this.#logListener.see(space, upTo);
        tell(space, after).catch(onError);
      },
      onMoved: (space) => {
        for (const session of this.#allHubs().inSpace(space)) session.end(CLOSE_CODES.moved);
        this.#forget(space);
      },
    });
    return this.#others.start();
  }

  #allHubs(): HttpApiOptions["hub"] {
    const hubs = [this.#stockListener.hub, this.#logListener.hub] as const;
    return {
      inSpace: (space) => hubs.flatMap((hub): AnySession[] => [...hub.inSpace(space)]),
      endThoseOf: (space, tokenId, why) => {
        for (const hub of hubs) hub.endThoseOf(space, tokenId, why);
      },
    };
  }

  async #quotaRefusal(
    space: string,
    document: string,
    sizeBytes: number,
    makesRoom = false,
  ): Promise<string | undefined> {
    const refusal = await this.#quotas.refusal(space, document, sizeBytes, makesRoom);
    if (refusal === undefined) return undefined;
    const documentId = documentIdFromHex(document);
    this.#onEvent({ level: "warn", type: "quota-exceeded", space, documentId });
    return refusal.message;
  }

  #sessions(): readonly (StockSession | LogSession)[] {
    return [...this.#stockListener.hub.all(), ...this.#logListener.hub.all()];
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return this.#url;
  }

  async listen(): Promise<void> {
    const { host = "127.0.0.1", port = 0, timers = systemTimers } = this.#options;
    this.#plainSockets.watch(this.#server);
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", (cause) => {
        reject(cannotListen({ host, port }, cause));
      });
      this.#server.listen(port, host, resolve);
    });
    this.#url = `${this.#options.tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${this.port}`;
    this.#server.on("error", (error) => this.#onEvent({ level: "error", type: "failed", error }));
    this.#server.on("upgrade", (request, socket, head) => {
      // Node has let go of this socket: a reset before it is a session would end the process.
      socket.on("error", () => {});
      this.#upgrade(request, socket, head).catch((error: unknown) => {
        const isTooMany = isCambiumError(error, "RATE_LIMITED");
        if (!isTooMany) this.#onEvent({ level: "error", type: "failed", error });
        this.#turnAway(request, socket, head, isTooMany ? 429 : 503);
      });
    });
    const idleMs = this.#options.idleDocumentMs ?? DEFAULT_IDLE_DOCUMENT_MS;
    this.#stopTimers = [
      timers.every(this.#options.heartbeatMs ?? DEFAULT_HEARTBEAT_MS, () => this.#heartbeat()),
      timers.every(Math.max(idleMs / 2, 1_000), () => this.#stockListener.stopIdle(idleMs)),
      timers.every(PACK_MS, () => this.#pack()),
      ...(this.#parts.log.shared === undefined ? [] : this.#watchOthers(this.#parts.log.shared, timers)),
    ];
    this.#onEvent({ level: "info", type: "started", url: this.url });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  renewTls(files: TlsFiles): void {
    if ("setSecureContext" in this.#server) this.#server.setSecureContext(files);
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const address = clientAddress(request, this.#options.trustedProxies);
    const admission = await admit(request, (token) => this.#entrance.bearerOf(token, address));
    if (this.#closing !== undefined) return this.#turnAway(request, socket, head, 503);
    if (admission.kind === "refused") return this.#turnAway(request, socket, head, admission.status);
    const { member } = admission;
    this.#pace.require(member.tokenId, CONNECTION_COST_BYTES);
    const leave = this.#connections.take(member.tokenId, address);
    this.#plainSockets.release(socket);
    socket.once("close", leave);
    if (socket.destroyed) return leave();
    this.#uses.set(member.tokenId, this.#parts.now());
    const listener = asksForLog(request) ? this.#logListener : this.#stockListener;
    listener.upgrade(request, socket, head, member);
  }

  /** A stock client is told why it cannot come in: it does not survive an answer of HTTP. */
  #turnAway(request: IncomingMessage, socket: Duplex, head: Buffer, status: RefusalStatus): void {
    const why = asksForLog(request) ? undefined : STOCK_REFUSALS[status];
    const isExplained = why !== undefined && this.#stockListener.turnAway(request, socket, head, why);
    if (!isExplained) refuseUpgrade(socket, status);
  }

  /** Some of what is old in the log, unless that is under way. */
  #pack(): void {
    if (this.#isPacking || this.#closing !== undefined) return;
    this.#isPacking = true;
    const packed = this.#parts.log.pack?.() ?? Promise.resolve(0);
    packed
      .then((segments) => segments > 0 && this.#onEvent({ level: "debug", type: "packed", segments }))
      .catch((error: unknown) => this.#onEvent({ level: "error", type: "failed", error }))
      .finally(() => {
        this.#isPacking = false;
      });
  }

  /** Ends sessions that are dead, that never joined, or whose token no longer stands. */
  #heartbeat(): void {
    for (const session of this.#sessions()) {
      session.heartbeat();
      void this.#checkToken(session);
    }
    this.#watchClock();
    this.#pace.forgetFull();
    this.#broadcasts?.forgetQuiet();
    void this.#noteUses();
  }

  async #noteUses(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = new Map(this.#uses);
    this.#uses.clear();
    try {
      await this.#parts.log.noteUses(uses);
    } catch (error) {
      this.#onEvent({ level: "error", type: "failed", error });
    }
  }

  async #checkToken(session: StockSession | LogSession): Promise<void> {
    try {
      const why = endOfToken(session.member, await this.#parts.tokens.roleOf(session.member));
      if (why !== undefined) session.end(why);
    } catch (error) {
      this.#onEvent({ level: "error", type: "failed", error });
    }
  }

  async #close(): Promise<void> {
    for (const stop of this.#stopTimers) stop();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    // Clients go on sending meanwhile: what they have no receipt for, they send again.
    await Promise.race([this.#logListener.appender.settled(), pause(MOST_FINISHING_MS)]);
    for (const session of this.#sessions()) session.end(CLOSE_CODES.shutdown);
    const closingTimer = setTimeout(() => {
      for (const session of this.#sessions()) session.terminate();
      this.#server.closeAllConnections();
    }, this.#options.drainMs ?? DEFAULT_DRAIN_MS);
    this.#server.closeIdleConnections();
    this.#stockListener.close();
    await Promise.all([closed, this.#stockListener.hub.emptied(), this.#logListener.hub.emptied()]);
    clearTimeout(closingTimer);
    await this.#logListener.appender.settled();
    await this.#others?.settled();
    await this.#noteUses();
    await this.#parts.log.close();
    this.#onEvent({ level: "info", type: "stopped" });
  }
}
