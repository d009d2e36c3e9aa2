/**
 * Understands the requests of everyday use, without a model: a sentence becomes one request, or it is said
 * that it was not understood. English only. Pure: the clock and all names come in.
 *
 * @module
 */
import { oneLine, shellWord } from "@cambium/core/text";
import { asRequest, firstReading, RULES, understandAsWritten } from "./as-written.js";
import { SAME } from "./chosen/beside.js";
import { besideTrained } from "./chosen/trained-choice.js";
import { READS } from "./examples.js";
import { orderShownFirst } from "./grammar/asked-about.js";
import { parseBranch } from "./grammar/branching.js";
import { readErasing } from "./grammar/erasing.js";
import { readExcepting } from "./grammar/excepting.js";
import { sidedMerge, withSide } from "./grammar/merge-side.js";
import { WRITTEN } from "./grammar/questions.js";
import { OPENING, type Rephrased, rephrased } from "./grammar/rephrased.js";
import { SAVING } from "./grammar/rollback.js";
import { readStated } from "./grammar/stating.js";
import { TAKING } from "./grammar/words.js";
import type { Intent, IntentKind, Surroundings, Understanding, Understood } from "./intent.js";
import { verbMended, wordsMended } from "./mended-words.js";
import { TAKES_AWAY } from "./near-requests.js";
import { HAPPENED, readByParts } from "./parts/by-parts.js";
import { nameIn } from "./parts/writing-acts.js";
import { PURPOSE, type Rule } from "./patterns.js";
import { MAX_SENTENCE, plainSentence, straight, withoutCourtesies } from "./plain-sentence.js";
import type { Act, KnownNames } from "./trained/acts.js";
import { readTrained, type TrainedReading } from "./trained/read-trained.js";

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
