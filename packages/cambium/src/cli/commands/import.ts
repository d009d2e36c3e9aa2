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

export const importMemories: CommandDefinition<Options, [path: string]> = {
  about:
    "Import Markdown files or folders, or the JSONL of the MCP memory server (`-` reads standard input). Importing again adds nothing",
  examples: [
    "cambium import CLAUDE.md",
    "cambium import notes/",
    "cambium import memory.jsonl --format mcp-memory",
  ],
  options: (command) =>
    authorOption(command).addOption(
      new Option("--format <format>", "format of the source (default: detected)").choices([
        "mcp-memory",
        "markdown",
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
    `Imported ${format === "markdown" ? "Markdown" : "MCP memory"}: ${counts}`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more skipped; --json lists them`] : []),
  ].join("\n");
}
