/**
 * Answers of how things stand: conflicts, sync, branches, what a merge would bring, and how to take it all away.
 *
 * @module
 */
import { type Act, type Answered, branchOf, type Heard, plain } from "./act.js";
import { aboutOf } from "./slots.js";

const conflicts: Act = {
  evidence: [
    [/\b(?:conflict\w*|contradict\w*|disagree\w*|clash\w*|inconsisten\w*)\b/i, 3],
    [
      /\b(?:don't|do not|not|n't|can't|cannot|doesn't) (?:agree|match up)\b|\b(?:both|two|which|different) (?:versions|sides|values)\b|\bunresolved\b|\bside by side\b/i,
      3,
    ],
    [/\b(?:phone|laptop|devices?|machines?|computers?|versions?|sides?|newer)\b/i, 1],
  ],
  read: ({ slots, text }) =>
    aboutOf(slots.left, OF_CONFLICTS) === "" || CONFLICT_ABOUT.test(text) ? plain("conflicts") : undefined,
};

const CONFLICT_ABOUT =
  /\b(?:conflict|contradict|disagree|clash)\w* (?:about|on|over|regarding|for)\b|\b(?:both|two) (?:versions|sides|values) (?:of|for|about)\b/i;
const OF_CONFLICTS =
  /^(?:conflict\w*|contradict\w*|disagree\w*|clash\w*|inconsisten\w*|agree|match|don't|can't|doesn't|cannot|not|both|two|which|different|versions?|sides?|values?|newer|older|phone|laptop|devices?|machines?|computers?|desktop|tablet|server|side|open|left|unresolved|between|each|other|itself|themselves|agents?|branches|resolve|settle|decide|decided|places?|where)$/i;

const status: Act = {
  evidence: [
    [/\b(?:in sync|sync|synced|syncing|synchroni[sz]ed|unsynced|offline|caught up)\b/i, 3],
    [/\bup to date\b/i, 2],
    [/\bon the same page\b|\bin step\b|\bhave the same\b/i, 3],
    [
      /\b(?:behind|waiting|pending|arriv\w*|reach\w*|come through|came through|gone? (?:out|through)|went (?:out|through)|got (?:it|everything|all)|received?|sent)\b/i,
      2,
    ],
    [/\b(?:phone|laptop|devices?|machines?|computers?|desktop|tablet|server|everything|all my)\b/i, 1],
  ],
  read: (heard) => {
    for (let one = heard.slots.take("device"); one !== undefined; one = heard.slots.take("device"));
    heard.slots.take("period");
    const about = aboutOf(heard.slots.left, OF_STATUS);
    return about === "" ? plain("status") : undefined;
  },
};
const OF_STATUS =
  /^(?:in|hasn't|haven't|isn't|aren't|same|page|step|devices?|sync\w*|synchroni\w*|unsynced|offline|online|caught|up|date|behind|waiting|pending|arriv\w*|reach\w*|through|gone?|went|received?|sent|send|phone|laptop|devices?|machines?|computers?|desktop|tablet|server|changes?|latest|newest|last|between|both|across|other|others|of|my|with|stuck|left|properly|fully|complete\w*|relay|come|came|time|when|is)$/i;

const exporting: Act = {
  evidence: [
    [
      /\b(?:export\w*|usb|download\w*|dump|back(?:ed|ing)? (?:it |this |that |everything |all (?:of )?(?:it|this) )?up)\b/i,
      3,
    ],
    [
      /\b(?:copy|copies|files?|stick|drive|disk|folder|markdown|json|csv|pdf|spreadsheet|print\w*|cloud|elsewhere|archive|safe|zip)\b/i,
      2,
    ],
    [/\b(?:everything|all (?:of )?(?:this|my|the|it|that|our)|whole|all)\b/i, 1],
  ],
  read: ({ slots }) => (aboutOf(slots.left, OF_EXPORT) === "" ? plain("export") : undefined),
};

const OF_EXPORT =
  /^(?:export\w*|zip|put|write|get|pack|usb|download\w*|dump|back|backed|backup|up|copy|copies|files?|stick|drive|disk|hard|external|folder|markdown|json|csv|pdf|spreadsheet|print\w*|cloud|elsewhere|archive|safe|safely|whole|entire|way|possible|make|take|save|where|own|keep|move|computer|format|text|plain|without|offline|outside)$/i;

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
      3,
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

export const STANDING: readonly Act[] = [
  conflicts,
  status,
  exporting,
  branches,
  checkpoints,
  difference,
  previewMerge,
];
