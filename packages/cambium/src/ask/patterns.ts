/**
 * Patterns that read like the sentences they match:
 *
 *     "(what|all) [that ]you know about <topic>"
 *
 * Brackets may be left out, bars separate alternatives, and a name in angle brackets is a slot.
 *
 * @module
 */
import { DID } from "./grammar/words.js";
import type { Intent, NotUnderstood, Surroundings } from "./intent.js";

/** What stood in the slots of a pattern, by name. */
export type Slots = Readonly<Record<string, string | undefined>>;

/** Why something is not done; `isFinal` where no later rule may make something else of it. */
export interface Refusal {
  readonly why: string;
  readonly isFinal?: true;
  /** Some of it would be answered. */
  readonly isPartly?: true;
  /** What may have been meant. */
  readonly near?: NotUnderstood["near"];
  /** What leads on; each only looks, or previews. */
  readonly commands?: readonly string[];
}

/** Undefined: not this, after all; the next rule is tried. */
export type Reading = Intent | Refusal | undefined;

export interface Rule {
  readonly patterns: readonly string[];
  /** @param sentence - all that the pattern matched */
  readonly read: (slots: Slots, surroundings: Surroundings, sentence: string) => Reading | Promise<Reading>;
}

/** How many, in digits or words. */
export const NUMBER_WORDS =
  "\\d{1,6}|one|two|three|four|five|six|seven|eight|nine|ten|a few|few|a couple(?: of)?|couple(?: of)?|several";
/** Of a date, an hour or a place: it is another one now. */
export const MOVED =
  "(?:(?:has|have|was|were|got|gets|is|are|has got|has been|have been|is being) )?(?:moved|changed|shifted|switched|bumped|postponed|delayed|deferred|rescheduled|rearranged|brought forward|pushed(?: back| out| forward)?|put (?:off|back))";
/** What may stand in a slot. Default: anything that is not empty here. */
const SLOT: Readonly<Record<string, string>> = {
  count: NUMBER_WORDS,
  name: "\"[^\"]+\"|'[^']+'|[^\\s\"']+",
  label: "\"[^\"]+\"|'[^']+'|[^\\s\"']+",
  agent: "[\\w.-]+",
  copula: "is|are|was|were",
  speaker: "I|we",
  owner: "my|our|[^ ]+'s",
  moved: MOVED,
  did: DID,
};

/** Between words; nothing where what may be left out is left out. */
const GAP = "(?: |\\b(?![-'._]))";

const compiled = new Map<string, RegExp>();

/** @returns the slots, or undefined where the sentence does not have this form */
export function matchPattern(pattern: string, sentence: string): Slots | undefined {
  const match = regexOf(pattern).exec(sentence);
  return match === null ? undefined : (match.groups ?? {});
}

function regexOf(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const source = pattern.replace(/<(\w+)>|[ ()[\].?*+^${}\\]/g, (sign, slot: string | undefined) => {
    if (sign === " ") return GAP;
    if (slot !== undefined) return `(?<${slot}>${SLOT[slot] ?? ".+?"})`;
    if (sign === "(" || sign === "[") return "(?:";
    if (sign === "]") return ")?";
    return sign === ")" ? ")" : `\\${sign}`;
  });
  const made = new RegExp(`^(?:${source})$`, "i");
  compiled.set(pattern, made);
  return made;
}

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/** What "a few" comes to. */
const FEW = 3;

export function countOf(words: string | undefined): number {
  const text = (words ?? "one").toLowerCase();
  if (/^\d+$/.test(text)) return Number(text);
  if (text.includes("couple")) return 2;
  return NUMBERS.includes(text) ? NUMBERS.indexOf(text) : FEW;
}

/** "The thing about the tetanus shot" is about that. */
export const aboutOf = (topic: string): string =>
  unquoted(topic.replace(A_NOTE_ABOUT, "").replace(/(?<=\S) (?:memory|note|fact)$/i, ""));
const A_NOTE_ABOUT =
  /^(?:the |my |our |that |this |down )*(?:memory|notes?|thing|fact|bit|part|ones?|entry|info|information|reminder|record) (?:about|on|of|saying|with|for|regarding|concerning|mentioning|containing|where|(?:that|which) (?:says?|mentions?|contains?|is about)|that) (?=\S)/i;

/** A name of several words, as names are written here: "before trip" is `before-trip`. What it is for is no part of it. */
export const nameOf = (words: string): string =>
  unquoted(/^["']/.test(words) ? words : words.replace(PURPOSE, "")).replace(/\s+/g, "-");
/** After a name: "… so I can try some ideas". */
export const PURPOSE =
  /(?<=\S),? (?:so(?: that)? (?:I|we|you)|because (?:I|we|it)|where (?:I|we)|in order to|for (?:trying|testing|playing)|to (?:try|test|see|play|sketch|explore|experiment|work)) .+$|(?<=\S), (?:I |we )?(?:want to|wanna|need to|would like to|'d like to|fancy|am going to|gonna|have to) .+$/i;

export const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/s, "$2").trim();
