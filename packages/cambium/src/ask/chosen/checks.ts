/**
 * Whether a choice says what its sentence says: no word of its own, nothing left out of what is written, and nothing
 * left over that narrows what is taken away.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { TIME_WORD } from "../grammar/clauses.js";
import { nameWithin } from "../grammar/known-names.js";
import type { Surroundings } from "../intent.js";
import { TAKES_AWAY } from "../near-requests.js";
import { leavesMore } from "../one-thing.js";
import { type Choice, flat, restOf, SLOTS, slotText } from "./choice.js";

/** A reader may choose; it may not add a word of its own. */
export function isFromSentence(choice: Choice, sentence: string): boolean {
  const whole = flat(sentence);
  const known = new Set(whole.split(" "));
  return SLOTS.every((slot) =>
    (choice.slots[slot] ?? []).every((value) => {
      if (slot === "content" && choice.operation === "correct")
        return flat(value)
          .split(" ")
          .every((word) => known.has(word) || /^(?:is|are|was|were)$/.test(word));
      return whole.includes(flat(value));
    }),
  );
}

/** What is written leaves nothing out of what was said from its beginning on, but what it is instead of. */
export function isWhole(choice: Choice, sentence: string): boolean {
  const content = slotText(choice, "content");
  if (!content || (choice.operation !== "remember" && choice.operation !== "correct")) return true;
  const words = flat(sentence.replace(/,? (?:not|instead of|rather than) [^,]+/gi, " ")).split(" ");
  const kept = new Set(flat(`${content} ${slotText(choice, "topic") ?? ""}`).split(" "));
  const first = words.findIndex((word) => kept.has(word));
  return words.slice(first).every((word) => kept.has(word) || STOP_WORDS.has(word));
}

/** They say how much is meant: of what takes away, no such word is left over. */
const NARROWS =
  /\b(?:except\w*|excluding|unless|only|without|apart from|other than|aside from|besides|save for|but (?:not|keep|leave|the|for|only)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|keep|leave|half|some of|most of|parts? of|if|until|till|or|instead|first|oldest|every (?:second|other)|never|not|\w+n't|(?:do|does|did|is|was|are|were|has|have|had|wo|ca|should|would|could)nt|perhaps|maybe|nearly|almost|hardly|later|tomorrow|tonight)\b/i;
/** In a reason, fewer words would narrow: "I only typed it to test". */
const NARROWS_BESIDE =
  /\b(?:except\w*|excluding|unless|apart from|other than|aside from|save for|but (?:not|keep|leave)|(?:keep|leave|spare) (?:the|all|my|our|what|only|just|it|them|those|everything|anything)|only (?:the|those|what|if|when)|until|till|stays?|(?:don't|do not|didn't) mean|if (?:it|he|she|they|there|that|you|I|we)|tomorrow|tonight|later|next \w+|every \w+day|not (?:on|the|for|in|from|what|those|any))\b|^(?:not|never|only|without)\b/i;

/** @returns the words that are not accounted for, and would have narrowed or moved what is taken away */
export function narrowing(choice: Choice, sentence: string): string | undefined {
  if (!TAKES_AWAY.has(choice.operation) && choice.operation !== "restore") return undefined;
  const isExcepting = choice.slots.except !== undefined;
  const whole = restOf(choice, sentence).replace(NOT_KEPT, " ").replace(A_MOMENT, " ");
  const rest = isExcepting ? whole.replace(EXCEPTING, " ") : whole;
  if (NARROWS.test(rest) || (choice.operation !== "merge" && leavesMore(rest))) return rest;
  // A time that no argument took.
  if (TIME_WORD.test(rest)) return rest;
  // What somebody else wrote stays anyway.
  const stays = choice.slots.agent === undefined ? A_MOMENT : OTHERS_STAY;
  return (choice.left ?? []).find((part) =>
    NARROWS_BESIDE.test(part.replace(A_MOMENT, " ").replace(stays, " ")),
  );
}

/** Whether words that are no part of a request would have narrowed it. */
export const narrowsBeside = (words: string): boolean => NARROWS_BESIDE.test(words);

/** "No need to keep it" keeps nothing. */
const NOT_KEPT =
  /\b(?:no (?:need|reason|point|sense|use)|no longer|not|never|without|\w+n'?t|more sense)\b[^,.]{0,30}?\b(?:keep\w*|kept|hold\w*|stor\w*|stay\w*|remember\w*|need\w*|want\w*|us(?:e|ed|ing)\b|care\w*|matter\w*|requir\w*|worth|valid|relevant|true|mind|trust|agree\w*|like\w*|have to|there any longer|any ?more|any longer)\b/gi;
/** Manners, and when it was that something was done last. */
const A_MOMENT =
  /\bgo ahead and\b|\bif (?:that|it)(?:'s| is) (?:possible|ok|okay|fine|doable|alright|all right)\b|\bif you (?:please|would|can|could|don't mind)\b|\b(?:a|one|some) (?:second|sec|moment|minute|min)s? ago\b|\b(?:how|as|like|the way) (?:it|that|things|they|all) (?:was|were)(?: before)?\b|\b(?:earlier|before) (?:this|that|it|then)?$|\bso as\b/gi;
const OTHERS_STAY =
  /\b(?:(?:leave|keep) (?:the rest|all the rest|everything else|all else|mine|my own \w+|the others?)(?: alone| as (?:it is|they are))?|(?:the rest|mine|everything else) (?:can |may |should )?(?:stays?|live))\b/gi;
/** What introduces the exception that was read. */
const EXCEPTING =
  /\b(?:(?:with the )?except\w*(?: (?:for|of))?|apart from|other than|aside from|save(?: for)?|but(?: not)?(?: please)?(?: you)?|only(?: the| not| keep)?|keep|leave|stays?|not|tho)\b/gi;

/** Whether nothing in a topic narrows or widens what is taken away. */
export function isSound(topic: string, around: Surroundings): boolean {
  if (/^["'].*["']$/.test(topic)) return true;
  return !(
    SPLITS.test(topic) ||
    OF_OTHERS.test(topic) ||
    OURS.test(topic) ||
    MAYBE_WHEN.test(topic) ||
    STATES_SO.test(topic) ||
    TIME_WORD.test(topic) ||
    nameWithin(topic, around) !== undefined
  );
}
/** Of these there are other requests. */
const MAYBE_WHEN = /\b(?:from|of|in) (?:last|this|the (?:past|last)) \p{L}+/iu;
const OURS = /\b(?:checkpoints?|snapshots?|backups?|save ?points?|docker)\b/i;
/** "The recipe was horrible" is no topic. */
const STATES_SO = /\S (?:was|were|is|are|isn't|wasn't|has|have|had)\b|'s been\b/i;
/** These are other programs' to remove. */
const OF_OTHERS =
  /\b(?:files?|folders?|director(?:y|ies)|downloads?|containers?|images?|repos?|repository|commits?|packages?|calendar|cache|inbox|tabs?|page)\b(?: \S+\.\w+)?$|\w\.(?:txt|docx?|pdf|md|js|ts|py|json)$/i;
const SPLITS =
  /\b(?:except(?:ing|ed)?|excluding|unless|but|only|without|apart from|other than|aside from|besides|save for|instead|keep|leave|nothing|none|if|or)\b/i;
