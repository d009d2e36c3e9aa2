/**
 * Claude Code. Running sessions rewrite its user settings all the time, so its own command is asked first.
 *
 * `--env` takes several values, and would take the server's name for one more: another option stands between.
 *
 * @module
 * @see https://code.claude.com/docs/en/mcp
 */

import { join } from "node:path";
import { nonEmpty } from "@cambium/core/text";
import type { AgentClient } from "../client.js";
import type { Machine } from "../machine.js";

const settingsDir = ({ env, home }: Machine): string => nonEmpty(env.CLAUDE_CONFIG_DIR) ?? home;

export const claudeCode: AgentClient = {
  id: "claude-code",
  name: "Claude Code",
  commands: ["claude"],
  traces: (machine) => [join(settingsDir(machine), ".claude.json"), join(machine.home, ".claude")],
  userFile: (machine) => join(settingsDir(machine), ".claude.json"),
  projectFile: ".mcp.json",
  format: { kind: "jsonc", key: "mcpServers", extras: { type: "stdio" } },
  own: {
    command: "claude",
    add: (name, { command, args, env }) => [
      "mcp",
      "add",
      ...Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
      ...["--transport", "stdio", "--scope", "user"],
      ...[name, "--", command, ...args],
    ],
    remove: (name) => ["mcp", "remove", "--scope", "user", name],
    mustRemoveFirst: true,
  },
  afterwards: "Start a new session; /mcp shows it.",
};
