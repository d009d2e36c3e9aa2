/**
 * Retention while the daemon runs: each space that has rules is pruned once a day or week, a while after the daemon
 * started. Writes go before.
 *
 * @module
 */
import { join } from "node:path";
import type { Space } from "@cambium/client";
import {
  type CancelTimer,
  isNumber,
  isOne,
  isText,
  readPrivateJson,
  readShape,
  type Timers,
  writePrivateFile,
} from "@cambium/client/host";
import type { DaemonLog } from "./daemon-log.js";

export interface RetentionRunnerOptions {
  readonly home: string;
  readonly timers: Timers;
  readonly now: () => number;
  readonly log: Pick<DaemonLog, "info" | "error">;
  readonly openSpaces: () => Promise<readonly Pick<Space, "id" | "name" | "role" | "settings" | "as">[]>;
}

/** When each space was pruned last. */
interface LastRun {
  readonly space: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const FIRST_MS = 10 * 60_000;
const EVERY_MS = 60 * 60_000;
const DAY_MS = 86_400_000;
const EVERY_DAYS: Readonly<Record<string, number>> = { daily: 1, weekly: 7 };

export class RetentionRunner {
  readonly #options: RetentionRunnerOptions;
  readonly #stopping = new AbortController();
  #cancel: CancelTimer;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RetentionRunnerOptions) {
    this.#options = options;
    this.#cancel = options.timers.after(FIRST_MS, () => this.#run());
  }

  #run(): void {
    this.#running = this.runDue()
      .catch((error: unknown) => this.#options.log.error(`Retention: ${messageOf(error)}`))
      .finally(() => {
        if (this.#stopping.signal.aborted) return;
        this.#cancel = this.#options.timers.after(EVERY_MS, () => this.#run());
      });
  }

  /** Each apart: what is wrong with one keeps no other from it. */
  async runDue(): Promise<void> {
    const { now, log, openSpaces } = this.#options;
    const { signal } = this.#stopping;
    for (const space of await openSpaces()) {
      if (signal.aborted || space.role === "read") continue;
      try {
        const { settings } = await space.settings();
        const wanted = settings.find(({ key }) => key === "retention.run")?.value;
        const days = EVERY_DAYS[String(wanted)];
        if (days === undefined || now() - this.#lastOf(space.id) < days * DAY_MS) continue;
        const { status, counts } = await space.as({ role: "operator" }).prune({ signal });
        if (status !== "off") this.#note(space.id);
        if (status === "pruned")
          log.info(`Pruned ${counts.versions} texts of ${counts.memories} memories of ${space.name}.`);
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
  async stop(): Promise<void> {
    this.#cancel();
    this.#stopping.abort();
    await this.#running;
  }
}

const pathIn = (home: string): string => join(home, "retention-runs.json");

const isRuns = (value: unknown): value is readonly LastRun[] =>
  Array.isArray(value) &&
  value.every((run) => readShape<LastRun>(run, { space: isText, at: isNumber }) !== undefined);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
