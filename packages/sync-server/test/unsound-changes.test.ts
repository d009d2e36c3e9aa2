import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { draws } from "../../core/test/support/random-documents.js";
import { rewritten, withoutDependencies, withStartOp } from "../../core/test/support/rewritten-changes.js";
import { automerge } from "../src/stock/wasm.js";
import { RawClient } from "./support/raw-client.js";
import { RelayFixture } from "./support/relay-fixture.js";
import { type Notes, StockDocument, testDocumentId } from "./support/stock-document.js";

const wasm = automerge();

const DOCUMENT = testDocumentId(1);
const ACTOR = "aa".repeat(16);

/** A writer with a document on the relay, and what one more change of theirs would be. */
async function stage(fixture: RelayFixture) {
  const token = await fixture.makeSpace("space");
  const client = await RawClient.join(fixture.url, token);
  const writer = new StockDocument(client, DOCUMENT, A.from<Notes>({ first: "1" }, ACTOR));
  writer.write("second", "2");
  await writer.stored();
  const twin = A.clone(writer.doc, ACTOR);
  // One operation on the root: nothing but its header can be wrong.
  const removal = A.change(twin, (notes) => {
    delete notes.first;
  });
  const next = A.getLastLocalChange(removal);
  return { token, client, writer, next: next as Uint8Array };
}

function write(doc: A.Doc<Notes>, key: string, value: string): A.Doc<Notes> {
  return A.change(doc, (notes) => {
    notes[key] = value;
  });
}

/** A sync message that brings `changes` and states what Automerge would. */
function bringing(heads: readonly string[], changes: readonly Uint8Array[]): Uint8Array {
  return wasm.encodeSyncMessage({ heads: [...heads], need: [], have: [], changes: [...changes], type: "v2" });
}

async function newDevice(fixture: RelayFixture, token: string): Promise<A.Doc<Notes>> {
  await using client = await RawClient.join(fixture.url, token);
  const device = new StockDocument(client, DOCUMENT);
  device.send("request");
  await client.until(() => device.doc.second === "2");
  return A.load<Notes>(A.save(device.doc));
}

for (const [name, spoil] of [
  ["another first operation", (bytes: Uint8Array) => withStartOp(bytes, 1)],
  ["a first operation far ahead", (bytes: Uint8Array) => withStartOp(bytes, 2 ** 31)],
  ["no dependencies", withoutDependencies],
] as const) {
  test(`[RL47] a change with ${name} is refused by hash, stored nowhere, and passed on to nobody`, async () => {
    await using fixture = await RelayFixture.start();
    const { token, client, writer, next } = await stage(fixture);
    await using other = await RawClient.join(fixture.url, token);
    const reader = new StockDocument(other, DOCUMENT);
    reader.send("request");
    await reader.has("second", "2");
    const bad = spoil(next);
    const hash = A.decodeChange(bad).hash;
    const data = bringing([hash], [bad]);
    client.send({ type: "sync", senderId: "raw", targetId: "relay", documentId: DOCUMENT, data });
    expect(String((await client.next("error")).message)).toContain(hash);

    writer.write("third", "an innocent one");
    await writer.stored();
    await reader.has("third", "an innocent one");
    expect(A.hasHeads(reader.doc, [hash])).toBe(false);
    await fixture.restart();
    expect(await newDevice(fixture, token)).toMatchObject({ second: "2", third: "an innocent one" });
  });
}

test("[RL47] of one message the sound changes are taken, those that rest on a refused one are not", async () => {
  await using fixture = await RelayFixture.start();
  const { token, client, writer } = await stage(fixture);
  const removal = A.change(A.clone(writer.doc, ACTOR), (notes) => {
    delete notes.first;
  });
  const bad = withStartOp(A.getLastLocalChange(removal) as Uint8Array, 200_000);
  const poisoned = A.applyChanges(A.clone(writer.doc), [bad])[0];
  const resting = A.getLastLocalChange(write(poisoned, "resting", "4")) as Uint8Array;
  const beside = A.getLastLocalChange(write(A.clone(writer.doc), "beside", "5"));
  const changes = [bad, resting, beside as Uint8Array];
  const hashes = changes.map((bytes) => A.decodeChange(bytes).hash);
  const data = bringing(hashes.slice(1), changes);
  client.send({ type: "sync", senderId: "raw", targetId: "relay", documentId: DOCUMENT, data });
  await client.next("error");
  const refused = fixture.events.find(({ type }) => type === "changes-refused");
  expect(refused).toMatchObject({
    documentId: DOCUMENT,
    changes: hashes.slice(0, 2).map((hash) => ({ hash })),
  });
  expect(await newDevice(fixture, token)).toMatchObject({ second: "2", beside: "5" });
});

test("[RL47] a whole document whose checksum is another is refused, also by a document that begins with it", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using client = await RawClient.join(fixture.url, token);
  const doc = A.from<Notes>({ first: "1", second: "2" }, ACTOR);
  const whole = A.save(doc);
  const garbled = whole.slice();
  garbled[whole.length >> 1] = (garbled[whole.length >> 1] ?? 0) ^ 1;
  const beside = A.from<Notes>({ beside: "3" }, "cd".repeat(16));
  const send = (...chunks: readonly Uint8Array[]) =>
    client.send({
      type: "sync",
      senderId: "raw",
      targetId: "relay",
      documentId: DOCUMENT,
      data: bringing(A.getHeads(doc), chunks),
    });
  send(garbled);
  await client.next("error");
  send(garbled, ...A.getAllChanges(beside)); // what else is in a message is taken
  await client.next("error");
  send(whole);
  await client.settled();
  expect(await newDevice(fixture, token)).toMatchObject({ first: "1", second: "2", beside: "3" });
});

test("[RL48] whatever is sent in the place of a change, the innocent go on and a new device loads the document", async () => {
  await using fixture = await RelayFixture.start();
  const { token, client, writer, next } = await stage(fixture);
  const draw = draws(48);
  for (let trial = 0; trial < 60; trial += 1) {
    const bytes = rewritten(next, draw);
    const chunks = draw(3) === 0 ? [bytes, next] : [bytes];
    const data = bringing(["ab".repeat(32)], chunks);
    client.send({ type: "sync", senderId: "raw", targetId: "relay", documentId: DOCUMENT, data });
    await client.settled();
  }
  await using innocent = await RawClient.join(fixture.url, token);
  const olga = new StockDocument(innocent, DOCUMENT);
  olga.send("request");
  await olga.has("second", "2");
  olga.write("olga", "was here");
  await olga.stored();
  await fixture.restart();
  expect((await newDevice(fixture, token)).olga).toBe("was here");
  expect(writer.doc.second).toBe("2");
});

test("[RL18] a Bloom filter without bits, at which Automerge panics, ends its own session and reaches no document", async () => {
  await using fixture = await RelayFixture.start();
  const { token, writer } = await stage(fixture);
  await using hostile = await RawClient.join(fixture.url, token);
  const have = [{ lastSync: [], bloom: Uint8Array.of(10, 0, 0) }];
  const data = wasm.encodeSyncMessage({ heads: ["ab".repeat(32)], need: [], have, changes: [], type: "v2" });
  hostile.send({ type: "sync", senderId: "raw", targetId: "relay", documentId: DOCUMENT, data });
  expect(await hostile.closed).toBe(4400);
  writer.write("after", "1");
  await writer.stored();
});
