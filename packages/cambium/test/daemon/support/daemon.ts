/** A daemon in this process, on a home of its own, and calls to it over real sockets. */
import { mkdtemp, rm } from "node:fs/promises";
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReplica, type Replica } from "@cambium/client";
import { systemTimers } from "@cambium/client/host";
import { Daemon, type DaemonOptions } from "../../../src/daemon/daemon.js";
import { silentLog } from "../../../src/daemon/daemon-log.js";
import { daemonPlace } from "../../../src/daemon-client/daemon-place.js";
import { DEFINITIONS } from "../../../src/operations/definitions/table.js";
import { responseSchema } from "../../../src/operations/response-schema.js";

export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** As it is, whatever it is. */
  readonly raw?: string | Buffer;
  readonly port?: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // The tests know what they asked for.
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape come through here
  readonly json: any;
}

export interface TestDaemon extends AsyncDisposable {
  readonly daemon: Daemon;
  readonly home: string;
  readonly socket: string;
  readonly token: string;
  readonly port: number;
  call(path: string, sent?: Sent): Promise<Answered>;
  /** The request, begun, and its response when the headers have come. */
  open(
    path: string,
    sent?: Sent,
  ): { readonly request: ClientRequest; readonly response: Promise<IncomingMessage> };
}

export type Overrides = Partial<DaemonOptions> & { readonly openHome?: (home: string) => Promise<Replica> };

export async function startDaemon(overrides: Overrides = {}): Promise<TestDaemon> {
  const home = overrides.home ?? (await mkdtemp(join(tmpdir(), "cambium-daemon-")));
  const place = daemonPlace(home);
  const openHome = overrides.openHome ?? openIn;
  const daemon = await Daemon.start({
    ...{ home, place, version: "1.2.3", models: undefined, port: 0, idleMs: Number.POSITIVE_INFINITY },
    versionOnDisk: () => "1.2.3",
    pageFolder: join(home, "no-page"),
    ...{ now: Date.now, timers: systemTimers, log: silentLog },
    openReplica: () => openHome(home),
    openMcp: () => Promise.reject(new Error("no MCP here")),
    checkResponse: (name, response) => {
      responseSchema(DEFINITIONS[name]).parse(JSON.parse(JSON.stringify(response)));
    },
    ...overrides,
  });
  const { readFile } = await import("node:fs/promises");
  const token = (await readFile(place.token, "utf8")).trim();
  const port = Number(new URL(daemon.url).port);
  const { socket } = place;
  return {
    ...{ daemon, home, socket, token, port },
    call: (path, sent = {}) => answered(open(socket, path, sent)),
    open: (path, sent = {}) => open(socket, path, sent),
    [Symbol.asyncDispose]: async () => {
      daemon.stop("the test is over");
      await daemon.ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}

const openIn = (home: string): Promise<Replica> =>
  openReplica({ dir: home, stateDir: join(home, "state"), connect: false });

/** With a space named notes. */
export async function startWithSpace(overrides: Overrides = {}): Promise<TestDaemon> {
  const started = await startDaemon(overrides);
  const { status, text } = await started.call("/v1/spaces", { body: { name: "notes" } });
  if (status !== 200) throw new Error(text);
  return started;
}

function open(
  socket: string,
  path: string,
  { method, headers = {}, body, raw, port }: Sent,
): ReturnType<TestDaemon["open"]> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const made = request({
    ...(port === undefined ? { socketPath: socket } : { host: "127.0.0.1", port }),
    path,
    method: method ?? (sent === undefined ? "GET" : "POST"),
    headers: {
      ...(sent === undefined ? {} : { "content-type": "application/json" }),
      ...(sent === undefined || "transfer-encoding" in headers
        ? {}
        : { "content-length": String(Buffer.byteLength(sent)) }),
      ...headers,
    },
    agent: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  made.on("response", resolve);
  made.on("error", reject);
  made.end(sent);
  promise.catch(() => undefined);
  return { request: made, response: promise };
}

async function answered({ response }: ReturnType<TestDaemon["open"]>): Promise<Answered> {
  const { statusCode = 0, headers, ...rest } = await textOf(await response);
  return { status: statusCode, headers, text: rest.text, json: jsonOf(rest.text) };
}

async function textOf(
  message: IncomingMessage,
): Promise<Pick<IncomingMessage, "statusCode" | "headers"> & { readonly text: string }> {
  message.setEncoding("utf8");
  let text = "";
  for await (const chunk of message as AsyncIterable<string>) text += chunk;
  return { statusCode: message.statusCode, headers: message.headers, text } as never;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface StreamedEvent {
  readonly id?: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: events of every shape come through here
  readonly data: any;
}

/** Reads events until one fits. */
export class EventReader implements AsyncDisposable {
  readonly #message: IncomingMessage;
  readonly events: StreamedEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #text = "";
  isOver = false;

  constructor(message: IncomingMessage) {
    this.#message = message;
    message.setEncoding("utf8");
    message.on("data", (chunk: string) => this.#take(chunk));
    message.on("error", () => undefined);
    message.on("close", () => {
      this.isOver = true;
      for (const look of this.#waiting) look();
    });
  }

  #take(chunk: string): void {
    const blocks = (this.#text + chunk).split("\n\n");
    this.#text = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const [id, event, data] = [field("id"), field("event"), field("data")];
      if (event === undefined) continue;
      this.events.push({ ...(id === undefined ? {} : { id }), event, data: JSON.parse(data ?? "null") });
    }
    for (const look of this.#waiting) look();
  }

  async until(isIt: (event: StreamedEvent) => boolean): Promise<StreamedEvent> {
    const { promise, resolve, reject } = Promise.withResolvers<StreamedEvent>();
    const look = (): void => {
      const found = this.events.find(isIt);
      if (found !== undefined) resolve(found);
      else if (this.isOver) reject(new Error(`The stream ended: ${JSON.stringify(this.events)}`));
    };
    this.#waiting.add(look);
    look();
    return await promise.finally(() => this.#waiting.delete(look));
  }

  async ended(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(() => (this.isOver ? resolve() : undefined));
    if (this.isOver) resolve();
    await promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#message.destroy();
  }
}
