/**
 * How things stand: counts, what was forgotten, conflicts, the status, help.
 *
 * @module
 */
import { countOf, type Reading, type Rule } from "../patterns.js";
import { daysIn, stateIn } from "../when.js";
import { filtersIn } from "./composed.js";
import { readStanding } from "./concepts.js";
import { readForgotten } from "./past.js";

const counting: readonly Rule[] = [
  {
    patterns: [
      "how many (memories|notes|facts|things) (are there|do you have|do you know|do you remember|do I have|have you got|are stored|have you stored|do we have|are here)[ now| in total| all together| altogether]",
      "(count|number of) [my |the |your |all ](memories|notes|facts)",
      "how (much|many things) do you (know|remember)",
      "how (big|large|full) is (this|it|(my|the|your|this) [whole |entire ](memory|thing))[ now| by now]",
      "how (big|large|full) (has|did) (this|it|(my|the|your|this) [whole |entire ](memory|thing)) (got|gotten|grown|become|get)[ now| by now]",
    ],
    read: () => ({ operation: "count" }),
  },
  {
    patterns: [
      "how many [of (my|your|the|our) ](memories|notes|facts|entries) [(do|did) (I|we|you) have |have (I|we|you) got |(have you|did you) (stored|store) |are there |are |did |has |have |were |was |do ]<clauses>",
      "how (much|many things|many) (have|has|did) <clauses>",
    ],
    read: ({ clauses = "" }, around) => filtersIn(clauses, around, true),
  },
  {
    patterns: [
      "how many (memories|notes|facts|things) (did you have|did you know|were there|did we have) <when>",
    ],
    read: async ({ when = "" }, around) => {
      const at = await stateIn(when, around);
      return at === undefined ? undefined : { operation: "count", at };
    },
  },
  {
    patterns: [
      "what (have|did|has|was) [you |I |we |been ](forgotten|forget|forgot|deleted|delete|hidden|hide|removed|remove)[ so far| lately| recently]",
      "(did|have) (I|we) [ever ](ask|asked|tell|told) you to (forget|delete|remove|hide) (anything|something|things)[ at all]",
      "(did|have) (you|I|we) [ever ](forget|forgotten|delete|deleted|remove|removed|hide|hidden) (anything|something|things)[ at all]",
      "(list|show|show me) [me ][all ][the |my |your ](forgotten|deleted|hidden|removed) (memories|notes|things|ones)",
      "(list|show|show me) [me ][everything |all ][what |that ](you|I|we) [have ](forgotten|forgot|deleted|hidden|hid|removed)",
    ],
    read: () => ({ operation: "forgotten" }),
  },
  {
    patterns: [
      "what (have you|did you|did we|did I|was|has been) (forgotten|forget|forgot|deleted|delete|hidden|hide|removed|remove) <when>",
      "(list|show|show me) [me ][everything |all ][what |that ](you|I|we) [have ](forgotten|forgot|deleted|hidden|hid|removed) <when>",
      "(list|show|show me|tell me) [me ][everything |all ][what |that ](was|has been|got|were) (forgotten|deleted|hidden|removed) <when>",
    ],
    read: async ({ when = "" }, { now }) => {
      const period = await daysIn(when, now);
      return period === undefined
        ? { why: `"${when}" is not a time that can be read.` }
        : { operation: "forgotten", period };
    },
  },
  {
    patterns: [
      "[(give|make|get|send) me ](a|an|the) [full |complete |whole ](backup|export|copy|dump) of (everything|all|all of it|it all|my memory|my memories|the memory|all my memories)[ before <rest>]",
      "(export|download) (my|the|your|our|all|everything|all my|all the)[ AI][ memories| memory| state| data| notes| my memories][ for backup| as a backup| to a file| as json| as markdown]",
      "(export|back up|download|dump|save) (everything|it all|all|my memories|my memory|all memories|all my memories) (as|in|to|into|onto) [a |an |my |the ](file|files|json|jsonl|json lines|markdown|text|disk)[ format| files| file][ (to|in|into|on) <place>]",
      "(export|back up|download|dump|save) (everything|it all|all) outside",
      "(give me|can I have|could I have|I want|I need|may I have) [a |an |the ](backup|export|copy|full backup|dump) (of|for) (everything|my memory|my memories|all|it all|the memory|your memory|all my memories)",
    ],
    read: () => ({ operation: "export" }),
  },
  {
    patterns: [
      "[I think ]something (went|is|seems) (wrong|off|broken|weird|strange|odd)[ with (your|my|the) (memory|memories)]",
      "(your|my|the) memory (is|seems|looks) (wrong|off|broken|messed up|weird|strange|corrupted|a mess)",
      "what went wrong[ with (your|my|the) memory]",
    ],
    read: () => ({ operation: "recent" }),
  },
  {
    patterns: [
      "(show|list|show me|give me|tell me|what are|what were) [me ][the |my |your |our ](last|latest|newest|most recent) [<count> ](changes|edits|writes|memories|notes|things|facts|entries)[ (that |)(you|I|we|anyone) [have |has ](learned|learnt|saved|wrote|written|made|noted|remembered|added|stored|changed|did|done|told you)]",
      "what (was|is) the (last|latest|newest|most recent) (thing|memory|note|fact|change)[ (that |)(you|I|we|anyone) [have |has ](learned|learnt|saved|wrote|written|made|noted|remembered|added|stored|changed|did|done|told you)]",
      "what (did|have) (you|I|we) [just ](write|written|change|changed|save|saved|add|added|learn|learned|do|done|edit|edited) (last|most recently|just now)",
    ],
    read: ({ count }) =>
      count === undefined ? { operation: "recent" } : { operation: "recent", last: countOf(count) },
  },
];

/** "How many memories did each agent write": each label is told with its count. */
const EACH =
  /\b(?:each|every|per|by|different|single|various) (?:single )?(?<of>categor(?:y|ies)|tags?|labels?|agents?|bots?|assistants?|authors?|writers?|persons?|devices?|machines?)\b/i;
const COUNTED = /\b(?:how many|number|count(?:s|ed)?|breakdown|broken down|break down|tally|totals?)\b/i;
const OF_COUNTS =
  /^(?:how|many|much|the|a|an|of|in|for|with|from|under|on|by|per|each|every|single|different|various|my|our|your|all|there|are|is|was|were|do|does|did|have|has|had|got|we|I|you|it|been|be|count(?:s|ed)?|number|numbers|breakdown|broken|break|down|tally|totals?|memor(?:y|ies)|notes?|entr(?:y|ies)|facts?|things?|stored|saved|kept|filed|written|wrote|write|added|add|made|make|contributed|come|came|show|give|list|tell|me|us|see|what|which|so|far|here|now|and|to|belong)$/i;
function countsOfEach(sentence: string): Reading {
  const { of = "" } = EACH.exec(sentence)?.groups ?? {};
  if (of === "" || !COUNTED.test(sentence)) return undefined;
  const rest = sentence.replace(EACH, " ").match(/[\p{L}\p{N}'-]+/gu) ?? [];
  if (!rest.every((word) => OF_COUNTS.test(word))) return undefined;
  if (/^categor/i.test(of)) return { operation: "labels", of: "category" };
  if (/^(?:tag|label)/i.test(of)) return { operation: "labels", of: "tag" };
  return { operation: "labels", of: /^(?:device|machine)/i.test(of) ? "device" : "agent" };
}

const REACH = "(get|put|have|use|open|see|read|set up|install|run|sync|share|reach|access)";
const THIS =
  "(this|it|that|them|cambium|everything|all this|all that|all of this|(my|the|our|your|these) (memory|memories|notes))";
/** "My new phone", "the laptop": no device of somebody's story. */
const DEVICE =
  /^(?:(?:my|our|the|a|an|another|other|new|second|old|work|home|wife's|husband's|partner's|kids'|more|two|both) ){0,3}(?:phones?|mobiles?|iphone|android|laptops?|tablets?|ipads?|macs?|macbook|pcs?|computers?|desktops?|machines?|devices?)$/i;

const standing: readonly Rule[] = [
  {
    patterns: [
      `(how|where) (do|can|could|would|should) (I|we|you|one) ${REACH} ${THIS} [as well |also |too ](on|onto|to|with|from|in) <device>`,
      `(can|could|may) (I|we|you) [also ]${REACH} ${THIS} [as well |also |too ](on|onto|to|with|from|in) <device>`,
      `give me ${THIS} [as well |also |too ](on|onto) <device>`,
      "(does|will|can|would) (this|it|cambium|that) (work|run|go|sync) (on|with|to) <device>",
      "(how|where) (do|can|could|would|should) (I|we|you|one) (add|pair|connect|link|set up|hook up) (a|another|an|my|the|our) <device>",
    ],
    read: ({ device = "" }) =>
      DEVICE.test(device.replace(/ (?:too|as ?well|also|now)$/i, ""))
        ? { operation: "help", about: "devices" }
        : undefined,
  },
  {
    patterns: ["<sentence>"],
    read: ({ sentence = "" }) => countsOfEach(sentence) ?? readForgotten(sentence),
  },
  {
    patterns: ["<sentence>"],
    read: ({ sentence = "" }, around) => readStanding(sentence, around),
  },
  {
    patterns: [
      "[two |some ]agents (wrote|write|have|left) (contradicting|contradictory|conflicting|opposite) memories<rest>",
      "(resolve|settle|decide|fix|solve) [the |that |my |our |this ][<rest> ](conflict|conflicts)[ <more>]",
      "(in|for|on|of|with) the <rest> conflict[,] (take|keep|use|choose|pick|prefer|accept|go with) <more>",
      "(take|keep|use|choose|pick|prefer|accept|go with) <more> (in|for|of) the [<rest> ]conflict",
    ],
    read: () => ({ operation: "conflicts" }),
  },
  {
    patterns: [
      "(am I|are we|are you|is everything|is it|is my memory|are my memories) [all |fully ][saved and |stored and |backed up and ](in sync|synced|synchronized|synchronised|up to date|backed up to the relay)",
      "what is (pending|waiting|still to be synced|not synced[ yet])",
      "(how|what) is (my|your|the) (sync|memory) (doing|state)",
      "where am I",
      "(which|what) branch (am I on|are we on|is this|is it|is that)",
    ],
    read: () => ({ operation: "status" }),
  },
  {
    patterns: [
      "(how|where) (do|can|could|would|should) (I|we|you|one) (make|take|create|get|keep|do|have|set up|store) [a |an |my |the |some |regular ](backup|back-up|backups|copy|export|dump)[ <rest>]",
      "(how|where) (do|can|could|would|should) (I|we|you|one) (back up|backup|export) [<rest>]",
      "(how|where) (do|can|could|would|should) (I|we|you|one) back (this|it|everything|all of it|my memory|my notes) up[ <rest>]",
    ],
    read: ({ rest = "" }) =>
      /^(?:of|from|for) (?!(?:this|it|that|all|everything|my|the|our|these|those)\b)/i.test(rest)
        ? undefined
        : { operation: "export" },
  },
  {
    patterns: [
      "help[ me]",
      "what can (I|you|one) [actually |really |even ](do|ask|say|understand)[ you| here| with you| for me]",
      "what (do|are) you [actually |even ](do|for)",
      "what (sort|sorts|kind|kinds) of (thing|things|question|questions|request|requests|stuff) can (I|you|one) (do|ask|say|type|write|understand)[ you| you for| of you| here| with you| for me]",
      "(how|where) (do|can|could|would|should) (I|you|we|one) (undo|restore|merge|forget|correct|revise|save|erase|go back|take back|get back|bring back|roll back) (things|stuff|something|anything|it|that|this|a mistake|mistakes|changes|a change|memories|a memory|notes|a note)[ <rest>]",
      "what do you understand",
      "how does this work",
      "how do I use (this|you|cambium)",
      "what are (the|your) (commands|options)",
      "(show|show me) [some |me ](help|examples)",
    ],
    read: () => ({ operation: "help" }),
  },
];

export const STANDING: readonly Rule[] = [...standing, ...counting];
