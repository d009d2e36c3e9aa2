/**
 * Backups that were made before something was erased: an erasure does not reach them.
 *
 * @module
 */
import { readBackupPlans } from "./backup-settings.js";
import { backupsIn } from "./make-backup.js";

/** Where they are, and how many. */
export interface BackupsBefore {
  readonly dir: string;
  readonly count: number;
}

/**
 * Of a space, in the folder in which its backups are kept now.
 *
 * @param at - milliseconds since 1970
 * @returns undefined where there are none
 */
export function backupsBefore(home: string, space: string, at: number): BackupsBefore | undefined {
  const plan = readBackupPlans(home).find((one) => one.space === space);
  const count = plan === undefined ? 0 : backupsIn(plan).filter((one) => one.at <= at).length;
  return plan === undefined || count === 0 ? undefined : { dir: plan.dir, count };
}
