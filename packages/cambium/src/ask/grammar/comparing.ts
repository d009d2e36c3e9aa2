/**
 * What has changed: between two states, two branches, or in a period.
 *
 * @module
 */
import type { Intent, ParsedBranch, ParsedState, Surroundings } from "../intent.js";
import { type Rule, unquoted } from "../patterns.js";
import { periodNamed, sinceIn, stateIn, topicAndState } from "../when.js";
import { parseBranch } from "./branching.js";

/** What somebody knows. */
export const YOU_KNOW =
  "(you know|you remember|do you know|do you remember|do you think|do you believe|do you have|is known|we know|I know|do I know|do we know)";
const CHANGED =
  "(changed|has changed|is changed|is new|is different|happened|have you (learned|learnt)|did you learn|was learnt|has happened)";

/** Said on a Monday, "between Monday and Wednesday" means the Monday before the last Wednesday: no comparison goes back. */
async function stateBefore(words: string, to: ParsedState, around: Surroundings) {
  const from = await stateIn(words, around);
  if (from === undefined || !DATED.test(from.ref) || !DATED.test(to.ref) || from.ref < to.ref) return from;
  const [year = 0, month = 1, day = 1] = to.ref.slice(0, 10).split("-").map(Number);
  const earlier = await stateIn(words, { ...around, now: new Date(year, month - 1, day).getTime() - 1 });
  return earlier !== undefined && earlier.ref < to.ref ? earlier : undefined;
}
const DATED = /^\d{4}-\d\d-\d\d/;

/** From the state that the first one means to that of the other. */
async function between(first: string, last: string, around: Surroundings) {
  if (NOW_WORDS.test(first) || NOW_WORDS.test(last)) return await compared(first, last, around);
  const to = await stateIn(last, around);
  const from = to && (await stateBefore(first, to, around));
  if (from === undefined || to === undefined) return undefined;
  return { said: `between ${first} and ${last}`, from: from.ref, to: to.ref };
}

/** What a branch has that main has not is what it is made for; of two others, the second is compared with the first. */
const inOrder = ([one, other]: readonly [ParsedBranch, ParsedBranch]): Intent => {
  const isFromMain = other.matches.length === 1 && other.matches[0] === "main";
  return isFromMain
    ? { operation: "difference", from: other, to: one }
    : { operation: "difference", from: one, to: other };
};

/** What stands between two things that are compared. */
const AND = "(with|to|and|against|versus|vs)";
const NOW_WORDS =
  /^(?:now|today|what (?:you|we|I) know (?:now|today)|the current state|how (?:things|it) (?:is|are)(?: now)?)$/i;
const KNEW =
  /^(?:what (?:you|we|I) (?:knew|know|thought)|how (?:things|it|everything) (?:was|were)|the state(?: of)?|my memory|your memory|memory|things) /i;

async function compared(first: string, last: string, around: Surroundings) {
  const isFirstNow = NOW_WORDS.test(first);
  const [then, other] = isFirstNow ? [last, first] : [first, last];
  const from = await stateIn(then.replace(KNEW, ""), around);
  if (from === undefined) return undefined;
  if (NOW_WORDS.test(other)) return { said: `from ${from.said} until now`, from: from.ref };
  const to = await stateIn(other.replace(KNEW, ""), around);
  const earlier = to && (await stateBefore(then.replace(KNEW, ""), to, around));
  return to === undefined || earlier === undefined
    ? undefined
    : { said: `from ${earlier.said} to ${to.said}`, from: earlier.ref, to: to.ref };
}

export const COMPARING: readonly Rule[] = [
  {
    patterns: [
      `compare (what|everything) (we|you|I) (know|knew|thought) (about|of|on) <topic> ${AND} (now|today|what (we|you|I) know (now|today))`,
    ],
    read: async ({ topic = "" }, around) => {
      const { topic: about, state } = await topicAndState(topic, around, true);
      return state === undefined
        ? undefined
        : { operation: "evolution", topic: unquoted(about), from: state.ref };
    },
  },
  {
    patterns: [
      `compare <first> ${AND} <when>`,
      "diff <first> [and |with |to ]<when>",
      `(show|show me|what is|what are) the (difference|differences|changes) between <first> and <when>`,
      `what is different between <first> and <when>`,
      "what is (on|in) [the |my ]<when> (that|which|and|but) [(is|are) not|isn't|aren't] (on|in) [the |my ]<first>",
      "what does <when> have that <first> (doesn't|does not|hasn't|has not)[ have]",
      `(how|in what) (does|do) <first> (differ|compare) (from|to|with) <when>`,
    ],
    read: async ({ first = "", when = "" }, around) => {
      const branches = [parseBranch(first, around), parseBranch(when, around)] as const;
      if (branches.every(({ matches }) => matches.length > 0)) return inOrder(branches);
      const period = await compared(first, when, around);
      return period === undefined ? undefined : { operation: "changes", period };
    },
  },
  {
    patterns: [
      `what ${CHANGED} since <when>`,
      "(show|list|show me|tell me) [all ](what changed|what has changed|what is new|changes|the changes|everything new) since <when>",
      "what have I missed since <when>",
      "(anything|is anything|is there anything) (new|different) since <when>",
      "(catch me up on|bring me up to date on|what did I miss since|catch me up since) <when>",
    ],
    read: async ({ when = "" }, around) => {
      const period = await sinceIn(when, around);
      return period === undefined
        ? { why: `"${when}" names neither a date nor a checkpoint.` }
        : { operation: "changes", period };
    },
  },
  {
    patterns: [
      "what (changed|is different|has changed) between <first> and <when>",
      `what ${CHANGED} <when>`,
      "(show|list|show me|tell me) [all ](what changed|what has changed|what is new|changes|the changes) <when>",
      "what did you (learn|change|remember|save|note) <when>",
      "(show|list|show me|tell me|give me) [me ][all |everything |all that |all the memories |the memories |memories ][what |that ](you|I|we) [have ](learned|learnt|told you|said|remembered|saved|added|wrote|noted) <when>",
      "(show|list|show me|give me) [me ][all ][the |my |your |new ](memories|notes|changes|things|facts) (from|of|since|made|written|between|in|before|after) <when>",
      "(anything|is there anything|was there anything) (new|different) <when>",
      "what (was|has been) (new|added|learned|learnt|written|saved) <when>",
      "(summarize|summarise|sum up|recap|review) <when>",
      "(summarize|summarise|sum up|recap|review) (what happened|what changed|the changes|everything|what you learned) <when>",
      "what (happened|went on) <when>",
      "what have (you|we|I) (learned|learnt|done|changed|added|written) <when>",
    ],
    read: async ({ first, when: written = "" }, around) => {
      const when = written.replace(/^(?:of|made|written) /i, "");
      const period =
        first === undefined ? await periodNamed(when, around) : await between(first, when, around);
      return period === undefined ? undefined : { operation: "changes", period };
    },
  },
  {
    patterns: [
      `what [all |else ]${YOU_KNOW} [from |of |in |since ]<when>`,
      "(has|have|did|does|is) (anything|something|much|a lot) [here ](changed|change|happened|happen|new|different|been added|been written) <when>",
      "(has|have|did) (anyone|anybody|someone|somebody|any agent|any of the agents|any of my agents|they) (changed|change|added|add|written|write|edited|edit|touched|touch|done|do|saved|save) (anything|something|things|stuff|any memories|any notes) <when>",
      "what (did|have) (I|we) (miss|missed) <when>",
    ],
    read: async ({ when: written = "" }, around) => {
      const when = written.replace(
        /^while (?:I|we) (?:was|were|am|are) (?:away|out|gone|off|asleep|on holiday|on vacation),? /i,
        "",
      );
      const period = await periodNamed(when, around);
      return period === undefined ? undefined : { operation: "changes", period };
    },
  },
  {
    patterns: ["what (has changed|changed|is changed|is new|is different)[ lately| recently]"],
    read: async (_slots, around) => {
      const period = await sinceIn("the past week", around);
      return period === undefined ? undefined : { operation: "changes", period };
    },
  },
];
