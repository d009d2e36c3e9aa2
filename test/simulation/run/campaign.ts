/**
 * Many seeds: progress, failures with the command that repeats them, and a summary.
 *
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { loadProduct, type Product } from "../product.ts";
import type { Step } from "../steps/step.ts";
import type { Options } from "./options.ts";
import { runSeed, type SeedResult, stepsOf } from "./run-seed.ts";
import { shorten } from "./shorten.ts";

const SHORTEN_MS = 60_000;
const PROGRESS_MS = 10_000;
/** The first run in a process loads modules while it goes, which takes turns that later runs do not have. */
const WARM_UP = { seed: 0, steps: 40 };

interface Totals {
  seeds: number;
  failed: { seed: number; steps: number; checker: string; message: string; command: string }[];
  writes: number;
  answers: number;
  events: number;
  virtualMs: number;
  readonly done: Record<string, number>;
}

interface PlannedSeed {
  readonly seed: number;
  readonly plan: readonly Step[];
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

/**
 * A killed process frees nothing. The documents that it had stand in Automerge's own memory, beside small objects that
 * give Node no reason to look for garbage: a long run would take a gigabyte and more for the worlds that are over.
 */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
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
  readonly #collectGarbage = garbageCollector();
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
    await this.#try(WARM_UP.seed, stepsOf(WARM_UP.seed, WARM_UP.steps), false);
    let toldMs = realNow();
    for (const planned of this.#seeds()) {
      await this.#seed(planned);
      if (this.#isOver()) break;
      if (realNow() - toldMs < PROGRESS_MS) continue;
      toldMs = realNow();
      this.#say(this.#progress());
    }
    this.#end();
    return this.#totals.failed.length === 0 ? 0 : 1;
  }

  *#seeds(): Iterable<PlannedSeed> {
    const { firstSeed, lastSeed, steps, known, only } = this.#options;
    if (known) {
      yield* knownSeeds();
      return;
    }
    for (let seed = firstSeed; seed <= lastSeed; seed += 1) {
      const plan = stepsOf(seed, steps);
      yield { seed, plan: only === undefined ? plan : plan.filter(({ number }) => only.has(number)) };
    }
  }

  #isOver(): boolean {
    const { forMs = Number.POSITIVE_INFINITY, maxSeeds, untilFailure } = this.#options;
    if (this.#isStopped || this.#totals.seeds >= maxSeeds) return true;
    if (untilFailure && this.#totals.failed.length > 0) return true;
    return realNow() - this.#startedMs > forMs;
  }

  async #seed(planned: PlannedSeed): Promise<void> {
    const { seed, plan } = planned;
    const result = await this.#try(seed, plan, this.#options.trace);
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
    this.#json({ type: "seed", seed, steps: plan.length, hash, ok: failure === undefined, ...failure });
    if (failure !== undefined) await this.#failed(planned, failure);
  }

  async #try(seed: number, steps: readonly Step[], trace: boolean): Promise<SeedResult> {
    const onTrace = trace ? this.#say : undefined;
    const root = join(this.#root, "run");
    const result = await runSeed({ seed, steps, product: this.#product, root, onTrace });
    this.#collectGarbage();
    return result;
  }

  async #failed({ seed, plan }: PlannedSeed, failure: NonNullable<SeedResult["failure"]>): Promise<void> {
    const { keep: reason, known } = this.#options;
    const shortest = this.#options.shorten ? await this.#shorten(seed, plan, failure.checker) : plan;
    const command = known ? "node test/simulation/main.ts --known --trace" : this.#commandOf(seed, shortest);
    this.#totals.failed.push({ seed, steps: shortest.length, ...failure, command });
    const { trace } = await this.#try(seed, shortest, false);
    this.#say(`\nSeed ${seed} failed (${failure.checker}): ${failure.message.slice(0, 2_000)}`);
    this.#say(`${trace.map((line) => `  ${line.slice(0, 400)}`).join("\n")}\nRepeat it with\n  ${command}\n`);
    if (reason !== undefined) keep({ seed, reason, plan: shortest });
  }

  #commandOf(seed: number, plan: readonly Step[]): string {
    const { steps } = this.#options;
    const only = plan.length === steps ? "" : ` --only ${plan.map(({ number }) => number).join(",")}`;
    return `node test/simulation/main.ts --seed ${seed} --steps ${steps}${only} --trace --no-shorten`;
  }

  #shorten(seed: number, plan: readonly Step[], checker: string): Promise<readonly Step[]> {
    const endMs = realNow() + SHORTEN_MS;
    const tryOnly = (some: readonly Step[]): Promise<SeedResult> => this.#try(seed, some, false);
    return shorten(plan, tryOnly, checker, () => realNow() > endMs || this.#isStopped);
  }

  #progress(): string {
    const memoryMB = Math.round(process.memoryUsage.rss() / 1e6);
    const { seeds, failed, writes, answers, done } = this.#totals;
    const seconds = (realNow() - this.#startedMs) / 1_000;
    const steps = Object.values(done).reduce((sum, count) => sum + count, 0);
    return `${seeds} seeds, ${failed.length} failed, ${steps} steps, ${writes} acknowledged writes, ${answers} fixed answers, ${(seeds / seconds).toFixed(2)} seeds/s, ${memoryMB} MB`;
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

/** How `known-seeds.json` keeps a failing run: with its steps, so that it stays what it was when others are added. */
interface KnownSeed {
  readonly seed: number;
  /** What failed when it was found. */
  readonly reason: string;
  readonly plan: readonly Step[];
}

const realNow = (): number => Number(process.hrtime.bigint() / 1_000_000n);

const KNOWN_SEEDS = new URL("../known-seeds.json", import.meta.url);

const knownSeeds = (): readonly KnownSeed[] =>
  JSON.parse(readFileSync(KNOWN_SEEDS, "utf8")) as readonly KnownSeed[];

function keep(seed: KnownSeed): void {
  writeFileSync(KNOWN_SEEDS, `${JSON.stringify([...knownSeeds(), seed], null, 2)}\n`);
}
