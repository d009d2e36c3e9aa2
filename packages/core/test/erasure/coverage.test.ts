import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesToHex, utf8ToBytes } from "../../src/format/bytes.js";
import {
  coverageOf,
  decidesField,
  deriveSpaceKeys,
  ErasureRules,
  erasedTextCode,
  erasedTextCodes,
  type KnownHeader,
  type MemoryId,
  type PackId,
  type PartHash,
  packHashes,
  packIds,
  type RecordHash,
  rewrittenPack,
  type SpaceId,
} from "../../src/index.js";

const NO_TEXTS = { texts: new Uint8Array() };
const PACK = "0f".repeat(16) as PackId;
const hex = (kind: number, number: number): string =>
  `${kind.toString(16).padStart(2, "0")}${number.toString(16).padStart(62, "0")}`;
const record = (number: number) => hex(1, number) as RecordHash;
const part = (number: number) => hex(2, number) as PartHash;
const memory = (number: number) =>
  `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}` as MemoryId;

/** One record of a history: whether it decides its text anew, brings one back, or carries it. */
interface Step {
  readonly memory: number;
  readonly parents: readonly number[];
  readonly text: "new" | "back" | "carried" | "joined";
  readonly pick: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  memory: fc.nat(2),
  parents: fc.array(fc.nat(30), { maxLength: 3 }),
  text: fc.constantFrom("new", "back", "carried", "joined"),
  pick: fc.nat(30),
});

/** Parents are earlier records of the same memory; parts are named again as writers do it. */
function historyOf(steps: readonly Step[]): readonly KnownHeader[] {
  const headers: KnownHeader[] = [];
  for (const [number, { memory: of, parents: wanted, text, pick }] of steps.entries()) {
    const earlier = headers.filter((header) => header.memory === memory(of));
    const at = (index: number) => earlier[index % earlier.length] as KnownHeader;
    const parents = earlier.length === 0 ? [] : [...new Set(wanted.map((index) => at(index).hash))];
    const carried = parents.length === 0 || text === "new" || text === "joined" ? undefined : at(pick);
    const own = { hash: part(number), pack: PACK };
    headers.push({
      ...{ hash: record(number), memory: memory(of), parents, at: number, type: "update" },
      decides: text === "carried" || text === "joined" ? ["tags"] : ["content"],
      content: text === "back" ? (carried?.content ?? own) : text === "carried" ? parentPart() : own,
      meta: { hash: part(1_000 + number), pack: PACK },
    });
    function parentPart() {
      const [first] = parents;
      return earlier.find(({ hash }) => hash === first)?.content ?? own;
    }
  }
  return headers;
}

const rule = fc.record({
  memories: fc.subarray([0, 1, 2], { maxLength: 1 }),
  records: fc.array(fc.nat(30), { maxLength: 3 }),
  range: fc.option(fc.tuple(fc.nat(30), fc.nat(5)), { nil: undefined }),
});

function rulesOf(headers: readonly KnownHeader[], { memories, records, range }: Rule): ErasureRules {
  const named = records.flatMap((number) => headers[number] ?? []);
  return new ErasureRules([
    {
      ...NO_TEXTS,
      memories: packIds(memories.map(memory)),
      records: packHashes(named.map(({ hash }) => hash)),
      parts: packHashes(namedIn(headers, { memories, records, range })),
      ...(range && { from: range[0], until: range[0] + range[1] }),
    },
  ]);
}
const namedIn = (headers: readonly KnownHeader[], { records }: Rule) =>
  records.flatMap((number) => headers[number]?.content.hash ?? []);
type Rule = typeof rule extends fc.Arbitrary<infer Made> ? Made : never;

/** The slow way: once more over everything, until nothing changes. */
function model(rules: ErasureRules, headers: readonly KnownHeader[]): ReadonlySet<RecordHash> {
  const erased = new Set(headers.filter((one) => rules.extentOf(one.hash, one)).map(({ hash }) => hash));
  const isDecided = ({ content }: KnownHeader) =>
    headers.some(
      (other) =>
        other.content.hash === content.hash &&
        decidesField(other, "content") &&
        rules.extentOf(other.hash, other) === undefined,
    );
  for (let before = -1; before !== erased.size; ) {
    before = erased.size;
    for (const one of headers) {
      const carries = !decidesField(one, "content") && one.parents.some((parent) => erased.has(parent));
      if (carries && !isDecided(one)) erased.add(one.hash);
    }
  }
  return erased;
}

describe("what an erasure covers", () => {
  const scene = fc.tuple(fc.array(step, { maxLength: 30 }).map(historyOf), rule, fc.nat());

  test("[ER1] covers what its rules name and what still carries an erased text, in whatever order it comes", () => {
    fc.assert(
      fc.property(scene, ([headers, made, seed]) => {
        const rules = rulesOf(headers, made);
        const shuffled = headers.toSorted((a, b) => ((a.at * 7 + seed) % 13) - ((b.at * 7 + seed) % 13));
        const coverage = coverageOf(rules, shuffled);
        expect(new Set(coverage.records.keys())).toEqual(model(rules, headers));
        expect(coverage.parts).toEqual(coverageOf(rules, headers).parts);
      }),
    );
  });

  test("[ER2] a part goes when no record that is kept says it, and no record loses what it says for another", () => {
    fc.assert(
      fc.property(scene, ([headers, made]) => {
        const { records, parts } = coverageOf(rulesOf(headers, made), headers);
        for (const { hash, content, meta } of headers) {
          if (records.get(hash) === undefined) expect(parts.has(content.hash)).toBe(false);
          if (records.get(hash) !== "whole") expect(parts.has(meta.hash)).toBe(false);
        }
        const kept = headers.filter(({ hash }) => !records.has(hash)).map(({ content }) => content.hash);
        for (const { hash, content } of headers) {
          if (records.has(hash) && !kept.includes(content.hash)) expect(parts.has(content.hash)).toBe(true);
        }
      }),
    );
  });

  test("[ER1] once rules name what carries, each record says by itself what of it is erased", () => {
    fc.assert(
      fc.property(scene, ([headers, made]) => {
        const rules = rulesOf(headers, made);
        const { unnamed, records, parts } = coverageOf(rules, headers);
        const { memories, range } = made;
        const after = new ErasureRules([
          {
            ...NO_TEXTS,
            memories: packIds(memories.map(memory)),
            records: packHashes(made.records.flatMap((number) => headers[number]?.hash ?? [])),
            parts: packHashes([...namedIn(headers, made), ...parts, ...unnamed]),
            ...(range && { from: range[0], until: range[0] + range[1] }),
          },
        ]);
        expect(coverageOf(after, headers).unnamed.size).toBe(0);
        for (const [hash, extent] of records) {
          expect(after.extentOf(hash, headers.find((one) => one.hash === hash) as KnownHeader)).toBe(extent);
        }
      }),
    );
  });

  test("[ER3] what descends from an erased version and says something of its own is kept, and may repeat it", () => {
    const headers = historyOf([
      { memory: 0, parents: [], text: "new", pick: 0 },
      { memory: 0, parents: [0], text: "new", pick: 0 },
      { memory: 0, parents: [1], text: "carried", pick: 0 },
      { memory: 1, parents: [], text: "new", pick: 0 },
    ]);
    const coverage = coverageOf(rulesOf(headers, { memories: [], records: [0], range: undefined }), headers);
    expect([...coverage.records]).toEqual([[record(0), "whole"]]);
    expect([...coverage.mayRepeat]).toEqual([record(1), record(2)]);
  });
});

describe("codes of erased texts", () => {
  test("[ER4] a text that comes back is known by its code, whatever its case, spaces, headings and punctuation at its ends; other keys and texts are not", () => {
    const keys = (byte: number) =>
      deriveSpaceKeys("01900000-0000-7000-8000-000000000001" as SpaceId, new Uint8Array(32).fill(byte));
    const key = keys(7).erasures();
    const code = erasedTextCode(key, "The  door code is 4711 ");
    const rules = new ErasureRules([{ texts: code }]);
    expect(rules.coversText(erasedTextCode(key, "the door\ncode is 4711"))).toBe(true);
    expect(rules.coversText(erasedTextCode(key, "the door code is 4712"))).toBe(false);
    const isKnown = (text: string, of = rules) =>
      erasedTextCodes(key, text).some((each) => of.coversText(each));
    for (const text of [
      "The door code is 4711.",
      "«The door code is 4711»!?",
      "# Door\n\n## Code\nThe door code is 4711\n",
      "- **The door code is 4711**…",
    ]) {
      expect([text, isKnown(text)]).toEqual([text, true]);
      const other = new ErasureRules([{ texts: erasedTextCode(key, text) }]);
      expect([text, isKnown("the door code is 4711", other)]).toEqual([text, true]);
    }
    for (const text of [
      "The door code is 4711 %",
      "The door code is -4711",
      "The door. Code is 4711",
      "# Door",
    ])
      expect([text, isKnown(text)]).toEqual([text, false]);
    expect(isKnown("# Door.", new ErasureRules([{ texts: erasedTextCode(key, "# Door") }]))).toBe(true);
    expect(isKnown("?!", new ErasureRules([{ texts: erasedTextCode(key, "…") }]))).toBe(false);
    // As versions before wrote it: of the whole text.
    const { length } = erasedTextCode(key, "");
    const old = hmac(sha256, key, utf8ToBytes("# door the code is 4711.")).subarray(0, length);
    expect(isKnown("# Door\nThe code is 4711.", new ErasureRules([{ texts: old }]))).toBe(true);
    expect(rules.coversText(erasedTextCode(keys(8).erasures(), "the door code is 4711"))).toBe(false);
    expect(bytesToHex(code)).not.toContain(bytesToHex(utf8ToBytes("4711")));
  });
});

describe("the document that takes the place of a pack's", () => {
  const sealed = fc.uint8Array({ minLength: 1, maxLength: 8 });
  const entries = fc.uniqueArray(fc.tuple(fc.nat(500), sealed), { selector: ([number]) => number });

  test("[ER5] is the same whoever makes it, and has another id as soon as something else is kept", () => {
    fc.assert(
      fc.property(entries, entries, (headers, parts) => {
        const of = (some: typeof headers, others: typeof parts) =>
          rewrittenPack(PACK, {
            headers: Object.fromEntries(some.map(([number, bytes]) => [record(number), bytes])),
            parts: Object.fromEntries(others.map(([number, bytes]) => [part(number), bytes])),
          });
        const made = of(headers, parts);
        expect(of(headers.toReversed(), parts.toReversed())).toEqual(made);
        if (headers.length > 0) expect(of(headers.slice(1), parts).document).not.toBe(made.document);
        expect(made.changes.flat()).toHaveLength(headers.length + parts.length);
      }),
    );
  });

  test("[ER5] no change of it is larger than a relay takes", () => {
    const headers = Object.fromEntries([1, 2, 3].map((number) => [record(number), new Uint8Array(700_000)]));
    const sizes = rewrittenPack(PACK, { headers, parts: {} }).changes.map((writes) => writes.length);
    expect(sizes).toEqual([1, 1, 1]);
  });
});
