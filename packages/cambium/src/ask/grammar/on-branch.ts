/**
 * On which branch something is looked for or done: "what is on branch work", "what do you know about tea on the work
 * branch", "on branch work, forget the tea". What is called a branch is one, and if it is not there that is said.
 *
 * @module
 */
import type { Intent, ParsedBranch, Surroundings, Understood } from "../intent.js";
import { matchPattern, type Refusal } from "../patterns.js";
import { isBranchName, parseBranch } from "./branching.js";

const AT_END =
  /^(?<rest>.+?) (?:on|in|from|of) (?:(?:the |my |our )?branch (?:called |named )?(?<last>"[^"]+"|'[^']+'|\S+)|(?:the |my |our )(?<first>\S+(?: \S+)?) branch)$/i;

const CONTENT = [
  "what is [there |stored |saved ](on|in) [the |my |our ]branch [called |named ]<name>",
  "what is [there |stored |saved ](on|in) [the |my |our ]<name> branch",
  "what is on <name>",
  "what (do|did|have) (you|we|I) (know|have|put|save|write|written|saved|remember|add|added|learn|learned) (on|in) [the |my |our ]branch [called |named ]<name>",
  "what (do|did|have) (you|we|I) (know|have|put|save|write|written|saved|remember|add|added|learn|learned) (on|in) [the |my |our ]<name> branch",
  "(list|show|show me|look at|open|view|print) [me ][what is ][everything ][all ][the memories ][memories ][the notes ][notes ][on |in |of ][the |my |our ]branch [called |named ]<name>",
  "(list|show|show me|look at|open|view|print) [me ][what is ][everything ][all ][the memories ][memories ][the notes ][notes ][on |in |of ][the |my |our ]<name> branch",
  "(list|show|show me) [me ](what is|everything|all|the memories|memories|the notes|notes|all memories|all notes) on <name>",
];

/** @returns the branch whose memories are asked for; one that is not there, where it is called a branch */
export function branchListed(sentence: string, around: Surroundings): ParsedBranch | undefined {
  for (const pattern of CONTENT) {
    const name = matchPattern(pattern, sentence)?.name;
    const branch = name === undefined ? undefined : parseBranch(name, around);
    if (branch !== undefined && !isThere(branch) && /^open /i.test(sentence)) return undefined;
    if (branch !== undefined && (isThere(branch) || /\bbranch\b(?! <name>$)/.test(pattern))) return branch;
  }
  return undefined;
}

export interface OnBranch {
  /** The sentence without its branch. */
  readonly rest: string;
  readonly branch: ParsedBranch;
  /** "On kitchen", which may as well be what it is about. */
  readonly isBare?: true;
}

/** "… on branch kitchen"; of "on the kitchen branch" and "on kitchen" only where it is there. */
export function branchAtEnd(sentence: string, around: Surroundings): OnBranch | undefined {
  const { rest, last, first } = AT_END.exec(sentence)?.groups ?? {};
  const branch = parseBranch(last ?? first ?? "", around);
  if (rest !== undefined && (isThere(branch) || isNamed(last))) return { rest, branch };
  const bare = / on (?<name>\S+)$/i.exec(sentence);
  const name = bare?.groups?.name ?? "";
  return bare === null || !isBranchName(name, around)
    ? undefined
    : { rest: sentence.slice(0, bare.index), branch: parseBranch(name, around), isBare: true };
}

/** "On branch kitchen, …"; "on kitchen, …" only where it is there. */
export function branchAtStart(sentence: string, around: Surroundings): OnBranch | undefined {
  const { last, first, name, rest } = AT_START.exec(sentence)?.groups ?? {};
  const words = last ?? first ?? name;
  if (words === undefined || rest === undefined) return undefined;
  const branch = parseBranch(words, around);
  const isBranch = name === undefined ? isThere(branch) || isNamed(last) : isBranchName(name, around);
  return isBranch ? { rest, branch } : undefined;
}

const NAME = "\"[^\"]+\"|'[^']+'|[^\\s,:;]+";
/** As people call one. */
const BRANCH = "(?:branch|version|plan|copy|draft|experiment|scenario|variant)";
const AT_START = new RegExp(
  `^(?:on|in|from|for) (?:(?:the |my |our )?branch (?:called |named )?(?<last>${NAME})|(?:the |my |our )(?<first>\\S+(?: \\S+)?) ${BRANCH}|(?<name>${NAME}))[,:]* (?<rest>.+)$`,
  "i",
);

/** "Branch protection" may be anything; what is called so is none of these words. */
const isNamed = (name: string | undefined): boolean =>
  name !== undefined && !/^(?:called|named|names?|for|of|to|and|is|are|with|protection|rules?)$/i.test(name);

const isThere = ({ matches }: ParsedBranch): boolean => matches.length > 0;

/** What is answered from one branch. */
const READS_BRANCH: readonly Intent["operation"][] = [
  ...(["recall", "list", "count", "forgotten", "evolution", "blame", "history"] as const),
  ...(["before-correction", "doubt", "recent", "changes"] as const),
];
/** What is done on one. */
const WRITES_BRANCH: readonly Intent["operation"][] = [
  ...(["correct", "forget", "restore", "undo", "checkpoint", "rollback", "take-back", "fresh"] as const),
];

/** @returns the request on its branch; a refusal where the words may as well say what it is about */
export function onBranch(
  request: Intent,
  { branch, isBare }: OnBranch,
  isAtStart: boolean,
): Understood | Refusal | undefined {
  const { operation } = request;
  const understood: Understood = { understood: true, request, branch };
  if (READS_BRANCH.includes(operation)) return understood;
  if (!WRITES_BRANCH.includes(operation)) return undefined;
  // "Start fresh on the branch try" makes one.
  if (operation === "fresh" && (!isThere(branch) || request.branch !== undefined)) return undefined;
  if (isAtStart || (!isBare && operation !== "correct")) return understood;
  if (!MAY_BE_TOPIC.has(operation)) return understood;
  return {
    why: `"on ${branch.said}" may say on which branch, or what it is about. Say "on branch ${branch.said}" before it, or "about ${branch.said}".`,
    isFinal: true,
  };
}

/** What is new on a branch is what it has that main has not. */
export function comparedWithMain(
  { branch, rest }: OnBranch,
  { branches }: Surroundings,
): Understood | undefined {
  const isOther = isThere(branch) && !branch.matches.includes("main") && branches.includes("main");
  if (!isOther || !IS_NEW.test(rest)) return undefined;
  const main = { said: "main", matches: ["main"] };
  return { understood: true, request: { operation: "difference", from: main, to: branch } };
}

/** With a time, what has changed since then is asked for. */
const IS_NEW =
  /^(?:what (?:is|has) (?:new|changed|different)|what changed|what (?:did|have) (?:we|I|you|they) (?:do|done|change|changed|add|added|learn|learned|write|written|save|saved|try|tried)|(?:is there )?anything new|(?:show|list)(?: me)? (?:the )?(?:changes|what (?:is new|changed)))$/i;

const MAY_BE_TOPIC: ReadonlySet<Intent["operation"]> = new Set(["correct", "forget", "fresh", "restore"]);
