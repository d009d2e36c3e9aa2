/**
 * The figures of the relay for people.
 *
 * @module
 */
import { table } from "../support/report.ts";
import { msText } from "../support/statistics.ts";
import type { FirstSyncFigures } from "./first-sync.ts";
import type { FloorFigures } from "./floor.ts";
import type { HeldFigures } from "./held.ts";
import type { LoadFigures } from "./load.ts";
import type { ReplicaFigures } from "./replicas.ts";

export interface RelayFigures {
  readonly load: LoadFigures[];
  readonly floor: FloorFigures[];
  readonly firstSync: FirstSyncFigures[];
  readonly held: HeldFigures[];
  readonly replicas: ReplicaFigures[];
  /** What a server did not come to an end with. */
  readonly unanswered: { readonly what: string; readonly server: string; readonly reason: string }[];
}

const mb = (value: number): string => `${value.toFixed(0)} MB`;
const ms = (value: number): string => (Number.isFinite(value) ? `${msText(value)} ms` : "–");

export function shownFigures(figures: RelayFigures): string {
  const tables = [
    loadTable(figures.load),
    table(
      ["the least a server does, 50/s", "CPU of each", "of the system"],
      figures.floor.map(({ work, cpuMs, systemMs }) => [work, ms(cpuMs), ms(systemMs)]),
    ),
    table(
      ["first sync", "server", "up", "CPU of server", "of client", "down", "CPU of server", "of client"],
      figures.firstSync.map(({ changes, server, up, down }) => [
        `${changes} changes`,
        server,
        ...[up, down].flatMap((transfer) =>
          [transfer.ms, transfer.serverCpuMs, transfer.clientCpuMs].map(ms),
        ),
      ]),
    ),
    table(
      ["held", "server", "memory of each", "of as many again", "memory in all", "CPU when idle"],
      figures.held.map(({ what, count, server, kbEach, kbNext, rssMb, idleCpuPercent }) => [
        `${count} ${what}`,
        server,
        ...[kbEach, kbNext].map((kb) => `${kb.toFixed(1)} kB`),
        mb(rssMb),
        `${idleCpuPercent.toFixed(1)} %`,
      ]),
    ),
    table(
      ["two replicas", "shown p50", "p95", "samples", "after the server was away"],
      figures.replicas.map(({ server, shownMs: { p50, p95, samples }, returnedMs }) => [
        server,
        ...[p50, p95].map(ms),
        String(samples),
        returnedMs.map(ms).join(", "),
      ]),
    ),
  ];
  const rows = [figures.load, figures.floor, figures.firstSync, figures.held, figures.replicas];
  const unanswered = figures.unanswered.map(({ what, server, reason }) => `${what}, ${server}: ${reason}`);
  return [...tables.filter((_, index) => rows[index]?.length !== 0), ...unanswered].join("\n\n");
}

function loadTable(figures: readonly LoadFigures[]): string {
  const [ours] = figures;
  const cpuOf = (shape: string): number =>
    figures.find((other) => other.shape === shape && other.server === ours?.server)?.cpuMsPerChange ??
    Number.NaN;
  return table(
    [
      "one document or more",
      "server",
      "CPU per change seen",
      "over cambium",
      "sight p50",
      "p95",
      "p99",
      "lag",
      "seen",
      "memory",
    ],
    figures.map(({ shape, server, cpuMsPerChange, sightMs, lagMs, seen, written, rssMb }) => [
      shape,
      server,
      ms(cpuMsPerChange),
      Number.isFinite(cpuMsPerChange) ? `${(cpuMsPerChange / cpuOf(shape)).toFixed(1)} ×` : "–",
      ...[sightMs.p50, sightMs.p95, sightMs.p99].map(ms),
      lagMs === undefined ? "not in time" : ms(lagMs),
      `${seen} of ${written}`,
      mb(rssMb),
    ]),
  );
}
