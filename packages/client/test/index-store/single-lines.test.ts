import { type Change, encodeReferences, type MemoryId, type PackId, type RecordHash } from "@cambium/core";
import { expect, test } from "vitest";
import { SingleLines, type TimedWrite } from "../../src/index-store/single-lines.js";
import type { KeptRecord } from "../../src/index-store/snapshot-store.js";

const MEMORY = "0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f" as MemoryId;
const PACK = "ab".repeat(16) as PackId;
const hashOf = (number: number) => number.toString(16).padStart(64, "0") as RecordHash;

interface Given {
  readonly at: number;
  readonly replaces?: readonly number[];
  readonly parents?: readonly number[];
  readonly carries?: boolean;
}

/** The nth write, of the nth record; unless it says otherwise on top of the one before. */
function extended(...given: readonly Given[]) {
  const before = (number: number) => (number === 0 ? [] : [number - 1]);
  const records = given.map(
    ({ parents }, number) =>
      ({
        record: { hash: hashOf(number), memory: MEMORY, parents: (parents ?? before(number)).map(hashOf) },
        snapshot: 100 + number,
      }) as unknown as KeptRecord,
  );
  const lines = new SingleLines(({ record }) => records.find((kept) => kept.record.hash === record));
  const writes = given.map(({ at, replaces, carries }, number): TimedWrite => {
    const references = [number, ...(carries ? [99] : [])].map((one) => ({ record: hashOf(one), pack: PACK }));
    const write: Change["writes"][number] = {
      ...{ key: "", counter: number, id: `${number}@a`, value: encodeReferences(references) },
      replaces: (replaces ?? before(number)).map((one) => `${one}@a`),
    };
    return { write, at };
  });
  return writes.map((write) =>
    lines.extend(1, MEMORY, [write])?.links.map(({ version, snapshot }) => [version, snapshot]),
  );
}

test("[IX2] versions written one on top of the other, each later, are a line", () => {
  expect(extended({ at: 1 }, { at: 2 }, { at: 5 })).toEqual([[[1, 100]], [[2, 101]], [[3, 102]]]);
});

test.each([
  ["in the same moment", { at: 1 }],
  ["earlier", { at: 0 }],
  ["beside the one before", { at: 2, replaces: [] }],
  ["on top of two", { at: 2, replaces: [0, 7] }],
  ["with a record that does not follow", { at: 2, parents: [] }],
  ["with a record that follows two", { at: 2, parents: [0, 7] }],
  ["carrying along what was not readable", { at: 2, carries: true }],
] satisfies [string, Given][])("[IX2] a version written %s crosses the line for good", (_, second) => {
  expect(extended({ at: 1 }, second, { at: 9 })).toEqual([[[1, 100]], undefined, undefined]);
});
