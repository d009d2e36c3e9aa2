import { sha256 } from "@noble/hashes/sha2.js";
import { expect, test } from "vitest";
import { bytesToHex } from "../../src/format/bytes.js";
import { type Encodable, encodeCanonical } from "../../src/format/encoding.js";
import { MERGE_VERSION } from "../../src/merge/merge-version.js";
import { MAX_MERGE_STEPS, mergeTexts } from "../../src/merge/text-merge.js";
import { splitTokens, TOKEN_LEVELS } from "../../src/merge/text-tokens.js";
import { GOLDEN_DECISIONS, type GoldenDecision, ROOT } from "./golden-decisions.js";
import { GOLDEN_HASH_BY_VERSION, GOLDEN_MERGES } from "./golden-vectors.js";
import { conflictsOf, Story } from "./records.js";

test.each(GOLDEN_MERGES)("[MG19] $about", ({ base, a, b, merged }) => {
  expect(mergeTexts(base, [a, b]) ?? null).toBe(merged);
  expect(mergeTexts(base, [b, a]) ?? null).toBe(merged);
});

function outcomeOf({ records, tips }: GoldenDecision): Record<string, unknown> {
  const story = new Story().write("root", [], ROOT);
  for (const record of records) story.write(...record);
  const memory = story.at(...tips);
  const conflicts = conflictsOf(memory);
  const entries = (["content", "kind", "tags"] as const).map((field) => [
    field,
    conflicts[field] === undefined ? memory.fields[field] : { conflict: conflicts[field] },
  ]);
  return Object.fromEntries(entries);
}

test.each(GOLDEN_DECISIONS)("[MG19] $about", (decision) => {
  expect(outcomeOf(decision)).toEqual(decision.outcome);
});

const PIECES = [
  "the",
  "tea",
  "cup",
  "1.5",
  "don't",
  "茶",
  "を",
  "한국",
  "👍🏽",
  " ",
  " ",
  " ",
  "\n",
  "\r\n",
  ". ",
  "。",
  ",",
  "(",
  "*",
];

/** A linear congruential generator: fast-check's own may change with its version. */
function* generatedTexts(): Generator<readonly [base: string, a: string, b: string]> {
  let seed = 1;
  const below = (end: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((seed / 0x8000_0000) * end);
  };
  const piece = (): string => PIECES[below(PIECES.length)] as string;
  const changed = (pieces: readonly string[]): string => {
    const copy = [...pieces];
    for (let edits = below(4); edits > 0; edits -= 1) copy.splice(below(copy.length + 1), below(3), piece());
    return copy.join("");
  };
  for (let count = 0; count < 1_000; count += 1) {
    const base = Array.from({ length: below(40) }, piece);
    yield [base.join(""), changed(base), changed(base)];
  }
}

test("[MG19] the merge cannot change without a new merge version", () => {
  const table = GOLDEN_MERGES.map(({ base, a, b }) => mergeTexts(base, [a, b]) ?? null);
  const generated = [...generatedTexts()].map(([base, a, b]) => [
    mergeTexts(base, [a, b]) ?? null,
    TOKEN_LEVELS.map((level) => splitTokens(base, level)),
  ]);
  const decisions = GOLDEN_DECISIONS.map(outcomeOf) as Encodable[];
  const merged = generated.filter(([outcome]) => outcome !== null).length;
  expect(merged).toBeGreaterThan(300);
  expect(merged).toBeLessThan(900);
  const hash = bytesToHex(sha256(encodeCanonical([MAX_MERGE_STEPS, table, generated, decisions])));
  expect(hash).toBe(GOLDEN_HASH_BY_VERSION[MERGE_VERSION]);
});
