/**
 * Windsurf. It has no settings of a project.
 *
 * @module
 * @see https://docs.windsurf.com/windsurf/cascade/mcp
 */
import { join } from "node:path";
import type { AgentClient } from "../client.js";

export const windsurf: AgentClient = {
  id: "windsurf",
  name: "Windsurf",
  commands: ["windsurf"],
  traces: ({ home }) => [join(home, ".codeium", "windsurf")],
  userFile: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
  format: { kind: "jsonc", key: "mcpServers" },
  afterwards: "Press Refresh in its MCP panel, or restart Windsurf.",
};
