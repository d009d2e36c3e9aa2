import { next as A } from "@automerge/automerge";
import { documentIdFromHex, mainBranchId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { fetchDocument } from "../../src/sync/fetch-document.js";
import { encodeInvitation, parseInvitation } from "../../src/sync/invitation.js";
import { createRelayToken, revokeRelayToken } from "../../src/sync/relay-http.js";
import { strangerWrites, tradedToken } from "../support/stranger.js";
import { contentsOf, converged, type Device, synced, until, World } from "../support/world.js";

const refused = { code: "ROLE_REFUSED" };

describe("a reader", () => {
  test("[RP14] receives everything and is refused every write", async () => {
    await using world = await World.withRelay(70);
    const owner = await world.found("owner");
    const { id } = await owner.space.as({ agent: "a" }).remember({ content: "For readers too." });
    await owner.space.branches.create("side");
    await synced(owner);
    const reader = await world.join(owner, "reader", { role: "read" });
    await converged(owner, reader);
    expect(reader.space.role).toBe("read");
    expect(await contentsOf(reader)).toEqual(["For readers too."]);

    const agent = reader.space.as({ agent: "r" });
    await expect(agent.remember({ content: "no" })).rejects.toMatchObject(refused);
    await expect(agent.revise(id, { content: "no" })).rejects.toMatchObject(refused);
    await expect(agent.forget(id)).rejects.toMatchObject(refused);
    await expect(agent.branches.create("no")).rejects.toMatchObject(refused);
    await expect(agent.branches.rename("side", "no")).rejects.toMatchObject(refused);
    await expect(agent.branches.delete("side")).rejects.toMatchObject(refused);
    await expect(agent.merge({ from: "side" })).rejects.toMatchObject(refused);
    await expect(agent.undo()).rejects.toMatchObject(refused);
    await expect(agent.import("/nowhere")).rejects.toMatchObject(refused);
    await expect(reader.space.invite({ role: "read" })).rejects.toMatchObject(refused);
    expect((await reader.space.status()).relay.state).toBe("synced");
    expect((await reader.space.merge({ from: "side", preview: true })).status).toBe("up-to-date");
  });

  test("[RP14] with a modified client reaches nobody, and reads on", async () => {
    await using world = await World.withRelay(71);
    const owner = await world.found("owner");
    await owner.space.as({ agent: "a" }).remember({ content: "Untouched." });
    await synced(owner);
    const main = mainBranchId(owner.space.id);
    await using stranger = await strangerWrites(
      await owner.space.invite({ role: "read" }),
      documentIdFromHex(main),
      (doc) => {
        (doc.memories?.["00"] as Record<string, unknown>)["00000000-0000-7000-8000-000000000000"] =
          new Uint8Array(48);
      },
    );
    const before = (await owner.space.branches.list())[0]?.head;
    await owner.space.as({ agent: "a" }).remember({ content: "Later." });
    const other = await world.join(owner, "other");
    await converged(owner, other);
    expect(before).not.toContain(stranger.hash);
    const token = await tradedToken(await owner.space.invite({ role: "read" }));
    const document = documentIdFromHex(main);
    const held = await fetchDocument({ url: world.proxy.url, token, space: owner.space.id, document });
    expect(held.length).toBeGreaterThan(1);
    expect(held.map((bytes) => A.decodeChange(bytes).hash)).not.toContain(stranger.hash);
    expect((await other.space.status()).notices).toEqual([]);
  });
});

describe("a revoked member", () => {
  async function revocable(
    world: World,
  ): Promise<{ readonly owner: Device; readonly member: Device; revoke(): Promise<void> }> {
    const owner = await world.found("owner");
    await synced(owner);
    const space = owner.space.id;
    const { token, tokenId } = await createRelayToken(world.access, { space, role: "write" });
    const { key } = parseInvitation(await owner.space.invite({ role: "write" }));
    const home = world.newHome("member");
    const replica = await world.open(home);
    const invitation = encodeInvitation({ relay: world.proxy.url, space, token, key });
    const member = { home, replica, space: await replica.joinSpace(invitation) };
    await converged(owner, member);
    return { owner, member, revoke: () => revokeRelayToken(world.access, { space, tokenId }) };
  }

  test("[RP15] is refused with a reason, does not try again, and works on locally", async () => {
    await using world = await World.withRelay(72);
    const { owner, member, revoke } = await revocable(world);
    await revoke();
    await until("the member is refused", [member], async () => {
      const { relay } = await member.space.sync.status();
      return relay.state === "refused" && relay.reason !== undefined;
    });
    const attempts = world.proxy.upgrades;
    const { id } = await member.space.as({ agent: "m" }).remember({ content: "Stays here." });
    await owner.space.as({ agent: "o" }).remember({ content: "Goes on without." });
    await synced(owner);
    expect((await member.space.get(id)).content).toBe("Stays here.");
    expect(await contentsOf(owner)).toEqual(["Goes on without."]);
    await expect(member.space.sync.whenSynced()).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
    expect(world.proxy.upgrades).toBe(attempts);
    expect((await member.space.sync.status()).relay).toMatchObject({ state: "refused", pending: 1 });
  });

  test("[RP15] hears it at the next start, too", async () => {
    await using world = await World.withRelay(73);
    const { member, revoke } = await revocable(world);
    await member.replica.close();
    await revoke();
    const again = await world.reopen(member.home);
    await expect(again.space.sync.whenSynced()).rejects.toMatchObject({ code: "TOKEN_REFUSED" });
    await again.space.as({ agent: "m" }).remember({ content: "Local." });
    expect(await contentsOf(again)).toEqual(["Local."]);
  });
});
