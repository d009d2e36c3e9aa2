/**
 * The official memory server's tools and resource on a server of ours. What it says, ours says in the same words;
 * what only ours can say, such as that the owner has to approve, is said as by our other tools.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core/errors";
import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { failureResult } from "../failure.js";
import { callFor } from "../register-tools.js";
import type { Serving } from "../serving.js";
import type { ProtocolEra } from "../settings.js";
import { installGraphResource, tellOfGraphChanges } from "./graph-resource.js";
import { listed } from "./shapes.js";
import { OFFICIAL_TOOLS, type OfficialGraph, type OfficialTool } from "./tools.js";

const EFFECTS = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  deletes: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
} as const;

export function installOfficialTools(server: McpServer, serving: Serving, era?: ProtocolEra): void {
  const graphFor = async (context: ServerContext): Promise<OfficialGraph> => {
    const { space, branch, as } = await callFor({}, { server, serving, context }, false);
    return {
      read: (query) => space.graph({ ...query, branch }),
      edit: (edit) => as().editGraph(edit, { branch }),
    };
  };
  for (const tool of OFFICIAL_TOOLS) {
    const { name, title, description, effect, input, output } = tool;
    const registered = server.registerTool(
      name,
      {
        ...{ title, description, annotations: EFFECTS[effect] },
        inputSchema: listed(input),
        outputSchema: listed(output),
      },
      (args, context) => callTool(tool, args, { serving, graph: () => graphFor(context) }),
    );
    registered.execution = { taskSupport: "forbidden" };
  }
  installGraphResource(server, graphFor);
  tellOfGraphChanges(server, serving, era);
}

async function callTool(
  tool: OfficialTool,
  rawArgs: unknown,
  { serving, graph }: { readonly serving: Serving; readonly graph: () => Promise<OfficialGraph> },
): Promise<CallToolResult> {
  const parsed = tool.input.safeParse(rawArgs ?? {});
  if (!parsed.success) return refusal(wrongArguments(tool.name, parsed.error));
  try {
    const { text, data } = await tool.run(await graph(), parsed.data as never);
    return { content: [{ type: "text", text }], structuredContent: data };
  } catch (error) {
    if (isCambiumError(error, "ENTITY_NOT_FOUND"))
      return refusal(`Entity with name ${String(error.details?.entityName)} not found`);
    return failureResult(serving.settings.explain?.(error) ?? error);
  }
}

const refusal = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

function wrongArguments(name: string, { issues }: z.ZodError): string {
  const wrong = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${message} at ${dotted(path)}`,
  );
  return `MCP error -32602: Input validation error: Invalid arguments for tool ${name}: ${wrong.join("\n")}`;
}

/** Such as `entities[0].observations`. */
const dotted = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) =>
      typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
    "",
  );
