/**
 * From a request to an answer: finds the operation, checks what it was given, and has it done once.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AgentIdentity, IdempotencyKey } from "@cambium/client";
import { type Timers, withheldMark } from "@cambium/client/host";
import { isCambiumError } from "@cambium/core";
import type { Definition } from "../operations/definition.js";
import { DEFINITIONS, type OperationName } from "../operations/definitions/table.js";
import { parseRequest } from "../operations/parse-request.js";
import { EVENT_STREAM, IDEMPOTENCY_HEADER } from "../operations/wire.js";
import { HttpFailure, sendJson, toCambiumError } from "./answer.js";
import type { DaemonLog } from "./daemon-log.js";
import type { Caller } from "./guards.js";
import type { DaemonControl, HandlerContext } from "./handler-context.js";
import { handle } from "./handlers.js";
import { type Answer, IdempotencyCache, type Waiter, type Work } from "./idempotency-cache.js";
import { identityFrom } from "./identity.js";
import { LongAnswer } from "./long-answer.js";
import type { OwnedReplica } from "./owned-replica.js";
import { answerRecovered } from "./recovered-request.js";
import { readJsonBody } from "./request-body.js";
import { type FoundRoute, findRoute } from "./route-finder.js";

export interface DispatchOptions {
  readonly replica: OwnedReplica;
  readonly daemon: DaemonControl;
  /** Fires when the daemon begins to end, with what to tell those who wait. */
  readonly stopping: AbortSignal;
  readonly now: () => number;
  readonly timers: Timers;
  readonly log: DaemonLog;
  /** For tests: called with every answer. */
  readonly checkResponse?: ((name: OperationName, response: unknown) => void) | undefined;
}

/** A request whose caller may call, and its end. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: Pick<URL, "pathname" | "searchParams">;
  readonly caller: Caller;
  /** Fires when the caller has left, or the daemon cannot wait any longer. */
  readonly signal: AbortSignal;
}

interface CheckedCall {
  readonly name: OperationName;
  readonly input: unknown;
  readonly who: AgentIdentity;
  readonly isRead: boolean;
  readonly isLong: boolean;
  readonly request: IdempotencyKey | undefined;
}

const NEVER = new AbortController().signal;

export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #answers = new IdempotencyCache();

  constructor(options: DispatchOptions) {
    this.#options = options;
  }

  /**
   * Answers, or throws before anything was answered.
   *
   * @returns the operation, for the log
   */
  async answer(incoming: Incoming): Promise<OperationName> {
    const { request, response, url } = incoming;
    const found = routeOf(request.method ?? "GET", url.pathname);
    const call = await checkedCall(found, incoming);
    const isStreamed = call.isLong && (request.headers.accept ?? "").includes(EVENT_STREAM);
    const signal = this.#signalOf(call, incoming);
    if (!isStreamed) {
      sendJson(response, await this.#run(call, { signal, onProgress: undefined }));
      return call.name;
    }
    const answer = new LongAnswer(response, this.#options.now, this.#options.timers);
    await answer.end(this.#run(call, { signal, onProgress: answer.progress }));
    return call.name;
  }

  #signalOf({ name, isRead, isLong }: CheckedCall, { signal }: Incoming): AbortSignal {
    const { onlyWaits }: Definition = DEFINITIONS[name];
    if (onlyWaits) return AbortSignal.any([signal, this.#options.stopping]);
    // A plain write that has begun is finished, whether or not somebody waits for it.
    return isRead || isLong ? signal : NEVER;
  }

  /** @returns the answer as JSON */
  async #run(call: CheckedCall, waiter: Waiter): Promise<string> {
    try {
      if (call.request === undefined) return await this.#make(call, waiter);
      return await this.#answers.answer(
        call.request,
        waiter,
        (work) => this.#marked(call, work),
        () => this.#recoveredAnswer(call),
      );
    } catch (error) {
      // A caller that was stopped because the daemon ends gets that as its error, and can call the next one.
      const { reason } = waiter.signal;
      throw isCambiumError(error, "ABORTED") && isCambiumError(reason, "DAEMON_STOPPING") ? reason : error;
    }
  }

  /**
   * The answer, which is good until something is erased or concealed. A memory can be read again, so that also counts
   * what was while it was written; other calls may erase or conceal themselves.
   */
  async #marked(call: CheckedCall, work: Work): Promise<Answer> {
    const { answersMemory }: Definition = DEFINITIONS[call.name];
    const before = answersMemory ? await this.#withheld(call) : undefined;
    const json = await this.#makeOnce(call, work);
    const mark = before ?? (await this.#withheld(call));
    return { json, isGood: async () => (await this.#withheld(call)) === mark };
  }

  /** Differs when something was erased or concealed; undefined without a space, or where that is gone. */
  async #withheld({ input }: CheckedCall): Promise<number | undefined> {
    const { space } = input as { readonly space?: string };
    if (space === undefined) return undefined;
    return await this.#options.replica.space(space).then(withheldMark, () => undefined);
  }

  /** A call under a key may have been made by a daemon before this one, or be under way still. */
  async #makeOnce(call: CheckedCall, work: Work): Promise<string> {
    const before = await this.#recoveredAnswer(call);
    if (before !== undefined) return before;
    try {
      return await this.#make(call, work);
    } catch (error) {
      const isDone = isCambiumError(error, "REQUEST_KEY_REUSED") && error.details?.same === true;
      const done = isDone ? await this.#recoveredAnswer(call) : undefined;
      if (done !== undefined) return done;
      throw error;
    }
  }

  async #recoveredAnswer({ name, input, request }: CheckedCall): Promise<string | undefined> {
    const { space } = input as { readonly space?: string };
    if (space === undefined || request === undefined) return undefined;
    const answer = await answerRecovered(name, await this.#options.replica.space(space), request);
    return answer === undefined ? undefined : JSON.stringify(answer);
  }

  async #make({ name, input, who, request }: CheckedCall, { signal, onProgress }: Waiter): Promise<string> {
    const { replica, daemon, log, checkResponse } = this.#options;
    const call: HandlerContext = {
      ...{ who, signal, onProgress, daemon },
      replica: () => replica.replica(),
      space: (space) => replica.space(space),
      agent: async (space) => (await replica.space(space)).as({ ...who, request }),
    };
    try {
      const output = await handle(name, call, input);
      checkResponse?.(name, output);
      return JSON.stringify(output);
    } catch (error) {
      daemon.leaveToNext(error);
      if (!isCambiumError(error) || error.code === "INTERNAL") log.error(`${name} failed: ${stackOf(error)}`);
      throw toCambiumError(error);
    }
  }
}

function routeOf(method: string, path: string): FoundRoute {
  const found = findRoute(method, path);
  if ("name" in found) return found;
  if (found.allowed.length === 0) {
    throw new HttpFailure(404, "There is nothing here.", {}, "GET /openapi.json lists what there is.");
  }
  throw new HttpFailure(405, `${method} is not possible here.`, { allow: found.allowed.join(", ") });
}

async function checkedCall(found: FoundRoute, incoming: Incoming): Promise<CheckedCall> {
  const { request, url } = incoming;
  const { name, route, params } = found;
  // What it came by, not what its route says: a wordy read may come with a body.
  const hasBody = request.method !== "GET" && request.method !== "DELETE";
  const body = hasBody ? await readJsonBody(request) : undefined;
  const input = parseRequest(name, { params, query: url.searchParams, body });
  const key = request.headers[IDEMPOTENCY_HEADER];
  const who = identityFrom(request.headers, incoming.caller);
  return {
    ...{ name, input, who, isRead: route.kind === "read", isLong: route.isLong === true },
    request:
      route.kind === "write" && typeof key === "string" && key !== ""
        ? { key, fingerprint: fingerprintOf(name, input, who) }
        : undefined,
  };
}

/** Two calls with one of these are the same call. A confirmation is a new one. */
function fingerprintOf(
  name: OperationName,
  input: unknown,
  { agent, role, confirmed }: AgentIdentity,
): string {
  const text = JSON.stringify([name, input, agent ?? null, role ?? null, confirmed === true]);
  return createHash("sha256").update(text).digest("base64url");
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
