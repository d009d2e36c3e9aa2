/**
 * What no reading may do, whichever reader made it: take something away because of a question or of a plan for the day,
 * remember a name of which nothing is said. Pure.
 *
 * @module
 */
import { describing } from "./changed-value.js";
import { STATES } from "./grammar/remembering.js";
import type { NotUnderstood, Surroundings, Understanding, Understood } from "./intent.js";
import { TAKES_AWAY } from "./near-requests.js";
import { understand } from "./understand.js";

/** @returns the same for the same text and surroundings; never throws for a text */
export const understandGuarded = async (text: string, around: Surroundings): Promise<Understanding> =>
  guarded(text, await understand(text, around));

/** @returns what was understood, or less of it */
export function guarded(text: string, found: Understanding): Understanding {
  const sentence = text.trim().replaceAll("’", "'");
  if (!found.understood) return withoutNegated(sentence, found);
  const { request } = found;
  if (request.operation === "remember" && isNameAlone(sentence, request.content)) return NAME_ALONE;
  if (KEEPS.has(request.operation) && NOT_NEEDED.test(sentence)) return NOT_KEPT;
  if (isDenied(sentence, found)) return DENIED;
  if ("topic" in request && (TAKES_AWAY.has(request.operation) || request.operation === "restore")) {
    if (WHOSE.test(request.topic ?? "")) return namedBeside(sentence, found) ?? UNCLEAR;
  }
  if (request.operation === "undo" && (found.leftOut ?? []).some((part) => !OF_THE_LAST.test(part)))
    return NOT_THE_LAST;
  if (!TAKES_AWAY.has(request.operation)) return found;
  if (isPlan(sentence)) return PLAN;
  if (request.operation === "delete-branch" && isMain(request.branch.matches)) return MAIN;
  return isDoubtful(sentence) ? shown(found) : found;
}

/** "Alfie's doing the windows again, put his note back": only one that was forgotten may be meant by it. */
function namedBeside(sentence: string, found: Understood): Understood | undefined {
  const { request } = found;
  if (request.operation !== "restore" || request.topic === undefined) return undefined;
  const { topic } = request;
  const others = sentence.split(/[,;:.!?–—]\s+|\s+(?:so|and)\s+/).filter((part) => !part.includes(topic));
  const words = others.join(" ");
  return describing(words).length === 0
    ? undefined
    : {
        ...found,
        request: {
          ...{ operation: "restore", topic: words },
          ...(AS_BEFORE.test(sentence) ? { isEarlier: true } : { isContext: true }),
        },
      };
}

/** "Put her back to the date she had". */
const AS_BEFORE = /\bback (?:to|how|the way|as)\b|\b(?:old|earlier|previous|original) \w+/i;

const refused = (why: string): NotUnderstood => ({ understood: false, why, isFinal: true });
const NAME_ALONE = refused("This names something and says nothing of it: there is nothing to remember.");
const PLAN = refused(
  "This may be about a plan, and not about what is remembered. Nothing was done: say “forget …” or “delete the note …” to hide a memory.",
);
const MAIN = refused("The branch main cannot be deleted. Nothing was done.");

const UNCLEAR = refused(
  "Who or what is meant is not named in the request. Nothing was done: name what it is about, such as “forget the note about the budget”.",
);
/** "His notes" are of somebody whom only the conversation names. */
const WHOSE =
  /^(?:(?:all|both|any|each|either|every one) (?:of )?)?(?:his|hers?|its|theirs?|him|them|they|he|she|those two|these two)(?: (?:notes?|memories|memory|stuff|things?|entr(?:y|ies)|details|facts|info|bits?|lot))?$/i;

const NOT_THE_LAST = refused(
  "This may mean another change than the last one. Nothing was done: say “undo that” for the last one, or “take back the change of the price”.",
);
/** What was done last is spoken of; "Keeley is back at her old price, reverse that one" may mean another change. */
const OF_THE_LAST =
  /\b(?:last|latest|just now|mistakes?|wrong|oops|mess(?:ed)?|mean|meant|accident(?:ally)?|sorry|never ?mind|my mind|hasty|undo|undone|revert|that|this|it|those|these|them)\b/i;

const NOT_KEPT = refused(
  "This says that something need not be remembered. Nothing was done: say “forget …” to hide what is known of it.",
);
const KEEPS: ReadonlySet<string> = new Set(["remember", "correct"]);
/** "The physio is done, so you needn't remember it". */
const NOT_NEEDED =
  /\byou (?:needn't|need not|don't (?:need|have) to|do not (?:need|have) to|can stop|may stop|no longer (?:need|have) to) (?:remember(?:ing)?|keep(?:ing)?|know(?:ing)?|stor(?:e|ing)) (?:it|that|this|them|those|any of (?:it|this|that))(?: any ?more| any longer)?[.!]*$|\bno need to (?:remember|keep|store) (?:it|that|this|them)\b/i;

/** "Never forget the budget". */
const NOT_TO_FORGET =
  /\b(?:never|don't|do not|dont|not let (?:me|us)) (?:let (?:me|us) )?forget\b(?! (?:to|that|how|when|where|who|what|why|which)\b)/i;
const isNameAlone = (sentence: string, content: string): boolean =>
  NOT_TO_FORGET.test(sentence) && !STATES.test(content) && !/\d/.test(content);

const DENIED = refused(
  "This says that something is doubtful, not so, or not to be done after all. Nothing was done.",
);
/** "Undo that? No", "delete the note about tea, or better not". */
const NO_AFTER_ALL =
  /[.?!,;:–—-]\s*(?:or |oh |ah |um |but )*(?:no+|nope|nah|don['’]?t|do not|never ?mind|wait|stop|cancel that|better not|rather not|not really|just kidding|jk|kidding|scratch that|forget it|not)[\s.!?]*$/i;
/** "Or does she?" */
const OR_NOT =
  /\bor (?:not|(?:does|is|did|has|was|were|are|do|will|would|can|should|have)(?:n['’]t)? (?:he|she|it|they|we|I|you|that|there))\b[^,.]*$/i;
const DOUBTED =
  /\b(?:maybe|perhaps|possibly|probably|supposedly|allegedly|might be|may be|could be|not sure|unsure|I (?:think|guess|suppose|doubt|wonder|believe)|if I remember|pretend|imagine|unless|according to|rumou?r|hearsay|hardly|barely|anything but|never|I (?:don['’]?t|do not) (?:think|believe)|no way)\b|\bor\b/i;
const NOT_SO =
  /\b(?:it|that)(?:['’]s| is| was) (?:false|wrong|untrue|incorrect|nonsense|a lie|not (?:true|right|correct|the case|so)) that\b|\b(?:isn['’]t|wasn['’]t) (?:true|right|correct|so|the case) that\b/i;

/** "I prefer viridis, never rainbow" doubts nothing. */
const withoutPreference = (sentence: string): string =>
  /^(?:I|we) (?:always |only |just )?(?:prefer|like|want|use|love|need|take|write)\b/i.test(sentence)
    ? sentence.replace(/\bnever\b/gi, " ")
    : sentence;

/** What is written word for word keeps its doubt. */
function isDenied(sentence: string, { request, isPreview }: Understood): boolean {
  const isStated = request.operation === "correct" || (request.operation === "remember" && request.isStated);
  if (isPreview || !(isStated || TAKES_AWAY.has(request.operation))) return false;
  if (NO_AFTER_ALL.test(sentence) || OR_NOT.test(sentence)) return true;
  // "We never sit there again" is so no longer.
  if (request.operation === "correct" && request.isNegation) return false;
  return (
    isStated === true &&
    (DOUBTED.test(withoutPreference(sentence)) || NOT_SO.test(sentence) || isDoubtful(sentence))
  );
}

/** "Scrap tea for tonight", "drop the tea off at Leo's". */
const PLANS = [
  /^(?:(?:please|ok|okay|so|let's|lets|we can|can we|can you|could you) )*(?:scrap|drop|bin|ditch|skip|lose|kill|cancel|scratch|cut) .* for (?:today|tonight|tomorrow|now|the (?:day|night|weekend)|this (?:morning|afternoon|evening|week))[.!?]*$/i,
  /\bdrop(?:ping)?\b.* off\b/i,
];
const OF_MEMORY =
  /\b(?:notes?|memor(?:y|ies)|entr(?:y|ies)|records?|facts?|everything|changes?|edits?|branch)\b/i;
const isPlan = (sentence: string): boolean =>
  PLANS.some((plan) => plan.test(sentence)) && !OF_MEMORY.test(sentence);

const isMain = (matches: readonly string[]): boolean => matches.length === 1 && matches[0] === "main";

/** "Undo?" asks; "could you undo that?" is an order. */
const ASKED_TO =
  /\b(?:can|could|would|will|won't|may|might|please|pls|plz|mind|possible|possibly|chance|fancy|let's|ok|okay|right|yeah|want|need|like|able|kindly)\b/i;
const isDoubtful = (sentence: string): boolean => sentence.endsWith("?") && !ASKED_TO.test(sentence);
const shown = (found: Understood): Understood => ({ ...found, isPreview: true });

/** "Let's not start over" is nothing to remember. */
const NEGATED = /\b(?:let's|lets|let us) not\b|^(?:please |do )*(?:don't|do not|never)\b/i;
const withoutNegated = (sentence: string, found: NotUnderstood): NotUnderstood =>
  found.near === undefined || !NEGATED.test(sentence)
    ? found
    : { ...found, near: found.near.filter(({ operation }) => operation !== "remember") };
