import { resolve } from "node:path";
import type { Progress } from "@cambium/client";
import { omitUndefined } from "@cambium/core/text";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { CountLine } from "../count-line.js";
import { unlessStopped } from "../failure.js";
import type { OptionsOf, OptionTable } from "../option-table.js";
import { collect, spaceOption } from "../options.js";
import { newPassphrase, PASSPHRASE_OPTION, statedPassphrase } from "../passphrase.js";
import { archivedText, archiveText } from "../render/archive.js";
import { stoppedWriting } from "../stopped-file.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  spaceOption(command)
    .option(PASSPHRASE_OPTION, "seal it with the passphrase in this file; - reads it (default: asks for one)")
    .option("--clear", "write it in the clear: whoever has the file reads everything")
    .option(
      "--since <archive>",
      "write only what is new since this archive; may be repeated with --verify",
      collect,
    )
    .option(
      "--branch <name>",
      "only this branch, with what is needed to read it; may be repeated (default: all)",
      collect,
    )
    .option("--force", "write over a file that is there")
    .option("--verify", "check this archive, every byte of it, and say what is in it");

type Options = OptionsOf<typeof options>;

export const archive: CommandDefinition<typeof options, [file: string]> = {
  about:
    "Write all of a space to one file: every branch, its history, checkpoints, policy, audit log and key. `cambium import` takes it back, on any device",
  examples: [
    "cambium archive notes.cambium --passphrase-file passphrase.txt",
    "cambium archive work.cambium --space work --clear",
    "cambium archive tuesday.cambium --since monday.cambium --passphrase-file passphrase.txt",
    "cambium archive notes.cambium --verify --passphrase-file passphrase.txt",
  ],
  options,
  act: async (context, [file], asked) =>
    asked.verify === true ? await verify(file, asked, context) : await write(file, asked, context),
};

async function write(
  file: string,
  { since = [], branch: branches, force, clear, passphraseFile }: Options,
  context: Context,
) {
  await context.refuseAgents("archive a space");
  const { io, style } = context;
  const [base, second] = since;
  if (second !== undefined) throw new UsageError("Give one --since: the archive that this one follows.");
  if (clear === true && passphraseFile !== undefined)
    throw new UsageError("Give --passphrase-file or --clear, not both.");
  const passphrase = clear === true ? undefined : await newPassphrase(passphraseFile, io);
  if (clear !== true && passphrase === undefined)
    throw new UsageError(
      "An archive is sealed with a passphrase.",
      "Give --passphrase-file <file>, or --clear: then whoever has the file reads everything.",
    );
  return await context.withSpace(async ({ space }) => {
    using counts = new CountLine(io);
    const path = resolve(io.cwd, file);
    const whenStopped = stoppedWriting(path, io);
    const making = space.archive(path, {
      ...omitUndefined({
        passphrase,
        clear,
        branches,
        overwrite: force,
        since: base && resolve(io.cwd, base),
      }),
      signal: io.signal,
      onProgress: ({ done, total }: Progress): void => counts.show(done, total, "documents"),
    });
    const made = await unlessStopped(making, io, (done) =>
      done === undefined ? whenStopped() : { lines: [archivedText(done, style)] },
    );
    counts[Symbol.dispose]();
    return await context.answer(made, () => archivedText(made, style));
  });
}

async function verify(
  file: string,
  { since = [], branch, force, clear, passphraseFile }: Options,
  context: Context,
) {
  if (force === true || clear === true || branch !== undefined)
    throw new UsageError("--verify writes nothing: leave out --force, --clear and --branch.");
  const { io, style } = context;
  const path = resolve(io.cwd, file);
  const [{ verifyArchive }, { archiveKind }] = await Promise.all([
    import("@cambium/client"),
    import("@cambium/client/host"),
  ]);
  const isSealed = (await archiveKind(path)) === "sealed";
  const passphrase = isSealed ? await statedPassphrase(passphraseFile, io) : undefined;
  using _working = context.showWorking();
  const contents = await verifyArchive(path, {
    ...omitUndefined({ passphrase }),
    since: since.map((one) => resolve(io.cwd, one)),
    signal: io.signal,
  });
  return await context.answer({ ok: true, ...contents }, () => archiveText(contents, style));
}
