import { createHash } from "node:crypto";
import { LOG_START, type LogPoint } from "@cambium/core/wire";
import { describe, expect, test } from "vitest";
import { textToRow } from "../../src/storage/document-row.js";
import type { DocumentRow } from "../../src/storage/store.js";
import { SyncTracker } from "../../src/sync/sync-tracker.js";

const at = (position: number): LogPoint => ({ position, mark: new Uint8Array(16).fill(position) });
const tracked = (...rows: DocumentRow[]): SyncTracker => new SyncTracker({ rows, now: () => 7 });
const row = (documentId: string, local: string, receipted: string, receiptedAt?: number): DocumentRow => ({
  ...{ documentId, localHeads: [local], receiptedHeads: [receipted], receiptedAt },
});
const after = (hash: string, ...deps: string[]) => ({ hash, deps });

test("[NW17] a question to the relay is answered only by the answer that repeats its number, once all of it is here", async () => {
  const tracker = tracked();
  tracker.begin(LOG_START, LOG_START);
  expect(tracker.isSynced()).toBe(true);
  const ask = tracker.newAsk();
  expect(tracker.ask).toBe(ask);
  const waiting = tracker.whenSynced(undefined, ask);
  expect(tracker.isSynced(ask)).toBe(false);
  tracker.answer(ask, 3);
  expect([tracker.isSynced(ask), tracker.ask]).toEqual([false, undefined]);
  tracker.reached(3);
  await waiting;
  const controller = new AbortController();
  const stopped = tracker.whenSynced(controller.signal, tracker.newAsk());
  controller.abort();
  await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
});

describe("what the relay is known to hold", () => {
  test("[NW8] a receipt covers its changes and those before, not what was written since", () => {
    const tracker = tracked();
    tracker.begin(LOG_START, LOG_START);
    tracker.localHeads("a", ["h2"]);
    expect(tracker.isReceipted("a")).toBe(false);
    tracker.receipt("a", after("h1"));
    tracker.receipt("a", after("h2", "h1"));
    expect(tracker.isReceipted("a")).toBe(true);
    expect(tracker.heldOf("a")).toEqual(["h2"]);
    tracker.localHeads("a", ["h3"]);
    expect([tracker.isReceipted("a"), tracker.unsettled]).toEqual([false, ["a"]]);
  });

  test("[NW8] what others wrote on it does not make it wait again while it is stored here", () => {
    const tracker = tracked(row("a", "h1", "h1", 1));
    tracker.begin(at(1), at(2));
    tracker.entry("a", after("theirs", "h1"), 2);
    expect(tracker.isReceipted("a")).toBe(true);
    expect(tracker.takeRows()).toEqual([]);
    tracker.reached(2);
    expect(tracker.takeRows()).toEqual([{ documentId: "a", receiptedHeads: ["theirs"], receiptedAt: 2 }]);
    tracker.localHeads("a", ["theirs"]);
    expect([tracker.isReceipted("a"), tracker.heldOf("a")]).toEqual([true, ["theirs"]]);
  });

  test("[NW8] what the log has had for long, and says in a receipt, is held, for no entry follows", async () => {
    const tracker = tracked();
    tracker.begin(at(4), at(4));
    tracker.localHeads("a", ["h1"]);
    const synced = tracker.whenSynced();
    tracker.known("a", after("h1"), 3);
    await synced;
    expect(tracker.takeRows()).toEqual([{ documentId: "a", receiptedHeads: ["h1"], receiptedAt: 3 }]);
  });

  test("[NW9] a receipt counts until the next session says what the log has", () => {
    const tracker = tracked();
    tracker.begin(LOG_START, LOG_START);
    tracker.localHeads("a", ["h1"]);
    tracker.receipt("a", after("h1"));
    tracker.offline();
    expect(tracker.isReceipted("a")).toBe(true);
    expect(tracker.begin(LOG_START, LOG_START)).toEqual([]);
    expect(tracker.isReceipted("a")).toBe(false);
    tracker.entry("a", after("h1"), 1);
    expect(tracker.isReceipted("a")).toBe(true);
  });

  test("[NW9] what was read above the newest point that the log still has is void, and has to be asked", () => {
    const tracker = tracked(row("a", "h1", "h1", 4), row("b", "h2", "h2", 5));
    expect(tracker.isReceipted("b")).toBe(true);
    expect(tracker.begin(at(4), at(4))).toEqual(["b"]);
    expect([tracker.isReceipted("a"), tracker.isReceipted("b")]).toEqual([true, false]);
    expect([tracker.isKnown("a"), tracker.isKnown("b")]).toEqual([true, false]);
    tracker.holds("b", ["h0"], 3);
    expect([tracker.isKnown("b"), tracker.heldOf("b")]).toEqual([true, ["h0"]]);
  });

  test("[NW9] of a log that is another one from its beginning, nothing counts and nothing has to be asked", () => {
    const tracker = tracked(row("a", "h1", "h1", 4));
    expect(tracker.begin(LOG_START, at(9))).toEqual([]);
    expect([tracker.isReceipted("a"), tracker.heldOf("a")]).toEqual([false, []]);
    expect(tracker.isCaughtUp).toBe(false);
  });

  test("[NW9] what an earlier version noted counts until a relay is heard", () => {
    const text = JSON.stringify({
      ...{ documentId: "a", localHeads: ["h1"], receiptedHeads: ["h1"], generation: "g" },
    });
    const old = textToRow({ text, sha256: createHash("sha256").update(text).digest("hex") });
    const tracker = tracked(old as DocumentRow);
    expect(tracker.isReceipted("a")).toBe(true);
    tracker.begin(LOG_START, at(9));
    expect(tracker.isReceipted("a")).toBe(false);
  });

  test("[NW24] with another relay nothing counts any more, and that is stored", () => {
    const tracker = tracked(row("a", "h1", "h1", 4));
    tracker.forgetRelay();
    expect(tracker.isReceipted("a")).toBe(false);
    expect(tracker.takeRows()).toEqual([{ documentId: "a", receiptedHeads: [], receiptedAt: undefined }]);
  });

  test("[NW11] synced is not said while something of a document is to come, or without a session", () => {
    const tracker = tracked(row("a", "h1", "h1", 1));
    expect(tracker.isSynced()).toBe(false);
    tracker.begin(at(1), at(1));
    expect(tracker.isSynced()).toBe(true);
    tracker.await("a", true);
    expect([tracker.isSynced(), tracker.isHeard("a"), tracker.isHeard("b")]).toEqual([false, false, true]);
    tracker.await("a", false);
    expect(tracker.isSynced()).toBe(true);
    tracker.offline();
    expect(tracker.isSynced()).toBe(false);
  });
});

describe("[NW28] who waits is told", () => {
  test("when a session begins that finds all here, though the one that was asked ended before", async () => {
    const tracker = tracked(row("a", "h1", "h1", 1));
    tracker.begin(at(1), at(1));
    const ask = tracker.newAsk();
    const synced = tracker.whenSynced(undefined, ask);
    tracker.await("a", true);
    tracker.answer(ask, 1);
    tracker.offline();
    expect(tracker.isSynced(ask)).toBe(false);
    tracker.begin(at(1), at(1));
    expect(tracker.isSynced(ask)).toBe(true);
    await synced;
  });

  test("when the log is read again from a point, whatever was awaited of it before", () => {
    const tracker = tracked();
    tracker.begin(LOG_START, LOG_START);
    tracker.await("a", true);
    tracker.begin(LOG_START, LOG_START); // no end of the session comes before it
    expect(tracker.isSynced()).toBe(true);
  });
});
