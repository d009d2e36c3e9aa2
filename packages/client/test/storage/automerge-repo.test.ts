import { join } from "node:path";
import * as Automerge from "@automerge/automerge";
import {
  type AutomergeUrl,
  type Chunk,
  type DocHandle,
  generateAutomergeUrl,
  parseAutomergeUrl,
  Repo,
} from "@automerge/automerge-repo";
import { NodeFSStorageAdapter } from "@automerge/automerge-repo-storage-nodefs";
import { describe, expect, test } from "vitest";
import { openFsStore } from "../../src/storage/fs-store.js";
import { guardMedium, type StoreHarness } from "../../src/storage/testing.js";
import { REAL_PLACES, temporaryDirectories } from "./places.js";

/** A type, not an interface: Automerge wants an index signature, which only a type has of itself. */
type Numbers = {
  padding: Uint8Array;
  numbers: Record<string, number>;
};

const newDirectory = temporaryDirectories();
const NUMBERS = 12;
/** Above 1 KiB, below which automerge-repo writes a snapshot each time; noise, which does not compress. */
const PADDING = Uint8Array.from({ length: 3000 }, (_, index) => Math.imul(index + 1, 2_654_435_761) >>> 24);

const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte, index) => (index === 20 ? byte ^ 64 : byte));
const cut = (bytes: Uint8Array): Uint8Array => bytes.slice(0, 15);
const empty = (): Uint8Array => new Uint8Array();

async function put(repo: Repo, handle: DocHandle<Numbers>, number: number): Promise<void> {
  handle.change((doc) => {
    doc.numbers[`n${number}`] = number;
  });
  await repo.flush([handle.documentId]);
}

/** Stores a document of one snapshot and one incremental chunk for each number, as automerge-repo lays them out. */
async function makeDocument(place: StoreHarness) {
  const url = generateAutomergeUrl();
  const { documentId } = parseAutomergeUrl(url);
  let doc = Automerge.from<Numbers>({ padding: PADDING, numbers: {} });
  const snapshot: Chunk = { key: [documentId, "snapshot", "whole"], data: Automerge.save(doc) };
  const incrementals: Chunk[] = [];
  for (let number = 0; number < NUMBERS; number++) {
    const before = Automerge.getHeads(doc);
    doc = Automerge.change(doc, ({ numbers }) => {
      numbers[`n${number}`] = number;
    });
    const key = [documentId, "incremental", `chunk${number}`];
    incrementals.push({ key, data: Automerge.saveSince(doc, before) });
  }
  await using store = guardMedium(await place.open());
  for (const { key, data } of [snapshot, ...incrementals]) void store.save(key, data ?? new Uint8Array());
  return { documentId, url, snapshot, incrementals, whole: Automerge.save(doc) };
}

async function numbersIn(place: StoreHarness, url: AutomergeUrl): Promise<number> {
  await using store = guardMedium(await place.open());
  const handle = await new Repo({ storage: store }).find<Numbers>(url);
  return Object.keys(handle.doc().numbers).length;
}

describe.each(REAL_PLACES)("automerge-repo on damaged %s", (_, placeIn) => {
  test.each([
    ["flipped", flip],
    ["truncated", cut],
    ["emptied", empty],
  ])(
    "[ST10] an incremental chunk that was %s costs only what depends on it, and that returns with it",
    async (__, change) => {
      const place = placeIn(newDirectory());
      const { documentId, url, incrementals, whole } = await makeDocument(place);
      await place.damage(incrementals[4]?.key ?? [], change);

      await using store = guardMedium(await place.open());
      const repo = new Repo({ storage: store });
      const handle = await repo.find<Numbers>(url);
      expect(Object.keys(handle.doc().numbers)).toHaveLength(4); // the numbers before it; those after it wait
      expect(store.quarantined().map(({ key }) => key)).toEqual([incrementals[4]?.key]);

      for (let number = 100; number < 200; number++) await put(repo, handle, number); // compacts, and would delete
      expect((await store.loadRange([documentId, "snapshot"])).length).toBeGreaterThan(1);
      const stored = (await store.loadRange([documentId, "incremental"])).map(({ key }) => key[2]);
      const survivors = incrementals.filter((___, index) => index !== 4).map(({ key }) => key[2]);
      expect(stored).toEqual(expect.arrayContaining(survivors));

      handle.update((doc) => Automerge.loadIncremental(doc, whole)); // as sync would bring it
      await repo.flush([documentId]);
      await store.close();
      expect(await numbersIn(place, url)).toBe(NUMBERS + 100);
    },
  );

  test.each([
    ["flipped", flip],
    ["truncated", cut],
    ["emptied", empty],
  ])("[ST10] a document whose snapshot was %s waits, and is whole when that returns", async (__, change) => {
    const place = placeIn(newDirectory());
    const { documentId, snapshot, incrementals } = await makeDocument(place);
    await place.damage(snapshot.key, change);
    await using store = guardMedium(await place.open());
    const found = await store.loadRange([documentId]);
    expect(found).toEqual(incrementals);
    let doc = Automerge.init<Numbers>();
    for (const { data } of found) doc = Automerge.loadIncremental(doc, data ?? new Uint8Array());
    expect(Automerge.getMissingDeps(doc, [])).toHaveLength(1);
    // A compaction keeps what waits, too.
    const compacted = Automerge.loadIncremental(Automerge.init<Numbers>(), Automerge.save(doc));
    const repaired = Automerge.loadIncremental(compacted, snapshot.data ?? new Uint8Array());
    expect(Object.keys(repaired.numbers)).toHaveLength(NUMBERS);
  });

  test("[ST5] a copied document is a branch of its own", async () => {
    const place = placeIn(newDirectory());
    const { documentId, url } = await makeDocument(place);
    const copyUrl = generateAutomergeUrl();
    const { documentId: copyId } = parseAutomergeUrl(copyUrl);
    {
      await using store = guardMedium(await place.open());
      await store.copyDocument(documentId, copyId);
      const repo = new Repo({ storage: store });
      const copy = await repo.find<Numbers>(copyUrl);
      await put(repo, copy, 500);
    }
    expect(await numbersIn(place, copyUrl)).toBe(NUMBERS + 1);
    expect(await numbersIn(place, url)).toBe(NUMBERS);
  });
});

test("[ST11] a stock automerge-repo reads what the file store wrote", async () => {
  const dir = newDirectory();
  await using store = await openFsStore({ dir });
  const repo = new Repo({ storage: store });
  const handle = repo.create<Numbers>({ padding: PADDING, numbers: {} });
  for (let number = 0; number < NUMBERS; number++) await put(repo, handle, number);
  await store.close();

  const stock = new Repo({ storage: new NodeFSStorageAdapter(join(dir, "documents")) });
  const read = await stock.find<Numbers>(handle.url);
  expect(read.heads()).toEqual(handle.heads());
  expect(Object.keys(read.doc().numbers)).toHaveLength(NUMBERS);
});
