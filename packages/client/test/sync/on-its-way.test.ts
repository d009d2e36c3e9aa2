/** What is written while the document it belongs into is on its way from the relay. */
import { documentIdFromHex, documentIdToHex, mainBranchId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { withholding } from "../support/withheld.js";
import { contentsOf, converged, type Device, synced, until, World } from "../support/world.js";

interface Withheld {
  readonly first: Device;
  readonly second: Device;
  /** Lets the documents through, on a new line. */
  readonly release: () => void;
}

/** The second device has asked for main, which the relay holds, and has nothing of it yet. */
async function withMainWithheld(world: World): Promise<Withheld> {
  const first = await world.found("first");
  await first.space.as({ agent: "a" }).remember({ content: "from the first" });
  await synced(first);
  const main = documentIdFromHex(mainBranchId(first.space.id));
  let asked = false;
  world.proxy.filter = (direction, frame) => {
    if (frame.type === "fetch" && frame.document === documentIdToHex(main)) asked = true;
    return withholding((document) => document === main)(direction, frame);
  };
  const second = await world.join(first, "second");
  await until("the second device has asked for main", [second], () => asked);
  const release = (): void => {
    world.proxy.filter = () => true;
    world.proxy.cut();
    world.proxy.restore();
  };
  return { first, second, release };
}

describe("a document on its way", () => {
  test("[RP31] takes writes: main is everybody's, and what was there comes to it", async () => {
    await using world = await World.withRelay(310);
    const { first, second, release } = await withMainWithheld(world);
    const agent = second.space.as({ agent: "b" });
    const { id } = await agent.remember({ content: "written meanwhile" });
    await agent.revise(id, { tags: ["revised meanwhile"] });
    release();
    await converged(first, second);
    expect(await contentsOf(first)).toEqual(["from the first", "written meanwhile"]);
  });

  test("[RP31] takes them also when the line breaks before it has come, and in a later session", async () => {
    await using world = await World.withRelay(311);
    const { first, second, release } = await withMainWithheld(world);
    world.proxy.cut();
    await until("the line is seen to be down", [second], async () => {
      return (await second.space.sync.status()).relay.state === "offline";
    });
    await second.space.as({ agent: "b" }).remember({ content: "written offline" });
    await second.replica.close();
    const again = await world.reopen(second.home, { connect: false });
    await again.space.as({ agent: "b" }).remember({ content: "written later" });
    expect(await contentsOf(again)).toEqual(["written later", "written offline"]);
    release();
    again.space.sync.start();
    await converged(first, again);
    expect(await contentsOf(first)).toEqual(["from the first", "written later", "written offline"]);
  });
});
