import { deflateRawSync } from "node:zlib";
import * as A from "@automerge/automerge";
import { isCambiumError } from "@cambium/core";
import { chunkSize, splitChunks } from "@cambium/core/changes";
import { expect, test } from "vitest";
import { type Draw, draws } from "../../core/test/support/random-documents.js";
import { chunkTools } from "../src/chunk-tools.js";
import { deflatedColumn, repeatedRows } from "./support/swollen-documents.js";

interface Notes {
  list: number[];
  text: string;
  map: Record<string, number | A.Counter>;
}

const sizes = (bytes: Uint8Array): readonly number[] =>
  splitChunks(bytes).map((chunk) => chunkSize(chunk, chunkTools));

function documentOf(draw: Draw): A.Doc<Notes> {
  let [one, two] = ["aa", "bb"].map((byte) => A.init<Notes>(byte.repeat(16))) as [A.Doc<Notes>, A.Doc<Notes>];
  one = A.change(one, (notes) => Object.assign(notes, { list: [], text: "", map: {} }));
  two = A.merge(two, one);
  for (let step = 0; step < 60; step += 1) {
    const write = (notes: Notes): void => {
      const kind = draw(5);
      if (kind === 0) notes.list.splice(draw(notes.list.length + 1), draw(3), step, step);
      else if (kind === 1) A.splice(notes, ["text"], draw(notes.text.length + 1), 0, "x".repeat(draw(40)));
      else if (kind === 2) notes.map[`${draw(6)}`] = step;
      else if (kind === 3) delete notes.map[`${draw(6)}`];
      else notes.map[`counter ${step}`] = new A.Counter(step);
    };
    if (draw(2) === 0) one = A.change(one, write);
    else two = A.change(two, write);
    if (draw(6) === 0) one = A.merge(one, A.clone(two));
  }
  return A.merge(one, two);
}

test("[RL197] the operations of a chunk are counted without Automerge, of whatever it writes", () => {
  for (let seed = 1; seed <= 8; seed += 1) {
    const doc = documentOf(draws(seed));
    const { numOps } = A.stats(doc);
    const [whole = 0] = sizes(A.save(doc));
    expect(whole).toBeGreaterThanOrEqual(numOps * 0.5);
    expect(whole).toBeLessThanOrEqual(numOps * 2);
    const all = A.getAllChanges(doc).flatMap(sizes);
    expect(all.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThanOrEqual(numOps);
  }
  expect(sizes(repeatedRows(1_000_000_000, chunkTools))).toEqual([1_000_000_000]);
  expect(sizes(deflatedColumn(deflateRawSync(Buffer.alloc(1_000_000)), chunkTools))[0]).toBeLessThan(20);
});

test("[RL197] altered documents are counted, or refused", () => {
  const draw = draws(7);
  const saved = A.save(documentOf(draw));
  for (let round = 0; round < 2_000; round += 1) {
    const altered = saved.slice();
    for (let bytes = draw(4) + 1; bytes > 0; bytes -= 1) altered[8 + draw(saved.length - 8)] = draw(256);
    try {
      for (const rows of sizes(altered)) expect(rows).toBeGreaterThanOrEqual(0);
    } catch (error) {
      expect(isCambiumError(error, "BAD_CHUNK"), String(error)).toBe(true);
    }
  }
});
