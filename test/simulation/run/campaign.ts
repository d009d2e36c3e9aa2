/**
 * Many seeds: progress, failures with the command that repeats them, and a summary.
 *
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadProduct, type Product } from "../product.ts";
import type { Options } from "./options.ts";
import { runSeed, type SeedResult, stepsOf } from "./run-seed.ts";
import { shorten } from "./shorten.ts";

const SHORTEN_MS = 60_000;
const PROGRESS_MS = 10_000;
/** The first run in a process loads modules while it goes, which takes turns that later runs do not have. */
const WARM_UP = { seed: 0, steps: 40 };

export interface KnownSeed {
  readonly seed: number;
  readonly steps: number;
  /** What failed when it was found. */
  readonly reason: string;
}

interface Totals {
  seeds: number;
  failed: { seed: number; steps: number; checker: string; message: string; command: string }[];
  writes: number;
  answers: number;
  events: number;
  virtualMs: number;
  readonly done: Record<string, number>;
}

type Say = (text: string) => void;

/** @returns the exit code */
export async function runCampaign(options: Options, say: Say): Promise<number> {
  const product = await loadProduct(options.build);
  const root = mkdtempSync(join(memoryDirectory(), "cambium-simulation-"));
  try {
    return await new Campaign(options, product, root, say).run();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Files in memory where there are such: a disk would only be waited for. */
function memoryDirectory(): string {
  const isThere = statSync("/dev/shm", { throwIfNoEntry: false })?.isDirectory() === true;
  return isThere ? "/dev/shm" : tmpdir();
}

class Campaign {
  readonly #options: Options;
  readonly #product: Product;
  readonly #root: string;
  readonly #say: Say;
  readonly #startedMs = realNow();
  readonly #totals: Totals = {
    seeds: 0,
    failed: [],
    writes: 0,
    answers: 0,
    events: 0,
    virtualMs: 0,
    done: {},
  };
  #isStopped = false;

  constructor(options: Options, product: Product, root: string, say: Say) {
    this.#options = options;
    this.#product = product;
    this.#root = root;
    this.#say = say;
  }

  async run(): Promise<number> {
    process.once("SIGINT", () => {
      this.#isStopped = true;
    });
    await this.#try(WARM_UP.seed, WARM_UP.steps, undefined, false);
    let toldMs = realNow();
    for (const { seed, steps } of this.#seeds()) {
      await this.#seed(seed, steps);
      if (this.#isOver()) break;
      if (realNow() - toldMs < PROGRESS_MS) continue;
      toldMs = realNow();
      this.#say(this.#progress());
    }
    this.#end();
    return this.#totals.failed.length === 0 ? 0 : 1;
  }

  *#seeds(): Iterable<{ readonly seed: number; readonly steps: number }> {
    const { firstSeed, lastSeed, steps, known } = this.#options;
    if (known) yield* knownSeeds();
    else for (let seed = firstSeed; seed <= lastSeed; seed += 1) yield { seed, steps };
  }

  #isOver(): boolean {
    const { forMs = Number.POSITIVE_INFINITY, maxSeeds, untilFailure } = this.#options;
    if (this.#isStopped || this.#totals.seeds >= maxSeeds) return true;
    if (untilFailure && this.#totals.failed.length > 0) return true;
    return realNow() - this.#startedMs > forMs;
  }

  async #seed(seed: number, steps: number): Promise<void> {
    const { only, trace } = this.#options;
    const result = await this.#try(seed, steps, only, trace);
    const totals = this.#totals;
    totals.seeds += 1;
    totals.writes += result.writes;
    totals.answers += result.answers;
    totals.events += result.events;
    totals.virtualMs += result.virtualMs;
    for (const [kind, count] of Object.entries(result.done)) {
      totals.done[kind] = (totals.done[kind] ?? 0) + count;
    }
    const { hash, failure } = result;
    this.#json({ type: "seed", seed, steps, hash, ok: failure === undefined, ...failure });
    if (failure !== undefined) await this.#failed(seed, steps, failure);
  }

  #try(
    seed: number,
    count: number,
    only: ReadonlySet<number> | undefined,
    trace: boolean,
  ): Promise<SeedResult> {
    const steps = stepsOf(seed, count).filter((_, number) => only?.has(number) ?? true);
    const onTrace = trace ? this.#say : undefined;
    return runSeed({ seed, steps, product: this.#product, root: join(this.#root, "run"), onTrace });
  }

  async #failed(seed: number, steps: number, failure: NonNullable<SeedResult["failure"]>): Promise<void> {
    const { only, shorten: isShortened } = this.#options;
    const all = stepsOf(seed, steps)
      .map((_, number) => number)
      .filter((number) => only?.has(number) ?? true);
    const shortest = isShortened ? await this.#shorten(seed, steps, all, failure.checker) : all;
    const chosen = shortest.length === steps ? "" : ` --only ${shortest.join(",")}`;
    const command = `node test/simulation/main.ts --seed ${seed} --steps ${steps}${chosen} --trace --no-shorten`;
    this.#totals.failed.push({ seed, steps, ...failure, command });
    const { trace } = await this.#try(seed, steps, new Set(shortest), false);
    this.#say(`\nSeed ${seed} failed (${failure.checker}): ${failure.message.slice(0, 2_000)}`);
    this.#say(`${trace.map((line) => `  ${line.slice(0, 400)}`).join("\n")}\nRepeat it with\n  ${command}\n`);
  }

  #shorten(
    seed: number,
    steps: number,
    numbers: readonly number[],
    checker: string,
  ): Promise<readonly number[]> {
    const endMs = realNow() + SHORTEN_MS;
    const tryOnly = (some: readonly number[]): Promise<SeedResult> =>
      this.#try(seed, steps, new Set(some), false);
    return shorten(numbers, tryOnly, checker, () => realNow() > endMs || this.#isStopped);
  }

  #progress(): string {
    const { seeds, failed, writes, answers, done } = this.#totals;
    const seconds = (realNow() - this.#startedMs) / 1_000;
    const steps = Object.values(done).reduce((sum, count) => sum + count, 0);
    return `${seeds} seeds, ${failed.length} failed, ${steps} steps, ${writes} acknowledged writes, ${answers} fixed answers, ${(seeds / seconds).toFixed(2)} seeds/s`;
  }

  #end(): void {
    const summary = { type: "summary", ok: this.#totals.failed.length === 0, ...this.#totals };
    this.#say(this.#progress());
    this.#json(summary);
    if (this.#options.summary !== undefined) {
      writeFileSync(this.#options.summary, `${JSON.stringify(summary, null, 2)}\n`);
    }
  }

  #json(line: object): void {
    if (this.#options.json) writeSync(1, `${JSON.stringify(line)}\n`);
  }
}

const realNow = (): number => Number(process.hrtime.bigint() / 1_000_000n);

const knownSeeds = (): readonly KnownSeed[] =>
  JSON.parse(readFileSync(new URL("../known-seeds.json", import.meta.url), "utf8")) as readonly KnownSeed[];
