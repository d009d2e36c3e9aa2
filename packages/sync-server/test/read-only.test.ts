import * as A from "@automerge/automerge";
import fc from "fast-check";
import { expect, test } from "vitest";
import { RawClient } from "./support/raw-client.js";
import { RelayFixture } from "./support/relay-fixture.js";
import { type Notes, StockDocument, testDocumentId } from "./support/stock-document.js";

const DOCUMENT = testDocumentId(1);

async function writerAndReader() {
  const fixture = await RelayFixture.start();
  await fixture.makeSpace("space-a");
  const writer = await RawClient.join(fixture.url, (await fixture.makeToken("space-a", "write")).token);
  const reader = await RawClient.join(fixture.url, (await fixture.makeToken("space-a", "read")).token);
  return {
    fixture,
    writer,
    reader,
    async [Symbol.asyncDispose]() {
      await writer[Symbol.asyncDispose]();
      await reader[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

/** What the relay has stored, as the document's own client would load it. */
async function storedNotes(fixture: RelayFixture): Promise<Notes> {
  const { token } = await fixture.makeToken("space-a", "read");
  const response = await fixture.call("GET", `/spaces/space-a/documents/${DOCUMENT}`, token);
  return A.load<Notes>(new Uint8Array(await response.arrayBuffer()));
}

test("[RL17] a reader receives everything; nothing it writes is stored or passed on, and it is told so", async () => {
  await using setup = await writerAndReader();
  const writer = new StockDocument(setup.writer, DOCUMENT);
  const reader = new StockDocument(setup.reader, DOCUMENT);
  writer.write("first", "from the writer");
  await writer.stored();
  reader.send("request");
  await reader.has("first", "from the writer");
  for (const round of ["1", "2", "3"]) {
    reader.write("forbidden", round);
    writer.write("allowed", round);
    await writer.stored();
    await reader.has("allowed", round);
  }
  await setup.reader.settled();
  expect(writer.doc).toEqual({ first: "from the writer", allowed: "3" });
  expect(await storedNotes(setup.fixture)).toEqual(writer.doc);
  const told = setup.reader.frames.filter(({ type }) => type === "error");
  expect(told.map(({ message }) => message)).toEqual([expect.stringContaining("may only read")]);
  // It does not go back and forth for ever about what will never be taken.
  expect(setup.reader.frames.filter(({ type }) => type === "sync").length).toBeLessThan(30);
});

test("[RL17] a reader cannot make a document", async () => {
  await using setup = await writerAndReader();
  const reader = new StockDocument(setup.reader, DOCUMENT);
  reader.write("mine", "now");
  await setup.reader.next("doc-unavailable");
  const { token } = await setup.fixture.makeToken("space-a", "read");
  const path = `/spaces/space-a/documents/${DOCUMENT}`;
  expect((await setup.fixture.call("GET", path, token)).status).toBe(404);
});

test("[RL17] no forged sync message of a reader changes anything", async () => {
  await using setup = await writerAndReader();
  const writer = new StockDocument(setup.writer, DOCUMENT);
  writer.write("kept", "as it was");
  await writer.stored();
  const before = writer.heads;
  const forged = forgedChanges(writer.doc);
  const message = fc.record({
    type: fc.constantFrom("sync", "request"),
    heads: fc.subarray([...before, ...forged.heads]),
    need: fc.subarray([...before, ...forged.heads]),
    have: fc.subarray([{ lastSync: [...before], bloom: new Uint8Array() }]),
    changes: fc.shuffledSubarray([...forged.changes]),
  });
  fc.assert(
    fc.property(message, ({ type, ...parts }) => {
      setup.reader.send({ type, documentId: DOCUMENT, data: A.encodeSyncMessage({ ...parts }) });
    }),
    { numRuns: 200, seed: 17 },
  );
  await setup.reader.settled();
  writer.write("next", "still works");
  await writer.stored();
  expect(await storedNotes(setup.fixture)).toEqual({ kept: "as it was", next: "still works" });
  expect(writer.doc).toEqual({ kept: "as it was", next: "still works" });
});

/** Changes on top of a document, with one that lacks its dependency when the first is left out. */
function forgedChanges(doc: A.Doc<Notes>): { heads: string[]; changes: Uint8Array[] } {
  let forged = A.clone(doc, { actor: "ee".repeat(16) });
  const heads: string[] = [];
  for (const value of ["1", "2", "3"]) {
    forged = A.change(forged, (notes) => {
      notes.kept = `forged ${value}`;
    });
    heads.push(...A.getHeads(forged));
  }
  return { heads, changes: A.getChanges(doc, forged) };
}
