import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { SimulatedSpace } from "../../../core/test/support/simulated-space.js";
import { ShortTurns } from "../../src/platform/short-turns.js";
import { IndexedObserver } from "./support/indexed-observer.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-turns-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Counts what is done between two turns of this process. */
class CountedTurns implements Disposable {
  most = 0;
  #count = 0;
  #next = setImmediate(() => this.#end());

  done(): void {
    this.#count += 1;
    this.most = Math.max(this.most, this.#count);
  }

  #end(): void {
    this.#count = 0;
    this.#next = setImmediate(() => this.#end());
  }

  [Symbol.dispose](): void {
    clearImmediate(this.#next);
  }
}

async function shownOn({ index, space }: IndexedObserver): Promise<number> {
  const row = await index.prepare(space.main);
  return index.states.counts(index.states.stateAt(row, undefined)).memories;
}

test("[IX16] after so many pieces of long work, or so long, others get on", async () => {
  using counted = new CountedTurns();
  const [many, long] = [
    new ShortTurns({ pieces: 5, turnMs: 10_000 }),
    new ShortTurns({ pieces: 1_000, turnMs: 0 }),
  ];
  for (let piece = 0; piece < 50; piece += 1) {
    await many.piece();
    counted.done();
  }
  expect(counted.most).toBe(5);
  counted.most = 0;
  for (let piece = 0; piece < 50; piece += 1) {
    await long.piece();
    counted.done();
  }
  expect(counted.most).toBeLessThanOrEqual(5); // the last turn of the others may go on
});

test("[IX16] records that may have come are opened a few in a turn", async () => {
  using space = new SimulatedSpace();
  const [writer, observer] = [space.addReplica(), new IndexedObserver(space, join(dir, "records.sqlite"))];
  for (let index = 0; index < 200; index += 1)
    await writer.remember(space.main, { content: `amber ${index}` });
  using counted = new CountedTurns();
  const { load } = observer.replica;
  Object.assign(observer.replica, {
    load: (...asked: Parameters<typeof load>) => {
      counted.done();
      return load(...asked);
    },
  });
  observer.receive(space.main, writer.changes(space.main), false);
  await observer.index.prepare(space.main);
  counted.most = 0;
  observer.receiveSealed([...writer.sealed.keys()].slice(0, 1), writer); // the others may have come with it
  await observer.index.prepare(space.main);
  expect(counted.most).toBeGreaterThan(10);
  expect(counted.most).toBeLessThanOrEqual(64);
  observer.receiveSealed(writer.sealed.keys(), writer);
  expect(await shownOn(observer)).toBe(200);
  observer.close();
});

test("[IX16] much that comes at once is taken in before the next read, and not in the tick in which it comes", async () => {
  using space = new SimulatedSpace();
  const [writer, observer] = [space.addReplica(), new IndexedObserver(space, join(dir, "much.sqlite"))];
  const come = () => {
    observer.receiveSealed(writer.sealed.keys(), writer);
    observer.receive(space.main, writer.changesLackedBy(observer.replica, space.main), false);
  };
  await writer.remember(space.main, { content: "birch" });
  come();
  observer.loaded.add(space.main);
  const sizeNow = () => observer.index.row(space.main)?.size;
  await observer.index.prepare(space.main);
  const before = sizeNow() as number;
  for (let index = 0; index < 520; index += 1)
    await writer.remember(space.main, { content: `cedar ${index}` });
  come();
  expect(sizeNow()).toBe(before);
  await writer.remember(space.main, { content: "one more" });
  come();
  expect(sizeNow()).toBe(before);
  expect(await shownOn(observer)).toBe(522);
  await writer.remember(space.main, { content: "and then in step" });
  const caughtUp = sizeNow() as number;
  expect(caughtUp).toBe(before + 521);
  come();
  expect(sizeNow()).toBe(caughtUp + 1);
  observer.close();
});
