import { resolve } from "node:path";
import { periodOrNone } from "@cambium/core";
import { oneLine, shellWord } from "@cambium/core/text";
import { backupPlaces } from "../../backup/backup-places.js";
import { type BackupPlan, readBackupPlaces, readBackupPlans } from "../../backup/backup-settings.js";
import { type Backup, backupsIn } from "../../backup/make-backup.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { importArchive } from "../import-archive.js";
import type { OptionsOf, OptionTable } from "../option-table.js";
import { spaceOption, yesOption } from "../options.js";
import { PASSPHRASE_OPTION } from "../passphrase.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  yesOption(spaceOption(command))
    .option("--list", "show the backups, and restore none")
    .option("--from <folder>", "where the backups are (default: where they are set to go)")
    .option("--preview", "say what it would bring back; write nothing")
    .option(PASSPHRASE_OPTION, "their passphrase (default: the file that they are set to be sealed with)");

type Options = OptionsOf<typeof options>;

/** Where backups are, and of which space; undefined: of whichever has some there. */
interface Place {
  readonly dir: string;
  readonly space: string | undefined;
  readonly passphraseFile: string | null | undefined;
}

const restoreBackup: CommandDefinition<typeof options, [which: string | undefined]> = {
  about:
    "Take a backup back: the newest, or the one of a day or time. It says first what it would bring, and joins what is here: nothing that was written since is lost, and what was erased stays erased. A space that is damaged and cannot be opened is put aside for it: then what was written since comes from its relay, if it has one",
  examples: [
    "cambium restore-backup --list",
    "cambium restore-backup --preview",
    "cambium restore-backup 2026-08-01",
    "cambium restore-backup yesterday",
    "cambium restore-backup --from /media/usb/backups --passphrase-file passphrase.txt",
  ],
  options,
  act: async (context, [which], asked) => {
    await context.refuseAgents("take a backup back");
    const place = await placeOf(asked, context);
    const backups = backupsIn(place);
    if (asked.list === true)
      return await context.answer({ dir: place.dir, backups }, () => listText(place, backups, asked.from));
    const { path } = await chosen(which, place, backups, context.io.now());
    const passphraseFile = asked.passphraseFile ?? place.passphraseFile ?? undefined;
    return await importArchive(
      path,
      { preview: asked.preview, passphraseFile, replaceDamaged: true },
      context,
    );
  },
};

async function placeOf({ from, space }: Options, { home, io }: Context): Promise<Place> {
  const id = await spaceIdOf(space, home);
  if (from !== undefined) {
    const dir = resolve(io.cwd, from);
    const known = readBackupPlans(home).find((plan) => plan.dir === dir && (id ?? plan.space) === plan.space);
    return { dir, space: id, passphraseFile: known?.passphraseFile };
  }
  const plans = readBackupPlans(home).filter((plan) => (id ?? plan.space) === plan.space);
  const [plan, second] = plans;
  if (plan !== undefined && second === undefined) return plan;
  const [place, another] = earlierPlaces(home, id);
  if (plan === undefined && place !== undefined && another === undefined) return place;
  throw new UsageError(
    plan === undefined ? "No backups are set here." : "Backups of several spaces are set here.",
    plan === undefined
      ? "Say where they are: cambium restore-backup --from <folder>"
      : `Name one: --space <name>. They go to ${plans.map((one: BackupPlan) => one.dir).join(", ")}`,
  );
}

/** Where some were made that are not set any more. */
const earlierPlaces = (home: string, id: string | undefined): readonly Place[] => {
  const spaces = new Set(readBackupPlaces(home).map(({ space }) => space));
  return [...spaces]
    .filter((space) => (id ?? space) === space)
    .flatMap((space) => backupPlaces(home, space))
    .map(({ dir, space }) => ({ dir, space, passphraseFile: undefined }));
};

/** Of a space that is here: one that is gone may be named by its id. */
async function spaceIdOf(space: string | undefined, home: string): Promise<string | undefined> {
  if (space === undefined) return undefined;
  const { SpaceConfigs } = await import("@cambium/client/host");
  const found = new SpaceConfigs(home).readable().find(({ id, name }) => id === space || name === space);
  return found?.id ?? space;
}

async function chosen(
  which: string | undefined,
  { dir }: Place,
  backups: readonly Backup[],
  now: number,
): Promise<Backup> {
  const spaces = new Set(backups.map(({ space }) => space));
  if (spaces.size > 1)
    throw new UsageError(
      `${dir} has backups of several spaces.`,
      `Name one: --space <name or id>. Look at them: cambium restore-backup --list --from <folder>`,
    );
  const { from, until } = (which === undefined ? undefined : await periodOrNone(which, now)) ?? {};
  const isOf = ({ at }: Backup): boolean =>
    which === undefined ||
    timeOf(at).startsWith(which.replace(" ", "T")) ||
    (from !== undefined && at >= from && at <= (until ?? now));
  const found = backups.find(isOf);
  if (found !== undefined) return found;
  throw new UsageError(
    which === undefined
      ? `There are no backups in ${dir}.`
      : `There is no backup of ${oneLine(which)} in ${dir}.`,
    "Look at them: cambium restore-backup --list",
  );
}

const timeOf = (at: number): string => new Date(at).toISOString();

const listText = ({ dir }: Place, backups: readonly Backup[], from: string | undefined): string =>
  [
    `In ${dir}:`,
    ...backups.map(({ at, path }) => `  ${timeOf(at)}  ${path}`),
    ...(backups.length === 0
      ? ["  none"]
      : [`To take one back: ${restoreFrom(from)} <time>. It shows first what it would bring.`]),
  ].join("\n");

/** Elsewhere than where they are set to go, the folder is needed again. */
const restoreFrom = (from: string | undefined): string =>
  ["cambium restore-backup", ...(from === undefined ? [] : [`--from ${shellWord(from)}`])].join(" ");

export { restoreBackup as "restore-backup" };
