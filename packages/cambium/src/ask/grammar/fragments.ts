/**
 * What is asked for in few words and without a verb: "brightwater fonts", "postgres version on prod?". They are searched
 * for where they look like the name of something; an order to another program has its verb first.
 *
 * @module
 */

import type { Surroundings } from "../intent.js";
import type { Reading } from "../patterns.js";
import { knownName } from "./known-names.js";
import { ABOUT_US, isQuestion } from "./questions.js";
import { ANY_VERB, ORDERS, STATES } from "./remembering.js";

const MOST_WORDS = 8;
/** "Draft an invoice", "turn it off": before one of these stands a verb, or a preposition. */
const AFTER_VERB =
  /^(?:the|an?|my|our|your|this|that|these|those|it|them|me|us|him|her|some|any|all|up|off|out|down|on|to)$/i;
const OF_SOMEONE = /^(?:my|our|his|her|their|the) |^[\p{L}&]+(?:'s|s') \p{L}/iu;

/** What other programs are told to do. */
const OF_OTHERS =
  /^(?:book|build|buy|calculate|check|code|commit|convert|cook|cut|deploy|design|download|draft|draw|drive|email|explain|fetch|fix|format|generate|git|help|install|kill|launch|lock|log|look|mail|message|order|paint|pause|pay|ping|plan|play|post|print|publish|pull|push|rebase|reboot|record|refactor|reply|reset|restart|resume|run|scan|schedule|sell|share|sign|skip|solve|sort|split|switch|sync|test|text|translate|try|type|unlock|upgrade|upload|use|wait|wake|watch) /i;

/** "We turned it on", "Priya's been replaced". */
const TELLS = /^(?:I|we|you|he|she|they|it|there)(?: |')|^[^ ]+'s (?:been|not|now|on|at|in|\w+ing|\w+ed) /i;

/** @param isAsked - whether it ends with a question mark */
export function readFragment(sentence: string, isAsked: boolean, around: Surroundings): Reading {
  const words = sentence.split(" ");
  const [first = "", second = ""] = words;
  if (
    words.length > MOST_WORDS ||
    ABOUT_US.test(sentence) ||
    STATES.test(sentence.replace(/\bMay\b/g, "June"))
  )
    return undefined;
  if (TELLS.test(sentence)) return undefined;
  if (isQuestion(sentence) || ANY_VERB.test(sentence)) return undefined;
  if (/[,;:!"]/.test(sentence) || ORDERS.test(`${sentence} `) || OF_OTHERS.test(sentence)) return undefined;
  const isOfSomeone = OF_SOMEONE.test(sentence);
  if (AFTER_VERB.test(second) || (!isOfSomeone && AFTER_VERB.test(first))) return undefined;
  const names = [...(around.tags ?? []), ...(around.categories ?? [])];
  const isKnown = words.some((word) => knownName(word.replace(/(?:'s|s')$/i, ""), names) !== undefined);
  if (!isAsked && !(isOfSomeone && words.length > 1) && !(isKnown && words.length > 1)) return undefined;
  return { operation: "recall", query: sentence };
}
