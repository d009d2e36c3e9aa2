/**
 * What a sentence orders, and what it only tells beside it: "the bike is back, delete that note". Each clause is read
 * by itself. One of them gives the order; what may be a condition, an exception, a time or a second order is told by
 * none. Pure.
 *
 * @module
 */
import { isQuestion } from "../grammar/questions.js";
import { STATES } from "../grammar/remembering.js";
import { TAKING } from "../grammar/words.js";
import { leavesMore } from "../one-thing.js";
import { withApostrophes, withoutCourtesies } from "../plain-sentence.js";
import type { Act } from "../trained/acts.js";
import { classesOf } from "../trained/lexicon.js";
import type { TrainedReading } from "../trained/read-trained.js";
import { narrowsBeside } from "./checks.js";

export interface OrderClause {
  readonly order: string;
  /** How likely the order asks for one of the acts by itself. */
  readonly share: number;
  readonly reasons: readonly string[];
}

/** A sign, or a word that begins a reason or what follows from one. */
const BETWEEN =
  /(?<!\b(?:dr|mr|mrs|ms|st|no|nr|e\.g|i\.e|vs))[.!?;:…]+\s+|\s*[–—]\s*|\s-\s|,\s+(?:(?:so|and so|hence|therefore|thus|because|since|cos|cause|as)\s+)?|\s+(?:so|because|cos|therefore|hence)\s+(?!(?:that(?! (?:note|one|memory|entry|branch|line|bit|can)\b)|far|much|many|long|as|of)\b)|\s*\(|\)[\s.,;]*/gi;
/** What begins so says how much, when, whether or what else. */
const MORE =
  /^(?:and|or|but|if|from|by|for|in|on|until|till|as|with|only|at|than|also|to|not|no|never|except|unless|after|before|when|while|instead|next|tomorrow|tonight|later|just|please|don't|dont|do|keep|leave|save|tell|send|email|text|call|show|list|make|add|put|take|undo|forget|delete|remove|restore|merge|remember|first|ask|check|wait|remind|once|about|name|call|title|label|switch|use)\b/i;
const HAS_VERB =
  /(?:^|[\s,])(?:I|we|he|she|they)(?:['’]\w+|\s+\w+)|^(?:\w+ )?(?:it|you|that|there|this)(?:['’]\w+|\s+\w+)|n['’]?t\b|\b\w{3,}ed\b|['’]s \w|\b(?:found|broke|died|ran|sent|grew|grown|fell|chose|kept|does|goes|gets|came|coughed|applies|says?|agrees?|turns? out|wrong|typo)\b/i;
/** They say nothing of what is asked. */
const COURTESY =
  /^(?:oh|ok|okay|oops|whoops|hey|hi|please|pls|thanks|thank you|cheers|sorry|wait|hang on|hm+|ugh|yay|hooray|well|right|actually|anyway|no+|yes|yeah|damn|my bad|wrong|that's all|kindly)$/i;
const POLITELY =
  /^(?:(?:(?:please|pls) to|please|pls|kindly|(?:can|could|would|will) you(?: please)?|then|so|and|just) )+(?=\S)/i;
const LEAST_OF_ORDER = 0.5;
const MOST_CLAUSES = 6;
const LEAST_WORDS = 2;

interface Piece {
  readonly text: string;
  readonly kind: "order" | "reason" | "courtesy" | "other";
  readonly share: number;
}

/**
 * @param act - what the sentence asks for, most likely
 * @param acts - those that the order may be for
 * @param read - reads a clause by itself
 * @returns undefined where it is not plain which clause gives the order, or where another says more of it
 */
export function orderClause(
  sentence: string,
  act: Act,
  acts: readonly Act[],
  read: (words: string) => TrainedReading,
): OrderClause | undefined {
  const cut = sentence.split(BETWEEN).filter((part) => /[\p{L}\p{N}]/u.test(part ?? ""));
  if (cut.length > MOST_CLAUSES) return undefined;
  const shareOf = (text: string): number =>
    read(text).acts.reduce((sum, { act, probability }) => sum + (acts.includes(act) ? probability : 0), 0);
  const all = glued(cut, sentence, (text) => kindOf(text, shareOf(text)));
  const orders = all.filter(({ kind }) => kind === "order");
  const order = orders.toSorted((one, other) => other.share - one.share)[0];
  if (order === undefined) return undefined;
  const rest = all.filter((piece) => piece !== order && piece.kind !== "courtesy");
  const isTaking = acts.includes("forget") && act !== "restore";
  const isReason = ({ text }: Piece): boolean =>
    isStating(text) &&
    !narrowsBeside(text) &&
    !leavesMore(text) &&
    !WHICH.test(text) &&
    (!isTaking || !(WANTED.test(text) || ONLY.test(text)));
  if (!rest.every(isReason) || isQuestioned(order.text, sentence)) return undefined;
  const bare = order.text.replace(POLITELY, "");
  const share = bare === order.text ? order.share : Math.max(order.share, shareOf(bare));
  return { order: bare, share, reasons: rest.map(({ text }) => text) };
}

/** "It isn't the green one" says which. */
const WHICH =
  /^(?:it|they|that|this|these|those)(?:['’](?:s|re)| is| are|(?: is|['’]s|['’]re| are)? not| isn['’]t| aren['’]t| was| were) (?:the|an?|about|for|only|just)\b.*\b(?:ones?|mine|yours|hers|his|theirs)\b/i;
/** "Wait, I need it" takes the order back. */
const WANTED =
  /^(?:I|we|they|he|she|you) (?:do |still |really |actually |might |may )*(?:need|want|use|like|love)s?\b(?!.*\b(?:more|longer|again|back)\b)/i;

/** "I only drink coffee", and not "I only typed it to test". */
const ONLY = /\bonly (?!(?:typed|meant|wanted|did|added|wrote|tested|testing|put|made)\b)/i;

/** "Forget tea? The door is blue." */
const isQuestioned = (order: string, sentence: string): boolean =>
  sentence.charAt(sentence.indexOf(order) + order.length) === "?" && !ASKED_TO.test(order);
const ASKED_TO = /\b(?:can|could|would|will|won't|may|might|please|pls|mind|possible|let's)\b/i;

/** Whether it begins with the word that orders, or says that something may go. */
export const isOrder = (text: string): boolean => {
  const bare = withoutCourtesies(text).replace(ASKED_SO, "");
  const first = /^[\p{L}'’-]+/u.exec(bare)?.[0].toLowerCase() ?? "";
  return (
    bare !== withoutCourtesies(text) ||
    ORDERS_SO.test(text) ||
    ORDERS.test(bare) ||
    (!NO_ORDER.test(first) && classesOf(first).some((one) => VERBS_OF.has(one)))
  );
};
const VERBS_OF: ReadonlySet<string> = new Set([
  ...["forget", "undo", "restore", "merge", "make", "remember", "switchto", "settle", "label", "want"],
]);
const NO_ORDER = /^(?:stop|never|let|line|like|would|right|record|side|stays?)$/;

const ORDERS_SO =
  /\b(?:can go|needn't|no (?:need|reason|point|use)|no more|not needed|(?:can|could|should|may) be (?:\w+ed|dropped|forgotten))\b/i;

/** "You can take her off" is an order; "I want it back", too. */
const ASKED_SO =
  /^(?:(?:you|we) (?:can|may|could|should|might as well)(?: now| just)*|(?:I|we)(?:['’]d| would)? (?:want|need|like)|please|pls|can I have|could I have|then) /i;
const ORDERS = new RegExp(
  `^(?:${TAKING.join("|")}|take|get|put|bring|restore|nuke|lose|reset|rewind|return|roll|go back|un-?(?:delete|hide|forget|remove|bin)|fold|freeze|set)\\b`,
  "i",
);

function kindOf(text: string, share: number): Piece {
  const bare = text.replace(/[\s.,;:!?…]+$/, "");
  if (COURTESY.test(bare)) return { text, kind: "courtesy", share: 0 };
  const asked = bare.replace(ASKED_SO, "");
  const isAsked = asked !== bare || ORDERS_SO.test(text) || !isStating(text);
  if (isAsked && share >= (ORDERS.test(asked) ? LEAST_OF_VERB : LEAST_OF_ORDER))
    return { text, kind: "order", share };
  return { text, kind: isStating(text) ? "reason" : "other", share };
}
/** Where it begins with a word that orders. */
const LEAST_OF_VERB = 0.2;

function isStating(clause: string): boolean {
  const text = withApostrophes(clause);
  return (
    !ORDERS.test(text) &&
    text.trim().split(/\s+/).length >= LEAST_WORDS &&
    !MORE.test(text) &&
    !isQuestion(text) &&
    (STATES.test(text) || HAS_VERB.test(text))
  );
}

/** "Oslo, Rome and Paris" belong to what stands before them. */
function glued(
  parts: readonly string[],
  sentence: string,
  kindOfPart: (text: string) => Piece,
): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let end = 0;
  for (const part of parts) {
    const start = sentence.indexOf(part, end);
    const piece = kindOfPart(part);
    end = start + part.length;
    if (piece.kind === "other" && pieces.length > 0) {
      pieces[pieces.length - 1] = kindOfPart(sentence.slice(from, end));
      continue;
    }
    const before = pieces.at(-1);
    if (before?.kind === "other") {
      pieces[pieces.length - 1] = kindOfPart(sentence.slice(from, end));
      continue;
    }
    pieces.push(piece);
    from = start;
  }
  return pieces;
}

/** Of whom or what a told clause speaks: "tanaka has gone to another practice". */
export function subjectOf(clause: string): string | undefined {
  const subject = SUBJECT.exec(clause)?.groups?.subject?.trim();
  return subject === undefined || NOBODY.test(subject) ? undefined : subject;
}
const SUBJECT =
  /^(?:(?:the|our|my|that|this) )?(?<subject>[^,;:]{2,60}?)(?:['’]s)? (?:is|are|was|were|has|have|had|isn't|aren't|wasn't|weren't|hasn't|haven't|doesn't|don't|didn't|won't|can't|finally|no longer|now|just|got|came|went|left|moved|died|stopped|quit|closed|sold|cancelled|pulled|dropped|returned|called|changed|works?|lives?|wants?|needs?)\b/i;
const NOBODY = /^(?:I|we|you|he|she|it|they|that|this|there|everyone|nobody|someone|somebody)$/i;
