/**
 * A sentence in its clauses: what is asked, what is only told, what is not to be done, and manners. "I've kept him on
 * after all, so bring that back" tells one thing and asks for another. Pure.
 *
 * @module
 */
import { isQuestion } from "../grammar/questions.js";
import { isStatement, ORDERS } from "../grammar/remembering.js";
import { ORDER_SHAPE } from "../grammar/stating.js";
import { plainSentence, straight } from "../plain-sentence.js";

/** `limits`: that nothing is to be written. `keeps`: what is to stay as it is. `case`: if something is so. */
export type ClauseKind = "asked" | "told" | "limits" | "keeps" | "manners" | "case";

export interface Clause {
  readonly kind: ClauseKind;
  /** Without the words that join it to others. */
  readonly text: string;
  /** As it was written. */
  readonly written: string;
  /** By "because" or "so", it is the reason of what is asked. */
  readonly isJoined: boolean;
  /** It asks, and orders nothing. */
  readonly isQuestion: boolean;
  /** In one sentence with what is asked. */
  readonly isBeside: boolean;
}

const COURTESY =
  /^(?:(?:oh|ah|hey|hi|hello|dear|no|oops|whoops|ok|okay|right|well|so|thanks?|thank you|please|cheers|sorry|hmm+|wait|good (?:morning|afternoon|evening|night|day)|morning|evening|there|all|everyone|cambium|much|again|so much|very much|a lot|in advance|great|perfect|cool|never mind|my (?:bad|mistake)|(?:I'm )?just (?:checking|curious|wondering)|quick (?:question|one)|one (?:more thing|quick question)|(?:I )?hope (?:you're|you are|all is|all's|everything is) (?:well|fine|good|ok)|how are you(?: doing)?(?: today)?|that's all(?: for (?:now|today))?|that would be (?:great|nice|lovely)|much appreciated|no (?:rush|hurry)|a question)[,!. ]*)+$/i;
/** "Don't change anything", "without deleting anything", "not yet". */
const LIMITS =
  /^(?:(?:don't|do not|never|without|no need to|not to|nothing to|please don't) (?:actually |really )?(?:chang|delet|do(?:ing)?\b|merg|touch|writ|remov|modif|alter|drop|edit|overwrit|undo|commit|apply|bring|take|throw|forget(?:ting)? (?:it|that|anything))\w*(?: \S+){0,4}|not yet|nothing (?:should|must|may|is to) (?:be )?\w+(?: yet| now)?|(?:I'm |we're )?(?:just|only) (?:asking|looking)|(?:it|that|everything) (?:has to|should|must) stay as it is)$/i;
const KEEPS =
  /^(?:the |all the )?(?<which>later|newer|older|earlier|other|rest|remaining|others)(?: (?:ones?|notes?|memories))?(?: of (?:it|them))? (?:can |should |may |must |are to |have to |has to )?(?:stays?|remains?|be kept)$|^(?:keep|leave) (?:all )?(?:the )?(?<kept>later|newer|older|earlier|other|rest|remaining|others|everything else)(?: (?:ones?|notes?|memories))?(?: (?:alone|as (?:it is|they are)|in|there))?$/i;

/** Not after "Dr." and the like. */
const BETWEEN =
  /(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|etc|approx|e\.g|i\.e))(?<=[\p{L}\p{N})"'%€$][.!?…]+)\s+(?=\S)|\s*[\n;]+\s+|\s+[-–—]+\s+/u;
const WH = "(?:what|when|where|who|how|which|why|whose|did|does|is|are|was|were|has|have)";
const CUT = new RegExp(
  `,\\s+(?:(?:and|but|so|then|because|since|as|or|or else|though) )*|\\s+(?:but|because|though|(?:and )?so(?= (?:please|can|could|I|we|it|you|don't|bring|take|put|drop|forget|get|show|tell|go|undo|remove|delete|merge)\\b)|and(?= (?:${WH}|please|can you|could you|then)\\b)|or(?= (?:is|are|did|does|has|have|was|were) ))\\s+`,
  "gi",
);
/** Before what is asked, and no part of it. */
const LEAD =
  /^(?:(?:so|and|but|or|then|also|please|just|now|well|ok|okay|right|maybe|actually|anyway|can you|could you|would you|will you|can we|you can|you may|you could|feel free to|go ahead and|let's|let me|kindly|i'd like (?:you )?to|i (?:just |only |really )?(?:want|need|would like) (?:you )?to|we (?:just )?(?:want|need) (?:you )?to|i think you (?:can|should))[, ]+)+/i;
const TO_LOOK =
  /^(?:look|check|see|give|compare|diff|settle|pick|choose|use|mark|pull|let me know|summari[sz]e|describe|catch|bring me|count|read|print|view|explain|remind me|search|fetch|get|go with|stick with|correct|commit to|freeze|take)\b/i;
/** Somebody or something does something. */
const OF_PRONOUN =
  /^(?:I|we|you|they|he|she|it|that|this|there|these|those|nobody|somebody|someone|everyone|both)(?:'\w+| \S+)/i;
const MOST_CLAUSES = 6;

/**
 * @param isWhole - whether a sentence is one request as it is
 * @returns undefined where there are too many to be sure of any
 */
export async function clausesOf(
  text: string,
  isWhole: (sentence: string) => Promise<boolean>,
): Promise<readonly Clause[] | undefined> {
  const sentences = straight(text).trim().split(BETWEEN).filter(Boolean);
  const parts: string[] = [];
  const beside: boolean[] = [];
  for (const sentence of sentences) {
    const cut = clausesIn(sentence);
    const isOne = cut.length > 1 && sentences.length > 1 && (await isWhole(bare(sentence.replace(LEAD, ""))));
    parts.push(...(isOne ? [sentence] : cut));
    beside.push(...(isOne ? [false] : cut.map(() => cut.length > 1)));
  }
  const clauses = parts
    .map((part, at) => ({
      ...typed(part, BECAUSE.test(part) || /^\s*(?:and )?so\b/i.test(parts[at + 1] ?? "")),
      isBeside: beside[at] ?? false,
    }))
    .filter(({ text: words }) => words !== "");
  return clauses.length > MOST_CLAUSES ? undefined : clauses;
}

export const bare = (part: string): string => part.replace(/^[\s,;:.!-]+|[\s,;:.!…-]+$/g, "");

function clausesIn(sentence: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (const cut of sentence.matchAll(CUT)) {
    const rest = sentence.slice(cut.index + cut[0].length);
    const next = rest.slice(0, nextCut(rest));
    const before = sentence.slice(from, cut.index);
    const isJoined = /\b(?:but|because|since|as|so|though)\s+$/i.test(cut[0]);
    if (!isClause(next, isJoined) || !standsAlone(before)) continue;
    // "All but I said".
    if (
      /^\s*but\s/i.test(cut[0]) &&
      /\b(?<!\bafter |\bat )(?:all|nothing|anything|everything|none)$/i.test(before)
    )
      continue;
    parts.push(before);
    // The word that joins them says whether it is a reason.
    from = cut.index + (/^[,;]?\s*/.exec(cut[0])?.[0].length ?? 0);
  }
  return [...parts, sentence.slice(from)];
}

const nextCut = (text: string): number => {
  CUT.lastIndex = 0;
  const found = text.search(new RegExp(CUT.source, "i"));
  return found < 0 ? text.length : found;
};

/** "Tea" is none, and belongs to what follows. */
const standsAlone = (text: string): boolean =>
  text.trim().split(/\s+/).length > 1 || COURTESY.test(bare(text));

function isClause(part: string, isJoined: boolean): boolean {
  const words = bare(part);
  const asked = words.replace(LEAD, "");
  if (COURTESY.test(words) || LIMITS.test(asked) || KEEPS.test(asked)) return true;
  if (isAsked(asked)) return true;
  if (OF_PRONOUN.test(words)) return true;
  return isJoined
    ? words.split(/\s+/).length > 2
    : / (?:it|that|them|this)$/i.test(words) || isStatement(words);
}

const asks = (words: string): boolean =>
  isQuestion(words) ||
  /^do (?:you|we|I) (?:happen to |still |even )?(?:know|remember|have|recall)\b/i.test(words);
const isAsked = (words: string): boolean =>
  asks(words) ||
  /^(?:everything|anything|all|whatever) (?:that |about |from |on |tagged |in |under )?(?:I|we|you|[\w-]+) \S/i.test(
    words,
  ) ||
  ((ORDERS.test(words) || TO_LOOK.test(words) || /^(?:only|just) (?:merge|bring|take)\b/i.test(words)) &&
    !isStatement(words));

const BECAUSE = /^\s*(?:because|since|as|cause)\b(?!\s+(?:of|a|an)\b)/i;

function typed(part: string, isJoined: boolean): Omit<Clause, "isBeside"> {
  const whole = bare(part);
  const written = whole.replace(/^(?:but|and|so) /i, "");
  const as = (kind: ClauseKind, text: string, isQuestioned = false) => {
    return { kind, text, written, isJoined, isQuestion: isQuestioned };
  };
  if (COURTESY.test(written)) return as("manners", written);
  const text = bare(plainSentence(written.replace(BECAUSE, "")).replace(LEAD, ""));
  if (LIMITS.test(text)) return as("limits", text);
  if (KEEPS.test(text)) return as("keeps", text);
  if (
    /^(?:if|unless|whenever|once|in case|provided|only(?! (?:merge|bring|take|show|list|tell))|except|not|instead of|rather than)\b/i.test(
      text,
    )
  )
    return as("case", text);
  if (/^but (?:keep|leave|skip)\b/i.test(whole)) return as("case", text);
  const isOrder = ORDERS.test(text) || TO_LOOK.test(text) || ORDER_SHAPE.test(text);
  const isQuestioned = asks(text) || (/\?\s*$/.test(part) && !isOrder);
  const isFirst = /^(?:before|while|if|when|after) (?:I|we|you) /i.test(text) && !part.trim().endsWith("?");
  return as((isQuestioned || isAsked(text)) && !isFirst ? "asked" : "told", text, isQuestioned);
}

/** Which of a clause that keeps some. */
export const keptBy = (text: string): string | undefined => {
  const { which, kept } = KEEPS.exec(text)?.groups ?? {};
  return (which ?? kept)?.toLowerCase();
};

/** They say how much is meant, or ask for more: of what takes away, no such clause is left out. */
const NARROWS =
  /\b(?:but|except\w*|only|apart|unless|until|till|if|when|whenever|before|after|keep|leave|stays?|rest|remaining|others?|else|some|most|parts?|instead|rather|just|also|too|then|or|want|need|like|wish|should|must|may|could|would|might|please|tomorrow|tonight|later|next|everything|every|each|none|never|nothing|no|not|without|half|tell|mean|meant|ones?)\b/i;
const NOT = /\b(?:not|never|no|\w+n't|hardly)\b/i;
/** Of what is done, that it was not meant, or is no longer wanted; and of nothing else. */
const REGRET =
  /^(?:I|we) (?:really )?(?:didn't|did not) (?:mean|want|intend)(?: to)?(?: do)?(?: that| this| it)?$|^(?:I|we)(?:'ve| have)? (?:just )?(?:decided against (?:it|that|this)|changed (?:my|our) minds?|made a mistake|messed (?:that |it )?up|mistyped(?: that)?)$|^(?:I|we)(?:'m|'re| am| are) (?:all )?(?:done|finished|through) with (?:it|that|this|them|that one)$|^(?:I|we) (?:don't|do not|won't|no longer|didn't) (?:need|want|use|care about|care)(?: (?:about )?(?:it|that|this|them|that (?:branch|note|one|memory|checkpoint)))?(?: any ?more| any longer| now)?$|^(?:I|we)(?:'m|'re| am| are) not (?:doing|using|going (?:ahead )?with) (?:it|that|this)(?: any ?more| after all)?$|^(?:it|that|this) (?:went nowhere|(?:didn't|did not|doesn't) work(?: out)?(?: for us)?|led nowhere)$|^(?:it|that|this) was the wrong (?:one|note|memory|thing|branch|name)$|^(?:it|that|this)(?:'s| is| was) (?:all )?(?:wrong|a typo|a mistake|my mistake|an accident|an error|outdated|out of date|obsolete|no longer needed|not needed any ?more|old|nonsense|a test|just a test|not right|over|done|settled|final)$/i;

export const isRegret = (text: string): boolean => REGRET.test(text);

/** Of a question, these ask for something else. */
const ASKS_MORE =
  /\b(?:but|except\w*|only|apart|unless|else|also|too|then|instead|rather|sorted|as an?|please|other than)\b/i;
/** "The bike is back", "the sale is final": what follows is done with that. */
export const USED_UP =
  /^(?<subject>.+?)(?:'s| is| are| has been| have been)(?: now| all| finally)? (?:back|over|done|final|finished|complete|completed|sold|gone|ready|settled|cancelled|canceled|repaired|fixed|approved|signed off)$/i;
/** Who speaks, and why now: "Mrs Petersen is on the phone". */
const OCCASION =
  /^[^,]{1,40}? (?:is|are|'s) (?:on the (?:phone|line)|calling|asking|waiting|coming|here|at the door|visiting)\b|^(?:my|our) [^,]{1,40}? (?:is|starts|leaves|begins) (?:in|at|on|tomorrow|today|tonight|soon|now)\b|^(?:can't|cannot) (?:find|remember|recall)\b|^(?:before|while|when|after) (?:I|we) /i;

/** Joined to what is asked, or said of somebody who is known. */
export const speaksOfIt = ({ text, isJoined }: Pick<Clause, "text" | "isJoined">): boolean =>
  isJoined || OF_PRONOUN.test(text) || /^(?:for|about|on|regarding) \S/i.test(text);

const SUBJECT =
  /^(?:I|we|they|he|she|it|that|this|there|the|my|our|his|her|their|all|everyone|nobody|everything)(?:'|\s)/i;

/** Says why, and nothing of how much; what has nothing to do with it is no reason either. */
export function isReason(
  { text: written, isJoined, isBeside }: Clause,
  { isRead, isHiding }: { readonly isRead: boolean; readonly isHiding: boolean },
): boolean {
  const text = written.replace(/ after all\b/i, "");
  if (isRegret(text)) return true;
  // What only adds or brings back is shown, and asked about: why it is done need not be plain.
  if (!isRead && !isHiding && (isBeside || speaksOfIt({ text, isJoined })) && SUBJECT.test(text))
    return !ASKS_MORE.test(text) && !/^(?:not|no|never|without)\b/i.test(text);
  const isOfIt =
    speaksOfIt({ text, isJoined }) ||
    OCCASION.test(text) ||
    USED_UP.test(text) ||
    / (?:it|that|them|this|him|her)$/i.test(text);
  return isOfIt && (isRead ? !ASKS_MORE.test(text) : !NARROWS.test(text) && !NOT.test(text));
}
