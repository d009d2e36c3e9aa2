import type { ImportResult } from "@cambium/client";
import { omitUndefined, oneLine } from "@cambium/core/text";
import { Option } from "commander";
import type { CommandDefinition } from "../command.js";
import type { ContextOptions } from "../context.js";
import { authorOption } from "../options.js";
import type { Style } from "../render/style.js";

interface Options extends ContextOptions {
  readonly format?: ImportResult["format"];
}

const SKIPPED_SHOWN = 10;

const FORMATS: Readonly<Record<ImportResult["format"], string>> = {
  markdown: "Markdown",
  "mcp-memory": "MCP memory",
  chatgpt: "a ChatGPT export",
  claude: "a Claude export",
};

const importMemories: CommandDefinition<Options, [path: string]> = {
  about:
    "Import Markdown files or folders, the JSONL of the MCP memory server, or the conversations of a ChatGPT or Claude export (`-` reads standard input). Importing again adds nothing",
  examples: [
    "cambium import CLAUDE.md",
    "cambium import notes/",
    "cambium import memory.jsonl --format mcp-memory",
    "cambium import export/conversations.json",
  ],
  options: (command) =>
    authorOption(command).addOption(
      new Option("--format <format>", "format of the source (default: detected)").choices([
        "mcp-memory",
        "markdown",
        "chatgpt",
        "claude",
      ]),
    ),
  act: async (context, [path], { format }) =>
    await context.withSpace(async ({ agent }) => {
      const options = { branch: context.branch, signal: context.io.signal, ...omitUndefined({ format }) };
      const result = await agent.import(path, options);
      return await context.answer(result, () => importText(result, context.style));
    }),
};

function importText(
  { format, created, changed, unchanged, skipped }: ImportResult,
  { colors }: Style,
): string {
  const counts = [`${created} new`, `${changed} changed`, `${unchanged} known already`].join(", ");
  const shown = skipped
    .slice(0, SKIPPED_SHOWN)
    .map(({ where, reason }) => `  ${colors.yellow("!")} ${oneLine(where)}: ${oneLine(reason)}`);
  const rest = skipped.length - shown.length;
  return [
    `Imported ${FORMATS[format]}: ${counts}`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more skipped; --json lists them`] : []),
  ].join("\n");
}

export { importMemories as import };
