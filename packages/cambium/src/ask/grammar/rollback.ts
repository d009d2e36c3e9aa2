/**
 * To save a state, to revert changes, to roll back, and to begin again.
 *
 * @module
 */
import { countOf, nameOf, type Rule, unquoted } from "../patterns.js";
import { knownCheckpoint, stateIn } from "../when.js";
import { labelsIn } from "./labels.js";
import { readTakingBack } from "./taking-back.js";
import { REMOVE, REVERT } from "./words.js";

const THE_STATE =
  "(this|this (state|point|version|moment|spot)|the state as it is|everything|my memory|your memory|my memories|your memories|the memory|where we are|where I am|how things are|how things are now|what you know|[my |the |our |your ][current |present ](state|progress|snapshot|memory))";

export const SAVING: readonly Rule[] = [
  {
    patterns: [
      `(save|checkpoint|snapshot|back up|backup|bookmark|remember|keep) ${THE_STATE} [right ][now ](as|called|under|under the name|named) <name>`,
      "(make|create|set|take|save|add) [a |the |another ][new ](checkpoint|snapshot|save point|backup) (called|named|as|with the name) <name>",
      "(make|create|set|take|save|add) [a |another ](checkpoint|snapshot|save point) <name>",
      "checkpoint [this ](as|called|named) <name>",
      "name this state <name>",
    ],
    // "Save this as important: the passport expires" is no name.
    read: ({ name = "" }, _around, sentence) =>
      COLON.test(sentence) ? undefined : { operation: "checkpoint", name: unquoted(name) },
  },
  {
    patterns: ["(checkpoint|snapshot) <name>"],
    read: ({ name = "" }) =>
      /^(?:this|now|it|everything|list|status|names?)$/i.test(name)
        ? undefined
        : { operation: "checkpoint", name: unquoted(name) },
  },
  {
    patterns: [
      `(save|checkpoint|snapshot|back up|backup|bookmark|remember|keep) ${THE_STATE} [right ][now ](as|called|under the name|named) <words>`,
      "(make|create|set|take|save|add) [a |the |another ][new ](checkpoint|snapshot|save point|backup) (called|named|with the name) <words>",
      "(name|call|tag|mark|label|bookmark) (this|the current|my current) [state|moment|point|version][ as] <words>",
    ],
    read: ({ words = "" }, _around, sentence) =>
      COLON.test(sentence)
        ? undefined
        : { operation: "checkpoint", name: nameOf(words.replace(WHAT_FOR, "")) },
  },
  {
    patterns: [
      "(save|checkpoint|snapshot|back up|backup|bookmark|remember) [my |the |our |your |this ](current |present )[memory ](state|progress|memory|snapshot)[ now]",
      "(save|checkpoint|snapshot|back up|bookmark) [my |the |our |your |this ](memory state|state of (my|the|your) memory|state)[ now]",
      "(make|create|take|save|keep) [me ][a |an ][new ](checkpoint|snapshot|save point|backup) (before|first|so that|in case|just in case) <reason>",
      "(make|create|take|save) [me ][a |an ][new ](checkpoint|snapshot|save point|backup) (first|just in case)",
      "(save|checkpoint|snapshot|bookmark) (everything|my memory|your memory|my memories|your memories|where we are|where I am|how things are|how things are now|what you know|the state|my state|my progress|the memory|the current state)[ now]",
      "(make|create|set|take|save|add) [me ][a |another ][new ](checkpoint|snapshot|save point)[ now| of this| of everything| of my memory| of my memories]",
      "checkpoint[ this| now]",
      "snapshot[ this| now]",
    ],
    read: () => ({ operation: "checkpoint" }),
  },
  {
    // A copy outlives what it is a copy of; "before I tidy up", a checkpoint serves.
    patterns: [
      "(back up|backup) (everything|my memory|your memory|my memories|your memories|what you know|the memory)[ now]",
      "(make|create|set|take|save|add) [me ][a |another ][new ]backup[ now| of this| of everything| of my memory| of my memories]",
      "back (everything|it all|all of it|it|this) up[ now]",
    ],
    read: () => ({ operation: "export" }),
  },
  {
    patterns: [
      "(what|which) (checkpoints|backups|save points|snapshots) (are there|do you have|do I have|exist|can I go back to)",
      "(list|show|show me) [me ][all ][the |my |your ](checkpoints|backups|save points|snapshots)",
      "(which|what) [is the ](checkpoint|backup|snapshot) is [the ](newest|latest|last|oldest|most recent)",
      "what is (the|my|our) (newest|latest|last|oldest|most recent) (checkpoint|backup|snapshot)",
      "(checkpoints|backups)",
      "where can I go back to",
    ],
    read: () => ({ operation: "checkpoints" }),
  },
];

/** What is to be remembered follows one. */
const COLON = /[^"']: /;
/** "So that we can return to it" is no part of a name. */
const WHAT_FOR =
  /,? (?:so(?: that)? (?:I|we|you|it|they|nobody|nothing)\b|because |in case |just in case|in order to |before (?:I|we|you|they|it)\b|to be (?:safe|sure)|for (?:later|safety|safe keeping|now)$|when (?:I|we)\b).*$/i;

const CHANGES =
  "(changes|change|memories|memory|notes|note|facts|fact|entries|edits|edit|things|thing|updates|update|steps|step|operations|operation|writes)";
const LAST = "(last|latest|newest|previous|past|most recent)";
/** "That I saved", which says that memories were written. */
const WRITTEN = "[that |which ](I|we|you) [have |had ]<did>[ you| us| me| here| down]";

/** At once, by the library. */
const MOST_UNDONE = 1_000;

const undoing: readonly Rule[] = [
  {
    patterns: [
      "redo[ that| it| this| the last change| my last change| the last one| what I undid| what you undid]",
      "(undo|revert|take back) (the|my|that|your) [last ]undo",
      "(bring|get) back what (I|you|we) [just ](undid|undone|have undone)",
    ],
    read: () => ({ operation: "undo", last: 1, isRedo: true }),
  },
  {
    patterns: [
      `(${REVERT}|${REMOVE}) [the |my |our |your |those |these ]${LAST} <count> ${CHANGES} ${WRITTEN}`,
      `(${REVERT}|${REMOVE}) [the |my |our |your |those |these ]<count> ${LAST} ${CHANGES} ${WRITTEN}`,
      `(${REVERT}|${REMOVE}) [the |my |our |your |those |these ]${LAST} <count> ${CHANGES}`,
      `(${REVERT}|${REMOVE}) [the |my |our |your |those |these ]<count> ${LAST} ${CHANGES}`,
      `${REVERT} [the |my |our |your ]${LAST} <count>`,
      `${REVERT} <count> ${CHANGES}`,
    ],
    read: ({ count, did }) => {
      const last = countOf(count);
      const isWithin = last >= 1 && last <= MOST_UNDONE;
      return isWithin
        ? { operation: "undo", last, ...(isOfWriting(did) ? { isWriting: true } : {}) }
        : { why: `From 1 to ${MOST_UNDONE} changes can be taken back.` };
    },
  },
  {
    patterns: [
      "(undo|revert|cancel)[ it| that| this| again]",
      "(scratch|scrap|strike) (that|this|it)",
      `${REVERT} [the |my |our |your |that |this ]${LAST} ${CHANGES}`,
      `${REVERT} (the|that|this) (last|latest) (one|bit|step|edit|thing)`,
      `${REVERT} (what|whatever) (you|I|we) (just|last) (did|changed|wrote|said)`,
      "(take|put) (that|it|this) back[ please| again]",
      `(${REVERT}|${REMOVE}) (the|my|our|that|this) ${LAST} (${CHANGES}|one) ${WRITTEN}`,
      `${REVERT} (the (memory|thing|note|change)|what|whatever) [that ](you|I|we) [have ]just [now ]<did>`,
    ],
    read: ({ did }) => ({ operation: "undo", last: 1, ...(isOfWriting(did) ? { isWriting: true } : {}) }),
  },
];

const isOfWriting = (did: string | undefined): boolean =>
  did !== undefined && !/\b(?:did|done|do|changed|edited|made)$/i.test(did);

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
      "(reset|revert|return|restore|rewind) (everything|things|it all|my memory|the memory|all memories) [back ]to <when>",
      "(restore|bring back|recover) (everything|the state|my memory|things|my memories|how things were|all) [to |as it was |as they were |from |as of |of |in |at ]<when>",
      "restore [to ][the |my ](last|latest|newest|most recent|previous) (checkpoint|backup|snapshot|save point)",
      "restore to <when>",
      "restore [the ](checkpoint|backup|snapshot) <name>",
      "(restore|go back to|bring back) [the |my ](checkpoint|backup|snapshot) [called |named ]<when>",
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

const FROM_NOTHING =
  "(from scratch|from zero|from nothing|from the beginning|with a clean slate|with an empty memory|with nothing)";
const START = `(start|begin) [all |everything |completely ](fresh|over|anew|again|afresh|new|over again|${FROM_NOTHING})[ again][ fresh][ ${FROM_NOTHING}]`;
const ALL_OF_IT =
  "(the slate clean|everything|all memories|my memory|your memory|the memory|my memories|your memories|all my memories|all your memories|all of it|it all)";

const beginning: readonly Rule[] = [
  {
    patterns: [
      `${START} (on|in) [a |the ][new ]branch [called |named ]<name>`,
      "(make|create) [me ]an empty branch [called |named ]<name>",
    ],
    read: ({ name = "" }) => ({ operation: "fresh", branch: unquoted(name) }),
  },
  {
    patterns: [
      `${START}[${BACKUP}]`,
      `${START} (but|and) (keep|save|back up) (everything|what you know|my memories|the old memories|the old state)`,
      `(wipe|clear|empty|reset|delete|hide|clean) ${ALL_OF_IT}[ out| away][${BACKUP}]`,
      `(wipe|clear|empty|reset|delete|hide|clean) [out |away ]${ALL_OF_IT}[ out| away][,] and ${START}`,
      `forget (everything|all|all memories|everything you know|all you know|all my memories|all your memories)[${BACKUP}]`,
      "(wipe|clean) the slate[ clean]",
      "(give|make|create|I need|I want) [me ]a (clean slate|fresh start|new start)[ without losing (everything|anything|what you know|my memories)| (but|and) keep (everything|a backup|a copy)]",
      `${START} without losing (everything|anything|what you know|my memories)`,
      `(make|keep|take|save) a (backup|checkpoint|copy) and ${START}`,
    ],
    read: () => ({ operation: "fresh" }),
  },
];

const POINT = "(checkpoint|snapshot|save point)";
const deletingPoints: readonly Rule[] = [
  {
    patterns: [
      `(${REMOVE}|erase) [the |my |our |that ]${POINT} [called |named |from |of ]<words>`,
      `(${REMOVE}|erase) [the |my |our |that ](backup|copy) [called |named |from |of ]<words>`,
      `(${REMOVE}|erase) [the |my |our |that ]<words> ${POINT}`,
      `(${REMOVE}|erase) [the |my |our |that ]<words> backup`,
    ],
    read: ({ words = "" }, { checkpoints }, sentence) => {
      // "Forget the backup of the photos" may be about a memory.
      const isPoint = /\b(?:checkpoint|snapshot|save point)\b/i.test(sentence) && !/^forget /i.test(sentence);
      const [newest] = checkpoints;
      const name = NEWEST.test(words) ? newest : knownCheckpoint(words, checkpoints);
      if (name !== undefined) return { operation: "delete-checkpoint", name };
      const known =
        checkpoints.length === 0 ? "There is none." : `There are: ${checkpoints.slice(0, 5).join(", ")}.`;
      return isPoint
        ? { why: `No checkpoint is called "${unquoted(words)}". ${known}`, isFinal: true }
        : undefined;
    },
  },
];
const NEWEST = /^(?:last|latest|newest|most recent)$/i;

const takingBack: Rule = {
  patterns: ["<sentence>"],
  read: ({ sentence = "" }, around) => readTakingBack(sentence, around),
};

export const ROLLBACK_PATTERN: readonly Rule[] = [
  ...beginning,
  ...undoing,
  ...deletingPoints,
  ...returning,
  takingBack,
];
