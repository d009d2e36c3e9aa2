/**
 * One fault against the simulator: seeds are tried until a checker objects to something that it does not object to
 * without the fault.
 *
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Fault } from "./fault.ts";
import { FaultyCopy, ROOT } from "./faulty-copy.ts";

export interface Outcome {
  readonly name: string;
  readonly rule: string;
  readonly description: string;
  readonly found: boolean;
  /** How many were tried; the last of them found it. */
  readonly seeds: number;
  readonly seconds: number;
  readonly checker?: string;
  readonly message?: string;
}

export interface TryOptions {
  readonly maxSeeds: number;
  readonly onSeed: (seeds: number) => void;
}

interface Objection {
  readonly checker: string;
  readonly message: string;
}

type Harness = Exclude<NonNullable<Fault["harness"]>, "test">;

const HARNESSES: Readonly<
  Record<Harness, { readonly program: string; readonly options: readonly string[] }>
> = {
  simulator: { program: "test/simulation/main.ts", options: ["--no-shorten"] },
  processes: { program: "test/simulation/processes/main.ts", options: [] },
};

interface SeedRange {
  readonly first: number;
  readonly last: number;
}

/** As the simulator says it, with `--json`. */
interface SeedLine extends Partial<Objection> {
  readonly type: string;
  readonly seed: number;
  readonly ok: boolean;
}

const MAX_MESSAGE = 300;

export async function tryFault(fault: Fault, { maxSeeds, onSeed }: TryOptions): Promise<Outcome> {
  const startedAt = performance.now();
  const { harness = "simulator" } = fault;
  if (harness === "test") return tryTest(fault, startedAt);
  await using copy = await FaultyCopy.make(fault);
  let seeds = 0;
  let objection: Objection | undefined;
  while (seeds < maxSeeds && objection === undefined) {
    const range = { first: seeds + 1, last: maxSeeds };
    const tried = await run(harness, copy.dir, range, onSeed);
    seeds = tried.last;
    if (tried.objection !== undefined && !(await failsAnyway(harness, seeds))) objection = tried.objection;
  }
  return outcomeOf(fault, { seeds, objection, startedAt });
}

function outcomeOf(
  { name, rule, description }: Fault,
  { seeds, objection, startedAt }: { seeds: number; objection: Objection | undefined; startedAt: number },
): Outcome {
  return {
    ...{ name, rule, description, found: objection !== undefined, seeds },
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    ...(objection === undefined ? {} : { ...objection, message: objection.message.slice(0, MAX_MESSAGE) }),
  };
}

/** Many times what the file takes without a fault. */
const MAX_TEST_MS = 180_000;

/** Whether the fault's own test fails, or does not come to an end. */
async function tryTest(fault: Fault, startedAt: number): Promise<Outcome> {
  const { test = "" } = fault;
  if ((await runTest(test, { ...fault, edits: [] })) !== 0)
    throw new Error(`${test} fails without the fault, too.`);
  const code = await runTest(test, fault);
  const message = code === null ? `${test} took more than ${MAX_TEST_MS / 1_000} s` : `${test} failed`;
  const objection = code === 0 ? undefined : { checker: "its own test", message };
  return outcomeOf(fault, { seeds: 1, objection, startedAt });
}

/** @returns its exit code; null when it had to be killed */
async function runTest(test: string, fault: Fault): Promise<number | null> {
  await using copy = await FaultyCopy.makeOfSources(fault);
  const args = [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--root", copy.dir];
  // Those that carry the rule.
  args.push(test, "--testNamePattern", `\\[${fault.rule}\\]`);
  const stdio: ["ignore", "ignore", "ignore"] = ["ignore", "ignore", "ignore"];
  const run = spawn(process.execPath, args, {
    cwd: copy.dir,
    stdio,
    timeout: MAX_TEST_MS,
    killSignal: "SIGKILL",
  });
  const [code] = (await once(run, "close")) as [number | null];
  return code;
}

const failing = new Map<string, Promise<boolean>>();

/** Whether the seed fails without a fault, too: then it says nothing about one. */
function failsAnyway(harness: Harness, seed: number): Promise<boolean> {
  const key = `${harness} ${seed}`;
  const range = { first: seed, last: seed };
  const known =
    failing.get(key) ?? run(harness, ROOT, range, () => {}).then(({ objection }) => objection !== undefined);
  failing.set(key, known);
  return known;
}

/** @returns the last seed that was tried, and what was found wrong with it */
async function run(
  harness: Harness,
  build: string,
  { first, last }: SeedRange,
  onSeed: (seed: number) => void,
): Promise<{ readonly last: number; readonly objection?: Objection }> {
  const { program, options } = HARNESSES[harness];
  const seeds = ["--seeds", `${first}..${last}`, "--until-failure", "--json", "--build", build];
  const args = [join(ROOT, program), ...seeds, ...options];
  const simulator = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  simulator.stderr.on("data", (bytes: Buffer) => {
    said = `${said}${bytes}`.slice(-4_000);
  });
  const ended = once(simulator, "close");
  let line: SeedLine | undefined;
  for await (const text of createInterface({ input: simulator.stdout })) {
    const parsed = JSON.parse(text) as SeedLine;
    if (parsed.type !== "seed") continue;
    line = parsed;
    onSeed(parsed.seed);
  }
  const [code] = (await ended) as [number | null];
  if (line?.ok === false) {
    const { seed, checker = "", message = "" } = line;
    return { last: seed, objection: { checker, message } };
  }
  // A fault that stops the simulator itself has been noticed, too.
  if (code !== 0)
    return {
      last: line === undefined ? first : line.seed + 1,
      objection: { checker: "the simulator ended", message: said },
    };
  return { last };
}
