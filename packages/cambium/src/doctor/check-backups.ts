/**
 * Backups that are set: whether the last one went well, and is as young as it should be.
 *
 * @module
 */
import type { SpaceConfig } from "@cambium/client/host";
import { readBackupFailures, readBackupPlans } from "../backup/backup-settings.js";
import { backupsIn } from "../backup/make-backup.js";
import type { DoctorContext } from "./doctor-context.js";
import { type Finding, ok, warn } from "./finding.js";

/** A daemon may not have run for a while. */
const LATE_TIMES = 2;

export function checkBackups(
  spaces: readonly SpaceConfig[],
  { home, now }: Pick<DoctorContext, "home" | "now">,
): readonly Finding[] {
  const failures = readBackupFailures(home);
  return readBackupPlans(home).map((plan): Finding => {
    const subject = spaces.find(({ id }) => id === plan.space)?.name ?? plan.space;
    const failure = failures.find(({ space }) => space === plan.space);
    const [newest] = backupsIn(plan);
    const since = newest === undefined ? "There is none yet" : `The newest is of ${timeOf(newest.at)}`;
    if (failure !== undefined)
      return warn(
        "backup",
        `The last backup to ${plan.dir} failed on ${timeOf(failure.at)}: ${failure.message} ${since}.`,
        "Mend that, then make one: cambium backup.",
        { subject },
      );
    if (newest === undefined || now() - newest.at > LATE_TIMES * plan.everyMs)
      return warn(
        "backup",
        `A backup to ${plan.dir} is late. ${since}.`,
        "The daemon makes them while it runs: cambium daemon start --stay. Or make one now: cambium backup.",
        { subject },
      );
    return ok("backup", `Backed up to ${plan.dir}. ${since}.`, { subject });
  });
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");
