/**
 * The trained reader beside the grammar. Exact forms stay the grammar's. What it refuses, or reads because a search
 * finds something for any words, is the trained reader's where it is sure enough; where the two say different things,
 * nothing is done.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { isConditional, isQuestion } from "../grammar/questions.js";
import { ORDER_SHAPE } from "../grammar/stating.js";
import { TAKING } from "../grammar/words.js";
import type { NotUnderstood, Surroundings, Understanding, Understood } from "../intent.js";
import type { Act } from "../trained/acts.js";
import type { TrainedReading } from "../trained/read-trained.js";
import { type Beside, isOf, partly } from "./beside.js";
import { type Choice, withLeftOut } from "./choice.js";
import { unaccounted } from "./doing.js";
import { doneBeside, withoutReasons } from "./done-beside.js";
import {
  ANSWERED,
  agreement,
  agreementOf,
  CAME_TO_BE,
  givesWay,
  isLoose,
  isOfNobody,
  isVetoed,
  LEAST_OF_PAST,
  LEAST_TO_WRITE,
  PAST,
  SURE,
} from "./how-sure.js";
import { withNamesUsed } from "./names-used.js";
import { nearActs } from "./near-acts.js";
import { placedText } from "./placed-text.js";
import { readChoice } from "./read-choice.js";
import { choiceOf } from "./slot-texts.js";
import { withOtherwise } from "./stated-otherwise.js";
import { asOneSearch, withSecond } from "./two-questions.js";

/** How sure the reader has to be of an answer: of what stands elsewhere in the sentence, surer. */
const LEAST: Partial<Record<Act, number>> = {
  ...{ conflicts: 0.6, status: 0.6, branches: 0.6, checkpoints: 0.6, recall: 0.6 },
};
/** Of what it does not do, to say what was understood of it. */
const LEAST_TO_EXPLAIN = 0.7;
const LEAST_TO_READ = 0.45;
/** A question is searched for, rather than refused. */
const LEAST_TO_SEARCH = 0.3;
/** Two words may be an order to another program. */
const LEAST_OF_A_FEW = 0.75;
const FEW = 4;
function leastOf(act: Act, sentence: string): number {
  if (act === "recall" && (sentence.endsWith("?") || isQuestion(sentence))) return LEAST_TO_SEARCH;
  if (act === "recall" && sentence.split(" ").length <= FEW) return LEAST_OF_A_FEW;
  return LEAST[act] ?? LEAST_TO_READ;
}
/** Against what the grammar found for any words. */
const LEAST_AGAINST = 0.8;
/** With less, nothing is near. */
const LEAST_NEAR = 0.25;

/** They write and hide nothing, so that less is needed to be sure of them. */
const ANSWERS: ReadonlySet<Act> = new Set([
  ...(["recall", "at-past", "list", "history", "blame", "changes", "forgotten", "count"] as const),
  ...(["conflicts", "status", "branches", "checkpoints", "difference", "export"] as const),
]);

/** @param byGrammar - what the grammar made of it */
export async function besideTrained(
  sentence: string,
  byGrammar: Understanding,
  beside: Beside,
): Promise<Understanding> {
  const { around } = beside;
  const isPlaceless =
    !byGrammar.understood || (byGrammar.request.operation === "remember" && byGrammar.branch === undefined);
  const placed = isPlaceless ? await placedText(sentence, beside) : undefined;
  if (placed !== undefined) return placed;
  const whole = byGrammar.understood ? allThen(asOneSearch(sentence, byGrammar)) : byGrammar;
  const used = whole.understood ? withNamesUsed(whole, sentence, around) : whole;
  const isUnused = whole.understood && !used.understood;
  const found = isUnused
    ? await besideRefused(sentence, { understood: false }, beside.reading, around)
    : await bothReaders(sentence, used, beside);
  const all =
    found.understood && found.isLoose && found.request.operation === "recall"
      ? await withSecond(found, sentence, beside.reading, around)
      : found;
  if (!all.understood) return isUnused ? used : found;
  if (ofOthers(all, beside)) return NOT_OURS;
  return withNamesUsed(strange(withWordsLeft(all, sentence, beside), sentence, beside), sentence, around);
}

/** "Would you ring Dave and ask about the tap": what is left out of a search is to be done by somebody else. */
const ofOthers = ({ request, isLoose, leftOut = [] }: Understood, { read }: Beside): boolean =>
  isLoose === true &&
  request.operation === "recall" &&
  leftOut.some((part) => {
    const [top] = read(part).acts;
    return top?.act === "none" && top.probability >= LEAST_OF_OTHERS && ASKED_TO.test(part);
  });
const LEAST_OF_OTHERS = 0.7;
const ASKED_TO = /^(?:(?:please|pls|kindly) |(?:can|could|would|will) you\b)/i;
const NOT_OURS: NotUnderstood = {
  understood: false,
  why: "This asks for something that no memory does. Nothing was done.",
};

/** What the reader takes for nothing that a memory does is an answer only where much is known of it. */
function strange(found: Understood, sentence: string, { reading }: Beside): Understood {
  const { request } = found;
  const [top] = reading.acts;
  if (request.operation === "export") return { ...found, request: { ...request, ...placeIn(sentence) } };
  const isStrange = top?.act === "none" && top.probability >= LEAST_STRANGE && found.isLoose === true;
  return isStrange && request.operation === "recall" && request.at === undefined
    ? { ...found, request: { ...request, isStrange: true } }
    : found;
}
const LEAST_STRANGE = 0.6;

/** "To a folder called taxes, as Markdown". */
function placeIn(sentence: string): { readonly to?: string; readonly isMarkdown?: true } {
  const { to, at } = PLACE.exec(sentence)?.groups ?? {};
  const place = to ?? at;
  return {
    ...(place === undefined ? {} : { to: place }),
    ...(/\b(?:markdown|md)\b/i.test(sentence) ? { isMarkdown: true } : {}),
  };
}
const PLACE =
  /\b(?:folder|directory|file|path)(?: (?:called|named))? ["'“]?(?<to>(?!for\b|so\b|and\b|that\b|to\b|of\b|please\b|as\b|in\b|on\b)[\w~/-](?:[\w.~/-]*[\w/])?)|\b(?:to|into|in|as) (?<at>[\w~/-]*[./][\w.~/-]*\w)/i;

/** "Has the cast changed since Monday": an answer about everything says which words it did not use. */
function withWordsLeft(found: Understood, sentence: string, { reading, around }: Beside): Understood {
  const { operation } = found.request;
  if (!OF_EVERYTHING.has(operation) || (found.others ?? []).length > 0) return found;
  const words = unaccounted(choiceOf("list", sentence, reading, around), sentence, reading.cue.words);
  const known = (found.leftOut ?? []).join(" ");
  const left = words.filter((word) => !known.includes(word));
  return left.length === 0 ? found : { ...found, leftOut: [...(found.leftOut ?? []), left.join(" ")] };
}
const OF_EVERYTHING: ReadonlySet<string> = new Set(["changes", "difference"]);

/** "What was in here at the cleanup" asks for all of it. */
function allThen(found: Understood): Understood {
  const { request } = found;
  if (request.operation !== "recall" || request.at === undefined) return found;
  const { query, isNewest: _isNewest, ...more } = request;
  const isAll = query.split(" ").every((word) => STOP_WORDS.has(word.toLowerCase().replace(/[?,.]/g, "")));
  return isAll ? { ...found, request: { ...more, operation: "list" } } : found;
}

async function bothReaders(
  sentence: string,
  byGrammar: Understanding,
  beside: Beside,
): Promise<Understanding> {
  const { reading, around, isWithMore } = beside;
  const [top] = reading.acts;
  if (top === undefined || isConditional(sentence)) return byGrammar;
  // A name alone asks for nothing.
  if (!sentence.includes(" ")) return byGrammar;
  const found = byGrammar.understood
    ? withOtherwise(sentence, await withoutReasons(sentence, byGrammar, beside), beside)
    : byGrammar;
  if (!ANSWERS.has(top.act) && top.act !== "none") {
    const isFree = !found.understood || givesWay(found, reading, around);
    const done = isFree ? await doneBeside(sentence, found, beside) : undefined;
    if (done !== undefined) return done;
  }
  if (found.understood && !ANSWERS.has(top.act) && isVetoed(found, reading))
    return unsure(sentence, reading, around);
  if (!found.understood && asksWhatDisagrees(sentence, reading, around))
    return await besideRefused(sentence, { understood: false }, reading, around);
  const isOther = found.understood && isOtherAnswer(found, top);
  if (!isOther && (!found.understood || found.isLoose) && (await isWithMore(sentence, false, top.act)))
    return found;
  // What was read and has a word too many stays refused.
  if (!found.understood && found.isFinal) return found;
  return found.understood
    ? await besideRead(sentence, found, reading, around)
    : await besideRefused(sentence, found, reading, around);
}

/** "Do I have any notes that don't agree with each other?": what disagrees is asked for, and of nothing else. */
function asksWhatDisagrees(sentence: string, reading: TrainedReading, around: Surroundings): boolean {
  const [top] = reading.acts;
  if (top?.act !== "conflicts" || top.probability < SURE_OF_ANOTHER || reading.slots.length > 0) return false;
  const words = unaccounted(choiceOf("conflicts", sentence, reading, around), sentence, reading.cue.words);
  return words.length === 0 && !/\b(?:and|or|but|also|then|as)\b/i.test(sentence);
}

/** An exact form stays; what is found for any words gives way to what is surely asked. */
async function besideRead(
  sentence: string,
  found: Understood,
  reading: TrainedReading,
  around: Surroundings,
): Promise<Understanding> {
  const [top] = reading.acts;
  if (top === undefined || !(isLoose(found, reading, around) || isOtherAnswer(found, top))) return found;
  if (top.act === "none" || !ANSWERS.has(top.act)) return found;
  if (isOf(found, top.act) && !leavesName(found, reading)) return found;
  const isRead = ANSWERED.has(found.request.operation);
  // A search is what there is where nothing more is known.
  if (isRead && top.act === "recall") return found;
  const isWrong = isOfNobody(found.request, around);
  const least = found.readAs === undefined && !isWrong ? LEAST_AGAINST : LEAST_TO_WRITE;
  const ofPast = agreementOf(reading, PAST);
  const isPast =
    found.isLoose === true &&
    CAME_TO_BE.includes(top.act) &&
    ofPast >= LEAST_OF_PAST &&
    top.probability >= LEAST_TO_WRITE;
  if (!isPast && top.probability < (top.act === "at-past" && !isWrong ? SURE : least))
    return isRead || (agreement(found, reading) ?? 1) >= LEAST_TO_WRITE
      ? found
      : unsure(sentence, reading, around);
  const read = await readAct(top.act, sentence, reading, around);
  // Without a part, the act alone says too little against it.
  return !read.understood && (reading.slots.length === 0 || isPast) ? found : read;
}

/** By whom it was written was said. */
const leavesName = ({ request, isLoose }: Understood, { slots }: TrainedReading): boolean =>
  isLoose === true &&
  request.operation === "recall" &&
  request.agent === undefined &&
  slots.some(({ name }) => name === "agent");

/** "Download the whole lot as one file" is no list. */
const isOtherAnswer = (found: Understood, { act, probability }: TrainedReading["acts"][number]): boolean =>
  probability >= SURE_OF_ANOTHER &&
  OTHER_ANSWERS.has(act) &&
  ANSWERED.has(found.request.operation) &&
  !isOf(found, act);
const SURE_OF_ANOTHER = 0.97;
/** They are told by words of their own. */
const OTHER_ANSWERS: ReadonlySet<Act> = new Set<Act>([
  ...(["export", "conflicts", "status", "branches", "checkpoints"] as const),
  ...(["forgotten", "difference", "history", "blame", "count"] as const),
]);

async function besideRefused(
  sentence: string,
  found: NotUnderstood,
  reading: TrainedReading,
  around: Surroundings,
): Promise<Understanding> {
  const [top] = reading.acts;
  if (top === undefined || top.act === "none") return found;
  if (!ANSWERS.has(top.act)) return await whyNot(sentence, found, reading, around);
  // Why not is known better by what it needs.
  const isForOthers = OF_OTHERS.test(sentence) || (ORDER_SHAPE.test(sentence) && top.act === "recall");
  if (found.why !== undefined || (isForOthers && top.probability < SURE)) return found;
  // "Are there memories without a category" has no word for conflicts.
  const isUnsaid = OF_HERE.has(top.act) && reading.cue.most < LEAST_CUE;
  if (top.probability < leastOf(top.act, sentence) || isNearTie(reading) || isUnsaid)
    return { ...found, ...unsure(sentence, reading, around) };
  const read = await readAct(top.act, sentence, reading, around);
  return read.understood ? read : { ...found, ...read };
}

/** "Which branch do we deploy from" may be about the branches here, or about what is remembered. */
const isNearTie = ({ acts: [top, next] }: TrainedReading): boolean =>
  top?.act === "recall" && next !== undefined && next.probability >= LEAST_NEAR && OF_HERE.has(next.act);
const LEAST_CUE = 0.8;
const OF_HERE: ReadonlySet<Act> = new Set(["branches", "checkpoints", "conflicts", "status"]);

/** What is no answer stays refused; what was understood of it is said. */
async function whyNot(
  sentence: string,
  found: NotUnderstood,
  reading: TrainedReading,
  around: Surroundings,
): Promise<NotUnderstood> {
  const [top] = reading.acts;
  if (top === undefined || top.act === "none" || found.why !== undefined) return found;
  if (top.probability < LEAST_TO_EXPLAIN) return { ...found, ...unsure(sentence, reading, around) };
  const read = await readAct(top.act, sentence, reading, around);
  return read.understood ? found : { ...found, ...read };
}

/** What other programs are told to do. */
const OF_OTHERS =
  /^(?:install|draft|deploy|e-?mail|text|message|call|ring|play|open|book|buy|order|turn|reboot|restart|run|translate|git|send|set|build|compile|schedule|post|reset|print) /i;

/** As that act, with the parts that belong to it. */
async function readAct(
  act: Exclude<Act, "none">,
  sentence: string,
  reading: TrainedReading,
  around: Surroundings,
): Promise<Understanding> {
  const choice = choiceOf(act, sentence, reading, around);
  // An order is no question, whatever is asked beside it.
  if (ANSWERS.has(act) && TAKES.test(sentence)) return partly(choice, sentence, sentence);
  const sought = act === "list" ? soughtIn(choice, sentence, reading) : undefined;
  if (sought !== undefined)
    return { understood: true, isLoose: true, request: { operation: "recall", query: sought } };
  const found = await readChoice(choice, sentence, around);
  if ("left" in found) return partly(choice, found.left, sentence);
  // "Which notes are about tea", where nothing is tagged so.
  const isAll = found.request.operation === "list" && Object.keys(found.request).length === 1;
  const words = isAll ? unaccounted({ ...choice, slots: {} }, sentence, reading.cue.words) : [];
  if (words.length > 0)
    return { understood: true, isLoose: true, request: { operation: "recall", query: words.join(" ") } };
  return withLeftOut(await withSecond(found, sentence, reading, around), choice);
}

/** "Alder court - show me everything" is no list of everything. */
function soughtIn(choice: Choice, sentence: string, { cue }: TrainedReading): string | undefined {
  if (Object.keys(choice.slots).length > 0) return undefined;
  const words = unaccounted(choice, sentence, cue.words);
  return words.length === 0 ? undefined : words.join(" ");
}

const TAKES = new RegExp(`^(?:please |can you |could you )*(?:${TAKING.join("|")})\\b`, "i");

const MOST_ACTS = 3;

function unsure(sentence: string, reading: TrainedReading, around: Surroundings): NotUnderstood {
  const acts = reading.acts.slice(0, MOST_ACTS).flatMap(({ act }) => (act === "none" ? [] : [act]));
  const [first] = acts;
  const isLikely = (reading.acts[0]?.probability ?? 0) >= LEAST_NEAR;
  const near =
    first === undefined || !isLikely ? [] : nearActs(acts, choiceOf(first, sentence, reading, around).slots);
  return { understood: false, ...(near.length === 0 ? {} : { near }) };
}
