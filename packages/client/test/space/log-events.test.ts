/** What `log` tells of besides changes. */
import { expect, test } from "vitest";
import type { LogEvent } from "../../src/api.js";
import { converged, World } from "../support/world.js";

const told = (events: readonly LogEvent[] = []) =>
  events.map(({ type, from, of, name }) => [type, from, name ?? of].filter((part) => part !== undefined));

test("[TI13] checkpoints and branches are told on every device, the rest on the one that noted it", async () => {
  await using world = await World.withRelay(330);
  const first = await world.found("first");
  const agent = first.space.as({ agent: "ada", confirmed: true });
  const { id } = await agent.remember({ content: "one" });
  await agent.checkpoints.create({ name: "Start", reason: "before it all" });
  await agent.branches.create("work");
  await agent.branches.rename("work", "play");
  await agent.reinforce([id.slice(0, 13)]); // as people name it
  await expect(agent.restore(id, { version: 9 })).rejects.toMatchObject({ code: "RECORD_NOT_FOUND" });
  await expect(agent.rollback({ to: "nowhere", preview: true })).rejects.toThrow();
  await first.space.verify();
  const { changes, events } = await first.space.log();
  expect(changes[0]).toMatchObject({ seq: expect.any(Number) });
  expect(told(events).toSorted()).toEqual(
    [
      ["branch", "space", "play"],
      ["checkpoint", "space", "Start"],
      ["failed", "device", "restore"],
      ["reinforce", "device"],
      ["rename-branch", "device", "play"],
      ["verify", "device"],
    ].toSorted(),
  );
  expect(events?.find(({ type }) => type === "failed")).toMatchObject({
    ...{ code: "RECORD_NOT_FOUND", memories: [id], by: { agent: "ada" }, seq: expect.any(Number) },
  });
  expect(events?.find(({ type }) => type === "reinforce")).toMatchObject({ memories: [id] });
  expect(events?.find(({ type }) => type === "checkpoint")).toMatchObject({
    ...{ reason: "before it all", by: { agent: "ada" } },
  });
  const second = await world.join(first, "second");
  await converged(first, second);
  expect(told((await second.space.log()).events).toSorted()).toEqual(
    [
      ["branch", "space", "play"],
      ["checkpoint", "space", "Start"],
    ].toSorted(),
  );
});

test("[TI14] each event is on one page, a past state has none, and reading notes nothing", async () => {
  await using world = new World(331);
  const { space } = await world.found();
  const agent = space.as({ confirmed: true });
  for (const name of ["a", "b", "c"]) {
    await agent.remember({ content: name });
    await agent.checkpoints.create({ name });
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await space.log({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...(page.events ?? []).flatMap(({ name }) => name ?? []));
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(["c", "b", "a"]);
  expect((await space.log({ at: "checkpoint:b" })).events).toBeUndefined();
  const before = (await space.audit.list()).entries.length;
  await space.recall("a");
  await space.log();
  expect((await space.audit.list()).entries).toHaveLength(before);
});
