/**
 * Retention while the daemon runs: each space that has rules is pruned once a day or week, a while after the daemon
 * started. Writes go before. A space that has none is not opened.
 *
 * @module
 */
import { join } from "node:path";
import type { Space } from "@cambium/client";
import {
  isNumber,
  isOne,
  isText,
  readPrivateJson,
  readShape,
  SpaceConfigs,
  type Timers,
  writePrivateFile,
} from "@cambium/client/host";
import { messageOf } from "@cambium/core/text";
import type { DaemonLog } from "./daemon-log.js";
import { RepeatedRun } from "./repeated-run.js";

export interface RetentionRunnerOptions {
  readonly home: string;
  readonly timers: Timers;
  readonly now: () => number;
  readonly log: Pick<DaemonLog, "info" | "error">;
  /** Those whose settings let old texts go, as far as is known. */
  readonly spaces: () => readonly string[];
  /** @param space - its id */
  readonly openSpace: (space: string) => Promise<PrunedSpace>;
}

export type PrunedSpace = Pick<Space, "id" | "name" | "role" | "settings" | "as">;

/** The ids of the spaces of a home whose settings let old texts go, without opening one. */
export const prunedSpacesIn = (home: string): readonly string[] =>
  new SpaceConfigs(home).readable().flatMap(({ id, isPruned }) => (isPruned === true ? [id] : []));

/** When each space was pruned last. */
interface LastRun {
  readonly space: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const FIRST_MS = 10 * 60_000;
const EVERY_MS = 60 * 60_000;
const DAY_MS = 86_400_000;
const LEAST_DAYS = 1;
const EVERY_DAYS: Readonly<Record<string, number>> = { daily: LEAST_DAYS, weekly: 7 };

export class RetentionRunner {
  readonly #options: RetentionRunnerOptions;
  readonly #runs: RepeatedRun;

  constructor(options: RetentionRunnerOptions) {
    this.#options = options;
    const { timers, log } = options;
    this.#runs = new RepeatedRun({
      ...{ timers, firstMs: FIRST_MS, everyMs: EVERY_MS, run: () => this.runDue() },
      onFailure: (error) => log.error(`Retention: ${messageOf(error)}`),
    });
  }

  /** Each apart: what is wrong with one keeps no other from it. */
  async runDue(): Promise<void> {
    const { now, log, spaces, openSpace } = this.#options;
    const { signal } = this.#runs;
    for (const id of spaces()) {
      if (signal.aborted || now() - this.#lastOf(id) < LEAST_DAYS * DAY_MS) continue;
      try {
        const space = await openSpace(id);
        if (space.role === "read") continue;
        const { settings } = await space.settings();
        const wanted = settings.find(({ key }) => key === "retention.run")?.value;
        const days = EVERY_DAYS[String(wanted)];
        if (days === undefined || now() - this.#lastOf(space.id) < days * DAY_MS) continue;
        const { status, counts } = await space.as({ role: "operator" }).prune({ signal });
        if (status !== "off") this.#note(space.id);
        if (status === "pruned")
          log.info(`Pruned ${counts.versions} ${counts.versions === 1 ? "text" : "texts"} of ${space.name}.`);
      } catch (error) {
        if (signal.aborted) return;
        log.error(`Retention failed: ${messageOf(error)}`);
      }
    }
  }

  #lastOf(space: string): number {
    return this.#lastRuns().find((run) => run.space === space)?.at ?? Number.NEGATIVE_INFINITY;
  }

  #lastRuns(): readonly LastRun[] {
    const stored = readPrivateJson(
      pathIn(this.#options.home),
      "Remove it: it says when old texts were pruned.",
    );
    if (stored === undefined) return [];
    return readShape<{ v: 1; list: readonly LastRun[] }>(stored, { v: isOne, list: isRuns })?.list ?? [];
  }

  #note(space: string): void {
    const { home, now } = this.#options;
    const others = this.#lastRuns().filter((run) => run.space !== space);
    const list = [...others, { space, at: now() }];
    writePrivateFile(pathIn(home), `${JSON.stringify({ v: 1, list }, null, 2)}\n`);
  }

  /** Resolves when nothing is being pruned any more. */
  stop(): Promise<void> {
    return this.#runs.stop();
  }
}

const pathIn = (home: string): string => join(home, "retention-runs.json");

const isRuns = (value: unknown): value is readonly LastRun[] =>
  Array.isArray(value) &&
  value.every((run) => readShape<LastRun>(run, { space: isText, at: isNumber }) !== undefined);
