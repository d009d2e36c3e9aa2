import { LOG_KINDS } from "@cambium/core/wire";
import { expect, test } from "vitest";
import type { LogEntry } from "../src/log/space-log.js";
import { Appended } from "../src/sessions/appended.js";
import { SpaceFeed } from "../src/sessions/space-feed.js";
import { documentHex } from "./support/change-maker.js";

const SPACE = "space";
const point = (position: number) => ({ position, mark: new Uint8Array(16).fill(position) });

const entry = (position: number, kind: number = LOG_KINDS.change): LogEntry => ({
  ...{ kind, document: documentHex(1), hash: String(position).padStart(64, "0"), bytes: Uint8Array.of(1) },
  ...point(position),
});

function feedOf(entries: LogEntry[]) {
  const reads: number[] = [];
  const feed = new SpaceFeed({
    read: async ({ after }) => {
      reads.push(after);
      return entries.filter(({ position }) => position > after);
    },
  });
  return { feed, readsSince: () => reads.splice(0).length };
}

const stretchOf = (...entries: readonly LogEntry[]) => {
  const [first, last] = [entries[0] as LogEntry, entries.at(-1) as LogEntry];
  return { after: first.position - 1, upTo: point(last.position), entries };
};

test("[RL132] what a commit has added is sent without reading it back, to those who have reached it", async () => {
  const log = [entry(1), entry(2)];
  const { feed, readsSince } = feedOf(log);
  feed.moved(SPACE, stretchOf(entry(2)));
  expect((await feed.after(SPACE, 1))?.upTo).toEqual(point(2));
  expect(await feed.after(SPACE, 2)).toBeUndefined();
  expect(readsSince()).toBe(0);
  expect((await feed.after(SPACE, 0))?.entries).toHaveLength(2);
  expect(readsSince()).toBe(1);
});

test("[RL132] an end is known until the log has moved, whoever moved it", async () => {
  const log = [entry(1)];
  const { feed, readsSince } = feedOf(log);
  expect(await feed.after(SPACE, 1)).toBeUndefined();
  expect(await feed.after(SPACE, 1)).toBeUndefined();
  expect(readsSince()).toBe(1);
  log.push(entry(2));
  feed.moved(SPACE);
  expect((await feed.after(SPACE, 1))?.upTo).toEqual(point(2));
});

test("[RL132] what is large, has gaps or erases is read from the log", () => {
  const change = { kind: "change", document: documentHex(1), hash: "a".repeat(64), bytes: Uint8Array.of(1) };
  const batch = { space: SPACE, items: [change as never] };
  const outcome = (position: number) => ({
    ...({ kind: "appended", positions: [position], added: 1, documents: [] } as const),
    ...{ from: point(position - 1), upTo: point(position) },
  });
  const stretchAfter = (...added: readonly (readonly [position: number, size: number])[]) => {
    const appended = new Appended(1_000);
    for (const [position, size] of added) appended.add(batch, outcome(position), size);
    return appended.stretch;
  };
  expect(stretchAfter([1, 10], [2, 10])).toMatchObject({ after: 0, upTo: { position: 2 } });
  expect(stretchAfter([1, 10], [3, 10])).toBeUndefined();
  expect(stretchAfter([1, 600], [2, 600])).toBeUndefined();
  const erasing = new Appended(1_000);
  erasing.add({ space: SPACE, items: [{ ...change, kind: "retire" } as never] }, outcome(1), 10);
  expect(erasing.stretch).toBeUndefined();
});
