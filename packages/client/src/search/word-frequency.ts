/**
 * How often a text says a word, written so that an index without places can hold it: a word that is said
 * often is given once more, behind a mark. The mark stands before the word because the tokenizer takes off
 * endings: what is marked for "cities" is found for "city".
 *
 * @module
 */

/**
 * Each mark finds the texts in which a word weighs `least` or more; BM25 hardly tells greater frequencies apart.
 * Letters, because FTS5 takes three times as long over other signs. No word of any language begins so.
 */
export const FREQUENCY_MARKS = [
  { mark: "qz2x", least: 2 },
  { mark: "qz4x", least: 4 },
] as const;

export interface WeightedText {
  /** As the tokenizer gets it. */
  readonly text: string;
  /** What one occurrence of a word counts. */
  readonly weight: number;
}

export interface CountedText {
  /** The texts, and after them their frequent words behind marks; always the same for the same texts. */
  readonly text: string;
  /** How many words the texts say, each as often as it is said. */
  readonly words: number;
}

const ASCII = /^[\0-\x7f]*$/;
const HASH_PRIME = 0x01000193;
const FIRST_SLOTS = 4_096;
const [TWICE, OFTEN] = FREQUENCY_MARKS;
const LEAST_MARKED: number = TWICE.least;

/**
 * Counts words as they are written, by a hash of them, so that no string is made of a word said once. Two words
 * with one hash would count as one: of texts of 300 words, once in 100,000. One counter serves many texts,
 * one after another.
 */
export class WordCounter {
  #hashes = new Int32Array(FIRST_SLOTS);
  #weights = new Float32Array(FIRST_SLOTS);
  /** For which text a slot was filled; what is left from others counts as empty. */
  #filledFor = new Int32Array(FIRST_SLOTS);
  #text = 0;

  count(parts: readonly WeightedText[]): CountedText {
    const stated = parts.filter(({ text }) => text !== "");
    this.#begin(stated.reduce((sum, { text }) => sum + text.length, 0));
    let words = 0;
    const frequent: FrequentWord[] = [];
    for (const { text, weight } of stated) {
      words += this.#countIn(ASCII.test(text) ? text : text.toLowerCase(), weight, frequent);
    }
    let text = stated.map((part) => part.text).join(" ");
    for (const { slot, word } of frequent) {
      text += ` ${TWICE.mark}${word}`;
      if ((this.#weights[slot] as number) >= OFTEN.least) text += ` ${OFTEN.mark}${word}`;
    }
    return { text, words };
  }

  /** @param length - of what will be counted, in UTF-16 units; at most every second begins a word */
  #begin(length: number): void {
    this.#text += 1;
    if (length <= this.#hashes.length) return;
    const slots = 2 ** Math.ceil(Math.log2(length));
    this.#hashes = new Int32Array(slots);
    this.#weights = new Float32Array(slots);
    this.#filledFor = new Int32Array(slots);
  }

  /** @returns how many words there are */
  #countIn(text: string, weight: number, frequent: FrequentWord[]): number {
    const weights = this.#weights;
    let words = 0;
    let start = -1;
    let hash = 0;
    for (let index = 0; index <= text.length; index += 1) {
      const unit = index < text.length ? text.charCodeAt(index) : 0;
      const folded = unit < FOLDED.length ? (FOLDED[unit] as number) : foldedBeyondAscii(unit);
      if (folded !== 0) {
        if (start === -1) start = index;
        hash = Math.imul(hash ^ folded, HASH_PRIME);
      } else if (start !== -1) {
        const slot = this.#slotOf(hash);
        const sum = (weights[slot] as number) + weight;
        if (sum >= LEAST_MARKED && sum - weight < LEAST_MARKED)
          frequent.push({ slot, word: text.slice(start, index) });
        weights[slot] = sum;
        words += 1;
        start = -1;
        hash = 0;
      }
    }
    return words;
  }

  #slotOf(hash: number): number {
    const hashes = this.#hashes;
    const filledFor = this.#filledFor;
    const text = this.#text;
    const last = hashes.length - 1;
    let slot = (hash ^ (hash >>> 15)) & last;
    while (filledFor[slot] === text && hashes[slot] !== hash) slot = (slot + 1) & last;
    if (filledFor[slot] !== text) {
      filledFor[slot] = text;
      hashes[slot] = hash;
      this.#weights[slot] = 0;
    }
    return slot;
  }
}

interface FrequentWord {
  readonly slot: number;
  readonly word: string;
}

/** By ASCII code: letters in lower case and digits; 0 for what stands between words. */
const FOLDED = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[a-z0-9]/i.test(character) ? character.toLowerCase().charCodeAt(0) : 0;
});

/** 0 for spaces and the punctuation of European texts; everything else counts as a letter. */
const foldedBeyondAscii = (unit: number): number =>
  unit < 0xc0 || (unit >= 0x2000 && unit <= 0x206f) ? 0 : unit;
