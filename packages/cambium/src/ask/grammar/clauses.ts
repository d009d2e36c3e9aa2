/**
 * What says which memories are meant, beside what is to be done with them: who wrote them and when, what they are
 * about, their category or tag. Read part by part from the left, so that it is known what was left unread.
 *
 * @module
 */
import type { Labels, ParsedDays, Surroundings } from "../intent.js";
import { unquoted } from "../patterns.js";
import { daysIn } from "../when.js";
import { knownName } from "./known-names.js";
import { labelsIn } from "./labels.js";
import { DID } from "./words.js";

/** A name may be written in several words: "the newcomer bot" is `newcomer-bot`. */
const NAME = "(?:the )?(?:agent |user |bot |assistant )?[\\w.-]+(?: [\\w.-]+){0,2}?";
export const DONE_BY = new RegExp(
  `^(?:that |which )?(?:(you|i|we|they|anyone|everyone|anybody|everybody)|(${NAME}))(?: (?:have|has|had)|'ve|'s)? ${DID}(?: (?:you|me|us|to you|down|here))?(?= |$)`,
  "i",
);
export const PASSIVE =
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
export const TIME_WORD =
  /(?:^| )(?:since|before|after|until|till|between|prior to|up to|during|within|as of|ago|later than|earlier than|yesterday|today|tonight|tomorrow|last (?:\w+ )?(?:second|minute|hour|day|night|week|weekend|month|quarter|year)s?|past (?:\w+ )?(?:minute|hour|day|week|month|year)s?)\b/i;
/** In the topic of many memories, these may as well have been meant as a filter. */
const MAYBE_FILTER = /\b(?:from|by|within|during|(?:last|past|this|next|previous|recent) [a-z]+)\b/i;
const PRONOUN = /^(?:you|i|we|it|they|he|she|me|us|them|him|her|this|that|everyone|everybody|anyone|all)$/i;

export interface Found {
  /** Such as `claude-code`, in words. */
  agent?: string;
  topic?: string;
  labels?: Labels;
  period?: ParsedDays;
  /** On which it was written. */
  device?: string;
}

/** Reads part by part from the left; what no part accounts for is left. */
export async function clausesIn(text: string, around: Surroundings): Promise<{ found: Found; left: string }> {
  const found: Found = {};
  let rest = text.trim();
  while (rest !== "") {
    const period = found.period === undefined ? await longestPeriod(rest, around.now) : undefined;
    if (period !== undefined) {
      found.period = period.days;
      rest = period.rest;
      continue;
    }
    const labels = found.labels === undefined ? labelsAt(rest, around) : undefined;
    if (labels !== undefined) {
      found.labels = labels.labels;
      rest = labels.rest;
      continue;
    }
    const device = found.device === undefined ? deviceAt(rest, around.devices) : undefined;
    if (device !== undefined) {
      found.device = device.name;
      rest = device.rest;
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
    const topic = found.topic === undefined ? await topicIn(rest, around) : undefined;
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

const nameIn = (words: string): string =>
  words.replace(/^(?:the )?(?:agent |user |bot |assistant )?(?=.)/i, "").replace(/ (?:agent|user)$/i, "");

/** Whether none of its words begins something else; an article may stand before it. */
const isName = (words: string): boolean =>
  words
    .replace(/^the /i, "")
    .split(" ")
    .every((word) => !PRONOUN.test(word) && !BOUNDARY.test(word) && !NO_NAME.test(word));
const NO_NAME =
  /^(?:everything|anything|something|nothing|is|are|was|were|has|have|had|does|do|did|a|an|my|your|our|notes?|memor(?:y|ies)|facts?|things?|stuff|entries|changes)$/i;

/** "From my phone", "on the laptop". */
function deviceAt(
  text: string,
  devices: readonly string[] = [],
): { readonly name: string; readonly rest: string } | undefined {
  const { own, name = "" } = DEVICE.exec(text)?.groups ?? {};
  const known = knownName(name, devices);
  if (known === undefined && !(own !== undefined && IS_DEVICE.test(name))) return undefined;
  return { name: known ?? name, rest: text.slice(DEVICE.exec(text)?.[0].length).trim() };
}

const DEVICE =
  /^(?:from|on|with|using|via) (?<own>my |the |our )?(?<name>[\w.-]+(?: (?:machine|computer|laptop|phone|pc))?)(?= |$)/i;
const IS_DEVICE =
  /(?:phone|laptop|notebook|desktop|desk|tablet|ipad|macbook|computer|machine|pc|workstation)$/i;

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
function labelsAt(
  text: string,
  { categories }: Surroundings,
): { readonly labels: Labels; readonly rest: string } | undefined {
  const words = text.split(" ");
  for (let end = Math.min(words.length, MAX_LABEL_WORDS); end > 1; end -= 1) {
    if (end < words.length && !BOUNDARY.test(words[end] ?? "")) continue;
    const named = words.slice(0, end).join(" ");
    const labels = labelsIn(named) ?? categoryNamed(named, categories);
    if (labels !== undefined) return { labels, rest: words.slice(end).join(" ") };
  }
  return undefined;
}

/** "In travel", "filed under money": of a category that there is, its name is enough. */
function categoryNamed(words: string, categories: readonly string[] | undefined): Labels | undefined {
  const name = /^(?:filed |kept |stored |saved )?(?:in|under) (?:the |my |our )?(.+)$/i.exec(words)?.[1];
  const category = name === undefined ? undefined : knownName(name, categories);
  return category === undefined ? undefined : { category };
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
export async function topicIn(
  text: string,
  around: Surroundings,
): Promise<{ readonly topic: string; readonly rest: string } | undefined> {
  const [lead] = ABOUT.exec(text) ?? [];
  if (lead === undefined) return undefined;
  const words = text.slice(lead.length).trim().split(" ");
  // "On experiment" is where, and not what it is about.
  const places = [...around.branches, ...(around.devices ?? [])];
  if (
    /^on$/i.test(lead.trim()) &&
    [1, 2, 3].some((count) => knownName(words.slice(0, count).join(" "), places))
  )
    return undefined;
  let end = words.length;
  for (let at = 1; at < words.length; at += 1) {
    const tail = words.slice(at).join(" ");
    const isPart =
      (BOUNDARY.test(words[at] ?? "") && (await longestPeriod(tail, around.now)) !== undefined) ||
      /^(?:by|written by|that|which) /i.test(tail) ||
      labelsAt(tail, around) !== undefined ||
      deviceAt(tail, around.devices) !== undefined ||
      knownName(doerAt(tail)?.agent ?? "", around.agents) !== undefined ||
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
export const EVERYTHING = /^(?:it|that|this|them|him|her|me|us|myself|everything|all|all of it|it all)$/i;

/** Whether nothing in it narrows or widens what is asked for. Between quotation marks all words are the topic's. */
export const isSoundTopic = (topic: string): boolean =>
  /^(["']).*\1$/.test(topic) || !(EXCEPTION.test(topic) || TIME_WORD.test(topic) || MAYBE_FILTER.test(topic));

/** Whether words that no argument accounts for would have changed what is taken away. */
export const leavesFilter = (words: string): boolean => EXCEPTION.test(words) || TIME_WORD.test(words);
