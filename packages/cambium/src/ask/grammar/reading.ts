/**
 * What is known, what was known, how it came to be, and what there is.
 *
 * @module
 */

import type { Intent, ParsedState, Surroundings } from "../intent.js";
import { aboutOf, type Reading, type Rule, type Slots, unquoted } from "../patterns.js";
import { daysIn, stateIn, topicAndState } from "../when.js";
import { COMPARING, YOU_KNOW } from "./comparing.js";
import { COMPOSED, recalledOf } from "./composed.js";
import { labelsIn } from "./labels.js";
import { beforeCorrection } from "./past.js";
import { STANDING } from "./standing.js";

const YOU_KNEW =
  "(did you know|did you think|did you believe|you knew|did you remember|did we believe|did we think|did I think|did we know|did I know|was known|I knew|we knew)";

async function recalled(
  topic: string,
  around: Surroundings,
  isAnyDate: boolean,
): Promise<Intent | { why: string }> {
  const corrected = beforeCorrection(topic);
  if (corrected !== undefined) return corrected;
  const byName = await recalledOf(topic, around);
  if (byName !== undefined) return byName;
  const found = await topicAndState(topic, around, isAnyDate);
  if (isAnyDate && found.state === undefined)
    return { why: `Say when, such as "last month" or "as of 2026-08-01"; or ask what is known of it now.` };
  if (found.state !== undefined) return aboutTopic(unquoted(found.topic), { at: found.state });
  return EVERYONE.test(topic) ? { operation: "list" } : await recallSince(unquoted(topic), around.now);
}

/** "The kitchen since Monday": what was there before is not asked for. Other times belong to what it is about. */
export async function recallSince(query: string, now: number): Promise<Intent> {
  const { topic, since } = /^(?<topic>.+?),? (?<since>since .+)$/i.exec(query)?.groups ?? {};
  const period = since === undefined ? undefined : await daysIn(since, now);
  return topic === undefined || period === undefined
    ? { operation: "recall", query }
    : { operation: "recall", query: topic, period };
}

/** "Me", "us" and "everything" are no words to search for: all that is known is about them. */
const EVERYONE = /^(?:me|us|myself|ourselves|my life|everything|anything|all|all of it|it all)$/i;

const aboutTopic = (topic: string, at: { readonly at?: ParsedState }): Intent =>
  EVERYONE.test(topic) ? { operation: "list", ...at } : { operation: "recall", query: topic, ...at };

const knowing: readonly Rule[] = [
  {
    patterns: [
      "what did (I|we|you) (originally|first|initially) (tell you|say|write|note|save|think|believe|know|hear|learn)[ down] (about|of|on) <topic>",
      "what did (I|we|you) (tell you|say|write|note|save|think|believe|know|hear|learn)[ down] (about|of|on) <topic>[,] (originally|at first|initially|in the beginning)",
      "(what|how) (did|was) (you|we|I|your|our|my) [first |original |initial ](understanding|view|idea|version|note) (of|about|on) <topic>[ originally| at first]",
    ],
    read: ({ topic = "" }) => ({ operation: "history", topic: unquoted(topic) }),
  },
  {
    patterns: [
      "(did|had) (you|we|I) [already |ever ](know|known|hear|heard|learn|learned) (about|of|that) <topic>",
    ],
    read: async ({ topic = "" }, around) => {
      const { topic: about, state } = await topicAndState(topic, around, true);
      return state === undefined ? undefined : aboutTopic(unquoted(about), { at: state });
    },
  },
  {
    patterns: [
      `what [all ]${YOU_KNEW} <when> (about|of|on) <topic>`,
      `(tell|show|remind) me what ${YOU_KNEW} <when> (about|of|on) <topic>`,
      `(as of|on|in|at|by|before) <when>, what ${YOU_KNEW} (about|of|on) <topic>`,
      `<when>, what ${YOU_KNEW} (about|of|on) <topic>`,
    ],
    read: async ({ when = "", topic = "" }, around) => {
      const at = await stateIn(when, around);
      return at === undefined ? undefined : aboutTopic(unquoted(topic), { at });
    },
  },
  {
    patterns: [
      `what [all ]${YOU_KNEW} (about|of|on) <topic>`,
      `(tell|show|remind) me what ${YOU_KNEW} (about|of|on) <topic>`,
      "what (was|were) (your|our|my) (understanding|view|knowledge|memories) (about|of|on) <topic>",
    ],
    read: ({ topic = "" }, around) => recalled(topic, around, true),
  },
  {
    patterns: [
      `what [all ]${YOU_KNEW} <when>`,
      "(show|list) [me ](everything|all|what) [that ]you knew <when>",
      "(show|show me|list) how (things|everything|my memories) (were|was|looked) <when>",
    ],
    read: async ({ when = "" }, around) => {
      const at = await stateIn(when, around);
      return at === undefined ? undefined : { operation: "list", at };
    },
  },
  {
    patterns: [
      `what [all |else |new ]${YOU_KNOW} since <when> (about|of|on|regarding) <topic>`,
      "(anything|is there anything|was there anything|what is|any news|news|what did you learn) [new ](about|on|with|from) <topic> since <when>",
    ],
    read: ({ when, topic = "" }, { now }) => recallSince(`${unquoted(topic)} since ${when}`, now),
  },
  {
    patterns: [
      `what [all |else ]${YOU_KNOW} (about|of|on|regarding) <topic>`,
      `(tell|show|remind|give) me [everything |all |what ][that ]${YOU_KNOW} (about|of|on|regarding) <topic>`,
      "do you (know|remember) (anything|something) (about|of|on) <topic>",
      "(which|what) (memories|notes|facts) (are|were|is|do you have|do I have|are there) (about|on|of) <topic>",
      "tell me [more |everything ][you know ]about <topic>",
      "what is in (your|my|our|the) memory (about|on|of) <topic>",
      "what (have you|did you) (picked up|pick up|learned|learnt|learn|gathered|heard|hear|noted|note|saved|save|remembered) (about|of|on|regarding) <topic>",
      "what (have we|did we|did I|have I) (decided|decide|agreed|agree|concluded|conclude|planned|plan) (about|on|for|regarding) <topic>",
      "what (do we|do I|do you) (believe|think|say) (about|of|on) <topic>",
      "what is (the latest|new|known) (on|about|with) <topic>",
      "(summarize|summarise|sum up|recap|give me a summary of|give me an overview of|give me the gist of) (what|everything|all) [that ](you|we|I) (know|have|learned|noted|said|wrote) (about|on) <topic>",
      "(what else|what more|what all) (do you know|is known|do we know|is there) (about|on) <topic>",
      "(anything|is there anything|do you have anything|have you got anything) (about|on|regarding) <topic>",
      "what (have you|do you have) (got )[written down |noted |stored ](about|on) <topic>",
      "list [all ][the |my |your ](memories|notes) (about|on|of|mentioning) <topic>",
      "(which|what|do I have|have I|have you|do we have|are there) [of (my|your|the) ][any ](memories|notes) (mention|mentioning|talk about|that talk about|speak of|that speak of|that mention|say something about|about|on|of) <topic>",
      "(have you|did you) (stored|saved|noted|kept|written down|store|save|note|keep|write down) [anything |something ](about|on|of|regarding) <topic>",
      "(have you|did you) (stored|saved|noted|kept|written down|store|save|note|keep|write down) [the |my |our ]<topic>",
      "what have I (told you|said) about <topic>",
      "(did I tell you|have I told you) [anything ]about <topic>",
      "(recall|look up) [what you know ][about ]<topic>",
      "search [your |my ](memory|memories) for <topic>",
      "search for <topic> in [your |my ](memory|memories)",
      "remind me (about|of) <topic>",
      "what did I (tell you|say) about <topic>",
      "(do you remember|remember) (what|when|where|who|how|which|why|if|whether) <topic>",
      "(do you remember|have you remembered|do you know) <topic>",
      "(find|show|show me) [the |my |your |all |all the ](memories|memory|notes) (about|on|of|mentioning) <topic>",
    ],
    read: ({ topic = "" }, around) => recalled(topic, around, false),
  },
];

/** No stretch of time, but what stands. */
const present: Rule = {
  patterns: [
    "what (do you|do we|do I) (know|remember|have) (as of now|now|right now|at the moment|so far|currently)",
  ],
  read: () => ({ operation: "list" }),
};

const listing: readonly Rule[] = [
  COMPOSED,
  {
    patterns: [
      "(list|show|show me|give me) [me ](everything|all|all memories|all my memories|all of your memories|your memories|my memories|the memories|what you know|all you know|everything you know|all that you know|everything you remember|what you remember)",
      "what do you (know|remember)",
      "what is in (your|my) memory",
      "what have you (learned|learnt|remembered)[ so far]",
      "what is (true|known|the case) (now|today|at the moment)",
      "(list|show|show me|give me) [me ](the full list|the whole list|all of it|all of them|everything you have|every memory)",
      "(list|show|show me) [all |all my |my |your |the ](memories|notes)",
    ],
    read: () => ({ operation: "list" }),
  },
  {
    patterns: [
      "(list|show|show me|give me) [everything |all |what |all memories |memories |the memories |all the memories |my memories |notes |facts ][that ][you (know|remember|have) ][about |on ][everything ]<labels>",
      "(list|show|show me|give me|get me|find|find me) [me ][all |all of ][the |my |your ](everything|memories|notes|facts|things|entries)[ that| which| you have| that is| that are| filed| kept] <labels>",
      "what do you (know|remember|have) [about |on |filed |stored |kept ]<labels>",
      "what is [there |stored |saved |filed |kept ]<labels>",
      "(which|what) (memories|notes) (are|do you have) <labels>",
    ],
    read: ({ labels = "" }) => {
      const found = labelsIn(labels);
      return found === undefined ? undefined : { operation: "list", ...found };
    },
  },
];

const CHANGE =
  "(has changed|have changed|changed|has evolved|have evolved|evolved|developed|has developed|came to be|came about)";

const evolving: readonly Rule[] = [
  {
    patterns: [
      `(show|tell|show me|tell me|explain) how (your|our|my|the) (understanding|view|picture|knowledge|idea|opinion|memory|memories) ${CHANGE}[ over time]`,
      "how (has|have|did) (your|our|my) (understanding|view|picture|knowledge|memory|memories) (change|changed|evolve|evolved|develop|developed)[ over time]",
      "what have you (revised|changed your mind about|corrected)",
    ],
    read: () => ({ operation: "evolution" }),
  },
  {
    patterns: ["(show|show me) [the ][team's |our |your ]evolving understanding of <topic>"],
    read: ({ topic = "" }) => ({ operation: "evolution", topic: unquoted(topic) }),
  },
  {
    patterns: [
      `(show|tell|show me|tell me|explain) how (your|our|my|the) (understanding|view|picture|knowledge|idea|opinion|memory|memories) (of|about|on) <topic> ${CHANGE}[ over time]`,
      `(show|tell|show me|tell me|explain) how what you know (about|of) <topic> ${CHANGE}[ over time]`,
      "how (has|have|did) (your|our|my) (understanding|view|picture|knowledge|idea|opinion|memory|memories) (of|about|on) <topic> (change|changed|evolve|evolved|develop|developed)[ over time]",
      "how (has|did) what you know (about|of) <topic> (change|changed|evolve|evolved)[ over time]",
      "[show |tell |tell me |show me |give me |what is ][the |a |an ][full |whole |complete |entire ](story|evolution|history|versions) of <topic>",
      "how did <topic> (change|evolve|develop|progress) (over time|over the years|over the year|over the last year|over the (months|weeks)|through time|so far)",
      "how has <topic> (changed|evolved|developed|progressed)[ over time| over the years| over the (months|weeks)| so far]",
      "(show|show me|tell me) how <topic> (has |have |)(changed|evolved|developed|progressed)[ over time| over the years| so far]",
      "how did you come to (know|believe|think) [what you (know|believe|think) ]about <topic>",
    ],
    read: evolutionOf,
  },
];

async function evolutionOf({ topic = "" }: Slots, around: Surroundings): Promise<Reading> {
  const [, about = topic, since] = /^(.+?) ((?:since|over|during|within|in the) .+)$/i.exec(topic) ?? [];
  const from = since === undefined ? undefined : await daysIn(since, around.now);
  const named = unquoted(
    (from?.since === undefined ? topic : about).replace(/(?<=\S) (?:memory|note|fact)$/i, ""),
  );
  const topicOf = EVERYONE.test(named) ? {} : { topic: named };
  if (from?.since === undefined) return { operation: "evolution", ...topicOf };
  return { operation: "evolution", ...topicOf, from: new Date(from.since).toISOString() };
}

/** After what changed in a period: "what changed last week" has no topic. */
const changedTopic: Rule = {
  patterns: [
    "what (has changed|changed|is new) (about|with|in|on) <topic>",
    "(has|have|did) (anything|something|much) (about|with|in|on) <topic> (changed|change)[ <since>]",
    "(has|have|did) (anything|something|much|a lot) (changed|change) (about|with|in|on|for) <topic>",
    "(has|have|did) [the |my |our ]<topic> ever (changed|change)",
  ],
  read: ({ topic, since }, around) =>
    evolutionOf({ topic: since === undefined ? topic : `${topic} ${since}` }, around),
};

/** Both are told. */
const AND_WHEN = /,? and (?:when|why|where|how)$/i;
/** "…, me or Claude". */
const OR_WHO = /, (?:was it )?(?:me|you|I|[\w-]+) or [\w -]+$/i;
/** Only the conversation tells. */
const OF_WHAT = /^(?:so|it|that|this)$/i;

const asking: readonly Rule[] = [
  {
    patterns: [
      "who (told|taught) you [about |that ]<topic>",
      "who (said|says|claimed|mentioned) [that ]<topic>",
      "who (wrote|added|changed|edited|corrected|updated|revised) [that |the |my |our |your ][memory |note ][about |of |on ]<topic>[ last| first| most recently]",
      "who (wrote|changed|edited|is to blame for) [the |that |your ](memory|memories|note) (about|of|on|that) <topic>",
      "where did you (get|learn|hear|read) [about |that |the idea that ]<topic>",
      "where do you know [that ]<topic> from",
    ],
    read: ({ topic = "" }) =>
      OF_WHAT.test(topic)
        ? { why: "Say what of, such as: who told you that releases are on Friday?" }
        : { operation: "blame", topic: aboutOf(topic.replace(AND_WHEN, "").replace(OR_WHO, "")) },
  },
  {
    patterns: [
      "why (do|did) you (think|believe|say|assume|know|remember) [that ]<topic>",
      "what makes you (think|believe|say) [that ]<topic>",
      "how do you know [that |about ]<topic>",
      "how come you (think|believe) [that ]<topic>",
      "since when do you (know|think|believe) [that |about ]<topic>",
      "when did (I|we) (tell you|say|mention|write) [about |that |of ]<topic>",
      "when did (I|we|you|someone|somebody|anyone) [last ](change|correct|update|edit|revise) [the |my |our ]<topic>",
      "when did you (learn|find out|hear) [about |that ]<topic>",
      "when (was|were) [the |my |our |that ]<topic> (last changed|last updated|changed|updated|corrected|revised|last corrected|last revised|written|written down|added|saved)",
      "what happened to [the |my |our |that ](memory|note) (about|on|of) <topic>",
    ],
    read: ({ topic = "" }) =>
      OF_WHAT.test(topic)
        ? { why: "Say what of, such as: why do you think that releases are on Friday?" }
        : { operation: "history", topic: aboutOf(topic) },
  },
  {
    patterns: [
      "(did|has|have) (anyone|anybody|someone|somebody|an agent|any agent) (changed|change|edited|edit|corrected|correct|updated|update|touched|touch) [the |my |our ]<topic>",
    ],
    read: ({ topic = "" }) =>
      /^(?:it|that|this|anything|something|things|stuff)\b/i.test(topic)
        ? undefined
        : { operation: "history", topic: aboutOf(topic) },
  },
];

/** `changing` goes before `knowing`: "what is new" asks for no topic. */
export const READING: readonly Rule[] = [
  ...STANDING,
  present,
  ...evolving,
  ...COMPARING,
  changedTopic,
  ...asking,
  ...listing,
  ...knowing,
];
