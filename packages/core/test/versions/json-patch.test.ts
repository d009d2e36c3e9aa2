import fc from "fast-check";
import { applyPatch, type Operation } from "rfc6902";
import { expect, test } from "vitest";
import type { MemoryFields } from "../../src/format/record.js";
import { type JsonPatch, patchBetween } from "../../src/versions/json-patch.js";
import { EMPTY_FIELDS } from "../merge/records.js";
import { arbitraryFields } from "./arbitrary-fields.js";

const json = (value: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(value));

function applied(document: unknown, patch: JsonPatch): unknown {
  const result = json(document);
  const problems = applyPatch(result, json(patch) as unknown as Operation[]);
  expect(problems.filter((problem) => problem !== null)).toEqual([]);
  return result;
}

test("[VN1] applying the patch between two versions to one of them gives the other", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryFields, arbitraryFields, async (from, to) => {
      expect(applied(from, await patchBetween(from, to))).toEqual(json(to));
      expect(await patchBetween(from, from)).toEqual([]);
    }),
  );
});

test("[VN1] a patch leaves alone what a version has beside its fields", async () => {
  const [from, to] = [fields({ content: "a", category: "c" }), fields({ content: "b", tags: ["t"] })];
  const version = { ...from, record: "r1", version: 1 };
  expect(applied(version, await patchBetween(from, to))).toEqual({ ...json(to), record: "r1", version: 1 });
});

test("[VN2] of a list only what came or went is named, whatever its length", async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `tag-${String(index).padStart(4, "0")}`);
  const from = fields({ tags: many });
  const to = fields({ tags: [...many.slice(0, 500), ...many.slice(501), "zebra"] });
  expect(await patchBetween(from, to)).toEqual([
    { op: "remove", path: "/tags/500" },
    { op: "add", path: "/tags/999", value: "zebra" },
  ]);
  const others = fields({ tags: many.map((tag) => `x${tag}`) });
  expect(applied(from, await patchBetween(from, others))).toEqual(json(others));
});

const fields = (some: Partial<MemoryFields>): MemoryFields => ({ ...EMPTY_FIELDS, ...some });
