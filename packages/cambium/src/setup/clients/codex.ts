/**
 * OpenAI Codex: one `config.toml` for the command line, the editor extension and the app.
 *
 * @module
 * @see https://developers.openai.com/codex/mcp
 */

import { join } from "node:path";
import { nonEmpty } from "@cambium/core/text";
import type { AgentClient } from "../client.js";
import type { Machine } from "../machine.js";

const codexHome = ({ env, home }: Machine): string => nonEmpty(env.CODEX_HOME) ?? join(home, ".codex");

export const codex: AgentClient = {
  id: "codex",
  name: "Codex",
  commands: ["codex"],
  traces: (machine) => [codexHome(machine)],
  userFile: (machine) => join(codexHome(machine), "config.toml"),
  projectFile: ".codex/config.toml",
  format: { kind: "toml" },
  own: {
    command: "codex",
    add: (name, { command, args, env }) => [
      ...["mcp", "add", name],
      ...Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
      ...["--", command, ...args],
    ],
    remove: (name) => ["mcp", "remove", name],
  },
  afterwards: "Start a new session; /mcp shows it. A project's file counts once the project is trusted.",
};
