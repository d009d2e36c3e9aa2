/**
 * The tables of the benchmark of short memories.
 *
 * @module
 */
import { bytesText, table } from "../support/report.ts";
import type { FileBytes } from "./home-bytes.ts";
import type { WorkloadName } from "./workloads.ts";

export interface Measured {
  readonly name: WorkloadName;
  readonly title: string;
  readonly memories: number;
  readonly versions: number;
  readonly contentBytes: number;
  readonly currentBytes: number;
  readonly files: readonly FileBytes[];
  /** All files of each. */
  readonly peers: Readonly<Record<string, number>>;
  /** All files of the home after retention. */
  readonly pruned?: { readonly preset: string; readonly bytes: number };
}

/** Below this part of a home in every workload, a table is not named. */
const LEAST_PART = 0.005;
const PARTS = ["store", "index", "audit log", "other"] as const;

export function sizeTable(measured: readonly Measured[]): string {
  const peers = Object.keys(measured[0]?.peers ?? {});
  return table(
    ["workload", "content", "Cambium", "of content", ...peers],
    measured.flatMap((workload) => {
      const { title, memories, contentBytes, currentBytes, files, peers: sizes, pruned } = workload;
      const each = (bytes: number): string => bytesText(bytes / memories);
      const row = (name: string, content: number, bytes: number, others: readonly string[]) => [
        ...[name, each(content), each(bytes), `${(bytes / content).toFixed(2)} ×`],
        ...others,
      ];
      const all = row(
        title,
        contentBytes,
        sumOf(files),
        peers.map((peer) => each(sizes[peer] ?? 0)),
      );
      if (pruned === undefined) return [all];
      const name = `… a year later, ${pruned.preset}`;
      return [
        all,
        row(
          name,
          currentBytes,
          pruned.bytes,
          peers.map(() => "–"),
        ),
      ];
    }),
  );
}

export function fileTable(measured: readonly Measured[]): string {
  return table(
    ["part", ...measured.map(({ title }) => title)],
    [
      ...PARTS.map((part) => [
        part,
        ...measured.map(({ files, versions }) =>
          bytesText(sumOf(files.filter((file) => file.part === part)) / versions),
        ),
      ]),
      ["all", ...measured.map(({ files, versions }) => bytesText(sumOf(files) / versions))],
    ],
  );
}

export function tableTable(measured: readonly Measured[]): string {
  const sizes = measured.map(tablesOf);
  const names = [...new Set(sizes.flatMap((bytes) => [...bytes.keys()]))].filter((name) =>
    measured.some(({ files }, index) => (sizes[index]?.get(name) ?? 0) > LEAST_PART * sumOf(files)),
  );
  const rows = names.map((name) => [
    name,
    ...measured.map(({ versions }, index) => bytesText((sizes[index]?.get(name) ?? 0) / versions)),
  ]);
  return table(["table", ...measured.map(({ title }) => title)], rows.toSorted());
}

/** With the part it belongs to. */
function tablesOf({ files }: Measured): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { part, tables } of files) {
    for (const { name, bytes } of tables) {
      const key = `${part}: ${name}`;
      sizes.set(key, (sizes.get(key) ?? 0) + bytes);
    }
  }
  return sizes;
}

const sumOf = (files: readonly FileBytes[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);
