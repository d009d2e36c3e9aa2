import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MemoryFields } from "../../src/format/record.js";
import { describeChange, describeFirst, MAX_SENTENCE_LENGTH } from "../../src/versions/describe-change.js";
import { EMPTY_FIELDS } from "../merge/records.js";
import { arbitraryFields } from "./arbitrary-fields.js";

const TEXTS: readonly (readonly [before: string, after: string, sentence: string])[] = [
  ["budget 50M; period Jan–Mar", "budget 60M", "budget 50M → 60M; period Jan–Mar dropped"],
  [
    "The budget is 50M, for the period Jan–Mar.",
    "The budget is 60M.",
    "budget 50M → 60M; “for the period Jan–Mar” dropped",
  ],
  [
    "The project budget is 50M for the period Jan–Mar.",
    "The project budget is 60M.",
    "budget 50M → 60M; “for the period Jan–Mar” dropped",
  ],
  ["Ada leads the harbour project.", "Bo leads the harbour project.", "Ada → Bo"],
  [
    "We meet on Monday at 10:00 in Berlin.",
    "We meet on Friday at 12:00 in Paris.",
    "meet Monday → Friday; 10:00 → 12:00; Berlin → Paris",
  ],
  [
    "The release is planned for 3 March 2026.",
    "The release is planned for 4 March 2026.",
    "planned 3 → 4 March",
  ],
  [
    "The release is planned for March 3, 2026.",
    "The release is planned for April 5, 2027.",
    "planned March 3 → April 5; 2026 → 2027",
  ],
  ["Delivery takes 3 days.", "Delivery takes 5 days.", "takes 3 → 5 days"],
  ["Prefers tea in the morning", "Prefers coffee in the morning", "Prefers tea → coffee"],
  [
    "Prefers tea in the morning",
    "Prefers coffee in the morning, without milk",
    "Prefers tea → coffee; without milk added",
  ],
  ["She is vegetarian.", "She is not vegetarian.", "vegetarian → not vegetarian"],
  ["Do not deploy on Fridays.", "Deploy on Fridays.", "Do not deploy → Deploy"],
  ["Likes tea and cake", "Likes tea, cake and chocolate", "chocolate added"],
  [
    "The server runs Debian. Backups run nightly.",
    "The server runs Debian.",
    "“Backups run nightly” dropped",
  ],
  [
    "The server runs Debian.",
    "The server runs Debian. Backups run nightly at 02:00.",
    "“Backups run nightly at 02:00” added",
  ],
  ["Deploy with make deploy. Tests first.", "Tests first. Deploy with make deploy.", "put in another order"],
  ["hello  world", "hello world", "only spacing changed"],
  ["Hello world", "hello world", "only capitals changed"],
  ["Hello world", "Hello world!", "only punctuation changed"],
  [
    "The old plan was to sail north along the coast and stop in every harbour.",
    "Nobody knows where the crew went after the storm took the mast and the radio.",
    "“The old plan was to sail north along the coast and…” → “Nobody knows where the crew went after the storm…”",
  ],
  [
    "- Budget: 50M\n- Owner: Ada\n- Deadline: 2026-08-01",
    "- Budget: 60M\n- Owner: Ada\n- Deadline: 2026-09-01",
    "Budget 50M → 60M; Deadline 2026-08-01 → 2026-09-01",
  ],
  [
    "- Budget: 50M\n- Owner: Ada",
    "- Budget: 50M\n- Owner: Ada\n- Deadline: 2026-09-01",
    "Deadline: 2026-09-01 added",
  ],
  ["# Plan\n\nShip v2.3.1 on Tuesday.", "# Plan\n\nShip v2.4.0 on Tuesday.", "Ship v2.3.1 → v2.4.0"],
  [
    "Lives at 12 Harbour Street, Lisbon",
    "Lives at 14 Canal Road, Porto",
    "Lives 12 Harbour Street → 14 Canal Road; Lisbon → Porto",
  ],
  ["Phone: +49 30 1234567", "Phone: +49 30 7654321", "Phone 1234567 → 7654321"],
  [
    "예산은 50억이다. 기간은 1월부터 3월까지이다.",
    "예산은 60억이다.",
    "예산 50억 → 60억; “기간은 1월부터 3월까지이다” dropped",
  ],
  [
    "회의는 서울에서 월요일에 한다.",
    "회의는 부산에서 화요일에 한다.",
    "회의 서울에서 월요일 → 부산에서 화요일",
  ],
  ["그는 커피를 좋아한다.", "그는 커피를 좋아하지 않는다.", "커피 좋아한다 → 좋아하지 않는다"],
  ["담당자는 김민수입니다.", "담당자는 이영희입니다.", "담당자 김민수 → 이영희"],
  ["예산 50억, 담당자 김민수", "예산 60억, 담당자 김민수, 마감 3월", "예산 50억 → 60억; 마감 3월 added"],
  ["预算为五百万，期限为三月。", "预算为六百万。", "预算为五百万，期限为三月 → 预算为六百万"],
  ["会议在五月召开。", "会议在六月召开。", "会议 五月 → 六月"],
  ["负责人是张伟。", "负责人是李娜。", "负责人 张伟 → 李娜"],
  ["他喜欢茶。", "他不喜欢茶。", "喜欢 → 不喜欢"],
  ["服务器在东京。备份每天运行。", "服务器在大阪。备份每天运行。", "服务器 东京 → 大阪"],
  ["项目预算50M；期限1月至3月", "项目预算60M", "项目预算 50M → 60M; 期限1月至3月 dropped"],
  ["会議は東京で月曜日に行います。", "会議は大阪で金曜日に行います。", "会議 東京 → 大阪; 月曜日 → 金曜日"],
  [
    "Ada said the bridge opens in May, the ferry stops in June, tickets cost 12 euros, children travel free and dogs are welcome on deck.",
    "Ada said the bridge opens in July, the ferry stops in August, tickets cost 15 euros, children under 12 travel free and no dogs.",
    "“Ada said the bridge opens in May, the ferry stops in…” → “Ada said the bridge opens in July, the ferry stops…”",
  ],
  [
    "Use port 8080 and host localhost with user admin and password file /etc/pw, retry 3 times.",
    "Use port 9090 and host example.org with user root and password file /etc/secret, retry 5 times.",
    "“Use port 8080 and host localhost…” → “Use port 9090 and host example.org…”; retry 3 → 5 times",
  ],
  ["foo(bar)", "foo(baz)", "foo bar → baz"],
  [
    "See https://example.org/a for details",
    "See https://example.org/b for details",
    "See https://example.org/a → https://example.org/b",
  ],
  ["x", "x", "nothing changed"],
  [
    "The meeting with the customer takes place in the large room on the third floor next to the kitchen.",
    "The meeting with the customer takes place in the small room on the third floor next to the kitchen.",
    "place large → small",
  ],
  ["Price: $5", "Price: €6", "Price $5 → €6"],
  [
    "I prefer dark mode in editors and light mode in the browser",
    "I prefer light mode in editors and dark mode in the browser",
    "prefer dark → light; light → dark",
  ],
  [
    "Mira works at Tidepool as an engineer.",
    "Mira works at Northwind as a lead engineer since 2025.",
    "works Tidepool → Northwind; lead added; since 2025 added",
  ],
  [
    "TODO: call the bank",
    "DONE: called the bank on 3 May",
    "“TODO: call the bank” → “DONE: called the bank on 3 May”",
  ],
  ["It is -5 degrees outside.", "It is 5 degrees outside.", "-5 → 5 degrees"],
  ["Retry if x > 3", "Retry if x < 3", "x > → <"],
  ["Discount: 5%", "Discount: 7.5%", "Discount 5 → 7.5%"],
  ["Costs $1,200.50 per month", "Costs $1,350.00 per month", "Costs $1,200.50 → $1,350.00"],
  ["Set DEBUG=true in .env", "Set DEBUG=false in .env", "DEBUG true → false"],
  ["- [ ] write docs\n- [x] tests", "- [x] write docs\n- [x] tests", "“write docs” ticked off"],
  ["Ada's birthday is 3 May", "Ada's birthday is 5 May", "birthday 3 → 5 May"],
  ["여행은 5월 3일에 출발한다", "여행은 6월 10일에 출발한다", "여행 5월 3일 → 6월 10일"],
  ["他每天早上喝咖啡。", "他每天早上喝绿茶。", "每天早上喝 咖啡 → 绿茶"],
  ["価格は1,000円です", "価格は1,500円です", "価格 1,000円 → 1,500円"],
  ["Die Sitzung beginnt um 9 Uhr", "Die Sitzung beginnt um 10 Uhr", "beginnt 9 → 10 Uhr"],
  [
    "Le budget est de 50 M€ pour 2026",
    "Le budget est de 60 M€ pour 2027",
    "budget 50 → 60 M€; M€ 2026 → 2027",
  ],
];

const FIELDS: readonly (readonly [
  before: Partial<MemoryFields>,
  after: Partial<MemoryFields>,
  sentence: string,
])[] = [
  [
    { content: "a", tags: ["draft"] },
    { content: "a", tags: ["final", "reviewed"] },
    "tags final, reviewed added; tag draft dropped",
  ],
  [{ content: "a", category: "work" }, { content: "a", category: "home" }, "category work → home"],
  [{ content: "a" }, { content: "a", deleted: true }, "forgotten"],
  [{ content: "a", deleted: true }, { content: "b" }, "brought back; a → b"],
  [
    { content: "a", importance: 0.5, confidence: 0.2 },
    { content: "a", importance: 0.8 },
    "importance 0.5 → 0.8; confidence dropped",
  ],
  [
    { content: "a", occurredAt: 1767225600000 },
    { content: "a", occurredAt: 1767229200000 },
    "happened 2026-01-01 → 2026-01-01 01:00",
  ],
  [
    { content: "a" },
    { content: "a", validFrom: 1767225600000, validUntil: 1769904000000 },
    "valid from 2026-01-01; valid until 2026-02-01",
  ],
  [
    { content: "a" },
    { content: "a", links: [{ rel: "supersedes", to: "0198c2a4-7d3e-7c51-9f00-3c5e8a1b2d4f" }] },
    "link supersedes 0198c2a4-7d3e added",
  ],
  [
    { content: "Budget is 50M.", category: "plan", tags: ["x"] },
    { content: "Budget is 60M.", category: "facts", tags: ["y"] },
    "Budget 50M → 60M; category plan → facts; tag y added; tag x dropped",
  ],
];

const memory = (fields: Partial<MemoryFields>): MemoryFields => ({
  ...EMPTY_FIELDS,
  content: "a",
  ...fields,
});

describe("the sentence about a change", () => {
  test.each(TEXTS)("[VN4] of texts: %j became %j", (before, after, sentence) => {
    expect(describeChange(memory({ content: before }), memory({ content: after }))).toBe(sentence);
  });

  test.each(FIELDS)("[VN4] of fields: %j became %j", (before, after, sentence) => {
    expect(describeChange(memory(before), memory(after))).toBe(sentence);
  });

  test("[VN5] is never empty, never longer than its limit, and on one line", () => {
    fc.assert(
      fc.property(arbitraryFields, arbitraryFields, fc.string(), (before, after, tail) => {
        for (const is of [after, { ...after, content: after.content + tail }]) {
          const sentence = describeChange(before, is);
          expect(sentence.length).toBeLessThanOrEqual(MAX_SENTENCE_LENGTH);
          expect(sentence).toMatch(/^\S.*$/u);
        }
      }),
    );
  });

  test("[VN5] where there is no room for all changes, those with numbers and names come first, and the rest is counted", () => {
    const line = (price: number, word: string): string =>
      `The ${word} ferry from the old harbour costs ${price} euros in the ${word} season.`;
    const words = ["early", "quiet", "windy", "golden", "frozen"];
    const before = words.map((word, index) => line(index + 10, word)).join(" ");
    const after = words.map((word, index) => line(index + 20, `very ${word}`)).join(" ");
    expect(describeChange(memory({ content: before }), memory({ content: after }))).toBe(
      "costs 10 → 20 euros; costs 11 → 21 euros; costs 12 → 22 euros; costs 13 → 23 euros; costs 14 → 24 euros; 5 more changes",
    );
  });

  /** Where time grows with the square of the length, each takes minutes. */
  test.each([
    ["a repeated word", "xy "],
    ["spaces", " "],
    ["line ends", "x\n"],
    ["signs", "+"],
    ["dots", "..."],
    ["brackets", "("],
    ["marks", "e\u0301\u0301"],
    ["words of two scripts", "аб漢"],
  ])("[VN5] an edit in much text of %s is told at once", (_, piece) => {
    const before = piece.repeat(250_000 / piece.length);
    const after = `${before.slice(0, 125_000)} Basel ${before.slice(125_000)}`;
    expect(
      describeChange({ ...EMPTY_FIELDS, content: before }, { ...EMPTY_FIELDS, content: after }),
    ).toContain("Basel");
  });

  test("[VN4] a first version is told by how it begins", () => {
    expect(describeFirst(memory({ content: "# Plan\n\nShip on Tuesday." }))).toBe("first written: Plan");
    expect(describeFirst(memory({ content: "word ".repeat(100) })).length).toBeLessThanOrEqual(
      MAX_SENTENCE_LENGTH,
    );
  });
});
