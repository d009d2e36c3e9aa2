import { decodeSyncMessage } from "@automerge/automerge";
import { documentIdFromHex, mainBranchId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { type Frame, RelayProxy } from "../support/relay-proxy.js";
import { contentsOf, converged, type Device, numbered, synced, until, World } from "../support/world.js";

const carriesChanges = ({ type, data }: Frame): boolean =>
  type === "sync" && data !== undefined && decodeSyncMessage(data).changes.length > 0;

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

  test("[RP12] a branch change waits for the receipts of its records and of the catalog", async () => {
    await using world = await World.withRelay(61);
    const writer = await world.found("writer", { connect: false });
    const agent = writer.space.as({ agent: "a" });
    for (const content of numbered(3, "memory")) await agent.remember({ content });
    const main = documentIdFromHex(mainBranchId(writer.space.id));
    const receipted = new Set<string>();
    const broken: string[] = [];
    world.proxy.filter = (direction, frame) => {
      if (direction === "from-relay" && frame.type === "receipt") receipted.add(frame.documentId as string);
      if (
        direction === "to-relay" &&
        frame.documentId === main &&
        carriesChanges(frame) &&
        receipted.size < 2
      ) {
        broken.push("a branch change overtook its records");
      }
      return true;
    };
    writer.space.sync.start();
    await synced(writer);
    expect(broken).toEqual([]);
    const { documents } = await writer.space.sync.status();
    expect(documents.map(({ kind }) => kind).sort()).toEqual(["branch", "catalog", "pack"]);
    expect(receipted).toEqual(new Set(documents.map(({ documentId }) => documentId)));
  });

  test("[RP12] without receipts for records, no branch change leaves", async () => {
    await using world = await World.withRelay(62);
    const writer = await world.found("writer");
    const other = await world.join(writer, "other");
    await converged(writer, other);
    const main = documentIdFromHex(mainBranchId(writer.space.id));
    world.proxy.filter = (direction, { type }) =>
      direction === "to-relay" || !["receipt", "heads"].includes(type);
    const count = world.proxy.frames.length;
    const sent = () =>
      world.proxy.frames
        .slice(count)
        .filter(({ direction }) => direction === "to-relay")
        .map(({ frame }) => frame);
    await writer.space.as({ agent: "a" }).remember({ content: "Withheld." });
    // Each is a whole conversation with the relay: time enough for a frame that does not wait.
    for (let round = 0; round < 5; round += 1) await writer.space.invite({ role: "read" });
    expect(sent().some((frame) => frame.documentId !== main && carriesChanges(frame))).toBe(true);
    expect(sent().some((frame) => frame.documentId === main && carriesChanges(frame))).toBe(false);
    expect((await writer.space.sync.status()).relay).toMatchObject({ state: "pending", pending: 1 });
    world.proxy.filter = () => true;
    world.proxy.cut();
    world.proxy.restore();
    await converged(writer, other);
    expect(sent().some((frame) => frame.documentId === main && carriesChanges(frame))).toBe(true);
  });
});
