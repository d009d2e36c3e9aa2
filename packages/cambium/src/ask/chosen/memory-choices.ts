/**
 * Requests for what memories say, and to write them.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { describing } from "../changed-value.js";
import { parseBranch } from "../grammar/branching.js";
import type { Intent, Labels, NamedFields, Written } from "../intent.js";
import { plainSentence } from "../plain-sentence.js";
import { classesOf } from "../trained/lexicon.js";
import { betweenStates, topicAndState } from "../when.js";
import { type Choice, type ChosenOperation, restOf, slotText } from "./choice.js";
import { branchMentioned } from "./mentioned.js";
import type { Heard, Read, Reader, Unread } from "./unread.js";
import {
  daysRead,
  labelRead,
  labelsKnown,
  nameRead,
  periodRead,
  sinceRead,
  stateRead,
  topicOf,
  topicRead,
} from "./words.js";

/** By whom, where and when it was written, and how it is labelled; a label that there is not is a topic. */
interface Narrowed {
  readonly written: Written & Labels;
  readonly topic: string | undefined;
  /** A time that says nothing here. */
  readonly leftOut: readonly string[];
}

async function narrowedBy({ choice, around }: Heard): Promise<Narrowed | Unread> {
  const [agent, device, period] = [
    slotText(choice, "agent"),
    slotText(choice, "device"),
    slotText(choice, "period"),
  ];
  const days = period === undefined ? undefined : await daysRead(period, around);
  // An answer may be wider, and says so.
  if (period !== undefined && days === undefined && choice.operation === "count") return { left: period };
  const topic = slotText(choice, "topic");
  const words = topic === undefined ? undefined : topicRead(topic);
  const { labels, unknown } = labelled(choice, around);
  // "What is new in the kids stuff" may be the category of that name.
  const isListed = choice.operation === "list" || choice.operation === "changes";
  const own =
    words === undefined || labels !== undefined || !isListed
      ? undefined
      : labelsKnown(words, "category", around);
  return {
    written: {
      ...(agent === undefined ? {} : { agent: nameRead(agent, around.agents) }),
      ...(device === undefined ? {} : { device: nameRead(device, around.devices) }),
      ...(days === undefined ? {} : { period: days }),
      ...labels,
      ...own,
    },
    topic: own === undefined ? (words ?? unknown) : undefined,
    leftOut: period !== undefined && days === undefined ? [period] : [],
  };
}

function labelled(
  choice: Choice,
  around: Heard["around"],
): { readonly labels?: Labels; readonly unknown?: string } {
  for (const slot of ["category", "tag"] as const) {
    const words = slotText(choice, slot);
    if (words === undefined) continue;
    const labels = labelsKnown(words, slot, around);
    return labels === undefined ? { unknown: labelRead(words) } : { labels };
  }
  return {};
}

/** Where the sentence names a branch beside main, it is looked for there. */
function soughtOn(
  { choice, sentence, around }: Heard,
  topic: string | undefined,
): Pick<Found, "branch" | "topic"> {
  if (slotText(choice, "branch") !== undefined) return { topic };
  const { branch, rest } = branchMentioned(topic ?? "", sentence, around);
  return branch === undefined ? { topic } : { branch, topic: rest === "" ? undefined : rest };
}
interface Found {
  readonly topic: string | undefined;
  readonly branch?: { readonly said: string; readonly matches: readonly string[] };
}

const beside = (leftOut: readonly string[]) => (leftOut.length === 0 ? {} : { leftOut });
const on = ({ branch }: Pick<Found, "branch">) => (branch === undefined ? {} : { branch });

/** What was asked in words, or all of it. */
const recall: Reader = async (heard) => {
  const narrowed = await narrowedBy(heard);
  if ("left" in narrowed) return narrowed;
  const { written } = narrowed;
  const found = soughtOn(heard, narrowed.topic);
  const { operation } = heard.choice;
  const isNarrowed =
    found.topic !== undefined || found.branch !== undefined || Object.keys(written).length > 0;
  if (!isNarrowed && operation === "recall") {
    const query = restOf(heard.choice, heard.sentence) || plainSentence(heard.sentence);
    return query === "" ? { left: heard.sentence } : { request: { operation, query } };
  }
  if (!isNarrowed && !ALL.test(heard.sentence)) return { left: heard.sentence };
  const request: Intent =
    found.topic === undefined
      ? { operation: "list", ...written }
      : { operation: "recall", query: found.topic, ...written };
  return { request, ...on(found), ...beside(narrowed.leftOut) };
};

const list = recall;
/** Nothing less is listed than was asked for. */
const ALL = /\b(?:all|everything|every|whole|lot|memories|notes|entries|facts|complete|full)\b/i;

function aboutIn({ choice, sentence, around }: Heard): string | undefined {
  const labels = labelled(choice, around);
  const label = labels.labels?.category ?? labels.labels?.tag ?? labels.unknown;
  const names = [...(around.categories ?? []), ...(around.tags ?? [])];
  const rest = restOf(choice, sentence).split(" ");
  return label ?? rest.find((word) => names.some((name) => name.toLowerCase() === word));
}

const atPast: Reader = async (heard) => {
  const { choice, around } = heard;
  const time = slotText(choice, "state") ?? slotText(choice, "period");
  const dated = time === undefined ? await topicAndState(topicOf(choice) ?? "", around, true) : undefined;
  const found = soughtOn(heard, dated?.state === undefined ? topicOf(choice) : dated.topic);
  const at = dated?.state ?? (time === undefined ? undefined : await stateRead(time, around));
  if (at === undefined) {
    // What it said before is shown with its dates, where the time says nothing here.
    if (found.topic === undefined || time === undefined) return { left: time ?? "" };
    const request = { operation: "history", topic: found.topic, orSearch: true } as const;
    return { request, ...on(found), leftOut: [time] };
  }
  // Nothing that it is about is left out of a list of everything.
  const query = found.topic ?? aboutIn(heard);
  return {
    request: query === undefined ? { operation: "list", at } : { operation: "recall", query, at },
    ...on(found),
  };
};

/** Of one memory: how it came to say what it says. */
const ofOne =
  (operation: "history" | "blame"): Reader =>
  async (heard) => {
    const found = soughtOn(heard, topicOf(heard.choice) ?? aboutLeft(heard));
    if (found.topic === undefined) return { left: heard.sentence };
    return { request: { operation, topic: found.topic, orSearch: true }, ...on(found) };
  };

/** "Since when is it iOS 17 and whose idea was that": what no word of a request says. */
function aboutLeft({ choice, sentence }: Heard): string | undefined {
  const words = restOf({ ...choice, slots: {} }, sentence)
    .split(" ")
    .filter((word) => !STOP_WORDS.has(word) && classesOf(word).length === 0 && !/['’]/.test(word));
  return words.length === 0 ? undefined : words.join(" ");
}

const changes: Reader = async (heard) => {
  const { choice, around } = heard;
  const state = slotText(choice, "state");
  const time = state ?? slotText(choice, "period");
  if (time === undefined) {
    const narrowed = await narrowedBy(heard);
    if ("left" in narrowed) return narrowed;
    const { written, topic } = narrowed;
    if (topic !== undefined) return { request: { operation: "evolution", topic } };
    return {
      request:
        Object.keys(written).length === 0 ? { operation: "recent" } : { operation: "list", ...written },
    };
  }
  const isSince = state !== undefined || /^since\b/i.test(time);
  const days = state === undefined ? await daysRead(time, around) : undefined;
  const between =
    days !== undefined
      ? betweenStates(days, around.now)
      : isSince
        ? await sinceRead(time, around)
        : await periodRead(time, around);
  if (between === undefined && state !== undefined) return { left: state };
  if (between === undefined) {
    const found = await changes({ ...heard, choice: withoutTime(choice) });
    return "left" in found ? found : { ...found, leftOut: [time] };
  }
  const narrowed = await narrowedBy({ ...heard, choice: withoutTime(choice) });
  if ("left" in narrowed) return narrowed;
  const { written, topic } = narrowed;
  const isNarrowed = Object.keys(written).length > 0;
  if (isNarrowed && days === undefined) return { left: time };
  if (isNarrowed) {
    const more = { ...written, ...(days === undefined ? {} : { period: days }) };
    return {
      request:
        topic === undefined ? { operation: "list", ...more } : { operation: "recall", query: topic, ...more },
    };
  }
  return {
    request:
      topic === undefined
        ? { operation: "changes", period: between }
        : { operation: "evolution", topic, from: between.from },
  };
};

const withoutTime = (choice: Choice): Choice => {
  const { period: _period, state: _state, ...slots } = choice.slots;
  return { ...choice, slots };
};

/** "How many people fit in the van" is known by a memory, and counts none. */
const OF_THE_WORLD =
  /^how many (?!(?:of )?(?:my |the |our |your )?(?:memories|notes|facts|entries|things|items|times)\b)(?:[\w'’-]+ ){1,3}?(?:fits?|can|could|does|will|would|holds?|lives?|comes?|works?|needs?|goes|gets?|earns?|do(?! (?:I|we|you) (?:have|know|keep|remember|store))|is|takes?|sits?|stands?|sleeps?)\b/i;

/** "How many times has the rent gone up" is told by its versions. */
const TIMES_CHANGED =
  /\b(?:how many|number of) times (?:(?:has|have|had|did|was|were) )?(?<topic>(?!(?:I|we|you|he|she|they|it|that|this) )(?:the |my |our )?[^?]{1,60}?) (?:(?:has|have|had|was|were|been) )*(?:gone (?:up|down)|go(?:es)? (?:up|down)|went (?:up|down)|risen|rise|fallen|changed?|moved?|altered|revised|corrected|updated|increased?|raised)\b/i;
/** "How many of my pupils do you have notes on": what is counted is never all where something is named. */
function countedWords(sentence: string): string | undefined {
  const words = describing(plainSentence(sentence)).filter((word) => !OF_COUNTING.test(word));
  return words.length === 0 ? undefined : words.join(" ");
}
const OF_COUNTING =
  /^(?:how|many|much|number|numbers|count|counts|counted|counting|tally|total|totals|sum|altogether|overall|all|everything|anything|things?|stuff|notes?|memor(?:y|ies)|facts?|entr(?:y|ies)|items?|records?|pieces?|bits?|store[ds]?|save[ds]?|kept|keep|keeping|hold|holding|know|known|remember(?:ed|ing)?|written|wrote|do|does|did|you|i|we|me|my|our|your|there|here|far|in|on|up|down|about|of|and|currently|present|presently|today|already|together|roughly|exactly|just|can|could|tell|give|show|what|what's|which|main|branch|say|size|big|large|got|full|whole|think|cambium|brain|head|database|right|moment)$/i;
/** What the reader of parts left out. */
const COUNTED_OF =
  /\b(?:notes?|memories|facts|entries|things|items|records) (?:I have |we have |you have |there are )?(?:about|on|regarding|concerning|to do with|mentioning) (?<topic>.+?)(?: (?:for me|please|do I have|do we have|do you have|are there|in (?:all|total)))?$/i;

const count: Reader = async (heard) => {
  if (OF_THE_WORLD.test(heard.sentence))
    return { request: { operation: "recall", query: heard.sentence.replace(/[?!. ]+$/, "") } };
  const changed = TIMES_CHANGED.exec(heard.sentence)?.groups?.topic;
  if (changed !== undefined) return { request: { operation: "history", topic: changed } };
  const narrowed = await narrowedBy(heard);
  if ("left" in narrowed) return narrowed;
  const { written } = narrowed;
  const isAll = narrowed.topic === undefined && Object.keys(written).length === 0;
  const topic = isAll
    ? (COUNTED_OF.exec(plainSentence(heard.sentence))?.groups?.topic ?? countedWords(heard.sentence))
    : narrowed.topic?.replace(/ for (?:me|us)$/i, "");
  const state = slotText(heard.choice, "state");
  const at = state === undefined ? undefined : await stateRead(state, heard.around);
  if (state !== undefined && at === undefined) return { left: state };
  if (written.device !== undefined) return { left: written.device };
  return {
    request: {
      operation: "count",
      ...written,
      ...(topic === undefined ? {} : { topic }),
      ...(at === undefined ? {} : { at }),
    },
  };
};

const remember: Reader = async (heard) => {
  const { choice, around } = heard;
  const [written, ...others] = choice.slots.content ?? [];
  // What lies between two parts may be a part of it, too.
  if (written === undefined || others.length > 0) return { left: others[0] ?? heard.sentence };
  const fields = fieldsOf(choice);
  const { place, label, text } = FOR_PLACE.exec(written.trim())?.groups ?? {};
  const known = parseBranch(place ?? label ?? "", around);
  const isPlaced = text !== undefined && known.matches.length === 1 && known.matches[0] !== "main";
  return {
    request: {
      operation: "remember",
      content: isPlaced ? text : written.trim(),
      // With no word that it is to be kept, it may say otherwise than a memory.
      ...(heard.sentence.replace(/[\s.!]+$/, "") === written.trim() ? { isStated: true as const } : {}),
      ...(Object.keys(fields).length === 0 ? {} : { fields }),
    },
    ...(isPlaced ? { branch: known } : {}),
  };
};
/** "For spring-tour: …" */
const FOR_PLACE =
  /^(?:(?:for|on|in) (?:the )?(?:branch )?(?<place>[\w./-]+)|(?<label>[\w./]+-[\w./-]+)) ?[:,] (?<text>\S[\s\S]*)$/i;

function fieldsOf(choice: Choice): NamedFields {
  const category = slotText(choice, "category");
  const tags = (choice.slots.tag ?? [])
    .flatMap((words) => words.split(/,| and /))
    .map(labelRead)
    .filter(Boolean);
  return {
    ...(category === undefined ? {} : { category: labelRead(category) }),
    ...(tags.length === 0 ? {} : { tags }),
  };
}

const file: Reader = async ({ choice, sentence }) => {
  const [topic, fields] = [topicOf(choice), fieldsOf(choice)];
  if (topic === undefined || Object.keys(fields).length === 0) return { left: sentence };
  return { request: { operation: "file", topic, fields } };
};

const correct: Reader = async ({ choice, sentence }) => {
  const [content, subject] = [slotText(choice, "content"), slotText(choice, "topic")];
  const [now, insteadOf] = [slotText(choice, "new"), slotText(choice, "old")];
  if (now !== undefined) {
    const labelled = insteadOf === undefined ? LABELLED.exec(now.trim())?.groups : undefined;
    const topic = topicOf(choice) ?? labelled?.label ?? "";
    // "Make it 60" says not of what.
    if (topic === "" && insteadOf === undefined) return { left: sentence };
    const value = topic === labelled?.label ? (labelled.value ?? now) : now;
    const named = { subject: topic, now: value, ...(insteadOf === undefined ? {} : { insteadOf }) };
    const isOnly = { isKnown: true, isValue: true } as const;
    return {
      request: { operation: "correct", content: sentence, subject: topic, type: "update", named, ...isOnly },
    };
  }
  if (content === undefined || subject === undefined) return { left: sentence };
  return { request: { operation: "correct", content, subject, type: "correct", isKnown: true } };
};

/** "They've moved me to berth 9": of what it is, the value says itself. */
const LABELLED =
  /^(?:the |a |an )?(?<label>(?!(?:at|on|in|about|around|only|just|to|by|from|until|level|minus|plus|under|over|nearly|almost|every|all|another|next|last|week|day|hour|minute|month|year)\b)\p{L}{3,20}) (?<value>(?:no\.? )?\d[\w/-]{0,6})$/iu;

const settle: Reader = async ({ choice, sentence, around }) => {
  const [topic, value, notValue, agent, device] = [
    topicOf(choice),
    slotText(choice, "new"),
    slotText(choice, "old"),
    slotText(choice, "agent"),
    slotText(choice, "device"),
  ];
  const when = EDGES.find(([words]) => words.test(sentence))?.[1];
  if (slotText(choice, "branch") !== undefined) return { left: slotText(choice, "branch") ?? "" };
  if ((value ?? notValue ?? agent ?? device ?? when) === undefined) return { left: sentence };
  return {
    request: {
      operation: "settle",
      ...(topic === undefined ? {} : { topic }),
      ...(value === undefined ? {} : { value }),
      ...(notValue === undefined ? {} : { notValue }),
      ...(agent === undefined ? {} : { agent: nameRead(agent, around.agents) }),
      ...(device === undefined ? {} : { device: nameRead(device, around.devices) }),
      ...(when === undefined || value !== undefined ? {} : { when }),
    },
  };
};
const EDGES: readonly (readonly [RegExp, "newest" | "oldest"])[] = [
  [
    /\b(?:newer|newest|later|latest|most recent|more recent|last) (?:one|version|value|side|entry|text)?\b/i,
    "newest",
  ],
  [/\b(?:older|oldest|earlier|original|first) (?:one|version|value|side|entry|text)\b/i, "oldest"],
];

export const OF_MEMORIES: Partial<Record<ChosenOperation, Reader>> = {
  recall,
  list,
  "at-past": atPast,
  history: ofOne("history"),
  evolution: ofOne("history"),
  blame: ofOne("blame"),
  changes,
  count,
  remember,
  correct,
  file,
  settle,
} satisfies Partial<Record<ChosenOperation, (heard: Heard) => Promise<Read>>>;
