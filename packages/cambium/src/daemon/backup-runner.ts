/**
 * Backups that are due, made while the daemon runs: a while after it started, and then every few minutes.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import type { Timers } from "@cambium/client/host";
import { messageOf } from "@cambium/core/text";
import { noteBackupFailure, readBackupPlans } from "../backup/backup-settings.js";
import { isDue, makeBackup } from "../backup/make-backup.js";
import type { DaemonLog } from "./daemon-log.js";
import { RepeatedRun } from "./repeated-run.js";

export interface BackupRunnerOptions {
  readonly home: string;
  readonly timers: Timers;
  readonly now: () => number;
  readonly log: DaemonLog;
  readonly openSpace: (id: string) => Promise<Space>;
}

const FIRST_MS = 30_000;
const EVERY_MS = 5 * 60_000;

export class BackupRunner {
  readonly #options: BackupRunnerOptions;
  readonly #runs: RepeatedRun;

  constructor(options: BackupRunnerOptions) {
    this.#options = options;
    const { timers, log } = options;
    this.#runs = new RepeatedRun({
      ...{ timers, firstMs: FIRST_MS, everyMs: EVERY_MS, run: () => this.makeDue() },
      onFailure: (error) => log.error(`Backups: ${messageOf(error)}`),
    });
  }

  /** Each apart: what is wrong with one keeps no other from being made. */
  async makeDue(): Promise<void> {
    const { home, now, openSpace, log } = this.#options;
    const { signal } = this.#runs;
    for (const plan of readBackupPlans(home)) {
      if (signal.aborted || !isDue(plan, now())) continue;
      try {
        const time = { home, now: now(), signal, isKnown: true };
        const { path } = await makeBackup(plan, await openSpace(plan.space), time);
        noteBackupFailure(home, plan.space, undefined);
        log.info(`Backed up to ${path}.`);
      } catch (error) {
        if (signal.aborted) return;
        noteBackupFailure(home, plan.space, { space: plan.space, at: now(), message: messageOf(error) });
        log.error(`A backup failed: ${messageOf(error)}`);
      }
    }
  }

  /** Resolves when nothing is being written any more. */
  stop(): Promise<void> {
    return this.#runs.stop();
  }
}
