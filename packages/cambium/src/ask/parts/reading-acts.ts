/**
 * Which answer a clause asks for: words speak for one or another, and the one with the most of them is taken. Nothing is
 * harmed by an answer, so words that it does not use are let pass.
 *
 * @module
 */
import type { Intent, ParsedBranch, Surroundings } from "../intent.js";
import { betweenStates } from "../when.js";
import { aboutOf, type Slots } from "./slots.js";

export interface Heard {
  readonly text: string;
  readonly slots: Slots;
  /** What was told beside it. */
  readonly stated: string;
  /** What "it" is: what was told or asked before speaks of it. */
  readonly before: string | undefined;
  readonly around: Surroundings;
}

/** What is answered, and on which branch. */
export interface Answered {
  readonly request: Intent;
  readonly branch?: ParsedBranch;
  readonly isPreview?: true;
}

interface Act {
  /** How much each of them says for it. */
  readonly evidence: readonly (readonly [RegExp, number])[];
  readonly read: (heard: Heard) => Answered | undefined;
}

/** With less, the words may be about anything. */
const LEAST = 3;

const branchOf = (name: string): ParsedBranch => ({ said: name, matches: [name] });
const plain = (operation: "conflicts" | "status" | "export" | "branches" | "checkpoints"): Answered => ({
  request: { operation },
});

/** Words of the request, which no memory is about. */
export const OF_ASKING =
  /^(?:chang\w*|switch\w*|mov(?:ed?|ing)|history|timeline|time|times|originally|previous|previously|before|first|initial|initially|earlier|over|used|always|ever|different\w*|differ\w*|compar\w*|versions?|updat\w*|edit\w*|correct\w*|last|latest|newest|recent|touched|come|comes|came|source|who|develop\w*|evol\w*|merg\w*|bring\w*|would|yesterday's|beginning|point|side|sides|since|became|become|new|news|messed|mess|screwed|broke|broken|jotted|look|show|tell|like|rundown|summary|overview|recap|quick|short|full|complete|happen\w*|stood|stand|stands|set|don't|didn't|conflict\w*|contradict\w*|itself|each|other|agree|disagree|decid\w*)$/i;

/** What it is about; "it" is what was spoken of before. */
const topicOf = ({ slots, before }: Heard): string => {
  const about = aboutOf(slots.left, OF_ASKING);
  return about === "" ? (before ?? "") : about;
};

/** On the branch that is named, where it counts. */
const placed = (request: Intent, { slots }: Heard): Answered => {
  const branch = slots.all("branch").find(({ isSure, name }) => isSure && name !== "main");
  return branch === undefined ? { request } : { request, branch: branchOf(branch.name) };
};

/** Taken first, so that its words are no topic. */
const withoutBranch = (heard: Heard): Heard => {
  if (heard.slots.all("branch").some(({ isSure }) => isSure)) heard.slots.take("branch");
  return heard;
};

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
      /^(?:how (?:often|many times)|did|has|have|when|since when|why|what day|on (?:which|what) day)\b.*\b(?:chang|updat|correct|revis|switch|mov|becom|becam|rais|lower|increas|went (?:up|down)|go(?:ne)? (?:up|down))\w*\b/i,
      3,
    ],
    [/\bhow (?:has|have|did|does)\b.*\b(?:chang|mov|develop|evolv|gone|grow|grew|shift)\w*\b/i, 3],
    [
      /^(?:was|were|is|are|has|have|did)\b.*\balways\b|\balways\b.*\b(?:or|did|has)\b|\bever (?:been |say |said )?(?:different|something else|anything else|chang\w+)\b/i,
      3,
    ],
    [/\b(?:chang|mov|switch)\w*\b.*\bat some point\b/i, 2],
  ],
  read: (heard) => {
    withoutBranch(heard);
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

const conflicts: Act = {
  evidence: [
    [/\b(?:conflict\w*|contradict\w*|disagree\w*|clash\w*|inconsisten\w*)\b/i, 3],
    [
      /\b(?:don't|do not|not|n't|can't|cannot|doesn't) (?:agree|match up)\b|\b(?:both|two|which|different) (?:versions|sides|values)\b|\bside by side\b/i,
      3,
    ],
    [/\b(?:phone|laptop|devices?|machines?|computers?|versions?|sides?|newer)\b/i, 1],
  ],
  read: ({ slots, text }) =>
    aboutOf(slots.left, OF_CONFLICTS) === "" || CONFLICT_ABOUT.test(text) ? plain("conflicts") : undefined,
};

const CONFLICT_ABOUT = /\b(?:conflict|contradict|disagree|clash)\w* (?:about|on|over|regarding|for)\b/i;
const OF_CONFLICTS =
  /^(?:conflict\w*|contradict\w*|disagree\w*|clash\w*|inconsisten\w*|agree|match|don't|can't|doesn't|cannot|not|both|two|which|different|versions?|sides?|values?|newer|older|phone|laptop|devices?|machines?|computers?|desktop|tablet|server|side|open|left|unresolved|between|each|other|itself|themselves|agents?|branches|resolve|settle|decide|decided|places?|where)$/i;

const status: Act = {
  evidence: [
    [/\b(?:in sync|sync|synced|syncing|synchroni[sz]ed|unsynced|offline|caught up)\b/i, 3],
    [/\bup to date\b/i, 2],
    [
      /\b(?:behind|waiting|pending|arriv\w*|reach\w*|come through|came through|gone? (?:out|through)|went (?:out|through)|got (?:it|everything|all)|received?|sent)\b/i,
      2,
    ],
    [/\b(?:phone|laptop|devices?|machines?|computers?|desktop|tablet|server|everything|all my)\b/i, 1],
  ],
  read: (heard) => {
    for (let one = heard.slots.take("device"); one !== undefined; one = heard.slots.take("device"));
    const about = aboutOf(heard.slots.left, OF_STATUS);
    return about === "" ? plain("status") : undefined;
  },
};
const OF_STATUS =
  /^(?:in|sync\w*|synchroni\w*|unsynced|offline|online|caught|up|date|behind|waiting|pending|arriv\w*|reach\w*|through|gone?|went|received?|sent|send|phone|laptop|devices?|machines?|computers?|desktop|tablet|server|changes?|latest|newest|last|between|both|across|other|others|of|my|with|stuck|left|properly|fully|complete\w*|relay|come|came|time|when|is)$/i;

const exporting: Act = {
  evidence: [
    [
      /\b(?:export\w*|usb|download\w*|dump|back(?:ed|ing)? (?:it |this |that |everything |all (?:of )?(?:it|this) )?up)\b/i,
      3,
    ],
    [
      /\b(?:copy|copies|files?|stick|drive|disk|folder|markdown|json|csv|pdf|spreadsheet|print\w*|cloud|elsewhere|archive|safe)\b/i,
      2,
    ],
    [/\b(?:everything|all (?:of )?(?:this|my|the|it|that|our)|whole|all)\b/i, 1],
  ],
  read: ({ slots }) => (aboutOf(slots.left, OF_EXPORT) === "" ? plain("export") : undefined),
};

const OF_EXPORT =
  /^(?:export\w*|usb|download\w*|dump|back|backed|backup|up|copy|copies|files?|stick|drive|disk|hard|external|folder|markdown|json|csv|pdf|spreadsheet|print\w*|cloud|elsewhere|archive|safe|safely|whole|entire|way|possible|make|take|save|where|own|keep|move|computer|format|text|plain|without|offline|outside)$/i;

const branches: Act = {
  evidence: [[/\bbranches\b|\b(?:which|what) branch\b/i, 3]],
  read: ({ slots }) =>
    slots.has("branch") || aboutOf(slots.left, OF_BRANCHES) !== "" ? undefined : plain("branches"),
};
const OF_BRANCHES =
  /^(?:branch|branches|exist|open|active|alive|left|made|make|use|using|current|currently|around)$/i;
const checkpoints: Act = {
  evidence: [[/\b(?:checkpoints|snapshots|save ?points)\b/i, 3]],
  read: () => plain("checkpoints"),
};

const difference: Act = {
  evidence: [
    [/\b(?:differ\w*|compar\w*|diff|versus|vs)\b/i, 3],
    [
      /\bthat (?:isn't|is not|aren't|are not) (?:on|in)\b|\b(?:doesn't|don't) have\b|\bahead of\b|\b(?:new|changed?) (?:on|in)\b/i,
      2,
    ],
    [/<other>/, 1],
  ],
  read: ({ slots, around }) => {
    const names = [...new Set(slots.all("branch").map(({ name }) => name))];
    const [one, other] = names;
    if (one === undefined || names.length > 2 || slots.has("period")) return undefined;
    if (other !== undefined)
      return { request: { operation: "difference", from: branchOf(one), to: branchOf(other) } };
    if (one === "main" || !around.branches.includes("main")) return undefined;
    return { request: { operation: "difference", from: branchOf("main"), to: branchOf(one) } };
  },
};

const previewMerge: Act = {
  evidence: [
    [/\bmerg\w+\b/i, 2],
    [/\b(?:bring|come|land|pull|carry)\w* (?:over|in|across|with it)\b/i, 1],
    [/\b(?:would|preview|first|show|see|look|what|if|before I|before we)\b/i, 1],
    [/<other>/, 1],
  ],
  read: ({ slots, text, stated }) => {
    if (!/\b(?:would|will|preview|(?:if|before|when) (?:I|we)|first|see|show)\b/i.test(`${text} ${stated}`))
      return undefined;
    if (/^(?:did|has|have|is|when|why|who)\b|\bafter (?:I|we)\b/i.test(text)) return undefined;
    const names = slots.all("branch").map(({ name }) => name);
    const from = names.find((name) => name !== "main");
    if (from === undefined) return undefined;
    return { request: { operation: "merge", from: branchOf(from) }, isPreview: true };
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
      /\b(?:what|whats|what's|anything|something|everything|which|did)\b.*\b(?:chang\w*|new|happen\w*|added|updat\w*|edited|different|going on)\b/i,
      2,
    ],
    [
      /\b(?:rundown|summary|overview|recap|catch (?:me|us) up|did (?:I|we) miss|what's new|news|chang(?:e|es|ed))\b/i,
      2,
    ],
    [/<period>/, 1],
  ],
  read: (heard) => {
    const { slots, around } = heard;
    withoutBranch(heard);
    const [period, agent, device] = [slots.take("period"), slots.take("agent"), slots.take("device")];
    const topic = topicOf(heard);
    if (period === undefined || OF_HERE.test(heard.text)) return undefined;
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
  ],
  read: (heard) => {
    const { slots } = heard;
    const isWriting =
      /\b(?:wrote|write|written|jotted|saved?|added?|noted?|put|entered|stored|recorded|notes?|memories|everything|all|list)\b/i;
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

/** "Switch me over to pitch-v2": it is only said how. */
export const useBranch = ({ text, slots }: Heard): Answered | undefined => {
  if (!/^(?:switch|jump|move|change|go|put|take|work|continue|get|use|check out|checkout|hop)\b/i.test(text))
    return undefined;
  const branch = slots.take("branch");
  const about = aboutOf(slots.left, OF_USING);
  if (branch === undefined || !branch.isSure || about !== "") return undefined;
  return { request: { operation: "use-branch", branch: branchOf(branch.name) } };
};
const OF_USING =
  /^(?:switch|jump|move|change|go|put|take|work|working|continue|use|over|back|hop|checkout|branch|while|bit|onto)$/i;

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

const ACTS: readonly Act[] = [
  ...[history, blame, conflicts, status, exporting, branches, checkpoints, difference, previewMerge],
  ...[lastTouched, newest, changes, thenKnown, listed, forgotten],
];

/** Evidence may ask for slots, too: "<period>", or "<other>" for a branch beside main. */
function marked({ text, slots }: Heard): string {
  const marks = (["period", "state", "agent", "device", "labels"] as const).filter((kind) => slots.has(kind));
  const named = slots.all("branch").map(({ name }) => (name === "main" ? " <main>" : " <other>"));
  const isTwo = new Set(slots.all("branch").map(({ name }) => name)).size > 1;
  return `${text}${marks.map((kind) => ` <${kind}>`).join("")}${named.join("")}${isTwo ? " <branch><branch>" : ""}`;
}

/**
 * @param fresh - reads the slots anew for each act that tries: what one takes is no loss to another
 * @returns undefined where no act has enough of evidence, or two have as much
 */
export function readingOf(fresh: () => Heard): Answered | undefined {
  const heard = fresh();
  const spoken = marked(heard);
  const fits = (words: RegExp): boolean => words.test(heard.text) || words.test(spoken);
  const ranked = ACTS.map((act) => ({
    act,
    weight: act.evidence.reduce(
      (sum, [words, weight]) => sum + (fits(words) || (weight > 1 && words.test(heard.stated)) ? weight : 0),
      0,
    ),
  }))
    .filter(({ weight }) => weight >= LEAST)
    .toSorted((one, other) => other.weight - one.weight);
  for (const { act } of ranked) {
    const found = act.read(fresh());
    if (found !== undefined) return found;
  }
  return undefined;
}
