import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Agent, ExportOptions, ExportResult, Progress } from "@cambium/client";
import { counted, omitUndefined, shellWord } from "@cambium/core/text";
import { exitOfNone } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { CountLine } from "../count-line.js";
import { unlessStopped } from "../failure.js";
import { filterOf, narrowingOptions } from "../filter-options.js";
import type { Io } from "../io.js";
import { choice, type OptionsOf, type OptionTable } from "../option-table.js";
import { agentOption, yesOption } from "../options.js";
import { readPeriodOptions } from "../period-options.js";
import { adviceLines } from "../render/recalled.js";
import { stoppedWriting } from "../stopped-file.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  yesOption(agentOption(narrowingOptions(command), "the owner"))
    .addOption(
      choice(
        "--format <format>",
        "jsonl, with every version (default); markdown, a file for each memory; or mcp-memory",
        ["jsonl", "markdown", "mcp-memory"],
      ),
    )
    .option("--out <path>", "write to this file or, for markdown, this new folder (default: standard output)")
    .option("--force", "write over a file that is there");

const exportMemories: CommandDefinition<typeof options> = {
  about:
    "Write memories to a file that only you can read, or to a folder of Markdown files: those of a branch, as it is now or was. `cambium import` takes each form back",
  examples: [
    "cambium export --out memories.jsonl",
    "cambium export --format markdown --out notes/",
    "cambium export --at 2026-08-01 --tag release --out august.jsonl",
    "cambium export --format mcp-memory > memory.jsonl",
  ],
  options,
  act: async (context, _args, { format, out, force, ...filters }) => {
    if (out === undefined && format === "markdown")
      throw new UsageError("A Markdown export is many files: name a new folder with --out.");
    if (out === undefined && context.json)
      throw new UsageError(
        "With --json, name the file with --out: standard output has room for one of them.",
      );
    return await context.withSpace(async ({ agent }) => {
      const { io, branch, style } = context;
      const period = await readPeriodOptions(filters, context);
      using counts = new CountLine(io);
      const asked = {
        ...{ ...omitUndefined({ branch, format }), ...filterOf(filters, period), overwrite: force === true },
        signal: io.signal,
        onProgress: ({ done, total }: Progress): void => counts.show(done, total),
      };
      if (out === undefined) {
        const result = await unlessStopped(toOutput(agent, asked, io), io, () => NOTHING_WRITTEN);
        counts[Symbol.dispose]();
        const lines = result.sizeBytes === 0 ? nothingLines(result, filters, context) : notesOn(result);
        for (const line of lines) io.errors.write(`${line}\n`);
        return { document: undefined, text: "", exit: exitOf(result, filters) };
      }
      const whenStopped =
        format === "markdown" ? () => NOTHING_WRITTEN : stoppedWriting(resolve(io.cwd, out), io);
      const result = await unlessStopped(agent.export(out, asked), io, (done) =>
        done === undefined ? whenStopped() : { lines: [exportedText(done)] },
      );
      counts[Symbol.dispose]();
      const lines =
        result.sizeBytes === 0
          ? nothingLines(result, filters, context)
          : [exportedText(result), ...adviceLines(result.advice, style), ...notesOn(result)];
      return await context.answer(
        result,
        () => [...period.lines, ...lines].join("\n"),
        exitOf(result, filters),
      );
    });
  },
};

/** As of a recall that finds nothing. */
const exitOf = ({ memories, advice }: ExportResult, { by }: Filters): number =>
  exitOfNone(Array(memories), by, advice);

type Filters = Omit<OptionsOf<typeof options>, "format" | "out" | "force">;

function nothingLines({ advice }: ExportResult, filters: Filters, { style }: Context): readonly string[] {
  const words = Object.entries(filters).flatMap(([name, value]) => {
    const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const values = value === undefined || WHERE.has(name) ? [] : [value].flat();
    return values.map((one) => `${option} ${shellWord(String(one))}`);
  });
  const none =
    words.length === 0 ? "There was no memory in that state" : `No memory matches ${words.join(" ")}`;
  return [`${none}. Nothing was written.`, ...adviceLines(advice, style)];
}

/** Options that leave nothing out. */
const WHERE: ReadonlySet<string> = new Set([
  "space",
  "branch",
  "at",
  "agent",
  "json",
  "yes",
  "ownerCodeFile",
]);

const NOTHING_WRITTEN = { lines: ["Stopped. Nothing was written."] };

/** By way of a private file: the daemon writes files, and what is half-written is not shown. */
async function toOutput(agent: Agent, options: ExportOptions, { output }: Io): Promise<ExportResult> {
  const folder = await mkdtemp(join(tmpdir(), "cambium-export-"));
  try {
    const result = await agent.export(join(folder, "memories"), options);
    if (result.sizeBytes > 0)
      for await (const text of createReadStream(result.path, "utf8")) output.write(text as string);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function exportedText({ path, memories, forgotten = 0, versions, format }: ExportResult): string {
  const hidden = forgotten === 0 ? "" : ` (${forgotten} forgotten)`;
  const what = counted(memories, "memory", "memories") + hidden;
  const written = versions === undefined ? what : `${what} with ${counted(versions, "version")}`;
  return [
    `Wrote ${written} to ${path}${format === "markdown" ? ", a file for each" : ""}.`,
    `It is not encrypted. To take it back in: cambium import ${shellWord(path)}`,
  ].join("\n");
}

const notesOn = ({ unreadable = 0 }: ExportResult): readonly string[] =>
  unreadable === 0
    ? []
    : [
        `${unreadable} left out: no version of them can be read here. Try \`cambium sync\`, then export again.`,
      ];

export { exportMemories as export };
