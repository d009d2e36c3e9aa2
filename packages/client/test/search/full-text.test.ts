import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { bestMatches, FullText } from "../../src/search/full-text.js";
import { parseQuery } from "../../src/search/query.js";
import { Stemmer } from "../../src/search/stemmer.js";
import { type SearchFields, TEXT_TABLES_SCHEMA } from "../../src/search/text-tables.js";

const stemmer = new Stemmer();
afterAll(() => stemmer[Symbol.dispose]());

const query = (text: string) => parseQuery(text, { now: Date.UTC(2026, 0, 15), stemmer });
const fields = (content: string, more: Partial<SearchFields> = {}): SearchFields => ({
  content,
  tags: [],
  aliases: [],
  links: [],
  ...more,
});

function textOf(...contents: readonly string[]): {
  readonly text: FullText;
  readonly database: DatabaseSync;
} {
  const database = new DatabaseSync(":memory:");
  database.exec(TEXT_TABLES_SCHEMA);
  const text = new FullText(database);
  for (const [snapshot, content] of contents.entries()) text.add(snapshot, fields(content));
  return { text, database };
}

/** Best first. */
async function bestFor(text: FullText, words: string, limit = 1_000) {
  return bestMatches(text.match(await query(words), { past: false }).weights, limit);
}

async function formsFor(text: FullText, words: string, past = false): Promise<readonly number[]> {
  return [...text.match(await query(words), { past }).weights.keys()].sort((a, b) => a - b);
}

// No two share a stem or a first letter that folds alike, and none is a stop word.
const VOCABULARY = ["zebra", "quartz", "ember", "violin", "pickle", "marsh", "cobalt", "lantern"];
const wording = fc.array(fc.constantFrom(...VOCABULARY), { minLength: 1, maxLength: 12 });

describe("which forms match", () => {
  test("[RX1] a search finds exactly the forms that hold one of its words, best first", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(wording, { maxLength: 12 }),
        fc.subarray(VOCABULARY, { minLength: 1 }),
        async (wordings, asked) => {
          const { text } = textOf(...wordings.map((words) => words.join(" ")));
          const found = await bestFor(text, asked.join(" "));
          const expected = wordings.flatMap((words, snapshot) =>
            words.some((word) => asked.includes(word)) ? [snapshot] : [],
          );
          expect(found.map(({ snapshot }) => snapshot).sort((a, b) => a - b)).toEqual(expected);
          expect(found.every(({ score }) => score > 0)).toBe(true);
          expect(found.map(({ score }) => score)).toEqual(
            found.map(({ score }) => score).toSorted((a, b) => b - a),
          );
        },
      ),
    );
  });

  test("[RX1] scores follow BM25 as it is defined", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(wording, { minLength: 4, maxLength: 12 }),
        fc.subarray(VOCABULARY, { minLength: 1 }),
        async (wordings, asked) => {
          const { text } = textOf(...wordings.map((words) => words.join(" ")));
          const found = await bestFor(text, asked.join(" "));
          for (const { snapshot, score } of found)
            expect(score).toBeCloseTo(bm25(wordings, snapshot, asked), 6);
        },
      ),
    );
  });

  test("[RX1] of the best, as many as are asked for are given, equal ones by their numbers", () => {
    const scores = fc.array(fc.nat({ max: 5 }), { maxLength: 30 });
    fc.assert(
      fc.property(scores, fc.nat({ max: 40 }), (all, limit) => {
        const weights = new Map(all.map((score, snapshot) => [snapshot, [score, 1]]));
        const expected = all
          .map((score, snapshot) => ({ snapshot, score: score + 1 }))
          .sort((a, b) => b.score - a.score || a.snapshot - b.snapshot)
          .slice(0, limit);
        expect(bestMatches(weights, limit)).toEqual(expected);
      }),
    );
  });

  test("[RX12] what the past and other branches hold moves no score", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(wording, { minLength: 1, maxLength: 8 }),
        fc.array(wording, { maxLength: 8 }),
        async (now, past) => {
          const { text } = textOf(...now.map((words) => words.join(" ")));
          const asked = await query("zebra ember marsh");
          const before = text.match(asked, { past: false });
          for (const [index, words] of past.entries())
            text.add(1_000 + index, fields(words.join(" ")), "past_text");
          const after = text.match(asked, { past: true });
          expect(after.rarity).toEqual(before.rarity);
          for (const [snapshot, weights] of before.weights)
            expect(after.weights.get(snapshot)).toEqual(weights);
        },
      ),
    );
  });

  test("[RX2] where words are common, the best by all words still come first", async () => {
    const common = Array.from({ length: 20_000 }, (_, index) =>
      index % 4 === 0 ? "ember violin" : "ember pickle",
    );
    const { text } = textOf(...common, "quartz ember", "quartz violin", "quartz marsh");
    const found = await bestFor(text, "ember violin quartz", 3);
    expect(found.map(({ snapshot }) => snapshot)).toEqual([20_001, 20_000, 20_002]);
  });

  test("[RX2] words that nearly all forms hold are found too", async () => {
    const { text } = textOf(...Array.from({ length: 5_000 }, () => "ember violin"), "cobalt");
    expect(await bestFor(text, "ember violin", 10)).toHaveLength(10);
  });
});

/** k1 1.2, b 0.75, frequencies as the marks tell them, and an inverse document frequency that never falls below FTS5's least. */
function bm25(wordings: readonly (readonly string[])[], snapshot: number, asked: readonly string[]): number {
  const words = wordings[snapshot] ?? [];
  const average = wordings.flat().length / wordings.length;
  return asked.reduce((total, term) => {
    const holders = wordings.filter((other) => other.includes(term)).length;
    const rarity = Math.log((wordings.length - holders + 0.5) / (holders + 0.5));
    const count = told(words.filter((word) => word === term).length);
    const norm = 1.2 * (1 - 0.75 + (0.75 * words.length) / average);
    return total + (Math.max(rarity, 1e-6) * count * 2.2) / (count + norm);
  }, 0);
}

/** Of what is said twice or thrice, only that it is said twice is kept; of what is said more often, four times. */
const told = (times: number): number => (times >= 4 ? 4 : Math.min(times, 2));

describe("now and the past", () => {
  const command = fc.record({
    kind: fc.constantFrom("add", "retire", "revive", "remove"),
    snapshot: fc.nat({ max: 5 }),
  });

  test("[RX3] a search of now finds what is current alone; with the past, everything not removed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 30 }), async (commands) => {
        const { text } = textOf();
        const places = new Map<number, "current" | "past">();
        const said = (snapshot: number) => fields(`zebra ${VOCABULARY[snapshot]}`);
        for (const { kind, snapshot } of commands) {
          const place = places.get(snapshot);
          if (kind === "add" && place === undefined) {
            text.add(snapshot, said(snapshot));
            places.set(snapshot, "current");
          } else if (kind === "retire" && place === "current") {
            text.remove(snapshot, said(snapshot));
            text.add(snapshot, said(snapshot), "past_text");
            places.set(snapshot, "past");
          } else if (kind === "revive" && place === "past") {
            text.remove(snapshot, said(snapshot), "past_text");
            text.add(snapshot, said(snapshot), "current_text");
            places.set(snapshot, "current");
          } else if (kind === "remove") {
            if (place !== undefined)
              text.remove(snapshot, said(snapshot), place === "past" ? "past_text" : "current_text");
            places.delete(snapshot);
          }
        }
        const known = [...places.keys()].sort((a, b) => a - b);
        expect(await formsFor(text, "zebra")).toEqual(
          known.filter((snapshot) => places.get(snapshot) === "current"),
        );
        expect(await formsFor(text, "zebra", true)).toEqual(known);
      }),
    );
  });

  test("[RX4] after a purge, no word of a removed form is in the database", async () => {
    const { text, database } = textOf("the secret is xylophonist", "harmless");
    text.add(7, fields("formerly xylophonist"), "past_text");
    text.remove(0, fields("the secret is xylophonist"));
    text.remove(7, fields("formerly xylophonist"), "past_text");
    text.purge();
    const blobs = ["current_text_data", "past_text_data"].flatMap((table) =>
      database.prepare(`SELECT block FROM ${table}`).all(),
    );
    const bytes = blobs.map(({ block }) => Buffer.from(block as Uint8Array).toString("latin1")).join("");
    expect(bytes).toContain("harmless");
    expect(bytes).not.toContain("xylo");
  });
});

describe("words", () => {
  test.each([
    ["english endings", "She moved between two cities", "city"],
    ["case", "BERLIN in winter", "berlin"],
    ["accents", "café crème à Zürich", "zurich creme"],
    ["accents in the query", "cafe in Zurich", "CAFÉ"],
    ["decomposed accents", "Zürich".normalize("NFD"), "Zürich"],
    ["full-width forms", "ＡＢＣ１２３", "abc123"],
    ["Chinese, two characters", "她昨天在东京吃了寿司", "东京"],
    ["Chinese, the first character", "她昨天在东京", "她"],
    ["Chinese, the last character", "她昨天在东京", "京"],
    ["Japanese", "東京タワーに行きました", "タワー"],
    ["Korean without its particle", "서울에서 친구를 만났다", "친구"],
    ["Thai", "ฉันชอบกินข้าวผัด", "ข้าว"],
    ["Lao", "ຂ້ອຍມັກກິນເຂົ້າຜັດ", "ເຂົ້າ"],
    ["Khmer", "ខ្ញុំចូលចិត្តបាយឆា", "បាយ"],
    ["Burmese", "ကျွန်တော်ထမင်းကြော်ကြိုက်တယ်", "ထမင်း"],
    ["Hindi", "मुझे किताबें पढ़ना पसंद है", "किताबें"],
    ["Russian", "Мы поехали в Москву", "москву"],
    ["Chinese beside English", "用iPhone手机拍照", "iphone"],
    ["camelCase", "call parseInvitation first", "invitation"],
    ["camelCase as a whole", "call parseInvitation first", "parseInvitation"],
    ["an acronym in an identifier", "the HTTPServer class", "server"],
    ["snake_case", "set max_retry_count", "retry"],
    ["a path", "see packages/client/src/open-replica.ts", "replica"],
    ["a dotted name", "os.path.join", "path"],
    ["a version", "Node 24.21.0", "24.21"],
  ])("[RX5] %s", async (_, content, words) => {
    const { text } = textOf("nothing of it", content);
    expect(await formsFor(text, words)).toEqual([1]);
  });

  test("[RX5] pairs of characters that the text does not hold are not found", async () => {
    const { text } = textOf("她昨天在东京吃了寿司");
    expect(await formsFor(text, "北京")).toEqual([]);
  });

  test("[RX5] any wording is found by each of its words", async () => {
    const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(words, async (content) => {
        const { text } = textOf(content);
        for (const { text: word } of (await query(content)).terms)
          expect(await formsFor(text, word)).toEqual([0]);
      }),
    );
  });

  test("[RX6] tags, aliases, category, area, kind, links and the source's names are searched", async () => {
    const { text } = textOf();
    text.add(
      3,
      fields("x", {
        tags: ["travel"],
        aliases: ["k8s"],
        category: "preference",
        area: "kitchen",
        kind: "recipe",
        links: [{ rel: "contradicts", to: "https://example.org/almanac" }],
        source: { kind: "file", path: "notes/harbour.md", heading: "Provisions" },
      }),
    );
    for (const word of [
      "travel",
      "k8s",
      "preference",
      "kitchen",
      "recipe",
      "contradicts",
      "almanac",
      "harbour",
      "provisions",
    ])
      expect(await formsFor(text, word)).toEqual([3]);
  });

  test("[RX6] a tag counts more than a word in passing", async () => {
    const { text } = textOf("we spoke of zebra and quartz", "ember", "violin", "pickle");
    text.add(9, fields("we spoke of marsh and quartz", { tags: ["zebra"] }));
    const found = await bestFor(text, "zebra");
    expect(found.map(({ snapshot }) => snapshot)).toEqual([9, 0]);
  });
});

describe("whatever people type", () => {
  test.each([
    '"',
    "' OR 1=1 --",
    "content:",
    "NEAR(a b)",
    "a AND",
    "NOT",
    "*",
    "^x",
    "(",
    "a-b",
    "\0",
    "{content}: x",
    "😀",
    "\ud800",
    "",
  ])("[RX7] %j is searched for, never executed", async (hostile) => {
    const { text } = textOf("alpha beta");
    expect(await formsFor(text, hostile)).toEqual(expect.any(Array));
    expect(await formsFor(text, `${hostile} beta`)).toEqual([0]);
  });

  test("[RX7] any text makes a valid search", async () => {
    const { text } = textOf("alpha");
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 60 }), async (words) => {
        expect(text.match(await query(words), { past: true }).weights.size).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("[RX7] a letter too young for FTS5's tables parts a word, which is found all the same", async () => {
    const { text } = textOf("zebra\u{1e4d0}quartz", "zebra", "quartz");
    expect(await formsFor(text, "zebra\u{1e4d0}quartz")).toEqual([0]);
  });

  test("[RX8] stop words are searched for only where there is nothing else", async () => {
    const { text } = textOf("to be or not to be", "the violin");
    expect(await formsFor(text, "what is the violin to you")).toEqual([1]);
    expect(await formsFor(text, "to be or not to be")).toEqual([0]);
  });
});

test("[RX13] the shape of a form is its words, and whether it ends by asking", () => {
  const { text } = textOf(
    "Which pet is it?",
    "Oscar! My guinea pig. [shows a photo of him?]",
    "Is it? [shows a cat]",
  );
  text.add(9, fields("¿Dónde está?”", { tags: ["travel"] }), "past_text");
  const shapes = text.shapes([0, 1, 2, 9, 77], { past: true });
  expect([...shapes]).toEqual([
    [0, { words: 4, asks: true }],
    [1, { words: 9, asks: false }],
    [2, { words: 5, asks: true }],
    [9, { words: 3, asks: true }],
  ]);
  expect(text.shapes([0, 9], { past: false }).size).toBe(1);
});
