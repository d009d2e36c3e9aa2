/**
 * Commands that lead on from a request that is refused and would take something away: each only looks, or shows what
 * would happen. The nearest first.
 *
 * @module
 */
import { STOP_WORDS } from "@cambium/client/host";
import { shellWord } from "@cambium/core/text";
import { labelsIn } from "./grammar/labels.js";
import { DID, TAKING } from "./grammar/words.js";
import type { Surroundings } from "./intent.js";
import { countOf } from "./patterns.js";

const MOST = 3;
const MOST_WORDS = 6;

const TAKES_AWAY = new RegExp(
  `^(?:(?:never ?mind|no|oops|stop|wait|actually|sorry)\\b[,;:.!-]*(?: |$))*(?:${TAKING.join("|")}|go back|start (?:over|again|fresh|anew|all over)|begin again|reset|restart|abort|stop|never ?mind|merge|don't (?:do|merge|save|keep))\\b|\\b(?:don't|no longer|not) (?:need|want) .*\\b(?:any ?more|any longer)?`,
  "i",
);
const OF_ALL = /\b(?:everything|all|over|again|anew|fresh|scratch|slate|zero|restart|reset)\b/i;
const LATEST = /\b(?:last|latest|newest|most recent|recent|just|that|it|this)\b/i;
const ALONE = /^(?:cancel|undo|stop|abort|cancel|us|never ?mind|revert)\b/i;
const POINT = /\b(?:checkpoints?|snapshots?|backups?|save points?)\b/i;
const BRANCH = /\bbranch(?:es)?\b/i;
const WHO = new RegExp(
  `\\bby (?:the )?(?:agent )?(?<by>[\\w.-]+)|\\b(?:everything|all|anything|whatever|what|stuff|things|memories|notes)(?: that)? (?:the )?(?<doer>[\\w.-]+(?: [\\w.-]+)?) (?:has |have |had )?${DID}(?= |$)`,
  "i",
);
const PRONOUN = /^(?:you|i|we|they|he|she|it|that|was|were|me|us|is)$/i;
const COUNT = /\b(?<count>\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|few|couple)\b/i;
/** Nobody searches for them. */
const NO_TOPIC =
  /^(?:please|without|every|each|newest|stuff|things?|memor(?:y|ies)|notes?|facts?|changes?|everything|anything|all|never|mind|need|want|anymore|longer|one|ones|said|told|saved|wrote|last|latest|recent|except|but|stop|abort|cancel|us|don't|do|did|start|begin|reset)$/i;

/** What is done by a verb of its own, and not here. */
const OF_OTHER_VERBS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:invite\b|share (?:this|it|my|the|our)\b|add .+ to (?:this|the|my|our) (?:space|team|memory)\b)/i,
    "invite --help",
  ],
  [/^(?:join|accept)\b.*\b(?:invitation|space)\b/i, "join --help"],
  [/^(?:import|load|read in|take in)\b/i, "import --help"],
  [/^(?:approve|allow|permit|forbid|protect|restrict)\b|\bread-only\b/i, "policy --help"],
  [/^(?:split|divide)\b/i, "split --help"],
  [
    /^(?:erase|destroy|purge|shred)\b.*\b(?:for good|forever|permanently|everywhere|completely)\b/i,
    "erase --help",
  ],
  [/^(?:rename|retag|change|replace) (?:the |my )?(?:tag|category)\b/i, "revise --help"],
  [/^(?:sync|synchroni[sz]e|push|pull)\b(?: (?:everything|now|all|my memor(?:y|ies)))?$/i, "sync"],
];

/** @returns none for a sentence that takes nothing away, and asks nothing about those who write here */
export function commandsLeadingOn(sentence: string, around: Surroundings): readonly string[] {
  if (/^(?:which|what|who|how many)\b.*\b(?:agents?|devices?|people|members?)\b/i.test(sentence))
    return ["cambium members"];
  const verb = OF_OTHER_VERBS.find(([asked]) => asked.test(sentence))?.[1];
  if (verb !== undefined) return [`cambium ${verb}`];
  if (!TAKES_AWAY.test(sentence)) return [];
  const names = sentence.split(/[\s"',]+/);
  const isOfPoint = POINT.test(sentence) || around.checkpoints.some((name) => names.includes(name));
  const isOfBranch = BRANCH.test(sentence) || around.branches.some((name) => names.includes(name));
  const who = whoIn(sentence);
  const label = labelIn(names);
  const isOfAll = OF_ALL.test(sentence) && who === undefined && !isOfPoint && !isOfBranch;
  const words = wordsIn(sentence);
  const found = [
    ...(isOfPoint ? [["checkpoints"]] : []),
    ...(isOfBranch ? [["branches"]] : []),
    ...(who === undefined ? [] : [["rollback", "--by", who, "--preview"]]),
    ...(label === undefined ? [] : [["list", ...label]]),
    ...(isOfAll && words.length === 0 ? [["ask", "start fresh but keep a backup", "--preview"]] : []),
    ...((LATEST.test(sentence) || (ALONE.test(sentence) && words.length === 0)) && !isOfPoint && !isOfBranch
      ? [["undo", ...lastIn(sentence), "--preview"]]
      : []),
    ...(words.length > 0 && who === undefined && label === undefined && !isOfPoint && !isOfBranch
      ? [["recall", words.join(" ")]]
      : []),
  ];
  const all = found.length === 0 ? [["log"]] : found;
  return all.slice(0, MOST).map((line) => ["cambium", ...line.map((word) => shellWord(word))].join(" "));
}

function whoIn(sentence: string): string | undefined {
  const { by, doer } = WHO.exec(sentence)?.groups ?? {};
  const name = by ?? doer;
  const isName = name?.split(" ").every((word) => !PRONOUN.test(word)) ?? false;
  return isName ? name?.replace(/ /g, "-") : undefined;
}

function labelIn(words: readonly string[]): readonly string[] | undefined {
  for (let from = 0; from < words.length; from += 1) {
    const { category, tag } = labelsIn(words.slice(from).join(" ")) ?? {};
    if (category !== undefined) return ["--category", category];
    if (tag !== undefined) return ["--tag", tag];
  }
  return undefined;
}

function lastIn(sentence: string): readonly string[] {
  const count = COUNT.exec(sentence)?.groups?.count;
  return count === undefined ? [] : ["--last", String(countOf(count))];
}

/** What it is about, without what is to be done with it. */
function wordsIn(sentence: string): readonly string[] {
  const taking = new Set(TAKING.flatMap((verb) => verb.split(" ")));
  return (sentence.match(/[\p{L}\p{N}'-]+/gu) ?? [])
    .filter((word) => {
      const plain = word.toLowerCase();
      return (
        !COUNT.test(plain) &&
        !STOP_WORDS.has(plain) &&
        !taking.has(plain) &&
        !NO_TOPIC.test(plain) &&
        !OF_ALL.test(plain)
      );
    })
    .slice(0, MOST_WORDS);
}
