import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { acquireLock } from "../../src/platform/lock.js";
import { openReplica } from "../../src/replica/open-replica.js";

const dir = mkdtempSync(join(tmpdir(), "cambium-lock-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("[RP44] who waits is told for whom, and gives up on one that keeps it", async () => {
  const path = join(dir, "kept");
  const held = await acquireLock(path, { waitMs: 0 });
  const onWait = vi.fn();
  const waiting = acquireLock(path, { waitMs: 60, noticeMs: 10, onWait });
  await expect(waiting).rejects.toMatchObject({
    ...{ code: "REPLICA_LOCKED", details: { pid: process.pid } },
    message: "This process itself has this replica open and does not let go of it.",
  });
  expect(onWait.mock.calls).toEqual([[{ pid: process.pid }]]);

  // One of a version that does not say who it is.
  rmSync(`${path}.holder`);
  await expect(acquireLock(path, { waitMs: 20, noticeMs: 0, onWait })).rejects.toMatchObject({
    message: "Another process has this replica open and does not let go of it.",
  });
  expect(onWait).toHaveBeenLastCalledWith({});
  held.release();
  (await acquireLock(path, { waitMs: 0, onWait })).release();
  expect(onWait).toHaveBeenCalledTimes(2);
});

test("[RP44] a queue that moves is waited for", async () => {
  const path = join(dir, "queue");
  const held = await acquireLock(path, { waitMs: 0 });
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
    if (turns === 13) held.release();
    if (turns < 13) writeFileSync(`${path}.holder`, `${turns + 1_000}\n`);
  }, 15);
  const lock = await acquireLock(path, { waitMs: 150 });
  clearInterval(others);
  expect(turns).toBeGreaterThan(12);
  expect(Number(readFileSync(`${path}.holder`, "utf8"))).toBe(process.pid);
  lock.release();
});

test("[RP44] a program that opens a replica beside another hears of it", async () => {
  const opening = { dir: join(dir, "home"), stateDir: join(dir, "state") };
  const first = await openReplica(opening);
  const stop = new AbortController();
  const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
  const second = openReplica({ ...opening, signal: stop.signal });
  second.catch(() => undefined);
  expect((await warned).message).toBe(
    `Cambium waits for this process itself, which has ${opening.dir} open.`,
  );
  const told = new Promise((resolve) => {
    openReplica({ ...opening, signal: stop.signal, onWait: resolve }).catch(() => undefined);
  });
  expect(await told).toEqual({ pid: process.pid });
  stop.abort();
  await expect(second).rejects.toMatchObject({ code: "ABORTED" });
  await first.close();
});
