import { describe, expect, test } from "vitest";
import { checkName, type Named } from "../src/index.js";

const ALL: readonly Named[] = ["space", "branch", "checkpoint", "agent", "device"];

describe.each(ALL)("[RF7] the name of a %s", (what) => {
  test.each([
    "work",
    "v1.0_b",
    "日本",
    "x".repeat(200),
    "👩\u200d💻",
    "❤\ufe0f",
    "👩🏽\u200d🚀",
    "1\ufe0f\u20e3",
    "क्षि",
    "क्\u200dष",
    "می\u200cخواهم",
  ])("may be %s", (name) => {
    expect(checkName(what, name)).toBe(name);
    expect(checkName(what, `\t ${name}\n`)).toBe(name);
  });

  test("is kept composed", () => {
    expect(checkName(what, "u\u0308n")).toBe("ün");
  });

  test.each([
    ...[undefined, null, 7, true, {}, ["work"], Symbol("work"), () => "work"],
    ...[
      "",
      "  \n",
      "x".repeat(201),
      "x".repeat(750_000),
      "a\0b",
      "a\nb",
      "a\u001b[31mb",
      "\ud800",
      "a\u202eb",
    ],
  ])("is not %s", (name) => {
    expect(() => checkName(what, name)).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
    expect(() => checkName(what, name)).toThrow(new RegExp(`^The ${what} name`, "s"));
  });

  test.each([
    ...["\u00ad", "\u034f", "\u061c", "\u115f", "\u180e", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f"],
    ...["\u202a", "\u2060", "\u2066", "\u2800", "\u3164", "\ufe0f", "\ufeff", "\u{e0061}", "\u{e0100}"],
  ])("holds no letter that cannot be seen, and the refusal says which: %j", (letter) => {
    const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    expect(() => checkName(what, `ma${letter}in`)).toThrow(
      new RegExp(`^The ${what} name holds U\\+${code}, which cannot be seen\\.$`),
    );
  });

  test("is not shown where it is long", () => {
    expect(() => checkName(what, "x".repeat(750_000))).toThrow(/^.{1,100}$/s);
  });
});

const UUID = "0198c2a4-7d3e-7000-8000-0123456789ab";
const ID = "0123456789abcdef".repeat(2);

test.each<[Named, string]>([
  ["space", UUID],
  ["branch", ID],
  ["checkpoint", ID],
  ["branch", "2026-08-01"],
  ["branch", "a b"],
  ["branch", "work~ab12"],
  ["checkpoint", "before~ab12"],
  ["checkpoint", '"quoted"'],
  ["checkpoint", "Last"],
  ["checkpoint", "before\u0007bell"],
  ["checkpoint", "x".repeat(201)],
])("[RF7] that of a %s is not %s", (what, name) => {
  expect(() => checkName(what, name)).toThrow(expect.objectContaining({ code: "BAD_INPUT" }));
});

test("[RF7] what mistakes nothing may be named like an id or a date", () => {
  expect(checkName("agent", "2026-08-01")).toBe("2026-08-01");
  expect(checkName("space", "my notes: 2026")).toBe("my notes: 2026");
  expect(checkName("branch", "main")).toBe("main");
});
