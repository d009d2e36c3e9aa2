/**
 * What is wrong with the backups of a space: the last one failed, or is late.
 *
 * @module
 */
import { isCambiumError } from "@cambium/core/errors";
import { messageOf } from "@cambium/core/text";
import type { BackupFailure, BackupPlan } from "./backup-settings.js";
import { readBackupFailures, readBackupPlans } from "./backup-settings.js";
import { backupsIn, passphraseIn } from "./make-backup.js";

/** A daemon may not have run for a while. */
const LATE_TIMES = 2;

export interface BackupState {
  /** What is known of the newest. */
  readonly since: string;
  readonly state: "fine" | "late" | "failed";
  /** A sentence; undefined where all is well. */
  readonly problem?: { readonly message: string; readonly hint: string };
}

export function backupState(plan: BackupPlan, failure: BackupFailure | undefined, now: number): BackupState {
  const [newest] = backupsIn(plan);
  const since = newest === undefined ? "There is none yet" : `The newest is of ${timeOf(newest.at)}`;
  const locked = passphraseProblem(plan);
  if (locked !== undefined) {
    const [message, hint] = locked;
    return {
      since,
      state: "failed",
      problem: { message: `${message} No backup can be made. ${since}.`, hint },
    };
  }
  if (failure !== undefined) {
    const message = `The last backup to ${plan.dir} failed on ${timeOf(failure.at)}: ${failure.message} ${since}.`;
    return {
      since,
      state: "failed",
      problem: { message, hint: "Mend that, then make one: cambium backup." },
    };
  }
  if (newest !== undefined && now - newest.at <= LATE_TIMES * plan.everyMs) return { since, state: "fine" };
  const hint =
    "The daemon makes them while it runs: cambium daemon start --stay. Or make one now: cambium backup.";
  return { since, state: "late", problem: { message: `A backup to ${plan.dir} is late. ${since}.`, hint } };
}

/** Known before the next one fails, which may be a week from now. */
function passphraseProblem({
  passphraseFile,
}: BackupPlan): readonly [message: string, hint: string] | undefined {
  if (passphraseFile === null) return undefined;
  try {
    if (passphraseIn(passphraseFile).trim() !== "") return undefined;
    return [`The file ${passphraseFile} has no passphrase in its first line.`, LOCKED_HINT];
  } catch (error) {
    return [messageOf(error), isCambiumError(error) ? (error.hint ?? LOCKED_HINT) : LOCKED_HINT];
  }
}

const LOCKED_HINT =
  "Write the passphrase into it, or set the backups anew: cambium backup <folder> --passphrase-file <file>.";

/** In one line; undefined where none are set, or all is well. */
export function backupProblem(home: string, space: string, now: number): string | undefined {
  const plan = readBackupPlans(home).find((one) => one.space === space);
  const failure = readBackupFailures(home).find((one) => one.space === space);
  const problem = plan && backupState(plan, failure, now).problem;
  return problem && `${problem.message} ${problem.hint}`;
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");
