/**
 * What a benchmark leaves behind: a table for people, JSON for programs, and on which machine it was.
 *
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg, release, totalmem, type } from "node:os";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly os: string;
  readonly node: string;
  /** Exact versions of what the figures depend on. */
  readonly versions: Readonly<Record<string, string>>;
  /** Processes that wanted a core in the minute before: above `cores`, times say little. */
  readonly load: number;
}

const CLIENT_PACKAGE = new URL("../../packages/client/package.json", import.meta.url);
const NAMED = ["@automerge/automerge", "@automerge/automerge-repo", "ws"];

export async function machine(): Promise<Machine> {
  const { dependencies } = JSON.parse(await readFile(CLIENT_PACKAGE, "utf8")) as {
    readonly dependencies: Record<string, string>;
  };
  const [load = 0] = loadavg();
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()}`,
    node: process.version,
    versions: Object.fromEntries(NAMED.map((name) => [name, dependencies[name] ?? "?"])),
    load: Math.round(load * 10) / 10,
  };
}

export function machineLine({ cpu, cores, memoryGb, os, node, versions, load }: Machine): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [`${cpu}, ${cores} cores, ${memoryGb} GB`, os, `Node ${node}`, ...named, `load ${load}`].join(" · ");
}

/** A Markdown table whose columns line up on a terminal too; all but the first are set right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, ...[title, ...rows.map((row) => row[column] ?? "")].map(({ length }) => length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (column === 0 ? (cells[column] ?? "").padEnd(width) : (cells[column] ?? "").padStart(width))).join(" | ")} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

export async function writeJson(path: string, report: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(report, null, 2)}\n`);
}

/** With one digit where that says something. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${Math.round(bytes)} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
