/**
 * Sealing anew while the daemon runs: what the owner began with `rekey` and what was cut short, or waits for the relay,
 * goes on by itself, in short turns. A space in which nothing was begun is not opened.
 *
 * @module
 */
import type { Space } from "@cambium/client";
import { SpaceConfigs, type Timers } from "@cambium/client/host";
import { counted, messageOf } from "@cambium/core/text";
import type { DaemonLog } from "./daemon-log.js";
import { RepeatedRun } from "./repeated-run.js";

export interface RekeyRunnerOptions {
  readonly home: string;
  readonly timers: Timers;
  readonly log: Pick<DaemonLog, "info" | "error">;
  /** @param space - its id */
  readonly openSpace: (space: string) => Promise<RekeyedSpace>;
}

export type RekeyedSpace = Pick<Space, "name" | "as">;

const FIRST_MS = 60_000;
/** By then the relay has confirmed what takes the place of the old packs. */
const EVERY_MS = 2 * 60_000;

export class RekeyRunner {
  readonly #options: RekeyRunnerOptions;
  readonly #runs: RepeatedRun;

  constructor(options: RekeyRunnerOptions) {
    this.#options = options;
    const { timers, log } = options;
    this.#runs = new RepeatedRun({
      ...{ timers, firstMs: FIRST_MS, everyMs: EVERY_MS, run: () => this.runBegun() },
      onFailure: (error) => log.error(`Sealing anew: ${messageOf(error)}`),
    });
  }

  /** Each apart: what is wrong with one keeps no other from it. */
  async runBegun(): Promise<void> {
    const { home, log, openSpace } = this.#options;
    const { signal } = this.#runs;
    for (const { id, isRekeying } of new SpaceConfigs(home).readable()) {
      if (isRekeying !== true || signal.aborted) continue;
      try {
        const space = await openSpace(id);
        const { status, resealed } = await space.as({ role: "operator" }).rekey({ signal });
        if (resealed > 0) log.info(`Sealed ${counted(resealed, "record")} of ${space.name} anew.`);
        if (status === "rekeyed") log.info(`Nothing of ${space.name} is under earlier keys any more.`);
      } catch (error) {
        if (signal.aborted) return;
        log.error(`Sealing anew failed: ${messageOf(error)}`);
      }
    }
  }

  /** Resolves when nothing is being sealed any more. */
  stop(): Promise<void> {
    return this.#runs.stop();
  }
}
