/**
 * One value of a memory changed, in whatever words it was said: of "brennans now wants 3 weeks for oak, not two", "two"
 * gives way to "3" where a memory speaks of the rest. What is replaced is named in the sentence, or it is the one of its
 * kind beside a word that both say. All else that the memory says stays. Pure.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { escaped } from "./escaped.js";
import { STATES } from "./grammar/remembering.js";
import { inPlaceOf, type PartKind, replacedBy, type TypedPart, typedParts } from "./typed-parts.js";
import { plain, wordsIn } from "./word-groups.js";

export interface ChangedValue {
  readonly text: string;
  /** How many words of the sentence the memory says, too. */
  readonly shared: number;
  /** Those that it does not say, and that are not taken over. */
  readonly left: readonly string[];
}

interface Contrast {
  readonly old: string;
  readonly rest: string;
}

/** What is so no longer, and the sentence without it. */
const CONTRASTS: readonly RegExp[] = [
  /^(?<lead>.*?)\b(?:replace|exchange|swap(?: out)?|substitute) (?<old>[^,;]+?) (?:with|by|for) (?<rest>.+)$/i,
  /^(?<lead>.*?)\b(?:it's|it is|they're|they are|that's|is|are) not (?<old>[^,;]+?) (?:that|which|who) (?<rest>.+)$/i,
  /^(?<lead>.+?)(?:'s|n't| is| are| am| was| were)(?: not)? (?<old>[^,;.]+?) (?:any ?more|any longer)[,;.] (?<rest>.+)$/i,
  /^(?<lead>.+?) no longer (?<old>[^,;.]+)[,;.] (?<rest>.+)$/i,
  /^(?<lead>.*?)\bnot (?<old>[^,;]+?),? but (?<rest>.+)$/i,
  /^(?<lead>.+?) (?:instead of|rather than|in place of) (?<old>[^,;]+)(?<rest>,.*)?$/i,
  /^(?<lead>.+?)(?:, (?:and )?| and )not (?<old>[^,;]+)(?<rest>[,;] .*)?$/i,
  /^(?<lead>.*\d\S*) not (?<old>\S*\d\S*)(?<rest>[,;] .*)?$/i,
  /^(?<lead>.+? [\p{Lu}\d]\S*),? not (?<old>\p{Lu}[\p{L}\d#♭♯'’-]*)(?<rest>[,;] .*)?$/u,
  /^(?<lead>.+?) from (?<old>[^,;]+?) (?:to|over to) (?<rest>.+)$/i,
];

export const contrastIn = (sentence: string): Contrast | undefined => {
  const found = CONTRASTS.map((form) => form.exec(sentence)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return undefined;
  const { lead = "", old = "", rest = "" } = found;
  // "…, Bex can't get up there" says why.
  const after = /^[,;] /.test(rest) && STATES.test(rest) ? "" : rest;
  return { old: old.trim(), rest: `${lead} ${after}`.trim() };
};
const PLACES =
  "at|on|in|under|behind|beside|inside|outside|above|below|beneath|underneath|over|near|next to|between|with|by|from|to|for|of";
const LEADING = new RegExp(`^(?:(?:the|a|an|my|our|${PLACES}|just|only) )+`, "i");
const ARTICLE = "(?:(?:the|an?|my|our|his|her|their) )?";

/** @returns undefined where the value, or what it takes the place of, is not plain */
export function withValueChanged(memory: string, statement: string): ChangedValue | undefined {
  const sentence = statement.replace(SINCE_NOW, " ");
  const contrast = contrastIn(sentence);
  const stated = contrast?.rest ?? sentence;
  const swaps = contrast === undefined ? ofTheirKind(memory, stated) : inContrast(memory, contrast);
  if (swaps === undefined || swaps.length === 0 || swaps.some((swap) => swap === undefined)) return undefined;
  const all = swaps.filter((swap) => swap !== undefined);
  const known = stemsOf(memory);
  const spoken = describing(
    all.reduce((text, { now }) => text.replace(now, " "), contrast?.rest ?? sentence),
  ).filter((word) => !NUMBER.test(word));
  const shared = spoken.filter((word) => has(known, word));
  const left = spoken.filter((word) => !has(known, word) && !OF_A_VALUE.test(word));
  // A name that is replaced says by itself what it is about; a number may be one of anything.
  const weight = shared.length + (contrast !== undefined && all.every(({ isName }) => isName) ? 1 : 0);
  if (weight === 0 || left.length > (contrast === undefined ? weight - 1 : weight + 1)) return undefined;
  const text = all
    .toSorted((one, other) => other.start - one.start)
    .reduce(
      (whole, { start, end, text: now }) => `${whole.slice(0, start)}${now}${whole.slice(end)}`,
      memory,
    );
  return text === memory ? undefined : { text, shared: weight, left };
}

/** "On Go 1.24 since today" is so now. */
const SINCE_NOW =
  /,? (?:since|as of|from) (?:today|yesterday|this (?:morning|week)|now)(?: on)?(?=[\s,.;]|$)/i;
/** They say what kind of value it is, or that the others stay. */
const OF_A_VALUE = /^(?:time|date|day|hour|price|amount|figure|total|same|move|change|shift|push|bump)$/;

interface Swap {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** As it stands in the sentence. */
  readonly now: string;
  readonly isName?: true;
}

function inContrast(memory: string, contrast: Contrast): readonly (Swap | undefined)[] {
  const { old, rest } = contrast;
  const values = valuesIn(old);
  if (values.length === 0) return [nameInContrast(memory, contrast)];
  const parts = valuesIn(memory);
  const isOne = values.every(({ kind }) => kind === "number");
  const now = valuesIn(rest, isOne).filter(
    (part) => part.kind === values[0]?.kind && !parts.some((known) => isSameValue(known, part)),
  );
  // "Tuesday to Friday" for "Monday to Thursday": as many as there were.
  if (now.length !== values.length || values.length > MOST_VALUES) return [];
  return values.map((value, at): Swap | undefined => {
    const [was, ...others] = parts.filter((part) => isSameValue(part, value));
    const is = now[at];
    if (was === undefined || is === undefined || others.length > 0) return undefined;
    const many =
      is.text.toLowerCase() === "one" ? /^ \p{L}{3,}s\b/u.exec(memory.slice(was.end))?.[0] : undefined;
    return many === undefined
      ? { start: was.start, end: was.end, text: inPlaceOf(was, is), now: is.text }
      : { start: was.start, end: was.end + many.length, text: `one${many.slice(0, -1)}`, now: is.text };
  });
}

/** A name, or whatever words stand there, for another. */
function nameInContrast(memory: string, { old, rest }: Contrast): Swap | undefined {
  const predicate = predicateOf(old);
  const name = predicate === undefined ? old.replace(LEADING, "") : predicate.object;
  const place = new RegExp(`(?<![\\p{L}\\d])${escaped(name)}(?![\\p{L}\\d])`, "iu").exec(memory);
  if (place === null || name === "") return undefined;
  const now = newIn(rest, memory, name);
  if (now === undefined) return undefined;
  const moved = withItsPlace(memory, { name, now, old, rest });
  if (moved !== undefined) return moved;
  return { start: place.index, end: place.index + place[0].length, text: now, now, isName: true };
}

/** "Behind the garage" is "in the attic" now, and not behind it. */
function withItsPlace(
  memory: string,
  { name, now, old, rest }: Contrast & { readonly name: string; readonly now: string },
): Swap | undefined {
  const was = new RegExp(`^(?<link>${PLACES}) ${ARTICLE}${escaped(name)}$`, "i").exec(old)?.groups?.link;
  const bareNow = now.replace(new RegExp(`^${ARTICLE}`, "i"), "");
  const is = new RegExp(`\\b(?<link>${PLACES}) ${ARTICLE}${escaped(bareNow)}(?![\\p{L}\\d])`, "iu").exec(
    rest,
  );
  if (was === undefined || is === null || is.groups?.link?.toLowerCase() === was.toLowerCase())
    return undefined;
  const place = new RegExp(`(?<![\\p{L}\\d])${was} ${ARTICLE}${escaped(name)}(?![\\p{L}\\d])`, "iu").exec(
    memory,
  );
  return place === null
    ? undefined
    : { start: place.index, end: place.index + place[0].length, text: is[0], now: is[0], isName: true };
}

/** "Allergic to peanuts" and "scared of dogs": where it is another thing now, only the thing is replaced. */
export function predicateOf(old: string): { readonly object: string } | undefined {
  const object = PREDICATE.exec(old)?.groups?.object;
  return object === undefined ? undefined : { object };
}

const PREDICATE =
  /^(?:good|bad|fond|proud|afraid|keen|in charge|full|\p{L}+(?:ed|ing|ic|ful|ous|able|ible)) (?:to|of|at|for|with|from|by|about|in|on) (?<object>\S.*)$/iu;

/** The one run of words that the memory does not say. */
function newIn(rest: string, memory: string, old: string): string | undefined {
  // "Marlow & Sons, not just Marlow" is all new.
  const replaced = stemsOf(old);
  const known = new Set([...stemsOf(memory)].filter((word) => !replaced.has(word)));
  const words = wordsIn(rest).map((word) => word.replace(/^[,;:(]+|[,;:.!)]+$/g, ""));
  const isNew = (word: string): boolean => describing(word).length > 0 && !has(known, plain(word));
  const places = words.flatMap((word, at) => (isNew(word) ? [at] : []));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (words.slice(first, last).some((word) => !isNew(word) && !/^(?:&|and|of|the|an?)$/i.test(word)))
    return undefined;
  // "In the library" for "in Café Nordlys".
  const article = /^(?:the|my|our|his|her|their)$/i.test(words[first - 1] ?? "")
    ? `${words[first - 1]} `
    : "";
  const isNamed = new RegExp(`\\b(?:the|an?|my|our|his|her|their) ${escaped(old)}`, "i").test(memory);
  const now = words.slice(first, last + 1).join(" ");
  return isNamed ? now : `${article}${now}`;
}

function ofTheirKind(memory: string, sentence: string): readonly (Swap | undefined)[] | undefined {
  const [known, spoken] = [valuesIn(memory), valuesIn(sentence)];
  const stated = spoken.filter((part) => !known.some((one) => isSameValue(one, part)));
  // What the sentence says, too, names what it is about: "probe 4 is 0.1 too high".
  const parts = known.filter((one) => !spoken.some((part) => isSameValue(one, part)));
  if (stated.length === 0 || stated.length > MOST_VALUES) return undefined;
  if (stated.some((part) => isWhich(part, stated, sentence) || isSince(part, sentence, memory)))
    return undefined;
  const pairs = pairedWith(stated, parts, memory);
  if (pairs !== undefined) return pairs;
  const swaps = stated.map((is): Swap | undefined => {
    const same = replacedBy(is, parts);
    // "At 9" is an hour where it ends, and a number where the sentence goes on.
    const isBare = same.length === 0 && /^\d{1,2}$/.test(is.text);
    const alike = isBare ? replacedBy({ ...is, kind: is.kind === "time" ? "number" : "time" }, parts) : same;
    const beside = alike.filter((part) => isBeside(memory, part, sentence));
    const [was, ...others] = beside.length > 0 && alike.length > 1 ? beside : alike;
    if (was !== undefined && isWide(is) !== isWide(was)) return undefined;
    if (was === undefined || others.length > 0 || (is.unit === "code") !== (was.unit === "code"))
      return undefined;
    return {
      start: was.start,
      end: was.end,
      text: inPlaceOf(was, is),
      now: sentence.slice(is.start, is.end),
    };
  });
  const isApart = new Set(swaps.map((swap) => swap?.start)).size === swaps.length;
  return isApart ? swaps : undefined;
}

const MOST_VALUES = 2;

/** "10am and 4pm" for "9am and 5pm": two of one kind beside each other take the places of two. */
function pairedWith(
  stated: readonly TypedPart[],
  parts: readonly TypedPart[],
  memory: string,
): readonly Swap[] | undefined {
  const [first, second] = stated;
  if (first === undefined || second === undefined || first.kind !== second.kind) return undefined;
  const [one, other, ...more] = parts.filter(({ kind }) => kind === first.kind);
  if (one === undefined || other === undefined || more.length > 0) return undefined;
  if (!BETWEEN_TWO.test(memory.slice(one.end, other.start)) || first.unit !== second.unit) return undefined;
  return [
    { start: one.start, end: one.end, text: inPlaceOf(one, first), now: first.text },
    { start: other.start, end: other.end, text: inPlaceOf(other, second), now: second.text },
  ];
}
const BETWEEN_TWO = /^ ?(?:and|to|or|until|till|-|–|\/|,) ?$/i;

/** "The group on Tuesday went up to 41": before the verb, a value says which, and takes no other's place. */
function isWhich(part: TypedPart, stated: readonly TypedPart[], sentence: string): boolean {
  const verb = CHANGES.exec(sentence)?.index ?? 0;
  return part.end <= verb && stated.some((other) => other.start > verb);
}
const CHANGES =
  /\b(?:is|are|was|were|goes|go|went|has|have|moved?|costs?|takes?|gets?|got|changed|rose|dropped|fell|becomes?|became|now)\b/i;

/** "1,175 from January on": since when it is so takes the place of no other date. */
function isSince({ kind, start }: TypedPart, sentence: string, memory: string): boolean {
  const [word] = kind === "date" ? (SINCE.exec(sentence.slice(0, start)) ?? []) : [];
  return word !== undefined && !new RegExp(`\\b${word.trim()} `, "i").test(memory);
}
const SINCE = /\b(?:from|since|as of|starting|effective) $/i;

/** "January" is no day, and "the 3rd" no month. */
const isWide = ({ kind, text }: TypedPart): boolean =>
  kind === "date" &&
  /^(?:\p{L}+|(?:19|20)\d\d|\p{L}+ (?:19|20)\d\d)$/u.test(text) &&
  !/(?:days?|today|tomorrow|tonight|yesterday)$/i.test(text);

/** "CUDA 12.2", where the sentence says CUDA. */
function isBeside(memory: string, part: TypedPart, sentence: string): boolean {
  const spoken = stemsOf(sentence);
  const [before, after] = [wordsIn(memory.slice(0, part.start)).at(-1), wordsIn(memory.slice(part.end))[0]];
  return [before, after].some((word) => describing(word ?? "").some((one) => has(spoken, one)));
}

/** "B204", "C110". */
const CODE = /(?<![\p{L}\d])(?=[\w-]*\d)(?=[\w-]*\p{L})\p{L}[\w-]+(?![\p{L}\d])/gu;
const WORDS = [
  ...["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
  ...["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"],
];
const TENS = ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"];
const NUMBER_WORD = new RegExp(`(?<![\\p{L}-])(?:${[...WORDS, ...TENS].join("|")})(?![\\p{L}-])`, "giu");
const numberOf = (word: string): string => {
  const tens = TENS.indexOf(word.toLowerCase());
  return String(tens < 0 ? WORDS.indexOf(word.toLowerCase()) + 2 : (tens + 3) * 10);
};
const ONE_OF_IT = /(?<![\p{L}-])one(?= (?!(?:of|in|or|and|to|for|on|at|is|was|that|which|who)\b)\p{L})/giu;
/** "Eighty quid" are pounds. */
const UNIT_AFTER = /^ (?:euros?|dollars?|bucks|pounds?|quid|percent)\b/i;
const NUMBER = new RegExp(`^(?:${NUMBER_WORD.source}|[\\d.,:]+\\p{L}*)$`, "iu");

/** @param withOne - "one tin" counts, too; elsewhere the word may stand for anything */
export function valuesIn(text: string, withOne = false): readonly TypedPart[] {
  // "CUDA 12.2." ends a sentence, and is no day.
  const parts = typedParts(text.replace(/\.\s*$/, ""));
  const numbers = [...text.matchAll(NUMBER_WORD), ...(withOne ? text.matchAll(ONE_OF_IT) : [])];
  const words = numbers.map((match) => {
    const after = UNIT_AFTER.exec(text.slice(match.index + match[0].length))?.[0] ?? "";
    const [unit] = after === "" ? [] : typedParts(`1${after}`);
    return {
      ...{ kind: "number" as PartKind, start: match.index },
      // "Eighty quid" is an amount; "three parts" is written so again.
      text: after === "" ? match[0] : `${numberOf(match[0])}${after}`,
      ...(unit?.unit === undefined ? {} : { unit: unit.unit }),
      end: match.index + match[0].length + after.length,
    };
  });
  const codes = [...text.matchAll(CODE)].map((match) => ({
    ...{ kind: "number" as PartKind, unit: "code", text: match[0], start: match.index },
    end: match.index + match[0].length,
  }));
  const apart = [...words, ...codes].filter(({ start, end }) =>
    parts.every((part) => end <= part.start || part.end <= start),
  );
  return [...parts, ...apart].toSorted((one, other) => one.start - other.start);
}

/** "The 29th" is "29 November", and "two" is 2. */
export function isSameValue(part: TypedPart, other: TypedPart): boolean {
  if (part.kind !== other.kind) return false;
  const [one, two] = [bare(part.text), bare(other.text)];
  return one === two || (part.kind === "date" && /^\d{1,2}$/.test(two) && one.split(" ").includes(two));
}

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^the | of(?= )/g, "")
    .replace(/\b(\d{1,2})(?:st|nd|rd|th)\b/g, "$1")
    .replace(/days$/, "day")
    .replace(/ ?(?:euros?|eur|usd|dollars?|bucks|pounds?|quid|percent|€|\$|£|%)/g, "")
    .replace(NUMBER_WORD, numberOf)
    .replace(/^one$/, "1");

/** Words that say something of it. */
export const describing = (text: string): readonly string[] =>
  wordsIn(text)
    .map((word) => plain(word).replace(/'s$/, ""))
    .filter((word) => word !== "" && !STOP_WORDS.has(word) && !STATING.test(word));

/** That something is so, is so now, or is to be put right. */
const STATING =
  /^(?:is|are|be|been|cost|costs|now|actually|instead|moved|moves|pushed|pushes|bumped|shifted|postponed|delayed|deferred|rescheduled|brought|changed|changes?|changing|takes?|comes?|goes|went|gone|going|gets?|got|made|makes?|bec[ao]me|turned|use[sd]?|switch(?:ed)?|wants?|says?|said|please|update|updated|correct|corrected|correction|fix|fixed|adjust|wrong|right|should|again|anymore|longer|no|not|yes|put|set|raised|lowered|came|come|coming|down|up|dropped|fell|fallen|rose|risen|increased|reduced|cut|from|until|till|either|still|old|new|current|memory|note|notes|entry|line|thing|value|number|version|count|amount|have|has|had|we've|i've|it's|they're|he's|she's|that's|i'm|we're)$/;

export const stemsOf = (text: string): ReadonlySet<string> => new Set(wordsIn(text).map(stem));
const stem = (word: string): string =>
  plain(word)
    .replace(/'s?$|'$/, "")
    .replace(/(?<=..)(?:ing|e?s|e?d|e)$/, "")
    .replace(/([bdgmnprt])\1$/, "$1");
const LEAST_ALIKE = 5;
export const has = (stems: ReadonlySet<string>, word: string): boolean => {
  const one = stem(word);
  if (stems.has(one)) return true;
  return (
    one.length >= LEAST_ALIKE &&
    [...stems].some(
      (other) => other.length >= LEAST_ALIKE && (other.startsWith(one) || one.startsWith(other)),
    )
  );
};
