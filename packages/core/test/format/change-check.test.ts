import { hash } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { expect, test } from "vitest";
import { genesis } from "../../src/automerge.js";
import { checkChanges } from "../../src/format/change-check.js";
import { type ChunkTools, readChangeHeader, splitChunks } from "../../src/format/change-header.js";
import { CheckedHandle } from "../../src/format/checked-handle.js";
import { draws, randomChanges } from "../support/random-documents.js";
import { deflated, rewritten, withoutDependencies, withStartOp } from "../support/rewritten-changes.js";

const tools: ChunkTools = {
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
  inflate: (bytes, maxBytes) => inflateRawSync(bytes, { maxOutputLength: maxBytes }),
};
const SEEDS = Array.from({ length: 6 }, (_, index) => index + 1);

test("[CO90] the header of every change that Automerge writes is read as Automerge reads it", () => {
  for (const seed of SEEDS) {
    for (const bytes of randomChanges(seed, 50)) {
      const expected = A.decodeChange(bytes);
      const { deps, actor, seq, startOp, maxOp, objects, ...header } = readChangeHeader(bytes, tools);
      expect({ ...header, deps, actor, seq, startOp }).toEqual({
        hash: expected.hash,
        deps: expected.deps,
        actor: expected.actor,
        seq: expected.seq,
        startOp: expected.startOp,
      });
      expect(maxOp - startOp + 1).toBe(expected.ops.length);
      const written = expected.ops.map(({ obj }) => obj as string).filter((obj) => obj !== "_root");
      expect(objects.toSorted()).toEqual([...new Set(written)].sort());
    }
  }
});

test("[CO90] a deflated change has the header and hash of the plain one, and a bomb is not inflated", () => {
  for (const bytes of randomChanges(3, 60)) {
    expect(readChangeHeader(deflated(bytes), tools)).toEqual(readChangeHeader(bytes, tools));
  }
  const bomb = deflated(randomChanges(3, 60)[0] as Uint8Array, Buffer.alloc(65 * 1024 * 1024));
  expect(() => readChangeHeader(bomb, tools)).toThrow("cannot be inflated");
});

test("[CO90] bytes that are not whole changes are refused as such, whatever they are", () => {
  const bytes = randomChanges(4, 20).at(-1) as Uint8Array;
  const draw = draws(4);
  expect(splitChunks(Buffer.concat([bytes, bytes])).map((chunk) => chunk.kind)).toEqual(["change", "change"]);
  for (let trial = 0; trial < 2_000; trial += 1) {
    const altered = Buffer.from(bytes.subarray(0, draw(4) === 0 ? draw(bytes.length) : bytes.length));
    const place = draw(altered.length);
    if (altered.length > 0) altered[place] = (altered[place] as number) ^ (1 + draw(255));
    expect(() => readChangeHeader(altered, tools), `trial ${trial}`).toThrow(
      expect.objectContaining({ code: "BAD_CHUNK" }),
    );
  }
});

test("[CO91] every change that Automerge writes obeys the rules, with many writers and in any order of arrival", () => {
  for (const seed of SEEDS) {
    const changes = randomChanges(seed, 50);
    const headers = changes.map((bytes) => readChangeHeader(bytes, tools));
    const shuffled = headers.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
    const { sound, waiting, refused } = checkChanges(shuffled, EMPTY);
    expect({ waiting, refused }).toEqual({ waiting: [], refused: [] });
    expect(sound).toHaveLength(headers.length);

    const handle = A.getBackend(A.init());
    const checked = new CheckedHandle(handle, tools);
    for (const bytes of changes) {
      const before = handle.getHeads();
      const { changes: given, ...rest } = checked.check([bytes]);
      expect(rest).toEqual({ others: [], refused: [] });
      handle.applyChanges([...given]);
      expect(checked.confirm(before).refused).toEqual([]);
    }
  }
});

test("[CO91] a whole document passes, and so does what waited for its dependencies", () => {
  const changes = randomChanges(7, 60);
  const handle = A.getBackend(A.init());
  handle.loadIncremental(Buffer.concat(changes));
  expect(new CheckedHandle(handle, tools).confirm([]).refused).toEqual([]);

  const late = A.getBackend(A.init());
  const checked = new CheckedHandle(late, tools);
  for (const bytes of changes.toReversed()) {
    const before = late.getHeads();
    late.applyChanges([...checked.check([bytes]).changes]);
    expect(checked.confirm(before).refused).toEqual([]);
  }
  expect(late.getHeads()).toEqual(handle.getHeads());
  for (const kind of ["catalog", "branch", "pack", "uses"] as const) {
    const made = A.getBackend(A.load(genesis(kind)));
    expect(new CheckedHandle(made, tools).confirm([]).refused).toEqual([]);
  }
});

test("[CO91] each rule holds by itself, for a change of one operation and for one of none", () => {
  const actor = "aa".repeat(16);
  const doc = A.change(A.from<Record<string, number>>({ first: 1 }, actor), (draft) => {
    draft.second = 2;
  });
  const writing = A.change(A.clone(doc, actor), (draft) => {
    draft.third = 3;
  });
  const changes = [writing, A.emptyChange(A.clone(doc, actor))].map(
    (made) => A.getLastLocalChange(made) as Uint8Array,
  );
  const faultOf = (bytes: Uint8Array): string | undefined =>
    new CheckedHandle(A.getBackend(doc), tools).check([bytes]).refused[0]?.reason;
  for (const bytes of changes) {
    expect(faultOf(bytes)).toBeUndefined();
    for (const startOp of [1, 2])
      expect(faultOf(withStartOp(bytes, startOp))).toMatch("its dependencies end");
    expect(faultOf(withStartOp(bytes, 200_000))).toMatch(/the document ends|skips those/);
    expect(faultOf(withoutDependencies(bytes))).toMatch(/not among its ancestors|skips those/);
  }
  const [ahead, empty] = changes.map((bytes) => faultOf(withStartOp(bytes, 10)));
  expect(ahead).toBeUndefined();
  expect(empty).toMatch("skips those");
});

test("[CO92] no altered change that passes makes a document that does not load again", () => {
  let passed = 0;
  let refused = 0;
  for (const seed of SEEDS) {
    const draw = draws(seed * 31);
    const changes = randomChanges(seed, 40);
    for (let trial = 0; trial < 40; trial += 1) {
      const place = draw(changes.length);
      const altered = rewritten(changes[place] as Uint8Array, draw);
      const handle = A.getBackend(A.init());
      handle.loadIncremental(Buffer.concat(changes.slice(0, place)));
      const outcome = give(handle, altered);
      const label = `seed ${seed}, trial ${trial}: ${outcome}`;
      if (outcome === "taken") {
        passed += 1;
        expect(A.getHeads(A.load(handle.save())).toSorted(), label).toEqual(handle.getHeads().toSorted());
      } else {
        refused += 1;
      }
      handle.free();
    }
  }
  expect(passed).toBeGreaterThan(30);
  expect(refused).toBeGreaterThan(100);
});

const EMPTY = { maxOp: () => 0, change: () => undefined, hasObject: () => false };

/** What a careful receiver does with one change. */
function give(handle: ReturnType<typeof A.getBackend>, bytes: Uint8Array): string {
  const checked = new CheckedHandle(handle, tools);
  const before = handle.getHeads();
  try {
    const { changes, refused } = checked.check([bytes]);
    if (refused.length > 0) return `refused: ${refused[0]?.reason}`;
    handle.applyChanges([...changes]);
    return checked.confirm(before).refused.length > 0 ? "not confirmed" : "taken";
  } catch (error) {
    return `thrown: ${error}`;
  }
}
