/**
 * What is to stay of what is to be forgotten, or to be left out of a merge: "forget all the infra notes except the
 * MLflow one". The exception is
 * looked for among the memories that are meant; where it finds none of them, nothing is done.
 *
 * @module
 */
import type { Surroundings, Understanding, Understood } from "../intent.js";
import { aboutOf, unquoted } from "../patterns.js";
import { MAX_SENTENCE, plainSentence } from "../plain-sentence.js";
import { isSoundTopic } from "./clauses.js";
import { knownName, nameWithin } from "./known-names.js";

type Read = (text: string, around: Surroundings) => Promise<Understanding>;

const EXCEPT =
  /^(?<order>.+?),? (?<cue>except(?:ing)?(?: for)?|apart from|aside from|other than|excluding|save for|but (?:not|keep|leave out|leave|skip)|(?:and )?(?:keep|leave out|leave|skip)|(?:everything|all) (?:but|except)) (?<kept>[^,;:.!?]+)$/i;
const NOUN = "(?:notes?|memor(?:y|ies)|ones?|entr(?:y|ies)|facts?|things?|stuff)";
/** "The MLflow one", "Mrs Petersen's", "the one with the poem", "what is about the visa". */
const SHELL: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^(?:the |those |any |my |our )?${NOUN} (?:about|on|of|with|mentioning|concerning) `, "i"), ""],
  [/^(?:the |those |my |our |your |his |her |their |its )+/i, ""],
  [new RegExp(`(?<=\\S) ${NOUN}$`, "i"), ""],
  [/'s$|(?<=s)'$/i, ""],
];
const ANOTHER = new RegExp(`^(?:the |that |those |my |our )?${NOUN} (?:about|on|of|with|for|from) `, "i");
/** They say more than what it is about. */
const MORE =
  /^(?:on|in|at|for|during|to|with|what|as)\b|\b(?:if|unless|when|until|till|since|before|after|from|by|that|which|who|not|no|only|last|first|latest|newest|oldest|old|new|recent|important|next|some|any|all|most|half|one|ones|two|three|four|five|other|rest|tagged|category|today|yesterday|week|month|year|older|newer|it|them|this|these|those)\b/i;

/** @returns undefined where no exception is said, or words of it are not understood */
export async function readExcepting(
  text: string,
  around: Surroundings,
  read: Read,
): Promise<Understood | undefined> {
  if (text.length > MAX_SENTENCE || text.includes('"')) return undefined;
  const { order, kept, cue = "" } = EXCEPT.exec(plainSentence(text))?.groups ?? {};
  if (order === undefined || kept === undefined) return undefined;
  const except = kept.split(/,? and /i).map(topicOf);
  if (except.some((topic) => topic === "" || MORE.test(topic) || !isSoundTopic(topic))) return undefined;
  if (nameWithin(` ${kept}`, around) !== undefined) return undefined;
  // "Cursor's" are by whom, and not about what.
  const { agents = [], devices = [], branches } = around;
  if (except.some((topic) => knownName(topic, [...agents, ...devices, ...branches]) !== undefined))
    return undefined;
  const found = await read(order, around);
  if (!found.understood || found.isPreview) return undefined;
  // "Keep the old ones" may say which side is to win.
  if (/\bkeep$/i.test(cue) && found.request.operation === "merge") return undefined;
  if (found.request.operation === "merge" && found.request.only === undefined)
    return { ...found, request: { ...found.request, only: { except } } };
  if (found.request.operation !== "forget") return undefined;
  // "Forget the note on tea but keep the one on coffee": of one memory, another is no part.
  const isOther = found.request.topic !== undefined && /\b(?:keep|leave)$/i.test(cue) && ANOTHER.test(kept);
  if (!found.request.all && !isOther) return undefined;
  return { ...found, request: { ...found.request, except } };
}

const topicOf = (words: string): string =>
  unquoted(SHELL.reduce((topic, [form, by]) => topic.replace(form, by), aboutOf(words.trim())));
