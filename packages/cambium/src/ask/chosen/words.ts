/**
 * What the words of a choice name: times, states, agents, labels, topics. Each is tried as it was said, and then as
 * people shorten it.
 *
 * @module
 */
import { knownName } from "../grammar/known-names.js";
import type { Labels, ParsedDays, ParsedPeriod, ParsedState, Surroundings } from "../intent.js";
import { wordsMended } from "../mended-words.js";
import { unquoted } from "../patterns.js";
import { withoutLast } from "../plain-sentence.js";
import { daysIn, knownCheckpoint, periodNamed, sinceIn, stateIn } from "../when.js";
import { type Choice, slotText } from "./choice.js";

const SHORT: readonly (readonly [RegExp, string])[] = [
  [/\bhrs?\b/gi, "hours"],
  [/\bmins?\b/gi, "minutes"],
  [/\bwks?\b/gi, "weeks"],
  [/\barvo\b/gi, "afternoon"],
  [/\bb4\b/gi, "before"],
  [/\b(?:the time of |the )?(?:x-?mas|christmas)\b/gi, "25 December"],
  [/\byday\b|\byest\b/gi, "yesterday"],
  [/\bnite\b/gi, "night"],
  [/\blast evening\b/gi, "yesterday evening"],
  [/\b(?:over|during the) ?night(?: shift)?\b/gi, "since yesterday 18:00"],
  [/^after (?=lunch|noon|midday)/gi, "since "],
  [/\blunch(?: ?time| break)?\b/gi, "noon"],
  [/^(?:lately|recently|these days|of late)$/gi, "last 7 days"],
  [/^(?:in )?the week$/gi, "this week"],
  [/\ba fortnight\b/gi, "14 days"],
  [/\bthe first half of (\p{L}+)$/giu, "from 1 $1 to 15 $1"],
  [/\bthe second half of (\p{L}+)$/giu, "from 16 $1 to end of $1"],
  [/\byesterday night\b/gi, "last night"],
  [/(?<=day)'s$/gi, ""],
  [/\b(mon|fri|sun)\b\.?/gi, "$1day"],
  [/\btues?\b\.?/gi, "Tuesday"],
  [/\bweds?\b\.?/gi, "Wednesday"],
  [/\bthu(?:rs?)?\b\.?/gi, "Thursday"],
  [/\bsat\b\.?/gi, "Saturday"],
  [/\btoday's\b/gi, "today"],
  [/\byesterday's\b/gi, "yesterday"],
  [/\bthis (?:past|last) /gi, "last "],
  [/\bthe (?=(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)/gi, ""],
  [/\bback$/gi, "ago"],
];
/** A state in a stretch that has no sharp edges. */
const ROUGH: readonly (readonly [RegExp, string])[] = [
  [/^(?:in |at )?(?:the )?(?:late|end of|close of)[ -]/i, "end of "],
  [/^(?:in )?(?:the )?mid(?:dle of)?[ -]/i, "15 "],
  [/^(?:in )?(?:the )?early[ -]/i, "10 "],
];
const LEADS =
  /^(?:(?:all|only|just|right|exactly|around|about|roughly|back|by|all the way|as of|as at|as|of|from|at|in|on|over|during|within|for|to|the state of|the state|how (?:it|things|everything) (?:was|were|stood)|like (?:it|things) (?:was|were)|the way (?:it|things) (?:was|were)) )+/i;
/** "90 day" is a length of something: "the 90 day tokens". */
const LASTS =
  /^(?:the )?(?:(?:an?|one|1) (?:minute|hour|day|week|month|year)|(?:two|three|four|five|six|seven|ten|\d+|a few|a couple of) (?:minute|hour|day|week|month|year)s)$/i;

/** Words that belong to something else. */
const NO_TIME =
  /^(?:(?:with|on|in|at|from|for|of|the|that|all|our|my|back|whole|full|day|during) )+(?=\S+ \S)/i;

/** As it was said, and as it may be read: the first that is read counts. */
function spellings(words: string): readonly string[] {
  const plain = withoutLast(",;.!?…:", unquoted(words.trim())).replace(/’/g, "'");
  const long = SHORT.reduce((text, [short, full]) => text.replace(short, full), plain);
  const mended = wordsMended(long, []) ?? long;
  const all = [
    plain,
    plain.replace(LEADS, ""),
    long,
    long.replace(LEADS, ""),
    mended,
    mended.replace(LEADS, ""),
  ];
  const shorter = all.map((text) => text.replace(NO_TIME, ""));
  return [...new Set([...all, ...shorter].map((text) => text.replace(/\s+/g, " ").trim()))].filter(
    (text) => text !== "",
  );
}

const HOURS = [
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];
const BETWEEN_HOURS = new RegExp(
  `^(?:between|from) (?<from>\\d{1,2}|${HOURS.join("|")})(?: ?[ap]m)? (?:and|to|till|until) (?<to>\\d{1,2}|${HOURS.join("|")})(?: ?(?<half>[ap]m)| o'clock)?(?:,? (?:in the )?(?<day>this|yesterday|today|on \\w+day|\\w+day)?(?: ?(?<part>morning|afternoon|evening|night))?)?$`,
  "i",
);

/** "Between 2 and 4 this afternoon". */
function hoursRead(words: string): readonly string[] {
  const { from = "", to = "", half, day, part } = BETWEEN_HOURS.exec(words)?.groups ?? {};
  if (to === "" || (half ?? day ?? part) === undefined) return [];
  const hour = (text: string): number =>
    /^\d/.test(text) ? Number(text) : HOURS.indexOf(text.toLowerCase()) + 1;
  const isLate = part === undefined ? half !== "am" && hour(to) < EARLIEST : !/^morning$/i.test(part);
  const at = (text: string): string => `${hour(text)}${(half ?? (isLate ? "pm" : "am")).toLowerCase()}`;
  const on = day === undefined || /^this$/i.test(day) ? "today" : day.replace(/^on /i, "");
  return [`from ${at(from)} to ${at(to)} ${on}`];
}
/** Of an hour without its half of the day: "between 2 and 4" is after noon. */
const EARLIEST = 7;

async function firstRead<T>(
  all: readonly string[],
  read: (words: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const words of all) {
    const found = await read(words);
    if (found !== undefined) return found;
  }
  return undefined;
}

const lasting = (all: readonly string[]): readonly string[] => [
  ...all.filter((one) => LASTS.test(one)).map((one) => `last ${one.replace(/^the /i, "")}`),
  ...all.flatMap(hoursRead),
];

/** "Three days" are the last ones. */
export async function daysRead(words: string, { now }: Surroundings): Promise<ParsedDays | undefined> {
  const all = spellings(words);
  return await firstRead([...all, ...lasting(all)], (one) => daysIn(one, now));
}

export async function periodRead(words: string, around: Surroundings): Promise<ParsedPeriod | undefined> {
  const all = spellings(words);
  return await firstRead([...all, ...lasting(all)], (one) => periodNamed(one, around));
}

/** Since a state of that name, or a time. */
export async function sinceRead(words: string, around: Surroundings): Promise<ParsedPeriod | undefined> {
  const known = checkpointRead(words, around);
  return known === undefined
    ? await firstRead(spellings(words), (one) => sinceIn(one.replace(/^since /i, ""), around))
    : { said: words, from: known.ref };
}

/** "Three days" are so long ago. */
export async function stateRead(words: string, around: Surroundings): Promise<ParsedState | undefined> {
  const all = spellings(words);
  const ago = all.filter((one) => LASTS.test(one)).map((one) => `${one.replace(/^the /i, "")} ago`);
  const rough = all.flatMap((one) =>
    ROUGH.filter(([form]) => form.test(one)).map((by) => one.replace(...by)),
  );
  return (
    checkpointRead(words, around) ??
    (await firstRead([...all, ...ago, ...rough], (one) => stateIn(one, around)))
  );
}

function checkpointRead(words: string, { checkpoints }: Surroundings): ParsedState | undefined {
  const bare = words.replace(
    /^(?:(?:to|at|as of|from|since|the|my|our|state|checkpoint|snapshot|save ?point|called|named) )+/i,
    "",
  );
  const isBefore = /^(?:just |right )?before /i.test(words.trim());
  const name = isBefore ? undefined : knownCheckpoint(withoutLast(",;.!?…:", bare), checkpoints);
  return name === undefined ? undefined : { said: words, ref: `checkpoint:${name}` };
}

const OWNER = /^(?:(?:the|my|our|this|that|what|from|by|of|on) )+/i;

/** "Cursor's", "the intern bot": as it is known, else as it was said. */
export const nameRead = (words: string, names: readonly string[] | undefined): string => {
  const bare = withoutLast(",;.!?…:'", unquoted(words.trim()).replace(OWNER, "")).replace(/['’]s?$/, "");
  return knownName(bare, names) ?? knownName(bare.replace(/s$/i, ""), names) ?? begunBy(bare, names) ?? bare;
};

/** "Claude" is `claude-code`, where no other name begins so. */
function begunBy(words: string, names: readonly string[] = []): string | undefined {
  const [one, ...others] = names.filter(
    (name) => name.toLowerCase().split(/[-_. ]/)[0] === words.toLowerCase(),
  );
  return others.length === 0 ? one : undefined;
}

/** A category that there is, or a tag; a new one as it was said. */
export const labelRead = (words: string): string =>
  unquoted(
    withoutLast(",;.!?…:", words.trim())
      .replace(/^(?:(?:the|my|our|category|tag|tagged|tags|under|in|as|called|with) )+/i, "")
      .replace(/ (?:category|tag)$/i, "")
      .replace(/^#/, ""),
  );

/** "Everything tagged x" may be kept in the category x. */
export function labelsKnown(words: string, as: keyof Labels, around: Surroundings): Labels | undefined {
  const { categories = [], tags = [] } = around;
  const label = labelRead(words);
  const [own, other] = as === "category" ? [categories, tags] : [tags, categories];
  const [mine, theirs] = [knownName(label, own), knownName(label, other)];
  if (mine !== undefined) return { [as]: mine };
  return theirs === undefined ? undefined : { [as === "category" ? "tag" : "category"]: theirs };
}

const DETERMINERS =
  /^(?:(?:all|everything|anything|whatever|what|any|every|each|both|the|my|our|your|that|this|these|those|whole|lot|of|about|on|for|regarding|concerning|to do with|as regards) )+(?=\S)/i;
const NOUN =
  "(?:notes?|memor(?:y|ies)|entr(?:y|ies)|facts?|things?|bits?|stuff|parts?|ones?|info|information|data|lines?|records?|details?|items?|piece|pieces|lot)";
const OF_NOTES = new RegExp(
  `^${NOUN} (?:about|on|of|for|with|w|re|in re|that|which|saying|says?|where|regarding|concerning|to do with|that says|which says|claiming|mentioning|around) (?=\\S)`,
  "i",
);
/** "Where the goggles are". */
const IS_LAST = /(?<=\S) (?:is|are|was|were)$/i;
const NOTE_LAST = new RegExp(` ${NOUN}$`, "i");

/** What something is about: "all the notes on the caravan" is "caravan". */
export function topicRead(words: string): string {
  const quoted = /^["'“”](.+)["'“”]$/.exec(words.trim())?.[1];
  if (quoted !== undefined) return quoted;
  const begin = withoutLast(",;.!?…:", words.trim().replace(/^[\s,;:.!?…-]+/, ""));
  let topic = begin;
  for (let before = ""; topic !== before; ) {
    before = topic;
    topic = topic.replace(DETERMINERS, "").replace(OF_NOTES, "");
  }
  const short = topic
    .replace(/(?<=\S) (?:any ?more|any longer)$/i, "")
    .replace(NOTE_LAST, "")
    .replace(IS_LAST, "")
    .trim();
  return unquoted(short === "" ? topic : short);
}

/** What a choice is about. */
export function topicOf(choice: Choice): string | undefined {
  const topic = slotText(choice, "topic");
  const words = topic === undefined ? undefined : topicRead(topic);
  return words === "" ? undefined : words;
}
