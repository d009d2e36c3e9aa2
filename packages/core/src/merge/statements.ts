/**
 * Which edits of two sides are edits of one statement, and so a conflict, however well their words merge: a
 * statement half of which is by one and half by another says what neither of them knows. Part of the format,
 * like the tokens: only the ranges and lengths written here count.
 *
 * A statement is a sentence, a part of one up to a semicolon, or a line of a list, a table or code. A comma ends
 * none ("the budget for 2027, 900 euro"), and neither does the end of a line that prose may be wrapped at. Where it
 * is in doubt nothing ends: a conflict too many is seen and decided, a statement of two halves is not.
 *
 * @module
 */
import { ATOM_CLASSES, splitTokens } from "./text-tokens.js";

/** What one side alone made of a stretch of the base. */
export interface TextEdit {
  readonly side: "a" | "b";
  /** Where the stretch begins and ends in the base, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** What stands there now. */
  readonly text: string;
}

/**
 * Returns whether some statement was edited by both sides, each in its own way.
 *
 * Spaces and line ends say nothing: a side that changed only those has edited none. A mark may: "C#", "*", "(900)".
 *
 * @param edits - in the order of the base; none overlaps another
 */
export function isOneStatementOfBoth(base: string, edits: readonly TextEdit[]): boolean {
  const changing = edits.flatMap((edit) => narrowed(base, edit));
  const placed = changing.map((edit, index) => slidToStatement(base, edit, changing[index - 1]?.end ?? 0));
  return placed.some((edit, index) => {
    const next = placed[index + 1];
    return next !== undefined && next.side !== edit.side && !standApart(base, edit, next);
  });
}

/** The edit without the words that it begins and ends with as before; nothing if only marks differ. */
function narrowed(base: string, edit: TextEdit): readonly TextEdit[] {
  const [before, after] = [base.slice(edit.start, edit.end), edit.text].map((text) =>
    splitTokens(text, "atoms"),
  ) as [string[], string[]];
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before.at(-tail - 1) === after.at(-tail - 1)) tail += 1;
  const was = before.slice(head, before.length - tail);
  const is = after.slice(head, after.length - tail);
  if (wordsOf(was) === wordsOf(is)) return [];
  const start = edit.start + lengthOf(before.slice(0, head));
  return [{ side: edit.side, start, end: start + lengthOf(was), text: is.join("") }];
}

/** How many words a piece is slid at most: more than sentences begin with alike. */
const MAX_SLIDE = 64;

/**
 * Of "It is red. It costs 900.", without its first sentence, a comparison may say that "is red. It" was removed.
 * Returns the same insertion or removal from where a statement begins, if it can be read so.
 *
 * @param floor - where the edit before it ends
 */
function slidToStatement(base: string, edit: TextEdit, floor: number): TextEdit {
  const isInsertion = edit.start === edit.end;
  if (!isInsertion && edit.text !== "") return edit;
  const piece = splitTokens(isInsertion ? edit.text : base.slice(edit.start, edit.end), "atoms");
  const before = splitTokens(base.slice(Math.max(floor, edit.start - CONTEXT), edit.start), "atoms");
  let start = edit.start;
  for (let slid = 0; slid <= MAX_SLIDE; slid += 1) {
    if (isBeginning(base, start)) {
      const text = isInsertion ? piece.join("") : "";
      return { side: edit.side, start, end: start + edit.end - edit.start, text };
    }
    const last = piece.pop();
    if (last === undefined || last !== before.pop()) return edit;
    piece.unshift(last);
    start -= last.length;
  }
  return edit;
}

const lengthOf = (tokens: readonly string[]): number => tokens.join("").length;

const { BLANK, LETTER } = ATOM_CLASSES;
const ONLY_BLANK = new RegExp(`^${BLANK}+$`, "u");

const wordsOf = (atoms: readonly string[]): string =>
  JSON.stringify(atoms.filter((atom) => !ONLY_BLANK.test(atom)));

/** How much of the text around two edits says where statements end: more than a wrapped line is long. */
const CONTEXT = 128;

/** Whether a statement ends between the edits in the base, and still does with either or both of them made. */
function standApart(base: string, first: TextEdit, second: TextEdit): boolean {
  const from = Math.max(0, first.start - CONTEXT);
  const until = Math.min(base.length, second.end + CONTEXT);
  const edges = { isStart: from === 0, isEnd: until === base.length };
  const gap = base.slice(first.end, second.start);
  const separates = (one: string, other: string): boolean => {
    const head = base.slice(from, first.start) + one;
    return isEndBetween(
      head + gap + other + base.slice(second.end, until),
      head.length,
      head.length + gap.length,
      edges,
    );
  };
  const [one, other] = [base.slice(first.start, first.end), base.slice(second.start, second.end)];
  return [one, first.text].every((a) => [other, second.text].every((b) => separates(a, b)));
}

/** Whether a statement begins at a place. */
function isBeginning(text: string, place: number): boolean {
  const from = Math.max(0, place - CONTEXT);
  const ends = text.slice(from, place + CONTEXT).matchAll(STATEMENT_END);
  return place === 0 || Array.from(ends).some(({ index, 0: { length } }) => from + index + length === place);
}

/** Whether a statement ends, or begins or ends with the text, at or between two places. */
function isEndBetween(
  text: string,
  first: number,
  last: number,
  { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean },
): boolean {
  if ((isStart && first === 0) || (isEnd && last === text.length)) return true;
  return Array.from(text.matchAll(STATEMENT_END)).some(
    ({ index, 0: { length } }) => index <= last && first <= index + length,
  );
}

const CLOSING = `["'\\u2019\\u201d\\u00bb)\\]*_]*`;
/** They end with a stop, and a name or a number follows. */
const SHORT_FORMS =
  "[Mm]r|[Mm]rs|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|[Mm]t|[Jj]r|[Ss]r|[Ii]nc|[Ll]td|[Cc]o|[Cc]orp|[Dd]ept|[Uu]niv|[Nn]o|[Nn]r|" +
  "[Nn]os|[Vv]ol|[Vv]s|[Aa]m|[Pp]m|[Cc]a|[Cc]irca|[Aa]pprox|[Ee]tc|[Ee]st|[Ii]ncl|[Ee]xcl|[Mm]ax|[Mm]in|[Ff]ig|[Ss]ec|[Aa]rt|" +
  "[Aa]bt|[Bb]zw|[Ss]tr|[Aa]ve|[Rr]d|[Bb]lvd|[Jj]an|[Ff]eb|[Mm]ar|[Aa]pr|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ep|[Ss]ept|[Oo]ct|[Nn]ov|" +
  "[Dd]ec|[Mm]on|[Tt]ue|[Ww]ed|[Tt]hu|[Ff]ri|[Ss]at|[Ss]un|[Gg]en|[Cc]ol|[Ll]t|[Ss]gt|[Cc]apt|[Rr]ev|[Hh]on|[Pp]res|[Gg]ov|[Ss]en";
/** A stop after one letter, after a short form, or after a word with a stop in it ends no sentence. */
const ABBREVIATION = `(?<!(?<!${LETTER})(?:${SHORT_FORMS}|[A-Z]${LETTER}|${LETTER}))(?<![.]${LETTER}{1,8})`;
/** "approx. 900" goes on. */
const GOES_ON = `(?!${BLANK}|[a-z0-9])`;
const LATIN_STOP = `(?:(?=[.])${ABBREVIATION}[.]|[!?\\u2026])${CLOSING}(?:${BLANK}+${GOES_ON}|$)`;
const CJK_STOP = `[\\u3002\\uff01\\uff1f\\uff0e\\uff1b]["'\\u2019\\u201d\\u300d\\u300f\\u3011\\uff09]*${BLANK}*`;
/** Not that of "&amp;". */
const SEMICOLON = `(?=;)(?<!&[#0-9A-Za-z]{1,8});${BLANK}+`;

const LINE_END = "(?:\\r\\n|\\r(?!\\n)|(?<!\\r)\\n|[\\u0085\\u2028\\u2029])";
const SPACES = "[\\t ]*";
/** A line that ends so has nothing left to say. */
const COMPLETE = `(?<=[.!?:;{}\\u2026\\u3002\\uff01\\uff1f]${CLOSING}${SPACES})`;
/** An empty line, the mark of an item, a heading, a quotation, a cell, code, or a name with its value. */
const BEGINS = `(?=${SPACES}(?:$|[\\r\\n\\u0085\\u2028\\u2029]|[-*+\\u2022]${BLANK}|[0-9]{1,3}[.)]${BLANK}|#{1,6} |[>|{}\`]|---)|\\t| {4}|${LETTER}{1,24} ?[:=] )`;
const LINE_STOP = `(?=[\\r\\n\\u0085\\u2028\\u2029])(?:${COMPLETE}${LINE_END}|${LINE_END}${BEGINS})${BLANK}*`;

const STATEMENT_END = new RegExp(`${LATIN_STOP}|${CJK_STOP}|${SEMICOLON}|${LINE_STOP}`, "gu");
