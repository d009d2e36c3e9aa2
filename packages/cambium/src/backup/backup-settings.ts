/**
 * Which spaces of a home are backed up, where to and how often; and what went wrong the last time.
 *
 * @module
 */
import { join } from "node:path";
import { isNumber, isOne, isText, readPrivateJson, readShape, writePrivateFile } from "@cambium/client/host";

export interface BackupPlan {
  /** Id of the space. */
  readonly space: string;
  /** Absolute. */
  readonly dir: string;
  readonly everyMs: number;
  /** So many of the newest stay. */
  readonly keep: number;
  /** Absolute; null: in the clear. */
  readonly passphraseFile: string | null;
}

const HOUR_MS = 3_600_000;
/** How often one can be made. */
export const BACKUP_PERIODS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;
export const DEFAULT_KEEP = 7;

/** Why the last backup of a space failed. */
export interface BackupFailure {
  readonly space: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
}

/** A folder to which backups of a space were ever written, also where others are set now, or none. */
export interface BackupPlace {
  readonly space: string;
  /** Absolute. */
  readonly dir: string;
  /** When the first was made there, in milliseconds since 1970. */
  readonly since: number;
}

const isPlan = (value: unknown): value is BackupPlan =>
  readShape<BackupPlan>(value, {
    ...{ space: isText, dir: isText, everyMs: isNumber, keep: isNumber },
    passphraseFile: (file): file is BackupPlan["passphraseFile"] => file === null || isText(file),
  }) !== undefined;

const isFailure = (value: unknown): value is BackupFailure =>
  readShape<BackupFailure>(value, { space: isText, at: isNumber, message: isText }) !== undefined;

const isPlace = (value: unknown): value is BackupPlace =>
  readShape<BackupPlace>(value, { space: isText, dir: isText, since: isNumber }) !== undefined;

const isListOf =
  <Item>(check: (item: unknown) => item is Item) =>
  (value: unknown): value is readonly Item[] =>
    Array.isArray(value) && value.every(check);

/** @throws {CambiumError} STORE_DAMAGED when what is stored there is something else */
export const readBackupPlans = (home: string): readonly BackupPlan[] =>
  read(plansPath(home), isListOf(isPlan));

export const readBackupFailures = (home: string): readonly BackupFailure[] =>
  read(failuresPath(home), isListOf(isFailure));

/** Homes of earlier versions noted none. */
export const readBackupPlaces = (home: string): readonly BackupPlace[] =>
  read(placesPath(home), isListOf(isPlace));

/** To be called before a backup is written: then none is anywhere that nobody remembers. */
export function noteBackupPlace(home: string, place: BackupPlace): void {
  const known = readBackupPlaces(home);
  const same = known.find(({ space, dir }) => space === place.space && dir === place.dir);
  if (same !== undefined && same.since <= place.since) return;
  write(placesPath(home), [...known.filter((one) => one !== same), place]);
}

/** @param plan - undefined: the space is not backed up any more */
export function writeBackupPlan(home: string, space: string, plan: BackupPlan | undefined): void {
  const others = readBackupPlans(home).filter((one) => one.space !== space);
  write(plansPath(home), plan === undefined ? others : [...others, plan]);
}

/** @param failure - undefined: the last one went well */
export function noteBackupFailure(home: string, space: string, failure: BackupFailure | undefined): void {
  const known = readBackupFailures(home);
  const others = known.filter((one) => one.space !== space);
  if (failure === undefined && others.length === known.length) return;
  write(failuresPath(home), failure === undefined ? others : [...others, failure]);
}

const plansPath = (home: string): string => join(home, "backups.json");
const placesPath = (home: string): string => join(home, "backup-places.json");
const failuresPath = (home: string): string => join(home, "backup-failures.json");

function read<Item>(path: string, check: (value: unknown) => value is readonly Item[]): readonly Item[] {
  const stored = readPrivateJson(path, "Remove it, then set the backups anew: cambium backup <folder>.");
  if (stored === undefined) return [];
  return readShape<{ v: 1; list: readonly Item[] }>(stored, { v: isOne, list: check })?.list ?? [];
}

const write = (path: string, list: readonly object[]): void =>
  writePrivateFile(path, `${JSON.stringify({ v: 1, list }, null, 2)}\n`);
