/**
 * Folds memories that say the same: an answer of ten should hold ten things.
 *
 * @module
 */
import { isPlain, wordsOf } from "./words.js";

/** Of all words of two texts, this part has to be in both. */
const NEARLY_ALL = 0.9;
/** Longer texts are cut into words by nobody: of them only those that are the same to the letter are folded. */
const LONGEST_COMPARED = 65_536;
/** These few change what a text says, however similar the rest is. */
const DECISIVE = /^(?:no|not|never|nor|without|t|cannot|\P{L}*\d.*)$/iu;
/** The same, found in a plain text in lower case that was not cut into words. */
const PLAIN_DECISIVE = /(?<![a-z0-9])(?:no|not|never|nor|without|t|cannot|\d[a-z0-9]*)(?![a-z0-9])/g;

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
    const same = kept.find((other) => isDuplicate(other.text, text));
    if (same !== undefined) same.folded.push(item);
    else if (kept.length === limit) break;
    else kept.push({ item, folded: [], text });
  }
  return kept.map(({ item, folded }) => ({ item, folded }));
}

/** Whether recall shows only one of the two. */
export const isDuplicateText = (one: string, other: string): boolean =>
  isDuplicate(comparedText(one), comparedText(other));

/** Ten texts are compared for each recall, and most differ in what decides already. */
interface ComparedText {
  readonly decisive: string;
  readonly words: () => ReadonlySet<string>;
}

function comparedText(content: string): ComparedText {
  if (content.length > LONGEST_COMPARED) return { decisive: content, words: once(() => new Set([content])) };
  if (isPlain(content)) {
    const text = content.toLowerCase();
    return {
      decisive: (text.match(PLAIN_DECISIVE) ?? []).join(" "),
      words: once(() => new Set(text.match(/[a-z0-9]+/g))),
    };
  }
  const words = wordsOf(content).map(({ text }) => text.toLowerCase());
  return {
    decisive: words.filter((word) => DECISIVE.test(word)).join(" "),
    words: once(() => new Set(words)),
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function isDuplicate(a: ComparedText, b: ComparedText): boolean {
  if (a.decisive !== b.decisive) return false;
  const [one, other] = [a.words(), b.words()];
  const [smaller, larger] = one.size <= other.size ? [one, other] : [other, one];
  if (smaller.size < NEARLY_ALL * larger.size) return false;
  if (larger.size === 0) return false; // signs alone may be anything
  let shared = 0;
  for (const word of smaller) if (larger.has(word)) shared += 1;
  return shared >= NEARLY_ALL * (smaller.size + larger.size - shared);
}
