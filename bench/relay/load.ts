/**
 * A load on a server: writers and subscribers in one process, observers in another, and what the server used meanwhile.
 *
 * @module
 */
import { type ChildProcess, fork } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { answer, type BenchServer, type BenchSpace } from "./server.ts";

/** A change, by how its hash begins, and milliseconds on the clock of the machine. */
export type Moment = readonly [change: number, ms: number];

export interface LoadShape {
  readonly name: string;
  readonly spaces: number;
  /** In each space. */
  readonly writers: number;
  /** Changes a second of each writer. */
  readonly rate: number;
  /** In each space, besides writers and observer. */
  readonly subscribers: number;
}

/** What a process of clients is told. */
export interface LoadPlan {
  readonly role: "writers" | "observers";
  readonly protocol: "log" | "stock";
  readonly url: string;
  readonly spaces: readonly BenchSpace[];
  readonly writers: number;
  readonly rate: number;
  readonly subscribers: number;
}

/** Write for so many seconds, or wait until so many changes were seen. Either says what happened since the last. */
export type Order = { readonly write: number } | { readonly count: number; readonly ms: number };

export interface LoadReport {
  /** When each change was made, or seen. */
  readonly moments: readonly Moment[];
  readonly cpuMs: number;
}

export interface LoadFigures {
  readonly shape: string;
  readonly server: string;
  readonly written: number;
  readonly seen: number;
  /** Of the relay, for each change that its observer saw. */
  readonly cpuMsPerChange: number;
  /** The system's part of it: sockets, and writing to disk. */
  readonly systemMsPerChange: number;
  /** From the making of a change until an observer had it. */
  readonly sightMs: { readonly p50: number; readonly p95: number; readonly p99: number };
  /** From the last change until the observers had all; undefined when they had not in time. */
  readonly lagMs: number | undefined;
  readonly rssMb: number;
  /** CPU of the clients, for each change written. */
  readonly clientCpuMsPerChange: number;
  readonly load: number;
}

const CLIENTS = fileURLToPath(new URL("load-process.ts", import.meta.url));
/** How long observers may take after the last change. */
const MOST_LAG_MS = 10_000;
/** Of the time, before anything is measured: a relay runs for longer than its code takes to be compiled. */
const WARM_UP_PART = 0.4;

export async function measureLoad(
  server: BenchServer,
  shape: LoadShape,
  seconds: number,
): Promise<LoadFigures> {
  const spaces: BenchSpace[] = [];
  for (let space = 0; space < shape.spaces; space += 1) spaces.push(await server.newSpace());
  const { writers, rate, subscribers } = shape;
  const plan = { protocol: server.kind.protocol, url: server.url, spaces, writers, rate, subscribers };
  using writing = await startClients({ ...plan, role: "writers" });
  using observing = await startClients({ ...plan, role: "observers" });
  const warmUp = await writing.order({ write: seconds * WARM_UP_PART });
  await observing.order({ count: warmUp.moments.length, ms: MOST_LAG_MS });
  const before = await server.usage();
  const written = await writing.order({ write: seconds });
  const seen = await observing.order({ count: written.moments.length, ms: MOST_LAG_MS });
  const after = await server.usage();
  const madeAt = new Map(written.moments);
  const sights = seen.moments.flatMap(([change, ms]) => {
    const made = madeAt.get(change);
    return made === undefined ? [] : [ms - made];
  });
  const last = Math.max(...madeAt.values());
  const isComplete = sights.length >= madeAt.size;
  return {
    ...{ shape: shape.name, server: server.kind.name, written: madeAt.size, seen: sights.length },
    cpuMsPerChange: (after.cpuMs - before.cpuMs) / sights.length,
    systemMsPerChange: (after.systemMs - before.systemMs) / sights.length,
    sightMs: spread(sights),
    lagMs: isComplete ? Math.max(0, Math.max(...seen.moments.map(([, ms]) => ms)) - last) : undefined,
    rssMb: after.rssBytes / 2 ** 20,
    clientCpuMsPerChange: (written.cpuMs - warmUp.cpuMs) / madeAt.size,
    load: loadavg()[0] ?? 0,
  };
}

function spread(values: readonly number[]): LoadFigures["sightMs"] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor(part * sorted.length)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

interface Clients extends Disposable {
  order(order: Order): Promise<LoadReport>;
}

async function startClients(plan: LoadPlan): Promise<Clients> {
  const child: ChildProcess = fork(CLIENTS, [JSON.stringify(plan)], { serialization: "advanced" });
  await answer(child);
  return {
    order: (order) => {
      child.send(order);
      return answer<LoadReport>(child);
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
