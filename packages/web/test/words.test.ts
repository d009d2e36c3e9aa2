import { describe, expect, it } from "vitest";
import { type Change, changesOf, languageOf, shortened } from "../src/ui/words.tsx";

const of = (op: Change["op"], changes: readonly Change[]) =>
  changes
    .filter((change) => change.op === "same" || change.op === op)
    .map(({ text }) => text)
    .join("");

describe("a difference", () => {
  it("[PG12] has both texts in it, whole", () => {
    const pairs = [
      ["The launch is in the week of 13 April.", "The launch is on Tuesday 14 April, 10:00 Seoul time."],
      ["주방 타일은 흰색 유광 150 × 150으로 정했다.", "주방 타일은 회색 무광 200 × 200으로 정했다."],
      ["", "all new"],
      ["a b c", "a b c"],
      ["<b>x</b>", "<script>y</script>"],
    ] as const;
    for (const [before, after] of pairs) {
      const changes = changesOf(before, after);
      expect(of("removed", changes)).toBe(before);
      expect(of("added", changes)).toBe(after);
    }
  });

  it("[PG12] puts changes that stand close together into one", () => {
    expect(changesOf("week of 13 April", "Tuesday 14 April")).toEqual([
      { op: "removed", text: "week of 13" },
      { op: "added", text: "Tuesday 14" },
      { op: "same", text: " " },
      { op: "same", text: "April" },
    ]);
  });

  it("[PG12] in a list shows only what stands next to a change", () => {
    const long = "word ".repeat(60);
    const [same] = shortened(changesOf(`${long}old`, `${long}new`));
    expect(same?.text.length).toBeLessThan(40);
    expect(same?.text.startsWith("…")).toBe(true);
  });

  it("[PG5] knows Korean by its letters", () => {
    expect(languageOf("회의 at four")).toBe("ko");
    expect(languageOf("meeting")).toBeUndefined();
  });
});
