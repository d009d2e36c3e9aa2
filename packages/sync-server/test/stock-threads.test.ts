import { readdirSync, readFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { chunkTools } from "../src/chunk-tools.js";
import {
  type StockThread,
  StockThreads,
  THREAD_LIMITS,
  type ThreadUser,
} from "../src/stock/stock-threads.js";
import { automerge } from "../src/stock/wasm.js";
import { deflatedColumn, repeatedRows } from "./support/swollen-documents.js";

const DOCUMENT = "01".repeat(16);

/** A session of a token, that counts how often its thread was stopped. */
const userOf = (tokenId: string): ThreadUser & { stops: number } => ({
  member: { kind: "member", tokenId, space: "space", role: "write", hash: "", expiresAt: undefined },
  isEnded: false,
  stops: 0,
  threadStopped() {
    this.stops += 1;
  },
});

const write = (thread: StockThread) => {
  const doc = A.from({ a: "1" });
  const message = { heads: A.getHeads(doc), need: [], have: [], changes: A.getAllChanges(doc) };
  return thread.run({ document: DOCUMENT, mayWrite: true, data: A.encodeSyncMessage(message) });
};

/** Changes that inflate to 60 MiB each, though they are none. */
const bombs = (count: number): Uint8Array => {
  const deflated = deflateRawSync(Buffer.alloc(60 * 2 ** 20));
  const head = [0x85, 0x6f, 0x4a, 0x83, 0, 0, 0, 0, 2];
  const length = [(deflated.length & 127) | 128, ((deflated.length >> 7) & 127) | 128, deflated.length >> 14];
  const chunk = Uint8Array.from([...head, ...length, ...deflated]);
  const changes = Array.from({ length: count }, () => chunk);
  return automerge().encodeSyncMessage({ heads: ["ab".repeat(32)], need: [], have: [], changes, type: "v2" });
};

test("[RL84] there are only so many threads, for each token and in all, and idle ones are given to others", async () => {
  const threads = new StockThreads({ ...THREAD_LIMITS, threads: 2, threadsPerToken: 1 });
  const [ann, second, ben, cara] = ["ann", "ann", "ben", "cara"].map(userOf) as [
    ...ReturnType<typeof userOf>[],
  ] &
    [never, never, never, never];
  await threads.use(ann, write);
  await threads.use(second, write);
  expect([ann, second].map(({ stops }) => stops)).toEqual([1, 0]);
  await threads.use(ben, write);
  expect(threads.size).toBe(2);
  await threads.use(cara, write);
  expect([second, ben].map(({ stops }) => stops)).toEqual([1, 0]);
  // Nobody loses a thread that is in use.
  const waiting = await threads.use(ben, () =>
    threads.use(cara, async () => {
      const next = threads.use(ann, write);
      expect(await Promise.race([next, Promise.resolve("waits")])).toBe("waits");
      return { next };
    }),
  );
  expect((await waiting.next).added).toHaveLength(1);
  for (const user of [ann, ben, cara]) threads.stop(user);
});

test("[RL84] a session that has ended while it waited takes no thread from another", async () => {
  const threads = new StockThreads({ ...THREAD_LIMITS, threadsPerToken: 1 });
  const [first, gone] = ["ann", "ann"].map(userOf) as [ReturnType<typeof userOf>, ReturnType<typeof userOf>];
  await threads.use(first, write);
  const over: ThreadUser = { ...gone, isEnded: true };
  await expect(threads.use(over, write)).rejects.toThrow("It is not needed any more.");
  expect([first.stops, threads.size]).toEqual([0, 1]);
  threads.stop(first);
});

test("[RL82] [RL84] a thread in which Automerge panics, or that computes for too long, is ended, and its token waits", async () => {
  const threads = new StockThreads(THREAD_LIMITS);
  const impatient = new StockThreads({ ...THREAD_LIMITS, stepMs: 1 });
  const [hostile, slow, innocent] = ["hostile", "slow", "innocent"].map(userOf) as [
    ...ReturnType<typeof userOf>[],
  ] &
    [never, never, never];
  const have = [{ lastSync: [], bloom: Uint8Array.of(10, 0, 0) }];
  const parts = { heads: ["ab".repeat(32)], need: [], have, changes: [], type: "v2" };
  const panic = automerge().encodeSyncMessage(parts);
  await threads.use(innocent, write);
  const sendPanic = async (thread: StockThread) => {
    await write(thread);
    await thread.run({ document: DOCUMENT, mayWrite: true, data: panic });
  };
  await expect(threads.use(hostile, sendPanic)).rejects.toThrow("It failed.");
  await expect(threads.use(hostile, write)).rejects.toThrow("It has to wait.");
  // Inflating takes a while on any machine.
  const long = { document: DOCUMENT, mayWrite: true, data: bombs(4) };
  await expect(impatient.use(slow, (thread) => thread.run(long))).rejects.toThrow("It took too long.");
  await expect(impatient.use(slow, write)).rejects.toThrow("It has to wait.");
  expect([hostile, slow, innocent].map(({ stops }) => stops)).toEqual([1, 1, 0]);
  expect((await threads.use(innocent, write)).heads).toHaveLength(2);
  threads.stop(innocent);
});

test("[RL82] a step may take the longer, the more its thread was told", async () => {
  const long = { document: DOCUMENT, mayWrite: true, data: bombs(4) };
  for (const [stepMsPerMib, ends] of [
    [0, true],
    [600_000, false],
  ] as const) {
    const threads = new StockThreads({ ...THREAD_LIMITS, emptyStepMs: 1, stepMsPerMib });
    const user = userOf("ann");
    const run = threads.use(user, (thread) => thread.run(long));
    if (ends) await expect(run).rejects.toThrow("It took too long.");
    else expect((await run).refused).toHaveLength(4);
    threads.stop(user);
  }
});

test.skipIf(process.platform !== "linux")("[RL82] the main thread goes before", async () => {
  const threads = new StockThreads(THREAD_LIMITS);
  const user = userOf("ann");
  await threads.use(user, write);
  const niceOf = (thread: string): number => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  };
  const main = niceOf(String(process.pid));
  const others = readdirSync("/proc/self/task").map(niceOf);
  expect(others.filter((nice) => nice === 10)).toHaveLength(1);
  expect(main).toBeLessThan(10);
  threads.stop(user);
});

test("[RL82] a step inflates no more than it may", async () => {
  const threads = new StockThreads(THREAD_LIMITS);
  const user = userOf("hostile");
  const step = { document: DOCUMENT, mayWrite: true, data: bombs(4) };
  const { refused } = await threads.use(user, (thread) => thread.run(step));
  expect(refused).toHaveLength(4);
  threads.stop(user);
});

test("[RL197] what holds far more than it is long is refused before Automerge gets it", async () => {
  const threads = new StockThreads(THREAD_LIMITS);
  const user = userOf("hostile");
  const send = (changes: Uint8Array[]) => {
    const message = { heads: ["ab".repeat(32)], need: [], have: [], changes, type: "v2" as const };
    const step = { document: DOCUMENT, mayWrite: true, data: automerge().encodeSyncMessage(message) };
    return threads.use(user, (thread) => thread.run(step));
  };
  const [deflated, repeated] = [
    deflatedColumn(deflateRawSync(Buffer.alloc(65 * 2 ** 20)), chunkTools),
    repeatedRows(3_000_000, chunkTools),
  ];
  expect((await send([deflated])).failure?.message).toMatch(/cannot be inflated/);
  expect((await send([repeated])).failure?.message).toMatch(/More than 2097152 operations/);
  const some = repeatedRows(300_000, chunkTools);
  const many = await send(Array.from({ length: 8 }, () => some));
  expect(many.failure?.message).toMatch(/operations/);
  threads.stop(user);
});
