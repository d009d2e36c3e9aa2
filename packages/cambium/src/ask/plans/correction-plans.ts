/**
 * Plans that give a memory a new text: what is corrected, and what is stated and says otherwise.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { oneLine, shellWord, shortId } from "@cambium/core/text";
import { contrastIn, describing, has, stemsOf, valuesIn, withValueChanged } from "../changed-value.js";
import { otherwiseIn } from "../contradiction.js";
import { correctedText, lostParts } from "../corrected-text.js";
import { findMemories, speaksOf } from "../find-memories.js";
import { type NamedValue, withNamedValue } from "../named-value.js";
import { withPredicateChanged } from "../same-subject.js";
import { correctionTarget } from "../targets.js";
import { nothingFound, rememberPlan } from "./memory-plans.js";
import { keptPlan, sameText } from "./otherwise-plans.js";
import {
  type Action,
  type Asked,
  CHOSEN,
  countOf,
  type Idle,
  named,
  type Plan,
  type Planning,
} from "./plan.js";

/** What was only said: where one memory says another value of the same thing, that one is corrected. */
export async function statedPlan(request: Asked<"remember">, planning: Planning): Promise<Plan | Idle> {
  const { content } = request;
  const { space, branch } = planning;
  const about = await findMemories(space, content, { branch });
  const found = about.flatMap((memory) => {
    const text = otherwiseIn(memory.content, content);
    return text === undefined ? [] : [{ memory, text }];
  });
  const [one, ...others] = found;
  if (one === undefined || others.length > 0) {
    const { isOtherwise = false, named: value } = request;
    return (
      (isOtherwise || contrastIn(content) !== undefined
        ? await changedValuePlan(content, "update", planning)
        : undefined) ??
      (isOtherwise ? await otherwisePlan(content, value, planning) : undefined) ??
      (await besidePlan(request, planning))
    );
  }
  const { memory, text } = one;
  if (text === memory.content) return alreadySo(memory);
  return {
    ...revision(memory, text, "update"),
    would: `${shortId(memory.id)} says otherwise. Would revise it on ${named(branch)}`,
  };
}

/** It is kept; the memory that it may take the place of is named. */
async function besidePlan(request: Asked<"remember">, planning: Planning): Promise<Plan> {
  const plan = rememberPlan(request, planning);
  const about = await withSuchValue(request.content, planning);
  return about === undefined
    ? plan
    : {
        ...plan,
        note: `${shortId(about.id)} says: “${named(about.content)}”. To change that instead: cambium revise ${shortId(about.id)} "…"`,
      };
}

const alreadySo = (memory: Memory): Idle => ({
  ...{ kind: "idle", why: `That is what ${shortId(memory.id)} says already.`, isKnown: true },
  ...{ preview: { memories: [memory] }, memories: [memory] },
});

/** What a memory said before its last change, again. */
export async function earlierPlan(topic: string, { space, branch }: Planning): Promise<Plan | Idle> {
  const sure = await findMemories(space, topic, { branch, isSure: true });
  // Half of the words are enough: of those that say them, one that was changed is meant.
  const near = sure.length > 0 ? sure : await findMemories(space, topic, { branch });
  const inText = near.filter(({ content }) => topic.split(" ").some((word) => speaksOf(content, word)));
  const about = inText.length > 0 ? inText : near;
  const found = (
    await Promise.all(
      about.map(async (memory) => {
        const versions = await space.history(memory.id, { branch });
        const before = versions.findLast(({ content }) => content !== memory.content);
        return before === undefined ? [] : [{ memory, text: before.content }];
      }),
    )
  ).flat();
  const [only, ...others] = found;
  if (only === undefined)
    return about[0] === undefined
      ? nothingFound(topic)
      : {
          kind: "idle",
          why: `${shortId(about[0].id)} has said this from the beginning.`,
          preview: { memories: about },
        };
  const { memory, text } = only;
  if (others.length > 0)
    return choiceOf(
      found.map((one) => one.memory),
      ({ id }) => found.find((one) => one.memory.id === id)?.text ?? text,
      { content: `what it said before, of "${topic}"`, type: "correct", branch },
    );
  return {
    ...revision(memory, text, "correct"),
    would: `Would bring back what ${shortId(memory.id)} said before, on ${named(branch)}`,
  };
}

const revision = (memory: Memory, text: string, type: "correct" | "update") =>
  ({
    kind: "plan",
    shown: { kind: "revision", before: memory.content, after: text },
    preview: { content: text, memories: [memory] },
    consent: "implied",
    actions: [{ verb: "revise", id: memory.id, content: text, type, expect: memory.record }],
  }) as const;

/** The one memory that says most of the subject, with the value that takes the place of another. */
async function namedValuePlan(
  value: NamedValue,
  type: "correct" | "update",
  { space, branch }: Planning,
): Promise<Plan | undefined> {
  const query = [value.subject, value.insteadOf].filter(Boolean).join(" ");
  const about = await space.recall(query, { branch, limit: MOST_READ, priors: false, spelling: false });
  const all = about.flatMap((memory) => {
    const changed = withNamedValue(memory.content, value);
    return changed === undefined ? [] : [{ memory, ...changed }];
  });
  const most = Math.max(0, ...all.map(({ shared }) => shared));
  const [only, ...others] = all.filter(({ shared }) => shared === most);
  // What is replaced says by itself which memory is meant, where only one says it.
  const isPlain = most > 0 || (value.insteadOf !== undefined && all.length === 1);
  if (only === undefined || !isPlain || others.length > 0) return undefined;
  return {
    ...revision(only.memory, only.text, type),
    would: `Would revise ${shortId(only.memory.id)} on ${named(branch)}`,
  };
}

/** What is otherwise now: by its parts, or the memory that may be meant is shown. */
async function otherwisePlan(
  content: string,
  value: NamedValue | undefined,
  planning: Planning,
): Promise<Plan | Idle | undefined> {
  const plan = value && (await namedValuePlan(value, "update", planning));
  if (plan !== undefined) return plan;
  const { space, branch } = planning;
  const words = describing(value?.subject ? value.subject : content);
  const same = await samePlan(content, planning);
  if (same !== undefined) return same;
  const [match] =
    words.length === 0 ? [] : await findMemories(space, words.join(" "), { branch, isSure: true });
  // "Gus Moray mobile 01632 960377" takes the place of no other place of his.
  const kinds = new Set(valuesIn(content).map(({ kind }) => kind));
  const isOther =
    match !== undefined && (kinds.size === 0 || valuesIn(match.content).some(({ kind }) => kinds.has(kind)));
  const about = isOther ? match : await withSuchValue(content, planning);
  return about === undefined ? undefined : maybeOtherwise(about, content);
}

/** The only one that says something else of the same. */
async function samePlan(content: string, { space, branch }: Planning): Promise<Plan | undefined> {
  const found = await space.recall(content, { branch, limit: MOST_READ, priors: false, spelling: false });
  const all = found.flatMap((memory) => {
    const text = withPredicateChanged(memory.content, content);
    return text === undefined ? [] : [{ memory, text }];
  });
  const [only, ...others] = all;
  if (only === undefined || others.length > 0) return undefined;
  return {
    ...revision(only.memory, only.text, "update"),
    would: `Would revise ${shortId(only.memory.id)} on ${named(branch)}`,
  };
}

/** The one that shares most words, and says a value of a kind that the sentence says, too. */
async function withSuchValue(content: string, { space, branch }: Planning): Promise<Memory | undefined> {
  const kinds = new Set(valuesIn(content).map(({ kind }) => kind));
  const words = describing(content).filter((word) => valuesIn(word).length === 0);
  const found = await space.recall(content, { branch, limit: MOST_READ, priors: false, spelling: false });
  const shared = (memory: Memory): number => {
    const known = stemsOf(memory.content);
    return words.filter((word) => has(known, word)).length;
  };
  // One word of many is shared by chance.
  const least = Math.max(1, Math.ceil(words.length / 2));
  return found
    .filter(
      (memory) => shared(memory) >= least && valuesIn(memory.content).some(({ kind }) => kinds.has(kind)),
    )
    .toSorted((one, other) => shared(other) - shared(one))[0];
}

const maybeOtherwise = (memory: Memory, content: string): Idle => ({
  ...{ kind: "idle", preview: { memories: [memory] }, memories: [memory] },
  why: `${shortId(memory.id)} says: “${named(memory.content)}”. Whether this takes the place of it is not plain. Nothing was written. To change it: cambium revise ${shortId(memory.id)} "…". To keep both: cambium remember ${shellWord(oneLine(content))}`,
});

export async function correctPlan(request: Asked<"correct">, planning: Planning): Promise<Plan | Idle> {
  const plan = await correctedPlan(request, planning);
  return (await withoutSecond(plan, planning)) ?? plan;
}

/** Where another memory says already what is right, the one that says otherwise is hidden, and not made its double. */
async function withoutSecond(plan: Plan | Idle, planning: Planning): Promise<Plan | undefined> {
  if (plan.kind === "idle") {
    const [known] = plan.isKnown ? (plan.memories ?? []) : [];
    return known && (await keptPlan(known, planning));
  }
  const [action, ...others] = plan.actions;
  if (action?.verb !== "revise" || others.length > 0 || plan.choice !== undefined) return undefined;
  const known = await sameText(action.content, action.id, planning);
  return known && (await keptPlan(known, planning));
}

async function correctedPlan(request: Asked<"correct">, planning: Planning): Promise<Plan | Idle> {
  const plan = await writtenPlan(request, planning);
  const isFound = plan.kind === "plan" && plan.actions.every(({ verb }) => verb === "revise");
  if (isFound) return plan;
  const value = request.named && (await namedValuePlan(request.named, request.type, planning));
  if (value !== undefined || request.isOtherwise !== true || plan.kind === "idle") return value ?? plan;
  return (await otherwisePlan(request.content, request.named, planning)) ?? plan;
}

/** By the sentence as a whole. */
async function writtenPlan(request: Asked<"correct">, planning: Planning): Promise<Plan | Idle> {
  const { content, type, subject, isKnown, isValue, isNegation, whole = content } = request;
  if (isValue)
    return (await changedValuePlan(whole, type, planning)) ?? (await nothingChanged(request, planning));
  // "One tin, not two": a value for a value, whatever words are around it.
  const isOfValues = request.insteadOf !== undefined && valuesIn(request.insteadOf).length > 0;
  const swapped = isOfValues ? await changedValuePlan(whole, type, planning) : undefined;
  if (swapped !== undefined) return swapped;
  const { space, branch } = planning;
  const { memories, same, isChoice } = await correctionTarget(space, request, branch);
  if (same !== undefined) return alreadySo(same);
  const after = (memory: Memory) => correctedText(memory.content, request);
  const losing = memories.find((memory) => after(memory).losesRest);
  const [before] = memories;
  if (before === undefined || isChoice || losing !== undefined) {
    const isOnlyOver = isNegation && contrastIn(whole) === undefined;
    const changed = isOnlyOver ? undefined : await changedValuePlan(whole, type, planning);
    if (changed !== undefined) return changed;
  }
  if (before === undefined)
    return isKnown
      ? nothingFound(subject)
      : rememberPlan({ content: whole }, planning, "No memory says otherwise. ");
  if (losing !== undefined && !isChoice && !isNegation)
    return WITHOUT_VALUE.test(whole) ? notPlain(losing) : wouldLose(losing, after(losing).text);
  if (!isChoice && !isNegation && addsDenial(before.content, after(before).text)) return notPlain(before);
  if (!isChoice)
    return {
      ...revision(before, after(before).text, type),
      would: `Would revise ${shortId(before.id)} on ${named(branch)}`,
      ...(losing === undefined
        ? {}
        : { note: lossNote(losing, after(losing).text), consent: "always" as const }),
    };
  const choice = choiceOf(memories, (memory) => after(memory).text, { content, type, branch });
  return losing === undefined
    ? choice
    : { ...choice, note: lossNote(losing, after(losing).text), consent: "always" };
}

interface Chosen {
  readonly content: string;
  readonly type: "correct" | "update";
  readonly branch: string;
}

const choiceOf = (
  memories: readonly Memory[],
  textOf: (memory: Memory) => string,
  { content, type, branch }: Chosen,
): Plan => ({
  kind: "plan",
  would: `${countOf(memories.length)} can be meant on ${named(branch)}. One of them would be corrected: “${oneLine(content)}”`,
  shown: { kind: "memories", memories },
  preview: { content, memories },
  consent: "implied",
  actions: [{ verb: "revise", id: CHOSEN, content, type }],
  choice: {
    memories,
    action: (memory): Action => ({
      ...{ verb: "revise", id: memory.id, content: textOf(memory), type, expect: memory.record },
    }),
  },
});

/** The memory that says most of the sentence, with its one value changed. */
async function changedValuePlan(
  sentence: string,
  type: "correct" | "update",
  { space, branch }: Planning,
): Promise<Plan | undefined> {
  const about = await space.recall(sentence, { branch, limit: MOST_READ, priors: false, spelling: false });
  const found = about
    .flatMap((memory) => {
      const changed = withValueChanged(memory.content, sentence);
      return changed === undefined ? [] : [{ memory, ...changed }];
    })
    .toSorted((one, other) => other.shared - one.shared);
  const best = found.filter(({ shared }) => shared === found[0]?.shared);
  const [only, ...others] = best;
  if (only === undefined || best.length > MOST_CHOICES) return undefined;
  const { memory, text, left } = only;
  if (others.length > 0)
    return choiceOf(
      best.map((one) => one.memory),
      ({ id }) => best.find((one) => one.memory.id === id)?.text ?? text,
      { content: sentence, type, branch },
    );
  const words = left.map((word) => `“${named(word)}”`).join(", ");
  return {
    ...revision(memory, text, type),
    would: `Would revise ${shortId(memory.id)} on ${named(branch)}`,
    ...(left.length === 0 ? {} : { note: `Not taken over: ${words}.` }),
  };
}

const MOST_READ = 20;
const MOST_CHOICES = 5;

/** Nothing says what it is to be now, or of what. */
async function nothingChanged(
  { content, isKnown }: Asked<"correct">,
  { space, branch, ...planning }: Planning,
): Promise<Plan | Idle> {
  const words = describing(content).join(" ");
  const [about] = words === "" ? [] : await findMemories(space, words, { branch });
  if (about !== undefined && isKnown) return notPlain(about);
  return isKnown
    ? nothingFound(words)
    : rememberPlan({ content }, { space, branch, ...planning }, "No memory says otherwise. ");
}

/** What is so no longer is no part of what is so: "…, not only in the morning". */
const addsDenial = (before: string, after: string): boolean =>
  DENIES.some((denial) => denial.test(after) && !denial.test(before));
const DENIES: readonly RegExp[] = [
  ...[
    /\bnot only\b/i,
    /, (?:and )?not\b/i,
    /\bfrom on\b/i,
    /\bno longer\b/i,
    /\binstead\b/i,
    /\bany ?more\b/i,
  ],
];

/** "It got moved again", without to when. */
const WITHOUT_VALUE = /\b(?:moved|changed|rescheduled|postponed|different)(?: again| once more)?$/i;

const notPlain = (memory: Memory): Idle => ({
  ...{ kind: "idle", preview: { memories: [memory] }, memories: [memory] },
  why: `${shortId(memory.id)} says: “${named(memory.content)}”. What of it is to be changed is not plain. Nothing was written. Say what is right, or write the whole text: cambium revise ${shortId(memory.id)} "…"`,
});

/** Nobody should have to find in a garbled text what is gone. */
const wouldLose = (memory: Memory, after: string): Idle => ({
  ...{ kind: "idle", preview: { memories: [memory] }, memories: [memory] },
  why: `${shortId(memory.id)} says: “${named(memory.content)}”. ${lossNote(memory, after)} Nothing was written.`,
});

function lossNote(memory: Memory, after: string): string {
  const lost = lostParts(memory.content, after).map((part) => `“${named(part)}”`);
  const all = lost.slice(0, MOST_LOST).join(", ");
  return `It says more than this, and ${all}${lost.length > MOST_LOST ? " and more" : ""} would go. To keep it, write the whole text: cambium revise ${shortId(memory.id)} "…"`;
}

const MOST_LOST = 4;
