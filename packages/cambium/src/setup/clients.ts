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
    hint: `${nearText(text)}Known: ${AGENT_CLIENTS.map(({ id }) => id).join(", ")}. For others: write \`cambium mcp\` as the server's command into their settings.`,
  });
}

/** One that is a letter away, or has two letters exchanged. */
function nearText(text: string): string {
  const near = AGENT_CLIENTS.find(({ id }) => isNear(plain(text), plain(id)));
  return near === undefined ? "" : `Did you mean ${near.id}? `;
}

function isNear(typed: string, name: string): boolean {
  const [short, long] = typed.length < name.length ? [typed, name] : [name, typed];
  if (long.length - short.length > 1 || short.length < 2) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start += 1;
  const [ofShort, ofLong] = [short.slice(start), long.slice(start)];
  if (long.length > short.length) return ofShort === ofLong.slice(1);
  const isExchanged = ofShort[0] === ofLong[1] && ofShort[1] === ofLong[0];
  return ofShort.slice(1) === ofLong.slice(1) || (isExchanged && ofShort.slice(2) === ofLong.slice(2));
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  claude: "claude-code",
  code: "vscode",
  visualstudiocode: "vscode",
  gemini: "gemini-cli",
};

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
