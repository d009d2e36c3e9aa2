/**
 * What a run came to, as a table in docs/reliability.md.
 *
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../../../docs/reliability.md", import.meta.url));
const BEGIN = "<!-- processes: made by `node test/simulation/processes/main.ts --record` -->";
const END = "<!-- processes: end -->";

export interface Run {
  readonly seeds: number;
  readonly failed: number;
  /** By what was done or happened. */
  readonly counts: Readonly<Record<string, number>>;
  readonly on: string;
}

/** In this order; whatever else was counted is left out. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  operations: ["operations"],
  "acknowledged writes": ["acknowledged"],
  "operations cut short by a kill": ["killed under way"],
  "kills of replicas": ["kill a replica"],
  "kills of the relay": ["kill the relay"],
  "lines cut, silenced or slowed": ["cut a line", "silence a line", "slow a line"],
  "homes copied": ["keep a home", "clone a home"],
  "homes set back": ["restore a home", "restore a home and its state", "restore store files"],
  "homes removed while open": ["remove a home in use"],
  "relays set back or exchanged": [
    "set the relay back",
    "set the relay back to its beginning",
    "change the relay's data",
  ],
  "logs and indexes damaged": ["damage a log", "alter an index", "delete an index"],
  "clocks set": ["set a clock"],
  "answers at fixed heads asked again": ["states asked again"],
};

/** @throws {Error} when the page has no place for the table */
export function record({ seeds, failed, counts, on }: Run): void {
  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`docs/reliability.md lacks "${BEGIN}" and "${END}".`);
  const rows = Object.entries(ROWS).map(
    ([name, parts]) => `| ${name} | ${parts.reduce((sum, part) => sum + (counts[part] ?? 0), 0)} |`,
  );
  const said = `${seeds} seeds with real processes on ${on}; ${failed} of them found something.`;
  const table = ["", said, "", "| in these seeds | |", "|---|---|", ...rows, "", ""].join("\n");
  writeFileSync(PAGE, `${page.slice(0, begin)}${BEGIN}\n${table}${page.slice(end)}`);
}
