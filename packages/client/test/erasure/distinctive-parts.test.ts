import fc from "fast-check";
import { expect, test } from "vitest";
import { type Parts, partsOf, sharedParts } from "../../src/erasure/distinctive-parts.js";

/** What a text shares with an erased one, among so many memories, each part held by one of them unless said. */
function shared(erased: string, other: string, memories = 200, held: Readonly<Record<string, number>> = {}) {
  const wanted = partsOf(erased);
  const kinds = [...partsOf(other).keys()].flatMap((part) => {
    const kind = wanted.get(part);
    return kind === undefined ? [] : [[part, kind] as const];
  });
  const parts: Parts = new Map(kinds);
  const counts = new Map([...parts.keys()].map((part) => [part, held[part] ?? 1]));
  return sharedParts(parts, { held: counts, memories });
}

test.each([
  ["Lisa's passport number is X1234567", "For the visa: passport X 1234567, valid until May", "x1234567"],
  ["IBAN DE89 3704 0044 0532 0130 00", "pay to DE89370400440532013000 today", "de89370400440532013000"],
  ["Call +49 170 1234567 at night", "her number: 0170/1234567", "1234567"],
  ["The door code is 4711", "4711 opens it", "4711"],
  ["Write to ada.byron@example.org", "ada.byron@example.org bounced", "ada.byron@example.org"],
  ["She has fibromyalgia since spring", "the fibromyalgia got worse", "fibromyalgia"],
  ["He met Quixamber in town", "quixamber wrote back", "quixamber"],
  ["护照号码E12345678", "签证 E12345678", "e12345678"],
])("[ER30] %j is told by a part of it in %j", (erased, other, part) => {
  expect(shared(erased, other)[0]).toBe(part);
});

test.each([
  ["We met on 2024-05-03 at 12:30", "The release was on 2024-05-03 at 12:30"],
  ["The budget of 2026 is 50000", "In 2026 we need 50000 more"],
  ["The door code is 4711", "The door is green"],
  ["Ada drinks tea at four", "Ada drinks coffee at nine"],
])("[ER30] what %j shares with %j says nothing", (erased, other) => {
  expect(shared(erased, other, 20)).toEqual([]);
});

test("[ER30] a name or a word that many memories use tells nothing; a code always does", () => {
  const [erased, other] = ["She gave Quixamber the code 4711", "Ask Quixamber for 4711"];
  expect(shared(erased, other, 20, { quixamber: 9 })).toEqual(["4711"]);
  expect(shared("She gave Quixamber the code", "Ask Quixamber", 20, { quixamber: 9 })).toEqual([]);
});

test("[ER30] a code is found again however it is grouped and whatever stands around it", () => {
  const group = fc.string({ minLength: 3, maxLength: 4, unit: fc.constantFrom(..."123456789") });
  const groups = fc.array(group, { minLength: 2, maxLength: 6 });
  const separator = fc.constantFrom("", " ", "-", ".");
  const word = fc.constantFrom("passport", "is", "number", "card", "Her");
  fc.assert(
    fc.property(groups, separator, separator, word, word, (digits, one, two, before, after) => {
      fc.pre(!(digits.length === 2 && [one, two].includes(".")));
      const [erased, other] = [`${before} ${digits.join(one)}`, `${digits.join(two)}, ${after}`];
      expect(shared(erased, other)).toContain(digits.join(""));
    }),
    { seed: 30, numRuns: 300 },
  );
});
