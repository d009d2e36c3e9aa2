/**
 * That something is wrong, without what is right; and what is asked of a memory that speaks up by itself.
 *
 * @module
 */
import { type Rule, unquoted } from "../patterns.js";
import { ASKS, NO_SUBJECT } from "./remembering.js";

const NOT_ONE = /^(?:something|anything|everything|nothing|all)\b|\bmemor(?:y|ies)\b/i;

const doubting: readonly Rule[] = [
  {
    patterns: [
      "[actually,][actually] (I|we) (remember|recall|remembered) [it |that |this |things ]differently",
      "[actually,][actually] (I|you|we) (was|were|am|are) (wrong|mistaken)",
      "(that|this) is (wrong|not right|not what I said|not true|incorrect)",
      "that is not how (I remember it|it was)",
    ],
    read: () => ({ operation: "doubt" }),
  },
  {
    patterns: [
      "[actually,][actually] (I|you|we) (was|were|am|are) (wrong|mistaken|not right|incorrect) about <topic>",
      "(I|we) (remember|recall|remembered) <topic> differently",
      "(what you know|what you have|what I said|what I told you|your memory|your memories|that) (about|of|on) <topic> (is|are|was|were) (wrong|not right|incorrect|outdated|out of date|not true|no longer true)",
      "(something|there is something) is wrong (with|about) (what you know (about|of|on)|your memories (of|about)) <topic>",
    ],
    read: ({ topic = "" }) =>
      /^(?:it|that|this|them)$/i.test(topic)
        ? { operation: "doubt" }
        : { operation: "doubt", topic: unquoted(topic) },
  },
  {
    patterns: [
      "[(I|we) (think|believe|guess|fear) [that ]]<topic> (is|are) (wrong|incorrect|outdated|out of date|no longer true|no longer right|not right anymore|not true anymore)",
    ],
    read: ({ topic = "" }) =>
      NO_SUBJECT.test(topic) || ASKS.test(topic) || NOT_ONE.test(topic)
        ? undefined
        : { operation: "doubt", topic: unquoted(topic) },
  },
  {
    patterns: [
      "(never mind|nevermind|nvm)[[,][,] (forget|scratch|ignore|drop|leave) (it|that)]",
      "[no][,] [(forget|scratch|ignore|drop|leave) (it|that)[,][;][.] ](never mind|nevermind|nvm|it doesn't matter|it's ok|it's okay|it's fine|all good)",
    ],
    read: () => ({
      why: 'Nothing was done. To take back the last change, say "undo that".',
      isFinal: true,
    }),
  },
  {
    patterns: [
      "(remember|memorize|memorise|note|save|store) (this|that|it)",
      "remember (something|this for me|that for me)",
    ],
    read: () => ({ why: "Say what, such as: remember that releases are cut on Thursdays", isFinal: true }),
  },
];

/** Nothing here speaks up by itself. */
const reminding: Rule = {
  patterns: [
    "(remind|alert|notify|ping|nudge|wake) me (on|at|in|tomorrow|tonight|next|every|when|before|after|by|later|this) <rest>",
    "(remind|alert|notify|ping|nudge) me to <rest>",
    "set (a|an|the) (reminder|alarm|timer) <rest>",
  ],
  read: (_slots, _around, sentence) => ({
    why: "There are no reminders here: a memory is found when somebody asks for it.",
    near: [
      {
        operation: "remember",
        example: `remember: ${sentence.replace(/^\w+ me (?:to )?/i, "").replace(/^(.+?) to (.+)$/, "$2, $1")}`,
      },
    ],
    isFinal: true,
  }),
};

export const DOUBTING: readonly Rule[] = [reminding, ...doubting];
