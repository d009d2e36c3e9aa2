import * as Automerge from "@automerge/automerge";
import { type PeerId, Repo } from "@automerge/automerge-repo";
import { type DocumentId, documentIdFromHex } from "@cambium/core";
import { beforeAll, expect, test } from "vitest";
import { withStartOp } from "../../../core/test/support/rewritten-changes.js";
import { loadAutomerge } from "../../src/documents/automerge.js";
import { ChunkedDocuments } from "../../src/documents/chunked-documents.js";
import { Compaction } from "../../src/documents/compaction.js";
import { PendingRequests } from "../../src/documents/requested-changes.js";
import { compactDocument } from "../../src/documents/stored-documents.js";
import { MemoryDisk, openMemoryStore } from "../../src/storage/memory-store.js";
import { seededBytes } from "../support/seeded.js";

type Notes = Record<string, number | Uint8Array>;

const DOCUMENT = documentIdFromHex("0c".repeat(16));

class Desk {
  readonly store;
  readonly chunked;
  readonly requests = new PendingRequests();
  readonly repo = new Repo({ peerId: "here" as PeerId });

  constructor(disk: MemoryDisk) {
    this.store = openMemoryStore(disk);
    this.chunked = new ChunkedDocuments(this.store, this.requests);
    this.chunked.serve(this.repo);
  }

  /** Makes a change and stores it. */
  async write(change: (doc: Automerge.Doc<Notes>) => Automerge.Doc<Notes>): Promise<void> {
    const handle = this.repo.handles[DOCUMENT as never];
    handle?.update((doc) => change(doc as Automerge.Doc<Notes>) as never);
    await this.chunked.save(DOCUMENT as DocumentId, this.doc);
    const localHeads = Automerge.getHeads(this.doc).toSorted();
    this.store.putRow({ documentId: DOCUMENT, localHeads, receiptedHeads: [], receiptedAt: undefined });
    await this.chunked.settled();
    await this.store.flushed();
  }

  get doc(): Automerge.Doc<Notes> {
    return this.repo.handles[DOCUMENT as never]?.doc() as Automerge.Doc<Notes>;
  }

  async chunks(): Promise<readonly string[]> {
    return (await this.store.loadRange([DOCUMENT])).map(({ key }) => key[1] as string);
  }
}

const large = (step: number) => (doc: Automerge.Doc<Notes>) =>
  Automerge.change(doc, (notes) => {
    notes[`key ${step}`] = new Uint8Array(3_000).fill(step);
  });

const small = (step: number) => (doc: Automerge.Doc<Notes>) =>
  Automerge.change(doc, (notes) => {
    notes[`key ${step}`] = seededBytes(step)(2_000);
  });

beforeAll(loadAutomerge);

test("[RP32] what is appended is stored as one once it outgrows the rest, and nothing is lost", async () => {
  const disk = new MemoryDisk();
  const desk = new Desk(disk);
  desk.repo.import<Notes>(Automerge.save(Automerge.from<Notes>({ first: 1 })), { docId: DOCUMENT as never });
  let most = 0;
  for (let step = 0; step < 40; step += 1) {
    await desk.write(large(step));
    most = Math.max(most, (await desk.chunks()).length);
    const loaded = await new Desk(disk).chunked.load(DOCUMENT as DocumentId);
    expect(Automerge.getHeads(loaded as Automerge.Doc<unknown>)).toEqual(Automerge.getHeads(desk.doc));
  }
  expect(most).toBeLessThan(30);
});

test("[RP32] what lies beside the one chunk is stored with it at the end, if it is much of the document", async () => {
  const desk = new Desk(new MemoryDisk());
  const first = { first: seededBytes(7)(200_000) };
  desk.repo.import<Notes>(Automerge.save(Automerge.from<Notes>(first)), { docId: DOCUMENT as never });
  const compaction = new Compaction({
    ...{ store: desk.store, requests: desk.requests, flush: () => desk.store.flushed() },
    whole: () => () => desk.doc,
  });
  await desk.write(small(0));
  const before = (await desk.chunks()).length;
  for (let step = 1; step < 5; step += 1) await desk.write(small(step));
  await compaction.compactScattered([DOCUMENT as DocumentId]);
  expect(await desk.chunks()).toHaveLength(before + 4);
  for (let step = 5; step < 9; step += 1) await desk.write(small(step));
  await compaction.compactScattered([DOCUMENT as DocumentId]);
  expect(await desk.chunks()).toEqual(["snapshot"]);
  const [chunk] = await desk.store.loadRange([DOCUMENT]);
  expect(Automerge.getHeads(Automerge.load(chunk?.data as Uint8Array))).toEqual(Automerge.getHeads(desk.doc));
});

test("[RP32] chunks of a document that does not load again once it is saved stay as they are", async () => {
  const disk = new MemoryDisk();
  const desk = new Desk(disk);
  desk.repo.import<Notes>(Automerge.save(Automerge.from<Notes>({ first: 1 })), { docId: DOCUMENT as never });
  await desk.write(large(0));
  await desk.write((doc) => {
    const made = Automerge.change(Automerge.clone(doc, "ee".repeat(16)), (notes) => {
      notes.bad = 1;
    });
    const bad = withStartOp(Automerge.getLastLocalChange(made) as Uint8Array, 1);
    return Automerge.applyChanges(doc, [bad])[0];
  });
  expect(() => Automerge.load(Automerge.save(desk.doc))).toThrow();
  for (let step = 1; step < 12; step += 1) await desk.write(large(step));
  expect(await compactDocument(desk.store, DOCUMENT as DocumentId, desk.requests, () => desk.doc)).toBe(
    "unsound",
  );
  expect(await desk.chunks()).toHaveLength(13);
  const loaded = await new Desk(disk).chunked.load(DOCUMENT as DocumentId);
  expect(Automerge.getHeads(loaded as Automerge.Doc<unknown>)).toEqual(Automerge.getHeads(desk.doc));
});
