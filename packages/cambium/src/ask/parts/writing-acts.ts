/**
 * What a clause asks to be written or taken back. Here every word counts: one that no part accounts for makes it none of
 * these. What is done is shown and asked about, like every request of its kind.
 *
 * @module
 */
import { isSoundTopic } from "../grammar/clauses.js";
import { DID, TAKING } from "../grammar/words.js";
import type { Intent, ParsedBranch } from "../intent.js";
import { aboutOf as aboutNote, nameOf } from "../patterns.js";
import { typedParts } from "../typed-parts.js";
import type { Answered, Heard } from "./act.js";
import { useBranch } from "./standing-acts.js";

const branchOf = (name: string): ParsedBranch => ({ said: name, matches: [name] });
/** What is given as a name is one word, and what follows says what it is for. */
const CALLED =
  /\b(?:called|named|call it|name it|call that|call this|call the branch|label it|with the name|under the name|as) (?:the )?(?<name>"[^"]+"|[\w][\w./-]*)(?<rest>(?:[, ]+(?:so(?: that)? (?:I|we)|to \w+|because|where (?:I|we)|for (?:the|my|our|some|a|trying|testing|now)|please|before (?:I|we)|while (?:I|we))\b.*)?)$/i;
export const nameIn = (text: string): string | undefined => {
  const { name, rest = "" } = CALLED.exec(text)?.groups ?? {};
  if (
    name === undefined ||
    /\b(?:if|unless|except|tomorrow|later|every|until|not|newest|sorted)\b/i.test(rest)
  )
    return undefined;
  return /^(?:a|an|my|our|this|that|it|well|soon|usual|before|of)$/i.test(name) ? undefined : nameOf(name);
};

type Act = (heard: Heard) => Answered | undefined;

const newBranch: Act = ({ text, slots }) => {
  if (
    !/\bbranch\b/i.test(text) ||
    !/^(?:start|make|create|open|new|set up|spin|fork|branch|give|begin)\b/i.test(text)
  )
    return undefined;
  const name = nameIn(text);
  if (name === undefined || slots.all("branch").length > 1) return undefined;
  const from = slots.all("branch").find((branch) => branch.name !== name);
  return {
    request: { operation: "branch", name },
    ...(from === undefined ? {} : { branch: branchOf(from.name) }),
  };
};

const checkpoint: Act = ({ text, stated }) => {
  if (!/\b(?:checkpoint|snapshot|save ?point|(?:this|the|current) (?:point|state|spot|moment))\b/i.test(text))
    return undefined;
  if (!/^(?:take|make|create|set|mark|save|freeze|put|add|new|checkpoint|snapshot|store)\b/i.test(text))
    return undefined;
  const name = nameIn(text) ?? nameIn(stated);
  return name === undefined ? undefined : { request: { operation: "checkpoint", name } };
};

const INTO = "(?: (?:over|in|back|across))?(?:(?: into| to| onto)? <branch>)?(?: (?:now|please|then))?";
const MERGE = new RegExp(
  `^(?:merge|bring|fold|land|pull)(?: (?:over|in|back|across))? <branch>${INTO}$`,
  "i",
);
const MERGE_PART = new RegExp(
  `^(?:(?:only|just) (?:merge|bring|pull|copy|take)|(?:merge|bring|pull|copy|take)(?: (?:over|in|across))? (?:only|just|nothing but)) (?:the |my |our )?(?<topic>[^<>,;]+?)(?: (?:result|note|memory|one|bit|part|thing|fact|entry)s?)?(?: over| in| across)? <branch>${INTO}$`,
  "i",
);
/** "Merge only the training time result from trial into main". */
const merge: Act = ({ slots }) => {
  const names = slots.all("branch").map(({ name }) => name);
  for (let one = slots.take("branch"); one !== undefined; one = slots.take("branch"));
  const [from, into, ...others] = names;
  if (from === undefined || others.length > 0 || from === into || from === "main") return undefined;
  const topic = MERGE_PART.exec(slots.rest)?.groups?.topic;
  if (topic === undefined ? !MERGE.test(slots.rest) : !isSoundTopic(topic)) return undefined;
  return {
    request: {
      ...{ operation: "merge", from: branchOf(from) },
      ...(into === undefined ? {} : { into: branchOf(into) }),
      ...(topic === undefined ? {} : { only: { topic: aboutNote(topic) } }),
    },
  };
};

const WHICH = "(?:one|version|value|side|text)";
const SETTLE =
  /^(?:go(?:ing)? with|keep|take|pick|choose|use|settle (?:it |that |this )?(?:on|for|with)|stick with|stay with|accept|decide (?:on|for)|resolve (?:it |that )?(?:with|to|in favou?r of))(?: the| my| our)? (?<what>.+?)(?: (?:for|on|about|in|of) (?:the |my |our )?(?<topic>(?!.*\bnot\b)[^<>,;]+))?$/i;
const SIDES: readonly (readonly [RegExp, "newest" | "oldest"])[] = [
  [new RegExp(`^(?:newer|newest|later|latest|most recent) ${WHICH}$`, "i"), "newest"],
  [new RegExp(`^(?:older|oldest|earlier|first|original) ${WHICH}$`, "i"), "oldest"],
];
/** "Go with 3140 for the worktop": one side of a conflict stays. */
const settle: Act = ({ slots, before }) => {
  const [agent, device] = [slots.take("agent")?.name, slots.take("device")?.name];
  const { what = "", topic = before } = SETTLE.exec(slots.rest)?.groups ?? {};
  const about = topic === undefined ? {} : { topic };
  const when = SIDES.find(([words]) => words.test(what))?.[1];
  if (when !== undefined) return { request: { operation: "settle", when, ...about } };
  if (
    new RegExp(
      `^(?:${WHICH} (?:that )?)?<(?:agent|device)>(?: (?:wrote|has|had|says))?(?: ${WHICH})?$`,
      "i",
    ).test(what)
  )
    return {
      request: {
        ...{ operation: "settle", ...about },
        ...(agent === undefined ? {} : { agent }),
        ...(device === undefined ? {} : { device }),
      },
    };
  const value = what.replace(new RegExp(` ${WHICH}$`, "i"), "");
  const [part, ...more] = typedParts(value);
  const isValue =
    part !== undefined && more.length === 0 && value.replace(part.text, "").trim().split(" ").length <= 2;
  const isOne = value !== what || topic !== undefined;
  return isValue && isOne ? { request: { operation: "settle", value: part.text, ...about } } : undefined;
};

const UNDO = "(?:undo|revert|take back|reverse|roll back|cancel)";
const LAST =
  "(?:the |that )?(?:very )?(?:last|latest|most recent) (?:thing|change|edit|note|write|memory|entry|one|update)";
/** "Undo the last thing claude-code did". */
const undoBy: Act = ({ slots }) => {
  const agent = slots.take("agent")?.name;
  if (agent === undefined) return undefined;
  const form = new RegExp(
    `^${UNDO} (?:${LAST} (?:that |which )?(?:by |from |of )?<agent>(?: (?:has |have |just )*${DID})?|<agent> (?:last|latest|most recent) (?:thing|change|edit|note|write|memory|entry|update))$`,
    "i",
  );
  return form.test(slots.rest.replace(/ (?:by|from|of) <agent>/i, " by <agent>"))
    ? { request: { operation: "undo", last: 1, agent } }
    : undefined;
};

const NOUN = "(?:notes?|memor(?:y|ies)|entr(?:y|ies)|facts?|things?|stuff|bits?|changes?|edits?)";
const VERB = new RegExp(`^(?:${TAKING.join("|")}) `, "i");
/** What of somebody and some time: "the wine prices I entered this morning", "what cursor did to the shelf on Tuesday". */
const revertPart: Act = ({ slots, text }) => {
  if (!VERB.test(text)) return undefined;
  const [period, agent] = [slots.take("period"), slots.take("agent")];
  if (period === undefined || slots.all("period").length > 1 || slots.all("agent").length > 1)
    return undefined;
  const form = new RegExp(
    `^(?:what(?:ever)?|everything|anything|all|(?:all )?(?:of )?(?:the |my |our )?(?<first>(?!<|what|all|every).+?)(?: ${NOUN})?)(?: (?:that |which )?(?:<agent>|I|we|you)(?: have| has|'ve)? (?:${DID})| (?:by|from) <agent>|)(?: (?:to|about|on|with|of) (?:the |my |our )?(?<then>(?!<).+?))?(?: (?:from|of|on|written|saved|added|entered|noted|made))? ?<period>(?: (?:about|on|to) (?:the |my |our )?(?<last>.+))?$`,
    "i",
  );
  const { first, then, last } = form.exec(slots.rest.replace(VERB, ""))?.groups ?? {};
  const [topic, ...more] = [first, then, last].filter((words) => words !== undefined);
  if (topic === undefined || more.length > 0 || /[<>,]/.test(topic) || !isSoundTopic(topic)) return undefined;
  if (/^(?:it|that|this|them|one|ones|everything|nothing|last|next|first|newest|latest|\d+)\b/i.test(topic))
    return undefined;
  if (
    /\b(?:every|each|until|till|by|next|or|and)$|\b(?:branch|checkpoint|snapshot|category|tag|tagged)\b/i.test(
      topic,
    )
  )
    return undefined;
  return {
    request: {
      ...{
        operation: "take-back",
        topic: aboutNote(topic.replace(/^(?:note|bit|thing) (?:on|about) /i, "")),
        period: period.days,
      },
      ...(agent === undefined ? {} : { agent: agent.name }),
    },
  };
};

/** "… cursor did to the boss health on Tuesday, put it back how it was": what is told says what is taken back. */
const putBack: Act = ({ text, before, slots }) => {
  if (
    !/^(?:put|set|turn|change|bring) (?:it|that|this|them|everything) back(?: (?:to )?(?:how|the way|what|as) (?:it|they|that) (?:was|were)(?: before)?)?$/i.test(
      text,
    )
  )
    return undefined;
  const [period, agent] = [slots.take("period"), slots.take("agent")];
  if (agent === undefined || before === undefined) return undefined;
  return {
    request: {
      ...{ operation: "take-back", topic: before, agent: agent.name },
      ...(period === undefined ? {} : { period: period.days }),
    },
  };
};

/** "Set just the sponsor notes back to how they were last Friday". */
const partBack: Act = ({ slots }) => {
  const state = slots.take("state")?.state ?? slots.take("period")?.state;
  if (state === undefined) return undefined;
  const form = new RegExp(
    `^(?:set|put|bring|roll|take|turn|change|revert|reset|restore|return) (?:back )?(?:only |just )?(?:the |my |our )?(?<topic>.+?)(?: ${NOUN})? (?:back )?(?:to )?(?:how|the way|what|where|as) (?:it|they|that|those|things) (?:was|were|stood|looked) ?(?:at |on |in )?<(?:state|period)>$`,
    "i",
  );
  const topic = form.exec(slots.rest)?.groups?.topic?.replace(/ back$/i, "");
  if (
    topic === undefined ||
    /^(?:it|that|this|them|everything|all|things|back|branch|everything back)\b/i.test(topic)
  )
    return undefined;
  return isSoundTopic(topic)
    ? { request: { operation: "rollback", to: state, only: { topic: aboutNote(topic) } } }
    : undefined;
};

/** "Put main back to v2-freeze". */
const allBack: Act = ({ slots }) => {
  const branch = slots.take("branch");
  const state = slots.take("state")?.state ?? slots.take("period")?.state;
  const form =
    /^(?:put|set|bring|roll|reset|return|move|take|restore) (?:everything|it all|all of it|the branch|<branch>) (?:all the way )?back(?: to)? ?<(?:state|period)>$/i;
  if (state === undefined || !form.test(slots.rest)) return undefined;
  const placed = branch === undefined ? {} : { branch: branchOf(branch.name) };
  return { request: { operation: "rollback", to: state }, ...placed };
};

/** "… we've kept him on after all, so bring that back": of what was told. */
const bringBack: Act = ({ text, before, stated }) => {
  const isIt =
    /^(?:bring|get|put|give|restore|recover|undelete|unforget|take)(?: me| us)? (?:it|that|this|them|him|her|that one|that note)(?: back)?(?: in)?(?: again)?$/i.test(
      text,
    );
  if (
    !isIt ||
    before === undefined ||
    stated === "" ||
    !/\b(?:back|restore|recover|undelete|unforget)\b/i.test(text)
  )
    return undefined;
  return { request: { operation: "restore", topic: before } };
};

const FIXES =
  /\b(?:correct|change|update|fix|adjust|amend)\b|\bput (?:that|it|this) right\b|\bshould (?:be|say|read)\b|\b(?:wrong|outdated|out of date)\b|\b(?:moved|changed|switched|went (?:up|down)|raised|lowered|increased)\b|\b(?:now|from now on|no longer|any ?more|instead of|rather than)\b|\bnot\b/i;
/** Something is another now: which memory says otherwise is found by what else it says. */
export function correctionIn(sentence: string): Intent | undefined {
  if (!FIXES.test(sentence) || sentence.includes("?")) return undefined;
  return {
    operation: "correct",
    content: sentence,
    subject: sentence,
    isKnown: true,
    isValue: true,
    type: "update",
  };
}

const WRITING: readonly Act[] = [newBranch, checkpoint, merge, settle, bringBack, useBranch];
const TAKING_AWAY: readonly Act[] = [undoBy, partBack, allBack, revertPart];

/**
 * @param fresh - reads the slots anew for each act that tries
 * @param stated - what was told beside it
 * @param isOpen - the words were not read, rather than read and refused
 */
export function writingOf(fresh: () => Heard, stated: () => Heard, isOpen: boolean): Answered | undefined {
  for (const act of isOpen ? [...TAKING_AWAY, ...WRITING] : TAKING_AWAY) {
    const found = act(fresh());
    if (found !== undefined) return found;
  }
  return putBack(stated());
}
