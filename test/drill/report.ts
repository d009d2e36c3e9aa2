/**
 * What the drill found, as JSON beside it and as a table in docs/reliability.md.
 *
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FAULTS } from "./faults.ts";
import type { Outcome } from "./try-fault.ts";

const RESULTS = fileURLToPath(new URL("results.json", import.meta.url));
const PAGE = fileURLToPath(new URL("../../docs/reliability.md", import.meta.url));
const BEGIN = "<!-- drill: made by `node test/drill/main.ts` -->";
const END = "<!-- drill: end -->";

export interface Results {
  /** The day of the newest outcome. */
  readonly on: string;
  readonly maxSeeds: number;
  readonly outcomes: readonly Outcome[];
}

export const readResults = (): Results => JSON.parse(readFileSync(RESULTS, "utf8")) as Results;

/** Keeps the outcomes, in the place of earlier ones of the same faults. */
export function keepResults(outcomes: readonly Outcome[], maxSeeds: number, on: string): Results {
  const known = new Map(readResults().outcomes.map((outcome) => [outcome.name, outcome]));
  for (const outcome of outcomes) known.set(outcome.name, outcome);
  const kept = FAULTS.flatMap(({ name }) => known.get(name) ?? []);
  const results = { on, maxSeeds, outcomes: kept };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE, withTable(readFileSync(PAGE, "utf8"), results));
  return results;
}

/** @throws {Error} when the page has no place for the table */
export function withTable(page: string, results: Results): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`docs/reliability.md lacks "${BEGIN}" and "${END}".`);
  return `${page.slice(0, begin)}${BEGIN}\n${tableOf(results)}\n${page.slice(end)}`;
}

function tableOf({ on, outcomes }: Results): string {
  const found = outcomes.filter((outcome) => outcome.found).length;
  const rows = [...outcomes].map(
    ({ name, rule, description, seeds, checker, seconds }) =>
      `| \`${name}\` | ${rule} | ${description} | ${checker ?? "**not found**"} | ${seeds} | ${seconds} s |`,
  );
  return [
    "",
    `${found} of ${outcomes.length} faults were found, ${FAULTS.length - outcomes.length} more are still to be tried. Last run: ${on}.`,
    "",
    "| fault | breaks | what is wrong | found by | seeds | time |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
