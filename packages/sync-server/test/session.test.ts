import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { DocumentClient, testDocumentId } from "./support/document-client.js";
import { type Frame, RawClient } from "./support/raw-client.js";
import { RelayFixture } from "./support/relay-fixture.js";

const DOCUMENT = testDocumentId(1);

async function twoMembers(): Promise<
  { fixture: RelayFixture; anna: RawClient; ben: RawClient } & AsyncDisposable
> {
  const fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  const anna = await RawClient.join(fixture.url, token);
  const ben = await RawClient.join(fixture.url, token);
  return {
    fixture,
    anna,
    ben,
    async [Symbol.asyncDispose]() {
      await anna[Symbol.asyncDispose]();
      await ben[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

test("[RL10] a joining client is told who it speaks with, its space and role, the time and the generation", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  await using client = await RawClient.join(fixture.url, token);
  await using other = await RawClient.join(fixture.url, token);
  const peer = await client.next("peer");
  expect(peer).toMatchObject({
    targetId: "raw",
    peerMetadata: { isEphemeral: true },
    selectedProtocolVersion: "1",
  });
  expect((await other.next("peer")).senderId).not.toBe(peer.senderId);
  expect(await client.next("welcome")).toEqual({
    type: "welcome",
    space: "space-a",
    role: "admin",
    generation: fixture.relay.generation,
    time: fixture.timeMs,
    lastSeq: 0,
    protocol: 1,
  });
});

test("[RL11] what one client writes is receipted and reaches the others", async () => {
  await using setup = await twoMembers();
  const anna = new DocumentClient(setup.anna, DOCUMENT);
  const ben = new DocumentClient(setup.ben, DOCUMENT);
  anna.write("first", "from anna");
  expect(await anna.receipt()).toMatchObject({ seq: 1, generation: setup.fixture.relay.generation });
  ben.send("request");
  await ben.has("first", "from anna");
  ben.write("second", "from ben");
  await ben.receipt();
  await anna.has("second", "from ben");
  expect(anna.heads).toEqual(ben.heads);
});

test("[RL12] a request for what nobody has is answered, and met as soon as somebody has it", async () => {
  await using setup = await twoMembers();
  const ben = new DocumentClient(setup.ben, DOCUMENT);
  ben.send("request");
  await setup.ben.next("doc-unavailable", (frame) => frame.documentId === DOCUMENT);
  const anna = new DocumentClient(setup.anna, DOCUMENT);
  anna.write("late", "but here");
  await ben.has("late", "but here");
});

test("[RL2] to another space a document is unknown, and its own of the same id is another document", async () => {
  await using setup = await twoMembers();
  const anna = new DocumentClient(setup.anna, DOCUMENT);
  anna.write("secret", "of space a");
  await anna.receipt();
  const token = await setup.fixture.makeSpace("space-b");
  await using eve = await RawClient.join(setup.fixture.url, token);
  const stranger = new DocumentClient(eve, DOCUMENT);
  stranger.send("request");
  await eve.next("doc-unavailable");
  eve.send({ type: "fork", documentId: testDocumentId(2), from: DOCUMENT, heads: anna.heads });
  expect(await eve.next("refused")).toMatchObject({ code: "HEADS_NOT_HERE" });
  await eve.settled();
  expect((await eve.next("heads")).entries).toEqual([]);
  stranger.write("mine", "now");
  await stranger.receipt();
  anna.write("more", "of space a");
  await anna.receipt();
  await eve.settled();
  expect(stranger.doc).toEqual({ mine: "now" });
  expect(anna.doc).toEqual({ secret: "of space a", more: "of space a" });
});

test("[RL13] a list gives every document, then what changes, and goes on after a position", async () => {
  await using setup = await twoMembers();
  const anna = new DocumentClient(setup.anna, DOCUMENT);
  anna.write("a", "1");
  await anna.receipt();
  setup.ben.send({ type: "list" });
  const first = await setup.ben.next("heads");
  expect(first).toMatchObject({ complete: true, lastSeq: 1, generation: setup.fixture.relay.generation });
  expect(first.entries).toEqual([{ documentId: DOCUMENT, heads: anna.heads, seq: 1 }]);
  anna.write("a", "2");
  await anna.receipt();
  const live = await setup.ben.next("heads", ({ lastSeq }) => lastSeq === 2);
  expect(live.entries).toEqual([{ documentId: DOCUMENT, heads: anna.heads, seq: 2 }]);

  await using cara = await RawClient.join(
    setup.fixture.url,
    (await setup.fixture.makeToken("space-a", "read")).token,
  );
  cara.send({ type: "list", after: { generation: setup.fixture.relay.generation, seq: 2 } });
  expect((await cara.next("heads")).entries).toEqual([]);
  cara.send({ type: "list", after: { generation: "another", seq: 2 } });
  await cara.next("heads", ({ entries }) => entries?.length === 1);
});

test("[RL46] the end of a list repeats the number of the question, and nothing else does", async () => {
  await using setup = await twoMembers();
  setup.ben.send({ type: "list", ask: 7 });
  await setup.ben.next("heads", ({ ask, complete }) => ask === 7 && complete === true);
  const anna = new DocumentClient(setup.anna, DOCUMENT);
  anna.write("a", "1");
  const live = await setup.ben.next("heads", ({ lastSeq }) => lastSeq === 1);
  expect(live).not.toHaveProperty("ask");
});

test("[RL13] a long list comes in chunks of at most 500", async () => {
  await using setup = await twoMembers();
  const source = new DocumentClient(setup.anna, DOCUMENT);
  source.write("a", "1");
  await source.receipt();
  for (let number = 2; number <= 503; number += 1) {
    setup.anna.send({
      type: "fork",
      documentId: testDocumentId(number),
      from: DOCUMENT,
      heads: source.heads,
    });
  }
  await setup.anna.settled();
  await setup.ben.settled();
  const chunks = setup.ben.frames.filter(({ type }) => type === "heads");
  expect(chunks.map(({ entries }) => entries?.length)).toEqual([500, 3]);
  expect(chunks.map(({ complete }) => complete)).toEqual([false, true]);
  expect(new Set(chunks.flatMap(({ entries }) => entries?.map(({ documentId }) => documentId))).size).toBe(
    503,
  );
});

test("[RL14] a fork is the document as it was at those heads, durable when it is confirmed", async () => {
  await using setup = await twoMembers();
  const anna = new DocumentClient(setup.anna, DOCUMENT);
  anna.write("kept", "yes");
  const heads = anna.heads;
  anna.write("later", "not in the fork");
  await anna.receipt();
  const branch = testDocumentId(2);
  setup.anna.send({ type: "fork", documentId: branch, from: DOCUMENT, heads });
  expect(await setup.anna.next("forked")).toEqual({
    type: "forked",
    documentId: branch,
    from: DOCUMENT,
    heads,
  });
  await setup.fixture.restart();
  const { token } = await setup.fixture.makeToken("space-a", "read");
  await using client = await RawClient.join(setup.fixture.url, token);
  const ben = new DocumentClient(client, branch);
  ben.send("request");
  await ben.has("kept", "yes");
  expect(ben.doc).toEqual({ kept: "yes" });
  expect(ben.heads).toEqual(heads);
});

test("[RL14] a fork of unknown heads, or of nothing, is refused; asking twice is as asking once", async () => {
  await using setup = await twoMembers();
  const branch = testDocumentId(2);
  const unknown = "ab".repeat(32);
  const isAbout =
    (code: string) =>
    (frame: Frame): boolean =>
      frame.code === code;
  setup.anna.send({ type: "fork", documentId: branch, from: DOCUMENT, heads: [unknown] });
  await setup.anna.next("refused", isAbout("HEADS_NOT_HERE"));
  const anna = new DocumentClient(setup.anna, DOCUMENT);
  anna.write("a", "1");
  await anna.receipt();
  setup.anna.send({ type: "fork", documentId: branch, from: DOCUMENT, heads: [unknown] });
  await setup.anna.settled();
  expect(setup.anna.frames.filter(isAbout("HEADS_NOT_HERE"))).toHaveLength(2);
  for (const _ of ["once", "twice"])
    setup.anna.send({ type: "fork", documentId: branch, from: DOCUMENT, heads: anna.heads });
  await setup.anna.settled();
  expect(setup.anna.frames.filter(({ type }) => type === "forked")).toHaveLength(2);
});

test("[RL15] a receipt is given again for what is held already, and never for what is not", async () => {
  await using setup = await twoMembers();
  const anna = new DocumentClient(setup.anna, DOCUMENT);
  anna.write("a", "1");
  await anna.receipt();
  const again = new DocumentClient(setup.ben, DOCUMENT, A.clone(anna.doc));
  again.send();
  await again.receipt();
  // Says that it has a change, and never sends it.
  const ahead = A.change(A.clone(anna.doc), (notes) => {
    notes.a = "2";
  });
  const [, data] = A.generateSyncMessage(ahead, A.initSyncState());
  setup.ben.send({ type: "sync", documentId: DOCUMENT, data });
  await setup.ben.settled();
  expect(setup.ben.frames.filter(({ type }) => type === "receipt")).toHaveLength(1);
});

test("[RL16] a change that reuses an actor's number is refused, and nobody else is disturbed", async () => {
  await using setup = await twoMembers();
  const actor = "aa".repeat(16);
  const [one, two] = [A.from({ a: "1" }, { actor }), A.from({ a: "2" }, { actor })];
  const anna = new DocumentClient(setup.anna, DOCUMENT, one);
  anna.send();
  await anna.receipt();
  const changes = A.getAllChanges(two);
  const data = A.encodeSyncMessage({ heads: A.getHeads(two), need: [], have: [], changes });
  setup.ben.send({ type: "sync", documentId: DOCUMENT, data });
  expect(await setup.ben.next("refused")).toMatchObject({ documentId: DOCUMENT, code: "BAD_INPUT" });
  anna.write("b", "still works");
  await anna.receipt();
  await using cara = await RawClient.join(
    setup.fixture.url,
    (await setup.fixture.makeToken("space-a", "read")).token,
  );
  const reader = new DocumentClient(cara, DOCUMENT);
  reader.send("request");
  await reader.has("b", "still works");
  expect(reader.doc.a).toBe("1");
});
