/**
 * The agents that setup knows, and which of them are on a machine.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { CambiumError } from "@cambium/core";
import type { AgentClient } from "./client.js";
import { claudeCode } from "./clients/claude-code.js";
import { claudeDesktop } from "./clients/claude-desktop.js";
import { codex } from "./clients/codex.js";
import { cursor } from "./clients/cursor.js";
import { geminiCli } from "./clients/gemini-cli.js";
import { vsCode } from "./clients/vs-code.js";
import { windsurf } from "./clients/windsurf.js";
import { zed } from "./clients/zed.js";
import { findCommand, type Machine } from "./machine.js";

export const AGENT_CLIENTS: readonly AgentClient[] = [
  ...[claudeCode, cursor, vsCode, codex],
  ...[geminiCli, windsurf, claudeDesktop, zed],
];

export const isInstalled = (client: AgentClient, machine: Machine): boolean =>
  client.commands.some((command) => findCommand(command, machine) !== undefined) ||
  client.traces(machine).some((path) => existsSync(path));

/**
 * Finds a client by id or name, however it is spelled: "VS Code", `vscode`, `vs-code`.
 *
 * @throws {CambiumError} BAD_INPUT listing those that are known
 */
export function clientNamed(text: string): AgentClient {
  const found = AGENT_CLIENTS.find(({ id, name }) => [id, name].some((word) => plain(word) === plain(text)));
  const other = OTHER_NAMES[plain(text)];
  const client = found ?? AGENT_CLIENTS.find(({ id }) => id === other);
  if (client !== undefined) return client;
  throw new CambiumError("BAD_INPUT", `"${text}" is not an agent that setup knows.`, {
    hint: `Known: ${AGENT_CLIENTS.map(({ id }) => id).join(", ")}. For others, see docs/setup.md.`,
  });
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  claude: "claude-code",
  code: "vscode",
  visualstudiocode: "vscode",
  gemini: "gemini-cli",
};

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
