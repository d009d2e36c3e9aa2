/**
 * The whole graph as a resource, which clients may subscribe to.
 *
 * @module
 */
import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { Serving } from "../serving.js";
import type { OfficialGraph } from "./tools.js";

const RESOURCE_URI = "memory://knowledge-graph";

export function installGraphResource(
  server: McpServer,
  serving: Serving,
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
  serveSubscriptions(server, serving);
}

/** Whoever writes: these tools, another agent, the command line, or another device. */
function serveSubscriptions(server: McpServer, serving: Serving): void {
  let stop: (() => void) | undefined;
  const end = (): void => {
    stop?.();
    stop = undefined;
  };
  server.server.registerCapabilities({ resources: { subscribe: true } });
  server.server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    if (uri === RESOURCE_URI) stop ??= onChanges(serving, () => notify(server));
    return {};
  });
  server.server.setRequestHandler("resources/unsubscribe", async ({ params: { uri } }) => {
    if (uri === RESOURCE_URI) end();
    return {};
  });
  const before = server.server.onclose;
  server.server.onclose = () => {
    end();
    before?.();
  };
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
