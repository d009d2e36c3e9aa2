/**
 * Plans on single memories: remember, forget, restore.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { fieldsInWords } from "../frame-in-words.js";
import type { NamedFields } from "../intent.js";
import { forgetTarget, restoreTarget } from "../targets.js";
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

export const nothingFound = (topic: string | undefined): Idle => ({
  ...{ kind: "idle", preview: { memories: [] }, isNotFound: true },
  ...(topic === undefined
    ? { why: "Nothing is remembered here." }
    : {
        why: `No memory speaks of "${named(topic)}". Try other words.`,
        look: { verb: "recall", query: topic },
      }),
});
