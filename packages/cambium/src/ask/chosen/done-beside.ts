/**
 * What writes or hides, where the trained reader is sure of it and the grammar has nothing that it is sure of. One
 * clause gives the order; the others say why, or what "it" is.
 *
 * @module
 */
import { escaped } from "../escaped.js";
import { TIME_WORD } from "../grammar/clauses.js";
import type { Intent, Understanding, Understood } from "../intent.js";
import { verbMended } from "../mended-words.js";
import { leavesMore, moreThanOne } from "../one-thing.js";
import type { Act } from "../trained/acts.js";
import type { TrainedReading } from "../trained/read-trained.js";
import { type Beside, isOf, partly } from "./beside.js";
import { isSound, narrowing } from "./checks.js";
import { A_THING, type Choice, restOf } from "./choice.js";
import { doneAs, doneOf, familyOf, mayDo, mayOrder, unaccounted } from "./doing.js";
import { isOrder, type OrderClause, orderClause, subjectOf } from "./order-clause.js";
import { choiceOf } from "./slot-texts.js";
import { topicOf } from "./words.js";

/** @returns undefined where it does nothing; a refusal where the grammar would answer what was not asked */
export async function doneBeside(
  sentence: string,
  found: Understanding,
  beside: Beside,
): Promise<Understanding | undefined> {
  const { reading, around, isWithMore } = beside;
  const [top] = reading.acts;
  if (top === undefined || top.act === "none" || IF.test(sentence)) return undefined;
  if (!found.understood && verbMended(sentence) !== undefined) return undefined;
  const may = mayDo(sentence, reading);
  if (top.act === "file" && !FILES.test(sentence)) return undefined;
  const done = may ? await doneAs(top.act, sentence, reading, around) : undefined;
  const apart = await doneApart(top.act, sentence, beside);
  if (apart !== undefined) return apart;
  if (done === undefined) return undefined;
  const isNamed = top.act === "branch" || top.act === "checkpoint";
  if (isNamed && !("left" in done) && "name" in done.request && done.request.name !== undefined)
    return isWholeOrder(sentence, done) ? done : undefined;
  if (!found.understood && found.isFinal) return undefined;
  if (await isWithMore(sentence, true))
    return "left" in done || !isWholeOrder(sentence, done) ? undefined : done;
  if (!("left" in done)) return done;
  return found.understood
    ? partly(choiceOf(top.act, sentence, reading, around), done.left, sentence)
    : undefined;
}

/** "Notes about tea in category travel" are looked for. */
const FILES =
  /\b(?:tag(?:ged)?|file|put|move|label|mark|add|categori[sz]e|classify|should|belongs?|goes|under|into|to)\b/i;
const IF =
  /\s(?:unless|in case|as soon as|as long as|provided|if (?!you\b|possible|(?:that|it)(?:['’]s| is) (?:ok|fine|possible|all ?right)))\b/i;

/** "Forget everything about merch, sold the lot in Cologne": what is only told is no part of the topic. */
export async function withoutReasons(
  sentence: string,
  found: Understood,
  beside: Beside,
): Promise<Understood> {
  const topic = "topic" in found.request ? found.request.topic : undefined;
  const [top] = beside.reading.acts;
  if (topic === undefined || top === undefined) return found;
  const isNameless = NAMELESS_TOPIC.test(topic);
  if (!isNameless && (!/[,;–—]/.test(topic) || found.leftOut !== undefined)) return found;
  if (top.act === "none" || !BY_CLAUSE.has(top.act) || !isOf(found, top.act)) return found;
  return (await doneApart(top.act, sentence, beside)) ?? found;
}

/** "Revert cursor's edit of the menu" begins with what is an order by itself, and says of which edit. */
function isWholeOrder(sentence: string, { request, leftOut = [] }: Understood): boolean {
  if (!isOrder(sentence) || leavesMore(sentence.replace(NAMING, " ")) || /\?\s+\S/.test(sentence))
    return false;
  if (request.operation === "take-back") return leftOut.length === 0 && request.topic !== undefined;
  if (request.operation === "rollback")
    return leftOut.length === 0 && request.to.ref.startsWith("checkpoint:") && request.only === undefined;
  if (request.operation !== "branch" && request.operation !== "checkpoint") return false;
  if (/^(?:remember|note)\b/i.test(sentence)) return false;
  return (
    request.name !== undefined &&
    moreThanOne(request, sentence) === undefined &&
    leftOut.every((part) => WHAT_FOR.test(part)) &&
    isLast(request.name, leftOut, sentence)
  );
}
/** After its name, only what it is for is said. */
function isLast(name: string, leftOut: readonly string[], sentence: string): boolean {
  const form = new RegExp(`^.*${name.split("-").map(escaped).join("[ _-]")}`, "is");
  const rest = leftOut.reduce((text, part) => text.replace(part, " "), sentence.replace(form, ""));
  return !/[\p{L}\p{N}]/u.test(rest);
}
const NAMING = /(?:,| and)* (?:call|name|title|label) (?:it|this|that)\b/i;
const WHAT_FOR =
  /^(?:(?:just )?before|so|so that|because|since|in case) (?:I|we)\b|^(?:I |we )?(?:wanna|gonna|want to|need to|have to|fancy|(?:would|'d) like to|am going to|'m going to) \S|^(?:for|to) (?!(?:an?|one|two|three|four|five|a few|several|the next|\d+) (?:minute|hour|day|week|month|year)s?\b)\S/i;

/** What is remembered or corrected is told, and no order. */
const BY_CLAUSE: ReadonlySet<Act> = new Set<Act>([
  ...(["forget", "restore", "take-back", "undo", "rollback", "merge", "delete-branch"] as const),
  ...(["use-branch", "branch", "checkpoint"] as const),
]);
/** As a whole, it may be less sure than its order by itself. */
const LEAST_OF_ALL = 0.4;

async function doneApart(
  act: Exclude<Act, "none">,
  sentence: string,
  beside: Beside,
): Promise<Understood | undefined> {
  if (!BY_CLAUSE.has(act)) return undefined;
  const { reading, read, again } = beside;
  const family = familyOf(act);
  const share = reading.acts.reduce((sum, one) => sum + (family.includes(one.act) ? one.probability : 0), 0);
  const apart = share < LEAST_OF_ALL ? undefined : orderClause(sentence, act, family, read);
  if (apart === undefined || apart.order === sentence || !isOrder(apart.order)) return undefined;
  if (NOT_TO.test(apart.order)) return undefined;
  const own = read(apart.order);
  const most = Math.max(own.cue.most, reading.cue.most);
  if (!mayOrder(apart.order, act, Math.max(share, apart.share), most)) return undefined;
  // "Yesterday cursor changed the rent, revert that": without the day, more would go.
  const isTimed = act === "take-back" && apart.reasons.some((reason) => TIME_WORD.test(reason));
  if (isTimed && !reading.slots.some(({ name }) => name === "period")) return undefined;
  const left = (all: Understood): Understood =>
    apart.reasons.length === 0 ? all : { ...all, leftOut: [...(all.leftOut ?? []), ...apart.reasons] };
  const alone = await again(apart.order);
  const isExact = alone.understood && !alone.isLoose && isOf(alone, act);
  const isTwo = await isCorrecting(apart, beside);
  if (isExact && !needsReason(alone.request, apart, reading)) return isTwo ? undefined : left(alone);
  const done = isTwo ? undefined : await byItsOwn(act, apart, beside);
  return done ?? (await byReasons(act, sentence, apart, beside));
}

/** What is not to be done, may still be no order for its opposite. */
const NOT_TO = /^(?:do not|don['’]?t|never|not)\b/i;

/** "Delete that note", "undo that edit", "forget what it costs": which, the other clauses say. */
function needsReason(request: Intent, { reasons }: OrderClause, { slots }: TrainedReading): boolean {
  switch (request.operation) {
    case "forget":
    case "restore":
    case "take-back":
      if (request.topic !== undefined)
        return PRONOUN.test(request.topic) || NAMELESS_TOPIC.test(request.topic);
      // "I was wrong about the project, forget everything since January".
      if (request.operation === "take-back" && reasons.length > 0) return true;
      return request.category === undefined && request.tag === undefined;
    case "undo":
      return (
        !reasons.every((clause) => OF_ITSELF.test(clause)) ||
        slots.some(({ name }) => name === "agent" || name === "topic" || name === "period")
      );
    case "merge":
      return request.from.matches.length === 0;
    default:
      return "branch" in request && request.branch !== undefined && typeof request.branch !== "string"
        ? request.branch.matches.length === 0
        : false;
  }
}
const PRONOUN = /\b(?:it|its|they|them|their|he|him|his|she|her|that|this|those|these)\b/i;
/** "That one", "the old value". */
const NAMELESS_TOPIC =
  /^(?:(?:the|an?|old|previous|last|earlier|first|original|ones?|notes?|values?|version|entry|entries|memory|memories|thing|number|date|time|wording|text|setting|back|again)(?: |$))+$/i;
/** Of the last change, why says nothing of which one: "that was nonsense", and not "the milk is gone". */
const OF_ITSELF = /^(?:that|it|this|which|I)\b/i;

/** "The release day is now Monday. Forget tea!" are two requests. */
async function isCorrecting({ reasons }: OrderClause, { again }: Beside): Promise<boolean> {
  const all = await Promise.all(reasons.map(again));
  return all.some(
    (one) => one.understood && !one.isLoose && one.request.operation === "correct" && !one.request.isNegation,
  );
}

/** The order says all that it needs. */
async function byItsOwn(
  act: Exclude<Act, "none">,
  apart: OrderClause,
  { read, around }: Beside,
): Promise<Understood | undefined> {
  const { order, reasons } = apart;
  const own = read(order);
  const [top] = own.acts;
  const same = top !== undefined && top.act !== "none" && familyOf(act).includes(top.act) ? top.act : act;
  if (!own.slots.some(({ name }) => name !== "left") && !NAMELESS.has(same)) return undefined;
  const done = await doneOf(choiceOf(same, order, own, around), order, own, around);
  if ("left" in done || needsReason(done.request, apart, own)) return undefined;
  return reasons.length === 0 ? done : { ...done, leftOut: [...(done.leftOut ?? []), ...reasons] };
}
const NAMELESS: ReadonlySet<Act> = new Set<Act>(["undo", "checkpoint"]);

const IT =
  /\b(?:it|that|this|them|those|these|him|her|he|she|there|one|ones|note|notes|memory|entry|branch|edit|change)\b/i;
const ALL = /\b(?:all|everything|anything|whatever|every|any|lot|both|notes|memories)\b/i;

/** "It" is what the other clauses speak of. */
async function byReasons(
  act: Exclude<Act, "none">,
  sentence: string,
  { order, reasons }: OrderClause,
  { reading, around }: Beside,
): Promise<Understood | undefined> {
  if (reasons.length === 0 || !IT.test(order)) return undefined;
  const choice: Choice = { ...choiceOf(act, sentence, reading, around), left: [] };
  if (narrowing({ ...choice, slots: {} }, order) !== undefined) return undefined;
  if (act === "forget") {
    const has = (slot: "agent" | "period" | "device" | "except") => choice.slots[slot] !== undefined;
    if (has("agent") || has("period") || has("device") || has("except")) return undefined;
    const more = unaccounted({ ...choice, slots: {} }, order, reading.cue.words);
    if (!ALL.test(order))
      return asked({
        operation: "forget",
        topic: withOrder(reasons, order),
        all: false,
        isContext: true,
      });
    const topic = topicOf(choice) ?? reasons.map(subjectOf).find((one) => one !== undefined);
    return topic === undefined || more.length > 0 || !isSound(topic, around)
      ? undefined
      : asked({ operation: "forget", topic, all: true });
  }
  const own = topicOf(choice);
  const isOwn = own !== undefined && !NAMELESS_TOPIC.test(own);
  if (!isOwn && act === "restore" && BACK_TO.test(order))
    return asked({ operation: "restore", topic: reasons.join(" "), isEarlier: true });
  if (!isOwn && act === "restore" && !EARLIER.test(order) && choice.slots.period === undefined)
    return asked({ operation: "restore", topic: reasons.join(" "), isContext: true });
  // "The 90 day login tokens were deliberate": the reader may have found a part of it.
  const whole = reasons.map(subjectOf).find((one) => one?.includes(own ?? "") && own !== undefined);
  const topic = isOwn ? (whole ?? own) : act === "restore" ? reasons.map(subjectOf).find(Boolean) : undefined;
  const { topic: _topic, ...slots } = choice.slots;
  const rest = restOf(choice, reasons.join(" "));
  const isOfAThing = A_THING.test(rest) || unaccounted(choice, rest, reading.cue.words).length > 0;
  if ((act === "take-back" || act === "rollback") && topic === undefined && isOfAThing) return undefined;
  const named = { ...choice, slots: topic === undefined ? slots : { ...slots, topic: [topic] } };
  if (Object.keys(named.slots).length === 0) return undefined;
  const done = await doneOf(named, order, reading, around);
  return "left" in done ? undefined : done;
}

/** "Put her back to the date she had". */
const BACK_TO = /\bback to (?:the|what|how|where|when)\b/i;
const EARLIER = /\b(?:old|earlier|previous|before|version|was|were)\b/i;

/** "Forget it was out of order" says more of it. */
const withOrder = (reasons: readonly string[], order: string): string =>
  [
    ...reasons,
    ...order
      .split(" ")
      .filter((word) => !IT.test(word))
      .slice(1),
  ].join(" ");

const asked = (request: Intent): Understood => ({ understood: true, request });
