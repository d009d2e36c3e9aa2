/**
 * How things stand: counts, what was forgotten, conflicts, the status, help.
 *
 * @module
 */
import { countOf, type Rule } from "../patterns.js";
import { daysIn, stateIn } from "../when.js";
import { filtersIn } from "./composed.js";

const counting: readonly Rule[] = [
  {
    patterns: [
      "how many (memories|notes|facts|things) (are there|do you have|do you know|do you remember|do I have|have you got|are stored|have you stored|do we have|are here)[ now| in total| all together| altogether]",
      "(count|number of) [my |the |your |all ](memories|notes|facts)",
      "how (much|many things) do you (know|remember)",
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
      "what (have you|did you|was|has been) (forgotten|forget|forgot|deleted|delete|hidden|hide|removed|remove)[ so far| lately| recently]",
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
      "what (did|have) (you|I|we) [just ](write|written|change|changed|save|saved|add|added|learn|learned) last",
    ],
    read: ({ count }) =>
      count === undefined ? { operation: "recent" } : { operation: "recent", last: countOf(count) },
  },
];

const TO_SEE =
  "[ [that |which ](I|we) (should|need to|must|have to|can|ought to) (look at|see|know|know about|decide|resolve|fix|settle|handle|deal with)| to (look at|resolve|decide|settle|fix|solve)]";

const standing: readonly Rule[] = [
  {
    patterns: [
      "(what|which) conflicts (are|do we have|do I have|exist|remain) [still ][open|there|left|unresolved|now]",
      "(what|which) [open ]conflicts [are there]",
      `(are|is) there [any |still ][any ][open |unresolved ]conflicts[ open| left]${TO_SEE}`,
      "(show|list|show me) [me ][all ][the |my ][open |unresolved ]conflicts",
      "[any ]conflicts",
      "(are|is) there [any |still ]contradictions",
      "[two |some ]agents (wrote|write|have|left) (contradicting|contradictory|conflicting|opposite) memories<rest>",
      "what is in conflict",
      "(which|what|do any|do some|do|are any|are) [of ][my |the |your |our ](facts|memories|notes|things|entries) [are ](contradict|contradicting|contradictory|conflict|conflicting|disagree|disagreeing|inconsistent|in conflict)[ing][ each other| with each other| one another]",
      "what contradicts[ each other| itself]",
      `(do|have) (you|I|we) [have |got ][any ][open |unresolved ]conflicts[ to (resolve|decide|solve|settle|fix|look at)| left| open]`,
      "(did|does|has) (anything|something) conflict[ed][ during the merge| while merging| after the merge]",
      "what (do|did) (you|we|the sides) disagree (on|about)",
      "(resolve|settle|decide|fix|solve) [the |that |my |our |this ][<rest> ](conflict|conflicts)[ <more>]",
      "(in|for|on|of|with) the <rest> conflict[,] (take|keep|use|choose|pick|prefer|accept|go with) <more>",
      "(take|keep|use|choose|pick|prefer|accept|go with) <more> (in|for|of) the [<rest> ]conflict",
      "what is (undecided|unresolved)",
      "is (anything|something) [still ](undecided|unresolved|in conflict)",
    ],
    read: () => ({ operation: "conflicts" }),
  },
  {
    patterns: [
      "what is (my|the|your|our) [sync |current ](status|state)",
      "(show|show me|give me) [my |the |your ][sync |current ]status",
      "[sync ]status",
      "(am I|are we|are you|is everything|is it|is my memory|are my memories) [all |fully ][saved and |stored and |backed up and ](in sync|synced|synchronized|synchronised|up to date|backed up to the relay)",
      "what is (pending|waiting|still to be synced|not synced[ yet])",
      "(how|what) is (my|your|the) (sync|memory) (doing|state)",
      "(is|are) [my |our |the ](<device>) [already |still |now ](in sync|synced|up to date|connected|online|offline)[ <rest>]",
      "(has|have|did) [my |our |the ](<device>) [already ](synced|sync|get|got|gotten|received|receive|fetched|caught up|catch up) [the |all |my ][latest |newest |last |new |recent |all ](changes|memories|state|notes|updates|everything)[ yet| already| so far| by now]",
      "(has|did) [my |our |the ](<device>) (synced|sync)[ yet| already| so far| by now| today]",
      "when (did|was) [my |our |the ](<device>) last (sync|synced|seen|there|connected|online)",
      "where am I",
      "(which|what) branch am I on",
    ],
    read: () => ({ operation: "status" }),
  },
  {
    patterns: [
      "help[ me]",
      "what can (I|you|one) (do|ask|say|understand)[ you| here]",
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
