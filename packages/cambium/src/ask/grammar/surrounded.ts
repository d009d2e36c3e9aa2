/**
 * What stands around a request: greetings, why it is made, and what it is for, in sentences and clauses of their own.
 * "Oh dear, I didn't mean to do that. Please undo it." asks for one thing. A reason is only what says nothing of how
 * much is meant; whatever else is left keeps the request from being done.
 *
 * @module
 */
import type { Surroundings, Understanding, Understood } from "../intent.js";
import { MAX_SENTENCE, straight } from "../plain-sentence.js";
import { isStated } from "./stating.js";

type Read = (text: string, around: Surroundings) => Promise<Understanding>;

const COURTESY =
  /^(?:(?:oh|ah|hey|hi|hello|dear|no|oops|whoops|ok|okay|right|well|so|thanks?|thank you|please|cheers|sorry|hmm+|wait|good (?:morning|afternoon|evening|night|day)|morning|evening|there|all|everyone|cambium|much|again|so much|very much|a lot|in advance|great|perfect|cool|never mind|my (?:bad|mistake)|just (?:checking|curious|wondering)|quick (?:question|one)|one (?:more thing|quick question)|(?:I )?hope (?:you're|you are|all is|all's|everything is) (?:well|fine|good|ok)|how are you(?: doing)?(?: today)?|that's all(?: for (?:now|today))?|that would be (?:great|nice|lovely)|much appreciated|no (?:rush|hurry)|oh (?:dear|no)|a question)[,!. ]*)+$/i;

/** Of what is done, that it was not meant, or is no longer wanted; and of nothing else. */
const REGRETS: readonly RegExp[] = [
  /^(?:I|we) (?:really )?(?:didn't|did not) (?:mean|want|intend)(?: to do)? (?:that|this|it)$/i,
  /^(?:I|we) (?:didn't|did not) mean to$/i,
  /^(?:I|we)(?:'ve| have)? (?:just )?(?:decided against (?:it|that|this)|changed (?:my|our) minds?|made a mistake|messed (?:that |it )?up|mistyped|mistyped that)$/i,
  /^(?:I|we)(?:'m|'re| am| are) (?:all )?(?:done|finished|through) with (?:it|that|this|them|that one)$/i,
  /^(?:I|we) (?:don't|do not|won't|no longer|didn't) (?:need|want|use|care about)(?: (?:it|that|this|them|that (?:branch|note|one|memory|checkpoint)))?(?: any ?more| any longer| now)?$/i,
  /^(?:I|we) (?:don't|do not|no longer) care(?: about (?:it|that|them))?(?: any ?more| any longer)?$/i,
  /^(?:I|we)(?:'m|'re| am| are) not (?:doing|using|going (?:ahead )?with) (?:it|that|this)(?: any ?more| after all)?$/i,
  /^(?:it|that|this) (?:went nowhere|(?:didn't|did not|doesn't) work(?: out)?(?: for us)?|led nowhere)$/i,
  /^(?:it|that|this) was the wrong (?:one|note|memory|thing|branch|name)$/i,
  /^(?:it|that|this)(?:'s| is| was) (?:all )?(?:wrong|a typo|a mistake|my mistake|an accident|an error|outdated|out of date|obsolete|no longer needed|not needed any ?more|old|nonsense|a test|just a test|not right|over|done|settled|final)$/i,
];
/** "The bike is back", "the sale is final": what follows is done with that. */
const USED_UP =
  /^(?:ok(?:ay)?,? |so,? |well,? |now )?(?<subject>.+?)(?:'s| is| are| has been| have been)(?: now| all| finally)? (?:back|over|done|final|finished|complete|completed|sold|gone|ready|settled|cancelled|canceled|repaired|fixed|approved|signed off)$/i;
const OF_SPEAKER =
  /^(?:because |since |as |cause |for )?(?:I|we|they|he|she|it|that|this|somebody|someone)(?:'(?:m|s|re|ve|d|ll)\b|\b) \S|^(?:because|since|as) \S+ \S/i;
/** They say how much, when, or something more: no reason where something is written. */
const NARROWS =
  /\b(?:but|except\w*|only|not|\w+n't|apart|unless|until|till|if|when|whenever|before|after|keep|leave|stays?|rest|remaining|others?|else|some|most|parts?|instead|rather|just|also|too|and|then|or|want|need|like|wish|should|must|may|could|would|might|please|tomorrow|tonight|later|next|all|everything|every|each|none|never|nothing|no|without|half|about|tell|told|tells|said|says)\b/i;
/** Of a question, these ask for something else. */
const ASKS_MORE =
  /\b(?:but|except\w*|only|not|apart|unless|else|also|too|and|then|instead|rather|sorted|first|as an?|tell|send|show|give|list|want|please|other than)\b/i;
/** Who speaks, and why now: "Mrs Petersen is on the phone". */
const OCCASION =
  /^[^,]{1,40}? (?:is|are|'s) (?:on the (?:phone|line)|calling|asking|waiting|coming|here|at the door|visiting)(?: me| us| for me)?(?: (?:today|now|tomorrow|soon|right now|in \S+ (?:minutes?|hours?)))?$/i;

/** "My appointment is in an hour", "can't find it". */
const SOON =
  /^(?:(?:my|our) [^,]{1,40}? (?:is|starts|leaves|begins) (?:in|at|on|tomorrow|today|tonight|soon|now)\b[^,]{0,20}|(?:can't|cannot) (?:find|remember|recall) (?:it|that|them))$/i;

const KEEP_THAT =
  /^(?:(?:so|and|please|pls|can you|could you|would you|will you) ?)*(?:(?:save|note|remember|keep|store|record|memori[sz]e|write|jot)(?: down)? (?:that|this|it)(?: down| in mind)?(?: for (?:me|us|later|next time))?|(?:make|take) a note(?: of (?:that|this|it))?|add (?:that|this|it) to (?:your|my|the) (?:notes|memory|memories))(?:,? please|,? thanks)?$/i;

const LEAD =
  /^(?:(?:so|and|then|please|but now|you can|you may|you could|feel free to|go ahead and|can we|let's|now) )+/i;

/** Not after "Dr." and the like. */
const BETWEEN =
  /(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|No|vs|etc|approx|e\.g|i\.e))(?<=[\p{L}\p{N})"'%€$][.!?…]+)\s+(?=\S)|\s*[\n;]+\s+|\s+[-–—]+\s+/u;

/**
 * @param read - reads one request
 * @returns undefined where there is not exactly one request, or something is left that is no reason
 */
export async function readSurrounded(
  text: string,
  around: Surroundings,
  read: Read,
): Promise<Understood | undefined> {
  if (text.length > MAX_SENTENCE || text.includes('"')) return undefined;
  const sentences = straight(text).trim().split(BETWEEN).filter(Boolean);
  const parts = sentences.length > 1 ? sentences : clausesOf(sentences[0] ?? "");
  if (parts.length < 2 || parts.length > MOST_PARTS) return undefined;
  return keptOf(parts, around) ?? (await requestAmong(parts, around, read));
}

const MOST_PARTS = 5;

/** Where there are commas, at the first or the last of them: what is between stays together. */
const clausesOf = (sentence: string): readonly string[] => {
  const cuts = [...sentence.matchAll(/,? (?:and|so)(?: then)? (?=(?:I|we|it|you|please)\b)|,\s+|:\s+/gi)];
  const [first, last] = [cuts[0], cuts.at(-1)];
  const at = (cut: RegExpMatchArray | undefined) =>
    cut === undefined
      ? [sentence]
      : [sentence.slice(0, cut.index), sentence.slice((cut.index ?? 0) + cut[0].length)];
  const begun = at(first);
  return isReason(bare(begun[0] ?? "")) || isCourtesy(begun[0] ?? "") ? begun : at(last);
};

const bare = (part: string): string => part.replace(/^[\s,;:.!-]+|[\s,;:.!…-]+$/g, "");
const isCourtesy = (part: string): boolean => COURTESY.test(bare(part));
const isRegret = (part: string): boolean => REGRETS.some((form) => form.test(part));
const isReason = (part: string): boolean =>
  isRegret(part) ||
  /^I'm about to \w+(?: \w+)?$/i.test(part) ||
  (USED_UP.test(part) && !NARROWS.test(part)) ||
  (OF_SPEAKER.test(part) && !NARROWS.test(part));
/** A question is only answered: more may be said around it. */
const isOccasion = (part: string): boolean =>
  isReason(part) ||
  ((OF_SPEAKER.test(part) || OCCASION.test(part) || SOON.test(part)) && !ASKS_MORE.test(part));

/** "The oven is fixed at 180 degrees. Can you save that?" */
function keptOf(parts: readonly string[], around: Surroundings): Understood | undefined {
  const rest = parts.filter((part) => !isCourtesy(part));
  const last = rest.at(-1)?.replace(/[.!?\s]+$/, "");
  const text = rest.slice(0, -1).join(" ");
  if (last === undefined || text === "" || !KEEP_THAT.test(last) || !isStated(text, around)) return undefined;
  return { understood: true, request: { operation: "remember", content: text } };
}

async function requestAmong(
  parts: readonly string[],
  around: Surroundings,
  read: Read,
): Promise<Understood | undefined> {
  const rest = parts.filter((part) => !isCourtesy(part));
  const asked = rest.filter((part) => !isOccasion(withoutLead(bare(part))));
  const [one, ...others] = asked;
  if (one === undefined || others.length > 0) return undefined;
  const reasons = rest.filter((part) => part !== one).map((part) => bare(part));
  const found = await read(resolved(one.replace(LEAD, ""), reasons), around);
  if (!found.understood || found.request.operation === "remember" || found.request.operation === "correct")
    return undefined;
  const isRead = ASKED.has(found.request.operation);
  if (!isRead && !reasons.every((part) => isReason(withoutLead(part)))) return undefined;
  if (isLast(found) && !reasons.every((part) => isRegret(withoutLead(part)))) return undefined;
  return withLeftOut(found, reasons);
}

const withoutLead = (part: string): string =>
  part.replace(/^(?:(?:so|oh|well|ok(?:ay)?|and|dear|sorry|oops|no|ugh|ah|hm+|argh)[, ]+)+/i, "");

/** "Delete it", of the bike that is back: by its name, for what was written last may be something else. */
function resolved(order: string, reasons: readonly string[]): string {
  const subject = reasons
    .map((part) => USED_UP.exec(part)?.groups?.subject)
    .find((words) => words !== undefined && !/^(?:it|that|this|they|I|we|he|she)$/i.test(words));
  if (subject === undefined) return order;
  return order
    .replace(/\b(?:that|this|the) (?:note|memory|entry)\b/i, `the note about ${subject}`)
    .replace(/ (?:it|that|this|them)(?: branch)?(?= |[.!?]|$)/i, ` ${subject}`);
}

/** Of what was written or forgotten last: a reason that names something may mean that. */
const isLast = ({ request }: Understood): boolean =>
  (request.operation === "forget" || request.operation === "restore") &&
  request.topic === undefined &&
  !("category" in request) &&
  !("tag" in request) &&
  !("forgotten" in request);

const ASKED: ReadonlySet<string> = new Set([
  ...["recall", "list", "count", "labels", "forgotten", "changes", "evolution", "blame", "history"],
  ...[
    "before-correction",
    "checkpoints",
    "branches",
    "conflicts",
    "status",
    "difference",
    "recent",
    "export",
  ],
]);

export const withLeftOut = (found: Understood, parts: readonly string[]): Understood => {
  const all = [...(found.leftOut ?? []), ...parts];
  return all.length === 0 ? found : { ...found, leftOut: all };
};
