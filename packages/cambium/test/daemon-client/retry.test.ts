/** Calls through a connection that breaks: answered after all, and done once. */

import { manualTimers } from "@cambium/client/host";
import { expect, test } from "vitest";
import { writeDaemonNote } from "../../src/daemon-client/daemon-note.js";
import { daemonPlace } from "../../src/daemon-client/daemon-place.js";
import { type Mood, MoodyDaemon } from "./support/moody-daemon.js";

const DROPS: readonly Mood[] = [
  "drops at once",
  "drops after reading",
  "drops after doing",
  "drops within the head",
  "drops within the body",
];

test.each(DROPS)("[RM3] a read whose connection %s is asked again", async (mood) => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  using connection = daemon.connection();
  daemon.moods = [mood, mood];
  expect(await connection.call("recall", { space: "~", query: "tea & milk" })).toMatchObject({
    memories: [],
  });
  expect(daemon.seen.at(-1)?.url).toBe("/v1/spaces/~/recall?query=tea+%26+milk");
  expect(daemon.seen.at(-1)?.headers).not.toHaveProperty("idempotency-key");
  expect(daemon.starts).toBe(0);
});

test.each(DROPS)("[RM3] a write whose connection %s is sent again under the same key", async (mood) => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  using connection = daemon.connection();
  daemon.moods = [mood, "drops after doing", mood];
  await connection.call("remember", { space: "~", content: "tea" });
  await connection.call("remember", { space: "~", content: "tea" });
  const keys = daemon.seen.map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(2);
  expect(daemon.done.size).toBe(2);
  expect(keys.every((key) => typeof key === "string" && key.length > 20)).toBe(true);
});

test("[RM3] a long call is asked again when it breaks within its events, and its progress is told", async () => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  using connection = daemon.connection();
  daemon.moods = ["drops within the events"];
  const told: number[] = [];
  const onProgress = ({ done }: { readonly done: number }): void => void told.push(done);
  expect(await connection.call("verify", { space: "~" }, { onProgress })).toMatchObject({ memories: [] });
  expect(told).toEqual([1, 1]);
  expect(daemon.done.size).toBe(1);
});

test("[RM3] nobody there: one is started, and the call waits for it", async () => {
  await using daemon = await MoodyDaemon.make();
  using connection = daemon.connection();
  await connection.call("spaces.list", {});
  expect(daemon.starts).toBeGreaterThan(0);
  await daemon.end();
  await connection.call("spaces.list", {});
  expect(daemon.seen).toHaveLength(2);
});

test.each(["is stopping", "is older"] as const)(
  "[RM3] one that %s is waited for, not started beside",
  async (mood) => {
    await using daemon = await MoodyDaemon.make();
    await daemon.listen();
    const told: string[] = [];
    using connection = daemon.connection({ onHandOver: (message) => told.push(message) });
    daemon.moods = [mood, mood, mood];
    await connection.call("remember", { space: "~", content: "tea" });
    expect(told).toHaveLength(mood === "is older" ? 1 : 0);
    expect(daemon.seen).toHaveLength(4);
    expect(daemon.done.size).toBe(1);
    expect(daemon.starts).toBe(0);
  },
);

test("[RM4] patience ends after 30 seconds, and the failure says what to do", async () => {
  await using daemon = await MoodyDaemon.make();
  using connection = daemon.connection({
    starter: { start: () => undefined, takeFailure: () => undefined, settle: () => undefined },
  });
  const began = daemon.nowMs;
  await expect(connection.call("spaces.list", {})).rejects.toMatchObject({
    code: "DAEMON_UNREACHABLE",
    hint: expect.stringContaining("CAMBIUM_DAEMON=off"),
  });
  expect(daemon.nowMs - began).toBeGreaterThanOrEqual(30_000);
  expect(daemon.nowMs - began).toBeLessThan(31_000);
});

test("[RM4] patience is for daemons out of reach: two that each worked for long before they broke use up none", async () => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  using connection = daemon.connection();
  daemon.moods = ["drops at once", "works for long, and drops", "works for long, and drops"];
  await connection.call("remember", { space: "~", content: "tea" });
  expect(daemon.done.size).toBe(1);
});

test("[RM4] a daemon that takes its time is waited for as long as it says that it is there", async () => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  const timers = manualTimers();
  using connection = daemon.connection({ timers });
  const stop = new AbortController();
  daemon.moods = ["keeps silent"];
  const asked = connection.call("recall", { space: "~", query: "tea" }, { signal: stop.signal });
  await expect.poll(() => daemon.seen.length).toBe(1);
  for (const times of [2, 3, 4]) {
    timers.advance(10_000);
    await expect.poll(() => daemon.seen.length).toBe(times);
    await expect.poll(() => timers.waitingMs()).toEqual([10_000]);
  }
  expect(daemon.seen.slice(1).map(({ url }) => url)).toEqual(Array(3).fill("/v1/daemon"));
  stop.abort();
  await expect(asked).rejects.toMatchObject({ code: "ABORTED" });
  expect(timers.waitingMs()).toEqual([]);
});

test("[RM4] a daemon that keeps its socket and answers nobody is told, with its process", async () => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  const { note } = daemonPlace(daemon.home);
  const { socket } = daemonPlace(daemon.home);
  writeDaemonNote(note, { v: 1, pid: 4711, version: "1", instance: "a", socket, url: "", startedAt: 0 });
  const timers = manualTimers();
  using connection = daemon.connection({ timers });
  daemon.moods = ["keeps silent", "keeps silent"];
  const asked = connection.call("remember", { space: "~", content: "tea" });
  const told = expect(asked).rejects.toMatchObject({
    code: "DAEMON_UNREACHABLE",
    hint: expect.stringContaining("process 4711"),
  });
  await expect.poll(() => daemon.seen.length).toBe(1);
  timers.advance(10_000);
  await expect.poll(() => daemon.seen.length).toBe(2);
  timers.advance(30_000);
  await told;
  expect(daemon.done.size).toBe(0);
});

test("[RM4] a call that ends every daemon it is given to is given up", async () => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  using connection = daemon.connection();
  daemon.moods = Array<Mood>(100).fill("drops after reading");
  await expect(connection.call("spaces.list", {})).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE" });
  expect(daemon.seen.length).toBeLessThan(12);
});

test("[RM4] without leave to start one, its absence is told at once", async () => {
  await using daemon = await MoodyDaemon.make();
  using connection = daemon.connection({ start: false });
  await expect(connection.call("spaces.list", {})).rejects.toMatchObject({
    code: "DAEMON_UNREACHABLE",
    hint: "Start it with `cambium daemon`.",
  });
  expect(daemon.starts).toBe(0);
});

test("[RM4] whatever speaks no JSON there is no daemon", async () => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  using connection = daemon.connection();
  daemon.moods = ["answers no JSON"];
  await expect(connection.call("spaces.list", {})).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE" });
});

test("[RM5] a call that its caller stops is not made again, whatever it waits for", async () => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  using connection = daemon.connection();
  daemon.moods = ["keeps silent"];
  const stop = new AbortController();
  const asked = connection.call("recall", { space: "~", query: "tea" }, { signal: stop.signal });
  await expect.poll(() => daemon.seen.length).toBe(1);
  stop.abort("enough");
  await expect(asked).rejects.toMatchObject({ code: "ABORTED", cause: "enough" });
  await expect(connection.call("spaces.list", {}, { signal: stop.signal })).rejects.toMatchObject({
    code: "ABORTED",
  });
  expect(daemon.seen).toHaveLength(1);

  daemon.moods = Array<Mood>(1_000).fill("is stopping");
  const again = new AbortController();
  const waiting = connection.call("spaces.list", {}, { signal: again.signal });
  await expect.poll(() => daemon.seen.length).toBeGreaterThan(3);
  again.abort();
  await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
});

test("[RM5] after it was closed nothing is called", async () => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  const connection = daemon.connection();
  await connection.call("spaces.list", {});
  connection[Symbol.dispose]();
  await expect(connection.call("spaces.list", {})).rejects.toMatchObject({ code: "REPLICA_CLOSED" });
});

test("[RM6] who calls, and in what words, stands in the headers", async () => {
  await using daemon = await MoodyDaemon.make();
  await daemon.listen();
  using connection = daemon.connection({ env: { CAMBIUM_SUMMARIES_URL: "http://localhost:1" } });
  const identity = { agent: "claude-code", session: "é/1 2", role: "agent" } as const;
  await connection.call("remember", { space: "my notes/1", content: "x" }, { identity, confirmed: "yes" });
  const [seen] = daemon.seen;
  expect(seen?.url).toBe("/v1/spaces/my%20notes%2F1/memories");
  expect(seen?.headers).toMatchObject({
    "cambium-agent": "claude-code",
    "cambium-session": "%C3%A9%2F1%202",
    "cambium-role": "agent",
    "cambium-confirmed": "yes",
    "cambium-client": "1.2.3",
    "cambium-models": expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(seen?.headers).not.toHaveProperty("origin");
});
