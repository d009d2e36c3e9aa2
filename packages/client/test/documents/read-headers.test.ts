/** Headers that are asked for again and again, and read once. */
import type { DocumentId } from "@cambium/core";
import { expect, test } from "vitest";
import { ReadHeaders } from "../../src/documents/read-headers.js";
import { manualTimers } from "../../src/platform/timers.js";

const [DOCUMENT, OTHER] = ["a" as DocumentId, "b" as DocumentId];

test("[ER76] headers are read once for as long as their document is the same, and kept no longer than a minute", async () => {
  const [timers, heads] = [manualTimers(), new Map([[DOCUMENT, ["1"]]])];
  const headers = new ReadHeaders<string>(timers, (document) => heads.get(document) ?? []);
  let reads = 0;
  const ask = (document = DOCUMENT, isWhole = true) =>
    headers.of(document, async () => {
      reads += 1;
      return { headers: [`${document}${reads}`], isWhole };
    });
  expect([await ask(), await ask(), reads]).toEqual([["a1"], ["a1"], 1]);
  heads.set(DOCUMENT, ["1", "2"]);
  expect([await ask(), await ask(), reads]).toEqual([["a2"], ["a2"], 2]);
  // What could not be opened may be once its key has come.
  expect([await ask(OTHER, false), await ask(OTHER, false), reads]).toEqual([["b3"], ["b4"], 4]);
  timers.advance(59_000);
  expect([await ask(), reads]).toEqual([["a2"], 4]);
  timers.advance(60_000);
  expect([await ask(), reads]).toEqual([["a5"], 5]);
  // What is written while it is read is read the next time.
  heads.set(OTHER, ["1"]);
  await headers.of(OTHER, async () => {
    heads.set(OTHER, ["2"]);
    return { headers: ["old"], isWhole: true };
  });
  expect(await ask(OTHER)).toEqual(["b6"]);
});
