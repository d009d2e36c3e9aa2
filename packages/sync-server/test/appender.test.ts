import { LOG_START } from "@cambium/core/wire";
import { expect, test, vi } from "vitest";
import type { BatchOutcome, LogBatch } from "../src/log/space-log.js";
import { Appender, type Submission } from "../src/sessions/appender.js";
import { FairQueue } from "../src/sessions/fair-queue.js";
import { Rests } from "../src/sessions/rests.js";
import { Turns } from "../src/sessions/turns.js";

test("[RL65] turns go round the spaces, then round the lines of a space", () => {
  const queue = new FairQueue<string>();
  const [busy, quiet, other] = [{}, {}, {}];
  for (const item of ["a1", "a2", "a3"]) queue.add("a", busy, item);
  queue.add("a", quiet, "q1");
  for (const item of ["b1", "b2"]) queue.add("b", other, item);
  const order: (string | undefined)[] = [];
  while (!queue.isEmpty) order.push(queue.take());
  expect(order).toEqual(["a1", "b1", "q1", "b2", "a2", "a3"]);
  expect(queue.take()).toBeUndefined();
});

const appended: BatchOutcome = {
  ...{
    kind: "appended",
    positions: [],
    added: 1,
    from: LOG_START,
    upTo: { position: 1, mark: new Uint8Array(16) },
  },
  documents: [],
};

function submissions(heard: string[]) {
  return (name: string, sizeBytes: number, space = name): Submission => ({
    ...{ space, line: {}, sizeBytes },
    read: () => ({ space, items: [] }),
    done: () => heard.push(`${name} done`),
    failed: () => heard.push(`${name} failed`),
  });
}

/** @returns an appender, and how many batches each of its turns had */
function countedTurns(clock: { readonly now: number }) {
  const turns: number[] = [];
  const appender = new Appender({
    log: {
      append: async (batches) => {
        turns.push(batches.length);
        return batches.map(() => appended);
      },
    },
    probe: async () => {},
    onEvent: () => {},
    onAppended: () => {},
    elapsed: () => clock.now,
  });
  return { appender, turns };
}

test("[RL65] a turn ends after 256 KiB or 3 ms, and what is left is stored in the next", async () => {
  const clock = { now: 0 };
  const { appender, turns } = countedTurns(clock);
  const submission = submissions([]);
  for (let at = 0; at < 5; at += 1) appender.submit(submission(`large ${at}`, 128 * 1024));
  await appender.settled();
  expect(turns.splice(0)).toEqual([2, 2, 1]);
  const manyForks = { kind: "fork", document: "", from: "", heads: [], hash: "" } as const;
  // Small ones do not wait for two large ones, whoever came first.
  const heard: string[] = [];
  const named = submissions(heard);
  for (const name of ["large 1", "large 2", "large 3"]) appender.submit(named(name, 300 * 1024));
  for (const name of ["small 1", "small 2"]) appender.submit(named(name, 1_024));
  const many = {
    ...named("many items", 2_048),
    read: () => ({ space: "many items", items: Array(100).fill(manyForks) }),
  };
  appender.submit(many);
  await appender.settled();
  expect(heard.map((text) => text.replace(" done", ""))).toEqual([
    ...["large 1", "small 1", "small 2", "large 2", "large 3", "many items"],
  ]);
  expect(turns.splice(0)).toEqual([1, 2, 1, 1, 1]);
  const slow = (name: string): Submission => ({
    ...submission(name, 1),
    read: () => {
      clock.now += 2;
      return { space: name, items: [] };
    },
  });
  for (let at = 0; at < 5; at += 1) appender.submit(slow(`slow ${at}`));
  await appender.settled();
  expect(turns).toEqual([2, 2, 1]);
});

test("[RL65] a space that is alone has turns four times as large, until another one comes", async () => {
  const clock = { now: 0 };
  const { appender, turns } = countedTurns(clock);
  const submission = submissions([]);
  const stored = async (count: number): Promise<readonly number[]> => {
    for (let at = 0; at < count; at += 1) appender.submit(submission("long", 128 * 1024, "busy"));
    await appender.settled();
    return turns.splice(0);
  };
  expect(await stored(10)).toEqual([8, 2]);
  appender.submit(submission("short", 1, "quiet"));
  await appender.settled();
  turns.splice(0);
  clock.now += 2_500;
  expect(await stored(4)).toEqual([2, 2]);
  clock.now += 2_501;
  expect(await stored(4)).toEqual([4]);
});

test("[RL156] the next turn is committed while the last becomes durable, and told after it", async () => {
  const heard: string[] = [];
  const [syncs, refused]: [(() => void)[], Set<string>] = [[], new Set()];
  const appender = new Appender({
    log: {
      append: async (batches, onCommitted) => {
        const outcomes = batches.map(({ space }): BatchOutcome => {
          heard.push(`${space} committed`);
          return refused.has(space) ? { kind: "refused", refusal: { code: "BUSY", message: "" } } : appended;
        });
        onCommitted?.(outcomes);
        await new Promise<void>((resolve) => syncs.push(resolve));
        return outcomes;
      },
    },
    probe: async () => {},
    onEvent: () => {},
    onAppended: () => {},
  });
  const submission = submissions(heard);
  const settled = (count: number) => expect.poll(() => heard).toHaveLength(count);
  for (const name of ["a", "b", "c"]) appender.submit(submission(name, 200 * 1024));
  await settled(2);
  syncs[1]?.(); // nobody is told of b before a
  await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toEqual(["a committed", "b committed"]);
  syncs[0]?.();
  await settled(5);
  expect(heard.splice(0)).toEqual(["a committed", "b committed", "a done", "b done", "c committed"]);
  syncs[2]?.();
  await appender.settled();
  // What its sender sent behind it is dropped: the sender has to be told first.
  heard.splice(0);
  refused.add("d");
  for (const name of ["d", "e"]) appender.submit(submission(name, 200 * 1024));
  await settled(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(heard).toEqual(["d committed"]);
  syncs[3]?.();
  await settled(3);
  expect(heard).toEqual(["d committed", "d done", "e committed"]);
  syncs[4]?.();
  await appender.settled();
});

test("[RL91] whose turn took long rests while others are there, and nobody else waits for that", async () => {
  let now = 0;
  const rests = new Rests(() => now);
  rests.note("alone", 100);
  expect(rests.has("alone")).toBe(false);
  rests.note("other", 0);
  rests.note("alone", 100);
  expect([rests.has("alone"), rests.has("other"), rests.nextMs]).toEqual([true, false, 300]);
  now = 300;
  expect([rests.has("alone"), rests.nextMs]).toEqual([false, undefined]);
  now = 2_000; // the other has gone
  rests.note("alone", 100);
  expect(rests.has("alone")).toBe(false);
});

test("[RL200] a space whose turns are full gets three tenths of the time while others write, and all of it alone", async () => {
  vi.useFakeTimers();
  try {
    let [full, isOver] = [0, false];
    const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const appender = new Appender({
      log: {
        append: async (batches) => {
          await sleep(batches.some(({ space }) => space === "full") ? 8 : 2);
          return batches.map(() => appended);
        },
      },
      ...{ probe: async () => {}, onEvent: () => {}, onAppended: () => {}, pause: sleep },
    });
    const submit = (space: string, sizeBytes: number, line: object = {}): Promise<unknown> =>
      new Promise((done, failed) => {
        appender.submit({ space, line, sizeBytes, read: () => ({ space, items: [] }), done, failed });
      });
    const keepFull = async (): Promise<void> => {
      for (; !isOver; full += 1) await submit("full", 256 * 1024, keepFull);
    };
    void keepFull();
    void keepFull();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(full).toBeGreaterThan(240); // 250 fit
    const waits: number[] = [];
    const writeNowAndThen = async (): Promise<void> => {
      // At no time that goes with the turns of the other.
      for (; !isOver; await sleep(1_000 + ((waits.length * 37) % 201))) {
        const start = performance.now();
        await submit("small", 300);
        waits.push(performance.now() - start);
      }
    };
    void writeNowAndThen();
    await vi.advanceTimersByTimeAsync(3_000);
    const [before, waitedBefore] = [full, waits.length];
    await vi.advanceTimersByTimeAsync(60_000);
    const perSecond = (full - before) / 60;
    expect(perSecond).toBeGreaterThan(33);
    expect(perSecond).toBeLessThan(41); // 8 ms each
    const later = waits.slice(waitedBefore).toSorted((a, b) => a - b);
    expect(later[Math.floor(later.length / 2)]).toBeLessThan(6);
    isOver = true;
    await vi.advanceTimersByTimeAsync(5_000);
  } finally {
    vi.useRealTimers();
  }
});

test("[RL136] whoever works much gets half of the time while others are there, and all of it alone", () => {
  let now = 0;
  const rests = new Rests(() => now, { part: 0.5 });
  /** Works whenever it may for so long, in pieces of a millisecond. */
  const worked = (ms: number, isAlone: boolean): number => {
    let sum = 0;
    for (const end = now + ms; now < end; now += 1) {
      if (!isAlone && now % 100 === 0) rests.note("other", 0);
      if (rests.has("busy")) continue;
      sum += 1;
      rests.note("busy", 1);
    }
    return sum;
  };
  expect(worked(3_000, true)).toBe(3_000);
  now += 10_000;
  const first = worked(1_000, false);
  expect(first).toBeGreaterThan(650); // a burst, and half of what follows
  expect(first).toBeLessThan(850);
  expect(Math.round(worked(2_000, false) / 100)).toBe(10);
  expect(rests.has("other")).toBe(false);
});

test("[RL136] a batch that is due is stored before the next step, but not for ever", async () => {
  let [now, isDue] = [0, true];
  const order: string[] = [];
  const turns = new Turns(
    () => now,
    1,
    () => {
      order.push("asked");
      return isDue;
    },
  );
  const step = (name: string): void =>
    turns.add("a", {}, async () => {
      order.push(name);
      now += 2;
    });
  for (const name of ["1", "2", "3"]) step(name);
  await expect.poll(() => order).toContain("3");
  expect(order.slice(0, 5)).toEqual(["1", "asked", "2", "asked", "3"]);
  isDue = false;
  step("4");
  await expect.poll(() => order.at(-1)).toBe("4");
});

test("[RL91] steps go round the spaces, then round their sessions", async () => {
  let now = 0;
  const turns = new Turns(() => now);
  const order: string[] = [];
  const [busy, quiet, other] = [{}, {}, {}];
  const step = (space: string, line: object, name: string, left: number): void =>
    turns.add(space, line, async () => {
      order.push(name);
      now += 2;
      if (left > 0) step(space, line, name, left - 1);
    });
  turns.add("c", {}, async () => {
    now += 5; // the turn is over: all that comes now is there when the next one begins
    step("a", busy, "busy", 3);
    step("a", quiet, "quiet", 0);
    step("b", other, "other", 1);
  });
  await expect.poll(() => order).toHaveLength(7);
  expect(order).toEqual(["busy", "other", "quiet", "other", "busy", "busy", "busy"]);
});

test("[RL99] a batch that cannot be read or answered ends its own session, and the next one is stored", async () => {
  const heard: string[] = [];
  const appender = new Appender({
    log: { append: async (batches: readonly LogBatch[]) => batches.map(() => appended) },
    probe: async () => {},
    onEvent: ({ type }) => heard.push(type),
    onAppended: () => {},
  });
  const submission = submissions(heard);
  const broken = (): never => {
    throw new Error("It is broken.");
  };
  appender.submit({ ...submission("read", 1), read: broken });
  appender.submit({ ...submission("told", 1), done: broken });
  appender.submit(submission("sound", 1));
  await appender.settled();
  expect(heard.filter((what) => what !== "committed")).toEqual([
    ...["failed", "read failed", "failed", "told failed", "sound done"],
  ]);
});

test("[RL66] [RL152] when a commit fails nobody hears of its batches, its readers look, and the next turn is tried", async () => {
  let isFull = true;
  const told: string[] = [];
  const heard: string[] = [];
  const appender = new Appender({
    log: {
      append: async (batches: readonly LogBatch[]) => {
        if (isFull) throw new Error("database or disk is full");
        return batches.map(() => appended);
      },
    },
    probe: async () => {},
    onEvent: ({ type }) => heard.push(type),
    onAppended: (space) => told.push(space),
  });
  const submission = submissions(heard);
  appender.submit(submission("a", 1));
  await appender.settled();
  expect([heard.splice(0), told, appender.isFailing]).toEqual([["commit-failed", "a failed"], ["a"], true]);
  isFull = false;
  appender.submit(submission("b", 1));
  await appender.settled();
  expect([heard, told, appender.isFailing]).toEqual([["b done"], ["a", "b"], false]);
});

test("[RL131] while several senders write, what comes within 16 ms shares a commit; who is alone waits for nobody", async () => {
  const turns: number[] = [];
  const pauses: number[] = [];
  let now = 0;
  const appender = new Appender({
    log: {
      append: async (batches) => {
        turns.push(batches.length);
        return batches.map(() => appended);
      },
    },
    ...{ probe: async () => {}, onEvent: () => {}, onAppended: () => {}, elapsed: () => now },
    pause: async (ms) => {
      pauses.push(ms);
      now += ms;
      for (const name of arriving.splice(0)) void append(name);
    },
  });
  const arriving: string[] = [];
  const lines = new Map<string, object>();
  const append = (name: string) => {
    const line = lines.get(name) ?? {};
    lines.set(name, line);
    return appender.append({ space: "space", line, items: [] });
  };
  for (let at = 0; at < 3; at += 1) {
    await append("alone");
    now += 1;
  }
  expect({ turns: turns.splice(0), pauses: pauses.splice(0) }).toEqual({ turns: [1, 1, 1], pauses: [] });
  arriving.push("third", "fourth");
  await append("second");
  expect({ turns, pauses }).toEqual({ turns: [3], pauses: [15] });
  now += 20;
  await append("second");
  expect(pauses).toEqual([15]);
  // Who writes alone in its space does not wait for those who share another.
  now += 1;
  arriving.push("second");
  await Promise.all([append("third"), appender.append({ space: "other", line: {}, items: [] })]);
  expect(pauses).toEqual([15]);
});

test("[RL201] a batch that comes in the very moment in which nothing is left is stored", async () => {
  for (let hops = 0; hops < 60; hops += 1) {
    const heard: string[] = [];
    const { appender } = countedTurns({ now: 0 });
    const submission = submissions(heard);
    const submitLater = async (): Promise<void> => {
      for (let hop = 0; hop < hops; hop += 1) await undefined;
      appender.submit(submission("second", 1));
    };
    appender.submit({ ...submission("first", 1), done: () => void submitLater() });
    for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([hops, heard]).toEqual([hops, ["second done"]]);
  }
});

test("[RL201] a step whose rest ends while it is looked at is done", async () => {
  vi.useFakeTimers();
  try {
    for (let start = 0; start <= 12; start += 1) {
      const clock = { now: 0, tick: 0 };
      const turns = new Turns(() => {
        clock.now += clock.tick;
        return clock.now;
      });
      const done: string[] = [];
      turns.add("other", {}, async () => {});
      await vi.advanceTimersByTimeAsync(1);
      turns.add("busy", {}, async () => {
        clock.now += 20;
      });
      await vi.advanceTimersByTimeAsync(1);
      clock.now = 80 - start * 0.25; // its rest ends at 80
      clock.tick = 0.25;
      turns.add("busy", {}, async () => void done.push("busy"));
      clock.tick = 0;
      clock.now += 100;
      await vi.advanceTimersByTimeAsync(100);
      expect([start, done]).toEqual([start, ["busy"]]);
    }
  } finally {
    vi.useRealTimers();
  }
});

test("[RL201] who rests shortly does not wait for who rests long", async () => {
  vi.useFakeTimers();
  try {
    let now = 0;
    const turns = new Turns(() => now);
    const done: string[] = [];
    const work = (space: string, ms: number) =>
      turns.add(space, {}, async () => {
        now += ms;
        done.push(space);
      });
    work("other", 0);
    await vi.advanceTimersByTimeAsync(1);
    work("long", 900);
    await vi.advanceTimersByTimeAsync(1);
    work("long", 0);
    work("short", 20);
    await vi.advanceTimersByTimeAsync(1);
    work("short", 0);
    expect(done.splice(0)).toEqual(["other", "long", "short"]);
    now += 61;
    await vi.advanceTimersByTimeAsync(61);
    expect(done).toEqual(["short"]);
    now += 3_000;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(done).toEqual(["short", "long"]);
  } finally {
    vi.useRealTimers();
  }
});
