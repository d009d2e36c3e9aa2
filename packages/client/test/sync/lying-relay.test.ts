/** A relay that lies: it has no key, and may put, move, hold back and show what it likes. */
import { join } from "node:path";
import * as A from "@automerge/automerge";
import { type DocumentId, documentIdFromHex, mainBranchId } from "@cambium/core";
import { describe, expect, test } from "vitest";
import { loadInPieces } from "../../src/documents/in-pieces.js";
import { openStore } from "../../src/replica/space-files.js";
import type { DocumentRow } from "../../src/storage/store.js";
import { encodeInvitation, parseInvitation } from "../../src/sync/invitation.js";
import { Liar } from "../support/liar.js";
import { tradedToken } from "../support/stranger.js";
import { contentsOf, converged, type Device, synced, until, World } from "../support/world.js";

const noticesOf = async ({ space }: Device): Promise<readonly string[]> => (await space.status()).notices;
const told = (device: Device, words: string): Promise<void> =>
  until("it is told", [device], async () =>
    (await noticesOf(device)).some((notice) => notice.includes(words)),
  );

/** Not through the proxy: it is the relay itself that lies. */
async function liarsAccess(world: World, { space }: Device): Promise<ConstructorParameters<typeof Liar>[0]> {
  const token = await tradedToken(await space.invite({ role: "write" }));
  return { url: world.relay.url, token, space: space.id };
}

/** As an earlier version would: everything that came is in the document. */
async function takeIn(
  { home, space }: Device,
  document: DocumentId,
  change: (doc: A.Doc<unknown>) => A.Doc<unknown>,
): Promise<void> {
  await using store = await openStore("sqlite", join(home.dir, "spaces", space.id));
  const spoilt = change(loadInPieces((await store.loadRange([document])).flatMap(({ data }) => data ?? [])));
  store.transact(() => {
    void store.removeRange([document, "snapshot"]);
    void store.removeRange([document, "incremental"]);
    void store.save([document, "snapshot", "spoilt"], A.save(spoilt));
    store.putRow({ ...(store.row(document) as DocumentRow), localHeads: A.getHeads(spoilt) });
  });
  await store.flushed();
}

describe("changes that are put where they do not belong", () => {
  test("[RP60] changes of a branch that are moved into main hide nothing, are told of, and count once merged", async () => {
    await using world = await World.withRelay(660);
    const first = await world.found("first");
    const agent = first.space.as({ agent: "ann" });
    const { id } = await agent.remember({ content: "on main" });
    const draft = await agent.branches.create("draft");
    await agent.forget(id, { branch: "draft" });
    await agent.remember({ content: "only on draft" }, { branch: "draft" } as never);
    const second = await world.join(first, "second");
    await converged(first, second);

    await using liar = new Liar(await liarsAccess(world, first));
    expect(await liar.transplant(draft.id, mainBranchId(first.space.id))).toBe(2);
    for (const device of [first, second]) {
      await told(device, "of another branch that no merge brought there");
      expect(await contentsOf(device)).toEqual(["on main"]);
      expect((await device.space.log()).changes.map(({ type }) => type)).toEqual(["remember"]);
      expect(await device.space.verify()).toMatchObject({
        ok: true,
        keptOut: [{ place: "main", unsigned: 0, elsewhere: 2 }],
      });
    }
    const third = await world.join(first, "third");
    await converged(first, second, third);
    expect(await contentsOf(third)).toEqual(["on main"]);

    const ben = second.space.as({ agent: "ben" });
    expect(await ben.merge({ from: "draft", preview: true })).toMatchObject({ status: "preview" });
    await ben.merge({ from: "draft" });
    await converged(first, second, third);
    for (const device of [first, second, third]) {
      expect(await contentsOf(device)).toEqual(["only on draft"]);
      expect((await noticesOf(device)).join()).not.toContain("no merge");
    }
  });
});

test("[RP61] a flood of changes that no member made costs a document nothing and is counted", async () => {
  await using world = await World.withRelay(661);
  const first = await world.found("first");
  const agent = first.space.as({ agent: "ann" });
  await agent.remember({ content: "kept" });
  const second = await world.join(first, "second");
  await converged(first, second);
  const main = mainBranchId(first.space.id);
  const heads = (await second.space.status()).branch.head;
  await using liar = new Liar(await liarsAccess(world, first));
  await liar.addUnsigned(main, 200);
  await told(second, "In main, 200 changes that no member made");
  expect((await second.space.status()).branch.head).toEqual(heads);

  await agent.remember({ content: "after" });
  await converged(first, second);
  expect(await contentsOf(second)).toEqual(["after", "kept"]);
  await second.replica.close();
  const again = await world.reopen(second.home);
  await told(again, "In main, 200 changes that no member made");
  expect(await again.space.verify({ clean: true })).toMatchObject({ ok: true, cleaned: 200 });
  expect(await again.space.verify({ clean: true })).toMatchObject({ ok: true, cleaned: 0 });
  expect((await noticesOf(again)).join()).not.toContain("no member");
});

test("[RL193] a change that an older version built on one that no member made counts on other devices, and is told of", async () => {
  await using world = await World.withRelay(693);
  const first = await world.found("first");
  const ann = first.space.as({ agent: "ann" });
  await ann.remember({ content: "one" });
  const second = await world.join(first, "second");
  await converged(first, second);
  const main = mainBranchId(first.space.id);
  await using liar = new Liar(await liarsAccess(world, first));
  await first.replica.close();
  await liar.addUnsigned(main, 3);
  await told(second, "In main, 3 changes that no member made");
  const document = documentIdFromHex(main);
  const [doc] = A.applyChanges(A.init(), [...(await liar.changesOf(main))]);
  await takeIn(first, document, () => doc);
  const again = await world.reopen(first.home);
  await again.space.as({ agent: "ann" }).remember({ content: "two" });
  const third = await world.join(again, "third");
  await converged(again, second, third);
  await third.space.as({ agent: "ben" }).remember({ content: "three" });
  await converged(again, second, third);
  for (const device of [again, second, third]) {
    expect(await contentsOf(device)).toEqual(["one", "three", "two"]);
    expect(await device.space.verify()).toMatchObject({
      ok: true,
      keptOut: [{ place: "main", unsigned: 3 }],
    });
    // Others build on these: they cannot be removed, and change nothing.
    expect(await device.space.verify({ clean: true })).toMatchObject({ ok: true, cleaned: 0 });
  }
});

test("[RP67] cleaning takes out what an earlier version took in, and nothing that counts", async () => {
  await using world = await World.withRelay(667);
  const first = await world.found("first");
  const agent = first.space.as({ agent: "ann" });
  await agent.remember({ content: "one" });
  await agent.branches.create("work");
  await agent.remember({ content: "on work" }, { branch: "work" } as never);
  await agent.remember({ content: "two" });
  await agent.merge({ from: "work" });
  const main = documentIdFromHex(mainBranchId(first.space.id));
  await synced(first);
  const heads = (await first.space.status()).branch.head;
  await first.replica.close();
  await takeIn(first, main, (doc) => A.emptyChange(A.clone(doc), { time: 0 }));
  const again = await world.reopen(first.home, { connect: false });
  expect((await again.space.status()).branch.head).not.toEqual(heads);
  expect(await again.space.verify()).toMatchObject({
    keptOut: [{ place: "main", unsigned: 1, elsewhere: 0 }],
  });
  expect(await again.space.verify({ clean: true })).toMatchObject({ ok: true, cleaned: 1 });
  expect((await again.space.status()).branch.head).toEqual(heads);
  expect(await contentsOf(again)).toEqual(["on work", "one", "two"]);
  await again.space.as({ agent: "ann" }).remember({ content: "three" });
  again.space.sync.start();
  const second = await world.join(again, "second");
  await converged(again, second);
  expect(await contentsOf(second)).toEqual(["on work", "one", "three", "two"]);
});

test("[RP62] a number that nobody's change took is not this device's fault, and its writes go out under another", async () => {
  await using world = await World.withRelay(662);
  const first = await world.found("first");
  const agent = first.space.as({ agent: "ann" });
  await agent.remember({ content: "base" });
  const second = await world.join(first, "second");
  await converged(first, second);
  const main = mainBranchId(first.space.id);
  await using liar = new Liar(await liarsAccess(world, first));
  world.proxy.cut();
  await agent.remember({ content: "offline 1" });
  await agent.remember({ content: "offline 2" });
  await liar.takeNextNumber(main);
  world.proxy.restore();
  await converged(first, second);
  expect(await contentsOf(second)).toEqual(["base", "offline 1", "offline 2"]);
  const notices = (await noticesOf(first)).join("\n");
  expect(notices).toContain("that no member made; this replica now writes under epoch");
  expect(notices).not.toContain("went back in time");
  await agent.remember({ content: "later" });
  await converged(first, second);
  expect(await contentsOf(second)).toContain("later");
});

test("[RP65] a relay that goes back in time is told of by what others had seen, until it has got it again", async () => {
  await using world = await World.withRelay(665);
  const first = await world.found("first");
  const agent = first.space.as({ agent: "ann" });
  await agent.remember({ content: "one" });
  const work = await agent.branches.create("work");
  const second = await world.join(first, "second");
  await converged(first, second);
  const ben = second.space.as({ agent: "ben" });
  await ben.remember({ content: "on work" }, { branch: "work" } as never);
  await converged(first, second);
  const invitation = await first.space.invite({ role: "write" });
  const access = await liarsAccess(world, first);
  let before = "";
  await world.restartRelay(() => {
    before = `${world.relayDir}-before`;
    world.copy(world.relayDir, before);
  });
  await agent.remember({ content: "two" });
  await converged(first, second);
  world.clock.advance(120_000);
  await ben.remember({ content: "on work later" }, { branch: "work" } as never);
  await converged(first, second);
  const later: Uint8Array[] = [];
  {
    await using liar = new Liar(access);
    later.push(...(await liar.changesOf(work.id)));
  }
  await Promise.all([first.replica.close(), second.replica.close()]);

  await world.restartRelay(() => world.copy(before, world.relayDir));
  const home = world.newHome("third");
  const replica = await world.open(home);
  const third = { home, replica, space: await replica.joinSpace(invitation) };
  await synced(third);
  expect(await contentsOf(third)).toEqual(["one"]);
  await using liar = new Liar(access);
  await liar.put(work.id, later.slice(-1));
  await told(third, "second has seen ");
  const [withheld] = (await third.space.sync.status()).withheld ?? [];
  expect(withheld?.changes).toBeGreaterThan(0);

  const again = await world.reopen(first.home);
  await converged(again, third);
  await until("it has come", [third], async () => (await third.space.sync.status()).withheld === undefined);
  expect(await contentsOf(third)).toEqual(["one", "two"]);
});

test("[RP64] a device that joins through a relay that went back in time is told, until all is there", async () => {
  await using world = await World.withRelay(664);
  const first = await world.found("first");
  const agent = first.space.as({ agent: "ann" });
  await agent.remember({ content: "one" });
  const spare = await first.space.invite({ role: "write" });
  await synced(first);
  let before = "";
  await world.restartRelay(() => {
    before = `${world.relayDir}-before`;
    world.copy(world.relayDir, before);
  });
  await agent.remember({ content: "two: the old one is WRONG" });
  await synced(first);
  await synced(first);
  const late = await first.space.invite({ role: "write" });
  await first.replica.close();
  await world.restartRelay(() => world.copy(before, world.relayDir));

  const { seen } = parseInvitation(late);
  expect(seen?.heads.length).toBeGreaterThan(1);
  const home = world.newHome("second");
  const replica = await world.open(home);
  const second = {
    home,
    replica,
    space: await replica.joinSpace(encodeInvitation({ ...parseInvitation(spare), seen })),
  };
  await synced(second);
  await told(second, "Whoever invited this device had seen");
  expect(await contentsOf(second)).toEqual(["one"]);
  const again = await world.reopen(first.home);
  await converged(again, second);
  await until("it has come", [second], async () => (await second.space.sync.status()).withheld === undefined);
  expect((await noticesOf(again)).join()).not.toContain("went back in time");
});
