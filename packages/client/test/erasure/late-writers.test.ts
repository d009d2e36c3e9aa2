/** What reaches the relay after a pack was retired and before the relay has heard of that. */
import { createHash } from "node:crypto";
import * as A from "@automerge/automerge";
import { readChangeHeader } from "@cambium/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chunkTools } from "../../src/platform/node-platform.js";
import { Liar } from "../support/liar.js";
import { itemsOf } from "../support/relay-proxy.js";
import { tradedToken } from "../support/stranger.js";
import { allSynced, contentsOf, type Device, synced, World } from "../support/world.js";

const SECRET = "The door code of the Zwyvernhof is 4711-Quixamber";
const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => void process.on("unhandledRejection", note));
afterEach(() => {
  process.off("unhandledRejection", note);
  expect(unhandled.splice(0)).toEqual([]);
});

/** Ada erases from Bob's pack while she is away. */
async function erasedAway(
  world: World,
): Promise<{ readonly ada: Device; readonly bob: Device; readonly token: string }> {
  const ada = await world.found();
  const bob = await world.join(ada, "bob");
  const asBob = bob.space.as({ agent: "bob" });
  const { id } = await asBob.remember({ content: SECRET });
  await asBob.remember({ content: "Bob drinks tea" });
  await synced(bob);
  await synced(ada);
  const token = await tradedToken(await ada.space.invite({ role: "write" }));
  await ada.space.sync.stop();
  await ada.space.as({ confirmed: true }).erase({ ids: [id] });
  return { ada, bob, token };
}

async function expectErased(world: World, ada: Device): Promise<void> {
  expect(await ada.space.erasures()).toMatchObject([{ isDoneHere: true, relay: "destroyed" }]);
  expect(await ada.space.traces([SECRET], { paths: [world.relayDir] })).toEqual([]);
}

/** It passes for a change until all of it is read. */
function unreadable(chunk: Uint8Array): Uint8Array {
  for (let at = chunk.length - 1; at > 0; at -= 1) {
    const spoilt = Uint8Array.from(chunk, (byte, place) => (place === at ? byte ^ 0x55 : byte));
    spoilt.set(createHash("sha256").update(spoilt.subarray(8)).digest().subarray(0, 4), 4);
    try {
      readChangeHeader(spoilt, chunkTools);
    } catch {
      continue;
    }
    try {
      A.decodeChange(spoilt);
    } catch {
      return spoilt;
    }
  }
  throw new Error("Nothing spoils it.");
}

test("[RL190] what a device wrote before the relay heard of the retirement is carried, though it never comes back", async () => {
  await using world = await World.withRelay(190);
  const { ada, bob } = await erasedAway(world);
  const late = await bob.space.as({ agent: "bob" }).remember({ content: "written late" });
  await synced(bob);
  await bob.replica.close();
  ada.space.sync.start();
  await synced(ada);
  await expectErased(world, ada);
  const carl = await world.join(ada, "carl");
  await synced(carl);
  for (const device of [ada, carl]) {
    expect(await contentsOf(device)).toEqual(["Bob drinks tea", "written late"]);
    expect(await device.space.get(late.id)).toMatchObject({ record: late.record });
    expect((await device.space.status()).missing).toEqual([]);
    expect((await device.space.verify()).ok).toBe(true);
  }
});

test("[RL191] what no member made goes with a retired pack, and does not keep it", async () => {
  await using world = await World.withRelay(191);
  const { ada, bob, token } = await erasedAway(world);
  const pack = (await bob.space.sync.status()).documents.find(({ kind }) => kind === "pack");
  await using liar = new Liar({ url: world.relay.url, token, space: bob.space.id });
  const document = pack?.documentId ?? "";
  const changes = [...(await liar.changesOf(document))];
  const putting = (key: string): Uint8Array => {
    const [doc] = A.applyChanges(A.init<Record<string, Record<string, unknown>>>(), changes);
    const after = A.change(doc, { time: 1 }, (draft) => {
      (draft.parts as Record<string, unknown>)[key.repeat(32)] = new Uint8Array([1, 2, 3]);
    });
    return A.getLastLocalChange(after) as Uint8Array;
  };
  await liar.put(document, [putting("ab"), unreadable(putting("cd"))]);
  await bob.space.as({ agent: "bob" }).remember({ content: "written late" });
  await synced(bob);
  await bob.replica.close();
  ada.space.sync.start();
  await synced(ada);
  await expectErased(world, ada);
  expect(await contentsOf(ada)).toEqual(["Bob drinks tea", "written late"]);
  expect((await ada.space.verify()).ok).toBe(true);
});

test("[ER18] [ER20] erased while it is on its way to the relay, it is gone from there and from whoever got it", async () => {
  for (const [seed, when] of ["passing", "kept back", "unanswered"].entries()) {
    await using world = await World.withRelay(195 + seed);
    const ada = await world.found();
    const bob = await world.join(ada, "bob");
    await synced(bob);
    const asBob = bob.space.as({ agent: "bob" });
    const { id } = await asBob.remember({ content: SECRET });
    const tea = await asBob.remember({ content: "Bob drinks tea" });
    await synced(bob);
    await asBob.revise(id, { content: `${SECRET}, revised` });
    const under = Promise.withResolvers<void>();
    let isMet = false;
    world.proxy.filter = (direction, frame) => {
      const isSent = direction === "to-relay" && itemsOf(frame).length > 0;
      const isReceipt = direction === "from-relay" && frame.type === "receipt";
      if (isMet || !(when === "unanswered" ? isReceipt : isSent)) return true;
      isMet = true;
      under.resolve();
      return when === "passing";
    };
    await asBob.revise(id, { content: `${SECRET}, revised again` });
    await under.promise;
    await bob.space.as({ role: "owner", confirmed: true }).erase({ ids: [id] });
    if (when !== "passing") {
      world.proxy.cut(); // whoever waits for an answer tries again on another line
      world.proxy.restore();
    }
    await allSynced(bob, ada);
    for (const device of [ada, bob]) {
      expect(await contentsOf(device), when).toEqual(["Bob drinks tea"]);
      expect(await device.space.get(tea.id)).toMatchObject({ record: tea.record });
      expect(await device.space.traces([SECRET, "zwyvernhof"]), when).toEqual([]);
      expect(await device.space.erasures()).toMatchObject([{ relay: "destroyed", waiting: [] }]);
    }
    expect(await ada.space.traces([SECRET, "zwyvernhof"], { paths: [world.relayDir] }), when).toEqual([]);
  }
});
