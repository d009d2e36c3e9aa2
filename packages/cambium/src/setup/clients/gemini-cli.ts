/**
 * Gemini CLI. Its command cuts a variable's value at a second `=`; then the file is edited.
 *
 * @module
 * @see https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md
 */
import { join } from "node:path";
import type { AgentClient } from "../client.js";

export const geminiCli: AgentClient = {
  id: "gemini-cli",
  name: "Gemini CLI",
  commands: ["gemini"],
  traces: ({ home }) => [join(home, ".gemini")],
  userFile: ({ home }) => join(home, ".gemini", "settings.json"),
  projectFile: ".gemini/settings.json",
  format: { kind: "jsonc", key: "mcpServers" },
  own: {
    command: "gemini",
    add: (name, { command, args, env }) => {
      if (Object.values(env).some((value) => value === "" || value.includes("="))) return undefined;
      const variables = Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
      return ["mcp", "add", "--scope", "user", ...variables, name, command, ...args];
    },
    remove: (name) => ["mcp", "remove", "--scope", "user", name],
  },
  afterwards: "Start a new session; /mcp shows it.",
};
