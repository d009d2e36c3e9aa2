/** Giving a space a relay later, moving it to another one, and publishing it again. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startRelay } from "@cambium/sync-server";
import { describe, expect, test } from "vitest";
import { createRelayToken } from "../../src/sync/relay-http.js";
import { ADMIN_TOKEN, contentsOf, converged, synced, World } from "../support/world.js";

/** A world with a second relay, apart from the first. */
async function withTwoRelays(seed: number) {
  const world = await World.withRelay(seed);
  const dataDir = join(world.root, "second-relay");
  const second = await startRelay({ dataDir, adminToken: ADMIN_TOKEN, clock: world.clock.now });
  world.onDispose(() => second.close());
  return { world, second: { url: second.url, token: ADMIN_TOKEN } };
}

/** A device whose space was made without a relay. */
async function alone(world: World, name = "alone") {
  const home = world.newHome(name);
  const replica = await world.open(home);
  const space = await replica.createSpace({ name: "shared" });
  const agent = space.as({ agent: "a" });
  return { home, replica, space, agent };
}

describe("a space without a relay", () => {
  test("[NW22] gets one, sends all it has, and can be shared; the link is kept", async () => {
    await using world = await World.withRelay(80);
    const first = await alone(world);
    await first.agent.remember({ content: "From before." });
    await expect(first.space.invite({ role: "write" })).rejects.toMatchObject({
      hint: expect.stringContaining("cambium link "),
    });
    await expect(first.space.sync.whenSynced()).rejects.toMatchObject({
      hint: expect.stringContaining("cambium link "),
    });

    expect(await first.space.link(world.access)).toEqual({
      ...{ url: world.proxy.url, role: "admin", isNew: true, before: null },
    });
    await synced(first);
    const second = await world.join(first, "second");
    await converged(first, second);
    expect(await contentsOf(second)).toEqual(["From before."]);

    await first.replica.close();
    const again = await world.reopen(first.home);
    expect((await again.replica.spaces())[0]).toMatchObject({ relay: world.proxy.url, role: "admin" });
    await synced(again);
    const { entries } = await again.space.audit.list({ operation: "link" });
    expect(entries).toMatchObject([{ details: { url: world.proxy.url } }]);
  });

  test("[NW23] is left as it was when the relay does not take it", async () => {
    await using world = await World.withRelay(81);
    const first = await alone(world);
    const other = await world.found("other");
    const theirs = await createRelayToken(world.access, { space: other.space.id, role: "admin" });
    const wrong = { ...world.access, token: "not-the-token-of-the-relay" };
    await expect(first.space.link(wrong)).rejects.toMatchObject({
      code: "TOKEN_REFUSED",
      hint: expect.stringContaining("admin-token"),
    });
    await expect(first.space.link({ ...world.access, token: theirs.token })).rejects.toMatchObject({
      code: "TOKEN_REFUSED",
    });
    await expect(first.space.link({ ...wrong, url: "http://127.0.0.1:1" })).rejects.toMatchObject({
      code: "RELAY_UNREACHABLE",
    });
    await expect(first.agent.link(world.access)).rejects.toMatchObject({ code: "ROLE_REFUSED" });
    expect((await first.space.sync.status()).relay).toMatchObject({ url: null, state: "none" });

    // A link that fails later does not disturb one that works either.
    await first.space.link(world.access);
    await synced(first);
    await expect(first.space.link(wrong)).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
    expect((await first.space.sync.status()).relay).toMatchObject({ state: "synced" });
  });
});

describe("a space with a relay", () => {
  test("[NW24] moves to another one with what was not sent; receipts do not move with it", async () => {
    const { world, second } = await withTwoRelays(82);
    await using _world = world;
    const owner = await world.found("owner");
    const member = await world.join(owner, "member");
    await owner.space.as({ agent: "a" }).remember({ content: "On the first relay." });
    await converged(owner, member);
    await owner.space.sync.stop();
    await owner.space.as({ agent: "a" }).remember({ content: "Not sent." });
    await member.space.as({ agent: "b" }).remember({ content: "Of the member." });
    await synced(member);

    const linked = await owner.space.link(second);
    expect(linked).toMatchObject({ isNew: true, before: world.proxy.url });
    await synced(owner);
    const third = await world.join(owner, "third");
    await converged(owner, third);
    expect(await contentsOf(third)).toEqual(["Not sent.", "On the first relay."].sort());

    // The member joins again, and brings what the others lack.
    const invitation = await owner.space.invite({ role: "write" });
    expect((await member.replica.joinSpace(invitation)).id).toBe(owner.space.id);
    await converged(owner, member, third);
    expect(await contentsOf(third)).toContain("Of the member.");
    expect((await member.replica.spaces())[0]).toMatchObject({ relay: second.url });
  });

  test("[NW24] offline, nothing counts as sent until the new relay confirms it", async () => {
    const { world, second } = await withTwoRelays(83);
    await using _world = world;
    const owner = await world.found("owner");
    await owner.space.as({ agent: "a" }).remember({ content: "Sent to the first." });
    await synced(owner);
    await owner.replica.close();
    const offline = await world.reopen(owner.home, { connect: false });
    await offline.space.sync.stop();
    expect((await offline.space.sync.status()).relay.pending).toBe(0);
    await offline.space.link(second);
    const { relay } = await offline.space.sync.status();
    expect(relay.pending).toBeGreaterThan(0);
    expect(relay.lastReceiptAt).toBeNull();
    await offline.replica.close();
    const later = await world.reopen(owner.home, { connect: false });
    expect((await later.space.sync.status()).relay.pending).toBeGreaterThan(0);
    later.space.sync.start();
    await synced(later);
  });

  test("[NW25] is published again on a relay that lost its data, and resumed on one that has it", async () => {
    await using world = await World.withRelay(84);
    const owner = await world.found("owner");
    const member = await world.join(owner, "member");
    await owner.space.as({ agent: "a" }).remember({ content: "Kept on the devices." });
    await converged(owner, member);
    await world.restartRelay(() => rmSync(world.relayDir, { recursive: true }));
    await expect(owner.space.sync.whenSynced()).rejects.toMatchObject({
      code: "TOKEN_REFUSED",
      hint: expect.stringContaining("cambium link "),
    });

    expect(await owner.space.link(world.access)).toMatchObject({ isNew: true });
    await synced(owner);
    // Again with the admin token, and with one of the space: the relay has it by now.
    expect(await owner.space.link(world.access)).toMatchObject({ isNew: false, role: "admin" });
    const { token } = await createRelayToken(world.access, { space: owner.space.id, role: "write" });
    expect(await member.space.as({ role: "owner" }).link({ ...world.access, token })).toMatchObject({
      ...{ isNew: false, role: "write" },
    });
    await converged(owner, member);
    expect(await contentsOf(member)).toEqual(["Kept on the devices."]);
  });
});

describe("joining a space that is here", () => {
  test("[RP43] changes nothing where the token is as good, and replaces one that was revoked", async () => {
    await using world = await World.withRelay(85);
    const owner = await world.found("owner");
    const member = await world.join(owner, "member");
    await converged(owner, member);
    const invitation = await owner.space.invite({ role: "read" });
    expect((await owner.replica.joinSpace(invitation)).role).toBe("admin");

    await world.restartRelay(() => rmSync(world.relayDir, { recursive: true }));
    await owner.space.link(world.access);
    const renewed = await owner.space.invite({ role: "write" });
    await member.replica.joinSpace(renewed);
    await converged(owner, member);
    expect(member.space.role).toBe("write");

    // While the relay is away nothing is known of the token: the link stays.
    const stale = await owner.space.invite({ role: "admin" });
    world.proxy.cut();
    await expect(member.replica.joinSpace(stale)).rejects.toMatchObject({ code: "RELAY_UNREACHABLE" });
    expect(member.space.role).toBe("write");
  });
});
