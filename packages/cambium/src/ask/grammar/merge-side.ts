/**
 * Which side of a conflict a merge is to keep: "merge trial, and where it conflicts keep what main says", "merge trial,
 * main wins". Pure.
 *
 * @module
 */
import type { Surroundings, Understood } from "../intent.js";
import { knownName } from "./known-names.js";

const CONFLICT =
  "(?:(?:where(?:ver)?|if|when(?:ever)?|in case|on|for|of|in) (?:it|they|there|both|the two|the branches|anything|something|any|all|the case of|case of)?(?: (?:is|are|a|any))* ?(?:conflict(?:s|ing|ed)?|clash(?:es)?|disagree(?:s)?|differ(?:s)?)(?: (?:with (?:main|each other)|somewhere))?)";
const KEEP =
  "(?:keep(?:ing)?|take|taking|use|using|prefer(?:ring)?|let|go(?:ing)? with|choose|pick)(?: (?:what|whatever|the (?:text|version|value|side)s?(?: of| on| from)?))?";
const SIDE = "(?:the )?(?<side>[\\w./-]+)(?:'s)?(?: (?:side|branch|version|text|value|one)s?)?";
const HOLDS = "(?: (?:says?|has|have|wins?|win|stays?|stands?|win out|decide|decides))?";
const FORMS = [
  new RegExp(
    `^(?<order>.+?)[,;.]? (?:and |but |then |so )?(?:please )?${CONFLICT}[,:]? ${KEEP} ${SIDE}${HOLDS}$`,
    "i",
  ),
  new RegExp(
    `^(?<order>.+?)[,;.]? (?:and |but |then |so )?(?:please )?${KEEP} ${SIDE}${HOLDS}[,]? ${CONFLICT}$`,
    "i",
  ),
  new RegExp(
    `^(?<order>.+?)[,;.] (?:and |but |then |so )?${CONFLICT}[,:]? ${SIDE} (?:wins|win|stays|stands|decides)$`,
    "i",
  ),
  new RegExp(
    `^(?<order>.+?)[,;.] (?:and |but |then |so )?${SIDE} (?:wins|decides|has priority|goes first)(?: ${CONFLICT})?$`,
    "i",
  ),
];

interface Sided {
  readonly order: string;
  readonly side: string;
}

/** @returns the merge without what is to be done about its conflicts */
export function sidedMerge(sentence: string): Sided | undefined {
  if (!/\b(?:merg|bring|fold|pull)/i.test(sentence)) return undefined;
  for (const form of FORMS) {
    const { order, side } = form.exec(sentence)?.groups ?? {};
    if (order !== undefined && side !== undefined) return { order, side };
  }
  return undefined;
}

/** @returns undefined where it is not plain which side that is */
export function withSide(found: Understood, side: string, around: Surroundings): Understood | undefined {
  const { request } = found;
  if (request.operation !== "merge" || request.only !== undefined) return undefined;
  const strategy = strategyOf(side, request.from.matches[0], request.into?.matches[0] ?? "main", around);
  return strategy === undefined ? undefined : { ...found, request: { ...request, strategy } };
}

function strategyOf(
  side: string,
  from: string | undefined,
  into: string,
  { branches }: Surroundings,
): "source" | "target" | "newest" | undefined {
  if (/^(?:newe(?:r|st)|latest|later|last)$/i.test(side)) return "newest";
  if (/^(?:target|ours|mine)$/i.test(side)) return "target";
  if (/^(?:source|theirs|branch)$/i.test(side)) return "source";
  const name = knownName(side, branches);
  if (name === undefined) return undefined;
  return name === into ? "target" : name === from ? "source" : undefined;
}
