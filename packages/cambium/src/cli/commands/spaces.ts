import type { DamagedSpace, SpaceInfo } from "@cambium/client";
import { oneLine } from "@cambium/core/text";
import type { Answer } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { OptionsOf, OptionTable } from "../option-table.js";
import { yesOption } from "../options.js";
import { damagedSpaceLine, erasedSpaceLines, spaceTable } from "../render/space.js";
import { UsageError } from "../usage-error.js";

const DAMAGED_EXIT = 6;

const NONE = [
  "No space on this device yet. Create one, or join one that someone shares:",
  "  $ cambium init notes",
  "  $ cambium join <invitation>",
].join("\n");

type Replica = Parameters<Parameters<Context["withSpaces"]>[0]>[0];

const options = (command: OptionTable) =>
  yesOption(
    command
      .option("--default <name>", "use this space where none is named")
      .option(
        "--rename <names...>",
        "rename a space: its name, then the new one; other devices keep their name for it",
      )
      .option("--remove <name>", "remove the copy of this space from this device")
      .option("--discard-unsent", "with --remove: also what no relay has"),
  );

type Options = OptionsOf<typeof options>;

export const spaces: CommandDefinition<typeof options> = {
  about:
    "List the spaces on this device, choose the default, rename or remove one; the exit code is 6 when the settings of one are damaged",
  examples: [
    "cambium spaces",
    "cambium spaces --default notes",
    "cambium spaces --rename notes personal",
    "cambium spaces --remove old",
  ],
  options,
  act: async (context, _args, options) => {
    const change = changeOf(options, context);
    if (change !== undefined) await context.refuseAgents("change which spaces are here");
    if (change !== undefined) await context.withSpaces(change.ask);
    return await context.withSpaces(async (replica) => {
      const done = await change?.make(replica);
      return await listed(replica, done, context);
    });
  },
};

interface Change {
  /** Nothing is kept open over a question. */
  readonly ask: (replica: Replica) => Promise<void>;
  /** @returns what was done */
  readonly make: (replica: Replica) => Promise<string>;
}

const NO_QUESTION = async (): Promise<void> => undefined;

function changeOf(options: Options, context: Context): Change | undefined {
  const { default: chosen, rename, remove, discardUnsent } = options;
  const wanted = [chosen, rename, remove].filter((option) => option !== undefined);
  if (wanted.length > 1) throw new UsageError("Give one of --default, --rename and --remove.");
  if (discardUnsent && remove === undefined) throw new UsageError("--discard-unsent belongs to --remove.");
  if (chosen !== undefined) return { ask: NO_QUESTION, make: (replica) => choose(chosen, replica) };
  if (rename !== undefined) return { ask: NO_QUESTION, make: (replica) => renamed(rename, replica) };
  if (remove === undefined) return undefined;
  return {
    ask: (replica) => askToRemove(remove, { options, replica, context }),
    make: async (replica) => {
      const { isNamed } = await import("../../workspace/binding.js");
      const found = (await replica.spaces()).find((space) => isNamed(remove, space));
      await replica.removeSpace(remove, { discardUnsent: discardUnsent === true });
      const kept =
        found === undefined || found.relay === null ? "" : ` ${oneLine(found.relay)} keeps its copy.`;
      const places = found === undefined ? [] : await endedBackups(found.id, context);
      return [`Removed the copy of ${oneLine(remove)} from this device.${kept}`, ...places].join("\n");
    },
  };
}

/** No more are made of a space that is not here. Those that were stay, and hold all of it. */
async function endedBackups(space: string, { home }: Context): Promise<readonly string[]> {
  const [{ backupPlaces }, { endBackups }] = await Promise.all([
    import("../../backup/backup-places.js"),
    import("../../backup/set-backups.js"),
  ]);
  const places = backupPlaces(home, space);
  endBackups(home, space);
  return places.map(({ dir }) => `Its backups stay, until you delete them: ${oneLine(dir)}`);
}

async function choose(name: string, replica: Replica): Promise<string> {
  await replica.setDefaultSpace(name);
  return `Commands and agents that name no space use ${oneLine(name)} from now on.`;
}

async function renamed(names: readonly string[], replica: Replica): Promise<string> {
  const [from, to, ...more] = names;
  if (from === undefined || to === undefined || more.length > 0)
    throw new UsageError("Give two names: --rename <name> <new name>.");
  await replica.renameSpace(from, to);
  return `Renamed ${oneLine(from)} to ${oneLine(to)} on this device. Where the old name is set (CAMBIUM_SPACE, .cambium.json, settings of agents), change it.`;
}

async function askToRemove(
  name: string,
  { options, replica, context }: { options: Options; replica: Replica; context: Context },
): Promise<void> {
  const { isNamed } = await import("../../workspace/binding.js");
  const found = (await replica.spaces()).find((space) => isNamed(name, space));
  // What is not here is refused by the removal itself, and nobody is asked. One that is damaged has no name.
  const isHere = found !== undefined || (await replica.damagedSpaces()).length > 0;
  if (options.yes === true || !isHere) return;
  const { isConfirmed } = await import("../ask.js");
  const rest =
    found === undefined || found.relay === null
      ? "It is on no relay: nothing of it is left."
      : "The relay and other devices keep theirs.";
  const shown = `This removes the copy of ${oneLine(name)} from this device, with its key. ${rest}${adminText(found)}`;
  const hint = `${shown} To do it, run it again with --yes.`;
  if (await isConfirmed(shown, "Remove it?", context.io, hint)) return;
  const { CambiumError } = await import("@cambium/core/errors");
  throw new CambiumError("ABORTED", "Nothing was removed.");
}

/** Who else is an admin the relay alone knows, and it may be away. */
const adminText = (space: SpaceInfo | undefined): string =>
  space === undefined || space.relay === null || space.role !== "admin"
    ? ""
    : " Its role here is admin: without another admin or a recovery kit, nobody can invite any more. `cambium members` lists both.";

async function listed(replica: Replica, done: string | undefined, context: Context): Promise<Answer> {
  const found = await replica.spaces();
  const damaged = await replica.damagedSpaces();
  const text = () =>
    [done, tableOf(found, damaged, context)].filter((part) => part !== undefined).join("\n\n");
  return await context.answer({ spaces: found, damaged }, text, damaged.length === 0 ? 0 : DAMAGED_EXIT);
}

function tableOf(found: readonly SpaceInfo[], damaged: readonly DamagedSpace[], { style }: Context): string {
  if (found.length + damaged.length === 0) return NONE;
  const sound = found.length === 0 ? [] : [spaceTable(found, style)];
  return [
    ...sound,
    ...erasedSpaceLines(found, style),
    ...damaged.map((space) => damagedSpaceLine(space, style)),
  ].join("\n");
}
