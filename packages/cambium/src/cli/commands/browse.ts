import type { CommandDefinition } from "../command.js";
import type { OptionTable } from "../option-table.js";
import { collect } from "../options.js";
import { PASSPHRASE_OPTION } from "../passphrase.js";

const options = (command: OptionTable) =>
  command
    .option(PASSPHRASE_OPTION, "the passphrase of the archive is in this file; - reads it (default: asks)")
    .option("--since <archive>", "an earlier archive that this one needs, if it was moved", collect);

export const browse: CommandDefinition<typeof options, [file: string, words: readonly string[]]> = {
  about:
    "Read an archive with the verbs that read, without importing it: list, show, recall, history, log, diff, blame, evolution, branches, checkpoints, conflicts, export. Nothing is written to it, and nothing of it stays on this device. Options of the archive stand before the verb",
  examples: [
    "cambium browse notes.cambium list",
    "cambium browse notes.cambium --passphrase-file passphrase.txt recall release day",
    "cambium browse notes.cambium log --branch draft",
  ],
  options,
  passesThrough: true,
  act: async (context, [file, words], asked) =>
    await (await import("../browse-archive.js")).browseArchive(context, file, words, asked),
};
