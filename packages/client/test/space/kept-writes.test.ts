import { describe, expect, test, vi } from "vitest";
import { startWriter } from "../support/processes.js";
import { seededNumbers } from "../support/seeded.js";
import { contentsOf, converged, type Device, numbered, synced, until, World } from "../support/world.js";

const writeAll = async ({ space }: Device, contents: readonly string[]): Promise<void> => {
  const agent = space.as({ agent: "writer" });
  await Promise.all(contents.map((content) => agent.remember({ content })));
};

describe("no write is lost", () => {
  test("[RP1] N writers × M writes, online and offline, give N × M memories on every replica", async () => {
    await using world = await World.withRelay(11);
    const first = await world.found("first");
    const online = await world.join(first, "online");
    const offline = await world.join(first, "offline", { connect: false });
    const late = await world.join(first, "late", { connect: false, storage: "fs" });
    const contents = new Map(
      [first, online, offline, late].map((device) => [device, numbered(15, device.home.name)]),
    );

    await Promise.all([...contents].map(([device, own]) => writeAll(device, own)));
    expect(await contentsOf(offline)).toEqual([...(contents.get(offline) ?? [])].sort());
    offline.space.sync.start();
    await converged(first, online, offline);
    late.space.sync.start();
    await converged(first, online, offline, late);

    expect(await contentsOf(first)).toEqual([...contents.values()].flat().sort());
  });

  test("[RP69] a listener that throws fails no write, and the others are told", async () => {
    await using world = new World(14);
    const { space } = await world.found();
    const thrown: (() => void)[] = [];
    const told: string[] = [];
    vi.stubGlobal("queueMicrotask", (task: () => void) => thrown.push(task));
    try {
      space.subscribe(() => {
        throw new Error("of the listener");
      });
      space.subscribe(({ type }) => told.push(type));
      const { id } = await space.as({}).remember({ content: "Tea at four" });
      expect((await space.get(id)).content).toBe("Tea at four");
    } finally {
      vi.unstubAllGlobals();
    }
    expect(told).toContain("changed");
    expect(thrown.length).toBeGreaterThan(0);
    expect(thrown[0]).toThrow("of the listener");
  });

  test("[RP1] and so do agents that share one replica and write the same memory", async () => {
    await using world = new World(12);
    const device = await world.found();
    const { id } = await device.space.as({ agent: "a" }).remember({ content: "shared" });
    const agents = ["a", "b", "c", "d"].map((agent) => device.space.as({ agent }));

    await Promise.all(
      agents.flatMap((agent, index) =>
        numbered(10, `tag-${index}`).map((tag) => agent.revise(id, { summary: tag, tags: [tag] })),
      ),
    );

    expect(await device.space.history(id)).toHaveLength(41);
    expect(await device.space.conflicts()).toEqual([]);
  });

  test("[RP1] and processes that share a home while another device is online", async () => {
    await using world = await World.withRelay(13);
    const first = await world.found("first");
    const watcher = await world.join(first, "watcher");
    await synced(first);
    await first.replica.close();

    const writers = numbered(3, "process").map((agent, seed) =>
      startWriter({ ...first.home, agent, count: 5, sync: seed !== 1, seed }),
    );
    const said = await Promise.all(writers.map((writer) => writer.said()));

    expect(said.map((lines) => lines.length)).toEqual([6, 6, 6]);
    const again = await world.reopen(first.home);
    await converged(again, watcher);
    expect(await contentsOf(watcher)).toHaveLength(15);
  });
});

describe("replicas agree", () => {
  const ORDERS = [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
  ];

  test.each(ORDERS)("[RP2] in whatever order they connect: %i %i %i %i", async (...order) => {
    await using world = await World.withRelay(20 + (order[0] ?? 0));
    const first = await world.found("device-0");
    const { id } = await first.space.as({ agent: "a" }).remember({ content: "The tide turns at noon." });
    await synced(first);
    const devices = [first];
    for (const name of ["device-1", "device-2", "device-3"]) devices.push(await world.join(first, name));
    await converged(...devices);
    await Promise.all(devices.map(({ replica }) => replica.close()));

    const offline: Device[] = [];
    for (const { home } of devices) offline.push(await world.reopen(home, { connect: false }));
    for (const [index, { space }] of offline.entries()) {
      const agent = space.as({ agent: `agent-${index}` });
      await agent.revise(id, { content: `The tide turns at ${index} o'clock.`, tags: [`tag-${index}`] });
      await agent.remember({ content: `Only on ${index}.` });
      if (index > 1) await agent.branches.create(`branch-${index}`);
    }
    for (const index of order) {
      const device = offline[index] as Device;
      device.space.sync.start();
      await synced(device);
    }

    await converged(...offline);
    expect(await contentsOf(first0(offline))).toHaveLength(5);
    const conflicts = await first0(offline).space.conflicts();
    expect(
      conflicts.flatMap(({ fields }) => fields.map(({ field, values }) => [field, values.length])),
    ).toEqual([["content", 4]]);
  });

  test("[RP2] through cut lines, at seeded moments", async () => {
    await using world = await World.withRelay(30);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    const next = seededNumbers(30);
    for (let round = 0; round < 12; round += 1) {
      if (next() < 0.5) world.proxy.cut();
      else world.proxy.restore();
      for (const device of [first, second])
        await writeAll(device, numbered(2, `${device.home.name} ${round}`));
    }
    world.proxy.restore();

    await converged(first, second);
    expect(await contentsOf(first)).toHaveLength(48);
  });

  test("[RP2] a device that is told of a change shows it without asking", async () => {
    await using world = await World.withRelay(31);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    const { id } = await first.space.as({ agent: "a" }).remember({ content: "Live." });
    await until("the memory has arrived", [second], async () => {
      const { memories } = await second.space.list();
      return memories.some((memory) => memory.id === id);
    });
  });
});

const first0 = (devices: readonly Device[]): Device => devices[0] as Device;
