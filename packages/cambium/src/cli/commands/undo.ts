import type { UndoResult } from "@cambium/client";
import {
  contentWithTitle,
  counted,
  omitUndefined,
  oneLine,
  shortHash,
  shortId,
  textGoneLine,
} from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { positiveInteger, writeOptions } from "../options.js";
import type { Style } from "../render/style.js";
import { fit } from "../render/terminal-text.js";
import { openConflictsNote } from "../render/written-reply.js";

const NAMED = 3;
const MEMORIES_SHOWN = 5;

/** What the memories say then. */
function memoryLines({ memories, status }: UndoResult, { columns, colors }: Style): readonly string[] {
  const [shown, hidden] =
    status === "preview" ? ["would say", "would be hidden"] : ["now says", "is now hidden"];
  const lines = memories.slice(0, MEMORIES_SHOWN).map((memory) => {
    const { id, deleted } = memory;
    const state = deleted ? hidden : shown;
    const text = fit(oneLine(contentWithTitle(memory)), (columns ?? 100) - 20 - state.length);
    return `  ${colors.yellow(shortId(id))} ${colors.dim(state)}: ${text}`;
  });
  const left = memories.length - lines.length;
  return left > 0 ? [...lines, `  and ${left} more`] : lines;
}

const options = (command: OptionTable) =>
  writeOptions(command)
    .option("--change <hash>", "the change or operation to revert, from `cambium log`")
    .option("--last <n>", "how many of the last changes", positiveInteger)
    .option("--preview", "show what would happen; write nothing");

export const undo: CommandDefinition<typeof options> = {
  about:
    "Revert what was done last on the branch, the last few, or a named change, with a new change. An import or another operation of several changes is reverted as one. Nothing is lost",
  examples: [
    "cambium undo",
    "cambium undo --preview",
    "cambium undo --last 3",
    "cambium undo --change 5f0c1a2b3c",
  ],
  options,
  act: async (context, _args, { change, last, preview, reason }) =>
    await context.withSpace(async ({ agent }) => {
      const asked = omitUndefined({ change, last, preview, reason });
      const result = await agent.undo({ branch: context.branch, ...asked });
      return await context.answer(result, () => undoneText(result, context.style));
    }),
};

function undoneText(result: UndoResult, style: Style): string {
  const isPreview = result.status === "preview";
  const count = result.memories.length;
  const kept = result.kept.map(
    ({ id, fields }) =>
      `  Not taken back, as others decided it or a conflict was settled: ${fields.join(", ")} of ${shortId(id)}`,
  );
  const gone = (result.textsGone ?? []).map((id) => `  ${textGoneLine(shortId(id))}`);
  const notes = isPreview
    ? ["", "Nothing was written."]
    : result.memories.flatMap((memory) => openConflictsNote(memory, style));
  const what = counted(count, "memory", "memories");
  const hashes = result.changes.slice(0, NAMED).map((hash) => style.colors.yellow(shortHash(hash)));
  const more = result.changes.length - hashes.length;
  const of = hashes.join(", ") + (more > 0 ? ` and ${more} more changes` : "");
  const done = isPreview ? "Would take back" : "Took back";
  return [`${done} ${of}: ${what}`, ...memoryLines(result, style), ...kept, ...gone, ...notes].join("\n");
}
