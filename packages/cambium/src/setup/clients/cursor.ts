/**
 * Cursor.
 *
 * @module
 * @see https://cursor.com/docs/mcp
 */
import { join } from "node:path";
import type { AgentClient } from "../client.js";

export const cursor: AgentClient = {
  id: "cursor",
  name: "Cursor",
  commands: ["cursor"],
  traces: ({ home }) => [join(home, ".cursor")],
  userFile: ({ home }) => join(home, ".cursor", "mcp.json"),
  projectFile: ".cursor/mcp.json",
  format: { kind: "jsonc", key: "mcpServers" },
  afterwards: "Restart Cursor, and see that it is switched on under MCP in its settings.",
};
