/**
 * Which tools a server has: chosen once, when it starts, so that a list of tools never changes under a client.
 *
 * @module
 */
import type { McpServer } from "@modelcontextprotocol/server";
import { registerTools } from "./register-tools.js";
import type { Serving } from "./serving.js";
import type { ProtocolEra, ToolSetName } from "./settings.js";
import type { Tool } from "./tool.js";
import { branch } from "./tools/branch.js";
import { brief } from "./tools/brief.js";
import { diff } from "./tools/diff.js";
import { forget } from "./tools/forget.js";
import { history } from "./tools/history.js";
import { merge } from "./tools/merge.js";
import { recall } from "./tools/recall.js";
import { remember } from "./tools/remember.js";
import { resolve } from "./tools/resolve.js";
import { revise } from "./tools/revise.js";

/**
 * Puts the tools of a set on a server.
 *
 * @param era - where the server is there as long as its client is, so that it may tell of changes
 */
export type ToolInstaller = (server: McpServer, serving: Serving, era?: ProtocolEra) => void;

export const LEAN_TOOLS: readonly Tool[] = [
  brief,
  remember,
  recall,
  revise,
  forget,
  history,
  diff,
  branch,
  merge,
  resolve,
];

/** What a set needs beyond the lean one is loaded only when it is asked for. */
export async function toolInstaller(set: ToolSetName): Promise<ToolInstaller> {
  switch (set) {
    case "lean":
      return (server, serving) => registerTools(server, serving, LEAN_TOOLS);
    case "full": {
      const { FULL_TOOLS } = await import("./full-tools.js");
      return (server, serving) => registerTools(server, serving, [...LEAN_TOOLS, ...FULL_TOOLS]);
    }
    case "official":
      return (await import("./official/install.js")).installOfficialTools;
    default:
      return set satisfies never;
  }
}
