/**
 * Splits text for merging, at four levels of fineness. Part of the format, so it must give the same on
 * every engine for ever: no `Intl.Segmenter`, no `\p{…}` and no `\s`, whose meaning follows the Unicode
 * version, only the ranges written here. Tokens put together again are the text, to the last byte.
 *
 * @module
 */

/** From coarse to fine. */
export const TOKEN_LEVELS = ["lines", "sentences", "words", "atoms"] as const;

export type TokenLevel = (typeof TOKEN_LEVELS)[number];

/**
 * - `lines`: a line with its line end and the empty lines after it
 * - `sentences`: up to a stop, with its closing marks and the space after it
 * - `words`: a word, a punctuation mark or a CJK character, with the space after it
 * - `atoms`: the same without the space, which is a token of its own; so is each line end
 */
export function splitTokens(text: string, level: TokenLevel): string[] {
  return level === "sentences" ? splitSentences(text) : (text.match(PATTERN_BY_LEVEL[level]) ?? []);
}

function splitSentences(text: string): string[] {
  const ends = Array.from(text.matchAll(SENTENCE_END), ({ index, 0: stop }) => index + stop.length);
  const starts = [0, ...ends];
  const sentences = starts.map((start, position) => text.slice(start, ends[position]));
  return sentences.filter((sentence) => sentence !== "");
}

const SPACE = "\\t\\v\\f \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000\\ufeff";
const LINE_END = "\\n\\r\\u0085\\u2028\\u2029";

/**
 * Chinese and Japanese are written without spaces, so each character is a token. Korean has spaces,
 * and its syllables count as letters.
 */
const CJK = [
  "\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u3029\\u3031-\\u3035\\u3038-\\u303b", // radicals, numerals, repeats
  "\\u3041-\\u3096\\u309d-\\u309f\\u30a1-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff\\uff66-\\uff9d", // kana
  "\\u3105-\\u312f\\u31a0-\\u31bf", // bopomofo
  "\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}", // ideographs
].join("");
/** Voicing marks, accents and variation selectors stay with the character before them. */
const CJK_MARK = "\\u0300-\\u036f\\u3099\\u309a\\uff9e\\uff9f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}";

const PUNCTUATION = [
  "\\u0000-\\u0008\\u000e-\\u001f!-\\/:-@\\[-\\^`{-\\u0084\\u0086-\\u009f", // ASCII; `_` counts as a letter
  "\\u00a1-\\u00a9\\u00ab-\\u00b1\\u00b4\\u00b6-\\u00b8\\u00bb\\u00bf\\u00d7\\u00f7", // Latin-1
  "\\u2010-\\u2027\\u2030-\\u205e", // general
  "\\u3001-\\u3004\\u3008-\\u3020\\u3030\\u303d\\u30a0\\u30fb", // CJK
  "\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff3d\\uff40\\uff5b-\\uff65", // full width
].join("");

const LETTER = `[^${SPACE}${LINE_END}${CJK}${PUNCTUATION}]`;
const LETTERS = `${LETTER}+`;
/**
 * Dates, versions, paths, addresses and "don't" hold together: two edits inside `2026-08-01` or `3.14`
 * are one conflict, not a third value that nobody wrote.
 */
const WORD = `${LETTERS}(?:[-.,:/@+'\\u2019]${LETTERS})*`;
const GLYPH = `[${CJK}][${CJK_MARK}]*`;
const MARK = `[^${SPACE}${LINE_END}]`;
const BLANK = `[${SPACE}${LINE_END}]`;

/** Of what atoms consist, as sources of regular expressions with the flag `u`. */
export const ATOM_CLASSES = { BLANK, LETTER } as const;

const LATIN_STOP = `[.!?\\u2026]['"\\u2019\\u201d\\u00bb)\\]*_]*${BLANK}+`;
const CJK_STOP = `[\\u3002\\uff01\\uff1f\\uff0e]['"\\u2019\\u201d\\u300d\\u300f\\u3011\\uff09]*${BLANK}*`;

const pattern = (source: string): RegExp => new RegExp(source, "gu");

const SENTENCE_END = pattern(`${LATIN_STOP}|${CJK_STOP}`);

const PATTERN_BY_LEVEL: Readonly<Record<Exclude<TokenLevel, "sentences">, RegExp>> = {
  lines: pattern("[^\\r\\n]*[\\r\\n]+|[^\\r\\n]+"),
  words: pattern(`(?:${WORD}|${GLYPH}|${MARK})${BLANK}*|${BLANK}+`),
  atoms: pattern(`${WORD}|${GLYPH}|${MARK}|\\r\\n|[${LINE_END}]|[${SPACE}]+`),
};
