/**
 * A backup put back as the log of a data directory. It knows nothing of what was revoked or deleted since it was made: tokens
 * that were revoked stand again. What is known of that, from the audit file, is done again before any relay opens it.
 *
 * @module
 */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { CambiumError, isCambiumError } from "@cambium/core/errors";
import { auditFile } from "../audit.js";
import type { RelayLog } from "../log/relay-log.js";
import { LOG_FILE_NAME, openSqliteLog } from "../log/sqlite-log.js";
import { takeCopiedAt } from "../log/sqlite-operations.js";
import { giveToOwnerOf } from "../platform/owner.js";
import { type AppliedAudit, type AuditedAct, applyAudit } from "./audited-acts.js";
import { checkLogFile, damagedLog, logFileOf } from "./log-file.js";
import { readRunning } from "./running-file.js";

export interface RestoreOptions {
  readonly now: number;
  /** What admins did, a line for each act, as far as that is known. */
  readonly acts: readonly AuditedAct[];
  /** Let nobody in. */
  readonly revokesTokens: boolean;
}

/** What the log of a data directory is from then on. */
export interface RestoredLog {
  /** When the backup was made, in milliseconds since 1970. Undefined for one of an earlier version, or a plain copy. */
  readonly madeAt: number | undefined;
  /** When its newest token, invitation or space was made. */
  readonly newestAt: number | undefined;
  /** What it opens, and to how many. */
  readonly spaces: number;
  readonly tokens: number;
  readonly invitations: number;
  /** What was done again, by the audit file. */
  readonly again: AppliedAudit;
  /** Tokens and invitations that were revoked because that was asked for. */
  readonly revoked: number;
}

/**
 * @throws {CambiumError} BAD_INPUT when there is a log already, a relay that runs, or none to restore; STORE_DAMAGED when
 *   it is not whole; STORE_FAILED
 */
export async function restoreLog(
  backup: string,
  dataDir: string,
  options: RestoreOptions,
): Promise<RestoredLog> {
  const file = logFileOf(dataDir);
  if (!existsSync(backup)) throw new CambiumError("BAD_INPUT", `${backup} is not there.`);
  if (existsSync(file)) {
    throw new CambiumError("BAD_INPUT", `${dataDir} has a log already.`, {
      hint: "Move it away first, with the files beside it whose names begin the same, or name another directory with --data.",
    });
  }
  if (readRunning(dataDir) !== undefined) {
    throw new CambiumError("BAD_INPUT", `A relay runs with the data in ${dataDir}.`, {
      hint: "Stop it first, or name another directory with --data.",
    });
  }
  // Checked, opened and changed in a place of its own: a failure leaves no half of a log behind.
  const beside = join(dataDir, "restoring");
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    rmSync(beside, { recursive: true, force: true }); // of one that was killed
    mkdirSync(beside, { mode: 0o700 });
    const copy = join(beside, LOG_FILE_NAME);
    copyFileSync(backup, copy);
    chmodSync(copy, 0o600);
    const [problem] = checkLogFile(copy, backup);
    if (problem !== undefined) throw damagedLog(backup, `is damaged: ${problem}`);
    const madeAt = takeCopiedAt(copy);
    const restored = await broughtUpToDate(beside, { madeAt, ...options });
    giveToOwnerOf(dataDir, copy);
    syncFile(copy);
    keepInAudit(dataDir, backup, restored, options.now);
    // What would belong to another log that was here.
    for (const end of ["-wal", "-shm", "-journal"]) rmSync(file + end, { force: true });
    renameSync(copy, file);
    syncFile(dataDir);
    return restored;
  } catch (cause) {
    if (isCambiumError(cause)) throw cause;
    const { message } = cause as Error;
    throw new CambiumError("STORE_FAILED", `${backup} cannot be restored to ${dataDir}: ${message}.`, {
      cause,
    });
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

async function broughtUpToDate(
  dir: string,
  { madeAt, acts, revokesTokens }: RestoreOptions & { readonly madeAt: number | undefined },
): Promise<RestoredLog> {
  const log = openSqliteLog(dir);
  try {
    const again = await applyAudit(log, acts);
    const revoked = revokesTokens ? await revokeAll(log) : 0;
    const spaces = await log.listSpaces();
    const times = spaces.map(({ createdAt }) => createdAt);
    let [tokens, invitations] = [0, 0];
    for (const { space } of spaces) {
      const [held, open] = [await log.tokensOf(space), await log.invitationsOf(space)];
      tokens += held.length;
      invitations += open.length;
      times.push(...[...held, ...open].map(({ createdAt }) => createdAt));
    }
    const newestAt = times.reduce<number | undefined>(
      (most, time) => Math.max(most ?? time, time),
      undefined,
    );
    return { madeAt, newestAt, spaces: spaces.length, tokens, invitations, again, revoked };
  } finally {
    await log.close();
  }
}

async function revokeAll(log: RelayLog): Promise<number> {
  let count = 0;
  for (const { space } of await log.listSpaces()) {
    for (const { invitationId } of await log.invitationsOf(space)) {
      await log.removeInvitation(space, invitationId, { withTokens: false });
      count += 1;
    }
    for (const { tokenId } of await log.tokensOf(space)) {
      await log.removeToken(space, tokenId);
      count += 1;
    }
  }
  return count;
}

/** Before the log has its name: none that was restored is without its line. */
function keepInAudit(dataDir: string, backup: string, restored: RestoredLog, now: number): void {
  const { madeAt, tokens, revoked, again } = restored;
  const counts = { tokens, revoked: revoked + again.revoked };
  const made = madeAt === undefined ? {} : { madeAt: new Date(madeAt).toISOString() };
  auditFile(
    dataDir,
    () => now,
  )({
    ...{ act: "restored", by: "command", address: "local", file: backup },
    ...{ ...made, ...counts },
  });
  giveToOwnerOf(dataDir, join(dataDir, "audit.jsonl"));
}

function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
