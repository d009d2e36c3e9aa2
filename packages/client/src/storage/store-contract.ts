/**
 * What every store of a replica promises, as checks that any test runner can run:
 *
 *     for (const { id, promise, check } of storeContract) test(`[${id}] ${promise}`, () => check(harness()));
 *
 * @module
 */
import assert from "node:assert/strict";
import type { CambiumError } from "@cambium/core";
import type { StorageKey } from "./chunk-storage.js";
import { withFaults } from "./faulty-medium.js";
import { guardMedium } from "./guard.js";
import type { DocumentRow } from "./store.js";
import { type ContractRule, refusedAs, type StoreHarness, using } from "./store-contract-places.js";
import { requests } from "./store-contract-requests.js";

const DOCUMENT = "4NMNnkMhL8jXrdJ9jamS58PAVdXu";
const OTHER = "4NMNnkMhL8jXrdJ9jamS58PAVdXv";
const key = (name: string, kind = "incremental", documentId = DOCUMENT): StorageKey => [
  documentId,
  kind,
  name,
];
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

const row = (documentId: string, head: string): DocumentRow => ({
  documentId,
  localHeads: [head],
  receiptedHeads: [],
  receiptedAt: undefined,
});

async function saveAll(harness: StoreHarness, chunks: readonly [StorageKey, Uint8Array][]): Promise<void> {
  await using(harness, async (store) => {
    for (const [chunkKey, chunkBytes] of chunks) void store.save(chunkKey, chunkBytes);
    await store.flushed();
  });
}

const keeping: readonly ContractRule[] = [
  {
    id: "ST1",
    promise: "what was flushed is there after reopening, byte for byte, in the order first saved",
    async check(harness) {
      const chunks: [StorageKey, Uint8Array][] = [
        [key("b"), bytes(1, 2, 3)],
        [key("a"), bytes()],
        [key("c", "snapshot"), new Uint8Array(100_000).fill(7)],
        [["storage-adapter-id"], bytes(9)],
      ];
      await saveAll(harness, chunks);
      await using(harness, async (store) => {
        for (const [chunkKey, expected] of chunks) assert.deepEqual(await store.load(chunkKey), expected);
        const names = (await store.loadRange([DOCUMENT, "incremental"])).map((chunk) => chunk.key);
        assert.deepEqual(names, [key("b"), key("a")]);
        assert.deepEqual((await store.loadRange([DOCUMENT])).length, 3);
        assert.deepEqual(await store.loadRange([DOCUMENT.slice(0, 5)]), []);
        assert.equal(await store.load(key("d")), undefined);
      });
    },
  },
  {
    id: "ST1",
    promise: "a read sees what was saved, replaced and removed before it",
    async check(harness) {
      await using(harness, async (store) => {
        void store.save(key("a"), bytes(1));
        void store.save(key("a"), bytes(2));
        void store.save(key("b"), bytes(3));
        void store.remove(key("b"));
        void store.save(key("c", "snapshot"), bytes(4));
        void store.removeRange([DOCUMENT, "snapshot"]);
        assert.deepEqual(await store.loadRange([DOCUMENT]), [{ key: key("a"), data: bytes(2) }]);
      });
    },
  },
  {
    id: "ST1",
    promise: "bytes that the caller changes after saving or loading stay as they were saved",
    async check(harness) {
      await using(harness, async (store) => {
        const mine = bytes(1, 2);
        void store.save(key("a"), mine);
        mine[0] = 9;
        const loaded = await store.load(key("a"));
        assert.deepEqual(loaded, bytes(1, 2));
        loaded?.fill(9);
        assert.deepEqual(await store.load(key("a")), bytes(1, 2));
      });
    },
  },
  {
    id: "ST2",
    promise: "keys made by others cannot leave their place or collide",
    async check(harness) {
      const parts = ["..", ".", "", "a/b", "a%2Fb", "ä", "\u0000", "x".repeat(400), "%", "con"];
      const keys = [...parts.map((part) => key(part, "sync-state")), ["ab"], ["a"], ["../../x"], ["..", "y"]];
      await saveAll(
        harness,
        keys.map((name, index) => [name, bytes(index)]),
      );
      await using(harness, async (store) => {
        for (const [index, name] of keys.entries()) assert.deepEqual(await store.load(name), bytes(index));
        const found = await store.loadRange([DOCUMENT, "sync-state"]);
        assert.deepEqual(
          found.map((chunk) => chunk.key[2]),
          parts,
        );
      });
    },
  },
];

const committing: readonly ContractRule[] = [
  {
    id: "ST3",
    promise: "everything queued in one tick is one commit, with its rows",
    async check(harness) {
      const { medium, commits } = withFaults(await harness.open());
      await using store = guardMedium(medium);
      store.transact(() => {
        void store.save(key("a"), bytes(1));
        store.putRow(row(DOCUMENT, "aa"));
      });
      void Promise.resolve().then(() => store.save(key("b"), bytes(2)));
      assert.deepEqual(store.row(DOCUMENT), row(DOCUMENT, "aa"));
      await store.flushed();
      assert.deepEqual(
        commits.map((operations) => operations.map(({ type }) => type)),
        [["put", "row", "put"]],
      );
    },
  },
  {
    id: "ST3",
    promise:
      "a receipt is visible at once, and no commit of its own: it goes with the next, or when the store closes",
    async check(harness) {
      const { medium, commits } = withFaults(await harness.open());
      const receipted = (head: string) => ({ documentId: DOCUMENT, receiptedHeads: [head], receiptedAt: 1 });
      const store = guardMedium(medium);
      store.putReceipt(receipted("aa"));
      await store.flushed();
      assert.deepEqual(commits, []);
      store.putRow({ ...receipted("aa"), localHeads: ["bb"] });
      store.putReceipt(receipted("bb"));
      await store.flushed();
      assert.equal(commits.length, 1);
      store.putReceipt(receipted("cc"));
      assert.deepEqual(store.row(DOCUMENT), { ...receipted("cc"), localHeads: ["bb"] });
      await store.flushed();
      assert.equal(commits.length, 1);
      await store.close();
      assert.equal(commits.length, 2);
      await using(harness, async (reopened) => {
        assert.deepEqual(reopened.rows(), [{ ...receipted("cc"), localHeads: ["bb"] }]);
      });
    },
  },
  {
    id: "ST3",
    promise: "a transaction that throws leaves nothing behind, and what was queued before it stays",
    async check(harness) {
      await using(harness, async (store) => {
        store.putRow(row(DOCUMENT, "aa"));
        const fails = (): void => {
          store.putRow(row(DOCUMENT, "bb"));
          store.putRow(row(OTHER, "cc"));
          store.retire(OTHER);
          void store.save(key("a"), bytes(1));
          throw new RangeError("stop");
        };
        assert.throws(() => store.transact(() => store.transact(fails)), RangeError);
        assert.deepEqual(store.rows(), [row(DOCUMENT, "aa")]);
        await store.flushed();
        assert.equal(await store.load(key("a")), undefined);
      });
      await using(harness, async (store) => {
        assert.deepEqual(store.rows(), [row(DOCUMENT, "aa")]);
        assert.equal(store.isRetired(OTHER), false);
      });
    },
  },
  {
    id: "ST4",
    promise:
      "a failed write is final: nothing later is written, saves do not reject, flushed says STORE_FAILED",
    async check(harness) {
      const { medium, fail, commits } = withFaults(await harness.open());
      const store = guardMedium(medium);
      const described: CambiumError[] = [];
      store.onFailure((failure) => described.push(failure));
      await store.save(key("a"), bytes(1));
      fail();
      await store.save(key("b"), bytes(2));
      assert.equal(store.failure?.code, "STORE_FAILED");
      assert.deepEqual(described, [store.failure]);
      await store.save(key("c"), bytes(3));
      await store.remove(key("a"));
      store.putRow(row(DOCUMENT, "aa"));
      assert.equal(store.row(DOCUMENT), undefined);
      await assert.rejects(store.flushed(), refusedAs("STORE_FAILED"));
      assert.deepEqual(await store.load(key("a")), bytes(1)); // reading goes on
      await store.close();
      assert.equal(commits.length, 1);
      assert.equal(described.length, 1);
      await using(harness, async (reopened) => {
        assert.deepEqual(await reopened.loadRange([DOCUMENT]), [{ key: key("a"), data: bytes(1) }]);
      });
    },
  },
  {
    id: "ST4",
    promise:
      "a closed store refuses reads, flushes and writes with REPLICA_CLOSED or silence, as saving does",
    async check(harness) {
      const store = guardMedium(await harness.open());
      void store.save(key("a"), bytes(1));
      await Promise.all([store.close(), store.close()]);
      await store.save(key("b"), bytes(1));
      await assert.rejects(store.load(key("a")), refusedAs("REPLICA_CLOSED"));
      await assert.rejects(store.flushed(), refusedAs("REPLICA_CLOSED"));
      await using(harness, async (reopened) => {
        assert.equal((await reopened.loadRange([DOCUMENT])).length, 1);
      });
    },
  },
];

const documents: readonly ContractRule[] = [
  {
    id: "ST5",
    promise: "a copied document has the same chunks under the new id, and only those",
    async check(harness) {
      await using(harness, async (store) => {
        void store.save(key("s", "snapshot"), bytes(1));
        void store.save(key("i"), bytes(2));
        void store.save(key("peer", "sync-state"), bytes(3));
        store.putRow(row(DOCUMENT, "aa"));
        await store.copyDocument(DOCUMENT, OTHER);
        assert.deepEqual(await store.loadRange([OTHER]), [
          { key: key("s", "snapshot", OTHER), data: bytes(1) },
          { key: key("i", "incremental", OTHER), data: bytes(2) },
        ]);
        assert.deepEqual(store.row(OTHER), {
          ...{ documentId: OTHER, localHeads: ["aa"], receiptedHeads: [], receiptedAt: undefined },
        });
        await assert.rejects(store.copyDocument(DOCUMENT, OTHER), refusedAs("BAD_INPUT"));
        void store.save(key("i"), bytes(4));
        await store.removeDocument(DOCUMENT);
      });
      await using(harness, async (store) => {
        assert.deepEqual(await store.load(key("i", "incremental", OTHER)), bytes(2));
        assert.equal((await store.verify()).chunks, 2);
      });
    },
  },
  {
    id: "ST6",
    promise:
      "a removed document leaves nothing, and a retired one takes nothing any more, also after reopening",
    async check(harness) {
      await saveAll(harness, [
        [key("a"), bytes(1)],
        [key("a", "snapshot"), bytes(2)],
        [key("o", "snapshot", OTHER), bytes(3)],
      ]);
      await harness.damage(key("a"), () => bytes(6));
      await using(harness, async (store) => {
        await store.loadRange([DOCUMENT]);
        store.putRow(row(DOCUMENT, "aa"));
        store.retire(DOCUMENT);
        await store.removeDocument(DOCUMENT);
        await store.save(key("b"), bytes(1));
        store.putRow(row(DOCUMENT, "bb"));
        assert.deepEqual(store.rows(), []);
      });
      await using(harness, async (store) => {
        await store.save(key("c"), bytes(1));
        assert.deepEqual(await store.loadRange([DOCUMENT]), []);
        assert.deepEqual(store.quarantined(), []);
        assert.deepEqual(await store.load(key("o", "snapshot", OTHER)), bytes(3));
      });
    },
  },
];

const DAMAGES = [
  { name: "flipped", reason: "altered", change: (b: Uint8Array) => b.map((v, i) => (i === 5 ? v ^ 1 : v)) },
  { name: "truncated", reason: "truncated", change: (b: Uint8Array) => b.slice(0, 6) },
  { name: "emptied", reason: "truncated", change: () => bytes() },
  { name: "lengthened", reason: "altered", change: (b: Uint8Array) => Uint8Array.from([...b, 0]) },
] as const;

const damage: readonly ContractRule[] = ["snapshot", "incremental"].flatMap((kind) =>
  DAMAGES.map(({ name, reason, change }) => ({
    id: "ST7",
    promise: `${kind} chunk that was ${name} is named and set aside, and the rest stays readable`,
    async check(harness) {
      const content = Uint8Array.from({ length: 12 }, (_, index) => index);
      const [bad, good] = [key("bad", kind), key("good", kind)];
      await saveAll(harness, [
        [bad, content],
        [good, content],
        [key("empty"), bytes()],
      ]);
      await harness.damage(bad, change);
      const sizeBytes = change(content).byteLength;
      const expected = [{ key: bad, documentId: DOCUMENT, reason, sizeBytes }];
      await using(harness, async (store) => {
        assert.deepEqual(await store.loadRange([DOCUMENT, kind, "good"]), [{ key: good, data: content }]);
        assert.deepEqual(store.quarantined(), []);
        const { damaged, chunks, documents } = await store.verify();
        assert.deepEqual({ damaged, chunks, documents }, { damaged: expected, chunks: 3, documents: 1 });
        assert.equal(await store.load(bad), undefined);
        assert.deepEqual(await store.load(key("empty")), bytes());
      });
      await using(harness, async (store) => assert.deepEqual(store.quarantined(), expected));
    },
  })),
);

const doubt: readonly ContractRule[] = [
  {
    id: "ST7",
    promise: "an empty chunk that gained bytes is set aside",
    async check(harness) {
      await saveAll(harness, [[key("a"), bytes()]]);
      await harness.damage(key("a"), () => bytes(1));
      await using(harness, async (store) => {
        assert.equal(await store.load(key("a")), undefined);
        assert.equal(store.quarantined()[0]?.reason, "altered");
      });
    },
  },
  {
    id: "ST8",
    promise: "while a chunk is in doubt its document only grows, until the caller has seen it whole",
    async check(harness) {
      await saveAll(harness, [
        [key("a"), bytes(1)],
        [key("b"), bytes(2)],
        [key("o", "snapshot", OTHER), bytes(3)],
      ]);
      await harness.damage(key("a"), () => bytes(9));
      await using(harness, (store) => store.loadRange([DOCUMENT]));
      await using(harness, async (store) => {
        await store.save(key("a"), bytes(1)); // the same chunk, come back by sync
        await store.save(key("s", "snapshot"), bytes(4));
        await store.remove(key("b"));
        await store.removeRange([DOCUMENT, "incremental"]);
        await store.remove(key("o", "snapshot", OTHER));
        assert.deepEqual((await store.loadRange([DOCUMENT])).length, 3);
        assert.deepEqual(await store.loadRange([OTHER]), []);
        await assert.rejects(store.copyDocument(DOCUMENT, OTHER), refusedAs("STORE_DAMAGED"));
        store.markRepaired(DOCUMENT);
        await store.remove(key("b"));
      });
      await using(harness, async (store) => {
        assert.deepEqual(store.quarantined(), []);
        assert.deepEqual((await store.loadRange([DOCUMENT])).length, 2);
      });
    },
  },
  {
    id: "ST9",
    promise: "verify counts every document, chunk and byte, tells how far it is, and stops when told",
    async check(harness) {
      await saveAll(harness, [
        [key("a"), bytes(1, 2)],
        [key("b", "snapshot", OTHER), bytes(3)],
        [["storage-adapter-id"], bytes(4)],
      ]);
      await using(harness, async (store) => {
        const seen: number[] = [];
        const report = await store.verify({ onProgress: ({ documentsDone }) => seen.push(documentsDone) });
        assert.deepEqual(report, { documents: 2, chunks: 3, sizeBytes: 4, damaged: [], problems: [] });
        assert.deepEqual(seen, [1, 2, 3]);
        await assert.rejects(store.verify({ signal: AbortSignal.abort() }), refusedAs("ABORTED"));
      });
    },
  },
];

/**
 * Every promise of a store, as checks without a test framework. For a medium of your own, run each `check` with a
 * fresh harness in a test of its own.
 */
export const storeContract: readonly ContractRule[] = [
  ...keeping,
  ...committing,
  ...documents,
  ...requests,
  ...damage,
  ...doubt,
];
