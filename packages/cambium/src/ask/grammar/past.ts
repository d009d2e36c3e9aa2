/**
 * Questions about what was so: "what was the budget 5 hours ago", "what did it cost before I corrected it". What is so
 * now is no answer to them: the state that they name answers, or nothing does.
 *
 * @module
 */
import type { Intent, Surroundings } from "../intent.js";
import { aboutOf as aboutNote, type Reading, unquoted } from "../patterns.js";
import { stateIn, topicAndState } from "../when.js";

const ASKING = "(?:what|who|where|which|whose|whom|how|why)";
const MOST_BETWEEN = "(?: [^ ,]+){0,4}?";
/** What something was, and not what happened: "what did we eat" asks for the latter. */
const WAS = new RegExp(
  `^(?:${ASKING}${MOST_BETWEEN} (?:was|were|had|used to)\\b|(?:was|were)\\b|${ASKING}${MOST_BETWEEN} did .+? (?:be|say|read|look|sound|stand|cost|live|work|use|like|love|hate|prefer|want|need|own|have|mean|contain|include|know|think|believe|remember|earn|pay|weigh|belong|drive|drink|plan|expect)\\b)`,
  "i",
);
/** When something was, is said of an event. */
const EVENT = /^(?:when|at what time|what (?:time|day|date))\b/i;

const CORRECTING =
  "(?:corrected|changed|fixed|updated|revised|edited|changing|correcting|put right|told you otherwise|raised|lowered|increased|reduced|moved|switched|cut|put up|put down|renamed|upped|bumped|doubled|halved|went up|gone up|went down|rose|rescheduled|postponed)";
const BEFORE_CORRECTION = new RegExp(
  `^(?<topic>.+?),? (?:right |just )?before (?:(?:(?:I|we|you|it|that|this|they|someone|somebody) )?(?:was |were |had |has |have |got )?(?:last )?${CORRECTING}(?: (?:it|that|this|them|you|me|(?:the|my|our) [\\w-]+))?|(?:the |my |your |our |that |its )?(?:last |latest )?(?:correction|change|update|revision|edit))$`,
  "i",
);
/** They ask for the text before the present one. */
const EARLIER =
  /(?<!\b(?:second|minute|hour|day|week|month|year)s?),? (?:before|previously|formerly|earlier|before that|before this|beforehand|once|until recently)$/i;
const FIRST =
  /,? (?:originally|at first|initially|in the beginning|to begin with|at the start|at the beginning)$/i;
const USED_TO =
  /^(?:what|who|where|how) (?:did (?<topic>.+?) use to (?:be|say|read|cost)|(?:was|were) (?:the |my |our )?(?:previous|former|earlier|original) (?<former>.+))$/i;

/** @returns what a topic said before it was corrected */
export const beforeCorrection = (text: string): Intent | undefined => {
  const topic = BEFORE_CORRECTION.exec(text)?.groups?.topic;
  return topic === undefined ? undefined : { operation: "before-correction", topic: aboutOf(topic) };
};

/** "What was the budget" is about the budget. */
const aboutOf = (question: string): string => {
  const about = question.replace(
    new RegExp(`^${ASKING}(?: (?:much|many|old|long|far|high|big))? (?:was|were|had|did|is|are)? ?`, "i"),
    "",
  );
  return unquoted(about === "" ? question : about);
};

/** A time that no rule could read: the present would be no answer. */
const UNREAD =
  /\b(?:[^ ]+ (?:second|minute|hour|day|week|month|year)s? (?:before|earlier)|(?:right |just )?before .+|prior to .+|ago|back then|back in .+|(?:at|by) (?:that|the) time|in those days|as of .+)$/i;

/** Of a name or a number, which is no time. */
const OF_A_VALUE =
  /^(?<topic>.+?),? (?:right |just )?before (?<value>(?!(?:the|my|our|your|his|her|their|that|this|it|I|we|you|they|he|she|last|next|noon|lunch|dinner|breakfast|christmas|easter)\b)(?:\p{Lu}[\p{L}\p{N}'&-]*(?: \p{Lu}[\p{L}\p{N}'&-]*)*|[\p{L}]{0,12} ?[€$£]?\d[\p{L}\p{N}.,]*))$/u;

const HIDDEN =
  "(?:forgotten|deleted|removed|hidden|dropped|discarded|erased|thrown (?:away|out)|gone|forgot|hid|forget|delete|remove)";
/** "What did the note about the gym say before I deleted it", "what was in the note about tea that was forgotten". */
const OF_FORGOTTEN = [
  new RegExp(
    `^(?:who|when|why)(?: did| has| have| was it that)?(?: (?:I|we|you|someone|somebody|anyone))? ${HIDDEN} (?<topic>(?:the|my|our|that) .+)$`,
    "i",
  ),
  new RegExp(
    `^(?:when|why|by whom)(?: was| were| has| have| did) (?<topic>(?:the|my|our|that) .+?)(?: been| get)? ${HIDDEN}(?: and by whom)?$`,
    "i",
  ),
  new RegExp(
    `^(?:what|how much|how many|when|where|who|which)(?: \\w+)? (?:did|was|were|does|is)(?: in| on)? (?<topic>.+?)(?: (?:say|said|contain|cost|read|mean|be|go|tell (?:me|us)))? before (?:(?:it|that|this|they|I|we|you|somebody|someone) )?(?:(?:was|were|got|had been|have been) )?(?:just )?${HIDDEN}(?: (?:it|that|them))?$`,
    "i",
  ),
  new RegExp(
    `^(?:what|how much|when|where|who)(?: \\w+)? (?:did|was|were|does|is)(?: in| on)? (?:the|my|our|that) ${HIDDEN} (?<topic>(?:notes?|memor(?:y|ies)|entr(?:y|ies)|one) .+?)(?: (?:say|said|contain|read|be))?$`,
    "i",
  ),
  new RegExp(
    `^(?:what|how much|when|where|who)(?: \\w+)? (?:did|was|were|does|is)(?: in| on)? (?<topic>.+?) (?:that|which|I|we|you)(?: (?:was|were|had|have|got|has been|I|we|you))* ${HIDDEN}(?: (?:say|said|contain|read))?$`,
    "i",
  ),
];
export function readForgotten(sentence: string): Reading {
  const topic = OF_FORGOTTEN.map((form) => form.exec(sentence)?.groups?.topic).find(
    (words) => words !== undefined,
  );
  return topic === undefined ||
    !/^(?:the|my|our|that|this|notes?|memor(?:y|ies)|entr(?:y|ies)|one|\S+'s) /i.test(topic)
    ? undefined
    : { operation: "forgotten", topic: aboutNote(topic.replace(/^(?:the|my|our|that|this) /i, "")) };
}

export async function readPast(sentence: string, around: Surroundings): Promise<Reading> {
  const corrected = beforeCorrection(sentence);
  if (corrected !== undefined && (WAS.test(sentence) || /^(?:what|how|who|where)\b/i.test(sentence)))
    return corrected;
  const { first, question } =
    /^(?<first>[^,]+?),? (?<question>(?:what|who|where|how|which) .+)$/i.exec(sentence)?.groups ?? {};
  const lead = first === undefined ? undefined : await stateIn(first, around);
  if (lead !== undefined && question !== undefined && WAS.test(question))
    return { operation: "recall", query: question, at: lead };
  if (!WAS.test(sentence) || EVENT.test(sentence)) return undefined;
  const { topic: used, former } = USED_TO.exec(sentence)?.groups ?? {};
  const earlier =
    used ?? former ?? (EARLIER.test(sentence) ? aboutOf(sentence.replace(EARLIER, "")) : undefined);
  if (earlier !== undefined) return { operation: "before-correction", topic: unquoted(earlier) };
  if (FIRST.test(sentence)) return { operation: "history", topic: aboutOf(sentence.replace(FIRST, "")) };
  const { topic, state } = await topicAndState(sentence, around, true);
  if (state !== undefined) return { operation: "recall", query: topic, at: state };
  const unread = UNREAD.exec(sentence)?.[0];
  if (unread === undefined) return undefined;
  // "What was the colour before Old Linen": what it said in turn answers.
  const value = OF_A_VALUE.exec(sentence)?.groups;
  if (value !== undefined)
    return { operation: "before-correction", topic: aboutOf(`${value.topic} ${value.value}`) };
  return {
    why: `"${unread}" names no time that can be read. Say when, such as "last month", "5 hours ago" or "before I corrected it"; what is so now: ask with "is".`,
    near: [{ operation: "recall", example: `search for "${sentence.replaceAll('"', "")}"` }],
    isFinal: true,
  };
}
