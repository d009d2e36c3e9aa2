/**
 * Whether an argument of a request says one thing. "Tea, newest first", "tea. Also tell Marco" and "tea until Friday"
 * name a topic and ask for something more: a request with words that no argument takes is not the one that was made.
 *
 * @module
 */
import { oneLine } from "@cambium/core/text";
import { STATES } from "./grammar/remembering.js";
import type { Intent } from "./intent.js";
import type { Refusal } from "./patterns.js";

/** How much of a sentence an argument may be. */
type Kind =
  /** What is to stand in a memory: it has times and conditions of its own. */
  | "text"
  /** What is looked for. */
  | "sought"
  /** What something is done with. */
  | "topic"
  /** What something is to be called, or is called. */
  | "name"
  /** When. */
  | "time"
  /** When what is taken back was written; "until Friday" may as well say for how long it is to be hidden. */
  | "reverted";

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)";
/** Where a sentence ends within; "Dr. Brandt", "J. Smith" and "5. December" do not. */
const ENDS = [
  `(?<!(?:^|[ (])(?:dr|mr|mrs|ms|prof|st|no|nr|vs|etc|approx|inc|ltd|co|jr|sr|tel|e\\.g|i\\.e|[a-z]))(?<!\\d)[.!?…]+ (?=\\S)`,
  `(?<=\\d)[.!?]+ (?!${MONTH})(?=\\S)`,
  "[.!?…;] (?=(?:also|and|then|but|please)\\b)",
  "; (?=\\S)|^ [.!?;]",
].join("|");
const TO_DO =
  "(?:tell|send|e-?mail|mail|text|call|ping|message|notify|inform|let|remind|ask|write|show|give|list|print|post|share|forward|copy|move|put|keep|leave|save|store|remember|note|forget|delete|remove|drop|undo|restore|make|create|add|merge|rename|tag|lock|open|close|turn|set|start|stop|switch|export|import|back up)";
const AND_DO = `(?:,|;| and| then| but)(?: (?:also|then|please|just|and))* ${TO_DO}`;
/** "Print and copy settings" are a topic; "and copy them" is an order. */
const AND_DO_IT = `${AND_DO} (?:me|us|him|her|it|them|this|that|the|my|our|your|these|those|everyone|everybody)\\b`;
/** Two statements: "…, and she's closed on Wednesdays". */
const AND_THEY = ", and (?:he|she|it|they|there)(?:'s|'re| (?:is|are|was|were|has|have|will))\\b";
/** Two questions: "…, and how much was it in September". */
const AND_ASK =
  ",? and (?:also )?(?:how (?:much|many|long|often|old|far)|what|who|where|which) (?:is|are|was|were|did|do|does|has|have|had|will|can)\\b";
const EXCEPT =
  "[, ](?:(?:that|which) (?:is|are|do|does)(?:n't| not)\\b|not about|without (?:an?|any) (?:category|tags?)|except(?:ing|ed)?|excluding|apart from|other than|aside from|unless|save for|but (?:not|only|keep|leave|no))\\b";
const SHAPE = [
  "[, ](?:newest|latest|oldest|most recent|shortest|longest) (?:one |ones |entries |notes )?first\\b",
  "[, ](?:sorted|ordered|grouped|arranged|ranked)(?: (?:by|from|in)\\b|$)",
  "[, ]in (?:alphabetical|chronological|reverse|random) order\\b",
  "[, ]as (?:an? )?(?:pdf|table|csv|json|spreadsheet|markdown|bullets?|bullet points|file|e-?mail|summary)\\b",
  "[, ](?:by|via|per) (?:e-?mail|sms|text message)\\b",
  " (?:older|newer|younger) than .*(?:hour|day|week|month|year)s?\\b",
  "[, ]in (?:one|two|three|four|five|a few|\\d+) (?:lines?|sentences?|words|bullet points|paragraphs?)\\b|[, ](?:briefly|in short|in detail)$",
  " and (?:nothing else|no(?:thing)? more)\\b| or not$",
].join("|");
const CONDITION =
  "[, ](?:if|in case|provided|only (?:if|when|for|the|those)|without \\w+ing|instead|as soon as|as long as)\\b| at (?:least|most)\\b";
/** Nothing is done later, again and again, or for a while. */
const LATER =
  "[, ](?:tomorrow|tonight|later|next \\w+|every \\w+|from now on|for now|temporarily|for (?:an?|one|two|three|\\d+) (?:minute|hour|day|week|month)s?|in (?:an?|one|two|three|\\d+) (?:minute|hour|day|week|month)s?)$|[, ](?:until|till)\\b";
/** Why it is to be done, or what is so instead: "…, they stopped". */
const REASON =
  ", ?(?:it|they|he|she|we|I|that|this|these|those|there|my|our|so)\\b|[, ](?:because|cause|as|since) (?:it|they|he|she|we|I|that|this|there|my|our|the)\\b";
/** A state to go back to is no time at which something was written. */
const AS_IT_WAS =
  "[, ](?:(?:to|as|like) (?:how|what|the (?:way|state|version|form|point)|it|they|things|everything)\\b|the way (?:it|they|things|everything)\\b)";
/** How much of it: a memory is hidden as a whole, or not at all. */
const AMOUNT =
  "[, ](?:almost|nearly|half (?:of|the)|hardly|partly|mostly|neither|none|never|no|not|only|(?:most|some|one|two|three|four|five|\\d+|few|many|several|bit|parts?|any|each|either) of|every (?:second|other)|(?:all|anything|nothing|everything) (?:but|except)|other people's|everyone's)(?= |$)";
/** They name everything, or nothing; no memory is about them. */
const ALL_OR_NONE =
  "^ (?:(?:any|every|no)thing|nobody|anyone|everyone)\\b|\\b(?:this|our|the) (?:conversation|chat|session|discussion)\\b";

/** What belongs to something before it, and is no topic by itself. */
const BELONGS =
  "^ (?:and|or|but|if|from|by|for|in|until|till|as|with|without|only|at|than|sorted|ordered|then|also|to)\\b";
/** "Hide tea from the agents" is no matter of who wrote it. */
const FROM_WHOM =
  "[, ]from (?:the |my |our |all )?(?:agents?|bots?|assistants?|users?|team|everyone|everybody|others|people|them|him|her)$";
const TONGUE = "[, ]in (?:english|german|french|spanish|italian|dutch|portuguese|chinese|japanese)$";

/** "The hook 7 note and the one about keys" are two. */
const AND_ANOTHER =
  "(?:,| and|, and| plus| as well as)(?: also)? (?:the|that|this|my|our|any)(?: other)? (?:ones?|notes?|memor(?:y|ies)|entr(?:y|ies)|reminders?|facts?|bits?|bit|things?)\\b";

const either = (...cues: readonly string[]): RegExp => new RegExp(cues.join("|"), "iu");
const CUES: Readonly<Record<Kind, RegExp>> = {
  text: either(ENDS, AND_DO_IT, AND_THEY),
  sought: either(ENDS, AND_DO_IT, AND_ASK, EXCEPT, SHAPE),
  topic: either(
    ENDS,
    AND_DO,
    AND_ANOTHER,
    EXCEPT,
    SHAPE,
    CONDITION,
    LATER,
    REASON,
    AMOUNT,
    AS_IT_WAS,
    ALL_OR_NONE,
    BELONGS,
    TONGUE,
    FROM_WHOM,
  ),
  name: either(ENDS, "[,;!?]", AND_DO, EXCEPT, SHAPE, CONDITION, LATER, BELONGS, TONGUE, "^ an? "),
  time: either("(?<!^ )\\b(?:until|till)(?! now\\b)|\\bnext\\b", EXCEPT),
  reverted: either("\\b(?:until|till|next|now on)\\b", EXCEPT),
};

interface Argument {
  readonly kind: Kind;
  readonly words: string;
}

/** Of those without, no word stands free in the sentence. */
function argumentsOf(request: Intent): readonly Argument[] {
  const of = (kind: Kind, ...words: readonly (string | undefined)[]): readonly Argument[] =>
    words.flatMap((text) => (text === undefined ? [] : [{ kind, words: text }]));
  switch (request.operation) {
    case "correct":
      return of("text", request.content);
    case "recall":
      return of("sought", request.query);
    case "evolution":
    case "blame":
    case "history":
    case "before-correction":
      return of("sought", request.topic);
    case "count":
      return of("sought", request.topic);
    case "restore":
      return [...of("topic", request.topic), ...of("reverted", request.forgotten?.said)];
    case "forget":
    case "doubt":
    case "combine":
    case "file":
      return of("topic", request.topic);
    case "take-back":
      return [...of("topic", request.topic), ...of("reverted", request.period?.said)];
    case "rollback":
      return of("time", request.to.said);
    case "changes":
      return of("time", request.period.said);
    case "checkpoint":
    case "branch":
      return of("name", request.name?.replaceAll("-", " "));
    case "rename-branch":
      return of("name", request.branch.said, request.name);
    case "fresh":
      return of("name", request.branch?.replaceAll("-", " "));
    case "merge":
      return of("name", request.from.said, request.into?.said);
    case "use-branch":
    case "delete-branch":
      return of("name", request.branch.said);
    case "difference":
      return of("name", request.from.said, request.to.said);
    default:
      return [];
  }
}

/** @returns why it is not done, if an argument has words that ask for something else; quoted ones are taken whole */
export function moreThanOne(request: Intent, sentence: string): Refusal | undefined {
  for (const { kind, words } of argumentsOf(request)) {
    if (isQuoted(words, sentence)) continue;
    // "Forget that the office closes if it snows" says what stands in it.
    const isText =
      kind === "topic" &&
      STATES.test(words) &&
      sentence.toLowerCase().includes(`that ${words.toLowerCase()}`);
    const spaced = ` ${words}`;
    const cue = CUES[isText ? "text" : kind].exec(spaced);
    if (cue === null) continue;
    const [before, left] = [spaced.slice(0, cue.index), spaced.slice(cue.index)].map((part) =>
      oneLine(part).replace(/^[\s,;.!?]+|[\s,;]+$/g, ""),
    );
    return refusalFor(request, { before: before ?? "", left: left ?? "", words });
  }
  return undefined;
}

/** A text with several sentences, sentence by sentence. */
export const sentencesOf = (text: string): readonly string[] =>
  text
    .split(new RegExp(ENDS, "iu"))
    .map((part) => part.replace(/^(?:(?:also|and|then|but|please)\b[, ]*)+|[\s.!?;,]+$/gi, "").trim())
    .filter((part) => part !== "");

/** Whether words that no argument takes ask for something more, or for less. */
export const leavesMore = (words: string): boolean => MORE.test(` ${words.trim()}`);
/** Whether an order names a second thing that it is to be done with. */
export const namesAnother = (order: string): boolean => ANOTHER.test(order);
const ANOTHER = either(AND_ANOTHER);
const MORE = either(EXCEPT, SHAPE, `(?:,| and| then| but) ${TO_DO}\\b`);

/** "before trip" may be quoted, and is named `before-trip`. */
function isQuoted(words: string, sentence: string): boolean {
  const flat = (text: string) => text.toLowerCase().replaceAll("-", " ");
  const all = flat(sentence);
  return [`"${flat(words)}"`, `'${flat(words)}'`].some((quoted) => all.includes(quoted));
}

interface Leftover {
  readonly before: string;
  readonly left: string;
  readonly words: string;
}

const MAX_QUOTED = 120;

function refusalFor({ operation }: Intent, { before, left, words }: Leftover): Refusal {
  const verb = operation === "recall" ? "search" : operation.replaceAll("-", " ");
  const known = before === "" ? verb : `${verb}, "${before}"`;
  const why = `Understood: ${known}. Not understood: "${left}".`;
  if (!SOUGHT.has(operation))
    return {
      why: `${why} It is done only when every word is understood; a topic may stand in quotation marks.`,
      isFinal: true,
    };
  const isShort = words.length <= MAX_QUOTED && !words.includes('"');
  const near = isShort ? [{ operation: "recall" as const, example: `search for "${words}"` }] : [];
  return {
    why: `${why} Ask for one thing at a time.`,
    ...(near.length === 0 ? {} : { near }),
    isFinal: true,
  };
}

const SOUGHT: ReadonlySet<Intent["operation"]> = new Set([
  ...(["recall", "count", "evolution", "blame", "history", "before-correction"] as const),
]);
