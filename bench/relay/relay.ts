/**
 * The relay under load, beside the stock server of automerge-repo in the same run.
 *
 * @module
 */
import { loadavg } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machine, machineLine, writeJson } from "../support/report.ts";
import { UsageError } from "../support/usage-error.ts";
import { measureFirstSync } from "./first-sync.ts";
import { FLOOR_WORKS, measureFloor } from "./floor.ts";
import { HELD_FLAGS, measureHeld } from "./held.ts";
import { type LoadShape, measureLoad } from "./load.ts";
import { measureReplicas } from "./replicas.ts";
import { BenchServer, type ServerKind, Unanswered } from "./server.ts";
import { type RelayFigures, shownFigures } from "./tables.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PARTS = ["load", "floor", "first-sync", "held", "replicas"] as const;
type Part = (typeof PARTS)[number];

const one = (writers: number, rate: number, subscribers = 0): LoadShape => ({
  name: `${writers} × ${rate}/s${subscribers === 0 ? "" : `, ${subscribers} subscribers`}`,
  ...{ spaces: 1, writers, rate, subscribers },
});
const inSpaces = (spaces: number): LoadShape => ({
  name: `${spaces} spaces, 200/s in all`,
  ...{ spaces, writers: 1, rate: 200 / spaces, subscribers: 0 },
});

/** How much of everything. */
const SIZES = {
  full: {
    seconds: 5,
    shapes: [
      one(1, 50),
      one(10, 50),
      one(50, 10),
      one(100, 20),
      one(5, 2, 200),
      one(5, 2, 1_000),
      inSpaces(8),
      inSpaces(32),
    ],
    ...{ changes: 30_000, connections: 2_000, documents: 5_000, samples: 60 },
  },
  quick: {
    seconds: 0.5,
    shapes: [one(2, 20, 3), inSpaces(2)],
    ...{ changes: 200, connections: 40, documents: 40, samples: 3 },
  },
} as const;

export async function relay(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", default: PARTS.join(",") },
      against: { type: "string" },
      json: { type: "string" },
    },
  });
  const parts = new Set(values.only.split(",").map(partOf));
  const size = SIZES[values.quick ? "quick" : "full"];
  const kinds: ServerKind[] = [{ name: "cambium", protocol: "log", build: ROOT }];
  if (values.against !== undefined)
    kinds.push({ name: "other build", protocol: "log", build: resolve(values.against) });
  kinds.push({ name: "stock", protocol: "stock", build: ROOT });
  const on = await machine();
  const figures = await measureAll(kinds, parts, size);
  console.log(`relay${values.quick ? ", quick" : ""}\n${machineLine(on)}\n\n${shownFigures(figures)}`);
  const [loadAtEnd = 0] = loadavg();
  if (values.json !== undefined)
    await writeJson(values.json, {
      benchmark: "relay",
      quick: values.quick,
      machine: on,
      loadAtEnd,
      ...figures,
    });
  return 0;
}

function partOf(name: string): Part {
  const part = PARTS.find((known) => known === name);
  if (part === undefined) throw new UsageError(`--only takes ${PARTS.join(", ")}.`);
  return part;
}

async function measureAll(
  kinds: readonly ServerKind[],
  parts: ReadonlySet<Part>,
  size: (typeof SIZES)["full" | "quick"],
): Promise<RelayFigures> {
  const figures: RelayFigures = {
    ...{ load: [], floor: [], firstSync: [], held: [], replicas: [] },
    unanswered: [],
  };
  const each = async <Figures>(
    into: Figures[],
    what: string,
    measure: (server: BenchServer) => Promise<Figures>,
    flags?: readonly string[],
  ): Promise<void> => {
    for (const kind of kinds) {
      console.error(`${what}, ${kind.name} …`);
      try {
        into.push(await BenchServer.with(kind, measure, flags));
      } catch (error) {
        if (!(error instanceof Unanswered) || kind.protocol !== "stock") throw error;
        figures.unanswered.push({ what, server: kind.name, reason: error.message });
      }
    }
  };
  if (parts.has("load"))
    for (const shape of size.shapes)
      await each(figures.load, shape.name, (server) => measureLoad(server, shape, size.seconds));
  if (parts.has("floor"))
    for (const work of FLOOR_WORKS) figures.floor.push(await measureFloor(work, size.seconds));
  if (parts.has("first-sync"))
    await each(figures.firstSync, "first sync", (server) => measureFirstSync(server, size.changes));
  if (parts.has("held")) {
    for (const what of ["connections", "documents"] as const)
      await each(figures.held, what, (server) => measureHeld(server, what, size[what]), HELD_FLAGS);
  }
  if (parts.has("replicas"))
    await each(figures.replicas, "replicas", (server) => measureReplicas(server, size.samples));
  return figures;
}
