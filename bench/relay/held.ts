/**
 * Memory for each connection and each document, and what idle connections cost.
 *
 * @module
 */
import { fork } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { answer, type BenchServer, type BenchSpace } from "./server.ts";
import type { Usage } from "./usage.ts";

export interface HoldPlan {
  readonly protocol: "log" | "stock";
  readonly url: string;
  readonly spaces: readonly BenchSpace[];
  /** In each space. */
  readonly connections: number;
  /** In each space, besides the one that it begins with. */
  readonly documents: number;
}

export interface HeldFigures {
  readonly server: string;
  readonly what: "connections" | "documents";
  readonly count: number;
  readonly kbEach: number;
  /** When as many again have come: what does not grow with their number is not in it. */
  readonly kbNext: number;
  readonly rssMb: number;
  /** Of one core, while nothing happened. */
  readonly idleCpuPercent: number;
}

const HOLDER = fileURLToPath(new URL("held-process.ts", import.meta.url));
const SPACES = 20;
/** V8's young generation grows with the work of a moment, to more than 100 MB: small, so that what is held is seen. */
export const HELD_FLAGS = ["--max-semi-space-size=2"];
const QUIET_MS = 3_000;

/** @param count - of all spaces together */
export async function measureHeld(
  server: BenchServer,
  what: HeldFigures["what"],
  count: number,
): Promise<HeldFigures> {
  const each = Math.ceil(count / SPACES);
  const numbers =
    what === "connections" ? { connections: each, documents: 0 } : { connections: 1, documents: each };
  // What any server allocates for its first clients is not counted.
  using _few = await hold(server, { spaces: [await server.newSpace()], connections: 20, documents: 20 });
  const before = await server.usage("settled");
  using _held = await hold(server, { spaces: await newSpaces(server), ...numbers });
  const start = await server.usage("settled");
  await delay(QUIET_MS);
  const end = await server.usage();
  using _next = await hold(server, { spaces: await newSpaces(server), ...numbers });
  const after = await server.usage("settled");
  const kbOf = (less: Usage, more: Usage): number =>
    (more.rssBytes - less.rssBytes) / 1_024 / (each * SPACES);
  return {
    ...{ server: server.kind.name, what, count: each * SPACES },
    kbEach: kbOf(before, start),
    kbNext: kbOf(start, after),
    rssMb: start.rssBytes / 2 ** 20,
    idleCpuPercent: ((end.cpuMs - start.cpuMs) / QUIET_MS) * 100,
  };
}

async function newSpaces(server: BenchServer): Promise<BenchSpace[]> {
  const spaces: BenchSpace[] = [];
  while (spaces.length < SPACES) spaces.push(await server.newSpace());
  return spaces;
}

async function hold(
  { url, kind }: BenchServer,
  numbers: Omit<HoldPlan, "url" | "protocol">,
): Promise<Disposable> {
  const plan: HoldPlan = { url, protocol: kind.protocol, ...numbers };
  const child = fork(HOLDER, [JSON.stringify(plan)]);
  await answer(child);
  return { [Symbol.dispose]: () => void child.kill() };
}
