import { catalogDocumentId, documentIdToHex, mainBranchId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { itemsOf, RelayProxy } from "../support/relay-proxy.js";
import { contentsOf, converged, type Device, numbered, synced, until, World } from "../support/world.js";

/** Lets so many frames through to the relay, then the device is dead to it. */
function dieAfter(world: World, frames: number): void {
  let left = frames;
  world.proxy.filter = (direction) => {
    if (direction === "from-relay") return true;
    left -= 1;
    if (left < 0) world.proxy.cut();
    return left >= 0;
  };
}

async function expectWhole({ space }: Device): Promise<void> {
  for (const { id, isHere } of await space.branches.list()) {
    // The catalog may name a branch whose document never left: it is refused, and not read as empty.
    if (!isHere) continue;
    const { memories } = await space.list({ branch: id });
    expect(memories.filter(({ incomplete }) => incomplete !== undefined)).toEqual([]);
    expect((await space.status({ branch: id })).missing).toEqual([]);
  }
}

describe("what leaves, and when", () => {
  test("[RP12] a device that dies after any frame leaves no memory without content on others", async () => {
    await using world = await World.withRelay(60);
    await using direct = await RelayProxy.start(world.relay.url);
    let writer = await world.found("writer");
    await synced(writer);
    const invitation = await writer.space.invite({ role: "write" });
    const home = world.newHome("observer");
    const replica = await world.open(home);
    const observer = {
      home,
      replica,
      space: await replica.joinSpace(invitation.replace(world.proxy.url, direct.url)),
    };
    for (let frames = 1; frames <= 24; frames += 1) {
      await writer.replica.close();
      writer = await world.reopen(writer.home, { connect: false });
      const agent = writer.space.as({ agent: "a" });
      const { id } = await agent.remember({ content: `first in ${frames}` });
      await agent.remember({ content: `second in ${frames}` });
      if (frames % 4 === 0) await agent.branches.create(`branch-${frames}`);
      await agent.revise(id, { content: `revised in ${frames}` });
      dieAfter(world, frames);
      writer.space.sync.start();
      await Promise.race([synced(writer), until("the line is cut", [writer], () => world.proxy.isCut)]);
      await synced(observer);
      await expectWhole(observer);
      world.proxy.filter = () => true;
      world.proxy.restore();
    }
    await writer.replica.close();
    writer = await world.reopen(writer.home);
    await converged(writer, observer);
    expect(await contentsOf(observer)).toHaveLength(48);
  });

  test("[RP12] [NW18] what a branch change refers to is in its batch or an earlier one: packs, the catalog, branches", async () => {
    await using world = await World.withRelay(61);
    const writer = await world.found("writer", { connect: false });
    const agent = writer.space.as({ agent: "a" });
    for (const content of numbered(3, "memory")) await agent.remember({ content });
    const { id } = await agent.branches.create("side");
    writer.space.sync.start();
    await synced(writer);
    await agent.remember({ content: "a fourth" }, { branch: "side" });
    await synced(writer);
    const { documents } = await writer.space.sync.status();
    expect(new Set(documents.map(({ kind }) => kind))).toEqual(new Set(["branch", "catalog", "pack"]));
    const batches = world.proxy.frames.flatMap(({ frame }) =>
      frame.type === "batch" ? [itemsOf(frame).map(({ document }) => kindOf(document))] : [],
    );
    const order = ["pack", "catalog", "branch"];
    const ranks = batches.map((kinds) => kinds.map((kind) => order.indexOf(kind)));
    for (const batch of ranks) expect(batch).toEqual(batch.toSorted((a, b) => a - b));
    expect(batches.at(-1)).toEqual(["pack", "branch"]);

    function kindOf(document: string): string {
      if (document === mainBranchId(writer.space.id) || document === id) return "branch";
      return document === documentIdToHex(catalogDocumentId(writer.space.id)) ? "catalog" : "pack";
    }
  });

  test("[NW18] a branch that was made of another is sent as a fork, and not all over again", async () => {
    await using world = await World.withRelay(62);
    const writer = await world.found("writer");
    const other = await world.join(writer, "other");
    const agent = writer.space.as({ agent: "a" });
    for (const content of numbered(5, "memory")) await agent.remember({ content });
    await converged(writer, other);
    const count = world.proxy.frames.length;
    const { id } = await agent.branches.create("side");
    await agent.remember({ content: "beside" }, { branch: "side" });
    await converged(writer, other);
    const sent = world.proxy.frames
      .slice(count)
      .flatMap(({ direction, frame }) => (direction === "to-relay" ? itemsOf(frame) : []))
      .filter(({ document }) => document === id);
    expect(sent.map(({ kind }) => kind)).toEqual(["fork", "change"]);
    expect(await contentsOf(other, "side")).toEqual([...numbered(5, "memory"), "beside"].sort());
  });
});
