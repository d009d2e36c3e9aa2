/**
 * The folders in which backups of a space are, or may be: also those that are not set any more.
 *
 * @module
 */
import { statSync } from "node:fs";
import { type BackupPlace, readBackupPlaces, readBackupPlans } from "./backup-settings.js";
import { type Backup, backupsIn } from "./make-backup.js";

/** A folder, and what is in it now. */
export interface BackupsAt extends BackupPlace {
  /** Whether it can be looked into: it may be on a disk that is away. */
  readonly isHere: boolean;
  /** Newest first. */
  readonly backups: readonly Backup[];
}

/** The one that is set now comes first. Where there is none any more, there is no place. */
export function backupPlaces(home: string, space: string): readonly BackupsAt[] {
  const plan = readBackupPlans(home).find((one) => one.space === space);
  const noted = readBackupPlaces(home).filter((one) => one.space === space);
  const ofPlan = noted.filter(({ dir }) => dir === plan?.dir);
  // Homes of earlier versions noted no places.
  const set = plan === undefined || ofPlan.length > 0 ? ofPlan : [{ space, dir: plan.dir, since: NEVER }];
  return [...set, ...noted.filter(({ dir }) => dir !== plan?.dir)].flatMap((place) => {
    const isHere = statSync(place.dir, { throwIfNoEntry: false })?.isDirectory() === true;
    const backups = backupsIn(place);
    return backups.length > 0 || (!isHere && place.since !== NEVER) ? [{ ...place, isHere, backups }] : [];
  });
}

const NEVER = Number.POSITIVE_INFINITY;
