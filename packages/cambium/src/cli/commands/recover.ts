import { resolve } from "node:path";
import type { ImportedArchive, SpaceInfo } from "@cambium/client";
import { omitUndefined, shellWord } from "@cambium/core/text";
import type { Answer } from "../answer.js";
import { typedAnswer } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { OptionsOf, OptionTable } from "../option-table.js";
import { collect, DEVICE_OPTION } from "../options.js";
import { readText } from "../read-text.js";
import { importedText } from "../render/archive.js";
import { spaceReply } from "../render/space.js";
import { secretText } from "../secret-file.js";
import { firstSync, firstSyncText } from "../sync-wait.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  command
    .option("--words", "ask for the words, or read them from standard input")
    .option("--relay <url>", "where the space is (default: as the kit says)")
    .option("--archive <archive>", "take the space from this archive, and need no relay")
    .option("--since <archive>", "with --archive: an earlier one that it needs; may be repeated", collect)
    .option("--device <name>", DEVICE_OPTION);

type Options = OptionsOf<typeof options>;

export const recover: CommandDefinition<typeof options, [kit: string | undefined]> = {
  about:
    "Bring a space back on this machine, with its recovery kit: from the relay, or from an archive. The kit stays as it is, and can be used again",
  examples: [
    "cambium recover notes-kit.txt",
    "cambium recover --words --relay https://relay.example",
    "cambium recover notes-kit.txt --archive notes.cambium",
  ],
  options,
  act: async (context, [file], asked) => {
    await context.refuseAgents("recover a space");
    const kit = await kitOf(file, asked, context);
    return asked.archive === undefined
      ? await fromRelay(kit, asked, context)
      : await fromArchive(kit, asked.archive, asked, context);
  },
};

async function kitOf(file: string | undefined, { words }: Options, { io }: Context): Promise<string> {
  if ((file === undefined) === (words === undefined))
    throw new UsageError("Give the file of the kit, or --words.", "cambium recover --words asks for them.");
  if (file === undefined)
    return io.errors.isTerminal ? await typedAnswer("The fifteen words: ", io) : await readText("-", io);
  return file === "-" ? await readText("-", io) : secretText(file, "the kit", io);
}

const STAYS =
  "The kit still opens the space. If others may have seen it, make another one and revoke it: cambium invites revoke 'recovery kit'";

async function fromRelay(kit: string, { relay, device }: Options, context: Context): Promise<Answer> {
  return await context.withSpaces(async (replica) => {
    if (device !== undefined) await replica.rename(device);
    await using space = await replica.recoverSpace(kit, omitUndefined({ relay }));
    const { id, name, role } = space;
    const synced = await firstSync(space, context);
    const all = await replica.spaces();
    const found = all.find((one) => one.id === id);
    const info: SpaceInfo = found ?? { id, name, relay: null, role, isDefault: true };
    const usual = all.find(({ isDefault }) => isDefault)?.name;
    const { isInSync, status } = synced;
    const document = { ...info, isInSync, memories: status.branch.memories ?? 0, sync: status.relay };
    return await context.answer(document, () => {
      const reply = { usual, access: STAYS, synced: { isInSync, text: firstSyncText(synced, context) } };
      return spaceReply("Recovered", info, reply, context.style);
    });
  });
}

async function fromArchive(
  kit: string,
  archive: string,
  { since = [], device }: Options,
  context: Context,
): Promise<Answer> {
  const { io } = context;
  const imported: ImportedArchive = await context.withReplica(async (replica) => {
    if (device !== undefined) await replica.rename(device);
    const { archiveKind } = await import("@cambium/client/host");
    const file = resolve(io.cwd, archive);
    const isSealed = (await archiveKind(file)) !== "clear";
    return await replica.importArchive(file, {
      ...(isSealed ? { kit } : {}),
      since: since.map((one) => resolve(io.cwd, one)),
      signal: io.signal,
    });
  });
  const { name } = imported.space;
  return await context.answer(imported, () =>
    [
      importedText(imported, context.style),
      `It is on this device only. Where its relay is there again: cambium recover <kit>, or cambium link <url> --space ${shellWord(name)}`,
    ].join("\n"),
  );
}
