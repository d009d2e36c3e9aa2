import { Repo } from "@automerge/automerge-repo";
import {
  type DocumentId,
  deriveSpaceKeys,
  documentIdFromHex,
  type ReplicaId,
  type SpaceId,
} from "@cambium/core";
import { expect, test } from "vitest";
import { AcknowledgedNote } from "../../src/documents/acknowledged-note.js";
import * as A from "../../src/documents/automerge.js";
import { ChunkedDocuments } from "../../src/documents/chunked-documents.js";
import { Documents } from "../../src/documents/documents.js";
import type { Identity } from "../../src/documents/identity.js";
import { PendingRequests } from "../../src/documents/requested-changes.js";
import { MemoryDisk, openMemoryStore } from "../../src/storage/memory-store.js";

const SPACE = "01900000-0000-7000-8000-000000000001" as SpaceId;
const REPLICA = "01900000-0000-7000-8000-000000000002" as ReplicaId;
const PACK = documentIdFromHex("0a".repeat(16));

function documentsOn(disk: MemoryDisk): Documents {
  const [store, requests] = [openMemoryStore(disk), new PendingRequests()];
  const repo = new Repo({ storage: store });
  new ChunkedDocuments(store, requests).serve(repo);
  const identity = { id: REPLICA, epoch: 0, beginWriting: () => {}, abandonEpoch: () => {} };
  return new Documents({
    ...{ openRepo: async () => repo, store, requests, note: new AcknowledgedNote(undefined) },
    ...{ identity: identity as unknown as Identity },
    changeKey: deriveSpaceKeys(SPACE, new Uint8Array(32).fill(7)).changes,
  });
}

test("[ER20] what comes of a document while it is destroyed here does not make it again, nor is it waited for", async () => {
  const documents = documentsOn(new MemoryDisk());
  await documents.prepare();
  documents.create("pack", PACK);
  await documents.flush();
  const changes = A.getAllChanges(documents.loaded(PACK) as A.Doc<unknown>);
  const stored: DocumentId[] = [];
  await documents.drop(PACK);
  documents.onDurable((document, heads) => {
    if (heads.length > 0) stored.push(document);
  });
  expect(documents.receive(PACK, changes, new Set())).toEqual({ refused: [], isCollision: false });
  await documents.flush();
  expect(documents.isHere(PACK)).toBe(false);
  expect(stored).toEqual([]);
});

test("a change that merges in a document that is not in memory is refused, and nothing is written", async () => {
  const documents = documentsOn(new MemoryDisk());
  await documents.prepare();
  documents.create("pack", PACK);
  const [heads, mergeIn] = [documents.headsOf(PACK), documentIdFromHex("0b".repeat(16))];
  const statement = { type: "merge", memories: [] } as const;
  const request = { ...{ document: PACK, mergeIn, time: 1 }, statement, writes: [] };
  expect(() => documents.change(request)).toThrow(`The document ${mergeIn} has not arrived here`);
  expect(documents.headsOf(PACK)).toEqual(heads);
});
