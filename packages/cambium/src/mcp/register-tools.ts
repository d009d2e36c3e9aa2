/**
 * Tools on an SDK server: arguments checked, the agent named, failures reported, and everything that leaves made safe
 * to show.
 *
 * @module
 */
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { safeData, safeText } from "@cambium/core/text";
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { problemsIn } from "../operations/problem.js";
import { agentNameOf } from "./agent-name.js";
import { failureResult } from "./failure.js";
import { listedSchema } from "./json-schema.js";
import type { Serving } from "./serving.js";
import type { Place, Reply, Tool, ToolContext } from "./tool.js";

export function registerTools(server: McpServer, serving: Serving, tools: readonly Tool[]): void {
  const served = new Set(tools.map(({ name }) => name));
  for (const tool of tools) {
    const { name, title, description, annotations } = tool;
    server.registerTool(
      name,
      {
        ...{ title, description, annotations },
        inputSchema: listedSchema(() => tool.input),
      },
      (args, context) => callTool(tool, args, { server, serving, served, context }),
    );
  }
}

interface Calling {
  readonly server: McpServer;
  readonly serving: Serving;
  readonly context: ServerContext;
}

interface CallingTool extends Calling {
  /** The names of the tools that the client has. */
  readonly served: ReadonlySet<string>;
}

async function callTool(
  tool: Tool,
  rawInput: unknown,
  calling: CallingTool,
): Promise<CallToolResult | InputRequiredResult> {
  const person = askedPerson(calling.context);
  try {
    const args = checkedArguments(tool, rawInput);
    const call = await callFor(args, calling, person === "accepted");
    return resultOf(await tool.run(call, args as never));
  } catch (thrown) {
    const error = calling.serving.settings.explain?.(thrown) ?? thrown;
    const mayAsk = isCambiumError(error, "CONFIRMATION_NEEDED") && person === "not asked";
    return mayAsk && canElicit(calling) ? confirmationOf(error) : failureResult(error, calling.served);
  }
}

/** @throws {CambiumError} BAD_INPUT naming every argument that is wrong */
function checkedArguments({ name, input, form }: Tool, rawInput: unknown): Place {
  const parsed = input.safeParse(rawInput ?? {});
  if (parsed.success) return parsed.data as Place;
  const wrong = problemsIn(name, parsed.error, input);
  throw new CambiumError(
    "BAD_INPUT",
    `The arguments do not fit the tool ${name}. ${wrong.slice(0, 5).join(" ")}`,
    { hint: form ?? "Correct the arguments, and call again." },
  );
}

/** Where and as whom a call works that names at most these. */
export async function callFor(args: Place, calling: Calling, isAgreed: boolean): Promise<ToolContext> {
  const { serving, context } = calling;
  const agentName = serving.settings.agent ?? agentNameOf(clientNameOf(calling));
  const space = await serving.space(args.space);
  const as: ToolContext["as"] = ({ confirmed = false } = {}) =>
    space.as({
      ...{ agent: agentName, session: serving.session, trigger: "mcp" },
      confirmed: confirmed || isAgreed,
    });
  const branch = args.branch ?? (await serving.branch(space, as));
  const { signal } = context.mcpReq;
  return { space, agentName, branch, as, agreed: isAgreed, now: serving.now(), signal };
}

function resultOf({ text, data }: Reply): CallToolResult {
  return {
    content: [{ type: "text", text: safeText(text) }],
    structuredContent: safeData(data) as Record<string, unknown>,
  };
}

/** With each request since 2026-07-28, before only in the handshake. */
function clientNameOf({ server, context }: Calling): unknown {
  const phrases = textWith(context)[CLIENT_INFO_META_KEY] as { readonly name?: unknown } | undefined;
  return (phrases ?? server.server.getClientVersion())?.name;
}

function canElicit({ server, context }: Calling): boolean {
  const phrases = textWith(context)[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const elicitation = (phrases ?? server.server.getClientCapabilities())?.elicitation;
  // A client that names no mode means forms.
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Checked by the SDK before it comes here. */
const textWith = ({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> => mcpReq.envelope ?? {};

const CONFIRM = "confirm";

const confirmationOf = ({ message }: CambiumError): InputRequiredResult =>
  inputRequired({
    inputRequests: {
      [CONFIRM]: inputRequired.elicit({
        message: `${safeText(message.replace(/ It was not confirmed.*$/, ""))} Go on?`,
        requestedSchema: z.object({ confirm: z.boolean().describe("Do it") }),
      }),
    },
  });

function askedPerson({ mcpReq }: ServerContext): "not asked" | "accepted" | "declined" {
  const response = inputResponse(mcpReq.inputResponses, CONFIRM);
  if (response.kind !== "elicit") return "not asked";
  return response.action === "accept" && response.content?.confirm === true ? "accepted" : "declined";
}
