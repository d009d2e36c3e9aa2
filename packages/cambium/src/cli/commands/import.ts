import type { ImportResult, Progress } from "@cambium/client";
import { omitUndefined, oneLine } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { CountLine } from "../count-line.js";
import { unlessStopped } from "../failure.js";
import { importArchive, isArchive, refuseArchiveOptions } from "../import-archive.js";
import { stoppedImport } from "../import-stopped.js";
import { operationId } from "../operation-id.js";
import { choice, type OptionTable } from "../option-table.js";
import { authorOption, collect } from "../options.js";
import { PASSPHRASE_OPTION } from "../passphrase.js";
import { UsageError } from "../usage-error.js";

const SKIPPED_SHOWN = 10;

const FORMATS: Readonly<Record<ImportResult["format"], string>> = {
  jsonl: "an export",
  markdown: "Markdown",
  "mcp-memory": "MCP memory",
  chatgpt: "a ChatGPT export",
  claude: "a Claude export",
  mem0: "memories of mem0",
  zep: "facts of Zep",
};

const options = (command: OptionTable) =>
  authorOption(command)
    .addOption(
      choice("--format <format>", "format of the source (default: detected)", [
        "jsonl",
        "mcp-memory",
        "markdown",
        "chatgpt",
        "claude",
        "mem0",
        "zep",
      ]),
    )
    .option("--preview", "show what would be imported; write nothing")
    .option(PASSPHRASE_OPTION, "of an archive: the file that holds its passphrase; - reads it")
    .option("--since <archive>", "of an archive: an earlier one that it needs; may be repeated", collect)
    .option("--name <name>", "of an archive: what its space is to be called here")
    .option(
      "--as-space <name>",
      "of an archive: make a new space of it, which never syncs with the one that the archive is of",
    )
    .option("--link", "of an archive: connect to the relay with the access that it holds");

const importMemories: CommandDefinition<typeof options, [path: string]> = {
  about:
    "Import what `export` or `archive` wrote, Markdown files or folders, the JSONL of the MCP memory server, the conversations of a ChatGPT or Claude export, or what mem0 or Zep answer as JSON (`-` reads standard input). Importing again adds nothing",
  examples: [
    "cambium import CLAUDE.md",
    "cambium import notes/",
    "cambium import memory.jsonl --format mcp-memory",
    "cambium import export/conversations.json",
    "cambium import notes/ --preview",
    "cambium import notes.cambium --passphrase-file passphrase.txt",
    "cambium import notes.cambium --passphrase-file passphrase.txt --as-space trial",
  ],
  options,
  act: async (context, [path], { format, preview, ...ofArchive }) => {
    if (await isArchive(path, context)) {
      refuseOthers(format, context);
      return await importArchive(path, { preview, ...ofArchive }, context);
    }
    refuseArchiveOptions(ofArchive);
    return await context.withSpace(async ({ agent }) => {
      const { io, branch } = context;
      using counts = new CountLine(io);
      let last: Progress | undefined;
      const operation = operationId("import");
      const options = {
        ...{
          branch,
          signal: io.signal,
          ...(preview === true ? {} : { operation }),
          ...omitUndefined({ format, preview }),
        },
        onProgress: (progress: Progress): void => {
          last = progress;
          counts.show(progress.done, progress.total);
        },
      };
      const importing = agent.import(path, options).finally(() => counts[Symbol.dispose]());
      const result = await unlessStopped(importing, io, (done) =>
        done === undefined
          ? stoppedImport(agent, context, { operation, last })
          : { lines: [importText(done, context)] },
      );
      return await context.answer(result, () => importText(result, context));
    });
  },
};

/** An archive is all of a space, and becomes that. */
function refuseOthers(format: string | undefined, context: Context): void {
  if (format !== undefined)
    throw new UsageError("This is an archive: --format is of other imports.", "Leave it out.");
  context.refuseTyped(
    ["space", "branch"],
    "An archive is all of a space: --space and --branch do not choose where it goes.",
    "Leave them out. To have its memories in another space: cambium browse <file> export --out memories.jsonl, then cambium import memories.jsonl --space <name>.",
  );
}

function importText(
  { format, created, changed, broughtBack, unchanged, skipped, operation, checkpoint, preview }: ImportResult,
  context: Context,
): string {
  const { colors } = context.style;
  const counts = [
    `${created} new`,
    `${changed} changed`,
    ...(broughtBack === 0 ? [] : [`${broughtBack} brought back`]),
    `${unchanged} known already`,
  ].join(", ");
  const shown = skipped
    .slice(0, SKIPPED_SHOWN)
    .map(({ where, reason }) => `  ${colors.yellow("!")} ${oneLine(where)}: ${oneLine(reason)}`);
  const rest = skipped.length - shown.length;
  return [
    `${preview === true ? "Would import" : "Imported"} ${FORMATS[format]}: ${counts}`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more skipped; --json lists them`] : []),
    ...(operation === undefined
      ? []
      : [`To take all of it back: ${context.commandHere("undo", "--change", operation)}`]),
    ...(checkpoint === undefined ? [] : [`The state before it: checkpoint:${checkpoint}`]),
  ].join("\n");
}

export { importMemories as import };
