/**
 * Understands the requests of everyday use, without a model: a sentence becomes one request, or it is said
 * that it was not understood. English only. Pure: the clock and all names come in.
 *
 * @module
 */
import { oneLine, shellWord } from "@cambium/core/text";
import { SAME } from "./chosen/beside.js";
import { besideTrained } from "./chosen/trained-choice.js";
import { EXAMPLES } from "./examples.js";
import {
  asksWhatItWould,
  orderAskedAbout,
  orderPreviewed,
  orderShownFirst,
  SHOWN_HOW,
} from "./grammar/asked-about.js";
import { BRANCHING, parseBranch } from "./grammar/branching.js";
import { DISOWNING } from "./grammar/disowning.js";
import { DOUBTING } from "./grammar/doubting.js";
import { readErasing } from "./grammar/erasing.js";
import { readExcepting } from "./grammar/excepting.js";
import { FILING } from "./grammar/filing.js";
import { readFragment } from "./grammar/fragments.js";
import { HIDING } from "./grammar/hiding.js";
import { sidedMerge, withSide } from "./grammar/merge-side.js";
import {
  branchAtEnd,
  branchAtStart,
  branchListed,
  comparedWithMain,
  type OnBranch,
  onBranch,
} from "./grammar/on-branch.js";
import { PREFERRING } from "./grammar/preferring.js";
import { isQuestion, QUESTIONS, WRITTEN } from "./grammar/questions.js";
import { READING } from "./grammar/reading.js";
import { readFramed } from "./grammar/remember-frame.js";
import { REMEMBERING, readRemember } from "./grammar/remembering.js";
import { OPENING, type Rephrased, rephrased } from "./grammar/rephrased.js";
import { REPLACING } from "./grammar/replacing.js";
import { ROLLBACK_PATTERN, SAVING } from "./grammar/rollback.js";
import { readStated } from "./grammar/stating.js";
import { aboutPreface, withoutPreface } from "./grammar/taking-back.js";
import { TAKING } from "./grammar/words.js";
import type { Intent, IntentKind, Surroundings, Understanding, Understood } from "./intent.js";
import { commandsLeadingOn } from "./leading-on.js";
import { verbMended, wordsMended } from "./mended-words.js";
import { inOtherWords, MOST_NEAR, near, TAKES_AWAY } from "./near-requests.js";
import { moreThanOne, sentencesOf } from "./one-thing.js";
import { HAPPENED, readByParts } from "./parts/by-parts.js";
import { nameIn } from "./parts/writing-acts.js";
import { matchPattern, PURPOSE, type Reading, type Refusal, type Rule } from "./patterns.js";
import { MAX_SENTENCE, plainSentence, straight, withoutCourtesies } from "./plain-sentence.js";
import type { Act, KnownNames } from "./trained/acts.js";
import { readTrained, type TrainedReading } from "./trained/read-trained.js";

/** In this order: the first rule that makes sense of a sentence counts. */
const RULES: readonly Rule[] = [
  ...FILING,
  REPLACING,
  ...ROLLBACK_PATTERN,
  ...READING,
  DISOWNING,
  ...DOUBTING,
  ...REMEMBERING,
  PREFERRING,
  ...HIDING,
  ...BRANCHING,
];

export type TrainedReader = (sentence: string, names: KnownNames) => TrainedReading;

/** @returns the same for the same text and surroundings; never throws for a text */
export async function understand(
  text: string,
  around: Surroundings,
  trained: TrainedReader = readTrained,
): Promise<Understanding> {
  const erasing = text.length > MAX_SENTENCE ? undefined : readErasing(text);
  if (erasing !== undefined) return erasing;
  const shown = text.length > MAX_SENTENCE ? undefined : orderShownFirst(plainSentence(text));
  if (shown !== undefined) {
    const order = await understand(shown, around, trained);
    if (order.understood && !READS.has(order.request.operation)) return { ...order, isPreview: true };
  }
  const found = await byGrammar(text, around);
  const whole = straight(text).replace(/\s+/g, " ").trim();
  if (text.length > MAX_SENTENCE || !/\p{L}/u.test(text)) return found;
  const { sentence, reading } = readBare(whole, (words) => trained(words, around));
  return await besideTrained(sentence, found, {
    reading,
    around,
    isWithMore: (words, isDone, act) => isOrderWithMore(words, around, { isDone, act }),
    again: (words) => byGrammar(words, around),
    read: (words) => trained(words, around),
  });
}

/** Manners say nothing, and may hide what is asked; a question mark may be one of them. What the reader is surest of. */
function readBare(
  whole: string,
  read: (words: string) => TrainedReading,
): { readonly sentence: string; readonly reading: TrainedReading } {
  const bare = withoutCourtesies(whole).replace(OPENING, "");
  const asked = whole.includes("?") && !bare.endsWith("?") ? [bare, `${bare}?`] : [bare];
  const all = [whole, ...(bare.includes(" ") ? asked : [])];
  const readings = [...new Set(all)].map((sentence) => ({ sentence, reading: read(sentence) }));
  // "Could you remember when we met?" asks, and says nothing to remember.
  const isAsked = (act: Act): boolean => act === "remember" && whole.includes("?");
  const sureness = ({ reading: { acts } }: (typeof readings)[number]): number =>
    acts[0] === undefined || isAsked(acts[0].act) ? 0 : acts[0].probability;
  return readings.reduce((best, next) => (sureness(next) > sureness(best) ? next : best));
}

/**
 * Whether it begins or ends with a whole request, and words are left that no form takes: "undo that next week",
 * "Tom said to forget tea". What they mean is not to be guessed.
 */
async function isOrderWithMore(
  text: string,
  around: Surroundings,
  { isDone, act }: { readonly isDone: boolean; readonly act?: Act | undefined },
): Promise<boolean> {
  const words = withoutCourtesies(text).split(" ");
  const isWhole = async (part: string, rules: readonly Rule[]): Promise<Intent | undefined> =>
    asRequest(await firstReading(rules, part.replace(/[.,;:!?–—-]+$/, ""), around));
  for (let end = words.length - 1; end >= Math.max(1, words.length - MOST_WORDS_MORE); end -= 1) {
    const begun = await isWhole(words.slice(0, end).join(" "), EXACT);
    // Of an answer that both readers give, more is said, and left out of it.
    const isBoth =
      begun !== undefined &&
      act !== undefined &&
      TAKES_MORE.has(begun.operation) &&
      SAME[begun.operation]?.includes(act) === true;
    if (begun !== undefined && !isBoth && !(isDone && ANSWERS_OR_KEEPS.has(begun.operation))) return true;
  }
  for (let from = 1; from <= Math.min(words.length - 1, MOST_WORDS_MORE); from += 1) {
    const ended = await isWhole(words.slice(from).join(" "), EXACT);
    if (ended !== undefined && !ANSWERS_OR_KEEPS.has(ended.operation)) return true;
  }
  return false;
}
const MOST_WORDS_MORE = 8;
/** What is said beside them changes nothing, or is a part that the trained reader finds. */
const TAKES_MORE: ReadonlySet<IntentKind> = new Set([
  ...(["export", "changes", "forgotten", "history", "evolution", "blame"] as const),
]);
const EXACT: readonly Rule[] = [...SAVING, ...RULES, ...WRITTEN];
/** "In the morning I take 5 mg" ends with many requests that are none. */
const ANSWERS_OR_KEEPS: ReadonlySet<IntentKind> = new Set([
  ...(["recall", "list", "count", "labels", "evolution", "history", "blame", "before-correction"] as const),
  ...(["changes", "recent", "difference", "forgotten", "checkpoints", "branches", "conflicts"] as const),
  ...(["status", "help", "export", "remember", "correct"] as const),
]);

async function byGrammar(text: string, around: Surroundings): Promise<Understanding> {
  const sided = text.length > MAX_SENTENCE ? undefined : sidedMerge(plainSentence(text));
  const merge = sided === undefined ? undefined : await byForms(sided.order, around);
  const whole = merge?.understood ? withSide(merge, sided?.side ?? "", around) : undefined;
  return whole ?? (await byForms(text, around));
}

async function byForms(text: string, around: Surroundings): Promise<Understanding> {
  const other = rephrased(text, around);
  const again = other === undefined ? undefined : await understandClosely(other.text, around);
  if (other !== undefined && again?.understood)
    return withLeftOut(placedOn(again, other, around), other.leftOut ?? []);
  const found = await understandClosely(text, around);
  const isSure = found.understood && !isWithOrder(found, text);
  if (isSure && NAMES.has(found.request.operation)) {
    const { request } = found;
    const name =
      request.operation === "checkpoint" && request.name === undefined
        ? nameIn(plainSentence(text))
        : undefined;
    // "…, call it clean-slate".
    if (name !== undefined) return { ...found, request: { operation: "checkpoint", name } };
    const purpose = PURPOSE.exec(plainSentence(text))?.[0].replace(/^[, ]+/, "");
    const isName = "name" in request && typeof request.name === "string" && purpose?.includes(request.name);
    return withLeftOut(found, purpose === undefined || isName ? [] : [purpose]);
  }
  if (isSure && !mayBeOther(found.request)) return found;
  const isFinal = !found.understood && found.isFinal === true && found.isPartly !== true;
  const read = async (request: string): Promise<Understanding> => {
    const one = await understandOne(request, around);
    return one.understood ? one : ((await readExcepting(request, around, understandOne)) ?? one);
  };
  const reader = { read, reads: READS, takesAway: TAKES_AWAY, isFinal };
  if (isSure) {
    // A search finds something for any words: another answer may be meant.
    const mended = found.request.operation === "recall" ? wordsMended(text, namesOf(around)) : undefined;
    const parts = await readByParts(mended ?? text, around, reader);
    if (parts === undefined || parts.readAs !== undefined) return found;
    const { operation } = parts.request;
    return READS.has(operation) || (operation === "take-back" && parts.request.period !== undefined)
      ? { ...parts, isLoose: true }
      : found;
  }
  return (
    (await readExcepting(text, around, understandOne)) ??
    loose(await readByParts(text, around, reader)) ??
    loose(readStated(text, around)) ??
    (found.understood ? TWO_THINGS : found)
  );
}

const loose = (found: Understood | undefined): Understood | undefined => found && { ...found, isLoose: true };

const withLeftOut = (found: Understood, parts: readonly string[]): Understood => {
  const all = [...(found.leftOut ?? []), ...parts];
  return all.length === 0 ? found : { ...found, leftOut: all };
};

const NAMES: ReadonlySet<string> = new Set(["branch", "checkpoint"]);
/** "The notes from August" may name a topic, or when they were written. */
const mayBeOther = (request: Intent): boolean =>
  MAY_BE_OTHER.has(request.operation) &&
  !(request.operation === "recall" && Object.keys(request).length > 2 && !HAPPENED.test(request.query));
const MAY_BE_OTHER: ReadonlySet<string> = new Set(["recall", "evolution", "forget", "history", "blame"]);

/** "I no longer work there, delete everything about Acme": what is to be done is no part of what is corrected. */
const isWithOrder = ({ request }: Understood, text: string): boolean =>
  request.operation === "correct" && ORDER_WITHIN.test(text);
const ORDER_WITHIN = new RegExp(
  `[,;.] (?:so |and |then |please |can you |could you |you can )*(?:${TAKING.join("|")}|merge|restore) (?:it|that|this|them|the|my|our|all|everything|what)\\b`,
  "i",
);
const TWO_THINGS: Understanding = {
  understood: false,
  why: "This says what is so, and asks for something to be done. Nothing was done. Ask for one at a time.",
  isFinal: true,
};

/** Without what may stand around it, or be excepted. */
async function understandOne(text: string, around: Surroundings): Promise<Understanding> {
  return await understandClosely(rephrased(text, around)?.text ?? text, around);
}

const placedOn = (found: Understood, { branch }: Rephrased, around: Surroundings): Understood =>
  branch === undefined ? found : { ...found, branch: parseBranch(branch, around) };

/** As one request, with nothing around it. */
async function understandClosely(text: string, around: Surroundings): Promise<Understanding> {
  const found = await understandAsWritten(text, around);
  const isSought = found.understood && found.request.operation === "recall";
  if ((found.understood && !isSought) || ("isFinal" in found && found.isFinal)) return found;
  if (isSought) return (await withWordsMended(text, around, isSought)) ?? found;
  return (await withVerbMended(text, around)) ?? (await withWordsMended(text, around)) ?? found;
}

const namesOf = ({ branches, checkpoints, tags = [], categories = [] }: Surroundings): readonly string[] => [
  ...branches,
  ...checkpoints,
  ...tags,
  ...categories,
];

/** "Begining", "yesteday": only what reads is guessed; of a search, only what is no search then. */
async function withWordsMended(
  text: string,
  around: Surroundings,
  isSought = false,
): Promise<Understanding | undefined> {
  if (text.length > MAX_SENTENCE) return undefined;
  const mended = wordsMended(text, namesOf(around));
  const found = mended === undefined ? undefined : await understandAsWritten(mended, around);
  if (mended === undefined || found === undefined || !found.understood) return undefined;
  const { request } = found;
  if (READS.has(request.operation))
    return isSought && request.operation === "recall" && request.at === undefined ? undefined : found;
  return isSought
    ? undefined
    : {
        understood: false,
        why: `Is "${oneLine(mended)}" meant?`,
        commands: [`cambium ask ${shellWord(oneLine(mended))} --preview`],
      };
}

/** "Remeber that …", "shwo my memories": a guessed verb only looks or remembers; all else is shown first. */
async function withVerbMended(text: string, around: Surroundings): Promise<Understanding | undefined> {
  const mended = verbMended(withoutCourtesies(text));
  const found = mended && (await understandAsWritten(mended.text, around));
  if (mended === undefined || found === undefined || !found.understood) return undefined;
  if (READS.has(found.request.operation) || found.request.operation === "remember") return found;
  return {
    understood: false,
    why: `Is "${mended.verb}" meant?`,
    commands: [`cambium ask ${shellWord(oneLine(mended.text))} --preview`],
  };
}

/** Examples of these are never asked about: nothing is written. */
const READS: ReadonlySet<string> = new Set(
  EXAMPLES.filter(({ asks }) => asks === "never").map(({ operation }) => operation),
);

async function understandAsWritten(text: string, around: Surroundings): Promise<Understanding> {
  const isSentence = text.length <= MAX_SENTENCE;
  const whole = plainSentence(text.slice(0, MAX_SENTENCE));
  const { sentence, topic } = withoutPreface(whole);
  const found = isSentence
    ? await readSentence(text, { whole, sentence }, around)
    : ((await readKept(text, around)) ?? TOO_LONG);
  const reading = found === undefined || !("understood" in found) ? found : found.request;
  const placed = topic === undefined ? reading : aboutPreface(reading, topic);
  const more = placed !== undefined && "operation" in placed ? moreThanOne(placed, whole) : undefined;
  const request = more === undefined ? placed : { ...more, ...(await oneByOne(whole, around)) };
  if (request !== undefined && "operation" in request)
    return found !== undefined && "understood" in found
      ? { ...found, request }
      : { understood: true, request };
  const commands = request?.commands ?? commandsLeadingOn(sentence, around);
  return {
    understood: false,
    ...(request === undefined ? {} : { why: request.why }),
    ...(request?.near === undefined ? {} : { near: request.near }),
    ...(request?.isPartly ? { isPartly: true } : {}),
    ...(request?.isFinal
      ? { isFinal: true }
      : near(sentence, request?.why !== undefined || commands.length > 0)),
    ...(commands.length === 0 ? {} : { commands }),
  };
}

/** Of several sentences, each by itself. */
async function oneByOne(whole: string, around: Surroundings): Promise<Pick<Refusal, "near" | "commands">> {
  const parts = sentencesOf(whole);
  if (parts.length < 2 || parts.length > MOST_NEAR || parts.some((part) => part.includes('"'))) return {};
  const near: { operation: IntentKind; example: string }[] = [];
  const commands: string[] = [];
  for (const part of parts) {
    const kept = readRemember(part);
    const request = kept ?? asRequest(await firstReading([...SAVING, ...RULES], part, around));
    if (request !== undefined && TAKES_AWAY.has(request.operation))
      commands.push(commandFor(part, request.operation));
    else if (request !== undefined) near.push({ operation: request.operation, example: part });
    else near.push(...inOtherWords(part));
  }
  return { ...(near.length === 0 ? {} : { near }), ...(commands.length === 0 ? {} : { commands }) };
}

type Found = Understood | Reading;

interface Sentence {
  readonly whole: string;
  /** Without what it begins with, such as "I was wrong about tea". */
  readonly sentence: string;
}

async function readSentence(
  text: string,
  { whole, sentence }: Sentence,
  around: Surroundings,
): Promise<Found> {
  const two = await readTwo(sentence, around);
  if (two !== undefined) return two;
  const atEnd = branchAtEnd(whole, around);
  const saving = asRequest(await firstReading(SAVING, atEnd?.rest ?? sentence, around));
  if (saving !== undefined) return atEnd === undefined ? saving : onBranch(saving, atEnd, false);
  return (
    // Whatever is to be remembered may read like any other request.
    (await readKept(text, around)) ??
    (await readOnBranch(whole, atEnd, around)) ??
    (await firstReading(RULES, sentence, around)) ??
    (await readPreview(sentence, around)) ??
    (await readHow(sentence, around)) ??
    (await firstReading([...WRITTEN, KNOWN_AND_MORE], sentence, around)) ??
    // Whatever nothing else makes sense of, and gives no reason to refuse.
    loosely(await firstReading(QUESTIONS, sentence, around)) ??
    loosely(readFragment(sentence, /\?\s*$/.test(text), around))
  );
}

const loosely = (reading: Reading): Found =>
  reading !== undefined &&
  "operation" in reading &&
  reading.operation === "recall" &&
  reading.at === undefined
    ? { understood: true, request: reading, isLoose: true }
    : reading;

async function readPreview(sentence: string, around: Surroundings): Promise<Found> {
  const order = orderPreviewed(sentence);
  const request = order === undefined ? undefined : asRequest(await firstReading(RULES, order, around));
  if (request === undefined || order === undefined || READS.has(request.operation)) return undefined;
  return moreThanOne(request, order) ?? { understood: true, request, isPreview: true };
}

/** "How do I undo the last change", "what would happen if I forgot tea": it is shown how, and nothing is done. */
async function readHow(sentence: string, around: Surroundings): Promise<Found> {
  const order = orderAskedAbout(sentence);
  if (order === undefined) return undefined;
  const known = asRequest(await firstReading([...SAVING, ...RULES, ...QUESTIONS], order, around));
  if (known === undefined || moreThanOne(known, order) !== undefined) return undefined;
  if (READS.has(known.operation)) return undefined;
  if (asksWhatItWould(sentence)) return { understood: true, request: known, isPreview: true };
  return {
    why: SHOWN_HOW,
    commands: [`cambium ask ${shellWord(oneLine(order))} --preview`],
    isFinal: true,
  };
}

/** What its first words ask for is told by no search for all of them: "what have you forgotten this month in Oslo". */
const KNOWN_AND_MORE: Rule = {
  patterns: ["<sentence>"],
  read: async ({ sentence = "" }, around) => {
    if (!isQuestion(sentence)) return undefined;
    const words = sentence.split(" ");
    for (let end = words.length - 1; end >= Math.max(2, words.length - MOST_LEFT); end -= 1) {
      const begun = words.slice(0, end).join(" ");
      const known = asRequest(await firstReading([...RULES, ...WRITTEN], begun, around));
      if (known !== undefined && OF_THE_MEMORY.has(known.operation))
        return notAll(known.operation, begun, words.slice(end).join(" "));
    }
    return undefined;
  },
};

const MOST_LEFT = 6;
/** They are answered by what was written when, by whom and where; not by what it says. */
const OF_THE_MEMORY: ReadonlySet<IntentKind> = new Set([
  ...(["list", "count", "changes", "difference", "forgotten", "before-correction"] as const),
  ...(["checkpoints", "branches", "conflicts"] as const),
]);

const notAll = (operation: IntentKind, begun: string, left: string): Refusal => ({
  why: `Understood: "${oneLine(begun)}". Not understood: "${oneLine(left)}".`,
  near: [
    { operation, example: begun },
    ...(begun.includes('"') || left.includes('"')
      ? []
      : [{ operation: "recall" as const, example: `search for "${begun} ${left}"` }]),
  ],
  isFinal: true,
  isPartly: true,
});

const AND = new RegExp(
  `(?:,| and| then|;)(?: then| also| please| and)* (?=(?:${TAKING.join("|")}|remember|note|save|make|create|merge|switch|rename|restore|bring|go back|start|list|show|tell|redo|export)\\b)`,
  "gi",
);

/** "Make a branch called x and remember there that …": each is done by itself, after its own question. */
async function readTwo(sentence: string, around: Surroundings): Promise<Refusal | undefined> {
  for (const match of sentence.matchAll(AND)) {
    const one = sentence.slice(0, match.index);
    const first = asRequest(await firstReading([...SAVING, ...RULES], one, around));
    if (first === undefined || !DOES.has(first.operation)) continue;
    const branch = first.operation === "branch" ? first.name : undefined;
    const other = sentence.slice(match.index + match[0].length);
    const placed =
      branch === undefined ? other : other.replace(/\b(?:there|on it|in it)\b/i, `on branch ${branch}`);
    const found =
      (await readKept(placed, around)) ?? (await firstReading([...SAVING, ...RULES], placed, around));
    if (found === undefined || !("understood" in found || "operation" in found)) continue;
    // "Start fresh and keep a backup" makes one before.
    if (first.operation === "fresh" && "operation" in found && found.operation === "checkpoint") continue;
    const { operation } = "understood" in found ? found.request : found;
    const [before, after] = [commandFor(one, first.operation), commandFor(placed, operation)];
    return {
      why: `These are two requests. Nothing was done. First: ${before}. Then: ${after}`,
      isFinal: true,
    };
  }
  return undefined;
}

/** What takes something away is shown first. */
const commandFor = (sentence: string, operation: IntentKind): string =>
  `cambium ask ${shellWord(oneLine(sentence))}${TAKES_AWAY.has(operation) ? " --preview" : ""}`;

/** What is done, and may be done before something else. */
const DOES: ReadonlySet<IntentKind> = new Set([
  ...(["forget", "restore", "undo", "checkpoint", "delete-checkpoint", "rollback"] as const),
  ...(["fresh", "merge", "branch", "use-branch", "delete-branch", "rename-branch"] as const),
]);

async function readKept(text: string, around: Surroundings): Promise<Found> {
  const plain = withoutCourtesies(text);
  return (await readFramed(plain, around)) ?? readRemember(plain);
}

async function readOnBranch(
  whole: string,
  atEnd: OnBranch | undefined,
  around: Surroundings,
): Promise<Found> {
  const listed = branchListed(whole, around);
  if (listed !== undefined) return { understood: true, request: { operation: "list" }, branch: listed };
  const atStart = branchAtStart(whole, around);
  for (const place of [atStart, atEnd]) {
    if (place === undefined) continue;
    const request = asRequest(await firstReading([...RULES, ...WRITTEN, ...QUESTIONS], place.rest, around));
    const found = comparedWithMain(place, around) ?? (request && onBranch(request, place, place === atStart));
    if (found !== undefined) return found;
  }
  return undefined;
}

const TOO_LONG: Refusal = {
  why: `Only what is to be remembered may be longer than ${MAX_SENTENCE} characters.`,
};

const asRequest = (reading: Reading) =>
  reading !== undefined && "operation" in reading ? reading : undefined;

/** A rule that says why not does not keep later ones from making sense of it. */
async function firstReading(
  rules: readonly Rule[],
  sentence: string,
  around: Surroundings,
): Promise<Reading> {
  let whyNot: Reading;
  for (const { patterns, read } of rules) {
    for (const pattern of patterns) {
      const slots = matchPattern(pattern, sentence);
      const reading = slots === undefined ? undefined : await read(slots, around, sentence);
      if (reading !== undefined && ("operation" in reading || reading.isFinal)) return reading;
      whyNot ??= reading;
    }
  }
  return whyNot;
}
