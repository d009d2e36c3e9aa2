/**
 * A long document for the first time: to the server, and from there to another device.
 *
 * @module
 */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { answer, type BenchServer, type BenchSpace } from "./server.ts";

export interface FirstSyncPlan {
  readonly protocol: "log" | "stock";
  readonly url: string;
  readonly space: BenchSpace;
  readonly changes: number;
}

export interface Transfer {
  readonly ms: number;
  readonly clientCpuMs: number;
}

export interface FirstSyncFigures {
  readonly server: string;
  readonly changes: number;
  readonly up: Transfer & { readonly serverCpuMs: number };
  readonly down: Transfer & { readonly serverCpuMs: number };
}

const DEVICES = fileURLToPath(new URL("first-sync-process.ts", import.meta.url));

export async function measureFirstSync(server: BenchServer, changes: number): Promise<FirstSyncFigures> {
  const { url, kind } = server;
  const space = await server.newSpace();
  const plan: FirstSyncPlan = { protocol: kind.protocol, url, space, changes };
  const devices = fork(DEVICES, [JSON.stringify(plan)], { execArgv: ["--max-old-space-size=4096"] });
  await answer(devices);
  const measured = async (order: "up" | "down"): Promise<FirstSyncFigures["up"]> => {
    const before = await server.usage();
    devices.send(order);
    const transfer = await answer<Transfer>(devices);
    const after = await server.usage();
    return { ...transfer, serverCpuMs: after.cpuMs - before.cpuMs };
  };
  try {
    const up = await measured("up");
    return { server: kind.name, changes, up, down: await measured("down") };
  } finally {
    devices.kill();
  }
}
