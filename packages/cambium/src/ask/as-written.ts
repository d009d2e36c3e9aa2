/**
 * A sentence as it was written, with nothing taken from around it: the first form that makes sense of it counts, and what
 * no form takes is refused, with what leads on.
 *
 * @module
 */
import { oneLine, shellWord } from "@cambium/core/text";
import { READS } from "./examples.js";
import { asksWhatItWould, orderAskedAbout, orderPreviewed, SHOWN_HOW } from "./grammar/asked-about.js";
import { BRANCHING } from "./grammar/branching.js";
import { DISOWNING } from "./grammar/disowning.js";
import { DOUBTING } from "./grammar/doubting.js";
import { FILING } from "./grammar/filing.js";
import { readFragment } from "./grammar/fragments.js";
import { HIDING } from "./grammar/hiding.js";
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
import { REPLACING } from "./grammar/replacing.js";
import { ROLLBACK_PATTERN, SAVING } from "./grammar/rollback.js";
import { aboutPreface, withoutPreface } from "./grammar/taking-back.js";
import { TAKING } from "./grammar/words.js";
import type { IntentKind, Surroundings, Understanding, Understood } from "./intent.js";
import { commandsLeadingOn } from "./leading-on.js";
import { inOtherWords, MOST_NEAR, near, TAKES_AWAY } from "./near-requests.js";
import { moreThanOne, sentencesOf } from "./one-thing.js";
import { matchPattern, type Reading, type Refusal, type Rule } from "./patterns.js";
import { MAX_SENTENCE, plainSentence, withoutCourtesies } from "./plain-sentence.js";

/** In this order: the first rule that makes sense of a sentence counts. */
export const RULES: readonly Rule[] = [
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

export async function understandAsWritten(text: string, around: Surroundings): Promise<Understanding> {
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

export const asRequest = (reading: Reading) =>
  reading !== undefined && "operation" in reading ? reading : undefined;

/** A rule that says why not does not keep later ones from making sense of it. */
export async function firstReading(
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
