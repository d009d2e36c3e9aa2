/**
 * Small words that a sentence about a change treats apart. The lists need not be complete: what is missing makes
 * a sentence a word longer.
 *
 * @module
 */

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** They name nothing, so they are no label for what changed beside them. */
const FUNCTION_WORDS = words(
  "a an the this that these those is are was were be been being am has have had do does did will would can could " +
    "should shall may might must of in on at to for from by with as into about over under and or but so then than " +
    "it its they them their he him his she her we us our you your i me my who which what when where there here " +
    "der die das den dem ein eine ist sind um am im zu von mit und auf für le la les de du des un une est et à pour en " +
    "el los las es y por con now also just only very too still per via 在 是 为 為 的 了 和 与 於 于 从 到 把 被 对 は が を に で と の へ も",
);

/** Alone, what they do to the words after them is what changed. */
const NEGATIONS = words(
  "not no never without hardly barely isn't aren't wasn't don't doesn't didn't can't cannot won't 不 没 没有 未 非 " +
    "勿 别 안 못 maybe perhaps probably possibly always sometimes usually rarely optional optionally at least most",
);

const CONJUNCTIONS = words("and or but also plus so then with 和 与 及 以及 과 와 및 그리고 と や");

/** "May" is a month. */
export const isFunctionWord = (word: string): boolean =>
  word !== "May" && FUNCTION_WORDS.has(word.toLowerCase());
export const isConjunction = (word: string): boolean => CONJUNCTIONS.has(word.toLowerCase());
export const isNegation = (word: string): boolean => NEGATIONS.has(word.toLowerCase());

const EITHER_CONJUNCTION = `(?:${[...CONJUNCTIONS].join("|")})`;
const LEADING_CONJUNCTION = new RegExp(`^${EITHER_CONJUNCTION}(?:\\s+|$)`, "iu");
const TRAILING_CONJUNCTION = new RegExp(`\\s${EITHER_CONJUNCTION}$`, "iu");
/** Longer than any conjunction with the space before it. */
const LONGEST_ENDING = 40;
const LEADING_ARTICLE = /^(?:an?|the)(?:\s+|$)/iu;
/** A dash or the like is a mark only before a space: "-5" is a number, "#12" a name. */
const LEADING_MARKS = /^(?:[\s,;:、，。；：)\]]+|[.·•|>#*–—-]+(?=\s|$))+/u;
const TRAILING_MARK = /[\s,.;:、，。；：!?！？…|([–—-]/u;

/** Text without the punctuation, list marks and conjunctions at its edges. */
export function bare(text: string): string {
  const begun = withoutTrailingMarks(text.replace(LEADING_MARKS, "")).replace(LEADING_CONJUNCTION, "");
  const ending = Math.max(0, begun.length - LONGEST_ENDING);
  return (begun.slice(0, ending) + begun.slice(ending).replace(TRAILING_CONJUNCTION, "")).trim();
}

/** A pattern that ends with the text would be tried at each run of marks, from each of its signs on. */
function withoutTrailingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && TRAILING_MARK.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export const withoutArticle = (text: string): string => text.replace(LEADING_ARTICLE, "");

/** 은, 는 and the like say what a Korean word does in its sentence; they are no part of a name or number. */
const KOREAN_ENDING =
  /^(.*[\p{Script=Hangul}\p{Nd}%A-Za-z].*?)(입니다|이다|에서|에게|까지|부터|으로|로|은|는|을|를|과|와|에|의|도)$/u;
const KOREAN_TOPIC = /^(\p{Script=Hangul}{2,})[은는이가을를의]$/u;

/** Two Korean words without the ending that both have. */
export function withoutSharedEnding(before: string, after: string): readonly [string, string] {
  const [a, b] = [KOREAN_ENDING.exec(before), KOREAN_ENDING.exec(after)];
  const [was, is] = [a?.[1], b?.[1]];
  return was !== undefined && is !== undefined && a?.[2] === b?.[2] ? [was, is] : [before, after];
}

export const asLabel = (word: string): string => KOREAN_TOPIC.exec(word)?.[1] ?? word;

/** At a word's end, or between characters; never longer than `maxLength`, the ellipsis included. */
export function shorten(text: string, maxLength: number): string {
  const line = text.replace(/\s+/gu, " ").trim();
  if (line.length <= maxLength) return line;
  const cut = line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/u, "");
  const atSpace = cut.lastIndexOf(" ");
  return `${(atSpace > maxLength / 2 ? cut.slice(0, atSpace) : cut).replace(/[\s,;:.]+$/u, "")}…`;
}
