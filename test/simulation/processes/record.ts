/**
 * What a run came to, as a table in docs/reliability.md.
 *
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../../../docs/reliability.md", import.meta.url));

/** Where the page has the table, and how the run is named there. */
const PLACES = {
  processes: {
    begin: "<!-- processes: made by `node test/simulation/processes/main.ts --record` -->",
    end: "<!-- processes: end -->",
    name: "seeds with real processes",
  },
  mixed: {
    begin: "<!-- mixed: made by `node test/simulation/processes/main.ts --older <commit> --record` -->",
    end: "<!-- mixed: end -->",
    name: "seeds with replicas of an earlier version beside those of now",
  },
} as const;

export type RecordPlace = keyof typeof PLACES;

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
  "operations of the earlier version": ["operations of an earlier version"],
  "homes and relays that changed their version": [
    "change a version",
    "change the relay's version",
    "updated at the end",
  ],
};

/** @throws {Error} when the page has no place for the table */
export function record(place: RecordPlace, { seeds, failed, counts, on }: Run): void {
  const { begin: beginMark, end: endMark, name } = PLACES[place];
  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = [page.indexOf(beginMark), page.indexOf(endMark)];
  if (begin === -1 || end < begin)
    throw new Error(`docs/reliability.md lacks "${beginMark}" and "${endMark}".`);
  const rows = Object.entries(ROWS).flatMap(([row, parts]) => {
    const count = parts.reduce((sum, part) => sum + (counts[part] ?? 0), 0);
    return count === 0 ? [] : [`| ${row} | ${count} |`];
  });
  const said = `${seeds} ${name} on ${on};\n${failed} of them found something.`;
  const table = ["", said, "", "| in these seeds | |", "|---|---|", ...rows, "", ""].join("\n");
  writeFileSync(PAGE, `${page.slice(0, begin)}${beginMark}\n${table}${page.slice(end)}`);
}
