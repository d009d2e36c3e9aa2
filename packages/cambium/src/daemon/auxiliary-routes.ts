/**
 * What is no operation: events, the description of the interface, and MCP.
 *
 * @module
 */
import type { ServerResponse } from "node:http";
import { CambiumError } from "@cambium/core";
import type { McpEndpoint } from "../mcp/http.js";
import { sendJson } from "./answer.js";
import type { Incoming } from "./dispatch.js";
import type { OwnedReplica } from "./owned-replica.js";
import { BodyTooLarge, LARGEST_BODY_BYTES } from "./request-body.js";
import { decodeSegment } from "./route-finder.js";
import { type SpaceFeeds, watchedSpaceIn } from "./space-feeds.js";

export interface AuxiliaryRoutesOptions {
  readonly replica: OwnedReplica;
  readonly feeds: SpaceFeeds;
  readonly openMcp: (replica: OwnedReplica) => Promise<McpEndpoint>;
  /** Made when it is first asked for: most daemons never are. */
  readonly openApi: () => Promise<string>;
}

export class AuxiliaryRoutes {
  readonly #options: AuxiliaryRoutesOptions;
  #mcp: Promise<McpEndpoint> | undefined;
  #openApi: Promise<string> | undefined;

  constructor(options: AuxiliaryRoutesOptions) {
    this.#options = options;
  }

  /** @returns what was answered; undefined when the request is for somebody else */
  async answer(incoming: Incoming): Promise<string | undefined> {
    const { request, response, url, caller } = incoming;
    if (url.pathname === "/mcp" && caller === "program") {
      refuseLongBody(incoming);
      this.#mcp ??= this.#openMcp();
      await (await this.#mcp).handle(request, response);
      return "mcp";
    }
    if (request.method !== "GET") return undefined;
    if (url.pathname === "/openapi.json") {
      this.#openApi ??= this.#options.openApi();
      sendJson(response, await this.#openApi);
      return "openapi";
    }
    const watched = watchedSpaceIn(url.pathname);
    if (watched === undefined) return undefined;
    await this.#watch(watched, incoming);
    return "events";
  }

  async close(): Promise<void> {
    this.#options.feeds.close();
    const mcp = await this.#mcp?.catch(() => undefined);
    await mcp?.close();
  }

  async #watch(name: string, { request, response, url }: Incoming): Promise<void> {
    const space = await this.#options.replica.space(decodeSegment(name));
    if (response.destroyed) return;
    const { "last-event-id": header } = request.headers;
    // Browsers cannot set the header where they begin again.
    const lastId = typeof header === "string" ? header : url.searchParams.get("lastEventId");
    this.#options.feeds.of(space).watch(response, lastId ?? undefined);
  }

  #openMcp(): Promise<McpEndpoint> {
    const opening = this.#options.openMcp(this.#options.replica);
    opening.catch(() => {
      this.#mcp = undefined;
    });
    return opening;
  }
}

/** Its reader has no bound of its own. */
function refuseLongBody({ request }: Incoming): void {
  const length = Number(request.headers["content-length"] ?? 0);
  if (length > LARGEST_BODY_BYTES) throw new BodyTooLarge();
  if (request.headers["transfer-encoding"] === undefined) return;
  throw new CambiumError("BAD_INPUT", "A request to /mcp needs a Content-Length.", {
    hint: "Send Content-Length.",
  });
}

/** A page that may call asks first; see `isOwnOrigin`. */
export function answerPreflight(response: ServerResponse, origin: string): void {
  response.writeHead(204, {
    ...allowOrigin(origin),
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers":
      "authorization, content-type, idempotency-key, last-event-id, cambium-agent, cambium-session, cambium-conversation, cambium-trigger, cambium-role, cambium-confirmed, cambium-client",
    "access-control-max-age": "600",
  });
  response.end();
}

export const allowOrigin = (origin: string): Record<string, string> => ({
  "access-control-allow-origin": origin,
  vary: "origin",
});
