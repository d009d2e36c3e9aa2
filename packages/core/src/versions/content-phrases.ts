/**
 * What changed in a text, in short phrases: "budget 50M → 60M", "period Jan–Mar dropped".
 *
 * @module
 */
import { diffWords } from "./diff-words.js";
import {
  asLabel,
  bare,
  isConjunction,
  isFunctionWord,
  isNegation,
  shorten,
  withoutArticle,
  withoutSharedEnding,
} from "./plain-words.js";
import { type ClauseChange, clauseChanges, type Fineness, sentencesApart } from "./text-clauses.js";
import { wordChanges } from "./word-changes.js";

export interface Phrase {
  readonly text: string;
  /** Where there is no room for all, those that say more come first. */
  readonly weight: number;
}

/** One side of an exchange, and what is dropped or added, in characters. */
const SIDE_LENGTH = 40;
const PIECE_LENGTH = 64;
/** A clause with more changes than this was rewritten. */
const MAX_EDITS = 6;

/** Of a longer stretch that differs, only the beginning is shown: a sentence has no room for more. */
const LONGEST_DESCRIBED = 8_192;
/** What stays the same before and after such a stretch. */
const BESIDE = 100;

/** @param room - characters there are for all phrases together */
export function contentPhrases(before: string, after: string, room: number): readonly Phrase[] {
  if (before === after) return [];
  const apart = distinguished(before, after);
  const sentences = FINENESSES.map((fineness) => {
    const changes = clauseChanges(apart.before, apart.after, fineness);
    const phrases = phrasesOfAll(changes.changes, room);
    if (phrases.length > 0) return phrases;
    return [{ text: changes.isReordered ? "put in another order" : trifle(before, after), weight: 1 }];
  });
  const [shortest = []] = sentences.toSorted((a, b) => lengthOf(a) - lengthOf(b));
  return shortest;
}

type Apart = ReturnType<typeof sentencesApart>;

function distinguished(before: string, after: string): Apart {
  const apart = sentencesApart(before, after);
  const [was, is] = [apart.before.join(""), apart.after.join("")];
  return Math.max(was.length, is.length) <= LONGEST_DESCRIBED ? apart : sentencesApart(...narrowed(was, is));
}

/** From a little before the first difference to a little after the last, or as much of that as is shown. */
function narrowed(before: string, after: string): [string, string] {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const start = wordEnd(before, head - BESIDE, head);
  return [before, after].map((text) =>
    text
      .slice(start, Math.min(start + LONGEST_DESCRIBED, text.length - Math.max(0, tail - BESIDE)))
      .toWellFormed(),
  ) as [string, string];
}

/** The first end of a word from a place on; `latest` where there is none before that. */
function wordEnd(text: string, from: number, latest: number): number {
  if (from <= 0) return 0;
  const space = text.indexOf(" ", from);
  return space !== -1 && space < latest ? space + 1 : latest;
}

const FINENESSES = ["clauses", "sentences"] as const satisfies readonly Fineness[];

const lengthOf = (phrases: readonly Phrase[]): number =>
  phrases.reduce((length, { text }) => length + text.length + 2, 0);

function phrasesOfAll(changes: readonly ClauseChange[], room: number): readonly Phrase[] {
  const side = changes.length > 1 ? SIDE_LENGTH : Math.floor((room - 8) / 2);
  return changes.flatMap((change) => phrasesOf(change, side));
}

/** Texts whose clauses are the same, but for what clauses are compared without. */
function trifle(before: string, after: string): string {
  const [was, is] = [before, after].map((text) => text.replace(/\s+/gu, " ").trim());
  if (was === is) return "only spacing changed";
  return was?.toLowerCase() === is?.toLowerCase() ? "only capitals changed" : "only punctuation changed";
}

function phrasesOf(change: ClauseChange, side: number): readonly Phrase[] {
  switch (change.kind) {
    case "dropped":
      return [{ text: `${quoted(change.text, PIECE_LENGTH, 2)} dropped`, weight: weightOf(change.text) }];
    case "added":
      return [{ text: `${quoted(change.text, PIECE_LENGTH, 2)} added`, weight: weightOf(change.text) }];
    case "replaced":
      return [exchanged(change.before, change.after, side)];
    case "changed":
      return tickPhrase(change.before, change.after) ?? editPhrases(change.before, change.after, side);
    default:
      return change satisfies never;
  }
}

const exchanged = (before: string, after: string, side: number): Phrase => ({
  text: sides(before, after, side),
  weight: weightOf(before + after),
});

/** Both between quotation marks, or neither. */
function sides(before: string, after: string, maxLength: number): string {
  const most = wordsOf(before) > MOST_BARE || wordsOf(after) > MOST_BARE ? 0 : MOST_BARE;
  return `${quoted(before, maxLength, most)} → ${quoted(after, maxLength, most)}`;
}

const MOST_BARE = 3;

const wordsOf = (text: string): number => text.trim().split(/\s+/u).length;

/** Text of several words is marked off, so that it does not run into the words about it. */
function quoted(text: string, maxLength: number, maxWords = MOST_BARE): string {
  return wordsOf(text) > maxWords ? `“${shorten(text, maxLength - 2)}”` : shorten(text, maxLength);
}

/** Numbers and names tell most. */
const weightOf = (text: string): number => (/\p{Nd}/u.test(text) ? 3 : /\p{Lu}/u.test(text) ? 2.5 : 2);

const TASK = /^\[([ xX])\]\s+(.*)$/su;

/** Lists of tasks are what agents keep most. */
function tickPhrase(before: string, after: string): readonly Phrase[] | undefined {
  const [was, is] = [TASK.exec(before), TASK.exec(after)];
  const task = is?.[2] ?? "";
  if (was === null || is === null || was[2] !== task || (was[1] === " ") === (is[1] === " "))
    return undefined;
  const text = `${quoted(task, PIECE_LENGTH, 1)} ${is[1] === " " ? "opened again" : "ticked off"}`;
  return [{ text, weight: weightOf(task) }];
}

interface WordEdit {
  readonly removed: string;
  readonly added: string;
  /** What stays directly before it and after it. */
  readonly left: string;
  readonly right: string;
}

function editPhrases(before: string, after: string, side: number): readonly Phrase[] {
  const edits = editsOf(before, after).flatMap(finer).filter(isWorthDescribing);
  const whole = exchanged(before, after, side);
  if (edits.length > MAX_EDITS) return [whole];
  const phrases = edits.map((edit) => editPhrase(edit, side));
  return phrases.length > 1 && lengthOf(phrases) > lengthOf([whole]) ? [whole] : phrases;
}

const isWorthDescribing = ({ removed, added }: WordEdit): boolean =>
  bare(removed) !== bare(added) || symbolsOf(removed) !== symbolsOf(added);

/** What of a changed stretch is worth words; signs are, where there is nothing else. */
const describeError = (text: string): string => withoutArticle(bare(text)) || symbolsOf(text);

/** Of mathematics and money. */
const symbolsOf = (text: string): string => text.replace(/[^\p{Sm}\p{Sc}]+/gu, "");

const isName = (word: string): boolean => /[\p{L}\p{Nd}]/u.test(word) && !isFunctionWord(word);

/** "50M for three months → 60M" is two changes: a number, and what was said after it. */
function finer(edit: WordEdit): readonly WordEdit[] {
  const [removed, added] = [bare(edit.removed), bare(edit.added)];
  const [was, is] = [FIRST_WORD.exec(removed), FIRST_WORD.exec(added)];
  if (was === null || is === null || !isMeasure(was[1] ?? "") || !isMeasure(is[1] ?? "")) return [edit];
  if ((was[2] === undefined) === (is[2] === undefined)) return [edit];
  return [
    { ...edit, removed: was[1] ?? "", added: is[1] ?? "", right: "" },
    { ...edit, removed: was[2] ?? "", added: is[2] ?? "", left: "" },
  ];
}

const FIRST_WORD = /^(\S+?)[,;]?(?:\s+(.*))?$/su;

function editsOf(before: string, after: string): readonly WordEdit[] {
  const changes = wordChanges(before, after);
  const edits: WordEdit[] = [];
  for (const [index, { op, text }] of changes.entries()) {
    const previous = changes[index - 1];
    if (op === "same" || (op === "added" && previous?.op === "removed")) continue;
    const next = changes[index + 1];
    const isExchange = op === "removed" && next?.op === "added";
    const right = changes[index + (isExchange ? 2 : 1)];
    edits.push({
      removed: op === "removed" ? text : "",
      added: op === "added" ? text : isExchange ? next.text : "",
      left: previous?.op === "same" ? previous.text : "",
      right: right?.op === "same" ? right.text : "",
    });
  }
  return edits;
}

function editPhrase(edit: WordEdit, side: number): Phrase {
  const [removed, added] = [describeError(edit.removed), describeError(edit.added)];
  const lone = loneQualifier(removed, added);
  const piece = lone ?? (removed === "" ? added : added === "" ? removed : "");
  if (piece === "")
    return exchangePhrase(edit, removed || edit.removed.trim(), added || edit.added.trim(), side);
  const isAdded = added.length > removed.length;
  const isQualifier = diffWords(piece).every(({ word }) => isNegation(word) || isFunctionWord(word));
  const beside = isQualifier ? nextWords(edit.right) : "";
  if (beside !== "") {
    const whole = `${piece}${isUnspaced(piece, beside) ? "" : " "}${beside}`;
    return isAdded ? exchanged(beside, whole, side) : exchanged(whole, beside, side);
  }
  return {
    text: `${quoted(piece, PIECE_LENGTH, 2)} ${isAdded ? "added" : "dropped"}`,
    weight: weightOf(piece),
  };
}

/** Where words have no spaces, a "not" may have grown onto the word before it. */
function loneQualifier(removed: string, added: string): string | undefined {
  const [short, long] = removed.length < added.length ? [removed, added] : [added, removed];
  const rest = short !== "" && long.startsWith(short) ? long.slice(short.length) : "";
  return isUnspaced(short, rest) && isNegation(rest) ? rest : undefined;
}

function exchangePhrase({ left, right }: WordEdit, removed: string, added: string, side: number): Phrase {
  const [was, is] = withoutSharedEnding(removed, added);
  const label = labelOf(left);
  const unit = isMeasure(was) && isMeasure(is) ? unitOf(right) : "";
  const first = isUnspaced(was, unit) ? `${was}${unit}` : was;
  const text = `${sides(first, is, side)}${unit}`;
  return { text: label === "" ? text : `${label} ${text}`, weight: weightOf(was + is) };
}

const isMeasure = (text: string): boolean =>
  /^[^\s]*\p{Nd}[^\s]*$|^[〇一二三四五六七八九十百千万亿億两兩]+$/u.test(text);

/** The last word before a change that names something. */
function labelOf(left: string): string {
  const words = diffWords(left).map(({ word }) => word);
  if (isConjunction(words.at(-1) ?? "")) return ""; // one more of a list, whose words are no names of each other
  const end = words.findLastIndex((word) => /\p{L}/u.test(word) && !isFunctionWord(word));
  let start = end;
  const goesOn = (index: number): boolean => isName(words[index] ?? "") && isUnspaced(words[index] ?? "", "");
  while (isUnspaced(words[end] ?? "", "") && goesOn(start - 1)) start -= 1;
  return asLabel(
    shorten(words.slice(Math.max(start, end - MAX_LABEL_WORDS), end + 1).join(""), SIDE_LENGTH / 2),
  );
}

/** Of languages without spaces, whose dictionaries cut names into small words. */
const MAX_LABEL_WORDS = 2;

/** The word a number counts, such as "days" or "March"; what stays of a numeral. */
function unitOf(right: string): string {
  const [first, second] = diffWords(right);
  const unit = first?.word === "" ? second : first;
  if (unit === undefined || !/^[\p{L}%°€$£]/u.test(unit.word) || isFunctionWord(unit.word)) return "";
  return first?.word === "" ? ` ${unit.word}` : unit.word;
}

/** What a "not" or "maybe" is about: the words up to the first that names something. */
function nextWords(right: string): string {
  const words = diffWords(right);
  const end = words.findIndex(({ word }) => isName(word));
  if (end === -1) return "";
  return bare(
    words
      .slice(0, end + 1)
      .map(({ word, space }) => word + space)
      .join(""),
  );
}

const isUnspaced = (left: string, right: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u.test(left) ||
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(right);
