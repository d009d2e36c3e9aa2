/**
 * Which memories are to be shown or counted: what is looked for, and what narrows it, each in words of its own and in
 * any order: "the last three notes cursor wrote about tea", "yesterday's memories in category travel", "how many
 * notes on tea since Monday". All words are read, or it is none of these.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import type { Intent, ParsedDays, Surroundings } from "../intent.js";
import { countOf, NUMBER_WORDS, type Reading, type Rule, unquoted } from "../patterns.js";
import { daysIn } from "../when.js";
import { clausesIn, type Found } from "./clauses.js";
import { knownName } from "./known-names.js";
import { DID } from "./words.js";

const LEAD =
  /^(?:(?:please )?(?:show|list|find|get|fetch|give|tell|print|display|see|view|read|pull up|bring up|look (?:at|up|for|through)|search(?: for| through)?|go through|run through|review|recap|summari[sz]e|sum up)(?: me| us| out)?|(?:what|which) (?:are|were)|(?:what|which)(?= (?:new |other |of )?(?:the |my |your |our )?(?:memories|notes|facts|entries|things|stuff)\b)|do (?:you|we|I) (?:still )?have|have (?:you|we|I) got|are there|is there) /i;
const DETERMINERS =
  /^(?:(?:only|just|all|any|every|each|both|some|the|my|your|our|these|those|full|whole|complete|entire|stored|saved)(?: of)? )+/i;
const ALL = /^(?:everything|anything|all|whatever|all of (?:it|them))(?= |$)/i;
const NOUN =
  /^(?<before>(?:[^ ]+ ){0,3}?)(?<noun>memories|memory|notes?|facts?|entries|entry|items?|things?|stuff|information|info)(?= |$)/i;
const LIMIT = new RegExp(
  `^(?:(?:last|latest|newest|most recent|recent) (?<after>${NUMBER_WORDS}) |(?<before>${NUMBER_WORDS}) (?:last|latest|newest|most recent|recent) )`,
  "i",
);
/** "Do you have", after what is looked for. */
const IS_HAD =
  /^(?:(?:do|did|have|has) (?:you|we|I) (?:have|got|keep|know|remember|store|save)(?: filed| noted| stored| saved)?|are there|there are|are stored|are kept|did|do|have|has|had|were|was)(?= |$)/i;

/** @returns undefined where a word is left that no part accounts for */
async function readComposed(sentence: string, around: Surroundings): Promise<Reading> {
  const counted = /^how many (?:of )?/i.exec(sentence)?.[0];
  if (counted !== undefined) return await readCount(sentence.slice(counted.length), around);
  const lead = LEAD.exec(sentence)?.[0] ?? "";
  const object = objectIn(sentence.slice(lead.length));
  // Without a verb, "forget the notes" would name notes of that kind.
  if (object === undefined || (lead === "" && !(await isNarrowing(object.before, around)))) return undefined;
  if (AGE.test(sentence)) return undefined;
  const clauses = object.rest.replace(IS_HAD, "").trim();
  const { found, left } = await clausesIn(clauses.replace(DO, " wrote"), around);
  if (left !== "") return undefined;
  const both = await withBefore(object.before, found, around);
  if (both === undefined || (Object.keys(both).length === 0 && object.limit === undefined)) return undefined;
  if (object.limit !== undefined && Object.keys(both).length === 0)
    return { operation: "recent", last: object.limit };
  return narrowed(both, object.limit);
}

/** "How many things do you know about Mia". */
async function readCount(text: string, around: Surroundings): Promise<Reading> {
  const object = objectIn(text);
  if (object === undefined || object.limit !== undefined) return undefined;
  const { found, left } = await clausesIn(
    object.rest.replace(IS_HAD, "").trim().replace(DO, " wrote"),
    around,
  );
  if (left !== "" || AGE.test(text)) return undefined;
  const { labels, device, ...others } = (await withBefore(object.before, found, around)) ?? {};
  if (device !== undefined || (labels === undefined && Object.keys(others).length === 0)) return undefined;
  return { operation: "count", ...others, ...labels };
}

/** Of what age is said of a time, and of things. */
const AGE = /\b(?:older|newer|younger) than\b/i;

interface Sought {
  /** Words before "notes". */
  readonly before: readonly string[];
  readonly rest: string;
  readonly limit?: number;
}

function objectIn(text: string): Sought | undefined {
  const bare = text.replace(DETERMINERS, "");
  const all = ALL.exec(bare)?.[0] ?? ALL.exec(text)?.[0];
  if (all !== undefined) {
    const from = ALL.test(bare) ? bare : text;
    // "All the notes" goes on.
    if (!NOUN.test(from.slice(all.length).trim().replace(DETERMINERS, "")))
      return { before: [], rest: from.slice(all.length).trim() };
  }
  const counted = LIMIT.exec(bare);
  const number = counted?.groups?.after ?? counted?.groups?.before;
  const noun = NOUN.exec(bare.slice(counted?.[0].length ?? 0));
  if (noun === null) return undefined;
  return {
    before: (noun.groups?.before ?? "").trim().split(" ").filter(Boolean),
    rest: bare.slice((counted?.[0].length ?? 0) + noun[0].length).trim(),
    ...(number === undefined ? {} : { limit: countOf(number) }),
  };
}

const isNarrowing = async (before: readonly string[], around: Surroundings): Promise<boolean> => {
  const { topic } = (await withBefore(before, {}, around)) ?? { topic: "" };
  return (
    topic === undefined ||
    knownName(topic, [...(around.tags ?? []), ...(around.categories ?? [])]) !== undefined
  );
};

/** "Yesterday's notes", "Cursor's notes", "staging notes". */
async function withBefore(
  words: readonly string[],
  found: Found,
  around: Surroundings,
): Promise<Found | undefined> {
  if (words.length === 0) return found;
  const text = words.join(" ");
  const owner = /^(?<of>.+?)(?:'s|s')$/i.exec(text)?.groups?.of;
  const period = await periodOf(owner ?? text, around);
  if (period !== undefined) return found.period === undefined ? { ...found, period } : undefined;
  const agent = knownName(owner ?? text, around.agents);
  if (agent !== undefined) return found.agent === undefined ? { ...found, agent } : undefined;
  if (words.some((word) => NO_TOPIC.test(word)) || words.every((word) => STOP_WORDS.has(word.toLowerCase())))
    return undefined;
  return { ...found, topic: [text, ...(found.topic === undefined ? [] : [found.topic])].join(" ") };
}

const periodOf = async (words: string, { now }: Surroundings): Promise<ParsedDays | undefined> =>
  /^(?:yesterday|today|(?:last|this|the past|past) |(?:mon|tues|wednes|thurs|fri|satur|sun)day)/i.test(words)
    ? await daysIn(words, now)
    : undefined;

/** Of these there are other requests. */
const NO_TOPIC =
  /^(?:forgotten|deleted|hidden|removed|new|newest|latest|last|recent|old|oldest|first|changed|open|duplicates?|double|conflicting|contradicting|other|same|what|which|not|no|never|only|random|important|interesting|relevant|useful|most|least|one|two|three|of|in|on|at|from|by|for|to|is|are|was|were|and|or|but|if|[^ ]+ed)$/i;

function narrowed({ topic, agent, device, period, labels }: Found, limit: number | undefined): Intent {
  const more = {
    ...labels,
    ...(agent === undefined ? {} : { agent }),
    ...(device === undefined ? {} : { device }),
    ...(period === undefined ? {} : { period }),
    ...(limit === undefined ? {} : { limit }),
  };
  return topic === undefined
    ? { operation: "list", ...more }
    : { operation: "recall", query: unquoted(topic), ...more };
}

/** "Deploys that cursor wrote": by whom, on what device or of which category a topic is asked for. */
export async function recalledOf(topic: string, around: Surroundings): Promise<Intent | undefined> {
  const { found, left } = await clausesIn(`about ${topic}`, around);
  const isNarrowed = (found.agent ?? found.device ?? found.labels) !== undefined || WRITTEN_THEN.test(topic);
  const isAgent = found.agent === undefined || knownName(found.agent, around.agents) !== undefined;
  return left === "" && found.topic !== undefined && isNarrowed && isAgent
    ? narrowed(found, undefined)
    : undefined;
}

const WRITTEN_THEN = / (?:that|which) (?:was|were) (?:written|saved|added|noted|stored|recorded|made) /i;

/** "Cursor written about tea this week", after "what has": every word of it is read, or none. */
export async function writtenBy(clauses: string, around: Surroundings): Promise<Reading> {
  const past = clauses.replace(DO, " wrote");
  return WRITES.test(past) || /\bby /i.test(past) ? await filtersIn(past, around) : undefined;
}

/** "From last Tuesday", "tagged temp since Monday", after "show everything" or, to be counted, "how many notes". */
export async function filtersIn(clauses: string, around: Surroundings, isCounted = false): Promise<Reading> {
  const { found, left } = await clausesIn(clauses.replace(DO, " wrote"), around);
  if (left !== "" || Object.keys(found).length === 0) return undefined;
  if (!isCounted) return narrowed(found, undefined);
  if (AGE.test(clauses)) return undefined;
  const { labels, device, ...others } = found;
  if (device !== undefined) return undefined;
  return { operation: "count", ...others, ...labels };
}

/** After "what did"; where something is taken back it does not count, for "release note" is no agent that writes. */
const DO =
  /(?<!\b(?:that|which)) (?:say|tell|save|store|add|change|note|mention|learn|record|teach|write)\b/i;
const WRITES = new RegExp(`\\b${DID}\\b`, "i");

export const COMPOSED: Rule = {
  patterns: ["<sentence>"],
  read: async ({ sentence = "" }, around) =>
    (await readComposed(sentence, around)) ?? (await readKeptIn(sentence, around)),
};

/** "What is in the travel category", "what do you have under money". */
async function readKeptIn(sentence: string, around: Surroundings): Promise<Reading> {
  const lead =
    /^(?:(?:show|list|tell)(?: me)? )?what (?:is|do (?:you|we|I) have|have (?:you|we|I) got)(?: there)? /i.exec(
      sentence,
    )?.[0];
  if (lead === undefined) return undefined;
  const { found, left } = await clausesIn(sentence.slice(lead.length), around);
  return left === "" && found.labels !== undefined ? narrowed(found, undefined) : undefined;
}
