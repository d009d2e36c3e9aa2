/**
 * One run: the steps of a seed, the rest after them, and what the checkers say.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkAtRest } from "../checks/at-rest.ts";
import { CheckFailure } from "../checks/check-failure.ts";
import { isCambiumError } from "../checks/coded-error.ts";
import { isKnownCrash } from "../checks/known.ts";
import { Cluster } from "../cluster.ts";
import type { Device } from "../device.ts";
import { APART_WEIGHTS, FAULT_WEIGHTS, FAULTS } from "../faults/faults.ts";
import { setCurrentWorld } from "../host/current-world.ts";
import { World } from "../host/world.ts";
import { finishCall, HangError, type PendingCall } from "../in-process.ts";
import type { Product } from "../product.ts";
import { Dice, mixSeed } from "../random.ts";
import { OPERATION_WEIGHTS, OPERATIONS } from "../steps/operations.ts";
import { planSteps, type Step } from "../steps/step.ts";
import { swarmOf } from "../steps/swarm.ts";
import { WriteBook } from "../steps/write-book.ts";
import { attempt, heardBook } from "./attempt.ts";
import { settle } from "./settle.ts";

export interface SeedOptions {
  readonly seed: number;
  readonly steps: readonly Step[];
  readonly product: Product;
  /** A directory of its own; emptied first. */
  readonly root: string;
  readonly onTrace?: ((line: string) => void) | undefined;
}

export interface SeedResult {
  readonly seed: number;
  /** Of the trace: the same for the same seed, build and steps. */
  readonly hash: string;
  readonly failure: { readonly checker: string; readonly message: string } | undefined;
  readonly trace: readonly string[];
  readonly writes: number;
  readonly answers: number;
  /** How many steps of each kind did something. */
  readonly done: Readonly<Record<string, number>>;
  readonly virtualMs: number;
  readonly events: number;
}

export function stepsOf(seed: number, count: number): readonly Step[] {
  const operations = [...OPERATION_WEIGHTS, ...APART_WEIGHTS];
  const swarm = swarmOf(new Dice(mixSeed(seed, 4)), operations, FAULT_WEIGHTS);
  return planSteps(seed, count, swarm);
}

export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  rmSync(options.root, { recursive: true, force: true });
  const world = new World(mixSeed(options.seed, 2));
  const noteRejection = (error: unknown): void => {
    if (world.current.isAlive) world.uncaught.push({ process: world.current, error });
  };
  process.on("unhandledRejection", noteRejection);
  setCurrentWorld(world);
  try {
    return await new SeedRun(options, world).run();
  } finally {
    setCurrentWorld(undefined);
    process.off("unhandledRejection", noteRejection);
  }
}

class SeedRun {
  readonly #options: SeedOptions;
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #book = new WriteBook();
  readonly #trace: string[] = [];
  readonly #done: Record<string, number> = {};
  readonly #pending: { readonly call: PendingCall<string>; readonly finish: () => Promise<void> }[] = [];
  readonly #scratch: string;

  constructor(options: SeedOptions, world: World) {
    this.#options = options;
    this.#world = world;
    this.#cluster = new Cluster(world, options.product, options.root);
    this.#scratch = join(options.root, "scratch");
    mkdirSync(this.#scratch, { recursive: true });
  }

  async run(): Promise<SeedResult> {
    const failure = await this.#failure();
    const world = this.#world;
    return {
      seed: this.#options.seed,
      hash: createHash("sha256").update(this.#trace.join("\n")).digest("hex").slice(0, 16),
      failure,
      trace: this.#trace,
      writes: this.#book.writes.length,
      answers: this.#book.answers.length,
      done: this.#done,
      virtualMs: world.nowMs,
      events: world.eventCount,
    };
  }

  async #failure(): Promise<SeedResult["failure"]> {
    try {
      await this.#cluster.begin(3 + (mixSeed(this.#options.seed, 3) % 4 === 0 ? 1 : 0));
      for (const step of this.#options.steps) await this.#step(step);
      for (const { finish } of this.#pending) await finish();
      await settle(this.#cluster, this.#book);
      this.#note("settled");
      const { devices } = this.#cluster;
      const reindexed = devices.filter((_, number) => number === this.#options.seed % devices.length);
      await checkAtRest(devices, this.#book, reindexed);
      this.#note("checked");
      this.#refuseUncaught();
      return undefined;
    } catch (error) {
      const failure = toFailure(error);
      this.#note(`FAILED ${failure.checker}: ${failure.message}`);
      return failure;
    }
  }

  async #step(step: Step): Promise<void> {
    const world = this.#world;
    await world.runUntil(() => false, world.nowMs + step.pauseMs);
    const { devices } = this.#cluster;
    const device = devices[step.device % devices.length];
    if (device === undefined) throw new Error("There are no devices.");
    const fault = FAULTS.get(step.kind);
    const name = `${step.number} ${step.kind} ${device.name}`;
    if (fault !== undefined) {
      const dice = new Dice(step.dice);
      const outcome = await attempt(async () =>
        fault({
          ...{ cluster: this.#cluster, device, dice, book: this.#book },
          ...{ step: step.number, scratch: this.#scratch },
        }),
      );
      this.#finished(name, step, outcome);
      return;
    }
    if (!device.isRunning) {
      const outcome = await attempt(async () => device.open().then(() => "opened"));
      this.#note(`${name}: ${outcome}`);
    }
    if (device.isRunning) await this.#operate(step, name, device);
    this.#refuseUncaught();
  }

  async #operate(step: Step, name: string, device: Device): Promise<void> {
    const operation = OPERATIONS.get(step.kind);
    if (operation === undefined) throw new Error(`There is no step of the kind ${step.kind}.`);
    const isAlive = device.lifeline();
    const book = heardBook(this.#book, isAlive);
    const dice = new Dice(step.dice);
    const context = { device: device.name, step: step.number, dice, book, scratch: this.#scratch };
    const call = device.start((space) => operation({ ...context, space }));
    const finish = async (): Promise<void> =>
      this.#finished(name, step, await attempt(() => finishCall(this.#world, call)));
    if (step.waits) await finish();
    else this.#pending.push({ call, finish });
  }

  #finished(name: string, step: Step, outcome: string): void {
    this.#done[step.kind] = (this.#done[step.kind] ?? 0) + 1;
    this.#note(`${name}: ${outcome}`);
  }

  #note(text: string): void {
    // Where the disks stand is no part of the run.
    const line = `${this.#world.nowMs.toFixed(3)} ${text.replaceAll(this.#options.root, "")}`;
    this.#trace.push(line);
    this.#options.onTrace?.(line);
  }

  #refuseUncaught(): void {
    const first = this.#world.uncaught.shift();
    if (first === undefined) return;
    const { error, process } = first;
    const device = this.#cluster.devices.find(({ name }) => name === process.name);
    if (isKnownCrash(error)) {
      this.#note(`${process.name} crashed`);
      if (device !== undefined && process.isAlive) device.kill("kill");
      return;
    }
    throw new CheckFailure(
      "uncaught",
      `${process.name}: ${error instanceof Error ? error.stack : String(error)}`,
    );
  }
}

function toFailure(error: unknown): { readonly checker: string; readonly message: string } {
  if (error instanceof CheckFailure) return { checker: error.checker, message: error.message };
  if (error instanceof HangError) return { checker: "hang", message: error.message };
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { checker: isCambiumError(error) ? error.code : "error without code", message: said };
}
