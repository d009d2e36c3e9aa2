import { isCambiumError } from "@cambium/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DocumentRow } from "../../src/storage/store.js";
import { type ReceiptRow, SyncTracker } from "../../src/sync/sync-tracker.js";
import { DOCUMENT_IDS, Model, type ModelDocumentId } from "./support/model-relay.js";

interface Tracked {
  readonly tracker: SyncTracker;
  readonly stored: ReceiptRow[];
}

function tracked(rows: readonly DocumentRow[] = []): Tracked {
  const stored: ReceiptRow[] = [];
  return { tracker: new SyncTracker({ rows, now: () => 7, onRow: (row) => stored.push(row) }), stored };
}

const row = (documentId: string, local: string, receipted: string, generation: string): DocumentRow => ({
  documentId,
  localHeads: [local],
  receiptedHeads: [receipted],
  generation,
});

const entry = (documentId: string, seq: number, ...heads: string[]) => ({ documentId, heads, seq });
const list = (lastSeq: number, entries: readonly ReturnType<typeof entry>[] = [], generation = "g1") => ({
  generation,
  entries: [...entries],
  lastSeq,
  complete: true,
});
const receipt = (documentId: string, seq: number, heads: readonly string[], generation = "g1") => ({
  documentId,
  heads,
  seq,
  generation,
});

test("[NW17] a question to the relay is answered only by the list that repeats its number, not by news on the way", async () => {
  const { tracker } = tracked();
  tracker.welcome({ generation: "g1", lastSeq: 0 });
  tracker.heads(list(0));
  expect(tracker.isSynced()).toBe(true);
  const ask = tracker.newAsk();
  const waiting = tracker.whenSynced(undefined, ask);
  tracker.heads(list(0));
  expect(tracker.isSynced(ask)).toBe(false);
  tracker.heads({ ...list(1, [entry("a", 1, "theirs")]), ask });
  expect(tracker.isSynced(ask)).toBe(false);
  tracker.localHeads("a", ["theirs"]);
  expect(tracker.isSynced(ask)).toBe(true);
  await waiting;
});

describe("receipts", () => {
  test("[NW8] a receipt covers the heads it names and those before, not what was written since", () => {
    const { tracker, stored } = tracked();
    tracker.localHeads("a", ["h1"]);
    tracker.localHeads("a", ["h2"]);
    tracker.localHeads("a", ["h3"]);
    tracker.welcome({ generation: "g1", lastSeq: 5 });
    tracker.receipt(receipt("a", 5, ["h2"]));
    expect(tracker.isReceipted("a", ["h1"])).toBe(true);
    expect(tracker.isReceipted("a", ["h2"])).toBe(true);
    expect(tracker.isReceipted("a")).toBe(false);
    expect(tracker.progress("a")).toEqual({ documentId: "a", pending: true, behind: 0, lastReceiptAt: 7 });
    expect(stored).toEqual([{ documentId: "a", receiptedHeads: ["h2"], generation: "g1" }]);
  });

  test("[NW8] heads that grew by others' changes count when the relay names exactly them", () => {
    const { tracker } = tracked();
    tracker.localHeads("a", ["mine"]);
    tracker.welcome({ generation: "g1", lastSeq: 1 });
    tracker.heads(list(1, [entry("a", 1, "theirs")]));
    expect(tracker.progress("a")).toMatchObject({ pending: true, behind: 1 });
    tracker.localHeads("a", ["mine", "theirs"]);
    expect(tracker.progress("a")).toMatchObject({ pending: true, behind: 0 });
    tracker.heads(list(2, [entry("a", 2, "theirs", "mine")]));
    expect(tracker.progress("a")).toMatchObject({ pending: false, behind: 0 });
    expect(tracker.isSynced()).toBe(true);
  });

  test("[NW8] a receipt for heads that are told of later counts then", () => {
    const { tracker } = tracked();
    tracker.welcome({ generation: "g1", lastSeq: 1 });
    tracker.receipt(receipt("a", 1, ["h1"]));
    tracker.localHeads("a", ["h1"]);
    expect(tracker.isReceipted("a")).toBe(true);
  });

  test("[NW9] receipts of another generation are void, stored or not, unless the list confirms them", () => {
    const { tracker, stored } = tracked([row("a", "h1", "h1", "g1"), row("b", "k1", "k1", "g1")]);
    expect(tracker.isReceipted("a")).toBe(true);
    tracker.welcome({ generation: "g2", lastSeq: 3 });
    tracker.receipt(receipt("a", 1, ["h1"], "g1"));
    expect(tracker.isReceipted("a")).toBe(false);
    tracker.heads(list(3, [entry("b", 3, "k1")], "g2"));
    expect([tracker.isReceipted("a"), tracker.isReceipted("b")]).toEqual([false, true]);
    expect(tracker.toLoad()).toEqual(["a"]);
    expect(stored).toEqual([
      { documentId: "b", receiptedHeads: ["k1"], generation: "g2" },
      { documentId: "a", receiptedHeads: [], generation: undefined },
    ]);
  });

  test("[NW9] a stored receipt of this generation still counts after a restart", () => {
    const { tracker } = tracked([row("a", "h2", "h1", "g1")]);
    tracker.welcome({ generation: "g1", lastSeq: 3 });
    expect([tracker.isReceipted("a", ["h1"]), tracker.isReceipted("a")]).toEqual([true, false]);
  });

  test("[NW9] a receipt above the list counts only once the list has caught up", () => {
    const { tracker } = tracked();
    tracker.localHeads("a", ["h1"]);
    tracker.welcome({ generation: "g1", lastSeq: 3 });
    tracker.receipt(receipt("a", 4, ["h1"]));
    expect(tracker.isReceipted("a")).toBe(false);
    tracker.heads(list(4));
    expect(tracker.isReceipted("a")).toBe(true);
  });

  test("[NW9] a receipt of an earlier generation does not count for heads told of later", () => {
    const { tracker } = tracked();
    tracker.welcome({ generation: "g1", lastSeq: 1 });
    tracker.receipt(receipt("a", 1, ["h1"]));
    tracker.offline();
    tracker.welcome({ generation: "g2", lastSeq: 1 });
    tracker.localHeads("a", ["h1"]);
    expect(tracker.isReceipted("a")).toBe(false);
  });

  test("[NW9] a log that has shrunk within a generation voids everything", () => {
    const { tracker } = tracked();
    tracker.localHeads("a", ["h1"]);
    tracker.welcome({ generation: "g1", lastSeq: 3 });
    tracker.receipt(receipt("a", 3, ["h1"]));
    tracker.heads(list(3, [entry("a", 3, "h1")]));
    tracker.offline();
    expect(tracker.cursor()).toEqual({ generation: "g1", seq: 3 });
    tracker.welcome({ generation: "g1", lastSeq: 2 });
    expect(tracker.cursor()).toBeUndefined();
    expect(tracker.isReceipted("a")).toBe(false);
  });
});

describe("the list", () => {
  test("[NW10] an older entry never replaces a newer one, and a part of the list is no list", () => {
    const { tracker } = tracked([row("a", "h2", "h2", "g1")]);
    tracker.welcome({ generation: "g1", lastSeq: 9 });
    tracker.heads({ ...list(9, [entry("a", 9, "h2")]), complete: false });
    expect(tracker.isSynced()).toBe(false);
    tracker.heads(list(9, [entry("a", 8, "h1")]));
    expect(tracker.isSynced()).toBe(true);
    tracker.offline();
    expect(tracker.isSynced()).toBe(false);
  });

  test("[NW10] unlisted documents have to be loaded only once the list is complete", () => {
    const { tracker } = tracked([row("a", "h1", "h1", "g0"), row("b", "k1", "k1", "g0")]);
    tracker.welcome({ generation: "g1", lastSeq: 9 });
    tracker.heads({ ...list(8, [entry("c", 8, "m1")]), complete: false });
    expect(tracker.toLoad()).toEqual(["c"]);
    tracker.heads(list(9, [entry("a", 9, "h1")]));
    expect([...tracker.toLoad()].sort()).toEqual(["b", "c"]);
  });
});

describe("waiting", () => {
  test("[NW8] for a snapshot of heads, also of documents and heads not told of yet", async () => {
    const { tracker } = tracked();
    tracker.localHeads("a", ["h1"]);
    const done: string[] = [];
    const all = [
      tracker.whenReceipted([{ documentId: "a" }]).then(() => done.push("a")),
      tracker.whenReceipted([{ documentId: "b" }]).then(() => done.push("b")),
      tracker.whenReceipted([{ documentId: "a", heads: ["h2"] }]).then(() => done.push("a2")),
    ];
    tracker.localHeads("a", ["h2"]);
    tracker.welcome({ generation: "g1", lastSeq: 5 });
    tracker.receipt(receipt("a", 1, ["h1"]));
    await Promise.all(all.slice(0, 1));
    expect(done).toEqual(["a"]);
    tracker.localHeads("b", ["k1"]);
    tracker.receipt(receipt("b", 2, ["k1"]));
    tracker.receipt(receipt("a", 3, ["h2"]));
    await Promise.all(all);
    expect(done).toEqual(["a", "b", "a2"]);
  });

  test("[NW8] ends with ABORTED when the caller has had enough", async () => {
    const { tracker } = tracked();
    const controller = new AbortController();
    const waiting = tracker.whenSynced(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toSatisfy((error) => isCambiumError(error, "ABORTED"));
    await expect(tracker.whenSynced(controller.signal)).rejects.toSatisfy((error) =>
      isCambiumError(error, "ABORTED"),
    );
  });
});

const documentId = fc.constantFrom(...DOCUMENT_IDS);
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("write here" as const), id: documentId }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("write elsewhere" as const), id: documentId }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("send from here" as const), id: documentId }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("send to here" as const), id: documentId }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("relay works" as const), isReceiptFirst: fc.boolean() }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("deliver" as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("connect" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("disconnect" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart relay" as const), lost: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart replica" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("settle" as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer Value> ? Value : never;

const actions: {
  readonly [Kind in Command["kind"]]: (model: Model, step: Extract<Command, { kind: Kind }>) => void;
} = {
  "write here": (model, { id }) => model.writeHere(id),
  "write elsewhere": (model, { id }) => model.writeElsewhere(id),
  "send from here": (model, { id }) => model.sendFromHere(id),
  "send to here": (model, { id }) => model.sendToHere(id),
  "relay works": (model, { isReceiptFirst }) => model.workRelay(isReceiptFirst),
  deliver: (model) => model.deliver(),
  connect: (model) => model.connect(),
  disconnect: (model) => model.disconnect(),
  "restart relay": (model, { lost }) => model.restartRelay(lost),
  "restart replica": (model) => model.restartReplica(),
  settle,
};
const run = (model: Model, step: Command): void => actions[step.kind](model, step as never);

/** What a replica does with a connection: load what differs, until nothing does. */
function settle(model: Model): void {
  model.connect();
  const drain = () => {
    while (model.deliver() || model.workRelay(true));
  };
  drain();
  for (const id of model.tracker.toLoad() as readonly ModelDocumentId[]) {
    model.sendToHere(id);
    drain();
    model.sendFromHere(id);
    drain();
  }
}

describe("against a model of a relay that restarts, and is restored from copies", () => {
  test("[NW11] synced and receipted are never said of what the relay lacks, and synced is reached", () => {
    let syncedCount = 0;
    fc.assert(
      fc.property(fc.array(command, { maxLength: 80, size: "max" }), (commands) => {
        const model = new Model();
        const seen: { id: ModelDocumentId; heads: readonly string[] }[] = [];
        for (const step of commands) {
          run(model, step);
          seen.push(...DOCUMENT_IDS.map((id) => ({ id, heads: model.localHeads(id) })));
          if (!model.isWelcomed) continue;
          if (model.tracker.isSynced()) {
            syncedCount += 1;
            for (const id of DOCUMENT_IDS) expect(model.relayHolds(id, model.localHeads(id))).toBe(true);
          }
          for (const { id, heads } of seen) {
            if (heads.length > 0 && model.tracker.isReceipted(id, heads)) {
              expect(model.relayHolds(id, heads)).toBe(true);
            }
          }
        }
        settle(model);
        expect(model.tracker.isSynced()).toBe(true);
        for (const id of DOCUMENT_IDS) {
          expect([...model.relayDocument(id).keys()].sort()).toEqual(
            [...(model.local.get(id)?.keys() ?? [])].sort(),
          );
        }
      }),
      { seed: 2_026, numRuns: 400 },
    );
    expect(syncedCount).toBeGreaterThan(100);
  });
});
