/**
 * What is only stated: "the plumber comes on Friday", "swap with Dana is confirmed". Whoever tells it wants it to be
 * known, so it is read as something to remember, and asked about. What may be meant for another program, speaks of
 * the conversation alone, or says that something may go is none of it.
 *
 * @module
 */
import type { Surroundings, Understood } from "../intent.js";
import { MAX_SENTENCE, plainSentence, straight, withoutCourtesies } from "../plain-sentence.js";
import { knownName } from "./known-names.js";
import { isConditional, isQuestion } from "./questions.js";
import { ASKS, NO_SUBJECT, ORDERS, STATES } from "./remembering.js";
import { OPENING } from "./rephrased.js";
import { TAKING } from "./words.js";

/** Other programs are told so, or an assistant. */
const DOES_ELSEWHERE =
  /^(?:restart|reboot|run|rerun|re-run|check|test|build|deploy|install|uninstall|upgrade|verify|ensure|execute|launch|kill|push|pull|commit|clone|fetch|download|upload|text|mail|e-?mail|message|ping|notify|inform|ask|remind|book|order|buy|pay|schedule|reschedule|plan|draft|reply|respond|answer|translate|summari[sz]e|explain|describe|compute|calculate|convert|print|play|pause|stop|start|wake|fix|debug|reset|refactor|review|format|scan|read|watch|look|help|wait|think|use|try|make|let|please|imagine|suppose|assume|guess|pick|choose|decide|count|measure|monitor|log|copy|paste|type|click|press|invite|cancel|confirm|accept|decline|reject|approve|connect|disconnect|enable|disable|resolve|solve|clean|water|feed|bring|fill|empty|drop|hide|lock|unlock|sign|submit|transfer|swap out|share|post|publish|reserve|hire|fire|meet|visit|consider|handle|prepare|organi[sz]e|switch|sync|back up|generate|rewrite|edit|correct|erase|wipe|wash|cook|bake|drive|walk|learn|teach|study|finish|leave|repeat|continue|proceed|ignore|skip|undo|redo|vergiss|erinnere)\b(?! (?:is|are|was|were|has|had|will|can|can't|costs?|takes?|runs?|needs?|starts?|ends?)\b)/i;
/** "Frobnicate the server": an order has its object behind it. */
export const ORDER_SHAPE =
  /^(?!(?:the|an?|my|our|his|her|their|its|your|no|all|both|each|every|some|most|many|few|only|half|I|we|he|she|they|in|on|at|for|from|with|by|of|to|as|after|before|since|until|during|within|this|that|there|nobody|everybody|everyone|someone|whoever)\b)\S+ (?:the|an?|my|our|his|her|its|me|us|him|them|it|this|these|those|all|every)\b/i;
const DETERMINED =
  /^(?:the|an?|my|our|his|her|their|its|no|all|both|each|every|some|most|many|few|half|nobody|everybody|everyone|someone|I|we)\b|^\S+'s /i;

/** Verbs of a statement, beside those that corrections know. */
const MORE_VERBS =
  /(?:^| )(?:am|been|cannot|covers?|lasts?|decided|agreed|finished|sent|ordered|booked|signed|moved|paid|made|broke|broken|found|built|wrote|promised|confirmed|cancelled|canceled|arrived|received|chose|picked|planned|plans?|makes|gives?|gets?|does|shows?|says?|thinks?|believes?|becomes?|turns?|grows?|holds?|sits?|stands?|lies|hangs|helps?|serves?|supports?|requires?|expects?|delivers?|ships?|orders?|charges?|allows?|accepts?|closes|visits?|travels?|flies|enjoys?|dislikes?|can't stand|rejected|approved|hired|fired|married|passed|failed|fell|grew|began|ran|spent|saw|heard|thought|felt|kept|held|brought|taught|caught|lent|rented|returned|visited|called|asked|answered|changed|fixed|replaced|installed|upgraded|migrated|deployed|released|published|launched|added|removed|lands?|departs?|rotates?|hurts|aches|sticks|leaks?|squeaks|renews?|resets|breaks|fails|crashes|listens|reads|writes|sings|trains|commutes|rides|swims|snores|barks|bites|manages|leads|joins|retires|graduates|turns|hosts|attends|performs|recommends?|suggests?|insists|refuses|swears|tastes|smells|measures|reaches|put|told|got|gave|set up|hit|broke down|deploys to|reports to|hands? over|looks after)(?: |$)/i;
/** "My sister's in Rome", "I'm allergic to nuts", "we've two cats". */
const SHORT_VERB = /^(?:I'm|we're|they're|I've|we've|[^,]{1,40}?[a-z]'s) \S/i;
/** A noun, a colon, and what is so of it. */
const HEADED =
  /^(?:(?:a |another )?new|news|update on|about|re|reminder|decision|idea|lesson learned|lesson|address|contact|birthday|measurements?|price|recipe|fact|info|rule)\b[^:,.?!]{0,40}: \S+ \S|^(?:a |another )?new (?!branch|checkpoint|note\b|memory|entry|tag|category|space)[\p{L} ]{3,30}(?:!| [–—-]) \S+ \S/iu;

/** Of the talk itself: nobody looks for that later. */
const CONVERSATION =
  /^(?:I|we)(?:'m| am|'re| are| was| were|'ll be)? (?:all |so |just |really |not |still )*(?:done|back|off|ready|sure|sorry|confused|tired|here|fine|ok|okay|good|glad|happy|sad|bored|busy|stuck|lost|curious|kidding|joking|serious|afraid|impressed|thinking|wondering|listening|waiting|leaving|going|out|in)\b(?! (?:at|on|in|until|from|to|with|of)\b)|\b(?:love|like|hate|miss|thank|appreciate|trust|see|owe|hear|understand|agree with|believe|need|want) you\b|^(?:you|your)(?:'|\b)|^(?:I|we)(?:'d| would)? (?:rather|guess|think|hope|suppose|wonder|mean|see|understand|agree|know|don't know|doubt|remember|forgot|need|want|wish|like to|like you|have to go|gotta|must go|should go|ask|was asking|have a question|promise)\b|^(?:that|this|it|here|there)(?:'|\b)|^(?:all good|no problem|no worries|nothing|good (?:morning|night|evening|job|bye))\b|^(?:I|we)(?:'ll| will) (?:be|get|come|go|do|try|think|let|ask|tell|see|check|look)\b/i;

/** That something may go, or is to be changed back: nothing is remembered of that. */
const MAY_GO = new RegExp(
  `\\b(?:done with|no longer (?:needed?|necessary|want(?:ed)?|care|relevant|true|valid)|(?:don't|won't|doesn't|do not) (?:need|want|care|matter)|obsolete|outdated|out of date|(?:is|was|are|were) (?:wrong|a mistake|not right|incorrect|a duplicate|superfluous)|by (?:mistake|accident)|accidentally|(?:can|should|may|could|must|ought to|needs? to|has to|have to|to) (?:now )?(?:go|be (?:${TAKING.join("|")})\\w*|${TAKING.join("|")})(?: away)?(?= |$|,|\\.)|get rid)\\b`,
  "i",
);
/** What there is to be done here. */
const OURS =
  /\b(?:branch(?:es)?|checkpoints?|snapshots?|backups?|memor(?:y|ies)|cambium|conflicts?|merge[ds]?|merging|undo|undone|rollback|roll(?:ed)? back|restore[ds]?|sync(?:ed|ing)?|notes? (?:about|on|of|that|which|with|from|is|are|was|were)|categor(?:y|ies)|tags?|tagged)\b/i;
/** It says that something may go, or speaks of what there is to be done here. */
export const isOfHere = (sentence: string): boolean => OURS.test(sentence) || MAY_GO.test(sentence);

/** Only the conversation tells who, or which; or it is what somebody else is to be told. */
const UNCLEAR =
  /^(?:he|she|they|these|those|one|ones|both|either|neither|the (?:same|other|rest|last|latter|former)(?: one)?s?)\b|\b(?:the (?:rest|others?|last one|first one)|that one|this one)\b/i;
const FOLLOWS =
  /\b(?:that|whether|if|when|unless|so that|and then|in order to|to let|to tell|to ask|please)\b/i;

/** @returns the sentence as something to remember, if it states something by itself */
export function readStated(text: string, around: Surroundings): Understood | undefined {
  const content = withoutCourtesies(text).replace(/\s+/g, " ").trim().replace(OPENING, "");
  if (content.length > MAX_SENTENCE || !isStated(content, around)) return undefined;
  return { understood: true, request: { operation: "remember", content, isStated: true } };
}

/** Of several sentences, the first has to say of what all of them speak. */
export function isStated(text: string, around: Surroundings): boolean {
  const [first = "", ...others] = text.split(
    /(?<!\b(?:Dr|Mr|Mrs|Ms|Prof|St|No)\.)(?<=[\p{L}\p{N})"'][.!])\s+(?=\p{Lu})/u,
  );
  return isOneStated(first, around) && others.every((one) => isMore(one, around));
}

function isOneStated(text: string, around: Surroundings): boolean {
  const sentence = plainSentence(text);
  if (/[?]/.test(text) || isQuestion(sentence) || isConditional(sentence)) return false;
  if (NO_SUBJECT.test(sentence) || UNCLEAR.test(sentence)) return false;
  if (/^(?:no|nope|actually|wrong|correction|in fact|never mind)\b/i.test(sentence)) return false;
  return (
    !isElse(sentence, around) && (HEADED.test(sentence) || hasVerb(sentence) || hasLabelledValue(sentence))
  );
}

/** After a first one, "she" is known. */
const isMore = (text: string, around: Surroundings): boolean => {
  const sentence = plainSentence(text);
  return !/[?]/.test(text) && !isQuestion(sentence) && !isElse(sentence, around) && hasVerb(sentence);
};

const isElse = (sentence: string, around: Surroundings): boolean =>
  sentence.split(/,(?: and| so| then| but)? |: /).some(isOrder) ||
  /^(?:never|always|don't|stop|not|please|just|why|first|also|then|and|but|or)\b/i.test(sentence) ||
  CONVERSATION.test(sentence) ||
  MAY_GO.test(sentence) ||
  OURS.test(sentence) ||
  /(?:,| and| so| then) (?:please|can you|could you|would you|will you|you can|you may|you should|remember|forget|delete|undo|merge|tell|send|show|remind)\b/i.test(
    sentence,
  ) ||
  /["]| instead of | rather than /i.test(sentence) ||
  knownName(/^(.+?) (?:is|are|was|has)\b/i.exec(sentence)?.[1] ?? "", around.branches) !== undefined;

/** Any clause of it: "Dana is ill, cancel the meeting". */
export const isOrder = (clause: string): boolean =>
  ORDERS.test(clause) || DOES_ELSEWHERE.test(clause) || ORDER_SHAPE.test(clause);

/** With something before it that may be its subject, and something behind it. */
export function hasVerb(sentence: string): boolean {
  if (sentence.split(" ").length < LEAST_WORDS) return false;
  if (SHORT_VERB.test(straight(sentence))) return true;
  const found = [STATES, MORE_VERBS].map((verbs) => verbs.exec(sentence)).filter((match) => match !== null);
  const index = Math.min(...found.map((match) => match.index));
  if (found.length === 0 || index < 1) return false;
  const subject = sentence.slice(0, index);
  if (ASKS.test(subject) || FOLLOWS.test(subject) || subject.includes(",")) return false;
  // A bare verb in front may be an order: "frobnicate Dana is late".
  return subject.split(" ").length <= (DETERMINED.test(subject) ? MOST_WORDS : MOST_BARE);
}

/** "New padlock on the bunker, combination is 419", "Gus Moray mobile 01632 960377". */
function hasLabelledValue(sentence: string): boolean {
  if (LABELLED.test(sentence)) return true;
  const [head = "", ...clauses] = sentence.split(", ");
  const last = clauses.at(-1) ?? "";
  return (
    clauses.length === 1 &&
    /\d/.test(last) &&
    !/^(?:who|which|that)\b/i.test(last) &&
    head.split(" ").length <= MOST_WORDS &&
    hasVerb(last)
  );
}
const LABELLED =
  /^(?:[\p{L}'’.&-]+ ){1,6}(?:mobile|phone|telephone|tel|cell|landline|fax|number|no|extension|ext|code|pin|combination|passcode|postcode|zip|iban|account|reference|ref|serial|plate|reg|registration)(?: (?:number|no|code))?:? (?:is )?[+A-Z]{0,3}\d[\dA-Z ()/.-]{2,}$/iu;

const LEAST_WORDS = 3;
const MOST_WORDS = 12;
const MOST_BARE = 6;
