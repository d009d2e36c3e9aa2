import { describe, expect, test } from "vitest";
import { type Device, synced, World } from "../support/world.js";

const ownerOf = ({ space }: Device) => space.as({ role: "owner" });

async function shownAs({ space }: Device, key: string) {
  return (await space.settings()).settings.find((setting) => setting.key === key);
}

describe("the settings of a space", () => {
  test("[RT6] set on one device they hold on every other, one by one, also when two set others at once", async () => {
    await using world = await World.withRelay(401);
    const ada = await world.found();
    const bob = await world.join(ada, "bob", { role: "admin" });
    await ownerOf(ada).changeSettings({ preset: "year", reason: "room" });
    await synced(ada);
    await synced(bob);
    expect((await bob.space.settings()).preset).toBe("year");
    expect(await shownAs(bob, "retention.days")).toMatchObject({
      ...{ value: 365, byDefault: "never" },
      set: { replica: ada.replica.id, device: ada.replica.name },
    });

    await ownerOf(ada).changeSettings({ set: { "retention.days": 100 } });
    await ownerOf(bob).changeSettings({ set: { "retention.contents@category:health": "all" } });
    await ownerOf(bob).changeSettings({ unset: ["retention.contents"] });
    for (const device of [ada, bob, ada, bob]) await synced(device);
    expect(await ada.space.settings()).toEqual(await bob.space.settings());
    expect(await shownAs(ada, "retention.days")).toMatchObject({ value: 100 });
    expect(await shownAs(ada, "retention.contents")).not.toHaveProperty("set");
    expect(await shownAs(ada, "retention.contents@category:health")).toMatchObject({ value: "all" });
    expect(await ada.space.settings()).not.toHaveProperty("preset");
  });

  test("[RT7] all of a change or none of it; the same again writes nothing; they last", async () => {
    await using world = new World(402);
    const a = await world.found("a");
    const bad = { set: { "retention.days": 30, "retention.contents": -3 } };
    await expect(ownerOf(a).changeSettings(bad)).rejects.toMatchObject({ code: "BAD_SETTING" });
    expect((await a.space.settings()).preset).toBe("keep-everything");
    await ownerOf(a).changeSettings({ preset: "lean" });
    const before = await a.space.settings();
    world.clock.advance(1_000);
    expect(await ownerOf(a).changeSettings({ preset: "lean" })).toEqual(before);
    await a.replica.close();
    const again = await world.reopen(a.home);
    expect(await again.space.settings()).toEqual(before);
  });

  test("[RT8] agents and readers may not change them unless the policy lets them; log and audit log tell who did", async () => {
    await using world = new World(403);
    const a = await world.found("a");
    const agent = a.space.as({ agent: "cursor" });
    await expect(agent.changeSettings({ preset: "lean" })).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    await a.space.policy.set("settings", "agent", "allow");
    await agent.changeSettings({ set: { "retention.days": 30 } });
    const { events } = await a.space.log();
    expect(events).toMatchObject([
      { type: "settings", from: "space", name: "retention.days", of: "30", by: { agent: "cursor" } },
    ]);
    const { entries } = await a.space.audit.list({ operation: "settings" });
    expect(entries.map(({ operation, agent: by }) => [operation, by])).toEqual([
      ["settings", "cursor"],
      ["refuse", "cursor"],
    ]);
  });

  test("[RT9] caps: no branch beyond `branches.open`, and checkpoints by the settings of their own", async () => {
    await using world = new World(404);
    const a = await world.found("a");
    await a.space.as({ agent: "ada" }).remember({ content: "one" });
    await ownerOf(a).changeSettings({ set: { "branches.open": 1, "checkpoints.byHand": 1 } });
    await a.space.branches.create("one");
    await expect(a.space.branches.create("two")).rejects.toMatchObject({
      code: "BRANCH_LIMIT",
      details: { limit: 1 },
    });
    await a.space.checkpoints.create({ name: "one" });
    await expect(a.space.checkpoints.create({ name: "two" })).rejects.toMatchObject({
      code: "CHECKPOINT_LIMIT",
    });
    await ownerOf(a).checkpoints.setPolicy({ weekly: false, byHand: 2 });
    expect(await shownAs(a, "checkpoints.weekly")).toMatchObject({ value: "no" });
    expect(await a.space.checkpoints.policy()).toMatchObject({ weekly: false, byHand: 2, days: 7 });
    await a.space.checkpoints.create({ name: "two" });
    await ownerOf(a).changeSettings({ set: { "branches.open": "all" } });
    await a.space.branches.create("two");
  });
});
