/**
 * Words of a text, the same for what is searched, for what is searched for, and for what is highlighted.
 *
 * The tokenizer is FTS5's `porter unicode61 remove_diacritics 2`: it folds case and accents and takes
 * English endings off ("cities" finds "city"); words of other languages keep their form, which is a sane
 * default. Vowel signs (Mn, Mc) count as letters, because words of Hindi or Arabic would fall apart
 * without them. It knows no words in scripts without spaces, and Korean glues particles to its nouns; so
 * runs of these scripts are cut here into overlapping pairs of characters before FTS5 sees them. FTS5's own
 * `trigram` tokenizer needs three characters for a match, where most Chinese words have two, and stems
 * nothing. Identifiers fall apart at `_`, `.`, `/` and `-` by themselves; the humps of camelCase are added.
 *
 * @module
 */
export const TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'";

/** A stretch of a text that is searched as one word. Offsets are in UTF-16 units; `text` is normalised. */
export interface Word {
  /** In Unicode's form NFKC, with its case. */
  readonly text: string;
  /** Where it begins in the text. */
  readonly start: number;
  /** Where it ends in the text, exclusive. */
  readonly end: number;
  /** In scripts without spaces: a pair of characters, the last one of a run, or the only one. */
  readonly kind: "word" | "pair" | "last" | "lone";
}

const ASCII = /^[\0-\x7f]*$/;
const ASCII_HUMP = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/;
const HUMP = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const BETWEEN_HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const ASCII_LETTERS = /[A-Za-z0-9]+/g;
const LETTERS = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;
/** Marks that belong to no letter included. */
const NO_LETTERS = /(?:[^\p{L}\p{N}\p{M}\p{Co}]+\p{M}*)+|^\p{M}+/gu;
/** Beyond European letters and punctuation, FTS5 takes signs for letters that are younger than its tables. */
const UNFAMILIAR = /[^\0-\u024f\u2010-\u203a]/u;
/** Thai is the first block of a script without spaces. */
const FROM_THAI_ON = /[\u0e00-\u{10ffff}]/u;
const UNSPACED_SCRIPTS = "Han Hiragana Katakana Hangul Bopomofo Thai Lao Khmer Myanmar"
  .replace(/\w+/g, "\\p{scx=$&}")
  .replaceAll(" ", "");
/** Marks alone do not begin a run: some are shared with Latin. No literal: an older Node would not read this file. */
const UNSPACED = new RegExp(
  `[[${UNSPACED_SCRIPTS}]&&[\\p{L}\\p{N}]][[${UNSPACED_SCRIPTS}]&&[\\p{L}\\p{M}\\p{N}]]*`,
  "gv",
);

/** The text as FTS5 gets it. Text in ASCII without humps, by far the most, goes through as it is. */
export function searchText(text: string): string {
  if (ASCII.test(text)) return ASCII_HUMP.test(text) ? withHumps(text) : text;
  const composed = text.normalize("NFKC");
  const normal = UNFAMILIAR.test(composed) ? composed.replace(NO_LETTERS, " ") : composed;
  const cut = FROM_THAI_ON.test(normal)
    ? normal.replace(UNSPACED, (run) => ` ${pairsOf(run).join(" ")} `)
    : normal;
  return HUMP.test(cut) ? withHumps(cut) : cut;
}

/** Whether its words are its runs of ASCII letters and digits, by far the most. */
export const isPlain = (text: string): boolean => ASCII.test(text) && !ASCII_HUMP.test(text);

/** The words of a text, in order; a whole identifier comes before its parts. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  if (isPlain(text)) {
    for (const { 0: word, index: start } of text.matchAll(ASCII_LETTERS))
      words.push({ text: word, start, end: start + word.length, kind: "word" });
    return words;
  }
  for (const { 0: letters, index } of text.matchAll(LETTERS)) {
    const normal = letters.normalize("NFKC");
    if (!FROM_THAI_ON.test(normal)) pushWord(words, letters, index);
    else pushMixed(words, letters, index);
  }
  return words;
}

function pushWord(words: Word[], letters: string, start: number): void {
  words.push({ text: letters.normalize("NFKC"), start, end: start + letters.length, kind: "word" });
  if (!HUMP.test(letters)) return;
  let at = start;
  for (const part of letters.split(BETWEEN_HUMPS)) {
    words.push({ text: part.normalize("NFKC"), start: at, end: at + part.length, kind: "word" });
    at += part.length;
  }
}

/** Letters of which some belong to a script without spaces; the others stay words. */
function pushMixed(words: Word[], letters: string, start: number): void {
  let rest = 0;
  for (const { 0: run, index } of letters.matchAll(UNSPACED)) {
    if (index > rest) pushWord(words, letters.slice(rest, index), start + rest);
    pushPairs(words, run, start + index);
    rest = index + run.length;
  }
  if (rest < letters.length) pushWord(words, letters.slice(rest), start + rest);
}

function pushPairs(words: Word[], run: string, start: number): void {
  const characters = [...run];
  let at = start;
  for (const [index, character] of characters.entries()) {
    const pair = characters[index + 1];
    const text = `${character}${pair ?? ""}`;
    const kind = pair !== undefined ? "pair" : characters.length === 1 ? "lone" : "last";
    words.push({ text: text.normalize("NFKC"), start: at, end: at + text.length, kind });
    at += character.length;
  }
}

/** Every pair, and the last character alone: so that one character is found wherever it stands, as a prefix. */
function pairsOf(run: string): readonly string[] {
  const characters = [...run];
  return characters.map((character, index) => `${character}${characters[index + 1] ?? ""}`);
}

const withHumps = (text: string): string =>
  text.replace(LETTERS, (letters) => {
    const parts = letters.split(BETWEEN_HUMPS);
    return parts.length === 1 ? letters : `${letters} ${parts.join(" ")}`;
  });
