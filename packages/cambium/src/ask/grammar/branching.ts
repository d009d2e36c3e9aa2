/**
 * Branches: to try things on one, and to bring it back in.
 *
 * @module
 */

import { shellWord } from "@cambium/core/text";
import type { Intent, ParsedBranch, Surroundings } from "../intent.js";
import { nameOf, type Reading, type Rule, type Slots, unquoted } from "../patterns.js";
import { stateIn } from "../when.js";
import { labelsIn } from "./labels.js";
import { REMOVE } from "./words.js";

const ARTICLES =
  /^(?:(?:the |my |our |your |a )+|(?:memories|notes|changes|things|stuff|everything) (?:of|from|on) )+/i;
const NOUNS =
  /(?: (?:branch|persona|memories|memory|notes|changes|edits|things|stuff|experiments?|side|together|back))+$/i;

/** What is not a trial. */
const THE_MAIN_ONE =
  /^(?:the )?(?:normal|real|main|usual|original|default|regular) (?:one|branch|memory|version|line|state)$/i;

/** @returns the branches that the words can mean: one of that name, else those that bear it as a part */
export function parseBranch(words: string, { branches }: Surroundings): ParsedBranch {
  const parsed = unquoted(words.trim());
  const written = THE_MAIN_ONE.test(parsed) && branches.includes("main") ? "main" : parsed;
  const wanted = unquoted(written.replace(/^(?:the )?branch (?:called |named )?/i, "").replace(ARTICLES, ""));
  const short = wanted.replace(NOUNS, "");
  const isNamed = (name: string) => (branch: string) => slug(branch) === slug(name);
  for (const name of [written, wanted, short]) {
    const exact = branches.filter((branch) => branch === name);
    const same = exact.length > 0 ? exact : branches.filter(isNamed(name));
    if (same.length > 0) return { said: name, matches: same };
  }
  const parts = slug(short).split("-");
  const bearing = branches.filter((branch) => parts.every((part) => slug(branch).split("-").includes(part)));
  return { said: short, matches: bearing };
}

/** Whether it is the whole name of a branch that is there. */
export const isBranchName = (words: string, { branches }: Surroundings): boolean =>
  branches.some((branch) => slug(branch) === slug(unquoted(words)));

const slug = (name: string): string => name.toLowerCase().replace(/[\s._/-]+/g, "-");

/** Whether it was said that this is about a branch or memories; else only a known branch is one. */
const isAboutUs = (words: string): boolean => /\b(?:branch|memory|memories|persona)\b/i.test(words);

const ending: readonly Rule[] = [
  {
    patterns: [
      `(${REMOVE}|kill|close|abandon) [the |my |our ]branch [called |named ]<name>`,
      `(${REMOVE}|kill|close|abandon) [the |my |our ]<name> branch`,
    ],
    read: ({ name = "" }, around) => ({ operation: "delete-branch", branch: parseBranch(name, around) }),
  },
  {
    // "Forget draft" may be about what a memory says.
    patterns: [
      "(delete|remove|drop|discard|scrap|trash|bin|ditch|toss|throw away|throw out|get rid of|kill|abandon) [the |my |our ]<name>",
    ],
    read: ({ name = "" }, around) =>
      isBranchName(name, around)
        ? { operation: "delete-branch", branch: parseBranch(name, around) }
        : undefined,
  },
  {
    patterns: ["rename <old> (to|as|into) <name>"],
    read: ({ old = "", name = "" }, around) =>
      isBranchName(old, around)
        ? { operation: "rename-branch", branch: parseBranch(old, around), name: unquoted(name) }
        : undefined,
  },
  {
    patterns: [
      "rename [the |my |our ]branch [called |named ]<old> (to|as|into) <name>",
      "rename [the |my |our ]<old> branch (to|as|into) <name>",
      "(call|name) the branch <old> <name>[ instead| from now on]",
      "(call|name) the <old> branch <name>[ instead| from now on]",
    ],
    read: ({ old = "", name = "" }, around) => ({
      operation: "rename-branch",
      branch: parseBranch(old, around),
      name: unquoted(name),
    }),
  },
];

const NOUNS_OF =
  "(memories|notes|facts|things|stuff|entries|ones|part|parts|everything|anything|what|those|bits|items|ideas|decisions)";

/** "But only the memories about deploy", "without what is tagged draft": of what the branch has. */
function scopeIn({ topic, labels, left }: Slots): MergeScope | undefined {
  if (topic !== undefined) return isOneTopic(topic) ? { topic: unquoted(topic) } : undefined;
  const kept = labels === undefined ? undefined : labelsIn(labels);
  const out = left === undefined ? undefined : labelsIn(left);
  return kept ?? (out && { not: out });
}

type MergeScope = NonNullable<Extract<Intent, { operation: "merge" }>["only"]>;

const isOneTopic = (topic: string): boolean =>
  unquoted(topic) !== topic || !/[,;]|\b(?:and|or|but|not|except|only|from|since|before)\b/i.test(topic);

const merged = ({ from: source = "", into: target, ...slots }: Slots, around: Surroundings): Reading => {
  const only = scopeIn(slots);
  const from = parseBranch(source, around);
  const isHere = target === undefined || /^(?:here|this branch|the main one)$/i.test(target);
  const into = isHere ? undefined : parseBranch(target, around);
  if (only === undefined || from.matches.length === 0 || into?.matches.length === 0) return undefined;
  return { operation: "merge", from, ...(into === undefined ? {} : { into }), only };
};

const WHAT_OF = [
  `[the |those |all |my |our ]${NOUNS_OF} [that ][is |are ](about|on|mentioning|concerning) <topic>`,
  `[the |those |all ][${NOUNS_OF} ][that ][is |are ]<labels>`,
];
const ONLY = "(only|just)";
const LEAVE =
  "(leave out|leaving out|leave|not|without|skip|except|except for|excluding|don't take|don't merge|don't bring)";

const mergingPart: Rule = {
  patterns: [
    ...WHAT_OF.flatMap((what) => [
      `(merge|bring|take|bring in|merge in) ${ONLY} ${what} (from|of|on) <from> (into|in|to|back into|over to) <into>`,
      `(merge|bring|take|bring in|merge in) ${ONLY} ${what} (from|of|on) <from>`,
      `(from|of) <from>[,] (merge|bring|take) ${ONLY} ${what}[ (into|in|to) <into>]`,
      `(merge|bring) <from> (into|in|to|back into) <into>[,] [but |and ]${ONLY} ${what}`,
      `(merge|bring back|bring in|merge in) <from>[,] [but |and ]${ONLY} ${what}`,
    ]),
    // What is named is all that is meant.
    `(merge|bring|take|bring in|merge in|pull|copy) ${WHAT_OF[0]} [over |back |in ](from|of|on) <from>[ (into|in|to|back into|over to) <into>][[,] [but |and ](nothing else|not the rest|leave the rest|only that|only those|only these)]`,
    `(merge|bring) <from> (into|in|to|back into) <into>[,] [but |and ]${LEAVE} [the |those |all |any |anything |everything |what is |whatever is ][${NOUNS_OF} ][that (is|are) ]<left>`,
    `(merge|bring back|bring in|merge in) <from>[,] [but |and ]${LEAVE} [the |those |all |any |anything |everything |what is |whatever is ][${NOUNS_OF} ][that (is|are) ]<left>`,
  ],
  read: merged,
};

const merging: readonly Rule[] = [
  mergingPart,
  {
    patterns: [
      "what (would|will|is going to) (change|happen|come|be new) (if|when) (I|we|you) (merge|merged|bring in|brought in) [in ]<from>[ into <into>]",
    ],
    read: ({ from: source = "" }, around) => ({
      why: `A merge is shown before it is made: cambium merge ${shellWord(parseBranch(source, around).matches[0] ?? source)} --preview`,
      isFinal: true,
    }),
  },
  {
    patterns: [
      "(merge|bring|fold|take|join|combine|integrate|put) <from> [back |together ](in|into|to|with|onto) <into>",
      "(merge|bring|fold|take|join|integrate) <from> (back in|back|in)",
      "bring <into> up to date with <from>",
      "(update|sync|synchronize|refresh) <into> (with|from) <from>",
      "merge in <from>",
      "merge <from>",
      "(merge|bring) (back|in|back in) <from>",
      "keep what (is|was|I did|I tried|you did) on [the ]<from>",
    ],
    read: ({ from: source = "", into: target }, around) => {
      const from = parseBranch(source, around);
      const isHere = target === undefined || /^(?:here|this branch|the main one)$/i.test(target);
      const into = isHere ? undefined : parseBranch(target, around);
      const isKnown = from.matches.length > 0 && (into === undefined || into.matches.length > 0);
      const isOurs = isAboutUs(source) || /\bbranch\b/i.test(target ?? "") || /\bmain\b/.test(target ?? "");
      if (!isKnown && !isOurs) return undefined;
      if (/^(?:it|that|this|them|everything)$/i.test(source))
        return { why: "Say which branch is to be merged." };
      return { operation: "merge", from, ...(into === undefined ? {} : { into }) };
    },
  },
];

const TRY = "(try|try out|test|explore|experiment with|play with|play around with|sketch|draft)";
const NO_NAME = /^(?:(?:an?|another|the|my|our|some|different|new|other|alternative)\s+)+/;
/** Names of branches have fewer words. */
const WORDY = /^(?:[^-]+-){4,}/;
const PRONOUN = /^(?:it|this|that|things?|something|stuff|out)$/;

const making: readonly Rule[] = [
  {
    patterns: [
      "[(make|create|open|start|set up|spin up|give) [me ]][a |an |another ][new |separate ]branch [called |named ]<name> (from|at|off|off of|as of|out of|based on|starting from|starting at) <when>",
    ],
    read: async ({ name = "", when = "" }, around) => {
      if (/^(?:called|named|new|a|an|the|for|with|to|off)$/i.test(name)) return undefined;
      if (parseBranch(when, around).matches.length > 0) return undefined;
      const at = await stateIn(when, around);
      return at === undefined ? undefined : { operation: "branch", name: unquoted(name), at };
    },
  },
  {
    patterns: [
      "(try|do|test|keep|work on) (this|that|it|something|things|these|something new) (on|in) [a |an |another ][new |separate ]branch [called |named ]<name>",
      "(make|create|open|start|add|fork) [me ][a |an |another ][new |separate ]branch [called |named |with the name |for ]<name>",
      "(make|create|open|start|add) [me ][a |another ][new ]<name> branch",
      "branch off (as|to|into) <name>",
      "(branch off|make a branch|create a branch|start a branch|open a branch)[ for <rest>][,][.][?] [and ](call|name) it <name>",
      `${TRY} [out ]<words> (without|separately|on the side) [<rest>][,][.][?] [and ](call|name) (it|that) <name>`,
      "fork [this |everything |my memory |main ](as|into|to) <name>",
      "new branch [called |named ]<name>",
      "(make|create|open|start) [me ]a [new |separate ]branch for [the |my |our ]<words>",
      "(make|create|open|start|add) [me ]a [new |separate ]branch (called|named|with the name) <words>",
      "(try|do|test|keep|put|save|work on) (this|that|it|something|things|these|something new) (on|in) [a |an |another ][new |separate ]branch (called|named) <words>",
      "(try|try out|test|work on) [out ]<rest> (on|in) (a|an|another) [new |separate ]branch (called|named) <name>",
    ],
    read: ({ name = "", words }) =>
      words !== undefined && name === ""
        ? { operation: "branch", name: nameOf(words.toLowerCase()) }
        : /^(?:called|named|new|a|an|the|for|with|to|please)$/i.test(name)
          ? { why: "Say what the branch is to be called." }
          : { operation: "branch", name: unquoted(name) },
  },
  {
    patterns: [
      "(switch|change|go|move|jump) [over ][back ]to [the ]branch [called |named ]<name>",
      "(switch|change|go|move|jump) [over ][back ]to [the |my ]<name> branch",
      "(check out|checkout|use) [the ]branch [called |named ]<name>",
    ],
    read: ({ name = "" }, around) => {
      return { operation: "use-branch", branch: parseBranch(name, around) };
    },
  },
  {
    patterns: ["(switch|change|go|move) [back |over ]to <name>"],
    read: ({ name = "" }, around) => {
      const branch = parseBranch(name, around);
      return branch.matches.length === 0 ? undefined : { operation: "use-branch", branch };
    },
  },
  {
    patterns: [
      `${TRY} [out ]<words> [but ]without (messing up|touching|changing|affecting|breaking|losing|disturbing|harming|altering) <rest>`,
      "(make|create|open|start|set up|give me) [me ]a [new |separate ](scratch area|sandbox|playground|scratchpad|side branch|working copy) (for|called|named) <words>",
      `${TRY} [out ]<words> (separately|on the side|in isolation|in a sandbox|on (its|their|a) own branch|on a (separate|new) branch|in a (separate|new) branch)`,
    ],
    read: ({ words = "" }) => {
      const name = nameOf(words.toLowerCase().replace(NO_NAME, ""));
      return WORDY.test(name) || PRONOUN.test(name)
        ? { why: "Say what the branch is to be called, such as: make a branch called trial", isFinal: true }
        : { operation: "branch", name };
    },
  },
  {
    patterns: ["(try|do|test) (this|that|it|something|things)[ out] (on|in) a [new |separate ]branch"],
    read: () => ({ why: "Say what the branch is to be called." }),
  },
  {
    patterns: [
      "(what|which) branches (are there|do you have|do I have|exist|do we have)",
      "(list|show|show me) [me ][all ][the |my |your ]branches",
      "what branches (do I|do we|do you) have",
      "branches",
    ],
    read: () => ({ operation: "branches" }),
  },
];

export const BRANCHING: readonly Rule[] = [...ending, ...making, ...merging];
