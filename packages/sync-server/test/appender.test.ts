import { expect, test } from "vitest";
import type { BatchOutcome, LogBatch } from "../src/log/space-log.js";
import { Appender, type Submission } from "../src/sessions/appender.js";
import { FairQueue } from "../src/sessions/fair-queue.js";

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
  ...{ kind: "appended", positions: [1], added: 1, upTo: { position: 1, mark: new Uint8Array(16) } },
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

test("[RL65] a turn ends after 256 KiB or 5 ms, and what is left is stored in the next", async () => {
  const turns: number[] = [];
  let now = 0;
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
    elapsed: () => now,
  });
  const submission = submissions([]);
  for (let at = 0; at < 5; at += 1) appender.submit(submission(`large ${at}`, 128 * 1024));
  await appender.settled();
  expect(turns.splice(0)).toEqual([2, 2, 1]);
  const slow = (name: string): Submission => ({
    ...submission(name, 1),
    read: () => {
      now += 3;
      return { space: name, items: [] };
    },
  });
  for (let at = 0; at < 5; at += 1) appender.submit(slow(`slow ${at}`));
  await appender.settled();
  expect(turns).toEqual([2, 2, 1]);
});

test("[RL66] when a commit fails nobody hears of its batches, and the next turn is tried", async () => {
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
  expect([heard.splice(0), told, appender.isFailing]).toEqual([["commit-failed", "a failed"], [], true]);
  isFull = false;
  appender.submit(submission("b", 1));
  await appender.settled();
  expect([heard, told, appender.isFailing]).toEqual([["b done"], ["b"], false]);
});
