/**
 * Answers from what memories say and said, who wrote them and when.
 *
 * @module
 */
import { betweenStates } from "../when.js";
import { type Act, branchOf, placed, topicOf, withoutBranch } from "./act.js";
import { aboutOf } from "./slots.js";

const history: Act = {
  evidence: [
    [
      /\b(?:history|over time|used to|evol\w+|earlier versions?|previous\w*|originally|at first|initially|in the beginning|timeline|to begin with)\b/i,
      3,
    ],
    [
      /\b(?:it|that|they|this|we|I|them|\w+) (?:say |have |be |had |charge |pay |use )?before(?: that| this| then)?$/i,
      3,
    ],
    [
      /^(?:how (?:often|many times)|did|has|have|when|since when|what day|on (?:which|what) day)\b.*\b(?:chang|updat|correct|revis|switch|mov|becom|becam|rais|lower|increas|went (?:up|down)|go(?:ne)? (?:up|down))\w*\b/i,
      3,
    ],
    [/\bhow (?:has|have|did|does)\b.*\b(?:chang|mov|develop|evolv|gone|grow|grew|shift)\w*\b/i, 3],
    [
      /^(?:was|were|is|are|has|have|did)\b.*\balways\b|\balways\b.*\b(?:or|did|has)\b|\bever (?:been |say |said )?(?:different|something else|anything else|chang\w+)\b/i,
      3,
    ],
    [/\b(?:chang|mov|switch)\w*\b.*\bat some point\b/i, 2],
    [
      /^what (?:was|were|is|are|did) (?:the|my|our|his|her|their) (?:old|previous|former|earlier|original|first)\b/i,
      3,
    ],
    [
      /\b(?:before|until) (?:\S+ ){1,3}?(?:edited|changed|corrected|updated|touched|revised|overwrote|got to) (?:it|that|them)\b/i,
      5,
    ],
  ],
  read: (heard) => {
    withoutBranch(heard);
    heard.slots.take("agent");
    const period = heard.slots.take("period");
    const topic = topicOf(heard);
    if (topic === "" || OF_HERE.test(heard.text)) return undefined;
    const isOverTime = /\bover time\b|\bhow (?:has|have)\b|\bsince\b/i.test(heard.text);
    const from = period === undefined ? {} : { from: betweenStates(period.days, heard.around.now).from };
    return placed(
      isOverTime
        ? { operation: "evolution", topic, ...from }
        : { operation: "history", topic, orSearch: true },
      heard,
    );
  },
};

/** Of what was done here, the log tells. */
const OF_HERE =
  /^what (?:happens|would happen|will happen)\b|\b(?:undo|undid|undone|merg\w+|restor\w+|roll(?:ed)? back|switch(?:ed)? to branch|checkpoint|branch)\b/i;

const blame: Act = {
  evidence: [
    [
      /^(?:and )?who(?:'s| has| had| was it (?:that|who))? (?:\w+ )?(?:wrote|written|chang\w+|added|said|told|put|enter\w+|set|record\w+|noted|saved|edited|updated|touched|came up)\b/i,
      4,
    ],
    [/^where (?:did|do) (?:you|we|I) (?:get|hear|have|learn|read|pick)\b/i, 4],
    [/^where (?:does|do|did)\b.*\bcome from\b/i, 2],
    [/\b(?:don't|do not|can't|cannot|never) (?:remember |recall )?(?:say|tell|writ|enter|not|add)\w*\b/i, 2],
    [
      /^(?:which|what) (?:agent|device|machine|bot|program|computer|tool)\b.*\b(?:wrote|added|said|chang\w+|saved|put|noted|from)\b/i,
      4,
    ],
    [
      /^(?:was|is) (?:it|that|this) (?:me|you|\w+) (?:who|that)\b.*\b(?:wrote|added|said|chang\w+|saved|put)\b/i,
      4,
    ],
  ],
  read: (heard) => {
    withoutBranch(heard);
    const topic = topicOf(heard);
    return topic === "" ? undefined : placed({ operation: "blame", topic, orSearch: true }, heard);
  },
};

/** "When was k8s-move last touched". */
const lastTouched: Act = {
  evidence: [[/\blast (?:touched|changed|updated|edited|written|worked on|used|modified)\b/i, 4]],
  read: (heard) => {
    const branch = heard.slots.take("branch");
    if (branch !== undefined)
      return { request: { operation: "recent", last: 1 }, branch: branchOf(branch.name) };
    const topic = topicOf(heard);
    return topic === "" ? undefined : { request: { operation: "history", topic, orSearch: true } };
  },
};

const newest: Act = {
  evidence: [[/\b(?:last|latest|newest|most recent) (?:thing|note|memory|entry|one|bit|update|fact)\b/i, 4]],
  read: (heard) => {
    withoutBranch(heard);
    const agent = heard.slots.take("agent");
    const topic = topicOf(heard);
    const by = agent === undefined ? {} : { agent: agent.name };
    if (topic === "") return placed({ operation: "list", limit: 1, ...by }, heard);
    return placed({ operation: "recall", query: topic, isNewest: true, limit: 1, ...by }, heard);
  },
};

const changes: Act = {
  evidence: [
    [
      /\b(?:what|whats|what's|anything|something|everything|which|did)\b.*\b(?:chang\w*|new|happen\w*|added|updat\w*|edited|different|going on|touch\w*|edit\w*|miss(?:ed)?|should know|need to know)\b/i,
      2,
    ],
    [
      /\b(?:rundown|summary|overview|recap|highlights|happened|touch\w*|anything (?:I|we) (?:should|need|missed)|catch (?:me|us) up|did (?:I|we) miss|what's new|news|chang(?:e|es|ed))\b/i,
      2,
    ],
    [/<period>/, 1],
  ],
  read: (heard) => {
    const { slots, around } = heard;
    withoutBranch(heard);
    const [period, agent, device] = [slots.take("period"), slots.take("agent"), slots.take("device")];
    const topic = topicOf(heard);
    if (OF_HERE.test(heard.text)) return undefined;
    if (period === undefined)
      return topic === "" || agent !== undefined || device !== undefined
        ? undefined
        : placed({ operation: "evolution", topic }, heard);
    const written = {
      ...(agent === undefined ? {} : { agent: agent.name }),
      ...(device === undefined ? {} : { device: device.name }),
    };
    if (agent !== undefined || device !== undefined) {
      const more = { ...written, period: period.days };
      return placed(
        topic === "" ? { operation: "list", ...more } : { operation: "recall", query: topic, ...more },
        heard,
      );
    }
    const between = betweenStates(period.days, around.now);
    return placed(
      topic === ""
        ? { operation: "changes", period: between }
        : { operation: "evolution", topic, from: between.from },
      heard,
    );
  },
};

/** What was known at a time: "how things stood at draft-2", "did I know in September that …". */
const thenKnown: Act = {
  evidence: [
    [
      /\bback (?:in|on|at|then)\b|\bas of\b|\bhow (?:things|it|everything|they) (?:stood|were|was|looked)\b|\bthe way (?:things|it|everything) (?:were|was)\b/i,
      3,
    ],
    [/\bdid (?:I|we|you) (?:already |still |then )?(?:know|think|believe|have|say)\b/i, 2],
    [/<period>|<state>/, 1],
    [/<state>/, 1],
  ],
  read: (heard) => {
    const { slots } = heard;
    withoutBranch(heard);
    const at = slots.take("state")?.state ?? slots.take("period")?.state;
    if (at === undefined) return undefined;
    const query = aboutOf(slots.left, OF_THEN);
    return placed(query === "" ? { operation: "list", at } : { operation: "recall", query, at }, heard);
  },
};
const OF_THEN = /^(?:stood|looked|stand|way|time|look|state|how|were|checkpoint|snapshot|version)$/i;

/** What is narrowed by whom, where and when it was written. */
const listed: Act = {
  evidence: [
    [
      /^(?:show|list|give|everything|all|anything|whatever|find|pull up|what|which|the|notes|memories|tell|read|get)\b/i,
      2,
    ],
    [/<(?:agent|device|labels|other)>/, 1],
    [/<period>/, 1],
    [/\b(?:wrote|written|jotted|saved|added|noted|put|entered|from|by|stored|recorded|say|says)\b/i, 1],
    [/\bdid (?:I|we) (?:ask you|tell you|save|note|write|add|put)\b/i, 1],
  ],
  read: (heard) => {
    const { slots } = heard;
    const isWriting =
      /\b(?:ask you|tell you|wrote|write|written|jotted|saved?|added?|noted?|put|entered|stored|recorded|notes?|memories|everything|all|list)\b/i;
    withoutBranch(heard);
    const [agent, labels] = [slots.take("agent"), slots.take("labels")];
    const device = slots.all("device").some(({ isSure }) => isSure) ? slots.take("device") : undefined;
    // "The plan for last week" is no time of writing.
    const period = isWriting.test(heard.text) ? slots.take("period") : undefined;
    const more = {
      ...labels?.labels,
      ...(agent === undefined ? {} : { agent: agent.name }),
      ...(device === undefined ? {} : { device: device.name }),
      ...(period === undefined ? {} : { period: period.days }),
    };
    const branch = slots.all("branch").some(({ isSure, name }) => isSure && name !== "main");
    if (Object.keys(more).length === 0 && !branch) return undefined;
    const query = topicOf(heard);
    return placed(
      query === "" ? { operation: "list", ...more } : { operation: "recall", query, ...more },
      heard,
    );
  },
};

/** "Did you drop anything last week". */
const forgotten: Act = {
  evidence: [
    [
      /^(?:what|which|did|have|has|was|were|anything|is)\b.*\b(?:drop(?:ped)?|delet\w+|forg[eo]t\w*|remov\w+|hid(?:den)?|thr[eo]wn?|erased?|got rid)\b/i,
      4,
    ],
  ],
  read: ({ slots }) => {
    const period = slots.take("period");
    const about = aboutOf(
      slots.left,
      /^(?:drop(?:ped)?|delet\w+|forg[eo]t\w*|remov\w+|hid|hidden|thrown?|threw|erased?|away|rid)$/i,
    );
    if (about !== "") return undefined;
    return { request: { operation: "forgotten", ...(period === undefined ? {} : { period: period.days }) } };
  },
};

export const OF_MEMORIES: readonly Act[] = [
  history,
  blame,
  lastTouched,
  newest,
  changes,
  thenKnown,
  listed,
  forgotten,
];
