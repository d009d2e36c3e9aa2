/**
 * Requests that hide, bring back and take back.
 *
 * @module
 */
import { describing } from "../changed-value.js";
import type { Labels, Surroundings } from "../intent.js";
import { countOf, NUMBER_WORDS, nameOf } from "../patterns.js";
import { knownCheckpoint } from "../when.js";
import { A_THING, type Choice, type ChosenOperation, flat, restOf, slotText } from "./choice.js";
import type { Reader } from "./unread.js";
import { daysRead, labelRead, labelsKnown, nameRead, stateRead, topicOf, topicRead } from "./words.js";

/** "The last three changes". */
const SOME = new RegExp(
  `\\b(?:last|past|latest|previous|recent) (${NUMBER_WORDS})\\b|\\b(${NUMBER_WORDS}) (?:last |latest |most recent |previous )?(?:changes|edits|things|notes|memories|steps|writes|entries|saves)\\b`,
  "i",
);
/** Everything that is meant, or one memory. */
const ALL =
  /\b(?:all|everything|anything|whatever|every|any(?! ?more| longer)|lot|each|both|notes|memories|facts|entries|things|bits|traces?|what(?:ever)? (?:you|we|I) (?:know|have|noted|wrote|saved|kept|remember))\b/i;

/** The category or tag that is named: undefined where none is, a text where there is none of that name. */
function labelsOf(choice: Choice, around: Surroundings): Labels | string | undefined {
  const [category, tag] = [slotText(choice, "category"), slotText(choice, "tag")];
  const words = category ?? tag;
  return words === undefined
    ? undefined
    : (labelsKnown(words, category === undefined ? "tag" : "category", around) ?? words);
}

const forget: Reader = async (heard) => {
  const { choice, sentence, around } = heard;
  // "My last three notes about Oslo" are some of them.
  if (SOME.test(sentence)) return { left: sentence };
  const [agent, period, device] = [
    slotText(choice, "agent"),
    slotText(choice, "period"),
    slotText(choice, "device"),
  ];
  if (device !== undefined) return { left: device };
  if (agent !== undefined || period !== undefined) return await revert(heard);
  const labels = labelsOf(choice, around);
  if (typeof labels === "string") return { left: labels };
  const topic = topicOf(choice);
  if (topic !== undefined && labels !== undefined)
    return { left: slotText(choice, "category") ?? slotText(choice, "tag") ?? topic };
  if (topic === undefined && labels === undefined) {
    // "The lens came home, no need to keep that one".
    const [context, ...more] = (choice.left ?? []).filter((part) => describing(part).length > 1);
    if (context === undefined || more.length > 0 || !THAT_ONE.test(restOf(choice, sentence)))
      return { left: sentence };
    return { request: { operation: "forget", topic: context, all: false, isContext: true } };
  }
  const except = (choice.slots.except ?? []).map(topicRead);
  const frame = `${restOf({ ...choice, slots: {} }, sentence)} ${slotText(choice, "topic") ?? ""}`;
  const all = labels !== undefined || except.length > 0 || ALL.test(frame.replace(flat(topic ?? ""), ""));
  return {
    request: {
      operation: "forget",
      ...(topic === undefined ? {} : { topic }),
      all,
      ...labels,
      ...(except.length === 0 ? {} : { except }),
    },
  };
};

const THAT_ONE = /\b(?:it|that|this|them|those|him|her|one|note|entry|memory|reminder)\b/i;

const revert: Reader = async ({ choice, sentence, around }) => {
  const [agent, period, topic] = [slotText(choice, "agent"), slotText(choice, "period"), topicOf(choice)];
  if ((choice.slots.except ?? []).length > 0) return { left: choice.slots.except?.[0] ?? "" };
  if (slotText(choice, "device") !== undefined) return { left: slotText(choice, "device") ?? "" };
  const days = period === undefined ? undefined : await daysRead(period, around);
  if (period !== undefined && days === undefined) return { left: period };
  if (agent === undefined && days === undefined) return { left: sentence };
  const labels = labelsOf(choice, around);
  if (typeof labels === "string") return { left: labels };
  // "The plan was fine, take back what cursor did there": what "there" is, is no one's whole work.
  const thing = (choice.left ?? []).find((part) => A_THING.test(part));
  if (topic === undefined && thing !== undefined && REFERS.test(restOf(choice, sentence)))
    return { left: thing };
  return {
    request: {
      operation: "take-back",
      ...(agent === undefined ? {} : { agent: nameRead(agent, around.agents) }),
      ...(topic === undefined ? {} : { topic }),
      ...(days === undefined ? {} : { period: days }),
      ...labels,
    },
  };
};

const REFERS = /\b(?:there|that|it|this|them|those|these)\b/i;

const restore: Reader = async ({ choice, sentence, around }) => {
  const [period, state, topic] = [slotText(choice, "period"), slotText(choice, "state"), topicOf(choice)];
  // As it was then: of what is there still.
  const isVersion = A_VERSION.test(sentence);
  const then = state ?? (isVersion ? period : undefined);
  if (then !== undefined) {
    const to = await stateRead(then, around);
    if (to === undefined || topic === undefined) return { left: then };
    return { request: { operation: "rollback", to, only: { topic } } };
  }
  if (isVersion && topic !== undefined)
    return OLDEST.test(sentence)
      ? { left: sentence }
      : { request: { operation: "restore", topic, isEarlier: true } };
  const forgotten = period === undefined ? undefined : await daysRead(period, around);
  if (period !== undefined && forgotten === undefined) return { left: period };
  const labels = labelsOf(choice, around);
  // "Bring it back" is the last one; with more words, something else may be meant.
  if (
    (topic ?? period ?? labels) === undefined &&
    describing(restOf(choice, sentence)).filter(isMore).length > 0
  )
    return { left: sentence };
  return {
    request: {
      operation: "restore",
      ...(typeof labels === "string" ? { tag: labelRead(labels) } : labels),
      ...(topic === undefined ? {} : { topic }),
      ...(forgotten === undefined ? {} : { forgotten }),
    },
  };
};
const isMore = (word: string): boolean =>
  !/^(?:restor\w*|bring\w*|brought|undelet\w*|unforg\w*|recover\w*|retriev\w*|reinstat\w*|un\w+|get|give|gone|back|again|forgot\w*|delet\w*|remov\w*|dropped|last|that|need|want|please|pls|after|all|actually|oops|wait|sorry|just)$/.test(
    word,
  );

/** What a memory said before, and not one that was forgotten. */
const A_VERSION =
  /\b(?:version|wording|text|phrasing|formulation|previous|prev|prior|earlier|former|old (?:value|one|number|date|time|price|amount|setting))\b|\b(?:as|like|how|what) (?:it|they|that|things|stood) ?(?:was|were|stood|said|in)\b/i;
const OLDEST = /\b(?:first|original|oldest|initial|\w+ versions ago|2nd|second|third)\b/i;

const forgotten: Reader = async ({ choice, around }) => {
  const [period, agent, topic] = [slotText(choice, "period"), slotText(choice, "agent"), topicOf(choice)];
  const days = period === undefined ? undefined : await daysRead(period, around);
  return {
    ...(period !== undefined && days === undefined ? { leftOut: [period] } : {}),
    request: {
      operation: "forgotten",
      ...(agent === undefined ? {} : { agent: nameRead(agent, around.agents) }),
      ...(topic === undefined ? {} : { topic }),
      ...(days === undefined ? {} : { period: days }),
    },
  };
};

const NOT_ONE = /\b(?:changes|edits|things|steps|everything|all|times|twice|few)\b/i;

const MOST_UNDONE = 1_000;
const MORE_THAN_IT =
  /\b(?:and (?:the|my|what|everything|then|also|note|tell|show)|remember (?:that|this|it)|but one|except)\b/i;
/** What other programs did. */
const OTHERS =
  /\b(?:commits?|push|pull request|deploy\w*|migration|files?|e-?mails?|messages?|download\w*|install\w*|order|payment|booking|page|tab|window|screen|song|track|document)\b/i;

const undo: Reader = async ({ choice, sentence, around }) => {
  const agent = slotText(choice, "agent");
  if (slotText(choice, "device") !== undefined) return { left: slotText(choice, "device") ?? "" };
  const topic = slotText(choice, "topic");
  if (topic !== undefined) return { left: topic };
  const rest = restOf(choice, sentence);
  const words = SOME.exec(rest);
  const number = words?.[1] ?? words?.[2];
  if (number === undefined && NOT_ONE.test(rest) && choice.count === undefined) return { left: rest };
  const last = choice.count ?? (number === undefined ? 1 : countOf(number));
  if (last < 1 || last > MOST_UNDONE || OTHERS.test(rest) || MORE_THAN_IT.test(rest)) return { left: rest };
  return {
    request: {
      operation: "undo",
      last,
      ...(agent === undefined ? {} : { agent: nameRead(agent, around.agents) }),
    },
  };
};

/** "Fresh" is none of them: to hide everything takes words that are known. */
const rollback: Reader = async ({ choice, sentence, around }) => {
  const time = slotText(choice, "state") ?? slotText(choice, "period");
  const agent = slotText(choice, "agent");
  if (agent !== undefined) return { left: agent };
  const to = time === undefined ? undefined : await stateRead(time, around);
  if (to === undefined) return { left: time ?? sentence };
  const topic = topicOf(choice);
  return { request: { operation: "rollback", to, ...(topic === undefined ? {} : { only: { topic } }) } };
};

const checkpoint: Reader = async ({ choice, sentence }) => {
  const words = slotText(choice, "name");
  if (OTHERS.test(sentence) && !/\b(?:checkpoint|snapshot|save ?point|state|point)\b/i.test(sentence))
    return { left: sentence };
  // "Mark this spot" gives it none.
  const name = words !== undefined && isName(words, sentence) ? words : undefined;
  return {
    request: { operation: "checkpoint", ...(name === undefined ? {} : { name: nameOf(bareName(name)) }) },
  };
};

const isName = (words: string, sentence: string): boolean => {
  const before = sentence.slice(0, sentence.indexOf(words));
  return (
    /[-_\d"'“”]/.test(words) ||
    /(?:\b(?:call|called|named?|as|title|titled|label|labelled|under|baptize|dub|it|this|that)|[:,–—-]) ?["'“]?$/i.test(
      before,
    )
  );
};

export const bareName = (name: string): string =>
  name
    .trim()
    .replace(/^["'“”]+|["'“”]+$/g, "")
    .replace(/[\s,;:.!?]+$/, "");

const deleteCheckpoint: Reader = async ({ choice, sentence, around }) => {
  const name = slotText(choice, "name");
  const known = name === undefined ? undefined : knownCheckpoint(name, around.checkpoints);
  return known === undefined
    ? { left: name ?? sentence }
    : { request: { operation: "delete-checkpoint", name: known } };
};

export const OF_THE_PAST: Partial<Record<ChosenOperation, Reader>> = {
  forget,
  "take-back": revert,
  restore,
  forgotten,
  undo,
  rollback,
  checkpoint,
  "delete-checkpoint": deleteCheckpoint,
};
