import type { ActorId, ChangeHash, ChangeStatement, MemoryId } from "@cambium/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  numbersColumn,
  numbersFromColumn,
  replacesFromText,
  replacesText,
  statementColumn,
  statementFromColumn,
} from "../../src/index-store/change-columns.js";
import { idColumn, idFromColumn } from "../../src/index-store/memory-numbers.js";

const id = fc.uuid().map((uuid) => uuid as MemoryId);
const statement: fc.Arbitrary<ChangeStatement> = fc.record(
  {
    type: fc.constantFrom("remember", "revise", "combine", "rollback", "merge", "undo"),
    memories: fc.oneof(
      fc.array(id, { maxLength: 16 }),
      fc.nat(),
      fc.constant(["not a uuid, but allowed" as MemoryId]),
    ),
    of: fc.constant([`${"0a".repeat(32)}` as ChangeHash]),
    again: fc.boolean(),
  },
  { requiredKeys: ["type", "memories"] },
);

test("[IX9] what a change says of itself comes back from its column as it was", () => {
  fc.assert(
    fc.property(statement, fc.array(id, { maxLength: 3 }), fc.boolean(), (said, others, namesThem) => {
      const written = namesThem && Array.isArray(said.memories) ? said.memories : others;
      expect(statementFromColumn(statementColumn(said, written), () => written)).toEqual(said);
    }),
  );
});

test("[IX9] a list of numbers comes back from its column, also one that is empty or alone", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 3 }), (numbers) => {
      expect(numbersFromColumn(numbersColumn(numbers))).toEqual(numbers);
    }),
  );
});

test("[IX9] what a write replaces comes back from its column, whoever wrote it", () => {
  const actor = fc.constantFrom("ab".repeat(38), "b".repeat(76), "0ab").map((name) => name as ActorId);
  const operations = fc.array(fc.tuple(fc.nat(), actor).map(([counter, by]) => `${counter}@${by}`));
  fc.assert(
    fc.property(operations, actor, (replaces, by) => {
      expect(replacesFromText(replacesText(replaces, by), by)).toEqual(replaces);
    }),
  );
});

test("[IX9] an id comes back from its column as it was, in 16 bytes that sort as the texts do", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const [a, b] = [idColumn(one) as Uint8Array, idColumn(other) as Uint8Array];
      expect([idFromColumn(a), a.length]).toEqual([one, 16]);
      expect(Math.sign(Buffer.compare(a, b))).toBe(one < other ? -1 : one > other ? 1 : 0);
    }),
  );
  for (const foreign of ["no uuid", "01A20986-0BAE-7DDF-B79C-1781941262D8", ""])
    expect(idFromColumn(idColumn(foreign))).toBe(foreign);
});
