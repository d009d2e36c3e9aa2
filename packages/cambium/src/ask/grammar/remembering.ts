/**
 * To remember, and to correct.
 *
 * @module
 */

import type { Intent } from "../intent.js";
import type { Reading, Rule } from "../patterns.js";
import { MAX_SENTENCE, withoutLast } from "../plain-sentence.js";
import { AUXILIARY, BESIDE_NOT, contrastIn, placeOf } from "./contrast.js";
import { TAKING } from "./words.js";

/** Before what is to be remembered; matched against the text as it was written, which is kept as it is. */
const TO_REMEMBER: readonly RegExp[] = [
  /^(?:remember|save|keep|store|note)\s+(?:this|that|it)\s+for\s+(?:later|the\s+future|next\s+time|me|us)\s*[:,-]\s*/i,
  /^(?:save|store|keep|record|log|add|(?:write|note|jot|put)(?:\s+down)?)\s*:\s*/i,
  /^(?:remember|memori[sz]e|note)\s+(?:this|that|the\s+following)(?:\s+down)?(?:\s*[:,-]\s*|\s+)(?!\s|as\b)/i,
  /^(?:store|save|record|write\s+down|jot\s+down|note\s+down|put\s+down|add|log|keep)\s+(?:this|that|the\s+following)(?:\s+down)?\s*[:,-]\s*/i,
  /^(?:write|put|jot|note)\s+(?:this|that)\s+down\s*[:,-]\s*/i,
  /^(?:record|write\s+down|jot\s+down)\s+that\s+/i,
  /^(?:remember|memori[sz]e|note(?:\s+to\s+self)?|fyi|you\s+know)\s*[:,-]\s*/i,
  /^(?:a\s+)?(?:note|memo|reminder)\s+to\s+(?:self|myself)(?:\s*[:,-]\s*|\s+)(?=\S+\s+\S)/i,
  /^(?:a\s+)?(?:quick\s+|little\s+)?(?:reminder|memo)\s*[:,-]\s*/i,
  /^(?:learn|know)\s+that\s+/i,
  /^(?:an?\s+)?new\s+(?:note|memory|entry)\s*:\s*/i,
  /^(?:make|take|add|leave|write)\s+(?:me\s+)?(?:a\s+|another\s+)?note(?:\s+(?:that|of\s+this))?(?:\s*[:,-]\s*|\s+)(?!\s|of\b)/i,
  /^(?:keep|bear)\s+(?:it\s+)?in\s+mind(?:\s+that)?(?:\s*[:,-]\s*|\s+)/i,
  /^(?:don['’]?t|do\s+not|never)\s+(?:let\s+(?:me|us)\s+)?forget(?:\s+that|\s+to)?(?:\s*[:,-]\s*|\s+)/i,
  /^(?:for\s+the\s+record|for\s+future\s+reference|for\s+your\s+information|just\s+so\s+you\s+know|fyi(?!\s*[:,-])|you\s+should\s+know(?:\s+that)?)(?:\s*[:,-]\s*|\s+)/i,
  /^add\s+(?:this\s+|that\s+)?to\s+(?:your\s+|my\s+)?(?:memory|memories)(?:\s+that)?(?:\s*[:,-]\s*|\s+)/i,
  /^(?:put|keep|save)\s+(?:this\s+|that\s+)?in\s+(?:your\s+|my\s+)?memory(?:\s+that)?(?:\s*[:,-]\s*|\s+)/i,
  /^(?:remember|memori[sz]e)(?:\s+to)?\s+(?!\s|(?:what|when|where|who|how|which|why|if|whether|me|us|him|her|them)\b)/i,
];
/** "Add that Leo is allergic to nuts", but not "add that to my calendar". */
function toAdd(text: string): RegExpExecArray | undefined {
  const begun = /^(?:add|save|store|log|register|note\s+down|put\s+down)\s+that\s+/i.exec(text);
  if (begun === null) return undefined;
  const rest = text.slice(begun[0].length);
  return isStatement(rest) || /^(?:I|we|they|he|she|there) \S+ \S/i.test(rest) ? begun : undefined;
}

/** The marks say where the text begins and ends. */
const QUOTED = /^["“”„]([^"“”„]+)["“”]$/;

/** "Remember this moment" says what; "remember everything" does not. */
export const EMPTY_STATEMENT = /^(?:this|that|it|everything|anything|all|all of it|all this|me|as [\w-]+)?$/i;

/** "Don't use that word. Keep that in mind." is to be remembered, and no order. */
const IN_MIND = /[.,;!–—-]\s*(?:please\s+)?(?:keep|bear)\s+(?:that|this|it)\s+in\s+mind[.!]?$/i;
/** "Lena is on call in May, too" adds to what is known. */
const TOO = /^(?<text>.+?),? (?:too|as well)[.!]?$/i;

/** "Ada signs it, please remember that". */
const AFTERWARDS =
  /\s*[,;.–—-]\s*(?:so\s+|and\s+)?(?:please\s+|pls\s+|can\s+you\s+|could\s+you\s+)?(?:(?:remember|memori[sz]e|note|save|store|keep|record|write|jot|log|hang\s+on\s+to|hold\s+on\s+to)\s+(?:that|this|it)(?:\s+(?:down|safe|somewhere(?:\s+safe)?|on\s+(?:file|record)))?|(?:put|stick|pop|add|file|get)\s+(?:that|this|it)\s+(?:in\s+somewhere|somewhere(?:\s+safe)?|in\s+(?:here|there)|down(?:\s+somewhere)?|on\s+(?:file|record)|(?:in|to)\s+(?:my|your|the)\s+(?:notes|memory))|(?:don['’]?t|never)\s+(?:let\s+me\s+)?(?:lose|forget)\s+(?:that|this|it))(?:\s+for\s+(?:me|us|now|later|next\s+time))?[.!]?$/i;

/** @param text - without its manners, otherwise as it was written */
export function readRemember(text: string): Extract<Intent, { operation: "remember" }> | undefined {
  const begun = TO_REMEMBER.map((form) => form.exec(text)).find((match) => match !== null) ?? toAdd(text);
  if (begun === undefined || begun === null) return rememberedAfterwards(text);
  const written = text.slice(begun[0].length).trim();
  const content = begun[0].includes(":") ? written : (QUOTED.exec(written)?.[1] ?? written);
  if (EMPTY_STATEMENT.test(withoutLast(".!?…", content)) || !/[\p{L}\p{N}]/u.test(content)) return undefined;
  return { operation: "remember", content };
}

function rememberedAfterwards(text: string): Extract<Intent, { operation: "remember" }> | undefined {
  const tail = text.slice(-MOST_AFTERWARDS);
  const kept = IN_MIND.exec(tail);
  if (kept !== null && text.split(" ").length > LEAST_WORDS + 4)
    return {
      operation: "remember",
      content: text
        .slice(0, text.length - tail.length + kept.index + 1)
        .replace(/[,;–—-]$/, "")
        .trim(),
    };
  if (TOO.test(text) && !/\byou\b/i.test(text) && text.length <= MAX_SENTENCE && isStatementOrOwn(text))
    return { operation: "remember", content: text };
  const found = AFTERWARDS.exec(tail);
  if (found === null) return undefined;
  const content = text.slice(0, text.length - tail.length + found.index).trim();
  const isOrder = ORDERS.test(content) || ASKS.test(content.split(" ")[0] ?? "") || NO_SUBJECT.test(content);
  return isOrder || content.split(" ").length < LEAST_WORDS ? undefined : { operation: "remember", content };
}

const MOST_AFTERWARDS = 60;
const LEAST_WORDS = 3;

export const VERBS =
  "is|are|was|were|has|have|had|likes?|loves?|hates?|prefers?|wants?|needs?|uses?|lives?|works?|starts?|ends?|begins?|happens?|takes?|goes|means?|costs?|belongs?|speaks?|drinks?|eats?|owns?|knows?|runs?|moves?|leaves?|opens?|closes?|meets?|arrives?|departs?|comes?|returns?|stays?|sells?|pays?|earns?|weighs?|contains?|includes?|keeps?|sleeps?|studies|teaches|drives?|wears?|plays?|expires?|ate|drank|went|came|met|paid|won|lost|born|moved|changed|became|left|joined|quit|stopped|started|bought|sold|married|got|gave|took|said|told|will|would|should|must|may|might|can(?:no|')?t?|does(?:n't| not)|do(?:n't| not)|isn't|aren't|wasn't|weren't|hasn't|haven't";
/** Any verb, where more says that something is stated: "staging deploys on Fridays". */
export const ANY_VERB =
  /^(?<subject>(?:[^ ,]+ ){0,4}?[^ ,]+) (?<verb>[a-z]{3,}(?:s|ed)) (?<value>(?:on|in|at|to|for|from|every|each|by|with|after|before|until|the|an?|my|our|its|no|only|once|twice|\d).*)$/i;
const STATEMENT = new RegExp(`^(?<subject>.+?) (?<verb>${VERBS}) (?<value>.+)$`, "i");
export const STATES = new RegExp(`(?:^| )(?:${VERBS})(?: |$)`, "i");
/** A question, a wish, or something that only the conversation tells. */
export const NO_SUBJECT =
  /^(?:it|that|this|these|those|they|he|she|who|what|when|where|why|how|which|can|could|would|should|do|does|did|is|are|will|i think|never mind|there|here|let me|please|you can|you may|you could|you should)(?:\b|')/i;

/** "The plumber comes on Friday", with nothing said of what is to become of it. */
export const isStatement = (sentence: string): boolean => {
  const subject = STATEMENT.exec(sentence)?.groups?.subject;
  return (
    subject !== undefined &&
    !subject.includes(",") &&
    !NO_SUBJECT.test(subject) &&
    !ORDERS.test(subject) &&
    !ASKS.test(subject)
  );
};

const isStatementOrOwn = (text: string): boolean =>
  isStatement(text) || (/^\p{Lu}[^ ,]*'s /u.test(text) && possessive(text) !== undefined);

/** They say that it is so, and since when; and are no part of what is so. */
const FRAME_WORDS = /( (?:is|are|was|were)) (?:now|actually|currently)(?= [^,])/i;
const AT_END = / (?:now|instead|from now on|these days|nowadays)$/i;

const SPEAKER = /^(?:I|we|you)$/i;

function correction(statement: string, type: "correct" | "update") {
  const text = statement.trim().replace(FRAME_WORDS, "$1").replace(AT_END, "");
  const contrast = contrastIn(text, isStated);
  const written = contrast?.content ?? text;
  const parts = STATEMENT.exec(written)?.groups ?? possessive(written) ?? ANY_VERB.exec(written)?.groups;
  if (parts?.subject === undefined) return undefined;
  if (NO_SUBJECT.test(parts.subject)) return pronounOrNothing(parts.subject);
  if (ASKS.test(parts.subject) || ORDERS.test(parts.subject)) return undefined;
  if (DOUBTS.test(written)) return undefined;
  const insteadOf = contrast === undefined ? {} : { insteadOf: contrast.insteadOf, whole: text };
  // "I" tells nothing apart: of "I live in Oslo" all the rest says what it is about.
  const isPlain = STATEMENT.test(written) || possessive(written) !== undefined;
  const subject = SPEAKER.test(parts.subject)
    ? written
    : isPlain
      ? parts.subject
      : `${parts.subject} ${parts.verb}`;
  return { operation: "correct", content: written, subject, ...insteadOf, type } as const;
}

const isStated = (text: string): boolean =>
  STATEMENT.test(text) || possessive(text) !== undefined || ANY_VERB.test(text);

/** "The deadline's Friday". */
const possessive = (text: string) =>
  /^(?<subject>.+?)'s (?<value>(?:not|on|at|in|now) .+|\S+)$/i.exec(text)?.groups;

/** "Tell me what is now …" states nothing. */
export const ASKS = /\b(?:what|who|why|how|whether|if|whose|which)\b/i;
/** Nor does what is told to do. */
export const ORDERS = new RegExp(
  `^(?:${TAKING.join("|")}|restore|recover|move|file|tag|mark|label|combine|sort|assign|bring|take|get|give|merge|save|add|keep|make|create|show|list|find|search|tell|go|roll|switch|rename|export|import|remember|note|compare|start|begin|stop|turn|put|open|close|send|write|call|set|change|update|never mind|don't|let's)\\b`,
  "i",
);
/** Of these there are other requests. */
const OURS = /\b(?:branch|checkpoint|snapshot|backup|name)\b/i;

/** It says that something is wrong, and not what is right. */
const DOUBTS =
  /^(?:I|we|you) (?:was|were|am|are|have been|had) (?:wrong|mistaken|not right|incorrect|confused|misinformed)\b|^(?:I|we) (?:remember|remembered|recall) (?:it |that |this )?differently/i;

const pronounOrNothing = (subject: string) =>
  /^(?:it|that|this|these|those|they|he|she)(?:\b|')/i.test(subject)
    ? { why: `Say by name what "${subject}" is: only you know what was spoken of.` }
    : undefined;

/** "Change the font to Arial" may be meant for another program: only what is known is corrected so. */
const ofKnown = (reading: Reading): Reading =>
  reading !== undefined && "operation" in reading && reading.operation === "correct"
    ? { ...reading, isKnown: true }
    : reading;

/** "Not 15 minutes, it's 5" are minutes. */
/** "Isn't 58 a month": the number is what is wrong. */
const numberOf = (old = "", value = ""): string =>
  /^\d[\d.,]*$/.test(value) ? (/^(\d[\d.,]*) (?:an?|per|each) /i.exec(old)?.[1] ?? old) : old;

const withUnit = (value = "", old = ""): string => {
  const unit = /^\d[\d.,]* (?<unit>[a-z]+)$/i.exec(old)?.groups?.unit;
  return unit !== undefined && /^\d[\d.,]*$/.test(value) ? `${value} ${unit}` : value;
};

/** "I don't want you to remember it" is no fact. */
const WISHES = /^(?:I|we) (?:(?:want|need|like) (?:you|this|that|it|to)|know|think|remember|understand)\b/i;

const HE_IS = "(it is|it's|they are|they're|she is|she's|he is|he's)";

const NOT =
  "(doesn't|does not|don't|do not|isn't|is not|aren't|are not|won't|will not|can't|cannot|hasn't|has not|haven't|have not)";

const correcting: readonly Rule[] = [
  {
    patterns: ["(it is|it's) not <old> for <subject>, (it is|it's) [now ]<value>"],
    read: ({ subject, old, value }) =>
      correction(`${subject} is ${withUnit(value, old)}, not ${numberOf(old, value)}`, "correct"),
  },
  {
    patterns: [
      "(actually|in fact|correction|to be precise|to correct myself|i was wrong|i made a mistake)[,][:][ -][ –] <statement>",
      "(correct|fix|right): <statement>",
      "(no|wrong|nope), [actually, ]<statement>",
      "(no|wrong|nope) actually[,] <statement>",
      "(no|nope) <noted>",
      "[no, ](that|this) is (wrong|not right|not true anymore|not right anymore|not true|incorrect|not correct|no longer true|no longer right)[,][:][;][.] <statement>",
      "(correct|fix) (that|this|your memory|what you know)[:][,] <statement>",
    ],
    read: ({ statement, noted = "" }) =>
      // "No news is good news" is a sentence of its own.
      statement === undefined && !/^(?:the|my|our|your|his|her|their)\b/i.test(noted)
        ? undefined
        : correction(statement ?? noted, "correct"),
  },
  {
    patterns: [
      "(update|change) (that|this|your memory|my memory|your memories|what you know)[:][,] <statement>",
      "(update|change|news): <statement>",
      "update (what you know|your memory|the memory) (about|of) <about>: <statement>",
    ],
    read: ({ statement = "" }) => correction(statement, "update"),
  },
  {
    patterns: [
      "(update|correct|change|fix|set) [the memory about |the note about |the note on ][the |my |our ]<about>: <value>",
    ],
    read: ({ about = "", value = "" }) =>
      /^(?:it|that|this)\b/i.test(value)
        ? undefined
        : ofKnown(correction(isStatement(value) ? value : `the ${about} is ${value}`, "update")),
  },
  {
    patterns: ["(update|correct|change|fix) [the memory about ]<about>: (it|that|this) <rest>"],
    read: ({ about = "", rest }) => ofKnown(correction(`${about} ${rest}`, "update")),
  },
  {
    patterns: [
      "(change|update|correct|set) <subject> from <old> to <value>",
      "<subject> <moved> from <old> to <value>",
      "<subject> [has |have |has been |was |were ](went|gone|go|rose|risen|fell|fallen|grew|grown|dropped|increased|decreased|raised|lowered|cut|shrank|jumped|climbed) [up |down ]from <old> to <value>",
    ],
    read: ({ subject = "", old, value }) =>
      OURS.test(subject) ? undefined : ofKnown(correction(`${subject} is ${value}, not ${old}`, "update")),
  },
  {
    patterns: [
      `<subject> (isn't|is not|aren't|are not) <old> (anymore|any more|any longer), ${HE_IS} [now ]<value>`,
      `<subject> (isn't|is not|aren't|are not) <old>, ${HE_IS} [now ]<value>`,
      "<subject> <copula> no longer <old>[,] but <value>",
      "<subject> (isn't|is not|aren't|are not) <old>, but <value>",
    ],
    read: ({ subject, old, value }) =>
      correction(`${subject} is ${withUnit(value, old)}, not ${numberOf(old, value)}`, "correct"),
  },
  {
    patterns: [
      "<subject> (isn't|is not|aren't|are not) <old> (anymore|any more|any longer)[,][;][.] [and |so ](I|we) [have |just |'ve ](moved|put|keep|kept|left|hung|placed|stored) (it|them) (to|in|into|on|onto|at|under|behind|with|next to) <value>",
      "<subject> <copula> no longer <old>[,][;][.] [and |so ](I|we) [have |just |'ve ](moved|put|keep|kept|left|hung|placed|stored) (it|them) (to|in|into|on|onto|at|under|behind|with|next to) <value>",
    ],
    read: ({ subject, old = "", value = "" }, _around, sentence) =>
      correction(`${subject} is ${placeOf(old, value, sentence)}, not ${old}`, "update"),
  },
  {
    patterns: [
      "(that|the|your|my) (thing|note|bit|memory|fact|entry|part|one) (about|on|with) <subject> (is|was) (wrong|incorrect|not right|outdated|out of date)[,][:][;][.] (it is|it's|they are|it should be|should be) <value>",
      "<who> (got|has|had) <subject> wrong[,][:][;][.] (it is|it's|they are|it should be|should be) <value>",
      "<subject> should (be|read|say) <value>",
    ],
    read: ({ subject = "", value = "" }) =>
      / not /i.test(` ${value}`)
        ? correction(`${subject} is ${value.replace(/,? not /i, ", not ")}`, "correct")
        : undefined,
  },
  {
    patterns: [
      "[<lead>, ](you|we|I) (have|'ve|had|got) [got ](the|a) wrong <subject>[ down| here| written down][,][;][.][:][!] (it is|it's|they are|it should be|should be|it's actually) <value>",
    ],
    read: ({ subject = "", value = "" }) => ({
      ...{ operation: "correct", content: `${subject} is ${value}`, subject, type: "correct" },
      ...{ isKnown: true, isValue: true, whole: `${subject} ${value}`, named: { subject, now: value } },
    }),
  },
  {
    patterns: ["(correct|fix) <subject> to <value>"],
    read: ({ subject, value }) => ofKnown(correction(`${subject} is ${value}`, "correct")),
  },
  {
    patterns: ["(change|update|set) <subject> to <value>"],
    read: ({ subject = "", value }) =>
      OURS.test(subject) ? undefined : ofKnown(correction(`${subject} is ${value}`, "update")),
  },
  {
    patterns: ["<subject> <copula> actually <value>", "<subject> actually <copula> <value>"],
    read: ({ subject, copula, value }) => correction(`${subject} ${copula} ${value}`, "correct"),
  },
  {
    patterns: ["<subject> <copula> now <value>"],
    read: ({ subject, copula, value }) => correction(`${subject} ${copula} ${value}`, "update"),
  },
  {
    patterns: [
      "<statement> now, <rest>",
      "<statement> (now|from now on|these days|nowadays|instead)",
      "(from now on|as of now|as of today|these days|nowadays)[,] <statement>",
    ],
    read: ({ statement = "", rest }) =>
      correction(rest === undefined ? statement : `${statement}, ${rest}`, "update"),
  },
  {
    // "I now live in Hamburg".
    patterns: ["<subject> now <rest>"],
    read: ({ subject = "", rest = "" }) =>
      STATES.test(rest.split(" ")[0] ?? "") || ANY_VERB.test(`${subject} ${rest}`)
        ? correction(`${subject} ${rest}`, "update")
        : undefined,
  },
  {
    // "Ravi no longer owns payments, it's Oskar": another does what he did.
    patterns: [
      "<subject> (no longer|doesn't|does not) <rest>[ anymore| any more], (it is|it's) [now ]<value>",
    ],
    read: ({ subject = "", rest = "", value = "" }, _around, sentence) =>
      ORDERS.test(subject) || NO_SUBJECT.test(subject) || ASKS.test(subject) || OURS.test(sentence)
        ? undefined
        : /^\p{Lu}/u.test(value) && value.split(" ").length <= 3
          ? {
              ...{ operation: "correct", content: `${value} ${rest}`, subject: `${subject} ${rest}` },
              ...{ insteadOf: subject, whole: sentence, type: "update" },
            }
          : undefined,
  },
  {
    patterns: [
      "<subject> no longer <rest>",
      `<subject> ${NOT} <rest> (anymore|any more|any longer)[, <more>]`,
      "<subject> [has |have ](stopped|quit|given up|gave up) <rest>",
    ],
    read: ({ subject = "", rest = "" }, _around, sentence) =>
      ORDERS.test(subject) ||
      NO_SUBJECT.test(subject) ||
      ASKS.test(subject) ||
      OURS.test(sentence) ||
      WISHES.test(`${subject} ${rest}`)
        ? undefined
        : {
            operation: "correct",
            content: sentence.replace(/ (?:anymore|any more|any longer)(?=,|$)/i, ""),
            whole: sentence,
            // What is so instead is no part of what was so.
            ...{ subject: `${subject} ${rest.replace(/, .*$/, "")}`, type: "update", isNegation: true },
          },
  },
  {
    // "The new lead is Ingram": somebody else, and not "the new laptop is slow".
    patterns: ["<the> new <subject> is [called |now ]<value>"],
    read: ({ the = "", subject = "", value = "" }) =>
      /^(?:the|our|my)$/i.test(the) && /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,3}$/u.test(value)
        ? correction(`${the} ${subject} is ${value}`, "update")
        : undefined,
  },
  {
    patterns: ["<owner> new <subject> is <value>"],
    read: ({ owner = "", subject = "", value }) => {
      const found = correction(`${owner} new ${subject} is ${value}`, "update");
      return found !== undefined && "operation" in found
        ? { ...found, subject: `${owner} ${subject}` }
        : found;
    },
  },
  {
    patterns: ["<speaker> <moved> <subject> to <value>"],
    read: ({ speaker = "", moved = "", subject = "", value }) =>
      OURS.test(subject) || subject.trim() === ""
        ? undefined
        : {
            operation: "correct",
            content: `${speaker} ${moved} ${subject} to ${value}`,
            ...{ subject, type: "update", isKnown: true },
          },
  },
  {
    patterns: ["<subject> <moved> to <value>"],
    read: ({ subject = "", moved = "", value }) =>
      // "I moved to Lisbon" says where somebody is, and not when something is.
      OURS.test(subject) || SPEAKER.test(subject)
        ? undefined
        : correction(`${subject} ${moved} to ${value}`, "update"),
  },
  {
    // "We use pnpm, not npm"; "is not" and "do not" are instead of nothing.
    patterns: ["<content>[ now][,] (not|instead of|rather than|and not) <old>"],
    read: ({ content = "", old = "" }, _around, sentence) =>
      AUXILIARY.test(content) ||
      (BESIDE_NOT.test(content) && !/,| instead of | rather than | and not /i.test(sentence)) ||
      content.includes(":") ||
      /[,;]| (?:and|but|because) /i.test(old) ||
      !(isStatement(content) || (ANY_VERB.test(content) && !ORDERS.test(content) && !ASKS.test(content)))
        ? undefined
        : correction(`${content}, not ${old}`, "update"),
  },
];

export const REMEMBERING: readonly Rule[] = correcting;
