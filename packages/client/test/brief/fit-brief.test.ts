import fc from "fast-check";
import { expect, test } from "vitest";
import { clip, clippedLine, utf8Bytes } from "../../src/brief/clip.js";
import { type BriefSection, fitBrief } from "../../src/brief/fit-brief.js";

const anyText = (maxLength: number) => fc.string({ unit: "binary", maxLength });
const section: fc.Arbitrary<BriefSection> = fc.record({
  title: anyText(40),
  how: anyText(20),
  weight: fc.integer({ min: 1, max: 5 }),
  lines: fc.array(anyText(200), { maxLength: 30 }),
  total: fc.nat(5_000),
});
/** As many lines as there are things at most; and none without a thing. */
const sections = fc.array(
  section.map((one) => ({ ...one, lines: one.lines.slice(0, one.total) })),
  { maxLength: 6 },
);

test("[BF1] never exceeds its bytes, whatever is to be told", () => {
  fc.assert(
    fc.property(anyText(200), sections, fc.integer({ min: 20, max: 8_000 }), (header, parts, maxBytes) => {
      const { text, shown } = fitBrief(header, parts, maxBytes);
      expect(utf8Bytes(text)).toBeLessThanOrEqual(maxBytes);
      expect(text.isWellFormed() || !header.isWellFormed() || parts.some(hasHalves)).toBe(true);
      for (const [index, { lines }] of parts.entries())
        expect(shown[index]).toBeLessThanOrEqual(lines.length);
    }),
    { numRuns: 500 },
  );
});

test("[BF2] never cuts within a line that it chose, where its header has room", () => {
  const plain = fc.stringMatching(/^[a-z ü漢]{0,60}$/);
  const one = fc.record({ title: plain, how: plain, weight: fc.constantFrom(1, 3), lines: fc.array(plain) });
  const some = fc.array(
    one.map((given) => ({ ...given, total: given.lines.length + 3 })),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(some, fc.integer({ min: 4, max: 2_000 }), (parts, maxBytes) => {
      const { text, shown } = fitBrief("Head", parts, maxBytes);
      expect(text).not.toContain("…");
      const lines = text.split("\n").filter((line) => line.startsWith("- ") && !/^- \d+ more: /.test(line));
      expect(lines).toHaveLength(shown.reduce((sum, count) => sum + count, 0));
    }),
  );
});

const hasHalves = ({ title, how, lines }: BriefSection): boolean =>
  ![title, how, ...lines].every((text) => text.isWellFormed());

const long = (title: string, count: number, weight: number, total = count): BriefSection => ({
  ...{ title, weight, total, how: "`list`" },
  lines: Array.from({ length: count }, (_, index) => `${title} ${index} ${"x".repeat(60)}`),
});

test("[BF2] shares the room by weight, and what one part does not need is the others'", () => {
  const [many, few] = [long("Many", 200, 4), long("Few", 2, 4)];
  const both = fitBrief("Head", [many, few], 2_000);
  expect(both.shown[1]).toBe(2);
  expect(utf8Bytes(both.text)).toBeGreaterThan(1_850);

  const [fourth, first] = fitBrief("Head", [long("A", 200, 4), long("B", 200, 1)], 4_000).shown as [
    number,
    number,
  ];
  expect(fourth / first).toBeGreaterThan(3);
  expect(fourth / first).toBeLessThan(6);
});

test("[BF2] says of each part how much was left out, and how to see it", () => {
  const { text, shown } = fitBrief("Head", [long("Many", 50, 1, 70), long("Few", 1, 1)], 700);
  expect(text).toContain(`Many (70):`);
  expect(text).toContain(`- ${70 - (shown[0] as number)} more: \`list\``);
  expect(text).not.toContain("0 more");
  expect(fitBrief("Head", [long("Many", 50, 1)], 60).text).toBe("Head\n\nMany: 50; see `list`.");
  expect(fitBrief("Head", [{ ...long("None", 0, 1) }], 100).text).toBe("Head");
});

test("[BF1] cuts between characters, and shows what nobody could see", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), fc.nat(120), (text, maxBytes) => {
      const cut = clip(text, maxBytes);
      expect(utf8Bytes(cut)).toBeLessThanOrEqual(maxBytes);
      expect(cut.isWellFormed()).toBe(true);
      if (utf8Bytes(text) <= maxBytes) expect(cut).toBe(text);
    }),
  );
  expect(clippedLine("one\n\ttwo \u001b[31mred\u200b", 100)).not.toMatch(/[\p{Cc}\u200b]/u);
});
