import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { daemonPlace } from "../../src/daemon-client/daemon-place.js";
import { type Device, finished, Scratch } from "../cli/processes.js";

let scratch: Scratch;
let device: Device;
const children: ChildProcess[] = [];

beforeEach(async () => {
  scratch = await Scratch.make();
  device = scratch.device();
});

afterEach(async () => {
  const living = children
    .splice(0)
    .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  for (const child of living) {
    const end = finished(child);
    child.kill("SIGKILL");
    await end;
  }
  await scratch[Symbol.asyncDispose]();
});

const homeOf = (of = device): string => join(of.home, "cambium");
const placeOf = (of = device): ReturnType<typeof daemonPlace> => daemonPlace(homeOf(of));
const start = (...args: readonly string[]): ChildProcess => startOn(device, ...args);

function startOn(of: Device, ...args: readonly string[]): ChildProcess {
  const child = of.start(["daemon", "--json", ...args]);
  children.push(child);
  return child;
}

/** @returns what it printed first */
function firstLine(child: ChildProcess): Promise<{ readonly state: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly state: string }>();
  let errors = "";
  child.stdout
    ?.setEncoding("utf8")
    .once("data", (text: string) => resolve(JSON.parse(text.split("\n", 1)[0] ?? "")));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.once("close", () => reject(new Error(`It ended without a word: ${errors}`)));
  return promise;
}

interface Sent {
  readonly body?: object;
  readonly key?: string;
  readonly of?: Device;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape come through here
function call(path: string, { body, key, of }: Sent = {}): Promise<any> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const made = request({
    ...{ socketPath: placeOf(of).socket, path, method: text === undefined ? "GET" : "POST", agent: false },
    headers: {
      ...(text === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
  });
  made.on("response", (response) => {
    let answer = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      answer += chunk;
    });
    response.on("end", () => resolve(JSON.parse(answer)));
    response.on("error", reject);
  });
  made.on("error", reject).end(text);
  return promise;
}

const closed = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once("close", (code) => resolve(code)));

describe("[DM1] one daemon for one home", () => {
  test("of twenty started at once one runs; the others say so and end well", async () => {
    const started = Array.from({ length: 20 }, () => start());
    const ends = started.map(closed);
    const lines = await Promise.all(started.map(firstLine));
    expect(lines.filter(({ state }) => state === "started")).toHaveLength(1);
    expect(lines.filter(({ state }) => state === "running")).toHaveLength(19);
    const codes = await Promise.all(ends.filter((_, place) => lines[place]?.state === "running"));
    expect(codes).toEqual(Array.from({ length: 19 }, () => 0));
    const one = started[lines.findIndex(({ state }) => state === "started")];
    expect((await call("/v1/daemon")).pid).toBe(one?.pid);
  }, 120_000);

  test("a socket and a note that a killed one left behind are replaced", async () => {
    const first = start();
    await firstLine(first);
    const { instance } = await call("/v1/daemon");
    const end = closed(first);
    first.kill("SIGKILL");
    await end;
    expect([existsSync(placeOf().socket), existsSync(placeOf().note)]).toEqual([true, true]);
    const token = readFileSync(placeOf().token, "utf8");
    const second = start();
    expect((await firstLine(second)).state).toBe("started");
    const status = await call("/v1/daemon");
    expect([status.pid, status.instance === instance]).toEqual([second.pid, false]);
    expect(JSON.parse(readFileSync(placeOf().note, "utf8"))).toMatchObject({
      v: 1,
      pid: second.pid,
      url: status.url,
    });
    expect(readFileSync(placeOf().token, "utf8")).toBe(token);
  }, 60_000);

  test("a damaged note, a damaged token and a file in the socket's place are replaced", async () => {
    await device.run(["init", "notes"], { env: { CAMBIUM_DAEMON: "off" } });
    writeFileSync(placeOf().note, "{");
    writeFileSync(placeOf().token, "short");
    writeFileSync(placeOf().socket, "no socket");
    await firstLine(start());
    expect((await call("/v1/spaces")).spaces).toHaveLength(1);
    expect(readFileSync(placeOf().token, "utf8").trim()).toHaveLength(43);
  }, 60_000);

  test("a home with a long path has its socket elsewhere, in a private place", async () => {
    const home = join(device.home, "d".repeat(120));
    const child = device.start(["daemon", "--json"], { env: { CAMBIUM_HOME: home } });
    children.push(child);
    expect((await firstLine(child)).state).toBe("started");
    const { socket } = daemonPlace(home);
    expect(Buffer.byteLength(socket)).toBeLessThan(100);
    expect(existsSync(socket)).toBe(true);
    const end = closed(child);
    child.kill("SIGTERM");
    await end;
    expect(existsSync(socket)).toBe(false);
  }, 60_000);
});

describe("[DM2] the end of the process", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s: everything is on disk, and no epoch is lost",
    async (signal) => {
      await device.run(["init", "notes"], { env: { CAMBIUM_DAEMON: "off" } });
      const epochs: number[] = [];
      for (let round = 0; round < 2; round += 1) {
        const child = start();
        await firstLine(child);
        await call("/v1/spaces/~/memories", { body: { content: `round ${round}` } });
        epochs.push((await call("/v1/spaces/~/status")).replica.epoch);
        const end = closed(child);
        child.kill(signal);
        expect(await end).toBe(0);
        expect(existsSync(placeOf().socket)).toBe(false);
      }
      expect(epochs[1]).toBe(epochs[0]);
      const { stdout } = await device.run(["list", "--json"], { env: { CAMBIUM_DAEMON: "off" } });
      expect(JSON.parse(stdout).memories).toHaveLength(2);
    },
    60_000,
  );

  test("it ends by itself when nobody calls", async () => {
    const child = start("--idle-ms", "50");
    const end = closed(child);
    await firstLine(child);
    expect(await end).toBe(0);
  }, 60_000);

  /** It looks every five seconds whether it can still be found: all of them wait at once. */
  test("it ends when its home or its socket is removed, and leaves alone what was made there since", async () => {
    const [homeless, replaced, unreachable] = [device, scratch.device(), scratch.device()];
    const daemons = [homeless, replaced, unreachable].map((of) => startOn(of, "--stay"));
    const ends = daemons.map(closed);
    await Promise.all(daemons.map(firstLine));
    await call("/v1/spaces", { body: { name: "old" }, of: replaced });
    for (const of of [homeless, replaced]) await rm(homeOf(of), { recursive: true });
    await rm(placeOf(unreachable).socket);
    await firstLine(startOn(replaced, "--stay"));
    await call("/v1/spaces", { body: { name: "new" }, of: replaced });
    const { instance } = JSON.parse(readFileSync(placeOf(replaced).note, "utf8"));

    expect(await Promise.all(ends)).toEqual([0, 0, 0]);
    expect((await call("/v1/daemon", { of: replaced })).instance).toBe(instance);
    expect(JSON.parse(readFileSync(placeOf(replaced).note, "utf8")).instance).toBe(instance);
    expect(existsSync(join(homeOf(replaced), "writing"))).toBe(true);
    // Nobody could find it, and nobody else could begin.
    expect(existsSync(placeOf(unreachable).note)).toBe(false);
  }, 60_000);

  test("[DM12] restart replaces it by one that is started alike, and stop returns when it is gone", async () => {
    const first = start("--stay");
    await firstLine(first);
    const end = closed(first);
    const control = (action: string) => device.json<Record<string, unknown>>("daemon", action);
    const restarted = await control("restart");
    expect(await end).toBe(0);
    expect(restarted).toMatchObject({ state: "running", stays: true });
    expect(restarted.pid).not.toBe(first.pid);
    expect((await control("status")).pid).toBe(restarted.pid);
    expect(await control("stop")).toEqual({ state: "stopped", wasRunning: true });
    expect(existsSync(placeOf().socket)).toBe(false);
    expect(await control("stop")).toEqual({ state: "stopped", wasRunning: false });
    // In the background, and once.
    const started = await control("start");
    expect(started).toMatchObject({ state: "running", stays: false, wasRunning: false });
    expect(await control("start")).toMatchObject({ pid: started.pid, wasRunning: true });
    await control("stop");
  }, 60_000);

  test("a port that is taken is told, and leaves nothing behind", async () => {
    await firstLine(start());
    const { port } = new URL((await call("/v1/daemon")).url);
    const other = scratch.device();
    const { code, stderr } = await other.run(["daemon", "--port", port]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`The port ${port}`)]);
    expect(existsSync(join(other.home, "cambium", "daemon.sock"))).toBe(false);
  }, 60_000);
});

describe("[DM9] killed between writing and answering", () => {
  test("what was sent again is there once, whatever the moment", async () => {
    await device.run(["init", "notes"], { env: { CAMBIUM_DAEMON: "off" } });
    const contents = Array.from({ length: 40 }, (_, number) => `number ${number}`);
    const acknowledged = new Map<string, string>();
    for (const killAfter of [1, 5, 13, 40]) {
      const child = start();
      await firstLine(child);
      const end = closed(child);
      let answers = 0;
      await Promise.all(
        contents.map(async (content) => {
          try {
            const { id } = await call("/v1/spaces/~/memories", {
              body: { content },
              key: `key of ${content}`,
            });
            expect(acknowledged.get(content) ?? id).toBe(id);
            acknowledged.set(content, id);
          } catch {
            return; // killed before it could answer
          }
          answers += 1;
          if (answers === killAfter) child.kill("SIGKILL");
        }),
      );
      await end;
    }
    const { stdout } = await device.run(["list", "--json", "--limit", "1000"], {
      env: { CAMBIUM_DAEMON: "off" },
    });
    const kept = (JSON.parse(stdout) as { memories: { id: string; content: string }[] }).memories;
    expect(kept.map(({ content }) => content).sort()).toEqual([...contents].sort());
    expect(new Map(kept.map(({ id, content }) => [content, id]))).toEqual(acknowledged);
  }, 120_000);
});
