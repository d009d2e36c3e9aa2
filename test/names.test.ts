/**
 * The check of names: that it finds a retired word where a name is chosen, and only there.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { retiredNames, retiredWords } from "../scripts/names.ts";

const GLOSSARY = `
## Words

| word | meaning |
|---|---|
| door | an entry |

## Retired words

| retired | use |
|---|---|
| deed, going back | action |
| said | parsed |
`;
const retired = retiredWords(GLOSSARY);
const found = (text: string, path = "src/plain.ts"): readonly string[] =>
  retiredNames(path, text, retired).map(
    ({ name, word, instead, line }) => `${line} ${name}: ${word} → ${instead}`,
  );

test("[DO11] a retired word is found in names of every kind, with what to use instead", () => {
  expect(retired).toEqual(
    new Map([
      ["deed", "action"],
      ["going back", "action"],
      ["said", "parsed"],
    ]),
  );
  expect(
    found(`interface Deed { doDeed(): void }
function deedOf(deeds: string[], { b: saidBy }: X) { return (said: string) => said; }
class GoingBackPlan { #goingBack = 1; saidOnce() {} }
export const [FIRST_DEED, ...lastSaid] = [], { c: { d: said = 1 } } = y;`),
  ).toEqual([
    "1 Deed: deed → action",
    "1 doDeed: deed → action",
    "2 deedOf: deed → action",
    "2 deeds: deed → action",
    "2 saidBy: said → parsed",
    "2 said: said → parsed",
    "3 GoingBackPlan: going back → action",
    "3 goingBack: going back → action",
    "3 saidOnce: said → parsed",
    "4 FIRST_DEED: deed → action",
    "4 lastSaid: said → parsed",
    "4 said: said → parsed",
  ]);
  expect(found("", "src/going-back.ts")).toEqual(["0 going-back: going back → action"]);
});

test("[DO11] prose, SQL, keys of stored data and parts of other words are left alone", () => {
  expect(
    found(`/** What was said of a deed. */
const sql = \`SELECT deed FROM said\`; // going back
const { said, indeed } = entry;
interface Entry { readonly said: string; readonly deed?: string }
export const written = { said: text, deed: entry.deed, indeed };`),
  ).toEqual([]);
});

test("[DO11] the glossary retires words, and uses none of them as a term", () => {
  const glossary = readFileSync(new URL("../docs/glossary.md", import.meta.url), "utf8");
  const [before = ""] = glossary.split("## Retired words");
  const terms = [...before.matchAll(/^\| ([^|]+) \|/gm)].map(([, term]) => term);
  expect(retiredWords(glossary).size).toBeGreaterThan(30);
  expect(terms.filter((term) => retiredWords(glossary).has(term ?? ""))).toEqual([]);
});
