/**
 * On which branch something is looked for: "what is on branch work", "what do you know about tea on the work
 * branch". Only a branch that is there is one; else the words belong to what is asked for.
 *
 * @module
 */
import type { Intent, ParsedBranch, Surroundings } from "../intent.js";
import { matchPattern } from "../patterns.js";
import { parseBranch } from "./branching.js";

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

/** @returns the branch whose memories are asked for */
export function branchListed(sentence: string, around: Surroundings): ParsedBranch | undefined {
  for (const pattern of CONTENT) {
    const name = matchPattern(pattern, sentence)?.name;
    const branch = name === undefined ? undefined : parseBranch(name, around);
    if (branch !== undefined && isThere(branch)) return branch;
  }
  return undefined;
}

/** @returns the sentence without its branch, where it names one at its end */
export function branchAtEnd(
  sentence: string,
  around: Surroundings,
): { readonly rest: string; readonly branch: ParsedBranch } | undefined {
  const { rest, last, first } = AT_END.exec(sentence)?.groups ?? {};
  const branch = parseBranch(last ?? first ?? "", around);
  return rest === undefined || !isThere(branch) ? undefined : { rest, branch };
}

const isThere = ({ matches }: ParsedBranch): boolean => matches.length > 0;

/** What is answered from one branch. */
export const READS_BRANCH: ReadonlySet<Intent["operation"]> = new Set([
  ...(["recall", "list", "count", "forgotten", "evolution", "blame", "history"] as const),
  ...(["before-correction", "doubt", "recent", "changes"] as const),
]);
