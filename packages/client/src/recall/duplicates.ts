/**
 * Folds memories that say the same: an answer of ten should hold ten things.
 *
 * @module
 */
import { isPlain, wordsOf } from "./words.js";

/** Of all words of two texts, this part has to be in both. */
const NEARLY_ALL = 0.9;
/** These few change what a text says, however alike the rest is. */
const DECISIVE = /^(?:no|not|never|nor|without|t|cannot|\P{L}*\d.*)$/iu;

export interface Kept<Item> {
  readonly item: Item;
  /** Others that say the same and ranked below it. */
  readonly folded: readonly Item[];
}

export interface WithText<Item> {
  readonly item: Item;
  readonly text: string;
}

/**
 * Returns the first `limit` items that say different things, each with those folded into it.
 *
 * @param items - best first; not read further than the one beyond the limit
 */
export function foldDuplicates<Item>(items: Iterable<WithText<Item>>, limit: number): readonly Kept<Item>[] {
  const kept: { readonly item: Item; readonly folded: Item[]; readonly text: ComparedText }[] = [];
  for (const { item, text: content } of items) {
    const text = comparedText(content);
    const same = kept.find((other) => saysTheSame(other.text, text));
    if (same !== undefined) same.folded.push(item);
    else if (kept.length === limit) break;
    else kept.push({ item, folded: [], text });
  }
  return kept.map(({ item, folded }) => ({ item, folded }));
}

interface ComparedText {
  readonly words: ReadonlySet<string>;
  readonly decisive: string;
}

function comparedText(content: string): ComparedText {
  const words = lowerCaseWords(content);
  return { words: new Set(words), decisive: words.filter((word) => DECISIVE.test(word)).join(" ") };
}

/** Ten texts are cut for each recall: of plain ones without noting where each word stands. */
const lowerCaseWords = (content: string): readonly string[] =>
  isPlain(content)
    ? (content.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    : wordsOf(content).map(({ text }) => text.toLowerCase());

function saysTheSame(a: ComparedText, b: ComparedText): boolean {
  const [smaller, larger] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words];
  if (a.decisive !== b.decisive || smaller.size < NEARLY_ALL * larger.size) return false;
  if (larger.size === 0) return false; // signs alone may be anything
  let shared = 0;
  for (const word of smaller) if (larger.has(word)) shared += 1;
  return shared >= NEARLY_ALL * (smaller.size + larger.size - shared);
}
