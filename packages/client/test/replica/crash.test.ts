import { describe, expect, test } from "vitest";
import { startRelayProcess, startWriter } from "../support/processes.js";
import { seededNumbers } from "../support/seeded.js";
import { ADMIN_TOKEN, contentsOf, converged, numbered, synced, until, World } from "../support/world.js";

const KILLS = 2;

describe.each(["sqlite", "fs"] as const)("a writer on %s", (storage) => {
  test("[RP3] [RP7] loses no acknowledged memory to kill -9 at seeded moments", async () => {
    await using world = new World(40);
    const { home, space, replica } = await world.found("first", { storage });
    const { id } = space;
    await replica.close();
    const next = seededNumbers(41);
    const acknowledged: string[] = [];
    for (let seed = 0; seed < KILLS; seed += 1) {
      await using writer = startWriter({ ...home, storage, agent: "writer", seed });
      await writer.lines.until((line) => line === "open");
      for (let line = 0; line < 1 + Math.floor(next() * 20); line += 1) await writer.lines.next();
      acknowledged.push(...(await writer.kill()).slice(1));
    }

    const again = await world.reopen(home, { storage });
    const { memories } = await again.space.list({ limit: 10_000 });
    const here = new Set<string>(memories.map((memory) => memory.id));
    expect(acknowledged.filter((memory) => !here.has(memory))).toEqual([]);
    expect(memories.every(({ incomplete }) => incomplete === undefined)).toBe(true);
    expect(await again.space.verify()).toMatchObject({ ok: true, damaged: [] });
    expect(again.space.id).toBe(id);
    expect((await again.space.status()).replica.epoch).toBe(KILLS - 1);
    await again.space.as({ agent: "after" }).remember({ content: "One more." });
    const after = await again.space.status();
    expect(after.replica.epoch).toBe(KILLS);
    expect(after.notices).toEqual([
      "The last session did not end cleanly. Recovered. There is nothing to do.",
    ]);
  });
});

describe("the lock", () => {
  test("[RP6] makes processes on one home wait for each other, and dies with its holder", async () => {
    await using world = new World(42);
    const { home, replica } = await world.found();
    await replica.close();
    await using holder = startWriter({ ...home, agent: "holder", seed: 0 });
    await holder.lines.until((line) => line !== "open");
    const waiting = numbered(2, "waiting").map((agent, seed) =>
      startWriter({ ...home, agent, count: 3, seed }),
    );
    await holder.lines.next();
    expect(waiting.map(({ lines }) => lines.size)).toEqual([0, 0]);

    const held = await holder.kill();
    const said = await Promise.all(waiting.map((writer) => writer.said()));

    expect(said.map((lines) => lines.length)).toEqual([4, 4]);
    const again = await world.reopen(home);
    expect((await contentsOf(again)).length).toBeGreaterThanOrEqual(held.length - 1 + 6);
  });

  test("[RP6] gives up waiting when the caller says so", async () => {
    await using world = new World(43);
    const { home } = await world.found();
    const { openReplica } = await import("../../src/replica/open-replica.js");
    const stopped = new AbortController();
    const waiting = openReplica({ ...home, signal: stopped.signal });
    stopped.abort();
    await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
  });
});

describe("the relay", () => {
  test("[RP4] loses nothing it has given a receipt for to kill -9", async () => {
    await using world = new World(44);
    const dataDir = world.relayDir;
    await using first = startRelayProcess({ dataDir, adminToken: ADMIN_TOKEN });
    const url = await first.lines.next();
    const port = Number(new URL(url).port);
    const relay = { url, token: ADMIN_TOKEN };
    const home = world.newHome("writer");
    const replica = await world.open(home, { relay });
    const device = { home, replica, space: await replica.createSpace({ name: "shared" }) };
    const agent = device.space.as({ agent: "a" });
    for (const content of numbered(20, "memory")) await agent.remember({ content });
    await synced(device);
    const invitation = await device.space.invite({ role: "write" });
    await first.kill();
    await device.replica.close();

    await using second = startRelayProcess({ dataDir, adminToken: ADMIN_TOKEN, port });
    await second.lines.next();
    const reader = await world.open(world.newHome("reader"), { relay });
    const arrived = { home: world.newHome(), replica: reader, space: await reader.joinSpace(invitation) };
    await synced(arrived);
    expect(await contentsOf(arrived)).toHaveLength(20);
    await reader.close();
  });

  test("[RP5] restored from an older copy gets back what it lost, and is never believed meanwhile", async () => {
    await using world = await World.withRelay(45);
    const first = await world.found("first");
    const agent = first.space.as({ agent: "a" });
    await agent.remember({ content: "Before the backup." });
    const second = await world.join(first, "second");
    await converged(first, second);
    const { port } = world.relay;
    await world.relay.close();
    const backup = `${world.root}/relay-backup`;
    world.copy(world.relayDir, backup);
    await world.startRelay({ port });
    await agent.remember({ content: "After the backup." });
    await first.space.as({ agent: "a" }).branches.create("later");
    await synced(first);
    await converged(first, second);
    await second.replica.close();

    // Whatever is lost may not come through: the status has to say so for as long as it is missing.
    world.proxy.filter = (direction, { type }) => direction === "from-relay" || type !== "batch";
    await world.restartRelay(() => world.copy(backup, world.relayDir));
    await until("the restored relay is seen", [first], async () => {
      const { relay } = await first.space.sync.status();
      return relay.state === "pending" && relay.pending > 0;
    });
    world.proxy.filter = () => true;
    world.proxy.cut();
    world.proxy.restore();
    await synced(first);

    const again = await world.reopen(second.home);
    await converged(first, again);
    const { memories } = await again.space.list();
    expect(memories).toHaveLength(2);
  });
});
