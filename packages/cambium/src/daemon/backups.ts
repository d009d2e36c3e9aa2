/**
 * Backups as the web page shows them, sets them, and makes one of.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { CambiumError } from "@cambium/core";
import { backupState } from "../backup/backup-problem.js";
import {
  BACKUP_PERIODS,
  type BackupPlan,
  DEFAULT_KEEP,
  noteBackupFailure,
  readBackupFailures,
  readBackupPlans,
} from "../backup/backup-settings.js";
import { backupsIn, makeBackup, nextDue } from "../backup/make-backup.js";
import { forgetPassphrase, keepPassphrase, setBackups } from "../backup/set-backups.js";
import type { BackupRequest, ShownBackups } from "../operations/described.js";
import { ownersPath } from "./owners-path.js";

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
  const { state, problem } = backupState(plan, failure, now());
  const isLocked = state === "failed" && failure === undefined && problem !== undefined;
  return {
    state,
    plan: { dir, everyMs, keep, isSealed: passphraseFile !== null, nextAt: nextDue(plan, now()) },
    backups: backupsIn(plan).map(({ path, at }) => ({ path, at })),
    ...(failure === undefined ? {} : { failure: { at: failure.at, message: failure.message } }),
    ...(isLocked ? { failure: { at: now(), message: problem.message } } : {}),
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
  await makeBackup(plan, space, { home, now: now(), signal, isKnown: true });
  noteBackupFailure(home, space.id, undefined);
  return shownBackups(at, space.id);
}

/**
 * Sets them, with one made at once.
 *
 * @throws {CambiumError} BAD_INPUT when something is missing or cannot be written; what `Space.archive` throws
 */
export async function changeBackups(
  at: Home,
  space: Space,
  { dir, every, keep, passphrase, clear }: BackupRequest,
  signal: AbortSignal,
): Promise<ShownBackups> {
  const { home, now } = at;
  const known = readBackupPlans(home).find((one) => one.space === space.id);
  const to = dir === undefined ? known?.dir : ownersPath(dir);
  const isUndecided = known === undefined && passphrase === undefined && clear !== true;
  if (to === undefined || isUndecided || (passphrase !== undefined && clear === true))
    throw new CambiumError("BAD_INPUT", "Backups need a folder, and either a passphrase or none.", {
      hint: "Send `dir`, and one of `passphrase` and `clear`.",
    });
  if (keep !== undefined && !(Number.isInteger(keep) && keep >= 1))
    throw new CambiumError("BAD_INPUT", "At least one backup has to stay.");
  const plan: BackupPlan = {
    ...{ space: space.id, dir: to, keep: keep ?? known?.keep ?? DEFAULT_KEEP },
    everyMs: every === undefined ? (known?.everyMs ?? BACKUP_PERIODS.day) : BACKUP_PERIODS[every],
    passphraseFile:
      passphrase === undefined
        ? clear === true
          ? null
          : (known?.passphraseFile ?? null)
        : keepPassphrase(home, passphrase),
  };
  try {
    await setBackups(plan, space, { home, now: now(), signal });
  } catch (error) {
    if (passphrase !== undefined) forgetPassphrase(home, plan);
    throw error;
  }
  return shownBackups(at, space.id);
}
