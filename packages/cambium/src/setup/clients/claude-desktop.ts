/**
 * Claude Desktop. It starts servers without the PATH of a shell. On Windows its package sees a directory of its
 * own in place of `%APPDATA%`, and reads only that.
 *
 * @module
 * @see https://modelcontextprotocol.io/docs/develop/connect-local-servers
 * @see https://github.com/anthropics/claude-code/issues/26073
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { nonEmpty } from "@cambium/core/text";
import { isErrno } from "../../workspace/errno.js";
import type { AgentClient } from "../client.js";
import { type Machine, settingsDirectory } from "../machine.js";

const FILE = "claude_desktop_config.json";

export const claudeDesktop: AgentClient = {
  id: "claude-desktop",
  name: "Claude Desktop",
  commands: [],
  traces: (machine) => [settingsDir(machine)],
  userFile: (machine) => join(settingsDir(machine), FILE),
  format: { kind: "jsonc", key: "mcpServers" },
  needsFullPath: true,
  afterwards: "Quit Claude Desktop and start it again.",
};

const settingsDir = (machine: Machine): string =>
  packageDir(machine) ?? join(settingsDirectory(machine), "Claude");

function packageDir({ platform, env, home }: Machine): string | undefined {
  if (platform !== "win32") return undefined;
  const packages = join(nonEmpty(env.LOCALAPPDATA) ?? join(home, "AppData", "Local"), "Packages");
  try {
    const name = readdirSync(packages).find((entry) => /^(Claude_|Anthropic\.Claude)/.test(entry));
    return name === undefined ? undefined : join(packages, name, "LocalCache", "Roaming", "Claude");
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM")) return undefined;
    throw error;
  }
}
