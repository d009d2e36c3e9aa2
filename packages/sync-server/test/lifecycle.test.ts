import { connect } from "node:net";
import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { RawClient } from "./support/raw-client.js";
import { RelayFixture } from "./support/relay-fixture.js";
import { StockDocument, testDocumentId } from "./support/stock-document.js";

const DOCUMENT = testDocumentId(1);

test("[RL40] an idle document leaves memory and comes back when it is asked for, for sessions still open", async () => {
  await using fixture = await RelayFixture.start({ idleDocumentMs: 1_000 });
  const token = await fixture.makeSpace("space-a");
  await using writing = await RawClient.join(fixture.url, token);
  await using watching = await RawClient.join(fixture.url, token);
  const writer = new StockDocument(writing, DOCUMENT);
  const watcher = new StockDocument(watching, DOCUMENT);
  for (let count = 1; count <= 40; count += 1) writer.write("a", `${count}`);
  await writer.stored();
  watcher.send("request");
  await watcher.has("a", "40");
  await watching.settled();
  await watching.settled();
  await writing.settled();
  fixture.timeMs += 1_000;
  fixture.timers.tick();
  expect(fixture.events).toContainEqual({ level: "debug", type: "evicted", documents: 2 });
  writer.write("a", "41");
  await writer.stored();
  await watcher.has("a", "41");
});

test("[RL41] stopping finishes what has arrived, ends sessions with 1001 and frees the port; twice is as once", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  const client = await RawClient.join(fixture.url, token);
  const writer = new StockDocument(client, DOCUMENT);
  writer.write("a", "1");
  await writer.stored();
  const { port } = fixture.relay;
  const [first, second] = [fixture.relay.close(), fixture.relay.close()];
  expect(second).toBe(first);
  expect(await client.closed).toBe(1001);
  await first;
  const refused = await new Promise((resolve) => {
    connect(port, "127.0.0.1").on("error", resolve);
  });
  expect(refused).toMatchObject({ code: "ECONNREFUSED" });
  expect(fixture.events.at(-1)).toEqual({ level: "info", type: "stopped" });
});

test("[RL42] a session that gives no sign of life is ended, and one that never joins too", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  await using lively = await RawClient.join(fixture.url, token);
  const dead = await RawClient.join(fixture.url, token);
  const silent = await RawClient.open(fixture.url, token);
  dead.setReading(false);
  fixture.timers.tick();
  await lively.settled();
  fixture.timers.tick();
  expect(await silent.closed).toBe(4400);
  dead.setReading(true);
  expect(await dead.closed).toBe(1006);
  await lively.settled();
});

test("[RL43] a client that does not read costs a bounded amount of memory, and catches up when it reads", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space-a");
  await using writing = await RawClient.join(fixture.url, token);
  await using slow = await RawClient.join(fixture.url, token);
  const documents = [1, 2, 3, 4].map(testDocumentId);
  const writers = documents.map((documentId) => new StockDocument(writing, documentId));
  const readers = documents.map((documentId) => new StockDocument(slow, documentId));
  for (const reader of readers) reader.send("request");
  await slow.settled();
  slow.setReading(false);
  // 8 MB in all: more than the kernel's buffers and the relay's bound together.
  for (let round = 1; round <= 8; round += 1) {
    for (const writer of writers) {
      writer.doc = A.change(writer.doc, (notes) => {
        Object.assign(notes, { noise: seededNoise(round), round: `${round}` });
      });
      writer.send();
    }
    for (const writer of writers) await writer.stored();
  }
  slow.setReading(true);
  for (const reader of readers) await reader.has("round", "8");
  expect(readers.map(({ heads }) => heads)).toEqual(writers.map(({ heads }) => heads));
  // One message per change would be 32; what waited for the client was put together instead.
  expect(slow.frames.filter(({ data }) => (data?.length ?? 0) > 100_000).length).toBeLessThan(28);
});

/** 250 KB that do not compress. */
function seededNoise(seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: 250_000 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 0xff;
  });
}
