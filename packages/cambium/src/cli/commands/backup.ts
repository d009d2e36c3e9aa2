import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { oneLine, shellWord } from "@cambium/core/text";
import { type BackupsAt, backupPlaces } from "../../backup/backup-places.js";
import {
  BACKUP_PERIODS,
  type BackupPlan,
  DEFAULT_KEEP,
  readBackupFailures,
  readBackupPlans,
} from "../../backup/backup-settings.js";
import { type Backup, backupsIn } from "../../backup/make-backup.js";
import { endBackups, setBackups } from "../../backup/set-backups.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { choice, type OptionsOf, type OptionTable } from "../option-table.js";
import { positiveInteger, spaceOption } from "../options.js";
import { PASSPHRASE_OPTION } from "../passphrase.js";
import { warnOfReaders } from "../secret-file.js";
import { UsageError } from "../usage-error.js";

const options = (command: OptionTable) =>
  spaceOption(command)
    .addOption(choice("--every <period>", "how often: hour, day (default) or week", ["hour", "day", "week"]))
    .option("--keep <n>", "how many of the newest to keep (default: 7)", positiveInteger)
    .option(PASSPHRASE_OPTION, "seal them with the passphrase in this file, which stays there")
    .option("--clear", "write them in the clear: whoever has a file reads everything")
    .option("--list", "show the backups of the space, and make none")
    .option("--off", "make no more of them; those that are there stay");

type Options = OptionsOf<typeof options>;

export const backup: CommandDefinition<typeof options, [dir: string | undefined]> = {
  about:
    "Archive the space into a folder, now and then every day, while the daemon runs; the oldest go. Without a folder: make one now, where they are set to go. `cambium import <file>` takes one back",
  examples: [
    "cambium backup ~/backups --passphrase-file ~/passphrase.txt",
    "cambium backup ~/backups --every week --keep 8 --clear",
    "cambium backup --list",
    "cambium backup --off",
  ],
  options,
  act: async (context, [dir], asked) => {
    await context.refuseAgents("back up a space");
    return await context.withSpace(async ({ space }) => {
      const { home, io } = context;
      const known = readBackupPlans(home).find((one) => one.space === space.id);
      if (asked.off === true) {
        endBackups(home, space.id);
        const text =
          known === undefined
            ? "Backups were not set."
            : "No more backups are made. Those that are there stay.";
        return await context.answer(
          { plan: null, backups: known === undefined ? [] : backupsIn(known) },
          () => text,
        );
      }
      if (asked.list === true) return await listed(space.id, known, context);
      const plan =
        dir === undefined ? (known ?? notSet()) : planOf(space.id, resolve(io.cwd, dir), asked, context);
      const isMade = !existsSync(plan.dir);
      const made = await setBackups(plan, space, { home, now: io.now(), signal: io.signal });
      return await context.answer({ plan, made }, () =>
        [
          ...(isMade ? [`The folder ${plan.dir} was not there: it was made.`] : []),
          `Backed up the space ${oneLine(space.name)} to ${made.path}.`,
          ...(known === undefined || known.dir === plan.dir
            ? []
            : [`Those in ${known.dir} stay, until you delete them.`]),
          `The daemon makes one ${everyText(plan)} while it runs, and keeps the newest ${plan.keep}.`,
          `To take one back: cambium import ${shellWord(made.path)}`,
        ].join("\n"),
      );
    });
  },
};

function planOf(space: string, dir: string, asked: Options, { io }: Context): BackupPlan {
  const { every = "day", keep = DEFAULT_KEEP, passphraseFile, clear } = asked;
  if ((passphraseFile === undefined) !== (clear === true))
    throw new UsageError(
      "A backup is sealed with a passphrase, or in the clear.",
      "Give --passphrase-file <file> or --clear. The file has to stay: the daemon reads it each time.",
    );
  if (passphraseFile === "-") throw new UsageError("The daemon needs a file with the passphrase each time.");
  if (passphraseFile !== undefined) warnOfReaders(passphraseFile, "the passphrase", io);
  const file = passphraseFile === undefined ? null : resolve(io.cwd, passphraseFile);
  return {
    space,
    dir,
    everyMs: BACKUP_PERIODS[every as keyof typeof BACKUP_PERIODS],
    keep,
    passphraseFile: file,
  };
}

function notSet(): never {
  throw new UsageError("Backups of this space are not set.", "Name a folder: cambium backup <folder>");
}

async function listed(space: string, plan: BackupPlan | undefined, context: Context) {
  const backups = plan === undefined ? [] : backupsIn(plan);
  const failure = readBackupFailures(context.home).find((one) => one.space === space);
  const earlier = backupPlaces(context.home, space).filter(({ dir }) => dir !== plan?.dir);
  return await context.answer({ plan: plan ?? null, backups, failure: failure ?? null, earlier }, () => {
    const before = earlier.flatMap(earlierLines);
    if (plan === undefined)
      return ["Backups of this space are not set: cambium backup <folder>", ...before].join("\n");
    return [
      `To ${plan.dir}, ${everyText(plan)}, the newest ${plan.keep}, ${plan.passphraseFile === null ? "in the clear" : "sealed"}:`,
      ...backups.map(backupLine),
      ...(backups.length === 0 ? ["  none yet"] : []),
      ...(failure === undefined ? [] : [`The last one failed: ${oneLine(failure.message)}`]),
      ...before,
    ].join("\n");
  });
}

/** Nothing removes them but their owner. */
const earlierLines = ({ dir, isHere, backups }: BackupsAt): readonly string[] =>
  isHere
    ? [`Made earlier, in ${dir}; delete them when you need them no more:`, ...backups.map(backupLine)]
    : [`Made earlier, in ${dir}, which is not there now.`];

const backupLine = ({ path, at }: Backup): string => `  ${new Date(at).toISOString()}  ${path}`;

const everyText = ({ everyMs }: BackupPlan): string =>
  `every ${Object.entries(BACKUP_PERIODS).find(([, ms]) => ms === everyMs)?.[0] ?? `${everyMs} ms`}`;
