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
import type { Intent, Labels, ParsedDays, Surroundings } from "../intent.js";
import { type Reading, type Refusal, unquoted } from "../patterns.js";
import { daysIn } from "../when.js";
import { labelsIn } from "./labels.js";
import { DID, TAKING } from "./words.js";

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
/** A name may be written in several words: "the newcomer bot" is `newcomer-bot`. */
const NAME = "(?:the )?(?:agent |user |bot |assistant )?[\\w.-]+(?: [\\w.-]+){0,2}?";
const DONE_BY = new RegExp(
  `^(?:that |which )?(?:(you|i|we|they|anyone|everyone|anybody|everybody)|(${NAME}))(?: (?:have|has|had)|'ve|'s)? ${DID}(?: (?:you|me|us|to you|down|here))?(?= |$)`,
  "i",
);
const PASSIVE =
  /^(?:(?:that|which) (?:was |were )?(?:came|come|arrived|got)(?: in)?|(?:that (?:was|were) |which (?:was|were) )?(?:written|made|done|added|learned|learnt|saved|stored|said|remembered|changed|recorded))(?= |$)/i;
const BY = new RegExp(`^(?:by|from|of) (${NAME})(?= |$)`, "i");
const ABOUT =
  /^(?:that (?:is|are|was|were) )?(?:about|regarding|concerning|(?:that |which )?(?:mention(?:s|ing)?|speaks? of|talks? about)|on|of|related to|relating to|to do with|having to do with|that mentions?|which mentions?|that speaks? of|with the topic)(?= )/i;
/** Where the next part of a request may begin. */
const BOUNDARY =
  /^(?:that|which|written|by|from|of|about|regarding|concerning|mentioning|on|in|at|during|within|over|since|before|after|until|till|up|between|yesterday|yesterday's|today|last|this|earlier|the|past|as|for|ever|prior|except|excluding|but|unless|only|without|apart|other|and|or|then|not)$/i;
/** After one of these, nothing can be said for sure. */
const EXCEPTION =
  /\b(?:except(?:ing|ed)?|excluding|unless|but|only|without|apart from|other than|aside from|besides|save for|instead|and then|keep(?:ing)?|leave|not|nothing|none|never|if|when|once|unchanged|or|and (?:forget|undo|delete|remove|take|revert|go|make|remember|merge|restore|save|start))\b/i;
const TIME_WORD =
  /(?:^| )(?:since|before|after|until|till|between|prior to|up to|during|within|as of|ago|later than|earlier than|yesterday|today|tonight|tomorrow|last (?:\w+ )?(?:second|minute|hour|day|night|week|weekend|month|quarter|year)s?|past (?:\w+ )?(?:minute|hour|day|week|month|year)s?)\b/i;
/** In the topic of many memories, these may as well have been meant as a filter. */
const MAYBE_FILTER = /\b(?:from|by|within|during|(?:last|past|this|next|previous|recent) [a-z]+)\b/i;
const PRONOUN = /^(?:you|i|we|it|they|he|she|me|us|them|him|her|this|that|everyone|everybody|anyone|all)$/i;

interface Found {
  agent?: string;
  topic?: string;
  labels?: Labels;
  period?: ParsedDays;
}

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

/** Reads part by part from the left; what no part accounts for is left. */
async function clausesIn(text: string, { now }: Surroundings): Promise<{ found: Found; left: string }> {
  const found: Found = {};
  let rest = text.trim();
  while (rest !== "") {
    const period = found.period === undefined ? await longestPeriod(rest, now) : undefined;
    if (period !== undefined) {
      found.period = period.days;
      rest = period.rest;
      continue;
    }
    const labels = found.labels === undefined ? labelsAt(rest) : undefined;
    if (labels !== undefined) {
      found.labels = labels.labels;
      rest = labels.rest;
      continue;
    }
    const doer = DONE_BY.exec(rest);
    if (doer !== null && found.agent === undefined && (doer[2] === undefined || isName(doer[2]))) {
      if (doer[2] !== undefined) found.agent = nameIn(doer[2]);
      rest = rest.slice(doer[0].length).trim();
      continue;
    }
    const passive = PASSIVE.exec(rest);
    if (passive !== null) {
      rest = rest.slice(passive[0].length).trim();
      continue;
    }
    const topic = found.topic === undefined ? await topicIn(rest, now) : undefined;
    const by = found.agent === undefined ? doerAt(rest) : undefined;
    if (by !== undefined && (/^by /i.test(rest) || topic === undefined)) {
      found.agent = by.agent;
      rest = by.rest;
      continue;
    }
    if (topic === undefined) return { found, left: rest };
    found.topic = topic.topic;
    rest = topic.rest;
  }
  return { found, left: "" };
}

/** "Cursor written about tea this week", after "what has": every word of it is read, or none. */
export async function writtenBy(clauses: string, around: Surroundings): Promise<Reading> {
  const past = clauses.replace(DO, " wrote");
  return WRITES.test(past) || /\bby /i.test(past) ? await filtersIn(past, around) : undefined;
}

/** "From last Tuesday", "tagged temp since Monday", after "show everything" or, to be counted, "how many notes". */
export async function filtersIn(clauses: string, around: Surroundings, isCounted = false): Promise<Reading> {
  const { found, left } = await clausesIn(clauses.replace(DO, " wrote"), around);
  const { topic, agent, period, labels } = found;
  if (left !== "" || Object.keys(found).length === 0) return undefined;
  if (topic !== undefined && labels !== undefined) return BOTH;
  const by = { ...(agent === undefined ? {} : { agent }), ...(period === undefined ? {} : { period }) };
  const about = topic === undefined ? {} : { topic };
  if (isCounted) return { operation: "count", ...about, ...labels, ...by };
  return topic === undefined
    ? { operation: "list", ...labels, ...by }
    : { operation: "recall", query: topic, ...by };
}

/** After "what did"; where something is taken back it does not count, for "release note" is no agent that writes. */
const DO = /(?<!\b(?:that|which)) (?:say|tell|save|store|add|change|note|mention|learn|record|teach)\b/i;
const WRITES = new RegExp(`\\b${DID}\\b`, "i");

const nameIn = (words: string): string =>
  words.replace(/^(?:the )?(?:agent |user |bot |assistant )?(?=.)/i, "").replace(/ (?:agent|user)$/i, "");

/** Whether none of its words begins something else; an article may stand before it. */
const isName = (words: string): boolean =>
  words
    .replace(/^the /i, "")
    .split(" ")
    .every((word) => !PRONOUN.test(word) && !BOUNDARY.test(word) && !NO_NAME.test(word));
const NO_NAME =
  /^(?:everything|anything|something|nothing|is|are|was|were|has|have|had|does|do|did|a|an|my|your|our)$/i;

/** "By the newcomer bot", up to where something else begins. */
function doerAt(text: string): { readonly agent: string; readonly rest: string } | undefined {
  const short = BY.exec(text);
  if (short?.[1] === undefined) return undefined;
  const words = text.slice(text.indexOf(" ") + 1).split(" ");
  const article = /^the$/i.test(words[0] ?? "") ? 1 : 0;
  const end = words.findIndex((word, at) => at > article && BOUNDARY.test(word));
  const name = words.slice(0, end < 0 ? words.length : end);
  if (name.length - article > MAX_NAME_WORDS || !isName(name.join(" "))) return undefined;
  return { agent: nameIn(name.join(" ")), rest: words.slice(name.length).join(" ") };
}

const MAX_NAME_WORDS = 3;

/** "Tagged draft", "in category travel": the most words that name one. */
function labelsAt(text: string): { readonly labels: Labels; readonly rest: string } | undefined {
  const words = text.split(" ");
  for (let end = Math.min(words.length, MAX_LABEL_WORDS); end > 1; end -= 1) {
    if (end < words.length && !BOUNDARY.test(words[end] ?? "")) continue;
    const labels = labelsIn(words.slice(0, end).join(" "));
    if (labels !== undefined) return { labels, rest: words.slice(end).join(" ") };
  }
  return undefined;
}

const MAX_LABEL_WORDS = 6;

async function longestPeriod(
  text: string,
  now: number,
): Promise<{ readonly days: ParsedDays; readonly rest: string } | undefined> {
  const words = text.split(" ");
  for (let end = Math.min(words.length, MAX_PERIOD_WORDS); end > 0; end -= 1) {
    const isEnd = end === words.length || BOUNDARY.test(words[end] ?? "");
    const days = isEnd ? await daysIn(words.slice(0, end).join(" "), now) : undefined;
    if (days !== undefined) return { days, rest: words.slice(end).join(" ") };
  }
  return undefined;
}

const MAX_PERIOD_WORDS = 12;

/** Up to where another part begins, which has to be read; what cannot be is no part of the topic. */
async function topicIn(
  text: string,
  now: number,
): Promise<{ readonly topic: string; readonly rest: string } | undefined> {
  const [lead] = ABOUT.exec(text) ?? [];
  if (lead === undefined) return undefined;
  const words = text.slice(lead.length).trim().split(" ");
  let end = words.length;
  for (let at = 1; at < words.length; at += 1) {
    const tail = words.slice(at).join(" ");
    const isPart =
      (BOUNDARY.test(words[at] ?? "") && (await longestPeriod(tail, now)) !== undefined) ||
      /^(?:by|written by|that|which) /i.test(tail) ||
      DONE_BY_YOU.test(tail);
    if (!isPart) continue;
    end = at;
    break;
  }
  const topic = words.slice(0, end).join(" ");
  if (topic === "" || !isSoundTopic(topic)) return undefined;
  const isAll = EVERYTHING.test(unquoted(topic));
  return isAll ? undefined : { topic: unquoted(topic), rest: words.slice(end).join(" ") };
}

const DONE_BY_YOU = new RegExp(`^(?:you|i|we)(?:'ve| have)? ${DID}`, "i");
const EVERYTHING = /^(?:it|that|this|them|him|her|me|us|myself|everything|all|all of it|it all)$/i;

/** Whether nothing in it narrows or widens what is asked for. Between quotation marks all words are the topic's. */
const isSoundTopic = (topic: string): boolean =>
  /^(["']).*\1$/.test(topic) || !(EXCEPTION.test(topic) || TIME_WORD.test(topic) || MAYBE_FILTER.test(topic));

/** Whether words that no argument accounts for would have changed what is taken away. */
export const leavesFilter = (words: string): boolean => EXCEPTION.test(words) || TIME_WORD.test(words);

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
  if (EVERYTHING.test(topic) || /^about (?:it|that|this|them)$/i.test(topic)) return undefined;
  if (/^(?:nothing|none|no|not|never)\b/i.test(topic)) return refusal("forget", {}, words);
  if (isBare && !isSoundTopic(words)) return refusal("forget", {}, words);
  const isQuoted = topic !== words.trim();
  const isTimed = isTold ? TIME_WORD.test(words) : EDGE.test(words) && !isStatement;
  const two = /^(?<one>.+?),? and (?<other>.+)$/i.exec(words)?.groups;
  if (two !== undefined && !isQuoted && !isStatement && !isTold && !EXCEPTS.test(words)) return oneOrTwo(two);
  if (isQuoted || (!EXCEPTS.test(words) && !isTimed)) return { operation: "forget", topic, all: false };
  const found = await topicIn(`about ${words}`, around.now);
  if (found === undefined) return refusal("forget", {}, words);
  const { found: filters, left } = await clausesIn(found.rest, around);
  if (left !== "") return refusal("forget", { topic: found.topic, ...filters }, left);
  return requestFor({ ...filters, topic: found.topic });
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
