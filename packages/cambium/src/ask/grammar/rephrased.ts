/**
 * Requests in words that other requests have already: each becomes one that is read like any other.
 *
 * @module
 */
import type { Surroundings } from "../intent.js";
import { MAX_SENTENCE, plainSentence } from "../plain-sentence.js";
import { isBranchName } from "./branching.js";
import { knownName } from "./known-names.js";
import { TAKING } from "./words.js";

export interface Rephrased {
  readonly text: string;
  /** Words that the request cannot take. */
  readonly leftOut?: readonly string[];
  /** Where it is done. */
  readonly branch?: string;
}
type Groups = Readonly<Record<string, string>>;
interface Form {
  readonly form: RegExp;
  readonly as: (groups: Groups, around: Surroundings) => string | Rephrased | undefined;
}

const WHEN =
  "(?:today|yesterday|this (?:morning|week|month|year)|(?:in |over |during )?(?:the )?(?:last|past) .{1,20}?|since .{1,20}?|lately|recently)";
const REMOVES = TAKING.join("|");

const FORMS: readonly Form[] = [
  {
    form: /^(?:which|what) (?:agent|bot|assistant|program) (?:wrote|added|noted|saved|told you|recorded|made|put in) (?:(?:the|that|this) (?:bit|note|notes|thing|part|memory|entry|line) )?(?:about |on )?(?<topic>.+)$/i,
    as: ({ topic }) => `who told you about ${topic}`,
  },
  {
    form: /^what (?:has|have) (?<who>[\w.-]+) been (?:putting|writing|adding|saving|noting|storing|recording|keeping|telling you)(?: (?:in|down|here|there|into (?:this|here)))*$/i,
    as: ({ who = "" }, { agents }) =>
      knownName(who, agents) === undefined ? undefined : `what did ${who} write`,
  },
  {
    form: /^(?:has|have|did|is|are) (?<topic>(?!(?:it|that|this|anything|something|everything) ).+?) (?:(?:gone|go|going|went|been going|moved) (?:up|down)(?: or (?:up|down))?|(?:got|get|become|gotten) (?:dearer|cheaper|more expensive)(?: or (?:dearer|cheaper|more expensive))?|changed? (?:lately|recently|since|at all))$/i,
    as: ({ topic }) => `what is the history of ${topic}`,
  },
  {
    form: /^(?:make|create|start|open|give|set up)(?: me| us)? (?:an? )?(?:fresh |new |separate |side |extra )*branch for (?:the |my |our )?(?<name>(?!(?:it|this|that|me|us|now|\w+ing)\b)[\p{L}\d'’-]+(?: [\p{L}\d'’-]+){0,3})$/iu,
    as: ({ name = "" }) =>
      `make a branch called ${name.replace(/['’]/g, "").toLowerCase().replaceAll(" ", "-")}`,
  },
  {
    // "Did I delete something about book club? Bring it back if so."
    form: /^(?:did|have) (?:I|we|you) (?:ever |already |just )?(?:delete|deleted|remove|removed|hide|hid|hidden|forget|forgot|forgotten|bin|binned|drop|dropped|lose|lost|throw out|thrown out)(?: (?:something|anything|a note|the note|a memory|the memory|the one|the bit|the thing))?(?: (?:about|on|of|with|saying))? (?<topic>[^?,;.]+)[?,;.] (?:and |then )?(?:please |can you |could you )*(?:bring|get|put|have|restore|undelete|unforget) (?:it|that|them|her|him)(?: back)?(?: (?:if (?:so|I did|you did|you (?:can|could))|then|again))*$/i,
    as: ({ topic }) => `bring back the note about ${topic}`,
  },
  {
    // "Adaeze left, the new product owner is Sven": why it is so is told beside it.
    form: /^(?<lead>(?=[^,;.]*[a-z] )[^,;.\d]+)[,;.] (?:and |so )?(?<rest>(?:the|our|my) new [\w -]+ is (?:called )?\p{Lu}[^,;]*)$/u,
    as: ({ lead = "", rest = "" }) => ({ text: rest, leftOut: [lead] }),
  },
  {
    form: new RegExp(
      `^(?:is there |do (?:you|we) have |have (?:you|we) (?:got )?)?(?:anything|something|any news|news|any updates?|what(?: is|'s)) (?:new |changed )?(?:about|on|regarding) (?<topic>.+?) (?:from |in )?(?<when>${WHEN})$`,
      "i",
    ),
    as: ({ topic, when = "" }) =>
      `show notes about ${topic}${/^since /i.test(when) ? "" : " from"} ${when.replace(/^(?:in|over|during) /i, "")}`,
  },
  {
    form: new RegExp(
      `^(?:(?:can|could) (?:I|you|we) (?:get|have|give me|see) |give me |show me |I'd like |I want )?(?:an? |the )?(?:(?:quick|short|brief|little) )?(?:rundown|summary|overview|recap|digest|list) of (?:what (?:has )?(?:changed|happened)|(?:all )?(?:the )?changes) (?<when>${WHEN})$`,
      "i",
    ),
    as: ({ when = "" }) => `what changed ${when.replace(/^(?:in|over|during) /i, "")}`,
  },
  {
    form: /^(?:can (?:I|we) (?:get|have)|could (?:I|we|you) (?:get|have|give me|export)|give me|export|I(?:'d like| want| need)|get me|save|download) (?:all |everything )?(?:of )?(?:the |my |our )?(?<which>.*?) ?(?:notes|memories|memory|facts) (?:as|to|into|in) (?:an? )?(?:markdown|md|json|text|csv)(?: file| format)?$/i,
    as: ({ which = "" }) => ({
      text: "export my memory",
      ...(which === "" ? {} : { leftOut: [which] }),
    }),
  },
  {
    form: /^(?:I|we) (?:always|often|usually|constantly|keep(?: on)?) forget(?:ting)? (?<topic>(?:my|our|the|his|her|their|\S+'s) .+)$/i,
    as: ({ topic }) => `what is ${topic}`,
  },
  {
    // All of it, under no name.
    form: /^(?:(?:can|could|may) (?:I|we|you) (?:please )?)?(?:get|have|give me|see|export|save|download|I(?:'d like| want| need)) (?:all|everything|the whole thing|the lot|it all)(?: of (?:it|this|that|them))? (?:as|in|into|to) (?:an? )?(?<as>markdown|md|json|jsonl|text|csv)(?: files?| format)?$/i,
    as: ({ as = "" }) => (/^m/i.test(as) ? "export it all as markdown" : "export my memory"),
  },
  {
    form: /^(?:I|we) (?:(?:almost |nearly |totally |completely )?(?:forgot|forget)|(?:have|had) forgotten|meant|wanted|should have remembered) to (?:tell you|mention|say|add|note(?: down)?|write down|let you know)(?: that|[,:])? (?<statement>.+)$/i,
    as: ({ statement = "" }) => (isStatement(statement) ? `remember that ${statement}` : undefined),
  },
  {
    form: /^(?:I|we)(?:'d like| would like| want| need) (?:you|it) to know(?: that|[,:])? (?<statement>.+)$/i,
    as: ({ statement = "" }) => (isStatement(statement) ? `remember that ${statement}` : undefined),
  },
  {
    form: /^(?<lead>(?:make|take|keep|add) (?:an? )?(?:quick )?(?:note|memory|entry)),? (?:please|pls|kindly) ?(?<rest>[:–—-] .+)$/i,
    as: ({ lead = "", rest = "" }) => `${lead}${rest}`,
  },
  {
    form: /^(?:I|we)(?: have|'ve)? (?:just )?(?:learned|learnt|heard|found out|been told|was told|were told|noticed)(?: today| just now| this morning)?(?: that|[,:])? (?<statement>.+)$/i,
    as: ({ statement = "" }) => (isStatement(statement) ? `remember that ${statement}` : undefined),
  },
  {
    form: /^(?:I|we) (?:want|need|would like|'d like) (?:the whole thing|everything|it all|all of it|all) (?:back )?(?:the way|as|like|how) (?:it|things|everything|they|all) (?:was|were)(?: back)? (?:at|in|on|before|when) (?:the )?(?:checkpoint )?(?<point>[\w.-]+)$/i,
    as: ({ point = "" }, { checkpoints }) =>
      checkpoints.includes(point) ? `go back to ${point}` : undefined,
  },
  {
    form: /^(?:I|we) (?:can't|cannot|don't|can not) (?:remember|recall) (?<topic>(?:my|our|the|his|her|their|\S+'s) [^,]+), (?:what|when|where|who) (?:was|is|were|are) (?:it|that|they)(?: again)?$/i,
    as: ({ topic }) => `what is ${topic}`,
  },
  {
    form: /^(?:I|we) forgot (?<topic>(?:my|our|the|his|her|their|\S+'s) [^,]+), (?<word>what|when|where|who) (?:was|is|were|are) (?:it|that|they)(?: again)?$/i,
    as: ({ topic, word }) => `${word} is ${topic}`,
  },
  {
    form: /^(?:(?:make|create|open|start) (?:me )?)?(?:an? )?(?:new )?branch (?:called |named )?(?<name>[\w./-]+) (?:off|from|based on|out of|starting from|off of) (?:the )?(?:branch )?(?<from>[\w./-]+)(?: branch)?$/i,
    as: ({ name, from = "" }, around) =>
      isBranchName(from, around) ? { text: `make a branch called ${name}`, branch: from } : undefined,
  },
  {
    form: /^(?:in|on) (?:the |my |our )?(?:draft|version|notes|branch|state) (?:on|of|in) (?:the )?(?:branch )?(?<branch>[\w./-]+), (?<question>.+)$/i,
    as: ({ branch = "", question }, around) =>
      isBranchName(branch, around) ? `on branch ${branch}, ${question}` : undefined,
  },
  {
    form: /^(?:I think )?(?:I|we) (?:have )?(?:accidentally |wrongly |just )?(?:deleted|removed|forgot|hid|dropped) (?<topic>(?:the|my|our) [^,;.]+?)(?: by (?:mistake|accident)| accidentally)?[,;.] (?:and )?(?:please )?(?:(?:can|could|may) (?:I|we|you) (?:please )?)?(?:have|get|bring|restore) (?:it|that|them)(?: back)?(?: again)?$/i,
    as: ({ topic }) => `bring back ${topic}`,
  },
  {
    // "All the infra notes", of a category that there is.
    form: new RegExp(
      `^(?<verb>${REMOVES}) (?:all|every one of) (?:of )?(?:the |my |our )?(?<name>[\\w-]+)(?:'s)? (?:notes|memories|entries|stuff|things)$`,
      "i",
    ),
    as: ({ verb, name = "" }, { categories, tags, agents }) => {
      if (knownName(name, agents) !== undefined) return undefined;
      const category = knownName(name, categories) ?? knownName(`${name}s`, categories);
      if (category !== undefined) return `${verb} everything in category ${category}`;
      const tag = knownName(name, tags);
      return tag === undefined ? undefined : `${verb} everything tagged ${tag}`;
    },
  },
  {
    form: /^(?:only|just) (?:bring|merge|take|copy|pull)(?: over| in| across)? (?:the |my |our )?(?<topic>[^,;]+?) (?:over )?from (?:the )?(?:branch )?(?<from>[\w./-]+)(?: branch)?$/i,
    as: ({ topic, from = "" }, around) =>
      isBranchName(from, around) ? `merge only the memories about ${topic} from ${from}` : undefined,
  },
  {
    form: /^(?:(?:show|tell) (?:me|us) )?what(?: is|'s) (?:new|different|changed) (?:on|in) (?:the )?(?:branch )?(?<branch>[\w./-]+)(?: branch)?$/i,
    as: ({ branch = "" }, around) =>
      isBranchName(branch, around) ? `what's new on the branch ${branch}` : undefined,
  },
  {
    form: /^(?<order>.+) between (?<from>\d{1,2}(?::\d\d)? ?(?:am|pm)?) and (?<to>\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d) (?:on |last )?(?<day>yesterday|today|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/i,
    as: ({ order, from, to, day }) => `${order} ${day} from ${from} to ${to}`,
  },
  // What is corrected, in the words that corrections have.
  {
    form: /^(?<main>.+?)[,;.] (?:so )?(?:please |can you |could you |would you )*(?:update|change|correct|fix|adjust) (?:that|this|it)$/i,
    as: ({ main = "" }) => (/ from \S+.* to |\b(?:now|not)\b/i.test(main) ? main : `actually, ${main}`),
  },
  {
    form: /^I meant(?: that| to say)? (?<rest>.+? (?:is|are|costs?|starts?|was) .+)$/i,
    as: ({ rest }) => `actually, ${rest}`,
  },
  {
    form: /^(?<subject>(?:the|my|our|his|her|their|\S+'s) [^,]+?) (?:(?:has |have )?(?:went|gone|risen|fallen|dropped|increased|decreased)(?: up| down)?|(?:was|were|got|has been) (?:raised|lowered|increased|reduced|cut|rebooked|extended)) to (?<value>(?:[€$£]?\d|mon|tue|wed|thu|fri|sat|sun)[^,;]*)$/i,
    as: ({ subject, value }) => `${subject} is now ${value}`,
  },
  {
    form: /^(?<subject>(?:the|my|our|his|her|their|\S+'s) [^,]+?) (?:has |have )?changed[,:;] (?:it's|it is|they're|to|now) (?:now )?(?<value>(?:[^,;]|,(?=\d))+?)(?: now)?$/i,
    as: ({ subject, value }) => `${subject} is now ${value}`,
  },
  {
    form: /^(?:it's|it is) not (?<old>[^,]+?) (?:that|when|where) (?<rest>[^,]+), (?:it's|it is|but) (?<now>[^,]+)$/i,
    as: ({ old, rest, now }) => `${rest} ${now}, not ${old}`,
  },
  {
    form: /^(?<subject>(?:the|my|our|his|her|their|\S+'s) .+?) (?:was |were |has been |got |is )?(?:extended|prolonged|postponed|brought forward|pushed back|raised|lowered|increased|reduced|changed|moved|set) to (?<value>[^,;.]+)[,;.] (?:so )?(?:please )?(?:can you |could you )?(?:update|change|correct|fix|adjust) (?:that|it|this|your notes?|the notes?)$/i,
    as: ({ subject, value }) => `${subject} is now ${value}`,
  },
  {
    form: /^(?<subject>(?:the|my|our|his|her|their|\S+'s) .+?)(?: (?:you have|in your notes))? (?:is|are|was) (?:wrong|incorrect|not right|outdated|out of date)[,;:.] (?:it |that |they )?(?:should be|should read|is|are|it's) (?<value>(?:[^,;]|,(?=\d))+)$/i,
    as: ({ subject, value }) => `correct ${subject} to ${value}`,
  },
  {
    form: /^(?<main>[^,]+ (?:is|are|was|costs?|starts?|ends?|opens?|closes?|takes?) [^,]+, not [^,]+), (?<why>(?:because |since |as )?(?:I|we|they|he|she|it) [^,]+)$/i,
    as: ({ main = "", why = "" }) => ({ text: main, leftOut: [why] }),
  },
  {
    form: /^(?:list|show(?: me)?|give me|name|see) (?:all |all of )?(?:the |my |our )?(?:notes|memories|things|facts|entries|stuff|ones)(?: that)? (?:you|I|we|that|were|was|have|has|been|got|is|are| )*(?:forgotten|forgot|deleted|removed|hidden|dropped|binned)(?<when> .{1,40})?$/i,
    as: ({ when = "" }) => `what have you forgotten${when}`,
  },
  {
    form: /^(?:mark|save|keep|bookmark|pin|freeze|store|remember) (?:(?:this|that|the current|my) (?:spot|point|state|place|moment|position)|where (?:we|I) are(?: now)?|how things are(?: now)?) as (?<name>(?!(?:markdown|an?|json|text|csv)\b)[\w.-]+)(?: (?:before|so that|in case|just in case) .+)?$/i,
    as: ({ name }) => `save a checkpoint called ${name}`,
  },
  {
    form: /^(?<statement>.+ (?:is|are|was|were|costs?) .+?)[,;.–—-]+ (?:sorry,? )?(?:(?:I|we) (?:mis(?:typed|spelt|spelled|remembered|wrote|heard|read)|got (?:it|that|this) wrong|made a (?:mistake|typo)|had (?:it|that) wrong)|my (?:mistake|bad|error|typo)|typo)$/i,
    as: ({ statement }) => `actually, ${statement}`,
  },
  {
    form: /^(?:I|we|you) (?:had|got|have) (?:that|it|this) wrong[,:;.] (?<statement>.+)$/i,
    as: ({ statement }) => `actually, ${statement}`,
  },
  {
    form: /^correction (?:on|about|for|regarding|to) (?<subject>[^,:;]+)[:,;] (?:it|they|that) (?<rest>(?:is|are|costs?|takes?|starts?|ends?|opens?|closes?|was|has|should be) .+)$/i,
    as: ({ subject, rest = "" }) => `actually, ${subject} ${rest.replace(/^should be/i, "is")}`,
  },
];

/** Three words at least, and nothing that asks or only names. */
const isStatement = (text: string): boolean =>
  /^\S+ \S+ \S/.test(text) &&
  !/^(?:about|of|on|to|how|what|who|whom|when|where|why|which|if|whether)\b/i.test(text);

/** Before what is told, and no part of it. */
export const OPENING =
  /^(?:heads[- ]up|(?:as )?it turns out(?: that)?|turns out(?: that)?|(?:I )?just (?:found out|heard|learned)(?: that)?|apparently|good news|bad news|small update|quick update|(?:I'm|I am) (?:afraid|sorry)(?: to say)?(?: that)?|before I forget|one more thing|and one thing)[,:;]? (?=\S+ \S+ \S)/i;

/** @returns undefined for most sentences */
export function rephrased(text: string, around: Surroundings): Rephrased | undefined {
  if (text.length > MAX_SENTENCE || text.includes('"')) return undefined;
  const whole = plainSentence(text);
  const sentence = whole
    .replace(OPENING, "")
    .replace(/^(?:and|but|so) (?=(?:what|who|where|when|which|how)\b)/i, "");
  for (const { form, as } of FORMS) {
    const groups = form.exec(sentence)?.groups;
    const other = groups === undefined ? undefined : as(groups, around);
    if (other !== undefined) return typeof other === "string" ? { text: other } : other;
  }
  return sentence === whole ? undefined : { text: sentence };
}
