/**
 * Who is notified of changes. Since 2026-07-28 the SDK keeps what each client listens to; before, clients subscribe to
 * single addresses, and that is kept here.
 *
 * @module
 */
import type { McpServer } from "@modelcontextprotocol/server";
import { decoded, uriOf } from "./memory-uri.js";
import { ResourceWatch } from "./resource-watch.js";
import type { Serving } from "./serving.js";

/** Far more than any client watches. */
const MAX_SUBSCRIBED = 1_000;

export function tellOfChanges(server: McpServer, serving: Serving, era: "legacy" | "modern"): void {
  const subscribed = era === "legacy" ? new Map<string, string>() : undefined;
  // What cannot be sent any more was for a client that has gone.
  const ignore = (): void => undefined;
  const watch = new ResourceWatch(serving, {
    updated: (uri) => {
      const asked = subscribed === undefined ? uri : subscribed.get(uri);
      if (asked !== undefined) server.server.sendResourceUpdated({ uri: asked }).catch(ignore);
    },
    listChanged: () => void server.server.sendResourceListChanged().catch(ignore),
  });
  if (subscribed !== undefined) keepSubscriptions(subscribed, { server, serving, watch });
  server.server.onclose = () => watch[Symbol.dispose]();
}

interface Keeping {
  readonly server: McpServer;
  readonly serving: Serving;
  readonly watch: ResourceWatch;
}

/** @param subscribed - each address as it was asked for, by the one that we would write */
function keepSubscriptions(subscribed: Map<string, string>, { server, serving, watch }: Keeping): void {
  server.server.setRequestHandler("resources/subscribe", async ({ params }) => {
    const [space, ...rest] = partsOf(params.uri);
    // Opened, so that it is watched; and an address with the space's id is one with its name.
    const { name } = await serving.space(space);
    await watch.ready();
    if (subscribed.size < MAX_SUBSCRIBED) subscribed.set(canonical(name, rest), params.uri);
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    for (const [uri, asked] of subscribed) if (asked === params.uri) subscribed.delete(uri);
    return {};
  });
}

const partsOf = (uri: string): readonly string[] =>
  uri
    .replace(/^cambium:\/\//, "")
    .split("/")
    .map((part) => decoded(part));

const canonical = (space: string, [branch = "", ...rest]: readonly string[]): string =>
  uriOf(space, branch, ...rest);
