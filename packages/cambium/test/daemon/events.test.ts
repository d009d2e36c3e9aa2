import type { SpaceEvent, SpaceStatus } from "@cambium/client";
import { manualTimers } from "@cambium/client/host";
import { describe, expect, test } from "vitest";
import { EventRing } from "../../src/daemon/event-ring.js";
import { EVENTS } from "../../src/operations/openapi/events.js";
import { EventReader, startDaemon, startWithSpace, type TestDaemon } from "./support/daemon.js";
import { fakeReplica } from "./support/fake-replica.js";

const watch = async (running: TestDaemon, lastId?: string): Promise<EventReader> => {
  const headers: Record<string, string> = lastId === undefined ? {} : { "last-event-id": lastId };
  return new EventReader(await running.open("/v1/spaces/~/events", { headers }).response);
};

const remember = (running: TestDaemon, content: string) =>
  running.call("/v1/spaces/~/memories", { body: { content } });

const OWNER = { "cambium-role": "owner", "cambium-confirmed": "true" };

describe("[DM8] events", () => {
  test("tell of a change, with where its branch stands", async () => {
    await using running = await startWithSpace();
    await using reader = await watch(running);
    await reader.until(({ event }) => event === "ready");
    await remember(running, "x");
    const { head } = (await running.call("/v1/spaces/~/status")).json.branch;
    const { id } = await reader.until(({ data }) => JSON.stringify(data.heads) === JSON.stringify(head));
    for (const { event, data } of reader.events) EVENTS[event as keyof typeof EVENTS].parse(data);
    expect(id).toMatch(new RegExp(`^${running.daemon.instance}\\.\\d+-\\d+$`));
  });

  test("[UI13] tell what was written, on which branch and by whom", async () => {
    await using running = await startWithSpace();
    await remember(running, "before");
    await using reader = await watch(running);
    await reader.until(({ event }) => event === "conflicts");
    const headers = { "cambium-agent": "cursor" };
    await running.call("/v1/spaces/~/branches", { body: { name: "work" } });
    const { json } = await running.call("/v1/spaces/~/memories", {
      body: { content: "Tea at four" },
      headers,
    });
    const { data } = await reader.until(({ event }) => event === "wrote");
    EVENTS.wrote.parse(data);
    expect(data).toMatchObject({
      branch: "main",
      changes: [{ type: "remember", by: { agent: "cursor" }, memories: [json.id], text: "Tea at four" }],
    });
  });

  test("[UI13] tell of the first memory of a space, too", async () => {
    await using running = await startWithSpace();
    await using reader = await watch(running);
    await reader.until(({ event }) => event === "conflicts");
    const { json } = await remember(running, "The first");
    const { data } = await reader.until(({ event }) => event === "wrote");
    expect(data).toMatchObject({ branch: "main", changes: [{ memories: [json.id], text: "The first" }] });
  });

  test("who comes back goes on where they were, without a gap and without repetition", async () => {
    await using running = await startWithSpace();
    let lastId = "";
    {
      await using reader = await watch(running);
      await remember(running, "seen");
      lastId =
        (await reader.until(({ event, data }) => event === "changed" && data.heads !== undefined)).id ?? "";
    }
    await remember(running, "missed");
    await using reader = await watch(running, lastId);
    await remember(running, "new");
    const heads = (await running.call("/v1/spaces/~/status")).json.branch.head;
    await reader.until(({ data }) => JSON.stringify(data.heads) === JSON.stringify(heads));
    const numbers = reader.events.flatMap(({ id }) =>
      id === undefined ? [] : [Number(id.split("-").at(-1))],
    );
    const first = Number(lastId.split("-").at(-1)) + 1;
    expect(numbers).toEqual(numbers.map((_, place) => first + place));
    expect(reader.events.filter(({ event }) => event === "changed").length).toBeGreaterThanOrEqual(2);
  });

  test("[ER69] who comes back is sent nothing that was erased or concealed since", async () => {
    await using running = await startWithSpace();
    await remember(running, "before");
    await using reader = await watch(running);
    await reader.until(({ event }) => event === "conflicts");
    const lastId = reader.events.findLast(({ id }) => id !== undefined)?.id;
    const ids: string[] = [];
    for (const content of ["Wombat erased", "Numbat hidden", "Quokka kept"]) {
      ids.push((await remember(running, content)).json.id);
      await reader.until(({ event, data }) => event === "wrote" && JSON.stringify(data).includes(content));
    }
    const sent = (body: object) => ({ body, headers: OWNER });
    const [erased, hidden] = ids as [string, string];
    const done = [
      await running.call("/v1/spaces/~/erase", sent({ ids: [erased], confirm: 1 })),
      await running.call("/v1/spaces/~/conceal", sent({ ids: [hidden] })),
    ];
    expect(done.map(({ status }) => status)).toEqual([200, 200]);
    await remember(running, "Tea at four");
    await reader.until(
      ({ event, data }) => event === "wrote" && JSON.stringify(data).includes("Tea at four"),
    );
    await using again = await watch(running, lastId);
    await again.until(({ event, data }) => event === "wrote" && JSON.stringify(data).includes("Tea at four"));
    const text = JSON.stringify(again.events);
    expect(["Wombat", "Numbat", hidden, "Quokka kept"].map((part) => text.includes(part))).toEqual([
      ...[false, false, false, true],
    ]);
    for (const { event, data } of again.events) EVENTS[event as keyof typeof EVENTS].parse(data);
  });

  test.each(["other-3", "", "nonsense", "x-999999"])(
    "who comes from elsewhere (%j) is told to begin anew",
    async (id) => {
      await using running = await startWithSpace();
      await using reader = await watch(running, id);
      expect((await reader.until(({ event }) => event === "reset")).id).toMatch(running.daemon.instance);
    },
  );

  test("who was at the feed of another space, or of one before it was opened anew, is told to begin anew", async () => {
    await using running = await startWithSpace();
    await using reader = await watch(running);
    await remember(running, "here");
    const { id = "" } = await reader.until(({ event }) => event === "changed");
    const { json } = await running.call("/v1/spaces", { body: { name: "other" }, headers: OWNER });
    const headers = { "last-event-id": id.replace(/\d+$/, "0") };
    const path = `/v1/spaces/${json.id}/events`;
    await using other = new EventReader(await running.open(path, { headers }).response);
    const first = await other.until(({ event }) => event === "reset" || event === "ready");
    expect(first.event).toBe("reset");
  });

  test("conflicts, requests and the relay's state are told when they change, and only then", async () => {
    const timers = manualTimers();
    const listeners = new Set<(event: SpaceEvent) => void>();
    const status = { relay: { state: "synced", pending: 0 }, conflicts: 0, requests: 0 };
    const space = {
      status: async ({ branch = "main" } = {}) =>
        ({ ...structuredClone(status), branch: { name: branch } }) as unknown as SpaceStatus,
      subscribe: (listener: (event: SpaceEvent) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const openHome = async () => fakeReplica(space);
    await using running = await startDaemon({ timers, openHome, checkResponse: undefined });
    await using reader = await watch(running);
    await reader.until(({ event }) => event === "ready");
    const emit = (event: SpaceEvent): void => {
      for (const listener of listeners) listener(event);
      timers.advance(100);
    };
    const told = () => reader.events.filter(({ event }) => ["conflicts", "requests", "sync"].includes(event));
    emit({ type: "changed", branch: "b" });
    await reader.until(({ event, data }) => event === "conflicts" && data.branch === "b");
    expect(told()).toHaveLength(4);
    status.conflicts = 1;
    emit({ type: "changed", branch: "b" });
    await reader.until(({ data }) => data.branch === "b" && data.count === 1);
    status.relay.state = "offline";
    emit({ type: "sync" });
    await reader.until(({ data }) => data.relay?.state === "offline");
    status.requests = 2;
    emit({ type: "notice", message: "n" });
    emit({ type: "sync" });
    await reader.until(({ data }) => data.waiting === 2);
    expect(told()).toHaveLength(4 + 2 + 1 + 1);
    emit({ type: "index", branch: "b", progress: { stage: "index", done: 1, total: 2 } });
    const progress = await reader.until(({ event }) => event === "index");
    expect(progress.id).toBeUndefined();
    EVENTS.index.parse(progress.data);
    // A second watcher begins with where things stand.
    await using second = await watch(running);
    await second.until(({ event, data }) => event === "conflicts" && data.branch === "b" && data.count === 1);
    expect(listeners.size).toBe(1);
  });

  test("many watchers leave nothing behind", async () => {
    let listeners = 0;
    const subscribe = () => {
      listeners += 1;
      return () => {
        listeners -= 1;
      };
    };
    const timers = manualTimers();
    const openHome = async () => fakeReplica({ subscribe });
    await using running = await startDaemon({ timers, openHome, checkResponse: undefined });
    // What the daemon does anyway, such as backups.
    const standing = timers.waitingMs().length;
    for (let round = 0; round < 3; round += 1) {
      const readers = await Promise.all(Array.from({ length: 30 }, () => watch(running)));
      expect(listeners).toBe(1);
      for (const reader of readers) await reader[Symbol.asyncDispose]();
      for (const reader of readers) await reader.ended();
    }
    // Neither beats nor looks go on when nobody is there.
    await expect
      .poll(() => {
        timers.advance(15_000);
        return timers.waitingMs();
      })
      .toHaveLength(standing);
  });

  test("a watcher that does not read is dropped; one that does stays", async () => {
    const listeners = new Set<(event: SpaceEvent) => void>();
    const subscribe = (listener: (event: SpaceEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    const openHome = async () => fakeReplica({ subscribe });
    await using running = await startDaemon({ openHome, checkResponse: undefined });
    await using reading = await watch(running);
    const { response } = running.open("/v1/spaces/~/events");
    const deaf = await response;
    deaf.pause();
    const message = "x".repeat(100_000);
    const closed = new Promise((resolve) => deaf.on("close", resolve));
    deaf.on("error", () => undefined);
    let sent = 0;
    const isDropped = async (): Promise<boolean> => {
      sent += 1;
      for (const listener of listeners) listener({ type: "notice", message: `${sent} ${message}` });
      await reading.until(({ data }) => data.message?.startsWith(`${sent} `));
      return sent > 60;
    };
    while (!(await isDropped()));
    deaf.resume();
    await closed;
    expect(deaf.complete).toBe(false);
    expect(reading.isOver).toBe(false);
  });

  test("a heartbeat every quarter of a minute", async () => {
    const timers = manualTimers();
    const openHome = async () => fakeReplica({});
    await using running = await startDaemon({ timers, openHome, checkResponse: undefined });
    const message = await running.open("/v1/spaces/~/events").response;
    let text = "";
    message.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    await expect.poll(() => text).toContain("ready");
    timers.advance(45_000);
    await expect.poll(() => text.match(/^:$/gm)?.length).toBe(3);
    message.destroy();
  });
});

describe("[DM8] the memory of events", () => {
  test("has the last thousand, as a plain list would", () => {
    const ring = new EventRing("i", 5);
    const all: number[] = [];
    for (let number = 1; number <= 40; number += 1) {
      expect(ring.add("changed", String(number)).id).toBe(`i-${number}`);
      all.push(number);
      for (let seen = 0; seen <= number; seen += 1) {
        const expected = number - seen > 5 ? undefined : all.slice(seen).map(String);
        expect(ring.after(`i-${seen}`)?.map(({ data }) => data)).toEqual(expected);
      }
    }
    expect(ring.after("i-41")).toBeUndefined();
    expect(ring.after("j-40")).toBeUndefined();
  });
});
