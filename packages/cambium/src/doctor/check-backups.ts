/**
 * Backups that are set: whether the last one went well, and is as young as it should be.
 *
 * @module
 */
import type { SpaceConfig } from "@cambium/client/host";
import { backupState } from "../backup/backup-problem.js";
import { readBackupFailures, readBackupPlans } from "../backup/backup-settings.js";
import type { DoctorContext } from "./doctor-context.js";
import { type Finding, ok, warn } from "./finding.js";

export function checkBackups(
  spaces: readonly SpaceConfig[],
  { home, now }: Pick<DoctorContext, "home" | "now">,
): readonly Finding[] {
  const failures = readBackupFailures(home);
  return readBackupPlans(home).map((plan): Finding => {
    const subject = spaces.find(({ id }) => id === plan.space)?.name ?? plan.space;
    const failure = failures.find(({ space }) => space === plan.space);
    const { since, problem } = backupState(plan, failure, now());
    return problem === undefined
      ? ok("backup", `Backed up to ${plan.dir}. ${since}.`, { subject })
      : warn("backup", problem.message, problem.hint, { subject });
  });
}
