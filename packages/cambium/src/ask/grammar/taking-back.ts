/**
 * Requests that hide or take back: "forget everything about Falcon since January", "undo what cursor wrote today".
 *
 * Every word has to be accounted for. A filter that went unread would take back more than was asked for, and an
 * exception that went unread would take back what was to stay: such a request is refused, and it is shown what was
 * understood of it.
 *
 * @module
 */
import { oneLine, shellWord } from "@cambium/core/text";
import type { Intent, ParsedDays, Surroundings } from "../intent.js";
import { type Reading, type Refusal, unquoted } from "../patterns.js";
import { daysIn } from "../when.js";
import {
  clausesIn,
  DONE_BY,
  EVERYTHING,
  type Found,
  isSoundTopic,
  PASSIVE,
  TIME_WORD,
  topicIn,
} from "./clauses.js";
import { nameWithin } from "./known-names.js";
import { TAKING } from "./words.js";

const VERB = new RegExp(`^(${TAKING.join("|")}) `, "i");
const THINGS = "(?:memories|notes|facts|changes|edits|things|stuff|entries|writes)";
const OBJECT = new RegExp(
  `^(?:(?:everything|anything|whatever|all|every single thing|everything else)(?: of (?:it|that|them))?(?: (?:the |my |your |our |those |these )?${THINGS})?|(?:the|all the|all of the|my|all my|all of my|your|all your|all of your|our|any|those|these) ${THINGS}|${THINGS}|what|the (?:stuff|things)|every (?:memory|note|fact|change|thing))(?= |$)`,
  "i",
);
/** "The last week of memory", "yesterday's changes". */
const OF_MEMORY = new RegExp(
  `(?:'s|s')? (?:of )?(?:(?:the |my |your |our )?(?:${THINGS}|memory|work)|my memory|your memory)$`,
  "i",
);
/** @returns undefined for a sentence that takes nothing back, or that names one thing only */
export async function readTakingBack(sentence: string, around: Surroundings): Promise<Reading> {
  const [lead] = VERB.exec(sentence) ?? [];
  if (lead === undefined) return undefined;
  const verb = lead.trim().toLowerCase();
  const rest = sentence.slice(lead.length);
  const bare = rest.replace(OF_MEMORY, "");
  // "Forget May" may be about a person.
  const isTime =
    bare !== rest || /^(?:(?:the )?(?:last|past|previous)|today|yesterday|this|since) ?/i.test(bare);
  const named = isTime ? await daysIn(bare, around.now) : undefined;
  if (named !== undefined) return { operation: "take-back", period: { ...named, said: bare } };
  const [object] = OBJECT.exec(rest) ?? [];
  if (object === undefined) return undefined;
  const after = rest.slice(object.length).trim();
  const isRelative = DONE_BY.test(after);
  // "What" and "memory" alone begin other requests, too.
  if (/^(?:what|things|stuff)$/i.test(object) && !isRelative && !PASSIVE.test(after)) return undefined;
  if (/\belse$/i.test(object)) return refusal(verb, {}, rest);
  const { found, left } = await clausesIn(after, around);
  if (left !== "") return refusal(verb, found, left);
  if (found.device !== undefined) return refusal(verb, { ...found }, `from ${found.device}`);
  const isAll =
    Object.keys(found).length === 0 && !/^(?:forget|delete|wipe|clear|erase|hide|remove)$/.test(verb);
  if (isAll) return TOO_VAGUE;
  const request = requestFor(found);
  // "What I said about tea" is one thing, or several to choose from.
  const isOne = /^what$/i.test(object) && request !== undefined && "operation" in request;
  return isOne && request.operation === "forget" && request.topic !== undefined
    ? { ...request, all: false }
    : request;
}

const TOO_VAGUE: Refusal = {
  why: 'Say what of it: since when, by whom or about what. To begin anew: "start fresh but keep a backup".',
  isFinal: true,
};

function requestFor({ agent, topic, labels, period }: Found): Intent | Refusal | undefined {
  if (topic !== undefined && labels !== undefined) return BOTH;
  if (agent === undefined && period === undefined) {
    if (labels !== undefined) return { operation: "forget", ...labels, all: true };
    return topic === undefined ? undefined : { operation: "forget", topic, all: true };
  }
  return {
    operation: "take-back",
    ...labels,
    ...(agent === undefined ? {} : { agent }),
    ...(topic === undefined ? {} : { topic }),
    ...(period === undefined ? {} : { period }),
  };
}

const BOTH: Refusal = {
  why: "Say what it is about, or which category or tag it has; not both at once.",
  isFinal: true,
};

/** Says what was understood and what was not: nothing is done by halves. */
function refusal(verb: string, { agent, topic, labels, period }: Found, left: string): Refusal {
  const parts = [
    verb,
    ...(topic === undefined ? [] : [`about "${topic}"`]),
    ...Object.entries(labels ?? {}).map(([name, label]) => `${name} ${label}`),
    ...(agent === undefined ? [] : [`by ${agent}`]),
    ...(period === undefined ? [] : [`"${period.said}"`]),
  ];
  return {
    why: `Understood: ${parts.join(", ")}. Not understood: "${left}". What takes something away is done only when every word is understood; a topic may stand in quotation marks.`,
    isFinal: true,
  };
}

/** What a single memory may say, too; an exception it is only in a request for more. */
const EXCEPTS =
  /\b(?:except(?:ing)?|excluding|unless|but|apart from|other than|aside from|save for|instead|and then|keep|or|and (?:forget|undo|delete|remove|take|revert|go|make|remember|merge|restore|save|start))\b/i;
const EDGE = /(?:^| )(?:since|before|after|until|till|between|prior to|up to)\b/i;

/**
 * One thing is to be forgotten: of it, too, nothing may be left unread.
 *
 * @param isStatement - "that the office closes before noon" says one thing, with its times
 * @param isTold - of "what I said about tea yesterday", the time is when it was said
 * @param isBare - "the junk from October" may say when it was written
 */
export async function readForgetOne(
  words: string,
  around: Surroundings,
  { isStatement = false, isTold = false, isBare = false } = {},
): Promise<Reading> {
  const topic = unquoted(words);
  const name = isStatement ? undefined : nameWithin(words, around);
  if (name !== undefined) return await ofName(words, name, around);
  if (EVERYTHING.test(topic) || /^about (?:it|that|this|them)$/i.test(topic)) return undefined;
  if (/^(?:nothing|none|no|not|never)\b/i.test(topic)) return refusal("forget", {}, words);
  if (isBare && !isSoundTopic(words)) return refusal("forget", {}, words);
  const isQuoted = topic !== words.trim();
  const isTimed = isTold ? TIME_WORD.test(words) : EDGE.test(words) && !isStatement;
  const two = /^(?<one>.+?),? and (?<other>.+)$/i.exec(words)?.groups;
  if (two !== undefined && !isQuoted && !isStatement && !isTold && !EXCEPTS.test(words)) return oneOrTwo(two);
  if (isQuoted || (!EXCEPTS.test(words) && !isTimed)) return { operation: "forget", topic, all: false };
  const found = await topicIn(`about ${words}`, around);
  if (found === undefined) return refusal("forget", {}, words);
  const { found: filters, left } = await clausesIn(found.rest, around);
  if (left !== "" || filters.device !== undefined)
    return refusal(
      "forget",
      { topic: found.topic, ...filters },
      left === "" ? `from ${filters.device}` : left,
    );
  return requestFor({ ...filters, topic: found.topic });
}

/** "Tea by cursor" is read as an author, and "tea on kitchen" may be a branch: what is not read is not guessed. */
async function ofName(
  words: string,
  { before, left }: NonNullable<ReturnType<typeof nameWithin>>,
  around: Surroundings,
): Promise<Reading> {
  const { found, left: unread } = await clausesIn(`about ${words}`, around);
  const isRead = unread === "" && found.agent !== undefined && found.device === undefined;
  return isRead ? requestFor(found) : refusal("forget", before === "" ? {} : { topic: before }, left);
}

/** "Forget tea and coffee": one search for both would find neither. */
function oneOrTwo({ one = "", other = "" }: Readonly<Record<string, string>>): Refusal {
  const [first, then, both] = [one, other, `"${one} and ${other}"`].map(
    (topic) => `cambium ask ${shellWord(oneLine(`forget ${topic}`))} --preview`,
  );
  return {
    why: `These may be two topics. Nothing was done. First: ${first}. Then: ${then}. As one topic: ${both}`,
    isFinal: true,
  };
}

const PREFACE =
  /^(?:(?:i (?:was|am|'m) (?:wrong|mistaken)|i made a mistake|(?:that|it|this)(?: was|'s| is) (?:wrong|a mistake|not right)|something went wrong|never ?mind|oops|sorry|no|actually|wait|on second thoughts?)(?: (?:about|with|there)(?: (?<topic>.+?))?)?)\s*[—–;:,.-]+\s*(?:so |please |and |just )*(?=(?:forget|undo|take|revert|reverse|delete|remove|hide|drop|go back|roll back)\b)/i;

/** "I was wrong about Falcon: forget everything since January" says in its beginning what it is about. */
export function withoutPreface(sentence: string): { readonly sentence: string; readonly topic?: string } {
  const match = PREFACE.exec(sentence);
  if (match === null) return { sentence };
  const topic = match.groups?.topic;
  return {
    sentence: sentence.slice(match[0].length),
    ...(topic === undefined ? {} : { topic: unquoted(topic) }),
  };
}

/** The request is about what its preface was about; only the conversation tells what "that project" is. */
export function aboutPreface(reading: Reading, topic: string): Reading {
  if (reading === undefined || !("operation" in reading)) return reading;
  if (/^(?:that|this|it|these|those|them|him|her)\b/i.test(topic))
    return refusal(
      "forget",
      "period" in reading ? { period: reading.period as ParsedDays } : {},
      `about ${topic}`,
    );
  if (reading.operation === "take-back" && reading.topic === undefined) return { ...reading, topic };
  if (reading.operation === "forget" && reading.topic === undefined) return { ...reading, topic };
  return refusal(reading.operation, {}, `about ${topic}`);
}
