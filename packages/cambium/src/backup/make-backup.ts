/**
 * Backups: archives of a space in a folder, named by when they were made; the oldest go when there are enough.
 *
 * @module
 */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ArchiveContents, Space } from "@cambium/client";
import { makeNewFolder } from "@cambium/client/host";
import { CambiumError } from "@cambium/core/errors";
import { type BackupPlan, noteBackupPlace } from "./backup-settings.js";

export interface Backup {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The end of the id of its space. */
  readonly space: string;
}

/**
 * Those in a folder, which may hold anything else; newest first.
 *
 * @param of.space - the id of their space; undefined: of all
 */
export function backupsIn({
  dir,
  space,
}: Pick<BackupPlan, "dir"> & { readonly space: string | undefined }): readonly Backup[] {
  const pattern = nameOf(space);
  return namesIn(dir)
    .flatMap((name) => {
      const [, of = "", day, ...time] = pattern.exec(name) ?? [];
      const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time.join(":")}Z`);
      return Number.isNaN(at) ? [] : [{ path: join(dir, name), at, space: of }];
    })
    .toSorted((a, b) => b.at - a.at);
}

const nameOf = (space: string | undefined): RegExp =>
  new RegExp(
    `-(${space?.slice(-12) ?? "[0-9a-f]{12}"})-(\\d{4}-\\d\\d-\\d\\d)T(\\d\\d)-(\\d\\d)-(\\d\\d)Z\\.cambium$`,
  );

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return []; // not made yet, or a disk that is not there now: then a backup is due, and says what is wrong
  }
}

/** Whether it is time for one. Those of a later time were made under a clock that was wrong, and count for nothing. */
export const isDue = (plan: BackupPlan, now: number): boolean => nextDue(plan, now) <= now;

/** When the next one is to be made; `now` where it is time. */
export function nextDue(plan: BackupPlan, now: number): number {
  const newest = backupsIn(plan).find(({ at }) => at <= now);
  return newest === undefined ? now : Math.max(now, newest.at + plan.everyMs);
}

export interface BackupTime {
  /** No backup is made in it. */
  readonly home: string;
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether backups went into the folder before. Else it is made where it is not there. */
  readonly isKnown?: boolean | undefined;
}

function refuseGone(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new CambiumError("BAD_INPUT", `The folder ${dir} of the backups is not there.`, {
    hint: "Connect its disk, or make the folder again. Or choose another: cambium backup <folder>.",
  });
}

/** Writes one, and only then removes those that are too many. @throws {CambiumError} BAD_INPUT, ARCHIVE_DAMAGED, ABORTED */
export async function makeBackup(
  plan: BackupPlan,
  space: Pick<Space, "id" | "name" | "archive">,
  { home, now, signal, isKnown = false }: BackupTime,
): Promise<ArchiveContents> {
  const { dir, passphraseFile } = plan;
  // A folder that was there may be on a disk that is not: none is made in its place.
  if (isKnown) refuseGone(dir);
  else await makeNewFolder(dir, home);
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(":", "-");
  const name = space.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 40);
  const path = join(dir, `${name}-${space.id.slice(-12)}-${time}Z.cambium`);
  const seal = passphraseFile === null ? { clear: true } : { passphrase: passphraseIn(passphraseFile) };
  noteBackupPlace(home, { space: plan.space, dir, since: now });
  const made = await space.archive(path, { ...seal, overwrite: true, signal });
  for (const old of [...tooMany(plan, now), ...cutShort(plan)]) rmSync(old, { force: true });
  return made;
}

/** The oldest go, and before them those that are dated later than the one just made. */
function tooMany(plan: BackupPlan, now: number): readonly string[] {
  const all = backupsIn(plan);
  const ordered = [...all.filter(({ at }) => at <= now), ...all.filter(({ at }) => at > now)];
  return ordered.slice(plan.keep).map(({ path }) => path);
}

/** What a process left that died while it wrote a backup of this space. */
const cutShort = ({ dir, space }: BackupPlan): readonly string[] =>
  namesIn(dir)
    .filter((name) => PART.test(name) && nameOf(space).test(name.replace(PART, "")))
    .map((name) => join(dir, name));

/** A file that is being written has a name of its own: `….cambium.0f3a5b7c00001a2b.part`. Earlier versions gave 8 digits. */
const PART = /(?:\.(?:[0-9a-f]{8}){1,2})?\.part$/;

/** Its first line. @throws {CambiumError} BAD_INPUT */
export function passphraseIn(file: string): string {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/, 1)[0] ?? "";
  } catch (cause) {
    throw new CambiumError("BAD_INPUT", `The file ${file} with the passphrase of backups cannot be read.`, {
      hint: "Put it back, or set the backups anew: cambium backup <folder> --passphrase-file <file>.",
      cause,
    });
  }
}
