/**
 * The parts of a text by which others can be told to repeat it, however they put the rest: numbers and codes, names,
 * and words that hardly any other memory uses.
 *
 * @module
 */
import { STOP_WORDS } from "../search/stop-words.js";

/** Whether a part gives a text away by itself (`code`), as far as it is rare, or hardly (`heading`: it names a subject). */
export type PartKind = "code" | "name" | "word" | "heading";

/** By how they compare: without case, and codes without what separates their groups. */
export type Parts = ReadonlyMap<string, PartKind>;

/** In how many memories each part stands, and how many there are in all. */
export interface PartCounts {
  readonly held: ReadonlyMap<string, number>;
  readonly memories: number;
}

/** So much, and a text counts as one that may repeat another. */
const ENOUGH = 2;

const LEAST_DIGITS = 4;
const LEAST_WORD = 5;
const LEAST_NAME = 3;
/** Rare among this many memories is rare indeed; among fewer, most words are. */
const LARGE_SPACE = 50;
const RARE_WORD = 7;
const FEW_WORDS = 0.7;
/** Groups of one code, such as those of an account number. */
const MAX_GROUPS = 12;

/** Letters and digits with one sign between them. */
const RUN = /[a-z0-9]+(?:[ \t./:_-][a-z0-9]+)*/gi;
const SEPARATOR = /[ \t./:_-]/;
const ADDRESS = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const WORD = /\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)?/gu;
/** Years, dates, times of day, and round numbers stand in many texts. */
const USUAL = /^(?:(?:19|20)\d\d|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{1,2}[:.]\d\d(?:[:.]\d\d)?|\d{1,2}0{2,})$/;
/** Links and reasons name memories. */
const MEMORY_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
/** What Markdown sets before a heading, a quotation or a point of a list is no word. */
const AFTER_A_SENTENCE = /(?:^|[.!?:;\n"“„(|])\s*(?:[#>*+-]+\s+)*$/;
const BEFORE = 16;
const OPENS_HEADING = /(?:^|\n)[ \t]*#{1,6}[ \t]+$/;

/** Returns the parts of a text that may give it away. */
export function partsOf(text: string): Parts {
  const plain = text.normalize("NFKC").replaceAll(MEMORY_ID, "\n");
  const parts = new Map<string, PartKind>();
  for (const { 0: found, index } of plain.matchAll(WORD)) {
    const word = found.replace(/['’]s$/i, "");
    const compared = word.toLowerCase();
    if (STOP_WORDS.has(compared)) continue;
    const isCapital = /^\p{Lu}/u.test(word);
    const before = plain.slice(Math.max(0, index - BEFORE), index);
    const isName = isCapital && !AFTER_A_SENTENCE.test(before);
    const isHeading = OPENS_HEADING.test(before);
    const known = parts.get(compared);
    if (isName && word.length >= LEAST_NAME) parts.set(compared, "name");
    else if (isHeading) parts.set(compared, known ?? "heading");
    else if ((isCapital || word.length >= LEAST_WORD) && (known ?? "heading") === "heading")
      parts.set(compared, "word");
  }
  for (const [address] of plain.matchAll(ADDRESS)) parts.set(address.toLowerCase(), "code");
  for (const code of codesIn(plain)) parts.set(code, "code");
  return parts;
}

/** Also pieces of a longer code that are half of it: others may write more or less before it. */
function* codesIn(text: string): Iterable<string> {
  for (const [run] of text.matchAll(RUN)) {
    for (const groups of codeGroups(run)) {
      const whole = groups.join("").length;
      for (let from = 0; from < groups.length; from += 1) {
        for (let to = from + 1; to <= Math.min(groups.length, from + MAX_GROUPS); to += 1) {
          const code = groups.slice(from, to).join("").toLowerCase();
          const digits = code.replaceAll(/\D/g, "").length;
          if (digits >= LEAST_DIGITS && code.length * 2 >= whole && !USUAL.test(code)) yield code;
        }
      }
    }
  }
}

/** Groups with a digit, and short ones in capitals beside them, as in `DE89 3704` and `AB 123-456`. */
function codeGroups(run: string): readonly (readonly string[])[] {
  const all: string[][] = [[]];
  for (const stretch of run.split(/[ \t]/)) {
    const isUsual = USUAL.test(stretch);
    for (const group of stretch.split(SEPARATOR)) {
      const isCode = !isUsual && (/\d/.test(group) || /^[A-Z]{1,4}$/.test(group));
      if (isCode) all.at(-1)?.push(group);
      else all.push([]);
    }
  }
  return all.filter((groups) => groups.some((group) => /\d/.test(group)));
}

/** Returns the parts of one text that stand in another, the most telling first; none where they are too few to tell. */
export function sharedParts(shared: Parts, counts: PartCounts): readonly string[] {
  const weighed = [...shared]
    .map(([part, kind]) => ({ part, weight: weightOf(part, kind, counts) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || b.part.length - a.part.length);
  if (weighed.reduce((sum, { weight }) => sum + weight, 0) < ENOUGH) return [];
  const shown: string[] = [];
  for (const { part } of weighed) if (!shown.some((longer) => longer.includes(part))) shown.push(part);
  return shown;
}

function weightOf(part: string, kind: PartKind, { held, memories }: PartCounts): number {
  const count = held.get(part) ?? 0;
  if (kind === "code") return ENOUGH + 1;
  if (kind === "heading") return count > Math.max(2, memories / 100) ? 0 : FEW_WORDS;
  const isLarge = memories >= LARGE_SPACE;
  if (kind === "name") {
    if (count <= Math.max(1, memories / LARGE_SPACE)) return ENOUGH;
    return count <= 3 ? 1 : 0;
  }
  if (count > Math.max(2, memories / 100)) return 0;
  return isLarge && part.length >= RARE_WORD ? ENOUGH : FEW_WORDS;
}
