/**
 * To forget one thing, and to bring back what was forgotten.
 *
 * @module
 */
import { aboutOf, type Rule, unquoted } from "../patterns.js";
import { daysIn } from "../when.js";
import { isBranchName } from "./branching.js";
import { readForgetOne } from "./taking-back.js";
import { REMOVE, TAKING } from "./words.js";

const RESTORE = "(restore|unforget|undelete|unhide|recover|retrieve|bring back|get back)";
const HID =
  "(forgot|forgotten|deleted|removed|hid|hidden|lost|erased|dropped|discarded|threw away|thrown away)";
/** What a note is about, or has in it. */
const ABOUT =
  "(about|on|of|with|for|regarding|concerning|mentioning|containing|saying|where|that says|which says|that mentions)";
const A_MEMORY = "(memory|memories|note|notes|fact|facts|thing|things|part|bit|one|entry|reminder)";

const forgetting: readonly Rule[] = [
  {
    patterns: [
      `(don't|do not|never|you must not|you should not|you shouldn't) (remember|memorize|save|store|keep|record|note|learn|write|add|change|merge|restore|combine|${TAKING.filter((verb) => verb !== "forget").join("|")}) <topic>`,
      "(don't|do not|never|stop) (remember|remembering|saving|storing|learning|deleting|changing) [anything|everything|things]",
    ],
    read: ({ topic = "" }) =>
      / (?:anymore|any more)$/i.test(topic)
        ? undefined
        : {
            why: "This says what is not to be done. Nothing is done here unless it is asked for, and what agents may do is set by: cambium policy",
            isFinal: true,
          },
  },
  {
    patterns: ["(erase|destroy|purge|shred|wipe) <topic>"],
    read: () => ({
      why: "Nothing is erased for good here: what is forgotten is hidden, and can be brought back. To destroy it on every device: cambium erase <id> --preview",
    }),
  },
  {
    patterns: [
      "forget (that|this)",
      "forget (that|the|this) last (one|thing|bit|memory|note|fact)",
      "forget (what|the thing) (I|we) [just ](said|told you|mentioned)",
      "forget what I [just ](said|told you|mentioned)",
      `${REMOVE} (the|that|my) (last|latest|newest|most recent) (memory|note|fact)`,
      `${REMOVE} (that|this) (memory|note|fact)`,
    ],
    read: () => ({ operation: "forget", all: false }),
  },
  {
    patterns: ["forget that <statement>", "(stop remembering|unlearn|no longer remember) that <statement>"],
    read: ({ statement = "" }, around) => readForgetOne(statement, around, { isStatement: true }),
  },
  {
    patterns: [
      "(forget|delete|remove|drop|discard|scrap|scratch|hide) (what|whatever|the thing) [that ](I|we|you) [just ](said|told you|mentioned|wrote|learned|learnt|know|noted|saved) (about|on|of) <topic>",
    ],
    read: ({ topic = "" }, around) => readForgetOne(topic, around, { isTold: true }),
  },
  {
    patterns: [
      `${REMOVE} [the |that |my |your |our ]${A_MEMORY} ${ABOUT} <topic>`,
      `${REMOVE} [the |that |my |your |our ]${A_MEMORY} that <topic>`,
      `${REMOVE} (the|my|our) <theme>`,
      "forget about <topic>",
      "(you can|you may|you should) forget [about |that ]<topic>",
      "(stop remembering|unlearn|no longer remember) <topic>",
      "don't remember [that ]<topic> (anymore|any more)",
      "forget <topic>",
    ],
    read: ({ topic, theme = "" }, around) =>
      topic === undefined && (isOther(theme) || isBranchName(theme, around))
        ? undefined
        : readForgetOne(topic ?? theme, around, { isBare: topic === undefined }),
  },
];

const isOther = (theme: string): boolean =>
  OURS.test(theme) ||
  OTHERS.test(theme.split(/ (?:in|on|of|from|at|for|to|with|about|called|named) /i)[0] ?? "");
/** Of these there are other requests. */
const OURS =
  /\b(?:branch(?:es)?|checkpoints?|snapshots?|backups?|experiments?|trials?|attempts?|reminders?|tags?|categor(?:y|ies)|duplicates|memory|memories|notes|facts|things|stuff|rest|ones?|two|three|four|five|half|some|most|bit|others?|last|latest|newest|first|oldest|past|previous|history|space|device)\b/i;
/** These are other programs' to remove. */
const OTHERS =
  /\b(?:files?|folders?|director(?:y|ies)|downloads?|apps?|e-?mails?|mails?|containers?|databases?|tables?|repos?|repository|commits?|accounts?|windows?|tabs?|lines?|functions?|class|packages?|dependenc(?:y|ies)|images?|process(?:es)?|servers?|deployments?|calendar|cache)(?: \S+\.\w+)?$/i;

const THE_LAST = `[the |my |our ](last|latest|newest|most recent) [(deleted|forgotten|removed|hidden) ][${A_MEMORY} ]`;
const bringingBack: readonly Rule[] = [
  {
    patterns: [
      `${RESTORE} ${THE_LAST}[that |which ][(I|we|you|someone|somebody) ][just ][(deleted|forgot|removed|hid|dropped|was deleted|was forgotten|was removed)]`,
      "(restore|unforget|recover|bring back) (that|it|this|the last one|the last memory|that memory|what you just forgot)",
      "bring (that|it|this|that memory) back",
      "(restore|recover|bring back) what (you forgot|was forgotten|you forgot last|was forgotten last)",
    ],
    read: () => ({ operation: "restore" }),
  },
  {
    patterns: [
      "(revert|restore|set|put|change|bring|reset|roll back|turn|take) [the |my |our |that ]<topic> [back ]to (what (it|they) (was|were|said|had been)|how (it|they) (was|were|read)|the way (it|they) (was|were)|its (previous|old|earlier|former|last) (text|version|value|wording|state))[ before| earlier| previously| last time| the version before| one version ago| in the (last|previous|earlier|old) version]",
    ],
    read: ({ topic = "" }) =>
      /^(?:everything|all|it|that|this|them|things|main|memory|my memory)\b/i.test(topic)
        ? undefined
        : { operation: "restore", topic: aboutOf(topic), isEarlier: true },
  },
  {
    patterns: [
      `${RESTORE} (what|whatever|everything|all|the ${A_MEMORY}) [that ](you|I|we) ${HID} <when>`,
      `${RESTORE} (what|whatever|everything|all|the ${A_MEMORY}) [that ](was|were|got) ${HID} <when>`,
      `bring (what|whatever|everything|the ${A_MEMORY}) [that ](you|I|we) ${HID} <when> back`,
    ],
    read: async ({ when = "" }, { now }) => {
      const about = /^about (.+)$/i.exec(when)?.[1];
      if (about !== undefined) return { operation: "restore", topic: unquoted(about) };
      const days = await daysIn(when, now);
      if (days === undefined) return { why: `"${when}" is not a time that can be read.` };
      return { operation: "restore", forgotten: { ...days, said: when } };
    },
  },
  {
    patterns: [
      `${RESTORE} [the |that |my |your ][${A_MEMORY} (about|on|of) ]<topic> [that |which ](you|I|we|was|were|got) [have |has been ]${HID} <when>`,
    ],
    read: async ({ topic = "", when = "" }, { now }) => {
      const days = await daysIn(when, now);
      if (days === undefined) return { why: `"${when}" is not a time that can be read.`, isFinal: true };
      return { operation: "restore", topic: unquoted(topic), forgotten: { ...days, said: when } };
    },
  },
  {
    patterns: [
      `(restore|recover|bring back|get back) [the |that |my |your ]${A_MEMORY} ${ABOUT} <topic>`,
      `(bring|get|put) [the |that |my |your ]${A_MEMORY} ${ABOUT} <topic> back`,
      "(restore|recover|bring back) (what you (knew|know)|what you forgot) (about|on|of) <topic>",
      "unforget <topic>",
    ],
    read: ({ topic = "" }) => ({ operation: "restore", topic: unquoted(topic) }),
  },
];

export const HIDING: readonly Rule[] = [...bringingBack, ...forgetting];
