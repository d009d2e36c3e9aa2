/**
 * What the trained reader may have done, and not only answered: where it is sure enough of it, a word of the sentence
 * itself says so, and no word is left over. All of it is shown before it is done.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { isQuestion } from "../grammar/questions.js";
import { STATES } from "../grammar/remembering.js";
import { TAKING } from "../grammar/words.js";
import type { Surroundings, Understood } from "../intent.js";
import { namesAnother } from "../one-thing.js";
import { withoutCourtesies } from "../plain-sentence.js";
import type { Act, SlotName } from "../trained/acts.js";
import { classesOf } from "../trained/lexicon.js";
import type { TrainedReading } from "../trained/read-trained.js";
import { type Choice, restOf, withLeftOut } from "./choice.js";
import { readChoice } from "./read-choice.js";
import { choiceOf } from "./slot-texts.js";
import type { Unread } from "./unread.js";

interface Needs {
  /** How sure the reader has to be. */
  readonly least: number;
  /** How much a word of its own has to speak for it. */
  readonly cue?: number;
  /** A part that this does not take narrows or moves it: then it is not done. */
  readonly takes: readonly SlotName[];
}

/** Words that say what is asked for have this much more weight for it than for all else; others have little. */
const CUE = 0.8;
const NEEDS: Partial<Record<Act, Needs>> = {
  remember: { least: 0.8, takes: ["content", "category", "tag", "branch"] },
  correct: { least: 0.6, takes: ["topic", "new", "old", "branch", "content"] },
  file: { least: 0.7, takes: ["topic", "category", "tag", "branch"] },
  settle: { least: 0.6, takes: ["topic", "new", "old", "agent", "device"] },
  checkpoint: { least: 0.8, takes: ["name"] },
  branch: { least: 0.8, takes: ["name", "branch", "state", "period"] },
  "use-branch": { least: 0.8, takes: ["branch"] },
  merge: { least: 0.9, cue: CUE, takes: ["branch", "into", "topic", "category", "tag", "except"] },
  restore: { least: 0.8, cue: CUE, takes: ["topic", "period", "state", "category", "tag", "branch"] },
  forget: {
    least: 0.9,
    cue: CUE,
    takes: ["topic", "category", "tag", "except", "agent", "period", "branch"],
  },
  "take-back": { least: 0.9, cue: CUE, takes: ["agent", "topic", "period", "category", "tag", "branch"] },
  undo: { least: 0.9, cue: CUE, takes: ["agent"] },
  rollback: { least: 0.9, cue: CUE, takes: ["state", "period", "topic", "branch"] },
  "delete-branch": { least: 0.95, cue: CUE, takes: ["branch"] },
};
/** They are told by the same words, and are one another in other words. */
const ALIKE: readonly Act[] = ["forget", "undo", "take-back", "rollback", "restore"];
const LEAST_OF_ALIKE = 0.5;

export function mayDo(sentence: string, { acts, cue }: TrainedReading): boolean {
  const [top] = acts;
  if (top === undefined || top.probability < LEAST_OF_ALIKE) return false;
  const share = shareOf(top.act, acts);
  return mayOrder(sentence, top.act, share, cue.most);
}

/** What is new and what is otherwise are both told; whether a memory says otherwise, the memories show. */
function shareOf(act: Act, acts: TrainedReading["acts"]): number {
  const family: readonly Act[] = act === "remember" ? ["remember", "correct"] : familyOf(act);
  return acts.reduce((sum, one) => sum + (family.includes(one.act) ? one.probability : 0), 0);
}

/** The acts that are one another in other words. */
export const familyOf = (act: Act): readonly Act[] => (ALIKE.includes(act) ? ALIKE : [act]);

/** Whether what is so sure may be done by these words. */
export function mayOrder(order: string, act: Act, share: number, cue: number): boolean {
  const needs = NEEDS[act];
  if (needs === undefined || share < needs.least || cue < (needs.cue ?? 0)) return false;
  if (needs.cue !== undefined && (SOME_OF_IT.test(order) || DONE_ALREADY.test(order))) return false;
  if (needs.cue !== undefined && namesAnother(order)) return false;
  return act === "restore" || !isAsked(order);
}

/** How much of it, which cannot be done by halves; and what is not to be done. */
const SOME_OF_IT =
  /\b(?:none|nothing but|all but|neither|half|only|not|never|(?:one|two|three|four|five|some|most|any|few|many) of|(?:one|two|three|four|five|six|\d+|few) (?:newest|latest|last|oldest|first|most recent)|rather than|instead of)\b/i;

/** "Removed the fence" says what was done. */
const DONE_ALREADY = /^\w+ed\b/i;

const ASKED_TO = /\b(?:can|could|would|will|won't|may|might|please|pls|plz|mind|possible|let's|ok|okay)\b/i;
const isAsked = (sentence: string): boolean =>
  isQuestion(sentence) || (sentence.endsWith("?") && !ASKED_TO.test(sentence));

/** @returns what is to be done, or the words for which it is not */
export async function doneAs(
  act: Exclude<Act, "none">,
  sentence: string,
  reading: TrainedReading,
  around: Surroundings,
): Promise<Understood | Unread> {
  const choice = choiceOf(act, sentence, reading, around);
  return await doneOf(choice, sentence, reading, around);
}

/** @param sentence - all of it, or the clause that gives the order */
export async function doneOf(
  choice: Choice,
  sentence: string,
  reading: TrainedReading,
  around: Surroundings,
): Promise<Understood | Unread> {
  const act = choice.operation as Act;
  const takes = NEEDS[act]?.takes ?? [];
  for (const [slot, [words = ""] = []] of Object.entries(choice.slots))
    if (!takes.includes(slot as SlotName)) return { left: words };
  const more = unaccounted(choice, sentence, reading.cue.words);
  const isNamed = HARMLESS.has(act) && choice.slots.name !== undefined;
  const most = act === "correct" ? MOST_BESIDE_A_VALUE : isNamed ? MOST_BESIDE_A_NAME : 0;
  if (more.length > most) return { left: more.join(" ") };
  if (act === "remember" && isForOthers(choice, sentence)) return { left: sentence };
  const order = act === "remember" || act === "correct" ? ORDER.exec(sentence)?.[0] : undefined;
  if (order !== undefined) return { left: order.trim() };
  const read = await readChoice(choice, sentence, around);
  if ("left" in read) return read;
  const found = more.length === 0 ? read : withoutNamed(read);
  const { request } = found;
  if (request.operation === "remember" && !isKept(sentence, request.content, reading))
    return { left: request.content };
  return withLeftOut(found, choice);
}

/** "Please ring Anna and …": the first word of all orders something in the world. */
function isForOthers(choice: Choice, sentence: string): boolean {
  const [first] =
    withoutCourtesies(sentence)
      .toLowerCase()
      .match(/[\p{L}'’]+/u) ?? [];
  const isWorld = classesOf(first ?? "").includes("world") && !classesOf(first ?? "").includes("remember");
  return (
    isWorld &&
    !restOf(choice, sentence)
      .split(" ")
      .some((word) => classesOf(word).includes("remember"))
  );
}

/** With no word that says that it is to be kept. */
const LEAST_UNTOLD = 0.9;
const APART = /^$|[:,;.!?"“–—-]$/;
/** It says that something is so, or the sentence says that it is to be kept. */
const isKept = (sentence: string, content: string, { acts }: TrainedReading): boolean =>
  (STATES.test(content) && shareOf("remember", acts) >= LEAST_UNTOLD) ||
  ((STATES.test(content) ||
    APART.test(sentence.slice(0, Math.max(0, sentence.indexOf(content))).trimEnd())) &&
    (sentence.replace(content, " ").match(/[\p{L}'’]+/gu) ?? []).some((word) =>
      classesOf(word.toLowerCase()).includes("remember"),
    ));

/** With words that no part takes, a part by itself is not the whole value. */
const withoutNamed = (found: Understood): Understood => {
  if (found.request.operation !== "correct") return found;
  const { named: _named, ...request } = found.request;
  return { ...found, request };
};

const MOST_BESIDE_A_VALUE = 3;
/** With a name, they are what they are, whatever is said of it. */
const HARMLESS: ReadonlySet<Act> = new Set<Act>(["branch", "checkpoint"]);
const MOST_BESIDE_A_NAME = 2;
const ORDER = new RegExp(
  `^(?:rather than|instead of) |(?:^|[,;.] )(?:so |and |then |please |can you |could you |you can )*(?:${TAKING.join("|")}|merge|restore) (?:it|that|this|them|the|my|our|all|everything|what)\\b`,
  "i",
);

/** The words outside of all parts that say something of their own. */
export const unaccounted = (choice: Choice, sentence: string, frame: readonly string[]): readonly string[] =>
  (restOf(choice, sentence).match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []).filter(
    (word) =>
      !STOP_WORDS.has(word) && !frame.includes(word) && classesOf(word).length === 0 && !FRAME.test(word),
  );
/** They say nothing of what is meant. */
const FRAME =
  /^(?:\w+'(?:s|re|ve|ll|d|m|t)|no+|wait|got|gets?|forgotten|just|really|actually|ok|okay|oh|yes|so|now|again|also|too|bit|thing|things|stuff|note|notes|memory|memories|entry|entries|fact|facts|after|longer|any|anymore|more|ahead|sure|right|wrong|correct|mistake|accident|one|ones|something|whatever|everything|anything|about|main|here|there|called|named|name|call|current|version|value|said|says|saying|yet|already|normally|usually|quick|quickly|rundown|overview|summary|way|hang|hold|un-?(?:hide|delete|forget|bin))$/i;
