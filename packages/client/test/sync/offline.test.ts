import { documentIdFromHex, mainBranchId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { withholding } from "../support/withheld.js";
import { contentsOf, converged, type Device, numbered, synced, until, World } from "../support/world.js";

const relayOf = async ({ space }: Device) => (await space.sync.status()).relay;

describe("without a line", () => {
  test("[RP16] a device joins, writes, branches and merges, and syncs all of it later", async () => {
    await using world = await World.withRelay(80);
    const first = await world.found("first");
    await first.space.as({ agent: "a" }).remember({ content: "from the first" });
    await synced(first);
    const invitation = await first.space.invite({ role: "write" });
    world.proxy.cut();
    const home = world.newHome("second");
    const replica = await world.open(home);
    const second = { home, replica, space: await replica.joinSpace(invitation) };
    const agent = second.space.as({ agent: "b" });
    const { id } = await agent.remember({ content: "written offline" });
    await agent.branches.create("side");
    await agent.revise(id, { content: "revised on the side" }, { branch: "side" });
    await agent.remember({ content: "new on the side" }, { branch: "side" });
    expect((await agent.merge({ from: "side" })).status).toBe("merged");
    expect(await contentsOf(second)).toEqual(["new on the side", "revised on the side"]);
    expect(await relayOf(second)).toMatchObject({ state: "offline", lastReceiptAt: null });
    await replica.close();

    world.proxy.restore();
    const again = await world.reopen(home);
    await converged(first, again);
    expect(await contentsOf(first)).toEqual(["from the first", "new on the side", "revised on the side"]);
    expect((await first.space.branches.list()).map(({ name, status }) => [name, status])).toEqual([
      ["main", "open"],
      ["side", "open"],
    ]);
  });

  test("[RP16] a space without a relay says so, and syncs with nobody", async () => {
    await using world = new World(81);
    const only = await world.found();
    await only.space.as({ agent: "a" }).remember({ content: "alone" });
    expect(await relayOf(only)).toMatchObject({ url: null, state: "none", missing: 0 });
    await expect(only.space.sync.whenSynced()).rejects.toMatchObject({ code: "RELAY_UNREACHABLE" });
    await expect(only.space.invite({ role: "read" })).rejects.toMatchObject({ code: "BAD_INPUT" });
  });
});

describe("the status", () => {
  test("[RP16] counts pending writes until each has a receipt", async () => {
    await using world = await World.withRelay(82);
    const first = await world.found("first");
    const agent = first.space.as({ agent: "a" });
    await agent.remember({ content: "acknowledged" });
    await synced(first);
    expect(await relayOf(first)).toMatchObject({ state: "synced", pending: 0, missing: 0 });

    world.proxy.cut();
    for (const content of numbered(3, "pending")) await agent.remember({ content });
    await until(
      "the line is seen to be down",
      [first],
      async () => (await relayOf(first)).state === "offline",
    );
    expect(await relayOf(first)).toMatchObject({ pending: 3, missing: 0 });
    let isSynced = false;
    const whenSynced = first.space.sync.whenSynced().then(() => {
      isSynced = true;
    });
    await agent.remember({ content: "one more" });
    expect(await relayOf(first)).toMatchObject({ pending: 4 });
    expect(isSynced).toBe(false);
    // Branches made of main have its changes, which are to be sent once.
    for (const name of numbered(5, "side")) await first.space.branches.create(name.replaceAll(" ", "-"));
    const waiting = await first.space.sync.status();
    expect(waiting.relay.pending).toBe(4);
    expect(waiting.documents.flatMap(({ kind, pending }) => (kind === "branch" ? [pending] : []))).toEqual(
      Array(6).fill(4),
    );

    world.proxy.restore();
    await whenSynced;
    const { relay, documents } = await first.space.sync.status();
    expect(relay).toMatchObject({ state: "synced", pending: 0 });
    expect(relay.lastReceiptAt).toBeGreaterThan(0);
    expect(documents.every(({ pending, behind }) => pending === 0 && behind === 0)).toBe(true);
  });

  test("[RP16] whenSynced waits for what the relay lists and is not here", async () => {
    await using world = await World.withRelay(83);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    await converged(first, second);
    await second.replica.close();
    await first.space.as({ agent: "a" }).remember({ content: "withheld" });
    await synced(first);
    const main = documentIdFromHex(mainBranchId(first.space.id));
    let isWithheld = true;
    world.proxy.filter = withholding((document) => isWithheld && document === main);
    const again = await world.reopen(second.home);
    await until("the device is behind", [again], async () => {
      const { documents } = await again.space.sync.status();
      return documents.some(({ name, behind }) => name === "main" && behind > 0);
    });
    expect((await relayOf(again)).state).toBe("pending");
    expect(await contentsOf(again)).toEqual([]);
    isWithheld = false;
    world.proxy.cut();
    world.proxy.restore();
    await synced(again);
    expect(await contentsOf(again)).toEqual(["withheld"]);
  });

  test("[RP17] names records that are missing, with who wrote them, until they come", async () => {
    await using world = await World.withRelay(84);
    const first = await world.found("first");
    const second = await world.join(first, "second");
    const { id } = await first.space.as({ agent: "a" }).remember({ content: "before" });
    await converged(first, second);
    await second.replica.close();
    await first.space.as({ agent: "a" }).revise(id, { content: "after", reason: "for the test" });
    const fresh = await first.space.as({ agent: "a" }).remember({ content: "only there" });
    await synced(first);
    const packs = (await first.space.sync.status()).documents.filter(({ kind }) => kind === "pack");
    const packIds = new Set(packs.map(({ documentId }) => documentId));
    let isWithheld = true;
    world.proxy.filter = withholding((document) => isWithheld && packIds.has(document));

    const again = await world.reopen(second.home);
    await until(
      "the reference is here and its record is not",
      [again],
      async () => (await relayOf(again)).missing === 2,
    );
    const status = await again.space.status();
    expect(status.missing.map(({ memory, writer }) => [memory, writer]).sort()).toEqual(
      [
        [id, "first"],
        [fresh.id, "first"],
      ].sort(),
    );
    expect(status.relay.state).toBe("pending");
    expect(await again.space.get(id)).toMatchObject({ content: "before" });
    expect((await again.space.get(id)).incomplete).toHaveLength(1);
    await expect(again.space.get(fresh.id)).rejects.toMatchObject({ code: "CONTENT_NOT_HERE" });

    // A write meanwhile may not throw the other side's edit away.
    await again.space.as({ agent: "b" }).revise(id, { tags: ["late"] });
    isWithheld = false;
    world.proxy.cut();
    world.proxy.restore();
    await converged(first, again);
    expect(await again.space.get(id)).toMatchObject({ content: "after", tags: ["late"] });
    expect((await again.space.status()).missing).toEqual([]);
  });
});
