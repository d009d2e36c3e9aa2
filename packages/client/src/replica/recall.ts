/**
 * Plain token search over the memories of a state, until there is an index: how rare the words of the
 * query are, and how often a memory says them.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import type { RecalledMemory } from "../api.js";

const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts written without spaces are searched by character pairs. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const SATURATION = 1.2;
const SNIPPET_CHARACTERS = 160;

/** Best first; memories that share no word with the query are left out. */
export function recallFrom(
  memories: readonly Memory[],
  query: string,
  limit: number,
): readonly RecalledMemory[] {
  const terms = [...new Set(tokens(query))];
  const counted = memories.map((memory) => ({ memory, counts: countsOf(searchText(memory)) }));
  const weights = terms.map((term) => {
    const holders = counted.filter(({ counts }) => counts.has(term)).length;
    return Math.log(1 + (memories.length - holders + 0.5) / (holders + 0.5));
  });
  return counted
    .map(({ memory, counts }) => {
      const score = terms.reduce(
        (sum, term, index) => sum + (weights[index] as number) * saturated(counts.get(term) ?? 0),
        0,
      );
      return { ...memory, score, snippet: snippetOf(memory.content, terms) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .slice(0, limit);
}

const saturated = (count: number): number => (count * (SATURATION + 1)) / (count + SATURATION);

function searchText({ content, tags, category, area, kind, source }: Memory): string {
  return [content, ...tags, category, area, kind, source?.heading]
    .filter((text) => text !== undefined)
    .join("\n");
}

function tokens(text: string): readonly string[] {
  const words = text.normalize("NFKC").toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [withoutPlural(word)]));
}

function pairsOf(word: string): readonly string[] {
  const characters = [...word];
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

const withoutPlural = (word: string): string =>
  word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;

function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens(text)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/** The part of the content around the first match. */
function snippetOf(content: string, terms: readonly string[]): string {
  const line = content.replace(/\s+/gu, " ").trim();
  if (line.length <= SNIPPET_CHARACTERS) return line;
  const lower = line.toLowerCase();
  const first = Math.max(
    0,
    Math.min(...terms.map((term) => lower.indexOf(term)).filter((index) => index >= 0), line.length) - 40,
  );
  const start = first >= line.length - 40 ? 0 : first;
  return `${start > 0 ? "…" : ""}${line.slice(start, start + SNIPPET_CHARACTERS)}…`;
}
