import { DatabaseSync } from "node:sqlite";
import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { withStartOp } from "../../core/test/support/rewritten-changes.js";
import { DocumentClient, type Notes, testDocumentId } from "./support/document-client.js";
import { RawClient } from "./support/raw-client.js";
import { RelayFixture } from "./support/relay-fixture.js";

const DOCUMENT = testDocumentId(1);

/** What a relay stored before it checked changes. */
async function storedBefore(fixture: RelayFixture, store: (file: DatabaseSync, bad: A.Doc<Notes>) => void) {
  const token = await fixture.makeSpace("space");
  await using client = await RawClient.join(fixture.url, token);
  const writer = new DocumentClient(client, DOCUMENT, A.from<Notes>({ first: "1" }, "aa".repeat(16)));
  writer.write("second", "2");
  await writer.receipt();
  await fixture.relay.close();
  const change = A.change(A.clone(writer.doc, "cc".repeat(16)), (notes) => {
    delete notes.first;
  });
  const bad = withStartOp(A.getLastLocalChange(change) as Uint8Array, 1);
  const file = new DatabaseSync(`${fixture.dataDir}/relay.sqlite`);
  store(file, A.applyChanges(A.clone(writer.doc), [bad])[0]);
  file.prepare("UPDATE documents SET seq = 50").run();
  file.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES ('lastSeq', 50)").run();
  file.close();
  await fixture.restart();
  return { token, writer };
}

const headsOf = (doc: A.Doc<Notes>): Uint8Array => Buffer.from(A.getHeads(doc).join(""), "hex");

test("[RL49] a bad change that was stored before is set aside with its bytes, and the rest is served", async () => {
  await using fixture = await RelayFixture.start();
  const { token } = await storedBefore(fixture, (file, doc) => {
    const bytes = A.getAllChanges(doc).at(-1) as Uint8Array;
    const hash = Buffer.from(A.decodeChange(bytes).hash, "hex");
    file.prepare("INSERT INTO changes VALUES (50, ?, ?, ?)").run(DOCUMENT, hash, bytes);
    file.prepare("UPDATE documents SET heads = ?").run(headsOf(doc));
  });
  await using client = await RawClient.join(fixture.url, token);
  client.send({ type: "list" });
  const device = new DocumentClient(client, DOCUMENT);
  device.send("request");
  await device.has("second", "2");
  expect(A.load<Notes>(A.save(device.doc))).toEqual({ first: "1", second: "2" });
  expect(fixture.events).toContainEqual(
    expect.objectContaining({
      type: "changes-set-aside",
      documentId: DOCUMENT,
      changes: [expect.anything()],
    }),
  );
  await client.next("heads", ({ entries }) => entries?.some(({ seq }) => seq === 51) === true);
  device.write("third", "3");
  await device.receipt();
  await fixture.relay.close();
  const file = new DatabaseSync(`${fixture.dataDir}/relay.sqlite`);
  expect(file.prepare("SELECT count(*) AS count FROM set_aside").get()).toEqual({ count: 1 });
  file.close();
});

test("[RL49] of a stored document that does not load at all, nothing is left, and replicas send it again", async () => {
  await using fixture = await RelayFixture.start();
  const { token, writer } = await storedBefore(fixture, (file, doc) => {
    file.prepare("INSERT OR REPLACE INTO snapshots VALUES (?, 50, ?)").run(DOCUMENT, A.save(doc));
    file.prepare("DELETE FROM changes").run();
    file.prepare("UPDATE documents SET heads = ?").run(headsOf(doc));
  });
  await using client = await RawClient.join(fixture.url, token);
  const again = new DocumentClient(client, DOCUMENT, A.clone(writer.doc));
  again.send();
  await again.receipt();
  await using other = await RawClient.join(fixture.url, token);
  const device = new DocumentClient(other, DOCUMENT);
  device.send("request");
  await device.has("second", "2");
});

test("[RL49] a saved document takes the place of changes only after it was loaded again", async () => {
  await using fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await using client = await RawClient.join(fixture.url, token);
  const writer = new DocumentClient(client, DOCUMENT, A.from<Notes>({ first: "1" }));
  for (let step = 0; step < 40; step += 1) writer.write(`key ${step}`, "value");
  await writer.receipt();
  await client.settled();
  await fixture.relay.close();
  const file = new DatabaseSync(`${fixture.dataDir}/relay.sqlite`);
  const { bytes } = file.prepare("SELECT bytes FROM snapshots").get() as { bytes: Uint8Array };
  expect(A.load<Notes>(bytes)).toMatchObject({ "key 30": "value" });
  file.close();
});
