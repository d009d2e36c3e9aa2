import { existsSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { CambiumError, type Progress, type Space, type VerifyResult } from "@cambium/client";
import { manualTimers } from "@cambium/client/host";
import { describe, expect, test } from "vitest";
import { Activity } from "../../src/daemon/activity.js";
import { EventReader, startDaemon, startWithSpace, type TestDaemon } from "./support/daemon.js";
import { fakeReplica, withSpace } from "./support/fake-replica.js";

const IDLE_MS = 600_000;

/** Lets promises that are ready run. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const hasEnded = async ({ daemon }: TestDaemon): Promise<boolean> => {
  await settle();
  return await Promise.race([daemon.ended.then(() => true), settle().then(() => false)]);
};

describe("[DM2] when the daemon ends", () => {
  test("after a while without a call; each call begins that while anew", async () => {
    const timers = manualTimers();
    await using running = await startDaemon({ timers, idleMs: IDLE_MS });
    timers.advance(IDLE_MS - 1);
    expect((await running.call("/v1/daemon")).json.stays).toBe(false);
    timers.advance(IDLE_MS - 1);
    expect(await hasEnded(running)).toBe(false);
    timers.advance(1);
    await running.daemon.ended;
    expect(existsSync(running.socket)).toBe(false);
  });

  test("not while somebody watches", async () => {
    const timers = manualTimers();
    await using running = await startWithSpace({ timers, idleMs: IDLE_MS });
    const { response } = running.open("/v1/spaces/~/events");
    {
      await using _watching = new EventReader(await response);
      timers.advance(3 * IDLE_MS);
      expect(await hasEnded(running)).toBe(false);
    }
    await settle();
    timers.advance(IDLE_MS);
    await running.daemon.ended;
  });

  test("not while there is something to send to a relay that is there", async () => {
    const timers = manualTimers();
    const relay = { state: "pending", pending: 1 };
    const sync = { status: async () => ({ relay }) } as unknown as Space["sync"];
    await using running = await startDaemon({ timers, idleMs: IDLE_MS, ...withSpace({ sync }) });
    await running.call("/v1/spaces/notes/sync");
    timers.advance(IDLE_MS);
    expect(await hasEnded(running)).toBe(false);
    relay.state = "offline";
    timers.advance(IDLE_MS);
    await running.daemon.ended;
  });

  test("when something could not be stored: it shows more than is stored, and stores nothing any more", async () => {
    const full = new CambiumError("STORE_FAILED", "The store could not write to its disk.");
    await using running = await startDaemon({
      checkResponse: undefined,
      openReplica: async ({ onStoreFailed }) => {
        const remember = async () => {
          onStoreFailed(full);
          throw full;
        };
        return fakeReplica({ agent: { remember } });
      },
    });
    const { status, json } = await running.call("/v1/spaces/notes/memories", { body: { content: "tea" } });
    expect([status, json.error.code]).toEqual([500, "STORE_FAILED"]);
    await running.daemon.ended;
  });

  test("not when a call begins while it looks whether something is pending", async () => {
    const timers = manualTimers();
    const looking = Promise.withResolvers<boolean>();
    let ends = 0;
    const onIdle = () => {
      ends += 1;
    };
    const activity = new Activity({ timers, idleMs: IDLE_MS, isBusy: () => looking.promise, onIdle });
    timers.advance(IDLE_MS);
    const isOver = activity.begin();
    looking.resolve(false);
    await settle();
    expect(ends).toBe(0);
    isOver();
    timers.advance(IDLE_MS);
    await settle();
    expect(ends).toBe(1);
  });

  test("when it is told to, and then lets go of its files", async () => {
    await using running = await startDaemon();
    expect((await running.call("/v1/daemon/stop", { method: "POST" })).status).toBe(200);
    await running.daemon.ended;
    expect([existsSync(running.socket), existsSync(`${running.home}/daemon.json`)]).toEqual([false, false]);
    expect(existsSync(`${running.home}/daemon.token`)).toBe(true);
  });

  test("it finishes what is under way, and refuses what comes then", async () => {
    const going = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const agent = {
      remember: async () => {
        begun.resolve();
        await going.promise;
        return { id: "m" };
      },
    };
    await using running = await startDaemon(withSpace({ agent }));
    const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await over(keepAlive, running);
    expect(first).toBe(200);
    const write = running.call("/v1/spaces/notes/memories", { body: { content: "x" } });
    await begun.promise;
    const { response: stream } = running.open("/v1/spaces/notes/events");
    const watching = new EventReader(await stream);
    running.daemon.stop("of the test");
    await watching.ended();
    await expect(running.call("/v1/daemon")).rejects.toThrow(/ENOENT|ECONNREFUSED/);
    going.resolve();
    expect((await write).status).toBe(200);
    await running.daemon.ended;
    keepAlive.destroy();
  });

  test("a connection that was open already hears why it is refused", async () => {
    const going = Promise.withResolvers<object>();
    const begun = Promise.withResolvers<void>();
    const get = () => {
      begun.resolve();
      return going.promise as never;
    };
    await using running = await startDaemon(withSpace({ get }));
    const late = connect(running.socket);
    // Half a request: the daemon has taken the connection, and waits for the rest.
    late.write("GET /v1/daemon HTTP/1.1\r\nHost: x\r\n");
    const pending = running.call("/v1/spaces/notes/memories/m");
    await begun.promise;
    running.daemon.stop("of the test");
    late.write("\r\n");
    let text = "";
    for await (const chunk of late) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 503 [\s\S]*DAEMON_STOPPING/);
    going.resolve({ id: "m" });
    expect((await pending).status).toBe(200);
    await running.daemon.ended;
  });

  test.each([
    ["text/event-stream", 200],
    ["application/json", 503],
  ])(
    "what does not come to an end is stopped after ten seconds, and told why (%s)",
    async (accept, status) => {
      const timers = manualTimers();
      const begun = Promise.withResolvers<void>();
      const verify: Space["verify"] = ({ signal, onProgress } = {}) => {
        begun.resolve();
        onProgress?.({ stage: "chunks", done: 0, total: 1 });
        const { promise, reject } = Promise.withResolvers<VerifyResult>();
        signal?.addEventListener("abort", () => reject(new CambiumError("ABORTED", "Stopped.")));
        return promise;
      };
      await using running = await startDaemon({ timers, ...withSpace({ verify }) });
      const waiting = running.call("/v1/spaces/notes/verify", { method: "POST", headers: { accept } });
      await begun.promise;
      running.daemon.stop("of the test");
      timers.advance(9_999);
      expect(await hasEnded(running)).toBe(false);
      timers.advance(1);
      const answer = await waiting;
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining("DAEMON_STOPPING")]);
      await running.daemon.ended;
    },
  );

  test.each(["text/event-stream", "application/json"])(
    "what only waits is told at once (%s)",
    async (accept) => {
      const begun = Promise.withResolvers<void>();
      const sync = {
        whenSynced: ({ signal }: { readonly signal: AbortSignal }) => {
          begun.resolve();
          const { promise, reject } = Promise.withResolvers<void>();
          signal.addEventListener("abort", () => reject(new CambiumError("ABORTED", "Stopped.")));
          return promise;
        },
      } as unknown as Space["sync"];
      await using running = await startDaemon({ timers: manualTimers(), ...withSpace({ sync }) });
      const waiting = running.call("/v1/spaces/notes/sync/wait", { method: "POST", headers: { accept } });
      await begun.promise;
      running.daemon.stop("of the test");
      expect((await waiting).text).toContain("DAEMON_STOPPING");
      await running.daemon.ended;
    },
  );

  test("what cannot be stopped is left after two more", async () => {
    const timers = manualTimers();
    const begun = Promise.withResolvers<void>();
    const agent = {
      remember: () => {
        begun.resolve();
        return new Promise(() => undefined);
      },
    };
    await using running = await startDaemon({ timers, ...withSpace({ agent }) });
    const waiting = running.call("/v1/spaces/notes/memories", { body: { content: "x" } });
    await begun.promise;
    running.daemon.stop("of the test");
    timers.advance(12_000);
    await running.daemon.ended;
    await expect(waiting).rejects.toThrow(/hang up|ECONNRESET/);
  });
});

describe("[DM6] opening", () => {
  test("a caller is told when another program holds the replica, and served once it lets go", async () => {
    const timers = manualTimers();
    const opening = Promise.withResolvers<ReturnType<typeof fakeReplica>>();
    await using running = await startDaemon({
      timers,
      openHome: () => opening.promise,
      checkResponse: undefined,
    });
    const early = running.call("/v1/spaces");
    await settle();
    timers.advance(10_000);
    const answer = await early;
    expect([answer.status, answer.json.error.code]).toEqual([423, "REPLICA_LOCKED"]);
    expect(answer.json.error.hint).toBeTruthy();
    opening.resolve(fakeReplica({}));
    expect((await running.call("/v1/spaces")).json).toEqual({ spaces: [], damaged: [] });
  });

  test("what could not be opened is tried again by the next call", async () => {
    let attempts = 0;
    const openHome = async () => {
      attempts += 1;
      if (attempts < 3) throw new CambiumError("STORE_DAMAGED", "Broken.");
      const replica = fakeReplica({ list: async () => ({ memories: [] }) });
      let spaces = 0;
      return {
        ...replica,
        openSpace: async () => {
          spaces += 1;
          if (spaces === 1) throw new CambiumError("STORE_DAMAGED", "Broken, too.");
          return await replica.openSpace();
        },
      };
    };
    await using running = await startDaemon({ openHome, checkResponse: undefined });
    await settle();
    const statuses: number[] = [];
    for (let call = 0; call < 3; call += 1)
      statuses.push((await running.call("/v1/spaces/~/memories")).status);
    expect(statuses).toEqual([500, 500, 200]);
  });

  test("the space that was used last is opened before anyone asks", async () => {
    const first = await startWithSpace();
    const { home } = first;
    first.daemon.stop("of the test");
    await first.daemon.ended;
    await using second = await startDaemon({ home });
    await expect.poll(async () => (await second.call("/v1/daemon")).json.spaces).toEqual(["notes"]);
  });
});

describe("[DM7] long work", () => {
  const steps: readonly Progress[] = [
    { stage: "chunks", done: 0, total: 2 },
    { stage: "chunks", done: 1, total: 2 },
    { stage: "chunks", done: 2, total: 2 },
  ];
  const result: VerifyResult = { ok: true, chunks: 2, records: 0, damaged: [] };
  const verify: Space["verify"] = async ({ onProgress } = {}) => {
    for (const step of steps) onProgress?.(step);
    return result;
  };
  const streamed = { method: "POST", headers: { accept: "text/event-stream" } };

  test("tells its progress, then its result", async () => {
    let now = 0;
    await using running = await startDaemon({ ...withSpace({ verify }), now: () => (now += 100) });
    await using reader = new EventReader(await running.open("/v1/spaces/notes/verify", streamed).response);
    await reader.ended();
    expect(reader.events).toEqual([
      ...steps.map((data) => ({ event: "progress", data })),
      { event: "result", data: result },
    ]);
  });

  test("leaves out steps that nobody could read, never the last", async () => {
    await using running = await startDaemon({ ...withSpace({ verify }), now: () => 0 });
    await using reader = new EventReader(await running.open("/v1/spaces/notes/verify", streamed).response);
    await reader.ended();
    expect(reader.events.map(({ data }) => data.done)).toEqual([0, 2, undefined]);
  });

  test("is answered once, to whoever does not ask for events", async () => {
    await using running = await startDaemon(withSpace({ verify }));
    expect((await running.call("/v1/spaces/notes/verify", { method: "POST" })).json).toEqual(result);
  });

  test("tells why it failed: as an event once something was told, else as any call", async () => {
    const failing: Space["verify"] = async ({ onProgress } = {}) => {
      onProgress?.({ stage: "chunks", done: 1, total: 2 });
      throw new CambiumError("STORE_DAMAGED", "The disk is full.");
    };
    await using running = await startDaemon(
      withSpace({ verify: failing, reindex: async () => failing() as never }),
    );
    await using reader = new EventReader(await running.open("/v1/spaces/notes/verify", streamed).response);
    await reader.ended();
    expect(reader.events.at(-1)).toEqual({
      event: "error",
      data: { error: { code: "STORE_DAMAGED", message: "The disk is full." } },
    });
    expect((await running.call("/v1/spaces/notes/reindex", streamed)).status).toBe(500);
  });

  test.each([
    ["asked for events", streamed],
    ["asked for one answer", { method: "POST" }],
    ["named a key", { method: "POST", headers: { "idempotency-key": "k" } }],
  ])("stops when a caller leaves who %s", async (_name, sent) => {
    const begun = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const waiting: Space["verify"] = async ({ signal } = {}) => {
      signal?.addEventListener("abort", () => stopped.resolve());
      begun.resolve();
      await stopped.promise;
      throw new CambiumError("ABORTED", "Stopped.");
    };
    await using running = await startDaemon(withSpace({ verify: waiting }));
    const { request: made } = running.open("/v1/spaces/notes/verify", sent);
    await begun.promise;
    made.destroy();
    await stopped.promise;
  });
});

function over(agent: Agent, { socket }: TestDaemon): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const made = request({ socketPath: socket, path: "/v1/daemon", agent }, (response) => {
    response.resume().on("end", () => resolve(response.statusCode));
  });
  made.on("error", reject).end();
  return promise;
}
