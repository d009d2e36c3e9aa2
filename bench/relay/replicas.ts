/**
 * What people meet: how soon a change shows on another device, and after the relay was away.
 *
 * @module
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { answer, type BenchServer } from "./server.ts";

export interface ReplicasPlan {
  readonly protocol: "log" | "stock";
  readonly url: string;
  readonly adminToken: string;
  readonly dir: string;
}

/** Write and wait until the other shows it, so often; or write once, and say when it shows. */
export type ReplicasOrder = { readonly times: number; readonly gapMs: number } | { readonly write: string };

export interface ReplicaFigures {
  readonly server: string;
  /** Single changes, after a quiet while. */
  readonly shownMs: { readonly p50: number; readonly p95: number; readonly samples: number };
  /** From the moment when the relay listens again until the other device shows what was written meanwhile. */
  readonly returnedMs: readonly number[];
}

const DEVICES = fileURLToPath(new URL("replicas-process.ts", import.meta.url));
const GAP_MS = 100;
/** How long the relay is away: clients have tried to connect a few times. */
const AWAY_MS = [500, 3_000, 10_000];

export async function measureReplicas(server: BenchServer, samples: number): Promise<ReplicaFigures> {
  await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-replicas-"));
  const { url, kind, adminToken } = server;
  const plan: ReplicasPlan = { protocol: kind.protocol, url, adminToken, dir: dir.path };
  const devices = fork(DEVICES, [JSON.stringify(plan)], {
    execArgv: ["--disable-warning=TimeoutNegativeWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  try {
    await answer(devices);
    devices.send({ times: samples, gapMs: GAP_MS } satisfies ReplicasOrder);
    const shown = (await answer<number[]>(devices)).toSorted((a, b) => a - b);
    const at = (part: number): number => shown[Math.floor(part * shown.length)] ?? Number.NaN;
    const returnedMs: number[] = [];
    for (const away of AWAY_MS.slice(0, samples < 10 ? 1 : undefined)) {
      await server.kill();
      const written = answer(devices);
      devices.send({ write: `away for ${away} ms` } satisfies ReplicasOrder);
      await written;
      await delay(away);
      const shownAt = once(devices, "message");
      await server.start();
      const back = performance.timeOrigin + performance.now();
      const [moment] = (await shownAt) as [number];
      returnedMs.push(moment - back);
    }
    return { server: kind.name, shownMs: { p50: at(0.5), p95: at(0.95), samples: shown.length }, returnedMs };
  } finally {
    devices.kill();
  }
}
