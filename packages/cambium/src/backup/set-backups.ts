/**
 * Turning backups of a space on and off. A passphrase that is typed, and not read from a file of the owner's, is kept
 * in a private file of the home: the daemon needs it each time.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ArchiveContents, Space } from "@cambium/client";
import { makePrivateDirectory, writePrivateFile } from "@cambium/client/host";
import { CambiumError } from "@cambium/core/errors";
import { type BackupPlan, noteBackupFailure, readBackupPlans, writeBackupPlan } from "./backup-settings.js";
import { type BackupTime, makeBackup } from "./make-backup.js";

/**
 * Makes the first one before the plan is kept: a plan that cannot work is refused.
 *
 * @throws {CambiumError} what `makeBackup` throws
 */
export async function setBackups(
  plan: BackupPlan,
  space: Pick<Space, "id" | "name" | "archive">,
  { home, now, signal }: BackupTime,
): Promise<ArchiveContents> {
  const before = readBackupPlans(home).find((one) => one.space === space.id);
  const made = await makeBackup(plan, space, { home, now, signal, isKnown: before?.dir === plan.dir });
  writeBackupPlan(home, space.id, plan);
  noteBackupFailure(home, space.id, undefined);
  if (before?.passphraseFile !== plan.passphraseFile) forgetPassphrase(home, before);
  return made;
}

/** Those that are there stay. */
export function endBackups(home: string, space: string): void {
  const before = readBackupPlans(home).find((one) => one.space === space);
  writeBackupPlan(home, space, undefined);
  noteBackupFailure(home, space, undefined);
  forgetPassphrase(home, before);
}

/**
 * Writes it to a file that only the owner of the device can read.
 *
 * @returns its path
 */
export function keepPassphrase(home: string, passphrase: string): string {
  if (passphrase === "" || /[\r\n]/.test(passphrase))
    throw new CambiumError("BAD_INPUT", "A passphrase is one line, and not empty.");
  makePrivateDirectory(keptIn(home));
  const path = join(keptIn(home), `${randomBytes(8).toString("hex")}.txt`);
  writePrivateFile(path, `${passphrase}\n`);
  return path;
}

/** Only what was kept here: a file of the owner's own stays. */
export function forgetPassphrase(home: string, plan: Pick<BackupPlan, "passphraseFile"> | undefined): void {
  const file = plan?.passphraseFile ?? undefined;
  if (file !== undefined && dirname(file) === keptIn(home)) rmSync(file, { force: true });
}

const keptIn = (home: string): string => join(home, "backup-passphrases");
