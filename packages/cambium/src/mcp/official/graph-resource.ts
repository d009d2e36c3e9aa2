/**
 * The whole graph as a resource, which clients may subscribe to.
 *
 * @module
 */
import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { Serving } from "../serving.js";
import type { ProtocolEra } from "../settings.js";
import type { OfficialGraph } from "./tools.js";

const RESOURCE_URI = "memory://knowledge-graph";

export function installGraphResource(
  server: McpServer,
  graphFor: (context: ServerContext) => Promise<OfficialGraph>,
): void {
  server.registerResource(
    "knowledge-graph",
    RESOURCE_URI,
    {
      title: "Knowledge Graph",
      description: "The full knowledge graph with all entities and relations",
      mimeType: "application/json",
    },
    async (uri, context) => {
      const graph = await (await graphFor(context)).read({});
      return {
        contents: [{ uri: uri.href, mimeType: "application/json", text: JSON.stringify(graph, null, 2) }],
      };
    },
  );
}

/**
 * Reports changes, no matter who writes: these tools, another agent, the command line, or another device. Since
 * 2026-07-28 the SDK keeps who listens; before, clients subscribe here.
 */
export function tellOfGraphChanges(server: McpServer, serving: Serving, era: ProtocolEra | undefined): void {
  server.server.registerCapabilities({ resources: { subscribe: era !== undefined } });
  if (era === undefined) return;
  let stop: (() => void) | undefined;
  const end = (): void => {
    stop?.();
    stop = undefined;
  };
  const begin = (): void => {
    stop ??= onChanges(serving, () => notify(server));
  };
  server.server.onclose = end;
  if (era === "modern") begin();
  else keepSubscriptions(server, serving, { begin, end });
}

function keepSubscriptions(
  server: McpServer,
  serving: Serving,
  { begin, end }: { readonly begin: () => void; readonly end: () => void },
): void {
  server.server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if (uri !== RESOURCE_URI) return {};
    await serving.space(); // opened, so that it is listened to
    begin();
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    if (uri === RESOURCE_URI) end();
    return {};
  });
}

/** Of every space that is used here: there is rarely more than one. */
function onChanges(serving: Serving, listener: () => void): () => void {
  const stops: (() => void)[] = [];
  const stop = serving.onSpace((space) => {
    stops.push(space.subscribe(({ type }) => (type === "changed" ? listener() : undefined)));
  });
  return () => {
    stop();
    for (const each of stops) each();
  };
}

/** Nobody is left to tell when the connection has just gone. */
const notify = (server: McpServer): void =>
  void server.server.sendResourceUpdated({ uri: RESOURCE_URI }).catch(() => undefined);
