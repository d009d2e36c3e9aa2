/**
 * A sentence with two questions. What both are about is searched for once, where the second one has nothing of its own
 * to be searched for; where two answers are about as likely, both are given. Pure.
 *
 * @module
 */
import type { Surroundings, Understood } from "../intent.js";
import type { Act } from "../trained/acts.js";
import type { TrainedReading } from "../trained/read-trained.js";
import { readChoice } from "./read-choice.js";
import { choiceOf } from "./slot-texts.js";

/** "… and for how long?", "… and what did he complain about last time?" */
const OF_THE_FIRST =
  /(?:,|\band\b|[;?.])\s*(?:and )?(?:(?:also|then) )?(?:(?:for|since|until|till|by|at|in|on|to|from|with|about|of) )?(?:what|who|whom|whose|which|where|when|why|how)(?: (?:day|time|date|long|much|many|often|else|one|for|exactly))*(?:\?|$| (?:\w+ )?(?:it|he|she|they|that|this|there|those|them|him|her)\b)|(?:,|\band\b|[;?.])\s*(?:and )?(?:was|is|were|are|did|does|has) (?:it|that|this|he|she|they)\b/i;

const HAS_CHANGED =
  /(?:,|\band\b|[;?.])\s*(?:and )?(?:has|have|had|did|was|were) (?:it|that|this|they|those) (?:ever |since |recently )?(?:changed?|been (?:changed|different)|differ|moved?|always (?:so|been|like that))/i;

/** @returns one search for the words of both, where each was searched for by itself */
export function asOneSearch(sentence: string, found: Understood): Understood {
  const { others = [], ...first } = found;
  const all = [first, ...others];
  const [other] = others;
  // "Which value did it have earlier, and who did it": the history says both.
  const { request } = first;
  // "How do we deploy, and has that changed": its versions say both.
  if (HAS_CHANGED.test(sentence) && request.operation === "recall" && Object.keys(request).length === 2)
    return { ...first, request: { operation: "history", topic: request.query, orSearch: true } };
  if (request.operation === "before-correction" || request.operation === "history")
    return others.length === 1 &&
      other?.request.operation === "recall" &&
      other.request.query === request.topic
      ? { ...first, request: { operation: "history", topic: request.topic, orSearch: true } }
      : found;
  const isPlain = all.every(
    ({ request }) => request.operation === "recall" && Object.keys(request).length === 2,
  );
  if (others.length !== 1 || !isPlain || !OF_THE_FIRST.test(sentence)) return found;
  return { ...first, request: { operation: "recall", query: sentence } };
}

/** They are told apart by little, and answer each other's question. */
const BESIDE: Partial<Record<Act, readonly Act[]>> = {
  recall: ["blame", "history"],
  blame: ["history"],
  history: ["blame"],
};
const NEAR_TIE = 0.35;

/** Where another answer is about as likely, that one, too. */
export async function withSecond(
  found: Understood,
  sentence: string,
  { acts: [top, next], slots }: TrainedReading,
  around: Surroundings,
): Promise<Understood> {
  if (top === undefined || next === undefined || next.act === "none" || next.probability < NEAR_TIE)
    return found;
  if (BESIDE[top.act]?.includes(next.act) !== true || found.others !== undefined) return found;
  const other = await readChoice(choiceOf(next.act, sentence, { slots }, around), sentence, around);
  return "left" in other ? found : { ...found, others: [other] };
}
