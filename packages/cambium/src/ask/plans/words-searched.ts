/**
 * Words that are searched for as they stand: of what is no request in any form that is known, and of what was said
 * around a question. A search harms nothing, and says what it was made for.
 *
 * @module
 */
import type { Recalled } from "@cambium/client";
import { describing } from "../changed-value.js";
import { branchMentioned } from "../chosen/mentioned.js";
import { speaksOf } from "../find-memories.js";
import { hasVerb, isOrder } from "../grammar/stating.js";
import { TAKING } from "../grammar/words.js";
import { understandGuarded } from "../guards.js";
import type { Intent, NotUnderstood, Surroundings, Understood } from "../intent.js";
import { plainSentence } from "../plain-sentence.js";
import type { Planning } from "./plan.js";

type Where = Pick<Planning, "space" | "branch">;

const SEEN = 10;
const LEAST_WORDS = 2;
const MOST_WORDS = 6;

/** They ask, or speak of asking, and are of no memory. */
export const ASKING_WORDS =
  /^(?:how|much|many|long|often|what|when|where|who|whose|which|why|did|do|does|was|were|will|would|can|could|there|ever|once|something|anything|we|you|I|me|my|forg[eo]t(?:ten)?|delete[d]?|remove[d]?|hide|hid|hidden|drop(?:ped)?|lose|lost)$/i;

/** To take something away, or to write, is no search for the words. */
const ORDERED = new RegExp(
  `\\b(?:${TAKING.join("|")}|remember|save|store|note|add|tag|file|merge|restore|rename|switch|send|share|book|remind)\\b`,
  "i",
);
/** "Wher did I put it", too. */
const ASKED = /\?\s*$|^\S+ (?:did|do|does|have|has|is|are|was|were) (?:i|we|you|my|our|the|he|she|they)\b/i;

/**
 * Words without a verb, "treasurer cold spoons", where memories say most of them; of a question, some.
 *
 * @returns undefined where it may be an order or a statement, or more is known about why it was not understood
 */
export async function wordsAlone(
  sentence: string,
  found: NotUnderstood,
  { around, ...where }: Where & { readonly around: Surroundings },
): Promise<Understood | undefined> {
  const isQuestion = ASKED.test(sentence);
  // "Is there a trick to it? I see her in ten minutes" says why it is asked.
  const isAside = sentence.includes("? ") && found.why?.startsWith("Understood: search") === true;
  if (isAside)
    return await wordsAlone(`${sentence.split("? ")[0]}?`, { understood: false }, { around, ...where });
  if (found.isFinal || found.why !== undefined || (found.commands ?? []).length > 0) return undefined;
  const whole = plainSentence(sentence);
  const plain = isQuestion || !hasVerb(whole) ? whole : (whole.split(/[,;] /)[0] ?? whole);
  if (!isQuestion && (ORDERED.test(sentence) || isOrder(plain) || hasVerb(plain))) return undefined;
  const { branch, rest } = branchMentioned(plain, plain, around);
  const words = wordsOf(rest);
  if (words.length < LEAST_WORDS || (!isQuestion && words.length > MOST_WORDS)) return undefined;
  const query = words.join(" ");
  const [on = where.branch] = branch?.matches ?? [];
  const memories = await where.space.recall(query, { branch: on, limit: SEEN });
  const [best] = memories;
  if (best === undefined) return undefined;
  // A number that no memory says is told, and not asked for.
  const hasNewNumber = words.some((word) => /\d/.test(word) && !speaksOf(best.content, word));
  // Of a question, several memories may say a part.
  const isFound = isQuestion
    ? wordsOf(memories.flatMap(({ matched }) => matched).join(" ")).length >= LEAST_WORDS
    : matchedIn(memories) > (words.length - 1) / 2 && !hasNewNumber;
  if (!isFound) return undefined;
  const request = { operation: "recall", query } as const;
  return { understood: true, request, readAs: query, ...(branch === undefined ? {} : { branch }) };
}

/** "I'm new to this. What can I ask?": what is asked of the memory itself is no search, whatever is said before it. */
export async function ofTheMemory(
  found: Understood,
  sentence: string,
  around: Surroundings,
): Promise<Understood> {
  const [before] = found.leftOut ?? [];
  if (found.request.operation !== "recall" || before === undefined) return found;
  const asked = sentence.slice(sentence.indexOf(before) + before.length).replace(/^[\s,.;:!?–—-]+/, "");
  const alone = asked === "" ? undefined : await understandGuarded(asked, around);
  return alone?.understood && STANDING.has(alone.request.operation) ? { ...alone, leftOut: [before] } : found;
}
const STANDING: ReadonlySet<string> = new Set([
  ...(["help", "status", "conflicts", "checkpoints", "branches", "labels", "forgotten"] as const),
]);

/**
 * A question that finds little, with what was said before it: "Bosun ate chocolate, is that bad for him?". What is on
 * at a time is what memories say of it, and "it" is what was named before.
 */
export async function withWordsAround(
  found: Understood,
  sentence: string,
  where: Where,
): Promise<Understood> {
  const { request, leftOut = [] } = found;
  const { leftOut: _around, ...rest } = found;
  switch (request.operation) {
    case "recall":
      return await widened({ ...found, request }, sentence, where);
    case "recent": {
      const query = leftOut.join(" ");
      if (query === "") return found;
      const all = await where.space.recall(query, { branch: where.branch, limit: SEEN });
      return all.length === 0 ? found : { ...rest, request: { operation: "recall", query }, readAs: query };
    }
    case "blame":
    case "history": {
      const [topic] = leftOut;
      if (topic === undefined || !/^(?:it|that|this)\b/i.test(request.topic)) return found;
      return { ...rest, request: { ...request, topic } };
    }
    default:
      return found;
  }
}

async function widened(
  found: Understood & { readonly request: Extract<Intent, { operation: "recall" }> },
  sentence: string,
  { space, branch }: Where,
): Promise<Understood> {
  const { request, leftOut = [] } = found;
  const options = { branch, limit: SEEN };
  // What is asked of the past, or of some, is not asked of all.
  if (request.at !== undefined || Object.keys(request).length > 2) return found;
  const own = await space.recall(request.query, options);
  if (own.certainty === "strong" || (leftOut.length === 0 && own.length > 0)) return found;
  const query = wordsOf(leftOut.length === 0 ? sentence : [...leftOut, request.query].join(" ")).join(" ");
  if (query === "" || query === request.query) return found;
  const all = await space.recall(query, options);
  if (matchedIn(all) <= matchedIn(own) || (own.length > 0 && matchedIn(all) < LEAST_WORDS)) return found;
  const { leftOut: _around, ...rest } = found;
  return { ...rest, request: { ...request, query }, readAs: query };
}

/** How many words the best one says. */
const matchedIn = ([best]: Recalled): number => wordsOf((best?.matched ?? []).join(" ")).length;

const wordsOf = (text: string): readonly string[] => [
  ...new Set(describing(text).filter((word) => !ASKING_WORDS.test(word))),
];
