import { oneLine, onlyStyled, printable, shortIds } from "@cambium/core/text";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { table } from "../../src/cli/render/table.js";
import { displayWidth, fit, indent, wrap } from "../../src/cli/render/terminal-text.js";
import { relativeTime } from "../../src/cli/render/time.js";
import { wordDiff } from "../../src/cli/render/word-diff.js";
import { colourStyle, HOUR, NOW, plainStyle } from "./fixtures.js";

const ESC = "\u001b";

describe("what others wrote", () => {
  test("[CL7] cannot steer the terminal", () => {
    expect(printable(`${ESC}[2J${ESC}]0;title\u0007 bell\r`)).toBe("␛[2J␛]0;title␇ bell␍");
    expect(printable("safe\u202egnirts")).toBe("safe\ufffdgnirts");
    expect(printable("c1 \u009b2J")).toBe("c1 \ufffd2J");
    expect(printable("lines\r\nand\ttabs stay\n")).toBe("lines\nand\ttabs stay\n");
    expect(oneLine("  one\n two ")).toBe("one two");
  });

  test("[CL7] whatever reaches the terminal holds no control but colours", () => {
    const steering = fc.constantFrom(ESC, "[", "2J", "31m", "]0;", "\u0007", "\u009b", "text", "\n");
    fc.assert(
      fc.property(fc.array(steering), (pieces) => {
        const rest = onlyStyled(pieces.join("")).replaceAll(new RegExp(`${ESC}\\[[\\d;]*m`, "g"), "");
        expect(rest).not.toMatch(/(?!\n)\p{Cc}/u);
      }),
      { seed: 7 },
    );
    expect(onlyStyled(colourStyle.colors.red("red"))).toBe(colourStyle.colors.red("red"));
  });
});

describe("width", () => {
  test("[CL9] East Asian characters and emoji take two columns, marks none", () => {
    expect(displayWidth("tea")).toBe(3);
    expect(displayWidth("茶を飲む")).toBe(8);
    expect(displayWidth("한국")).toBe(4);
    expect(displayWidth("e\u0301")).toBe(1);
    expect(displayWidth("👩‍💻")).toBe(2);
    expect(displayWidth(colourStyle.colors.red("tea"))).toBe(3);
  });

  test("[CL9] what is cut fits, and says that it was cut", () => {
    expect(fit("morning", 7)).toBe("morning");
    expect(fit("morning", 5)).toBe("morn…");
    expect(fit("茶を飲む", 6)).toBe("茶を…");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 20 }), (text, columns) => {
        expect(displayWidth(fit(text, columns))).toBeLessThanOrEqual(columns);
      }),
      { seed: 9 },
    );
  });

  test("[CL9] lines break at spaces and keep their indentation", () => {
    expect(wrap("a bb ccc dddd", 6)).toEqual(["a bb", "ccc", "dddd"]);
    expect(wrap("a bb ccc", undefined)).toEqual(["a bb ccc"]);
    expect(indent("one\n\ntwo", 2, undefined)).toBe("  one\n\n  two");
  });

  test("[CL9] a table fits the terminal: the flexible column gives way, empty ones are left out", () => {
    const rows = [
      { id: "1", text: "a rather long text that will not fit", none: "" },
      { id: "22", text: "短い", none: "" },
    ];
    const drawn = table(
      rows,
      [
        { title: "id", text: ({ id }) => id },
        { title: "memory", text: ({ text }) => text, flexible: true },
        { title: "none", text: ({ none }) => none },
        { title: "end", text: () => "x" },
      ],
      { ...plainStyle, columns: 28 },
    );
    expect(drawn.split("\n")).toEqual([
      "id  memory               end",
      "1   a rather long text…  x",
      "22  短い                 x",
    ]);
  });
});

describe("ids and times", () => {
  test("[CL6] an id is as short as tells it from the others shown", () => {
    const [a, b] = ["0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f", "0198c2a4-7d3e-7c52-9f00-3c5e8a1b2d4f"];
    const short = shortIds([a, b, "1f000000-0000-8000-8000-000000000000"]);
    expect([short(a), short(b)]).toEqual(["0198c2a4-7d3e-7c51", "0198c2a4-7d3e-7c52"]);
    expect(short("1f000000-0000-8000-8000-000000000000")).toBe("1f000000-0000");
  });

  test("[CL6] times are told from now, whichever way", () => {
    expect(relativeTime(NOW - 30_000, NOW)).toBe("just now");
    expect(relativeTime(NOW - 60_000, NOW)).toBe("1 minute ago");
    expect(relativeTime(NOW - 49 * HOUR, NOW)).toBe("2 days ago");
    expect(relativeTime(NOW - 183 * 24 * HOUR, NOW)).toBe("6 months ago");
    expect(relativeTime(NOW + 3 * HOUR, NOW)).toBe("in 3 hours");
  });
});

describe("wordDiff", () => {
  const before = "Releases are cut on Thursdays";

  test("[CL10] marks words, in brackets where there are no colours", () => {
    expect(wordDiff(before, "Releases are cut on Fridays", plainStyle.colors)).toBe(
      "Releases are cut on [-Thursdays-]{+Fridays+}",
    );
    const { red, green, strikethrough } = colourStyle.colors;
    expect(wordDiff(before, "Releases are cut on Fridays", colourStyle.colors)).toBe(
      `Releases are cut on ${red(strikethrough("Thursdays"))}${green("Fridays")}`,
    );
  });

  test("[CL10] leaves out long stretches of what stayed the same", () => {
    const words = Array.from({ length: 200 }, (_, index) => `w${index}`).join(" ");
    const shown = wordDiff(`old ${words}`, `new ${words}`, plainStyle.colors);
    expect(shown).toMatch(/^\[-old-\]\{\+new\+\} w0 w1 .*… /);
    expect(shown.length).toBeLessThan(100);
  });

  test("[CL10] texts with nothing in common are shown one after the other", () => {
    const numbers = (start: number): string => Array.from({ length: 3_000 }, (_, at) => start + at).join(" ");
    expect(wordDiff(numbers(0), numbers(5_000), plainStyle.colors)).toMatch(
      /^\[-0 1 [\d ]+-\]\{\+5000 [\d ]+\+\}$/,
    );
  });
});
