/**
 * What every store promises of the requests that are noted in it; a part of `storeContract`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { withFaults } from "./faulty-medium.js";
import { guardMedium } from "./guard.js";
import { DROPPED_WITH_EACH, REQUEST_KEPT_MS } from "./request-note.js";
import type { RequestNote } from "./store.js";
import { type ContractRule, refusedAs, using } from "./store-contract-places.js";

const NOON = Date.UTC(2026, 7, 1, 12);

const note = (key: string, more: Partial<RequestNote> = {}): RequestNote => ({
  ...{ key, fingerprint: `print of ${key}`, change: "c0ffee", type: "remember", branch: "b1", at: NOON },
  ...{ memories: ["m1"], ...more },
});

const KEY = ["4NMNnkMhL8jXrdJ9jamS58PAVdXu", "incremental", "a"];

export const requests: readonly ContractRule[] = [
  {
    id: "RQ1",
    promise: "a request is there at once, after reopening, and word for word",
    async check(harness) {
      const many = note("many", { memories: 4_000 });
      await using(harness, async (store) => {
        assert.equal(store.request("one"), undefined);
        store.noteRequest(note("one"));
        store.noteRequest(many);
        assert.deepEqual(store.request("one"), note("one"));
        await store.flushed();
        assert.deepEqual(store.request("one"), note("one"));
      });
      for (let opened = 0; opened < 2; opened += 1) {
        await using(harness, async (store) => {
          assert.deepEqual(store.request("one"), note("one"));
          assert.deepEqual(store.request("many"), many);
          assert.equal(store.request("two"), undefined);
        });
      }
    },
  },
  {
    id: "RQ1",
    promise: "a request is part of the commit in whose transaction it was noted, or of none",
    async check(harness) {
      const { medium, fail, commits } = withFaults(await harness.open());
      const store = guardMedium(medium);
      store.transact(() => {
        void store.save(KEY, Uint8Array.of(1));
        store.noteRequest(note("one"));
      });
      await store.flushed();
      assert.deepEqual(
        commits.map((operations) => operations.map(({ type }) => type)),
        [["put", "request"]],
      );
      const stopped = (): void => {
        store.noteRequest(note("two"));
        throw new RangeError("stop");
      };
      assert.throws(() => store.transact(stopped), RangeError);
      assert.equal(store.request("two"), undefined);
      fail();
      store.noteRequest(note("three"));
      await assert.rejects(store.flushed(), refusedAs("STORE_FAILED"));
      assert.equal(store.request("three"), undefined);
      await store.close();
      assert.throws(() => store.request("one"), refusedAs("REPLICA_CLOSED"));
      await using(harness, async (reopened) => {
        assert.deepEqual(
          ["one", "two", "three"].map((key) => reopened.request(key)?.key),
          ["one", undefined, undefined],
        );
      });
    },
  },
  {
    id: "RQ1",
    promise: "of two requests with one key the first stays, queued or on disk",
    async check(harness) {
      await using(harness, async (store) => {
        store.noteRequest(note("one"));
        store.noteRequest(note("one", { change: "another" }));
        await store.flushed();
        store.noteRequest(note("one", { change: "a third" }));
        await store.flushed();
      });
      await using(harness, async (store) => assert.deepEqual(store.request("one"), note("one")));
    },
  },
  {
    id: "RQ2",
    promise: "requests stay for a day, and go a few at a time when others come",
    async check(harness) {
      const old = Array.from({ length: DROPPED_WITH_EACH + 2 }, (_, index) => note(`old ${index}`));
      const kept = (names: readonly (RequestNote | undefined)[]): number =>
        names.filter((found) => found !== undefined).length;
      await using(harness, async (store) => {
        for (const each of old) store.noteRequest(each);
        store.noteRequest(note("a day later", { at: NOON + REQUEST_KEPT_MS }));
        await store.flushed();
        assert.equal(kept(old.map(({ key }) => store.request(key))), old.length);
      });
      await using(harness, async (store) => {
        for (const name of ["after", "after that"]) {
          store.noteRequest(note(name, { at: NOON + REQUEST_KEPT_MS + 1 }));
          await store.flushed();
        }
        assert.equal(kept(old.map(({ key }) => store.request(key))), 0);
        assert.equal(store.request("a day later")?.key, "a day later");
      });
    },
  },
];
