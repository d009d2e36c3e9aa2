/**
 * Clauses: the pieces of a text that can be dropped, added or exchanged as a whole. And which clause of one text
 * became which of another.
 *
 * @module
 */
import { splitTokens } from "../merge/text-tokens.js";
import { diffWords } from "./diff-words.js";
import { matchLists, sharedEnds } from "./match-lists.js";
import { bare, isFunctionWord } from "./plain-words.js";

export interface Clause {
  /** Without list marks and the punctuation around it. */
  readonly text: string;
  /** Which sentence of its text it stands in. */
  readonly sentence: number;
}

/** What became of clauses: one turned into another, or runs of them that have no counterpart. */
export type ClauseChange =
  | { readonly kind: "changed"; readonly before: string; readonly after: string }
  | { readonly kind: "replaced"; readonly before: string; readonly after: string }
  | { readonly kind: "dropped"; readonly text: string }
  | { readonly kind: "added"; readonly text: string };

export interface ClauseChanges {
  readonly changes: readonly ClauseChange[];
  /** Whether clauses stand in another order. */
  readonly isReordered: boolean;
}

/** Whether the pieces are clauses or whole sentences: of some texts one tells better, of some the other. */
export type Fineness = "sentences" | "clauses";

const ENDS: Readonly<Record<Fineness, RegExp>> = {
  sentences: /;(?:\s+|$)|；/u,
  clauses: /;(?:\s+|$)|；|,\s+(?!\d{4}\b)|[，、]|\s+[–—]\s+/u,
};
/** Clauses more similar than this are two versions of one. */
const ALIKE = 0.34;
/** Where so many pairs would have to be compared, everything was rewritten. */
const MAX_PAIRS = 10_000;

/** The sentences of two texts, without those that both begin and end with: mostly a few of many are left. */
export function sentencesApart(
  before: string,
  after: string,
): { readonly before: readonly string[]; readonly after: readonly string[] } {
  const [a, b] = [before, after].map((text) =>
    splitTokens(text, "lines").flatMap((line) => splitTokens(line, "sentences")),
  ) as [string[], string[]];
  const { head, tail } = sharedEnds(a, b);
  return { before: a.slice(head, a.length - tail), after: b.slice(head, b.length - tail) };
}

function clausesOf(sentences: readonly string[], fineness: Fineness): readonly Clause[] {
  return sentences
    .flatMap((line, sentence) => line.split(ENDS[fineness]).map((piece) => ({ text: bare(piece), sentence })))
    .filter((clause) => clause.text !== "");
}

/** @param before, after - the sentences of a text each */
export function clauseChanges(
  before: readonly string[],
  after: readonly string[],
  fineness: Fineness,
): ClauseChanges {
  const [a, b] = [clausesOf(before, fineness), clausesOf(after, fineness)];
  const [keysA, keysB] = [a.map(keyOf), b.map(keyOf)];
  const stretches = matchLists(keysA, keysB).filter(({ isSame }) => !isSame);
  const moved = sharedKeys(
    stretches.flatMap((stretch) => keysA.slice(...stretch.before)),
    stretches.flatMap((stretch) => keysB.slice(...stretch.after)),
  );
  const isMoved = (clause: Clause): boolean => moved.has(keyOf(clause));
  const changes = stretches.flatMap((stretch) =>
    changesIn(
      a.slice(...stretch.before).filter((clause) => !isMoved(clause)),
      b.slice(...stretch.after).filter((clause) => !isMoved(clause)),
    ),
  );
  return { changes, isReordered: moved.size > 0 };
}

const keyOf = ({ text }: Clause): string => text.toLowerCase().replace(/\s+/gu, " ");

function sharedKeys(a: readonly string[], b: readonly string[]): ReadonlySet<string> {
  const others = new Set(b);
  return new Set(a.filter((key) => others.has(key)));
}

function changesIn(before: readonly Clause[], after: readonly Clause[]): readonly ClauseChange[] {
  const changes: ClauseChange[] = [];
  let [a, b] = [0, 0];
  const unpaired = (endA: number, endB: number): void => {
    changes.push(...exchange(sentencesOf(before.slice(a, endA)), sentencesOf(after.slice(b, endB))));
    [a, b] = [endA + 1, endB + 1];
  };
  for (const [indexA, indexB] of pairsOf(before, after)) {
    unpaired(indexA, indexB);
    const [was, is] = [before[indexA] as Clause, after[indexB] as Clause];
    changes.push({ kind: "changed", before: was.text, after: is.text });
  }
  unpaired(before.length, after.length);
  return changes;
}

/** Runs of clauses of one sentence, put together again. */
function sentencesOf(clauses: readonly Clause[]): readonly string[] {
  const texts = new Map<number, string>();
  for (const { text, sentence } of clauses) {
    const begun = texts.get(sentence);
    texts.set(sentence, begun === undefined ? text : `${begun}, ${text}`);
  }
  return [...texts.values()];
}

function exchange(before: readonly string[], after: readonly string[]): readonly ClauseChange[] {
  const [was, is] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && was !== undefined && is !== undefined)
    return [{ kind: "replaced", before: was, after: is }];
  return [
    ...before.map((text) => ({ kind: "dropped", text }) as const),
    ...after.map((text) => ({ kind: "added", text }) as const),
  ];
}

/** The pairs, in order on both sides, that are together most similar. */
function pairsOf(
  before: readonly Clause[],
  after: readonly Clause[],
): readonly (readonly [number, number])[] {
  if (before.length * after.length > MAX_PAIRS) return [];
  const [a, b] = [before.map(wordsOf), after.map(wordsOf)];
  const likeness = a.map((one) => b.map((other) => likenessOf(one, other)));
  // best[i][j]: how similar the best pairs of the clauses from i and from j on are, taken together
  const best = Array.from({ length: a.length + 1 }, () => new Float64Array(b.length + 1));
  const bestAt = (i: number, j: number): number => best[i]?.[j] ?? 0;
  const pairAt = (i: number, j: number): number => {
    const alike = likeness[i]?.[j] ?? 0;
    return alike >= ALIKE ? alike + bestAt(i + 1, j + 1) : 0;
  };
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1)
      (best[i] as Float64Array)[j] = Math.max(pairAt(i, j), bestAt(i + 1, j), bestAt(i, j + 1));
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    const value = bestAt(i, j);
    if (value > 0 && pairAt(i, j) === value) pairs.push([i++, j++]);
    else if (bestAt(i + 1, j) === value) i += 1;
    else j += 1;
  }
  return pairs;
}

type WeighedWords = ReadonlyMap<string, number>;

/** Digits count as the same whatever they are: "50M" and "60M" are two values of one thing. */
function wordsOf({ text }: Clause): WeighedWords {
  const found = new Map<string, number>();
  for (const { word } of diffWords(text)) {
    const key = word.toLowerCase().replace(/\p{Nd}+/gu, "#");
    if (/[\p{L}#]/u.test(key)) found.set(key, key.includes("#") ? 0.6 : isFunctionWord(key) ? 0.25 : 1);
  }
  return found;
}

function likenessOf(a: WeighedWords, b: WeighedWords): number {
  const weight = (one: WeighedWords): number => [...one.values()].reduce((sum, value) => sum + value, 0);
  const shared = [...a].reduce((sum, [word, value]) => sum + (b.has(word) ? value : 0), 0);
  return shared === 0 ? 0 : (2 * shared) / (weight(a) + weight(b));
}
