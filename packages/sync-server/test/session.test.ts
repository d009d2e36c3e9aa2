import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { RawClient } from "./support/raw-client.js";
import { RelayFixture } from "./support/relay-fixture.js";
import { StockDocument, testDocumentId } from "./support/stock-document.js";

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

test("[RL10] a joining client is told who it speaks with, and keeps nothing about it", async () => {
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
});

test("[RL11] what one client writes is stored and reaches the others", async () => {
  await using setup = await twoMembers();
  const anna = new StockDocument(setup.anna, DOCUMENT);
  const ben = new StockDocument(setup.ben, DOCUMENT);
  anna.write("first", "from anna");
  await anna.stored();
  ben.send("request");
  await ben.has("first", "from anna");
  ben.write("second", "from ben");
  await ben.stored();
  await anna.has("second", "from ben");
  expect(anna.heads).toEqual(ben.heads);
});

test("[RL12] a request for what nobody has is answered, and met as soon as somebody has it", async () => {
  await using setup = await twoMembers();
  const ben = new StockDocument(setup.ben, DOCUMENT);
  ben.send("request");
  await setup.ben.next("doc-unavailable", (frame) => frame.documentId === DOCUMENT);
  const anna = new StockDocument(setup.anna, DOCUMENT);
  anna.write("late", "but here");
  await ben.has("late", "but here");
});

test("[RL12] a document that waits behind others to be stored is not called unavailable", async () => {
  await using setup = await twoMembers();
  const ids = Array.from({ length: 40 }, (_, at) => testDocumentId(0x700 + at));
  for (const id of ids) new StockDocument(setup.anna, id).write("from", "anna");
  // What anna has sent has arrived, and most of it has not had its turn.
  await setup.anna.next("sync");
  const last = new StockDocument(setup.ben, ids.at(-1) as string);
  last.send("request");
  await last.has("from", "anna");
  expect(setup.ben.frames.filter(({ type }) => type === "doc-unavailable")).toEqual([]);
});

test("[RL2] to another space a document is unknown, and its own of the same id is another document", async () => {
  await using setup = await twoMembers();
  const anna = new StockDocument(setup.anna, DOCUMENT);
  anna.write("secret", "of space a");
  await anna.stored();
  const token = await setup.fixture.makeSpace("space-b");
  await using eve = await RawClient.join(setup.fixture.url, token);
  const stranger = new StockDocument(eve, DOCUMENT);
  stranger.send("request");
  await eve.next("doc-unavailable");
  stranger.write("mine", "now");
  await stranger.stored();
  anna.write("more", "of space a");
  await anna.stored();
  await eve.settled();
  expect(stranger.doc).toEqual({ mine: "now" });
  expect(anna.doc).toEqual({ secret: "of space a", more: "of space a" });
});

test("[RL16] a change that reuses an actor's number is refused, and nobody else is disturbed", async () => {
  await using setup = await twoMembers();
  const actor = "aa".repeat(16);
  const [one, two] = [A.from({ a: "1" }, { actor }), A.from({ a: "2" }, { actor })];
  const anna = new StockDocument(setup.anna, DOCUMENT, one);
  anna.send();
  await anna.stored();
  const changes = A.getAllChanges(two);
  const data = A.encodeSyncMessage({ heads: A.getHeads(two), need: [], have: [], changes });
  setup.ben.send({ type: "sync", documentId: DOCUMENT, data });
  expect(String((await setup.ben.next("error")).message)).toContain(DOCUMENT);
  anna.write("b", "still works");
  await anna.stored();
  await using cara = await RawClient.join(
    setup.fixture.url,
    (await setup.fixture.makeToken("space-a", "read")).token,
  );
  const reader = new StockDocument(cara, DOCUMENT);
  reader.send("request");
  await reader.has("b", "still works");
  expect(reader.doc.a).toBe("1");
});
