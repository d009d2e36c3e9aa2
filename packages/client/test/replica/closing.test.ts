import { mkdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import type { CambiumError } from "@cambium/core";
import { afterAll, describe, expect, test, vi } from "vitest";
import { BegunCalls } from "../../src/governance/begun-calls.js";
import { manualTimers } from "../../src/platform/timers.js";
import { guardMedium } from "../../src/storage/testing.js";
import { startWriter } from "../support/processes.js";
import { contentsOf, converged, numbered, synced, until, World } from "../support/world.js";
import { WatchedStores } from "./support/watched-stores.js";

const stores = new WatchedStores();

vi.mock(import("../../src/storage/sqlite-store.js"), async (original) => {
  const real = await original();
  return {
    ...real,
    openSqliteStore: async (options) => guardMedium(stores.watch(real.openSqliteMedium(options))),
  };
});
afterAll(() => vi.restoreAllMocks());

describe("closing", () => {
  test("[RP27] leaves nothing that keeps the process alive", async () => {
    await using world = await World.withRelay(140);
    const first = await world.found();
    await synced(first);
    await first.replica.close();
    await using writer = startWriter({ ...first.home, agent: "a", count: 3, sync: true, seed: 1 });
    expect(await writer.said()).toHaveLength(4);
    expect(writer.exitCode).toBe(0);
  });

  test("[RP27] while syncing and writing loses nothing that was acknowledged", async () => {
    await using world = await World.withRelay(141);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    const contents = numbered(30, "memory");
    const agent = first.space.as({ agent: "a" });
    const writes = contents.map((content) => agent.remember({ content }));
    await writes[9];
    const [closed, ...outcomes] = await Promise.allSettled([first.replica.close(), ...writes]);
    expect(closed.status).toBe("fulfilled");
    expect(outcomes.map(({ status }) => status)).toEqual(contents.map(() => "fulfilled"));
    const again = await world.reopen(first.home);
    expect(await contentsOf(again)).toEqual(contents.toSorted());
    await converged(again, second);
  });

  test("[RP27] ends a wait for the relay, and refuses what comes after", async () => {
    await using world = await World.withRelay(142);
    const first = await world.found();
    world.proxy.cut();
    await first.space.as({ agent: "a" }).remember({ content: "pending" });
    const waiting = first.space.sync.whenSynced().then(
      () => "synced",
      (error: { readonly code: string }) => error.code,
    );
    await first.replica.close();
    await first.replica.close();
    expect(await waiting).toBe("ABORTED");
    await expect(first.space.sync.whenSynced()).rejects.toMatchObject({ code: "REPLICA_CLOSED" });
    await expect(first.replica.openSpace()).rejects.toMatchObject({ code: "REPLICA_CLOSED" });
    await expect(first.space.as({ agent: "a" }).remember({ content: "late" })).rejects.toMatchObject({
      code: "REPLICA_CLOSED",
    });
  });

  test("[RP27] a space lets it be opened again at once", async () => {
    await using world = await World.withRelay(143);
    const { replica, space } = await world.found();
    for (const round of numbered(4, "round")) {
      const open = await replica.openSpace();
      await open.as({ agent: "a" }).remember({ content: round });
      await open[Symbol.asyncDispose]();
    }
    const open = await replica.openSpace(space.id);
    expect((await open.list()).memories).toHaveLength(4);
  });
});

test("[RP27] a call that does not end is waited for no longer than is allowed", async () => {
  const timers = manualTimers();
  const begun = new BegunCalls();
  const never = begun.run(() => new Promise<never>(() => undefined));
  const closing = begun.close(timers);
  await expect(begun.run(async () => "late")).rejects.toMatchObject({ code: "REPLICA_CLOSED" });
  timers.advance(29_999);
  expect(await Promise.race([closing.then(() => "closed"), Promise.resolve("waiting")])).toBe("waiting");
  timers.advance(1);
  await closing;
  void never;
});

describe("a store that fails", () => {
  test("[RP28] refuses the write and all later ones, and the next session takes a new epoch", async () => {
    await using world = await World.withRelay(144);
    const told: CambiumError[] = [];
    const first = await world.found("first", { onStoreFailed: (failure) => told.push(failure) });
    const agent = first.space.as({ agent: "a" });
    await agent.remember({ content: "kept" });
    await synced(first);
    const { epoch } = (await first.space.status()).replica;
    stores.failNewest();
    await expect(agent.remember({ content: "lost" })).rejects.toMatchObject({ code: "STORE_FAILED" });
    await expect(agent.remember({ content: "lost too" })).rejects.toMatchObject({ code: "STORE_FAILED" });
    await expect(agent.branches.create("lost")).rejects.toMatchObject({ code: "STORE_FAILED" });
    await expect(first.replica.close()).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(told.map(({ code }) => code)).toEqual(["STORE_FAILED"]);

    const again = await world.reopen(first.home);
    const second = await world.join(again, "second");
    await again.space.as({ agent: "a" }).remember({ content: "after" });
    expect((await again.space.status()).replica.epoch).toBe(epoch + 1);
    await converged(again, second);
    expect(await contentsOf(second)).toEqual(["after", "kept"]);
  });
});

describe("a space that cannot be closed or opened", () => {
  test("[RP68] lets go of its files, so that it can be opened again once there is room", async () => {
    await using world = new World(146);
    const { replica, space, home } = await world.found();
    const agent = space.as({ agent: "a" });
    await agent.remember({ content: "kept" });
    await space.recall("kept");
    stores.failNewest();
    await expect(agent.remember({ content: "lost" })).rejects.toMatchObject({ code: "STORE_FAILED" });
    await expect(space[Symbol.asyncDispose]()).rejects.toMatchObject({ code: "STORE_FAILED" });
    const index = join(home.dir, "spaces", space.id, "index.sqlite");
    renameSync(index, `${index}-away`);
    mkdirSync(index);
    await expect(replica.openSpace()).rejects.toMatchObject({ code: expect.not.stringMatching("LOCKED") });
    rmdirSync(index);
    const again = await replica.openSpace();
    await again.as({ agent: "a" }).remember({ content: "after" });
    expect((await again.list()).memories.map(({ content }) => content)).toEqual(["after", "kept"]);
  });
});

describe("the disk before the wire", () => {
  test("[RP13] no change leaves the device before it is on disk", async () => {
    await using world = await World.withRelay(145);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    await first.space.as({ agent: "a" }).remember({ content: "before" });
    await converged(first, second);
    const sent = (): number =>
      world.proxy.frames.filter(({ direction, frame }) => direction === "to-relay" && frame.type === "batch")
        .length;
    const before = sent();
    const release = stores.hold();
    let isAcknowledged = false;
    const write = first.space
      .as({ agent: "a" })
      .remember({ content: "held" })
      .then(() => {
        isAcknowledged = true;
      });
    // Each is a whole conversation with the relay: time enough for a frame that does not wait.
    for (let round = 0; round < 5; round += 1) await first.space.members.invitations();
    const meanwhile = [sent(), isAcknowledged];
    release();
    await write;
    expect(meanwhile).toEqual([before, false]);
    await until("it has left", [second], async () => (await contentsOf(second)).length === 2);
    expect(sent()).toBeGreaterThan(before);
  });
});
