/**
 * The peers side by side: medians, ratios, who is ahead where, and which aims that misses.
 *
 * @module
 */
import { bytesText, table } from "../support/report.ts";
import { msText } from "../support/statistics.ts";
import type { PeerReport } from "./measure.ts";
import { OPERATION_TITLES, type Operations, type PeerName } from "./peer.ts";

type Row = keyof Operations | "disk";

const ROWS: Readonly<Record<Row, string>> = { ...OPERATION_TITLES, disk: "disk, every version" };
const ROW_NAMES = Object.keys(ROWS) as readonly Row[];
const OURS: PeerName = "cambium";
const YARDSTICK: PeerName = "event-log";
/** How far the yardstick may be ahead, and where it may not be at all. */
const YARDSTICK_LEAD = 3;
const AHEAD_OF_YARDSTICK: readonly Row[] = ["stateAt", "diff", "merge", "disk"];

interface Figure {
  readonly way: string;
  readonly value: number;
  readonly text: string;
  readonly p95?: string;
  readonly samples?: number;
  readonly partial?: string | undefined;
}

export function medianTable(peers: readonly PeerReport[]): string {
  return table(
    ["", ...peers.map(({ name }) => name)],
    ROW_NAMES.map((row) => [ROWS[row], ...peers.map((peer) => best(peer, row)?.text ?? "–")]),
  );
}

/** @returns nothing where Cambium was not measured */
export function ratioTable(peers: readonly PeerReport[]): string | undefined {
  const ours = peers.find(({ name }) => name === OURS);
  if (ours === undefined) return undefined;
  const others = peers.filter((peer) => peer !== ours);
  return table(
    ["", ...others.map(({ name }) => name), "ahead"],
    ROW_NAMES.map((row) => [
      ROWS[row],
      ...others.map((peer) => ratioText(ratio(peer, ours, row))),
      peers.reduce((first, peer) => (bestOf(peer, row) < bestOf(first, row) ? peer : first), ours).name,
    ]),
  );
}

/** Every way of every peer, those that answer less included. */
export function wayTable(peers: readonly PeerReport[]): string {
  const ours = peers.find(({ name }) => name === OURS);
  const rows = peers.flatMap((peer) =>
    ROW_NAMES.flatMap((row) =>
      figures(peer, row).map(({ way, value, text, p95, samples, partial }) => [
        `${ROWS[row]}, ${peer.name}: ${way}`,
        text,
        p95 ?? "–",
        samples === undefined ? "–" : String(samples),
        ratioText(ours && value / bestOf(ours, row)),
        partial ?? "",
      ]),
    ),
  );
  return table(["", "median", "p95", "samples", "over Cambium", "lacks"], rows);
}

/** One line for each aim that is missed, or one that says none is. */
export function missedAims(peers: readonly PeerReport[]): readonly string[] {
  const ours = peers.find(({ name }) => name === OURS);
  if (ours === undefined) return [];
  const missed = peers
    .filter((peer) => peer !== ours)
    .flatMap((peer) =>
      ROW_NAMES.flatMap((row) => {
        const measured = ratio(peer, ours, row);
        const mayLead = peer.name === YARDSTICK && !AHEAD_OF_YARDSTICK.includes(row);
        if (measured === undefined || measured >= (mayLead ? 1 / YARDSTICK_LEAD : 1)) return [];
        return [`Missed: ${ROWS[row]}, ${peer.name} is ${msText(1 / measured)} times ahead.`];
      }),
    );
  return missed.length > 0 ? missed : ["Every aim is met."];
}

/** The quickest whole one, or the smallest. */
function best(peer: PeerReport, row: Row): Figure | undefined {
  return figures(peer, row)
    .filter(({ partial }) => partial === undefined)
    .toSorted((a, b) => a.value - b.value)[0];
}

function figures({ operations, disk }: PeerReport, row: Row): readonly Figure[] {
  if (row === "disk") {
    return disk.map(({ name, bytes, partial }) => ({
      way: name,
      value: bytes,
      text: bytesText(bytes),
      partial,
    }));
  }
  const ways = operations[row];
  if ("reason" in ways) return [];
  return ways.map(({ way, partial, p50, p95, samples }) => ({
    way,
    value: p50,
    text: durationText(p50),
    p95: durationText(p95),
    samples,
    partial,
  }));
}

const bestOf = (peer: PeerReport, row: Row): number => best(peer, row)?.value ?? Number.POSITIVE_INFINITY;

function ratio(peer: PeerReport, ours: PeerReport, row: Row): number | undefined {
  const [theirs, mine] = [best(peer, row), best(ours, row)];
  return theirs && mine && theirs.value / mine.value;
}

/** Some reads take microseconds. */
const durationText = (ms: number): string => `${ms < 0.1 ? ms.toPrecision(2) : msText(ms)} ms`;

const ratioText = (value: number | undefined): string =>
  value === undefined ? "–" : `${value < 0.1 ? value.toPrecision(1) : msText(value)} ×`;
