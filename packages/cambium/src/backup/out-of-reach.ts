/**
 * Copies of a space that Cambium made itself and that an erasure does not reach: backups that were made before, and the
 * files of a damaged space that a backup took the place of.
 *
 * @module
 */
import { SpaceConfigs } from "@cambium/client/host";
import { backupPlaces } from "./backup-places.js";

/** Backups in one folder. */
export interface BackupsBefore {
  readonly dir: string;
  /** How many. None where the folder cannot be looked into. */
  readonly count: number;
  /** False: the folder is not there now, and some were made in it. */
  readonly isHere: boolean;
}

export interface OutOfReach {
  readonly backups: readonly BackupsBefore[];
  /** Folders with the files of a space that was damaged. */
  readonly setAside: readonly string[];
}

/** @param at - backups that were made later are left out; milliseconds since 1970 */
export function outOfReach(home: string, space: string, at: number): OutOfReach {
  const backups = backupPlaces(home, space).flatMap(({ dir, since, isHere, backups }) => {
    const count = backups.filter((one) => one.at <= at).length;
    return count > 0 || (!isHere && since <= at) ? [{ dir, count, isHere }] : [];
  });
  const setAside = new SpaceConfigs(home).setAside().filter(({ id }) => id === space);
  return { backups, setAside: setAside.map(({ path }) => path) };
}
