/**
 * What changed between two texts, word by word, as data.
 *
 * Plan: match lines; between those that match, sentences; there, words. So a common word is matched only where
 * something was really rewritten, and long texts cost little. Words are compared without the space after them.
 *
 * @module
 */
import { splitTokens, type TokenLevel } from "../merge/text-tokens.js";
import { type DiffWord, diffWords } from "./diff-words.js";
import { matchLists } from "./match-lists.js";

/** `same` and `removed` in a row are the text before, `same` and `added` the text after, to the last space. */
export interface WordChange {
  /** What became of the words. */
  readonly op: "same" | "removed" | "added";
  /** One or more words, with the spaces after them. */
  readonly text: string;
}

/** For reading: a lone word that stayed where all about it was exchanged counts as exchanged. */
export function wordChanges(before: string, after: string): readonly WordChange[] {
  return changesOf(readable(editsOf(before, after)));
}

/** Every word that stayed. */
export function exactWordChanges(before: string, after: string): readonly WordChange[] {
  return changesOf(editsOf(before, after));
}

function editsOf(before: string, after: string): readonly Edit[] {
  const script = new EditScript();
  compareAt(0, before, after, script);
  return script.edits;
}

const changesOf = (edits: readonly Edit[]): readonly WordChange[] =>
  edits.flatMap(({ same, removed, added }) => inWords(same, removed, added));

/** One stretch of both texts: the same in both, or taken out on one side and put in on the other. */
interface Edit {
  readonly same: string;
  readonly removed: string;
  readonly added: string;
}

class EditScript {
  readonly edits: Edit[] = [];

  same(text: string): void {
    const last = this.edits.at(-1);
    if (text === "") return;
    if (last !== undefined && last.same !== "") this.edits.splice(-1, 1, { ...last, same: last.same + text });
    else this.edits.push({ same: text, removed: "", added: "" });
  }

  change(removed: string, added: string): void {
    const last = this.edits.at(-1);
    if (removed === "" && added === "") return;
    if (last !== undefined && last.same === "")
      this.edits.splice(-1, 1, { same: "", removed: last.removed + removed, added: last.added + added });
    else this.edits.push({ same: "", removed, added });
  }
}

const COARSE_LEVELS: readonly TokenLevel[] = ["lines", "sentences"];

function compareAt(levelIndex: number, before: string, after: string, script: EditScript): void {
  const level = COARSE_LEVELS[levelIndex];
  if (before === after) script.same(before);
  else if (before === "" || after === "") script.change(before, after);
  else if (level === undefined) compareWords(before, after, script);
  else compareLevel(levelIndex, level, [before, after], script);
}

function compareLevel(
  levelIndex: number,
  level: TokenLevel,
  [before, after]: readonly [string, string],
  script: EditScript,
): void {
  const [a, b] = [splitTokens(before, level), splitTokens(after, level)];
  for (const stretch of matchLists(a, b)) {
    const [was, is] = [a.slice(...stretch.before).join(""), b.slice(...stretch.after).join("")];
    if (stretch.isSame) script.same(was);
    else compareAt(levelIndex + 1, was, is, script);
  }
}

function compareWords(before: string, after: string, script: EditScript): void {
  const [a, b] = [diffWords(before), diffWords(after)];
  const stretches = matchLists(
    a.map(({ word }) => word),
    b.map(({ word }) => word),
  );
  for (const { isSame, before: inBefore, after: inAfter } of stretches) {
    const [was, is] = [a.slice(...inBefore), b.slice(...inAfter)];
    if (isSame) keepWords(was, is, script);
    else exchangeWords(was, is, script);
  }
}

function keepWords(was: readonly DiffWord[], is: readonly DiffWord[], script: EditScript): void {
  for (const [index, { word, space }] of was.entries()) {
    script.same(word);
    const now = is[index]?.space ?? "";
    if (space === now) script.same(space);
    else script.change(space, now);
  }
}

/** The space after the last word stays where both have it. */
function exchangeWords(was: readonly DiffWord[], is: readonly DiffWord[], script: EditScript): void {
  const [space, now] = [was.at(-1)?.space, is.at(-1)?.space];
  const shared = space === now ? (space ?? "") : "";
  const [removed, added] = [textOf(was), textOf(is)];
  script.change(
    removed.slice(0, removed.length - shared.length),
    added.slice(0, added.length - shared.length),
  );
  script.same(shared);
}

const textOf = (words: readonly DiffWord[]): string => words.map(({ word, space }) => word + space).join("");

/** Where nearly everything was exchanged, a lone word in between that stayed says nothing. */
const LONE_WORD = /^\S{0,12}\s*$/u;
const MUCH = 4;

function readable(edits: readonly Edit[]): readonly Edit[] {
  const script = new EditScript();
  for (const [index, edit] of edits.entries()) {
    if (edit.same === "") script.change(edit.removed, edit.added);
    else if (isLost(edit.same, edits[index - 1], edits[index + 1])) script.change(edit.same, edit.same);
    else script.same(edit.same);
  }
  return script.edits;
}

function isLost(same: string, before: Edit | undefined, after: Edit | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const isExchanged = [before, after].every(
    ({ removed, added }) => removed.trim() !== "" && added.trim() !== "",
  );
  if (!isExchanged) return false;
  return same.trim() === "" || (LONE_WORD.test(same) && isMuch(before) && isMuch(after));
}

const isMuch = ({ removed, added }: Edit): boolean => wordCount(removed) + wordCount(added) >= 2 * MUCH;

const wordCount = (text: string): number => text.split(/\s+/u).filter((word) => word !== "").length;

function inWords(same: string, removed: string, added: string): readonly WordChange[] {
  const all = [
    { op: "same", text: same },
    { op: "removed", text: removed },
    { op: "added", text: added },
  ] as const;
  return all.filter(({ text }) => text !== "");
}
