/**
 * The options of the command line.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export class UsageError extends Error {}

export const USAGE = `node test/simulation/main.ts [options]
  --seeds <first>..<last>   these seeds; 1..20 unless said
  --seed <n>                one seed
  --steps <n>               steps of each run; 60 unless said
  --for <time>              fresh seeds for so long: 90s, 20m, 2h, or "ever" until Ctrl-C
  --until-failure           stop at the first seed that fails
  --max-seeds <n>           try at most so many
  --build <dir>             try the built packages of this checkout; CAMBIUM_BUILD, or this one, unless said
  --only <step,…>           of the steps of each seed, run those with these numbers
  --trace                   print what happens
  --json                    print one line of JSON for each seed, and one for the whole
  --no-shorten              leave a failing seed as long as it is
  --summary <file>          write the summary there as well
  --keep <reason>           add what fails to known-seeds.json
  --known                   the runs that are kept there`;

export interface Options {
  readonly firstSeed: number;
  readonly lastSeed: number;
  readonly steps: number;
  /** Milliseconds. */
  readonly forMs: number | undefined;
  readonly untilFailure: boolean;
  readonly maxSeeds: number;
  readonly build: string;
  readonly only: ReadonlySet<number> | undefined;
  readonly trace: boolean;
  readonly json: boolean;
  readonly shorten: boolean;
  readonly summary: string | undefined;
  readonly keep: string | undefined;
  readonly known: boolean;
}

const DEFAULT_STEPS = 60;
const DEFAULT_SEEDS = "1..20";

/** @throws {UsageError} */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  const [first, last] = range(values.seed === undefined ? values.seeds : `${values.seed}..${values.seed}`);
  return {
    firstSeed: first,
    lastSeed: values.for === undefined && values["max-seeds"] === undefined ? last : Number.MAX_SAFE_INTEGER,
    steps: wholeNumber(values.steps ?? String(DEFAULT_STEPS)),
    forMs: values.for === undefined ? undefined : durationMs(values.for),
    untilFailure: values["until-failure"] ?? false,
    maxSeeds: wholeNumber(values["max-seeds"] ?? String(Number.MAX_SAFE_INTEGER)),
    build: values.build ?? process.env.CAMBIUM_BUILD ?? fileURLToPath(new URL("../../..", import.meta.url)),
    only: values.only === undefined ? undefined : new Set(values.only.split(",").map(wholeNumber)),
    trace: values.trace ?? false,
    json: values.json ?? false,
    shorten: values["no-shorten"] !== true,
    summary: values.summary,
    keep: values.keep,
    known: values.known ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    const text = { type: "string" } as const;
    const flag = { type: "boolean" } as const;
    return parseArgs({
      args: [...args],
      options: {
        ...{ seeds: text, seed: text, steps: text, for: text, "max-seeds": text, build: text, only: text },
        ...{
          summary: text,
          keep: text,
          "until-failure": flag,
          trace: flag,
          json: flag,
          "no-shorten": flag,
          known: flag,
        },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function range(text = DEFAULT_SEEDS): readonly [number, number] {
  const [first = "", last = first] = text.split("..");
  return [wholeNumber(first), wholeNumber(last)];
}

function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new UsageError(`"${text}" is no whole number.`);
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function durationMs(text: string): number {
  if (text === "ever") return Number.POSITIVE_INFINITY;
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)([smh])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs === undefined) throw new UsageError(`"${text}" is no time: write 90s, 20m or 2h.`);
  return Number(count) * unitMs;
}
