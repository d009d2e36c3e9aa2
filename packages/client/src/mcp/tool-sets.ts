/**
 * Which tools a server has: chosen once, when it starts, so that a list of tools never changes under a client.
 *
 * @module
 */
import type { McpServer } from "@modelcontextprotocol/server";
import { registerTools } from "./register-tools.js";
import type { Serving } from "./serving.js";
import type { ToolSetName } from "./settings.js";
import { forget } from "./tools/forget.js";
import { recall } from "./tools/recall.js";
import { remember } from "./tools/remember.js";

/** Puts the tools of a set on a server. */
export type ToolInstaller = (server: McpServer, serving: Serving) => void;

const LEAN = [remember, recall, forget];

/** What a set needs beyond the lean one is loaded only when it is asked for. */
export async function toolInstaller(set: ToolSetName): Promise<ToolInstaller> {
  switch (set) {
    case "lean":
      return (server, serving) => registerTools(server, serving, LEAN);
    case "full":
      return (server, serving) => registerTools(server, serving, LEAN);
    case "official":
      throw new Error("not there yet");
    default:
      return set satisfies never;
  }
}
