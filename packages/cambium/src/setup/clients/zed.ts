/**
 * Zed: servers stand in its settings, which most people keep comments in.
 *
 * @module
 * @see https://zed.dev/docs/ai/mcp
 */
import { join } from "node:path";
import type { AgentClient } from "../client.js";
import { type Machine, settingsDirectory } from "../machine.js";

/** On macOS, too, Zed keeps its settings in `~/.config`. */
const settingsDir = (machine: Machine): string =>
  machine.platform === "darwin"
    ? join(machine.home, ".config", "zed")
    : join(settingsDirectory(machine), machine.platform === "win32" ? "Zed" : "zed");

export const zed: AgentClient = {
  id: "zed",
  name: "Zed",
  commands: ["zed", "zeditor"],
  traces: (machine) => [settingsDir(machine)],
  userFile: (machine) => join(settingsDir(machine), "settings.json"),
  projectFile: ".zed/settings.json",
  // Older versions ask where a server comes from; newer ones allow it.
  format: { kind: "jsonc", key: "context_servers", extras: { source: "custom" } },
  afterwards: "Its agent panel lists it under settings.",
};
