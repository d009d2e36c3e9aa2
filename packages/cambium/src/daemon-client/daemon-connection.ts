/**
 * Calls to the daemon of a home, whatever becomes of that daemon meanwhile: it is started when it is not there,
 * and a call that was lost on the way is made again. Reads may be made twice; a write has a key, by which the
 * daemon knows that it has made it already.
 *
 * @module
 */
import { randomUUID } from "node:crypto";
import type { AgentIdentity, Progress } from "@cambium/client";
import { makePrivateDirectory, systemTimers, type Timers } from "@cambium/client/host";
import { CambiumError, isCambiumError, throwIfAborted } from "@cambium/core/errors";
import type { Calls } from "../operations/calls.js";
import type { Definition } from "../operations/definition.js";
import { DEFINITIONS, type OperationName } from "../operations/definitions/table.js";
import { encodeCall } from "../operations/encode.js";
import { MODELS_HEADER, modelsDigest } from "../operations/models.js";
import {
  CLIENT_VERSION_HEADER,
  CONFIRMED_HEADER,
  EVENT_STREAM,
  IDEMPOTENCY_HEADER,
  IDENTITY_HEADERS,
} from "../operations/wire.js";
import { answeredError } from "./answered-error.js";
import { ConnectionLost } from "./connection-lost.js";
import { daemonPlace, refuseForeignSocket } from "./daemon-place.js";
import { DaemonStarter, type Starter } from "./daemon-starter.js";
import type { ServerEvent } from "./event-parser.js";
import { hangingDaemon, RetryPolicy, type RetryPolicyOptions } from "./retry-policy.js";
import { whileStillThere } from "./still-there.js";
import { type Exchange, type Reply, Transport } from "./transport.js";

/** What somebody who waits may want to hear. */
export interface DaemonNews {
  /** The daemon ends, and another one is called. Told once. */
  readonly onHandOver?: ((message: string) => void) | undefined;
}

export interface DaemonConnectionOptions extends DaemonNews, Partial<Omit<RetryPolicyOptions, "starter">> {
  readonly home: string;
  /** Of this program, with its build: an older daemon hands over. */
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly starter?: Starter | undefined;
  readonly timers?: Timers | undefined;
}

export interface CallOptions {
  readonly identity?: AgentIdentity | undefined;
  /** `ask`: not yet, but there is somebody who could be asked. */
  readonly confirmed?: "yes" | "ask" | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export class DaemonConnection implements Disposable {
  readonly home: string;
  readonly #options: DaemonConnectionOptions;
  readonly #transport = new Transport();
  readonly #starter: Starter;
  readonly #now: () => number;
  readonly #timers: Timers;
  readonly #general: Readonly<Record<string, string>>;
  #isClosed = false;
  #isHandOverKnown = false;

  constructor(options: DaemonConnectionOptions) {
    this.home = options.home;
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#timers = options.timers ?? systemTimers;
    this.#starter =
      options.starter ?? new DaemonStarter({ home: options.home, env: options.env, now: this.#now });
    const models = modelsDigest(options.env);
    this.#general = {
      [CLIENT_VERSION_HEADER]: options.version,
      ...(models === undefined ? {} : { [MODELS_HEADER]: models }),
    };
  }

  async call<Name extends OperationName>(
    name: Name,
    input: Calls[Name]["input"],
    options?: CallOptions,
  ): Promise<Calls[Name]["output"]> {
    return (await this.request(DEFINITIONS[name], input, options)) as Calls[Name]["output"];
  }

  /**
   * @throws {CambiumError} what the operation throws; DAEMON_UNREACHABLE, ABORTED, REPLICA_CLOSED
   */
  async request(definition: Definition, input: object, options: CallOptions = {}): Promise<unknown> {
    const { kind, isLong } = definition;
    const { method, path, query, body } = encodeCall(definition, input);
    const { identity = {}, confirmed, signal, onProgress } = options;
    const isWatched = isLong === true && onProgress !== undefined;
    let last: ServerEvent | undefined;
    const headers = {
      ...identityHeaders(identity),
      ...(confirmed === undefined ? {} : { [CONFIRMED_HEADER]: confirmed }),
      // One for all attempts, so that the second finds what the first has done.
      ...(kind === "write" ? { [IDEMPOTENCY_HEADER]: identity.request?.key ?? randomUUID() } : {}),
      ...(isWatched ? { accept: EVENT_STREAM } : {}),
    };
    const onEvent = (event: ServerEvent): void => {
      if (event.type === "progress") onProgress?.(parsed(event.data) as Progress);
      else last = event;
    };
    const exchange: HomelessExchange = {
      ...{ method, signal, isLong, onEvent },
      path: query === undefined ? path : `${path}?${query}`,
      headers: () => headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    return await this.#heal(exchange, () => last);
  }

  /** Follows a stream of events until it ends, or `signal` fires. */
  async follow(path: string, { lastId, signal, onEvent }: FollowOptions): Promise<void> {
    const call = { method: "GET", path, isLong: true, isEndless: true, signal, onEvent };
    const headers = (): Record<string, string> => {
      const id = lastId();
      return { accept: EVENT_STREAM, ...(id === undefined ? {} : { [LAST_EVENT_HEADER]: id }) };
    };
    await this.#heal({ ...call, headers }, () => END_OF_STREAM);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#starter.settle();
    this.#transport[Symbol.dispose]();
  }

  /** @param last - of the events that were read, where it answered with them */
  async #heal(exchange: HomelessExchange, last: () => ServerEvent | undefined): Promise<unknown> {
    const policy = new RetryPolicy({ ...this.#options, starter: this.#starter, now: this.#now });
    for (;;) {
      if (this.#isClosed) throw new CambiumError("REPLICA_CLOSED", "This replica has been closed.");
      try {
        return await this.#attempt(exchange, last);
      } catch (error) {
        throwIfAborted(exchange.signal);
        if (isCambiumError(error, "DAEMON_OLDER")) this.#notifyHandOver(error.message);
        await policy.wait(error, exchange.signal);
      }
    }
  }

  async #attempt(exchange: HomelessExchange, last: () => ServerEvent | undefined): Promise<unknown> {
    // Found again each time: a home that did not exist may be reached by another path once it does.
    const socket = socketOf(this.home);
    const headers = { ...this.#general, ...exchange.headers() };
    const exchangeWith = (signal: AbortSignal | undefined): Promise<Reply> =>
      this.#transport.exchange({ ...exchange, headers, socket, signal });
    const reply = exchange.isEndless
      ? await exchangeWith(exchange.signal)
      : await whileStillThere(exchangeWith, {
          timers: this.#timers,
          signal: exchange.signal,
          ask: (signal) => this.#transport.exchange({ ...STATUS_CALL, headers, socket, signal }),
          hangs: () => this.#hangs(),
        });
    this.#starter.settle();
    return outputOf(reply, last());
  }

  #notifyHandOver(message: string): void {
    if (!this.#isHandOverKnown) this.#options.onHandOver?.(message);
    this.#isHandOverKnown = true;
  }

  async #hangs(): Promise<CambiumError> {
    const { readDaemonNote } = await import("./daemon-note.js");
    return hangingDaemon(readDaemonNote(daemonPlace(this.home).note)?.pid);
  }
}

export interface FollowOptions {
  /** Of the last event that was seen: the daemon goes on after it. */
  readonly lastId: () => string | undefined;
  readonly signal: AbortSignal;
  readonly onEvent: (event: ServerEvent) => void;
}

/** It is looked up for each attempt where the daemon listens. */
interface HomelessExchange extends Omit<Exchange, "socket" | "headers"> {
  readonly headers: () => Readonly<Record<string, string>>;
  /** Silence means nothing on it. */
  readonly isEndless?: boolean;
}

/** On a connection of its own. */
const STATUS_CALL = { method: "GET", path: DEFINITIONS["daemon.status"].path, isLong: true };

const LAST_EVENT_HEADER = "last-event-id";

const END_OF_STREAM: ServerEvent = { type: "result", data: "{}" };

/** @throws {ConnectionLost} where no home can be; {CambiumError} STORE_DAMAGED where the socket is not the user's own */
function socketOf(home: string): string {
  const place = daemonPlace(home);
  try {
    refuseForeignSocket(place);
  } catch (error) {
    if (error instanceof CambiumError) throw error;
    makePrivateDirectory(home); // says what is wrong with the home, if that is it
    throw new ConnectionLost("refused", error);
  }
  return place.socket;
}

/** @throws {CambiumError} what was answered */
function outputOf({ status, text }: Reply, event: ServerEvent | undefined): unknown {
  if (status >= 200 && status < 300) {
    if (text !== "") return parsed(text);
    if (event?.type === "result") return parsed(event.data);
    if (event?.type === "error") throw answeredError(parsed(event.data), status);
    throw new ConnectionLost("dropped", new Error("The answer ended before its result."));
  }
  throw answeredError(text === "" ? undefined : parsed(text), status);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionLost("refused", new Error("What answers there speaks no JSON.", { cause }));
  }
}

function identityHeaders(identity: AgentIdentity): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [key, header] of Object.entries(IDENTITY_HEADERS)) {
    const value = identity[key as keyof typeof IDENTITY_HEADERS];
    if (typeof value === "function") headers[header] = "";
    if (typeof value === "string") headers[header] = encodeURIComponent(value.toWellFormed());
  }
  return headers;
}
