/** What only a process shows: exit codes, signals, closed pipes, several writers at once. */
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Memory } from "@cambium/core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { flipStoredBit } from "./damage.js";
import { type Device, finished, Scratch, serve } from "./processes.js";

/** Each test starts several processes, and other tests want the same processors. */
vi.setConfig({ testTimeout: 120_000 });

/** What a verb shows has nothing to do with where it has the replica from. */
describe.each([
  ["off", ""],
  ["on", "[RM1] "],
] as const)("with the daemon %s", (daemon, rule) => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await Scratch.make(daemon);
  });
  afterAll(async () => {
    await scratch[Symbol.asyncDispose]();
  });

  async function deviceWithSpace(...memories: readonly string[]): Promise<Device> {
    const device = scratch.device();
    await device.json("init", "notes");
    for (const memory of memories) await device.json("remember", memory);
    return device;
  }

  test(`${rule}[CL2] exit codes and error documents come from the table`, async () => {
    const empty = scratch.device();
    const nowhere = await empty.run(["list", "--json"]);
    expect([nowhere.code, nowhere.stdout]).toEqual([3, ""]);
    expect(JSON.parse(nowhere.stderr)).toMatchObject({ error: { code: "SPACE_NOT_FOUND" } });
    expect((await empty.run(["join", "nonsense"])).code).toBe(2);
    expect((await empty.run(["list", "--nonsense"])).code).toBe(2);
    const device = await deviceWithSpace();
    expect((await device.run(["show", "0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f"])).code).toBe(3);
    expect((await device.run(["list", "--branch", "nowhere"])).code).toBe(3);
  });

  test(`${rule}[CL3] text and imports come through standard input`, async () => {
    const device = await deviceWithSpace();
    const typed = await device.run(["remember", "-", "--json"], { input: "first line\nsecond line\n" });
    expect((JSON.parse(typed.stdout) as Memory).content).toBe("first line\nsecond line");
    const markdown = "# Tea\n\nGreen in the morning.\n";
    const imported = await device.run(["import", "-", "--format", "markdown", "--json"], { input: markdown });
    expect([imported.code, JSON.parse(imported.stdout)]).toMatchObject([0, { created: 1 }]);
    const again = await device.run(["import", "-", "--format", "markdown", "--json"], { input: markdown });
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, unchanged: 1 });
  });

  test(`${rule}[CL11] writers on one home wait for each other and lose nothing`, async () => {
    const device = await deviceWithSpace();
    const texts = Array.from({ length: 5 }, (_, index) => `note ${index}`);
    await Promise.all(texts.map((text) => device.json("remember", text)));
    const { memories } = await device.json<{ memories: readonly Memory[] }>("list");
    expect(memories.map(({ content }) => content).sort()).toEqual(texts);
  });

  test(`${rule}[CL11] a reader that leaves early is no failure`, async () => {
    const device = await deviceWithSpace("one", "two");
    const child = device.start(["list"]);
    child.stdout?.destroy();
    child.stdin?.end();
    expect(await finished(child)).toMatchObject({ code: 0, stderr: "" });
  });

  test.runIf(process.platform === "linux" && daemon === "off")(
    `${rule}[CL116] output that cannot be written is a failure of every verb, on the screen or in a file`,
    async () => {
      const device = await deviceWithSpace("one");
      for (const line of [["list"], ["export"], ["log", "--json"], ["--help"], ["--version"]]) {
        const full = openSync("/dev/full", "w");
        const child = device.start(line, { stdout: full });
        child.stdin?.end();
        const { code, stderr } = await finished(child);
        closeSync(full);
        expect({ line, code }).toEqual({ line, code: 1 });
        expect(stderr).toContain(
          line.includes("--json") ? '"OUTPUT_FAILED"' : "could not be written: ENOSPC",
        );
        expect(stderr).not.toContain("report it");
      }
    },
  );

  // Through a daemon nothing outside tells when the verb has begun to wait.
  test.skipIf(daemon === "on")(
    `${rule}[CL11] Ctrl-C ends a waiting sync with 130 and no output; a timeout ends it with TIMED_OUT`,
    async () => {
      const device = scratch.device();
      await using relay = await serve(device, join(scratch.dir, "relay-that-stops"));
      await device.json("init", "team", "--relay", relay.url, "--token", relay.adminToken);
      const { port } = new URL(relay.url);
      await relay.stop("SIGTERM");
      // In its place something that takes connections and never answers.
      const silent = createServer().listen(Number(port), "127.0.0.1");
      const connected = once(silent, "connection");
      await once(silent, "listening");
      try {
        const child = device.start(["sync", "--timeout", "600"]);
        const end = finished(child);
        await connected;
        child.kill("SIGINT");
        const stderr = expect.stringMatching(/^(?:(?:Syncing|Working) …\n)*Stopped waiting: .*\n$/);
        expect(await end).toEqual({ code: 130, stdout: "", stderr });
        const timed = await device.run(["sync", "--timeout", "0.2", "--json"]);
        expect([timed.code, timed.stdout]).toEqual([1, ""]);
        expect(JSON.parse(timed.stderr)).toMatchObject({ error: { code: "TIMED_OUT" } });
      } finally {
        silent.close();
      }
    },
  );
});

let scratch: Scratch;
beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(async () => {
  await scratch[Symbol.asyncDispose]();
});

/** The log is the only thing that a relay writes there. */
const eventsOf = (stderr: string): string[] =>
  stderr
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { event: string }).event);

test("[CL13] serve keeps its token in a file, and ends well at SIGTERM and Ctrl-C", async () => {
  const data = join(scratch.dir, "relay-twice");
  const device = scratch.device();
  await using first = await serve(device, data);
  expect(first.adminToken).toMatch(/\S{16}/);
  const ended = await first.stop("SIGTERM");
  expect([ended.code, eventsOf(ended.stderr)]).toEqual([0, ["started", "stopped"]]);
  await using second = await serve(device, data);
  expect(second.adminToken).toBe(first.adminToken);
  // As a terminal and a parent process send it, each on its own.
  const again = await second.stop("SIGINT", "SIGINT");
  expect([again.code, eventsOf(again.stderr)]).toEqual([0, ["started", "stopped"]]);
});

test("[CL2] verify names damage and exits 6", async () => {
  const device = scratch.device();
  await device.json("init", "notes");
  for (const memory of ["one", "two", "three"]) await device.json("remember", memory);
  expect(await device.json("verify")).toMatchObject({ ok: true, damaged: [] });
  await flipStoredBit(join(device.home, "cambium"));
  const { code, stdout, stderr } = await device.run(["verify", "--json"]);
  expect([code, stderr]).toEqual([6, ""]);
  const altered = { reason: "altered" };
  const record = { reason: "its pack lost stored bytes" };
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, damaged: [altered, record] });
});
