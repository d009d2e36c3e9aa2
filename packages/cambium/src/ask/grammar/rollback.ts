/**
 * To save a state, to revert changes, to roll back, and to begin again.
 *
 * @module
 */
import { countOf, nameOf, type Rule, unquoted } from "../patterns.js";
import { stateIn } from "../when.js";
import { labelsIn } from "./reading.js";
import { readTakingBack } from "./taking-back.js";

const THE_STATE =
  "(this|everything|my memory|your memory|my memories|your memories|the memory|where we are|where I am|how things are|how things are now|what you know|[my |the |our |your ][current |present ](state|progress|snapshot|memory))";

export const SAVING: readonly Rule[] = [
  {
    patterns: [
      `(save|checkpoint|snapshot|back up|backup|bookmark|remember|keep) ${THE_STATE} [now ](as|called|under|under the name|named) <name>`,
      "(make|create|set|take|save|add) [a |the |another ][new ](checkpoint|snapshot|save point|backup) (called|named|as|with the name) <name>",
      "(make|create|set|take|save|add) [a |another ](checkpoint|snapshot|save point) <name>",
      "checkpoint [this ](as|called|named) <name>",
      "name this state <name>",
    ],
    read: ({ name = "" }) => ({ operation: "checkpoint", name: unquoted(name) }),
  },
  {
    patterns: [
      `(save|checkpoint|snapshot|back up|backup|bookmark|remember|keep) ${THE_STATE} [now ](as|called|under the name|named) <words>`,
      "(make|create|set|take|save|add) [a |the |another ][new ](checkpoint|snapshot|save point|backup) (called|named|with the name) <words>",
      "(name|call|tag|mark|label|bookmark) (this|the current|my current) [state|moment|point|version][ as] <words>",
    ],
    read: ({ words = "" }) => ({ operation: "checkpoint", name: nameOf(words) }),
  },
  {
    patterns: [
      "(save|checkpoint|snapshot|back up|backup|bookmark|remember) [my |the |our |your |this ](current |present )[memory ](state|progress|memory|snapshot)[ now]",
      "(save|checkpoint|snapshot|back up|bookmark) [my |the |our |your |this ](memory state|state of (my|the|your) memory|state)[ now]",
      "(make|create|take|save) [me ][a |an ][new ](checkpoint|snapshot|save point|backup) (before|first|so that|in case|just in case) <reason>",
      "(make|create|take|save) [me ][a |an ][new ](checkpoint|snapshot|save point|backup) (first|just in case)",
      "(save|checkpoint|snapshot|back up|backup|bookmark) (everything|my memory|your memory|my memories|your memories|where we are|where I am|how things are|how things are now|what you know|the state|my state|my progress|the memory|the current state)[ now]",
      "(make|create|set|take|save|add) [a |another ][new ](checkpoint|snapshot|save point|backup)[ now| of this| of everything| of my memory| of my memories]",
      "checkpoint[ this| now]",
      "back (everything|it all|all of it|it|this) up[ now]",
      "snapshot[ this| now]",
    ],
    read: () => ({ operation: "checkpoint" }),
  },
  {
    patterns: [
      "(what|which) (checkpoints|backups|save points|snapshots) (are there|do you have|do I have|exist|can I go back to)",
      "(list|show|show me) [me ][all ][the |my |your ](checkpoints|backups|save points|snapshots)",
      "(checkpoints|backups)",
      "where can I go back to",
    ],
    read: () => ({ operation: "checkpoints" }),
  },
];

const CHANGES =
  "(changes|change|memories|memory|edits|edit|things|thing|updates|update|steps|step|operations|operation|writes)";

/** At once, by the library. */
const MOST_UNDONE = 1_000;

const undoing: readonly Rule[] = [
  {
    patterns: [
      `(undo|take back|revert|reverse) [the |my |your ](last|latest|previous|past|most recent) <count> ${CHANGES}`,
      `(undo|take back|revert|reverse) [the |my |your ](last|latest|previous) <count>`,
      `(undo|take back|revert|reverse) <count> ${CHANGES}`,
      `forget the last <count> (memories|things|changes)[ I told you| I said| you learned]`,
    ],
    read: ({ count }) => {
      const last = countOf(count);
      const isWithin = last >= 1 && last <= MOST_UNDONE;
      return isWithin
        ? { operation: "undo", last }
        : { why: `From 1 to ${MOST_UNDONE} changes can be taken back.` };
    },
  },
  {
    patterns: [
      "(undo|revert)[ it| that| this| again]",
      `(undo|take back|revert|reverse) [the |my |your |that |this ](last|latest|previous|most recent) ${CHANGES}`,
      "(undo|take back|revert|reverse) (the last|the latest) one",
      "(undo|take back|reverse) what (you|I|we) (just|last) (did|changed|wrote|said)",
      "take (that|it|this) back",
      "(undo|take back|revert|reverse|remove|delete) (the|that|this) (last|latest|newest|most recent) (memory|thing|note|change|one) [that ](you|I|we) [have ][just ](saved|made|wrote|remembered|stored|added|noted|did)",
      "(undo|take back|revert|reverse) (the (memory|thing|note|change)|what|whatever) [that ](you|I|we) [have ]just [now ](saved|made|wrote|remembered|stored|added|noted|did|changed)",
    ],
    read: () => ({ operation: "undo", last: 1 }),
  },
];

const GO =
  "(go|roll|revert|return|jump|switch|turn|move|step|reset|take me|take us|get|put things|put everything|bring everything|roll everything|set everything)";
const AS_IT_WAS =
  "[how |the way |where |what |as ](things|everything|it|we|I|my memory|your memory|my memories|your memories|all) (was|were|had been|looked|stood)[ like]";

const returning: readonly Rule[] = [
  {
    patterns: [
      `${GO} [back ]to ${AS_IT_WAS} <when>`,
      `${GO} [back ]to [the ](state|version|memory|memories) [of things |of everything ][from |of |as of |at |in ]<when>`,
      `${GO} back to <when>`,
      `(put|set|bring|turn|change|get) (everything|things|it|my memory|it all) back to [${AS_IT_WAS} ]<when>`,
      `(put|set|bring|turn|get) (everything|things|it|my memory|it all) back ${AS_IT_WAS} <when>`,
      "(roll back|rollback|revert|return|rewind|reset) to <when>",
      "(roll|wind|turn) (everything|things|my memory) back to <when>",
      "(restore|bring back|recover) (everything|the state|my memory|things|my memories|how things were|all) [to |as it was |as they were |from |as of |of |in |at ]<when>",
      "restore [to ][the |my ](last|latest|newest|most recent|previous) (checkpoint|backup|snapshot|save point)",
      "restore to <when>",
      "restore [the ](checkpoint|backup|snapshot) <name>",
      "(undo|take back|revert) everything since <since>",
      "(rewind|go back) <when>",
    ],
    read: async ({ when, name, since }, around) => {
      const named = name === undefined ? "the last checkpoint" : `checkpoint ${name}`;
      const written = when ?? (since === undefined ? named : `before ${since}`);
      const [, words = written, label] =
        /^(.+?),? (?:but )?only (?:for |in )?(?:the )?(.+)$/i.exec(written) ?? [];
      const isStretch = /^(?:a|an|one|two|three|\d+) (?:minute|hour|day|week|month|year)s?$/i.test(words);
      const to = await stateIn(isStretch ? `${words} ago` : words, around);
      if (to === undefined)
        return { why: `"${words}" names neither a date in the past nor a checkpoint to go back to.` };
      const only = label === undefined ? undefined : labelsIn(label);
      if (label !== undefined && only === undefined)
        return { why: `"${label}" is neither a category nor a tag; say "only category travel".` };
      return { operation: "rollback", to, ...(only === undefined ? {} : { only }) };
    },
  },
];

const BACKUP =
  "[, |,| ][but |and |while ][(keep|keeping|make|with|save|saving|after) ][me ][a |the ](backup|copy|checkpoint|snapshot)[ first| of everything| of it]";

const beginning: readonly Rule[] = [
  {
    patterns: [
      "(start|begin) (fresh|over|anew|from scratch) (on|in) [a |the ][new ]branch [called |named ]<name>",
      "(make|create) [me ]an empty branch [called |named ]<name>",
    ],
    read: ({ name = "" }) => ({ operation: "fresh", branch: unquoted(name) }),
  },
  {
    patterns: [
      `(start|begin) (fresh|over|anew|again|afresh|from scratch|with a clean slate|from zero|from nothing)[${BACKUP}]`,
      "(start|begin) (fresh|over|anew|again|afresh|from scratch|with a clean slate) (but|and) (keep|save|back up) (everything|what you know|my memories|the old memories|the old state)",
      `(wipe|clear|empty|reset|delete|hide) (the slate clean|everything|all memories|my memory|your memory|the memory|my memories|your memories|all my memories|all your memories)[${BACKUP}]`,
      `forget (everything|all|all memories|everything you know|all you know|all my memories|all your memories)[${BACKUP}]`,
      "(wipe|clean) the slate[ clean]",
      "(give|make|create|I need|I want) [me ]a (clean slate|fresh start|new start)[ without losing (everything|anything|what you know|my memories)| (but|and) keep (everything|a backup|a copy)]",
      "(start|begin) (fresh|over|anew|from scratch|again) without losing (everything|anything|what you know|my memories)",
      "(make|keep|take|save) a (backup|checkpoint|copy) and (start|begin) (fresh|over|anew|from scratch)",
    ],
    read: () => ({ operation: "fresh" }),
  },
];

const takingBack: Rule = {
  patterns: ["<sentence>"],
  read: ({ sentence = "" }, around) => readTakingBack(sentence, around),
};

export const ROLLBACK_PATTERN: readonly Rule[] = [...beginning, ...undoing, ...returning, takingBack];
