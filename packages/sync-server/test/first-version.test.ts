import { DatabaseSync } from "node:sqlite";
import * as A from "@automerge/automerge";
import { documentIdToHex } from "@cambium/core";
import { expect, test } from "vitest";
import { withStartOp } from "../../core/test/support/rewritten-changes.js";
import { DocumentClient, type Notes, testDocumentId } from "./support/document-client.js";
import { type FirstVersionContent, writeFirstVersion } from "./support/first-version.js";
import { LogClient } from "./support/log-client.js";
import { RelayFixture } from "./support/relay-fixture.js";

const [DOCUMENT, OTHER] = [testDocumentId(1), testDocumentId(2)] as const;

/** A document of some changes, and one more that does not load. */
function documents() {
  let doc = A.from<Notes>({ first: "1" }, "aa".repeat(16));
  for (const key of ["second", "third"])
    doc = A.change(doc, (notes) => {
      notes[key] = "x".repeat(300);
    });
  const side = A.change(A.clone(doc, "cc".repeat(16)), (notes) => {
    delete notes.first;
  });
  const bad = withStartOp(A.getLastLocalChange(side) as Uint8Array, 1);
  return { doc, bad, spoilt: A.applyChanges(A.clone(doc), [bad])[0] };
}

async function broughtOver(...stored: readonly Omit<FirstVersionContent, "space">[]) {
  const fixture = await RelayFixture.start();
  const token = await fixture.makeSpace("space");
  await fixture.relay.close();
  writeFirstVersion(
    fixture.dataDir,
    stored.map((document) => ({ space: "space", ...document })),
  );
  await fixture.restart();
  return { fixture, token };
}

async function read(fixture: RelayFixture, token: string, documentId: string): Promise<A.Doc<Notes>> {
  const response = await fixture.call("GET", `/spaces/space/documents/${documentId}`, token);
  return response.ok ? A.load<Notes>(new Uint8Array(await response.arrayBuffer())) : A.init();
}

async function setAsideIn(fixture: RelayFixture): Promise<readonly unknown[]> {
  await fixture.relay.close();
  const file = new DatabaseSync(`${fixture.dataDir}/relay.sqlite`);
  const rows = file.prepare("SELECT space, document_id, hash, reason FROM set_aside").all();
  file.close();
  return rows;
}

test("[RL34] a log of the first version is brought over: saved documents, changes, spaces and tokens", async () => {
  const { doc } = documents();
  const changes = A.getAllChanges(doc);
  const early = A.applyChanges(A.init<Notes>(), changes.slice(0, 2))[0];
  const saved = { documentId: DOCUMENT, doc, snapshot: A.save(early), changes: changes.slice(2) };
  const { fixture, token } = await broughtOver(saved, { documentId: OTHER, doc, changes });
  await using _fixture = fixture;
  for (const documentId of [DOCUMENT, OTHER])
    expect(A.getHeads(await read(fixture, token, documentId))).toEqual(A.getHeads(doc));
  await fixture.restart(); // once is enough
  await using client = await LogClient.subscribe(fixture.url, token);
  client.send({ type: "heads", ask: 1, of: { after: 0 } });
  const listed = await client.next("heads");
  expect(listed.documents).toEqual([
    { document: documentIdToHex(DOCUMENT), heads: A.getHeads(doc), position: 3 },
    { document: documentIdToHex(OTHER), heads: A.getHeads(doc), position: 6 },
  ]);
  expect(await setAsideIn(fixture)).toEqual([]);
});

test("[RL49] a bad change that was stored before is set aside with its bytes, and the rest is served", async () => {
  const { doc, bad, spoilt } = documents();
  const changes = [...A.getAllChanges(doc), bad];
  const { fixture, token } = await broughtOver({ documentId: DOCUMENT, doc: spoilt, changes });
  await using _fixture = fixture;
  expect(A.load<Notes>(A.save(await read(fixture, token, DOCUMENT)))).toEqual(doc);
  await using client = await LogClient.subscribe(fixture.url, token);
  const device = new DocumentClient(client, DOCUMENT, A.clone(doc));
  device.write("fourth", "4");
  await device.receipt();
  expect(await setAsideIn(fixture)).toMatchObject([
    { space: "space", document_id: DOCUMENT, hash: A.decodeChange(bad).hash },
  ]);
});

test("[RL49] of a stored document that does not load at all nothing is left, and replicas send it again", async () => {
  const { doc, spoilt } = documents();
  const rotten = A.save(doc).slice(0, 60);
  const { fixture, token } = await broughtOver(
    { documentId: DOCUMENT, doc: spoilt, snapshot: A.save(spoilt), changes: [] },
    { documentId: OTHER, doc, snapshot: rotten, changes: [] },
  );
  await using _fixture = fixture;
  for (const documentId of [DOCUMENT, OTHER]) {
    expect(await read(fixture, token, documentId)).toEqual({});
    await using client = await LogClient.subscribe(fixture.url, token);
    const again = new DocumentClient(client, documentId, A.clone(doc));
    again.send();
    await again.receipt();
    expect(await read(fixture, token, documentId)).toEqual(doc);
  }
  expect(await setAsideIn(fixture)).toHaveLength(2);
});
