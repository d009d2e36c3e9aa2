/**
 * Of a space that cannot be opened: that a backup which is there can take its place.
 *
 * @module
 */
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { type BackupPlan, readBackupPlans } from "./backup-settings.js";
import { backupsIn } from "./make-backup.js";

/** @returns undefined where there is no backup of it */
export function restoreAdvice(home: string, space: string): string | undefined {
  const plans = plansOf(home);
  const plan = plans.find((one) => one.space === space);
  const [newest] = plan === undefined ? [] : backupsIn(plan);
  if (newest === undefined) return undefined;
  const command = plans.length === 1 ? "cambium restore-backup" : `cambium restore-backup --space ${space}`;
  const made = new Date(newest.at).toISOString().slice(0, 16).replace("T", " ");
  return `A backup of ${made} is there. \`${command} --preview\` says what it would bring and what would be lost; without --preview, what is damaged is put aside for it.`;
}

/** Says so in the advice of an error that names a file of such a space. */
export function withBackupNamed(error: unknown, home: string): unknown {
  if (!isCambiumError(error, "STORE_DAMAGED")) return error;
  const { message, details } = error;
  const plan = plansOf(home).find(({ space }) => message.includes(space));
  const hint = plan && restoreAdvice(home, plan.space);
  return hint === undefined
    ? error
    : new CambiumError("STORE_DAMAGED", message, { hint, details, cause: error });
}

/** Where they cannot be read, the damage of the space is what counts. */
function plansOf(home: string): readonly BackupPlan[] {
  try {
    return readBackupPlans(home);
  } catch {
    return [];
  }
}
