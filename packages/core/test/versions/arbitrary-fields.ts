/** Fields of memories as people write them, and as property tests need them: small, alike, and of every kind. */
import fc from "fast-check";
import { type FieldInput, parseFields } from "../../src/format/fields.js";
import type { MemoryFields } from "../../src/format/record.js";
import { EMPTY_FIELDS } from "../merge/records.js";

const word = fc.constantFrom("tea", "coffee", "a/b", "a~b", "50M", "예산은", "预算", "__proto__", "x");
const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((list) => list.join(" "));
const link = fc.record({ rel: word, to: word });
const orAbsent = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

const input: fc.Arbitrary<FieldInput> = fc.record({
  content: words,
  kind: orAbsent(word),
  area: orAbsent(word),
  category: orAbsent(word),
  tags: orAbsent(fc.array(word)),
  importance: orAbsent(fc.double({ min: 0, max: 1, noNaN: true })),
  confidence: orAbsent(fc.constantFrom(0, 0.5, 1)),
  occurredAt: orAbsent(fc.nat()),
  validFrom: orAbsent(fc.constantFrom(0, 1)),
  validUntil: orAbsent(fc.constantFrom(1, 2)),
  pins: orAbsent(fc.array(word)),
  git: orAbsent(fc.record({ commit: fc.constantFrom("0123456", "89abcdef"), branch: word })),
  links: orAbsent(fc.array(link)),
});

export const arbitraryFields: fc.Arbitrary<MemoryFields> = fc
  .tuple(input, fc.boolean())
  .map(([given, deleted]) => ({ ...EMPTY_FIELDS, ...parseFields(given).fields, deleted }));
