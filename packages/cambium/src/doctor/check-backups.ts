/**
 * Backups: whether the last one went well, and is as young as it should be; and what is left of spaces that are gone.
 *
 * @module
 */
import { type SpaceConfig, SpaceConfigs } from "@cambium/client/host";
import { backupPlaces } from "../backup/backup-places.js";
import { backupState } from "../backup/backup-problem.js";
import {
  type BackupPlan,
  readBackupFailures,
  readBackupPlaces,
  readBackupPlans,
} from "../backup/backup-settings.js";
import type { DoctorContext } from "./doctor-context.js";
import { type Finding, ok, warn } from "./finding.js";

export function checkBackups(
  spaces: readonly SpaceConfig[],
  { home, now }: Pick<DoctorContext, "home" | "now">,
): readonly Finding[] {
  const failures = readBackupFailures(home);
  const plans = readBackupPlans(home);
  const damaged = new SpaceConfigs(home).damaged();
  const isGone = ({ space }: { readonly space: string }): boolean =>
    !spaces.some(({ id }) => id === space) && !damaged.some(({ id }) => id === null || id === space);
  const isLeft = (plan: BackupPlan): boolean => isGone(plan) && backupPlaces(home, plan.space).length > 0;
  const kept = plans
    .filter((plan) => !isLeft(plan))
    .map((plan): Finding => {
      const subject = spaces.find(({ id }) => id === plan.space)?.name ?? plan.space;
      const failure = failures.find(({ space }) => space === plan.space);
      const { since, problem } = backupState(plan, failure, now());
      return problem === undefined
        ? ok("backup", `Backed up to ${plan.dir}. ${since}.`, { subject })
        : warn("backup", problem.message, problem.hint, { subject });
    });
  const gone = new Set([...plans, ...readBackupPlaces(home)].filter(isGone).map(({ space }) => space));
  return [...kept, ...[...gone].flatMap((space) => backupsOfGone(home, space))];
}

/** Whoever removed a space may believe that nothing of it is left. */
const backupsOfGone = (home: string, space: string): readonly Finding[] =>
  backupPlaces(home, space).map(({ dir, isHere }) =>
    warn(
      "backup",
      `Backups of a space that is not here any more are ${isHere ? "" : "or were "}in ${dir}.`,
      "Take it back with `cambium restore-backup --from <folder>`, or delete them when you need them no more.",
      { subject: space },
    ),
  );

/** Erasing does not reach them. */
export const checkSetAside = ({ home }: Pick<DoctorContext, "home">): readonly Finding[] =>
  new SpaceConfigs(home)
    .setAside()
    .map(({ id, path }) =>
      warn(
        "space",
        `The files of a damaged space were put aside: ${path}. Texts and its key are in them, and erasing does not reach them.`,
        "Delete the folder when you need nothing of it any more.",
        { subject: id },
      ),
    );
