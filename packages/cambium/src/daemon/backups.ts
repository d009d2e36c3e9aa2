/**
 * Backups as the web page shows them, and makes one of.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { CambiumError } from "@cambium/core";
import { backupState } from "../backup/backup-problem.js";
import { noteBackupFailure, readBackupFailures, readBackupPlans } from "../backup/backup-settings.js";
import { backupsIn, makeBackup } from "../backup/make-backup.js";
import type { ShownBackups } from "../operations/described.js";

/** Where they are noted, and what time it is. */
interface Home {
  readonly home: string;
  readonly now: () => number;
}

/** @param space - its id */
export function shownBackups({ home, now }: Home, space: string): ShownBackups {
  const plan = readBackupPlans(home).find((one) => one.space === space);
  if (plan === undefined) return { state: "off", backups: [] };
  const failure = readBackupFailures(home).find((one) => one.space === space);
  const { dir, everyMs, keep, passphraseFile } = plan;
  return {
    state: backupState(plan, failure, now()).state,
    plan: { dir, everyMs, keep, isSealed: passphraseFile !== null },
    backups: backupsIn(plan).map(({ path, at }) => ({ path, at })),
    ...(failure === undefined ? {} : { failure: { at: failure.at, message: failure.message } }),
  };
}

/** @throws {CambiumError} BAD_INPUT when none are set, or it cannot be written; what `Space.archive` throws */
export async function backUpNow(at: Home, space: Space, signal: AbortSignal): Promise<ShownBackups> {
  const { home, now } = at;
  const plan = readBackupPlans(home).find((one) => one.space === space.id);
  if (plan === undefined)
    throw new CambiumError("BAD_INPUT", "Backups of this space are not set.", {
      hint: "Set them: cambium backup <folder>",
    });
  await makeBackup(plan, space, { now: now(), signal });
  noteBackupFailure(home, space.id, undefined);
  return shownBackups(at, space.id);
}
