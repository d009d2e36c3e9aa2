/**
 * Slips of the keyboard in the first word of a request: "remeber", "udno", "shwo".
 *
 * @module
 */
import { distanceBetween } from "@cambium/client/host";
import { TAKING } from "./grammar/words.js";

const VERBS: readonly string[] = [
  ...TAKING.filter((verb) => !verb.includes(" ")),
  ...["remember", "memorize", "note", "save", "store", "record", "correct", "update", "change", "restore"],
  ...[
    "recover",
    "bring",
    "merge",
    "switch",
    "rename",
    "make",
    "create",
    "start",
    "redo",
    "export",
    "compare",
  ],
  ...["list", "show", "search", "find", "recall", "tell", "remind", "what", "when", "where", "which"],
];
/** Of these a request consists; what it is about may be any word. */
const FRAME_WORDS: readonly string[] = [
  ...["yesterday", "tomorrow", "morning", "evening", "afternoon", "beginning", "between", "before", "since"],
  ...["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekend", "month"],
  ...["january", "february", "march", "april", "august", "september", "october", "november", "december"],
  ...[
    "branch",
    "branches",
    "checkpoint",
    "checkpoints",
    "category",
    "tagged",
    "conflicts",
    "memory",
    "memories",
  ],
  ...[
    "change",
    "changed",
    "changes",
    "learned",
    "forgotten",
    "everything",
    "difference",
    "history",
    "status",
    "remember",
  ],
];

/** Words of their own, a letter away from one of them. */
const NO_SLIPS: ReadonlySet<string> = new Set([
  ...[
    "charge",
    "charged",
    "charges",
    "chance",
    "chances",
    "changer",
    "mange",
    "mouth",
    "moths",
    "match",
    "larch",
  ],
  ...["marsh", "leaned", "earned", "yearned", "brunch", "ranch", "ranches", "brunches", "bagged", "lagged"],
  ...[
    "ragged",
    "sagged",
    "wagged",
    "statue",
    "mourning",
    "moaning",
    "singe",
    "wince",
    "mince",
    "prince",
    "sine",
  ],
  ...["sundae", "bebop", "starch", "torched", "tamed", "evenings", "clanged", "banged", "hanged", "members"],
]);

/** @returns undefined where no word is a slip of one of these: "begining", "yesteday" */
export function wordsMended(text: string, names: readonly string[]): string | undefined {
  const known = new Set([...FRAME_WORDS, ...names.map((name) => name.toLowerCase())]);
  const mended = text.replace(/[a-z]{5,}/gi, (written) => {
    const word = written.toLowerCase();
    if (known.has(word) || NO_SLIPS.has(word) || FRAME_WORDS.some((frame) => isInflected(word, frame)))
      return written;
    const near = FRAME_WORDS.filter((frame) => frame.length >= 5 && slipsBetween(word, frame) <= 1);
    return near.length === 1 ? (near[0] as string) : written;
  });
  return mended === text ? undefined : mended;
}

const ENDINGS = /(?:s|r|d|ed|er|ers|ing)$/i;
const SHORTEST = 4;
/** In a shorter word, another letter makes another word: "lost" is no "list". */
const LONG = 6;
const LONGER = 8;

export interface MendedVerb {
  readonly verb: string;
  readonly text: string;
}

/** @returns undefined where the first word is a verb, or near to none or to several */
export function verbMended(text: string): MendedVerb | undefined {
  const written = /^[a-z]+(?=[\s:,]|$)/i.exec(text)?.[0] ?? "";
  const word = written.toLowerCase();
  if (word.length < SHORTEST || word.length > 12 || VERBS.includes(word)) return undefined;
  if (VERBS.some((verb) => isInflected(word, verb))) return undefined;
  const near = VERBS.filter((verb) => verb.length >= SHORTEST)
    .map((verb) => ({ verb, slips: slipsBetween(word, verb) }))
    .filter(({ verb, slips }) => slips <= (word.length >= LONG && verb.length >= LONGER ? 2 : 1))
    .toSorted((one, other) => one.slips - other.slips);
  const first = near.filter(({ slips }) => slips === near[0]?.slips);
  // "Wher" is nearer to "where", which goes on so, than to "when".
  const [best, ...others] = first.length > 1 ? first.filter(({ verb }) => verb.startsWith(word)) : first;
  if (best === undefined || others.length > 0) return undefined;
  return { verb: best.verb, text: best.verb + text.slice(written.length) };
}

/** "Removed" and "notes" are words of their own. */
const isInflected = (word: string, verb: string): boolean =>
  ENDINGS.test(word) && word.startsWith(verb.replace(/e$/, ""));

/** In a long word a letter may also be another one. */
const slipsBetween = (word: string, verb: string): number =>
  distanceBetween(word, verb, verb.length >= LONG ? 1 : 2);
