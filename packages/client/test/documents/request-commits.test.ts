/** Requests and the changes they name reach the disk in the same commits, whoever saves the documents, and when. */

import { setImmediate } from "node:timers/promises";
import * as A from "@automerge/automerge";
import { Repo } from "@automerge/automerge-repo";
import {
  type BranchId,
  type DocumentId,
  deriveSpaceKeys,
  documentIdFromHex,
  type MemoryId,
  memoryKey,
  type ReplicaId,
  type SpaceId,
} from "@cambium/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { AcknowledgedNote } from "../../src/documents/acknowledged-note.js";
import { ChunkedDocuments } from "../../src/documents/chunked-documents.js";
import { Documents } from "../../src/documents/documents.js";
import type { Identity } from "../../src/documents/identity.js";
import { PendingRequests } from "../../src/documents/requested-changes.js";
import { guardMedium, type Medium, MemoryDisk, openMemoryMedium } from "../../src/storage/testing.js";

const SPACE = "01900000-0000-7000-8000-000000000001" as SpaceId;
const REPLICA = "01900000-0000-7000-8000-000000000002" as ReplicaId;
const keys = deriveSpaceKeys(SPACE, new Uint8Array(32).fill(7));
const BRANCHES = ["11", "22"].map((byte) => byte.repeat(16) as BranchId);

/** Two branches on a disk whose commits may be held up, and are looked at one by one. */
class Desk {
  readonly disk = new MemoryDisk();
  readonly made: { readonly document: DocumentId; readonly key: string; readonly change: string }[] = [];
  readonly documents: Documents;
  commits = 0;
  /** What some commit had in one place and not in the other. */
  readonly torn: string[] = [];
  #held: PromiseWithResolvers<void> | undefined;
  #count = 0;

  /** @param saveDebounceRate - how long automerge-repo waits before it saves by itself */
  constructor(saveDebounceRate: number) {
    const store = guardMedium(this.#watched(openMemoryMedium(this.disk)));
    const requests = new PendingRequests();
    const repo = new Repo({ storage: store, saveDebounceRate });
    new ChunkedDocuments(store, requests).serve(repo);
    const identity = { id: REPLICA, epoch: 0, beginWriting: () => {}, abandonEpoch: () => {} };
    this.documents = new Documents({
      ...{ openRepo: async () => repo, store, requests, note: new AcknowledgedNote(undefined) },
      ...{ identity: identity as unknown as Identity, changeKey: keys.changes },
    });
  }

  async open(): Promise<void> {
    await this.documents.prepare();
    for (const branch of BRANCHES) this.documents.create("branch", documentIdFromHex(branch));
  }

  hold(): void {
    this.#held ??= Promise.withResolvers<void>();
  }

  release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  write(branch: BranchId, isKeyed: boolean): void {
    this.#count += 1;
    const document = documentIdFromHex(branch);
    const digits = this.#count.toString(16).padStart(12, "0");
    const memory = `01900000-0000-7000-8000-${digits}` as MemoryId;
    const key = `key ${this.#count}`;
    const common = { type: "remember", branch, memories: [memory] } as const;
    const change = this.documents.change(
      {
        ...{ document, time: this.#count },
        statement: { type: "remember", memories: [memory] },
        writes: [{ key: memoryKey(memory), value: new Uint8Array(this.#count % 300).fill(1) }],
      },
      isKeyed ? { ...common, key, fingerprint: "f", at: this.#count } : undefined,
    );
    if (isKeyed) this.made.push({ document, key, change });
  }

  #watched(inner: Medium): Medium {
    const { initial, read, readRange, keys: list, request, inspect, displaced, close } = inner;
    const bound = { read, readRange, keys: list, request, inspect, displaced, close };
    for (const [name, method] of Object.entries(bound)) Object.assign(bound, { [name]: method.bind(inner) });
    return {
      initial,
      ...bound,
      commit: async (operations) => {
        await this.#held?.promise;
        await inner.commit(operations);
        this.commits += 1;
        this.#look();
      },
    };
  }

  /** A crash now would leave exactly this. */
  #look(): void {
    for (const [document, made] of Map.groupBy(this.made, (one) => one.document)) {
      const chunks = [...this.disk.chunks.values()].filter(({ key: [id] }) => id === document);
      const doc = A.loadIncremental(A.init(), Buffer.concat(chunks.map(({ bytes }) => bytes)));
      for (const { key, change } of made) {
        const isWritten = A.hasHeads(doc, [change]);
        const isNoted = this.disk.requests.get(key)?.change === change;
        if (isWritten !== isNoted) this.torn.push(`${key}: change ${isWritten}, request ${isNoted}`);
      }
      A.free(doc);
    }
  }
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("write" as const), branch: fc.nat(1), isKeyed: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("flush" as const, "tick" as const, "hold" as const, "release" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("compact" as const), branch: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Writes at every turn while a document is stored again: one of them comes between its reading and its saving. */
const DURING_COMPACTION: readonly Step[] = [
  { kind: "write", branch: 0, isKeyed: true },
  { kind: "compact", branch: 0 },
  ...Array.from({ length: 12 }, (): readonly Step[] => [
    { kind: "tick" },
    { kind: "write", branch: 0, isKeyed: true },
  ]).flat(),
];

test("[RQ3] at every commit, a request is on disk exactly when its change is", async () => {
  let commits = 0;
  let requests = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 1_000),
      fc.array(step, { minLength: 20, maxLength: 45 }),
      async (rate, steps) => {
        const desk = new Desk(rate);
        await desk.open();
        const work: Promise<unknown>[] = [];
        for (const next of steps) {
          if (next.kind === "write") desk.write(BRANCHES[next.branch] as BranchId, next.isKeyed);
          else if (next.kind === "flush") work.push(desk.documents.flush());
          else if (next.kind === "tick") await setImmediate();
          else if (next.kind === "hold") desk.hold();
          else if (next.kind === "release") desk.release();
          else if (next.kind === "wait")
            await new Promise((resolve) => setTimeout(resolve, 0)); // its own saving
          else if (next.kind === "compact")
            work.push(desk.documents.compact(documentIdFromHex(BRANCHES[next.branch] as BranchId)));
          else next.kind satisfies never;
        }
        desk.release();
        await Promise.all(work);
        await desk.documents.flush();
        expect(desk.torn).toEqual([]);
        expect(desk.disk.requests.size).toBe(desk.made.length);
        commits += desk.commits;
        requests += desk.made.length;
      },
    ),
    { numRuns: 30, examples: [[1_000, [...DURING_COMPACTION]]] },
  );
  expect(requests).toBeGreaterThan(150);
  expect(commits).toBeGreaterThan(60);
}, 60_000);
