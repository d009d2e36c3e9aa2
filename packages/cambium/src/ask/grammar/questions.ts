/**
 * What is asked without a word of ours: "when is mum's birthday", "where do I keep the spare key". Recall answers
 * it, which reads questions. And what was forgotten, asked for by what it was about.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { type Rule, unquoted } from "../patterns.js";
import { withoutLast } from "../plain-sentence.js";
import { daysIn } from "../when.js";
import { leavesFilter } from "./clauses.js";
import { writtenBy } from "./composed.js";
import { nameWithin } from "./known-names.js";
import { readPast } from "./past.js";
import { recallSince } from "./reading.js";

const ASKED_FOR =
  /^(?:(?:tell|show|remind|give) (?:me|us)|(?:do|can|could) (?:you|we|I) (?:know|remember|recall|see|say|tell me|find out|look up)|(?:have you |got )?any idea|(?:look up|look|check|find out|see)|I (?:want|need|would like) to know|I wonder|I (?:forgot|forget|can't remember|don't remember|don't know|am not sure)|(?:and|so|but)),? (?:again )?(?=(?:what|when|where|who|whose|whom|how|which|why|if|whether)\b)/i;
/** Whether it asks, in the form of a question. */
export const isQuestion = (sentence: string): boolean =>
  (OPEN.test(sentence) || CLOSED.test(sentence)) && !isConditional(sentence);

/** "If the school calls, Grandma goes": what is so in a case, and no question. */
export const isConditional = (sentence: string): boolean => {
  const { then } = CONDITIONAL.exec(sentence)?.groups ?? {};
  return then !== undefined && !OPEN.test(then) && !CLOSED.test(then);
};
const CONDITIONAL =
  /^(?:if|when|whenever|once|unless|as soon as|in case|while) (?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must)\b)[^,]+, (?<then>.+)$/i;

const OPEN =
  /^(?:(?:for|since|until|till|by|at|in|on|from|to|with|about|of) (?=what|which|whom?|whose|how|when|where)\b)?(?:what|when|where|who|whom|whose|which|how|why|if|whether)\b/i;
const CLOSED =
  /^(?:(?:is|are|was|were|does|did|has|am|isn't|aren't|doesn't|didn't) |(?:do|have|had|can|could|should|shall|will|would|may|must) (?:I|we|they|he|she|it|my|our|the|any\w*|some\w*)\b)/i;
/** "Did you say that the budget is 800" asks whether it is. */
const SPEAKING =
  /\b(?:did|do|have|has|had) (?:you|I|we) (?:say|said|tell you|told you|think|thought|believe|know|known|remember|remembered|note|noted|write|written|mention|mentioned|agree|agreed|decide|decided)\b(?: (?:that|about|on))?/i;
/** What there is to be done here: a question about it that no rule knows is not for the memories to answer. */
export const ABOUT_US =
  /\b(?:you|your|yourself|cambium|memor(?:y|ies)|(?:which|what|how many) (?:agents?|devices?)|branch(?:es)?|checkpoints?|snapshots?|merge[ds]?|merging|sync(?:ed|ing)?|relay|undo|undone|roll(?:ed)? ?back)\b/i;

const recalling: Rule = {
  patterns: ["<sentence>"],
  read: async ({ sentence = "" }, { now }) => {
    const asked = sentence.replace(ASKED_FOR, "");
    if (!isQuestion(asked)) return undefined;
    const query = withoutLast(",;", asked.replace(SPEAKING, "").replace(/\s+/g, " ")).trim();
    const isAbout = query.split(" ").some((word) => !isEmptyWord(word.toLowerCase()));
    return ABOUT_US.test(query) || !isAbout ? undefined : await recallSince(query, now);
  },
};

/** They ask for whatever there is, and not for anything to be found. */
const isEmptyWord = (word: string): boolean => STOP_WORDS.has(word) || EMPTY.test(word);
const EMPTY =
  /^(?:(?:any|some|every)thing|change[ds]?|happen(?:s|ed|ing)?|new|news|different|yesterday|today|lately|recently|overnight|it's|i'm|what's|going)$/;

const looking: Rule = {
  patterns: [
    "(find me|find|look for|search for|search|look up|give me|show me|show|list) [only |just ][all |any ][the |my |our ]<topic> (from|since|of) <when>",
    "(find me|find|look for|search for|search|look up|give me|show me|show|list) [only |just ][all |any ][the |my |our ]<topic>",
  ],
  read: async ({ topic = "", when }, { now }, sentence) => {
    const period = when === undefined ? undefined : await daysIn(when, now);
    if (when !== undefined && (period === undefined || !FROM_PERIOD.test(sentence))) return undefined;
    return (ABOUT_US.test(topic) && unquoted(topic) === topic) || /^(?:everything|all|what|me)\b/i.test(topic)
      ? undefined
      : { operation: "recall", query: unquoted(topic), ...(period === undefined ? {} : { period }) };
  },
};
/** When it was written: "the decisions from October". */
const FROM_PERIOD = / (?:from|since) /i;

/** "What has cursor written this week": every word of it has to be read, or another answer would look like this one. */
const writing: Rule = {
  patterns: [
    "(what|which memories|which notes|what all) (has been|have been|has|have|did|was|were) <clauses>",
    "(show|list|show me|tell me|give me) [me ](everything|all|what|whatever|all memories|all notes|the memories|the notes|memories|notes) [that ][has been |have been |has |have |was |were ]<clauses>",
  ],
  read: ({ clauses = "" }, around) => writtenBy(clauses, around),
};

/** "The Brightwater stuff" is about Brightwater. */
const withoutNoun = (topic: string): string =>
  topic.replace(/(?<=\S) (?:stuff|things?|notes?|memor(?:y|ies)|facts?|entry|ones?)$/i, "");

const RESTORE = "(restore|unforget|undelete|unhide|recover|retrieve|bring back|get back|give me back)";

/** Last of all, so that whatever else is brought back or restored is read first. */
const bringing: Rule = {
  patterns: [
    `${RESTORE} (what|whatever|everything|all|the (memory|note|thing|one|part|bit)) [that ](I|we|you) [have ][just ](forgot|forgotten|deleted|removed|hid|lost) (about|on|of) <topic>`,
    `${RESTORE} (everything|all|anything|all memories|all notes|the memories|the notes|my memories|my notes) (about|on|of) <topic>`,
    `${RESTORE} [the |my |our |that |me ][memory |note |memory of |note on ][about ]<topic>`,
    "(bring|get|give me|put) [the |my |our |that ]<topic> back",
    "I (want|need|would like) [the |my |our |that ]<topic> back",
    "I (never|didn't|did not) (said|say|asked|ask|told|tell|meant|mean|want|wanted) [you ]to (forget|delete|remove|hide|lose) [the |my |our |that ]<topic>[,][;][.] [(can|could) (I|you|we) |please ](have|get|give me|bring|put) (it|that|them) back",
    "(undo|take back) (forgetting|deleting|removing) [the |my |our |that ]<topic>",
    "(undo|revert|take back) the (deletion|removal|forgetting) of [the |my |our |that ]<topic>",
    "I [accidentally |wrongly ](deleted|removed|forgot|hid) [the |my |our ][memory |note ][about |of |on ]<topic> by (mistake|accident)",
    "I [accidentally |wrongly ](deleted|removed|forgot|hid) [the |my |our ][memory |note ][about |of |on ]<topic>[ by mistake| by accident][,][;] [please ](bring|get|put|give me) (it|that|them) back",
  ],
  read: ({ topic = "" }, around) => {
    if (
      ABOUT_US.test(topic) ||
      /^(?:to|from|into|in|on|at|here|it|that|this|them|everything|all)\b/i.test(topic)
    )
      return undefined;
    if (topic === unquoted(topic) && leavesFilter(topic))
      return {
        why: `"${topic}" says more than what it is about. Name what is to come back, or: bring back what you forgot yesterday`,
      };
    const name = nameWithin(topic, around);
    if (name !== undefined)
      return {
        why: `Understood: restore, "${name.before}". Not understood: "${name.left}". Name what is to come back, or: bring back what you forgot yesterday`,
        isFinal: true,
      };
    return { operation: "restore", topic: unquoted(withoutNoun(topic)) };
  },
};

/** Before any question that is searched for as it is. */
const past: Rule = {
  patterns: ["<sentence>"],
  read: ({ sentence = "" }, around) => readPast(sentence.replace(ASKED_FOR, ""), around),
};

/** What is written about it can be found; what will be cannot. */
const coming: Rule = {
  patterns: [
    "what (will|shall|is going to|is about to) (happen|change|come|be|come up)[ <when>]",
    "what (happens|is happening|comes|is coming up|comes up|is coming|is planned|is up|is on) (tomorrow|tonight|next <when>|in the future|the day after tomorrow)",
  ],
  read: ({ when }, _around, sentence) => {
    const words = /\b(?:tomorrow|tonight|next .+|in .+|on .+)$/i.exec(sentence)?.[0] ?? when;
    return {
      why: "The memory says what was learned, and not what will be. What is written of that time can be searched for.",
      ...(words === undefined ? {} : { near: [{ operation: "recall", example: `search for "${words}"` }] }),
      isFinal: true,
    };
  },
};

/** What was written, by whom and when. */
export const WRITTEN: readonly Rule[] = [writing];

export const QUESTIONS: readonly Rule[] = [bringing, looking, past, coming, recalling];
