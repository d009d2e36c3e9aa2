/**
 * The trained reader beside the grammar. Exact forms stay the grammar's. What it refuses, or reads because a search
 * finds something for any words, is the trained reader's where it is sure enough; where the two say different things,
 * nothing is done.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { EXAMPLES } from "../examples.js";
import { knownName } from "../grammar/known-names.js";
import { isConditional, isQuestion } from "../grammar/questions.js";
import { ORDER_SHAPE } from "../grammar/stating.js";
import { TAKING } from "../grammar/words.js";
import type { Intent, NotUnderstood, Surroundings, Understanding, Understood } from "../intent.js";
import type { Act } from "../trained/acts.js";
import type { TrainedReading } from "../trained/read-trained.js";
import { typedParts } from "../typed-parts.js";
import { type Beside, isOf, partly, SAME } from "./beside.js";
import { type Choice, withLeftOut } from "./choice.js";
import { unaccounted } from "./doing.js";
import { doneBeside, withoutReasons } from "./done-beside.js";
import { withNamesUsed } from "./names-used.js";
import { nearActs } from "./near-acts.js";
import { placedText } from "./placed-text.js";
import { readChoice } from "./read-choice.js";
import { choiceOf } from "./slot-texts.js";
import { asOneSearch, withSecond } from "./two-questions.js";
import { nameRead, topicRead } from "./words.js";

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
const SURE = 0.95;
/** With less for what would be written, it is not. */
const LEAST_TO_WRITE = 0.5;
/** With less, nothing is near. */
const LEAST_NEAR = 0.25;

/** They write and hide nothing, so that less is needed to be sure of them. */
const ANSWERS: ReadonlySet<Act> = new Set([
  ...(["recall", "at-past", "list", "history", "blame", "changes", "forgotten", "count"] as const),
  ...(["conflicts", "status", "branches", "checkpoints", "difference", "export"] as const),
]);

const READS: ReadonlySet<string> = new Set([
  ...EXAMPLES.filter(({ asks }) => asks === "never").map(({ operation }) => operation),
  "at-past",
]);

/** So sure that a statement says what is otherwise now. */
const LEAST_TO_CORRECT = 0.5;

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

/** A statement that the reader takes for a correction is no second memory, whatever else is said in it. */
function withOtherwise(sentence: string, found: Understood, { reading, around }: Beside): Understood {
  const [top] = reading.acts;
  const { request } = found;
  if (request.operation !== "correct" && request.operation !== "remember") return found;
  if (top?.act !== "correct" || top.probability < LEAST_TO_CORRECT || !isLoose(found, reading, around))
    return found;
  const value = valueIn(choiceOf("correct", sentence, reading, around), sentence, reading);
  const apart = besideIn(request.content, reading);
  if (apart === undefined) return { ...found, request: { ...request, isOtherwise: true, ...value } };
  const { whole: _whole, ...rest } = { whole: undefined, ...request };
  return {
    ...found,
    request: { ...rest, content: apart.content, isOtherwise: true, ...value },
    leftOut: [...(found.leftOut ?? []), apart.beside],
  };
}

/** "Finn takes size 3 now, they grow so fast": what is only told behind a mark is no part of what is so. */
function besideIn(
  content: string,
  { slots }: TrainedReading,
): { readonly content: string; readonly beside: string } | undefined {
  for (const { name, text, sureness } of slots) {
    if (name !== "left" || sureness < SURE_OF_BESIDE || typedParts(text).length > 0) continue;
    const end = content.length - text.length;
    const before = content.slice(0, end);
    if (content.endsWith(text) && /[,;.–—-]\s*$/.test(before))
      return { content: before.replace(/[\s,;.–—-]+$/, ""), beside: text };
  }
  return undefined;
}
const SURE_OF_BESIDE = 0.6;

/** "I don't need the note on Grafana any more" says nothing of what is so. */
const OF_A_NOTE =
  /^(?:I|we|you) (?:no longer|don't|do not|won't) (?:need|want|use|care).*\b(?:notes?|memor(?:y|ies)|entr(?:y|ies)|reminders?)\b/i;

function givesWay(found: Understood, reading: TrainedReading, around: Surroundings): boolean {
  const [top] = reading.acts;
  const { request } = found;
  if (top === undefined || isOf(found, top.act) || request.operation === "doubt") return false;
  // "We no longer stock it" says what is so, and may not be an order.
  if (request.operation === "correct" && request.isNegation && !OF_A_NOTE.test(request.content)) return false;
  const sure = top.probability >= SURE;
  return (
    isLoose(found, reading, around) ||
    isVetoed(found, reading) ||
    (sure && READS.has(request.operation) && found.isPreview !== true)
  );
}

/** What a statement may be read as, where the reader says that it is none, or nothing that is answered. */
function isVetoed(found: Understood, reading: TrainedReading): boolean {
  const [top] = reading.acts;
  const { request } = found;
  if (top === undefined || isOf(found, top.act)) return false;
  // "We stopped using Jenkins" is one statement; with more, the rest may be an order.
  const isNote = request.operation === "correct" && OF_A_NOTE.test(request.content);
  if (request.operation === "correct" && request.isNegation && !isNote && !MORE_CLAUSES.test(request.content))
    return false;
  const isExact = request.operation === "correct" && found.isLoose !== true;
  if (isExact && top.probability < LEAST_AGAINST_EXACT) return false;
  if (request.operation === "correct" || (request.operation === "remember" && request.isStated))
    return (agreement(found, reading) ?? 1) < Math.min(LEAST_TO_WRITE, top.probability);
  return request.operation === "recall" && found.isLoose === true && NO_ANSWER.has(top.act)
    ? top.probability >= (top.act === "none" ? LEAST_OF_NONE : SURE)
    : false;
}
const LEAST_OF_NONE = 0.95;
const LEAST_AGAINST_EXACT = 0.65;
const MORE_CLAUSES = /[,;.] \S|\bso\b/;
const NO_ANSWER: ReadonlySet<Act> = new Set<Act>([
  ...(["none", "forget", "undo", "take-back", "rollback", "restore"] as const),
]);

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
  const isRead = READS.has(found.request.operation);
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
  READS.has(found.request.operation) &&
  !isOf(found, act);
/** How one thing came to be what it is, is shown with who wrote it and when. A state of the past says less than asked. */
const CAME_TO_BE: readonly Act[] = ["history", "blame"];
const PAST: readonly Act[] = [...CAME_TO_BE, "at-past"];
const LEAST_OF_PAST = 0.8;
const agreementOf = ({ acts }: TrainedReading, of: readonly Act[]): number =>
  acts.reduce((sum, { act, probability }) => sum + (of.includes(act) ? probability : 0), 0);
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

/** What is so now, of what and instead of what: where the grammar finds a correction and no memory for it. */
function valueIn(
  choice: Choice,
  sentence: string,
  { cue }: TrainedReading,
): Pick<Extract<Intent, { operation: "correct" }>, "named"> {
  const { slots } = choice;
  const [subject, now, insteadOf] = [slots.topic?.[0], slots.new?.[0], slots.old?.[0]];
  if (now === undefined || (subject ?? insteadOf) === undefined) return {};
  // "The release day is Monday for beta testers" is no other release day.
  const after = sentence.slice(sentence.indexOf(now) + now.length);
  if (RESTRICTED.test(after) && unaccounted(choice, after, cue.words).length > 0) return {};
  // "Saturdays at 11am": neither takes another's place alone.
  const kinds = new Set(typedParts(now).map(({ kind }) => kind));
  const named = [now, subject, insteadOf].join(" ");
  const isMore = typedParts(sentence).some(
    ({ kind, text }) => kind !== "number" && !kinds.has(kind) && !named.includes(text),
  );
  if (isMore && insteadOf === undefined) return {};
  return {
    named: { subject: topicRead(subject ?? ""), now, ...(insteadOf === undefined ? {} : { insteadOf }) },
  };
}

const RESTRICTED = /^ (?:only )?(?:for|when|if|unless|except|with|in|on|at|among|during) /i;

/** How likely it is what the grammar says; undefined where the reader knows nothing of the kind. */
function agreement({ request }: Understood, reading: TrainedReading): number | undefined {
  const same = SAME[request.operation];
  return same && agreementOf(reading, same);
}

const MAY_BE_OTHER: ReadonlySet<string> = new Set([...READS, "remember", "correct"]);
const SURE_OF_ONE = 0.75;

/** Read because something is found for any words, or because anything may be stated. */
function isLoose(
  { request, readAs, isLoose: isGuessed, others = [], branch }: Understood,
  { acts: [top] }: TrainedReading,
  around: Surroundings,
): boolean {
  // Two questions are two, unless they surely are one of another kind.
  if (others.length > 0) {
    const all = [request, ...others.map((one) => one.request)];
    return (
      top !== undefined &&
      top.probability >= SURE_OF_ONE &&
      !all.some(({ operation }) => top.act === "none" || SAME[operation]?.includes(top.act))
    );
  }
  if (isOfNobody(request, around)) return true;
  if (readAs !== undefined || (isGuessed === true && MAY_BE_OTHER.has(request.operation))) return true;
  switch (request.operation) {
    case "remember":
      return request.isStated === true;
    case "doubt":
      return true;
    case "correct":
      return request.isNegation !== true && branch === undefined;
    case "merge":
      return request.from.matches.length === 0;
    default:
      return false;
  }
}

/** "What did Figtree charge in August" names nobody who writes here. */
const isOfNobody = (request: Intent, { agents }: Surroundings): boolean =>
  (request.operation === "list" || request.operation === "recall") &&
  request.agent !== undefined &&
  agents !== undefined &&
  knownName(nameRead(request.agent, agents), agents) === undefined;

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
