import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ComparedMemory, findNearDuplicates } from "../../src/index.js";
import { memoryIdOf } from "../support/memory-ids.js";
import { seededRandom } from "../support/seeded-platform.js";

const memory = (number: number, content: string, at = number): ComparedMemory => ({
  id: memoryIdOf(number),
  content,
  at,
});

/** Oracle: sets of pairs of neighbouring words, of texts that have neither punctuation nor capitals. */
function similarity(a: string, b: string): number {
  const pairs = (text: string) => {
    const words = text.split(" ");
    return new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`));
  };
  const [one, other] = [pairs(a), pairs(b)];
  return one.intersection(other).size / one.union(other).size;
}

const WORDS = Array.from({ length: 400 }, (_, number) => `w${number}`);

/** Texts of which some were made from earlier ones by changing a few words. */
function randomTexts(count: number, words: number, random: () => number): readonly string[] {
  const texts: string[] = [];
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  while (texts.length < count) {
    const isCopy = texts.length > 0 && random() < 0.5;
    const text = isCopy ? pick(texts).split(" ") : Array.from({ length: words }, () => pick(WORDS));
    const edits = isCopy ? Math.floor(random() * words * 0.06) : 0;
    for (let edit = 0; edit < edits; edit += 1) text[Math.floor(random() * words)] = pick(WORDS);
    texts.push(text.join(" "));
  }
  return texts;
}

describe("near duplicates", () => {
  test("[US40] every member of a group resembles its head, no memory is in two, and no close lookalike is left out", () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(0.7, 0.8, 0.9), (seed, threshold) => {
        const texts = randomTexts(60, 60, seededRandom(seed));
        const memories = texts.map((content, number) => memory(number, content));
        const groups = findNearDuplicates(memories, { threshold });
        const grouped = groups.flatMap(({ head, others }) => [head, ...others]);
        expect(new Set(grouped).size).toBe(grouped.length);
        for (const { head, others, similarity: least } of groups) {
          const similarities = others.map(({ content }) => similarity(head.content, content));
          expect(Math.min(...similarities)).toBe(least);
          expect(least).toBeGreaterThanOrEqual(threshold);
          for (const { at } of others) expect(at).toBeLessThan(head.at);
        }
        const alone = memories.filter((one) => !grouped.includes(one));
        for (const one of alone) {
          for (const { head } of groups) {
            if (head.at < one.at) continue; // it was there first, and made no group of its own
            // Nearer the threshold, a few may be overlooked; at this distance 1 in 10^9.
            expect(similarity(head.content, one.content)).toBeLessThan(0.9);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("[US41] the groups do not depend on the order of the memories", () => {
    const memories = randomTexts(200, 40, seededRandom(7)).map((content, number) =>
      memory(number, content, number % 5),
    );
    const groups = findNearDuplicates(memories);
    expect(groups.length).toBeGreaterThan(10);
    expect(findNearDuplicates(memories.toReversed())).toEqual(groups);
    expect(findNearDuplicates(memories.toSorted((a, b) => (a.content < b.content ? -1 : 1)))).toEqual(groups);
  });

  test("[US42] case, spacing and punctuation make no difference, in any script", () => {
    for (const [one, other, same] of [
      ["The user prefers tea, not coffee.", "the user  prefers TEA not coffee", true],
      ["사용자는 아침에 녹차를 좋아한다.", "사용자는 아침에  녹차를 좋아한다", true],
      ["用户早上喜欢喝绿茶，不喜欢咖啡。", "用户早上喜欢喝绿茶 不喜欢咖啡", true],
      ["用户早上喜欢喝绿茶，不喜欢咖啡。", "会议改到了星期四的下午三点举行。", false],
      ["ﬁle café", "file cafe\u0301", true],
      ["👍", "👍", true],
      ["👍", "👎", false],
      ["tea", "Tea", true],
      ["tea", "coffee", false],
    ] as const) {
      expect(findNearDuplicates([memory(1, one), memory(2, other)]).length, one).toBe(same ? 1 : 0);
    }
  });

  test("[US43] thousands that differ in one word each are one group, found at once", () => {
    const random = seededRandom(3);
    const body = randomTexts(1, 60, random)[0] as string;
    const alike = Array.from({ length: 3_000 }, (_, number) => memory(number, `${body} entry${number}`));
    const [group, ...more] = findNearDuplicates(alike);
    expect(more).toEqual([]);
    expect(group?.others).toHaveLength(2_999);
    expect(group?.head.id).toBe(memoryIdOf(2_999));
  });

  test("[US44] a threshold out of its range is refused", () => {
    for (const threshold of [0.59, 1.01, Number.NaN]) {
      expect(() => findNearDuplicates([], { threshold })).toThrow(
        expect.objectContaining({ code: "BAD_INPUT" }),
      );
    }
  });
});
