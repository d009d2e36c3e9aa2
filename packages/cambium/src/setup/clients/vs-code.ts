/**
 * Visual Studio Code. Its command can add to the user's profile, and has no way to remove.
 *
 * @module
 * @see https://code.visualstudio.com/docs/copilot/chat/mcp-servers
 */
import { join } from "node:path";
import type { AgentClient } from "../client.js";
import { type Machine, settingsDirectory } from "../machine.js";

const userDir = (machine: Machine): string => join(settingsDirectory(machine), "Code", "User");

export const vsCode: AgentClient = {
  id: "vscode",
  name: "VS Code",
  commands: ["code"],
  traces: (machine) => [userDir(machine)],
  userFile: (machine) => join(userDir(machine), "mcp.json"),
  projectFile: ".vscode/mcp.json",
  format: { kind: "jsonc", key: "servers", extras: { type: "stdio" } },
  own: {
    command: "code",
    add: (name, { command, args, env }) => [
      "--add-mcp",
      JSON.stringify({ name, type: "stdio", command, args, env }),
    ],
  },
  afterwards: "`MCP: List Servers` in the command palette starts it.",
};
