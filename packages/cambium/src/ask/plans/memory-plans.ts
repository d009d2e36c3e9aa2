/**
 * Plans on single memories: remember, correct, forget, restore.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { oneLine, shortId } from "@cambium/core/text";
import { otherwiseIn } from "../contradiction.js";
import { correctedText, lostParts } from "../corrected-text.js";
import { findMemories } from "../find-memories.js";
import { fieldsInWords } from "../frame-in-words.js";
import type { NamedFields } from "../intent.js";
import { correctionTarget, forgetTarget, restoreTarget } from "../targets.js";
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

export const rememberPlan = (
  { content, fields = {} }: { readonly content: string; readonly fields?: NamedFields },
  { branch }: Planning,
  why = "",
): Plan => ({
  kind: "plan",
  would: `${why}Would remember on ${[named(branch), ...fieldsInWords(fields).map(named)].join(", ")}`,
  shown: { kind: "text", content },
  preview: { content, ...fields },
  consent: "implied",
  actions: [{ verb: "remember", content, ...fields }],
});

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
  if (one === undefined || others.length > 0) return rememberPlan(request, planning);
  const { memory, text } = one;
  if (text === memory.content)
    return {
      ...{ kind: "idle", why: `That is what ${shortId(memory.id)} says already.` },
      ...{ preview: { memories: [memory] }, memories: [memory] },
    };
  return {
    kind: "plan",
    would: `${shortId(memory.id)} says otherwise. Would revise it on ${named(branch)}`,
    shown: { kind: "revision", before: memory.content, after: text },
    preview: { content: text, memories: [memory] },
    consent: "implied",
    actions: [{ verb: "revise", id: memory.id, content: text, type: "update", expect: memory.record }],
  };
}

/** What goes out of sight is named: nobody should have to find it in the text that is gone. */
function lossNote(memory: Memory, after: string): string {
  const lost = lostParts(memory.content, after).map((part) => `“${named(part)}”`);
  const all = lost.slice(0, MOST_LOST).join(", ");
  return `It says more than this, and ${all}${lost.length > MOST_LOST ? " and more" : ""} would go. To keep it, write the whole text: cambium revise ${shortId(memory.id)} "…"`;
}

const MOST_LOST = 4;

export async function correctPlan(request: Asked<"correct">, planning: Planning): Promise<Plan | Idle> {
  const { content, type, subject, isKnown, whole = content } = request;
  const { space, branch } = planning;
  const { memories, same, isChoice } = await correctionTarget(space, request, branch);
  if (same !== undefined)
    return {
      ...{ kind: "idle", why: `That is what ${shortId(same.id)} says already.` },
      ...{ preview: { memories: [same] }, memories: [same] },
    };
  const [before] = memories;
  if (before === undefined)
    return isKnown
      ? nothingFound(subject)
      : rememberPlan({ content: whole }, planning, "No memory says otherwise. ");
  const after = (memory: Memory) => correctedText(memory.content, request);
  const action = (memory: Memory): Action => ({
    ...{ verb: "revise", id: memory.id, content: after(memory).text, type, expect: memory.record },
  });
  const losing = memories.find((memory) => after(memory).losesRest);
  const losesRest = losing !== undefined;
  const common = {
    kind: "plan",
    preview: { content, memories },
    ...(losing === undefined ? {} : { note: lossNote(losing, after(losing).text) }),
    // Other things that it says would go out of sight with the old text.
    consent: losesRest ? "always" : "implied",
  } as const;
  return isChoice
    ? {
        ...common,
        would: `${countOf(memories.length)} can be meant on ${named(branch)}. One of them would be corrected: “${oneLine(content)}”`,
        shown: { kind: "memories", memories },
        actions: [{ verb: "revise", id: CHOSEN, content, type }],
        choice: { memories, action },
      }
    : {
        ...common,
        would: `Would revise ${shortId(before.id)} on ${named(branch)}`,
        shown: { kind: "revision", before: before.content, after: after(before).text },
        actions: [action(before)],
      };
}

export async function forgetPlan(
  request: Asked<"forget">,
  { space, branch }: Planning,
): Promise<Plan | Idle> {
  const { memories, isChoice, kept } = await forgetTarget(space, request, branch);
  if (kept !== undefined && memories.length === 0 && kept.length > 0)
    return {
      kind: "idle",
      why: `All ${countOf(kept.length)} that are meant are to stay. Nothing was done.`,
      ...{ preview: { memories, kept }, memories: kept },
    };
  if (memories.length === 0) return nothingFound(request.topic);
  const plan = planForEach("forget", memories, isChoice, branch);
  if (kept === undefined) return plan;
  const shown = kept.slice(0, MOST_KEPT).map(({ content }) => `“${named(content)}”`);
  const more = kept.length > MOST_KEPT ? ` and ${kept.length - MOST_KEPT} more` : "";
  return {
    ...plan,
    note: `What stays: ${shown.join(", ")}${more}`,
    preview: { memories, kept },
  };
}

const MOST_KEPT = 5;

export async function restorePlan(
  request: Asked<"restore">,
  { space, branch }: Planning,
): Promise<Plan | Idle> {
  const { memories, isChoice } = await restoreTarget(space, request, branch);
  if (memories.length > 0) return planForEach("restore", memories, isChoice, branch);
  const { forgotten } = request;
  const what =
    forgotten === undefined ? "Nothing of the kind was forgotten" : `Nothing was forgotten ${forgotten.said}`;
  return {
    ...{ kind: "idle", why: `${what} on ${named(branch)}.`, preview: { memories: [] }, isNotFound: true },
    look: { verb: "list", forgotten: true },
  };
}

function planForEach(
  verb: "forget" | "restore",
  memories: readonly Memory[],
  isChoice: boolean,
  branch: string,
): Plan {
  const does = verb === "forget" ? "forget" : "bring back";
  const action = ({ id }: { readonly id: string }): Action => ({ verb, ids: [id] });
  return {
    kind: "plan",
    would: isChoice
      ? `${countOf(memories.length)} can be meant on ${named(branch)}`
      : `Would ${does} ${countOf(memories.length)} on ${named(branch)}`,
    shown: { kind: "memories", memories },
    preview: { memories },
    consent: verb === "forget" ? "always" : "implied",
    ...(isChoice
      ? { actions: [action({ id: CHOSEN })], choice: { memories, action } }
      : { actions: [{ verb, ids: memories.map(({ id }) => id) }] }),
  };
}

const nothingFound = (topic: string | undefined): Idle => ({
  ...{ kind: "idle", preview: { memories: [] }, isNotFound: true },
  ...(topic === undefined
    ? { why: "Nothing is remembered here." }
    : {
        why: `No memory speaks of "${named(topic)}". Try other words.`,
        look: { verb: "recall", query: topic },
      }),
});
