/**
 * The least that one change costs a server in Node where changes are few: what is below the figures of any relay.
 *
 * @module
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { answer } from "./server.ts";
import type { Usage } from "./usage.ts";

export const FLOOR_WORKS = [
  "pass on",
  "append to a file, sync, pass on",
  "commit to SQLite, sync, pass on",
] as const;
/** What a server does with each message. */
export type FloorWork = (typeof FLOOR_WORKS)[number];

export interface FloorFigures {
  readonly work: FloorWork;
  readonly messages: number;
  readonly cpuMs: number;
  /** The system's part of it. */
  readonly systemMs: number;
}

const SERVER = fileURLToPath(new URL("floor-process.ts", import.meta.url));
const RATE = 50;
/** About what a change of the load `1 × 50/s` has on its way. */
const MESSAGE = new Uint8Array(190);
/** Of the time, before anything is measured. */
const WARM_UP_PART = 0.4;

/** Fifty messages a second from one connection to two. */
export async function measureFloor(work: FloorWork, seconds: number): Promise<FloorFigures> {
  await using dir = await mkdtempDisposable(join(tmpdir(), "cambium-bench-floor-"));
  const child = fork(SERVER, [dir.path, work]);
  try {
    const port = Number(new URL(await answer<string>(child)).port);
    const usage = (): Promise<Usage> => {
      child.send("now");
      return answer<Usage>(child);
    };
    const [writer] = await Promise.all([opened(port), opened(port)]);
    await write(writer, seconds * WARM_UP_PART);
    const before = await usage();
    const messages = await write(writer, seconds);
    const after = await usage();
    return {
      ...{ work, messages },
      cpuMs: (after.cpuMs - before.cpuMs) / messages,
      systemMs: (after.systemMs - before.systemMs) / messages,
    };
  } finally {
    child.kill();
  }
}

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.setNoDelay(true);
  socket.on("error", () => {}); // the server is killed
  return socket.resume();
}

async function write(socket: Socket, seconds: number): Promise<number> {
  const messages = Math.round(seconds * RATE);
  for (let made = 0; made < messages; made += 1) {
    socket.write(MESSAGE);
    await delay(1_000 / RATE);
  }
  return messages;
}
