/**
 * Plans on single memories: remember, correct, forget, restore.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import type { Intent } from "../../ask/intent.js";
import { correctionTarget, forgetTarget, restoreTarget, writtenLike } from "../../ask/targets.js";
import { one, shortRecord, shownLabel, shownValue } from "../shown-memory.js";
import { countOf, memoriesText, type Plan, type Planning, type Step } from "./plan.js";

type Asked<IntentKind extends Intent["operation"]> = Extract<Intent, { operation: IntentKind }>;

const CHOSEN = "<id of the one I choose>";

export function rememberPlan(content: string, { branch, named, command }: Planning, why = ""): Plan {
  return {
    would: `${why}It would remember this on ${shownLabel(branch)}, word for word.`,
    steps: [{ tool: "remember", args: { content, ...named }, command: command(["remember", content]) }],
  };
}

export async function correctPlan(request: Asked<"correct">, planning: Planning): Promise<Plan> {
  const { content, type } = request;
  const { space, branch, named, command } = planning;
  const { memories, same, isChoice, holdsMore } = await correctionTarget(space, request, branch);
  if (same !== undefined)
    return {
      would: "A memory says so already. There is nothing to do.",
      data: memoriesText([same]).text,
      steps: [],
    };
  const [before] = memories;
  if (before === undefined && request.isKnown) return nothingFound(request.subject, planning);
  if (before === undefined) return rememberPlan(content, planning, "No memory says otherwise. ");
  const more = holdsMore
    ? " What is there says more than this, and the new text would take the place of all of it: better write one that keeps the rest."
    : "";
  if (isChoice) {
    const { text, left } = memoriesText(memories);
    return {
      would: `${countOf(memories.length)} can be meant on ${shownLabel(branch)}${notShown(left)}. One of them would be given the new text.${more}`,
      data: text,
      asks: "which",
      steps: [
        {
          tool: "revise",
          args: { id: CHOSEN, content, type, ...named },
          command: command(["revise", CHOSEN, content]),
        },
      ],
    };
  }
  const after = writtenLike(before, content);
  const { id, record } = before;
  return {
    would: `It would revise ${id} on ${shownLabel(branch)}.${more}`,
    data: `before: ${one(shownValue(before.content, 4_000))}\nafter: ${one(shownValue(after, 4_000))}`,
    ...(holdsMore ? { asks: "before" } : {}),
    steps: [
      {
        tool: "revise",
        args: { id, content: after, type, expect: shortRecord(record), ...named },
        command: command(["revise", id, after]),
      },
    ],
  };
}

export async function forgetPlan(request: Asked<"forget">, planning: Planning): Promise<Plan> {
  const { space, branch } = planning;
  const { memories, isChoice } = await forgetTarget(space, request, branch);
  if (memories.length === 0) return nothingFound(request.topic, planning);
  return planForEach("forget", { memories, isChoice, asks: "before", does: "hide" }, planning);
}

export async function restorePlan(request: Asked<"restore">, planning: Planning): Promise<Plan> {
  const { space, branch, command } = planning;
  const { memories, isChoice } = await restoreTarget(space, request, branch);
  if (memories.length === 0) {
    const when = request.forgotten === undefined ? "" : ` ${shownLabel(request.forgotten.said)}`;
    return {
      would: `Nothing of the kind was forgotten${when} on ${shownLabel(branch)}. There is nothing to do; what was forgotten is listed by the step below.`,
      steps: [
        {
          tool: "list",
          args: { deleted: true, ...planning.named },
          command: command(["list", "--deleted"]),
        },
      ],
      isAnswered: true,
    };
  }
  return planForEach("restore", { memories, isChoice, does: "bring back" }, planning);
}

interface Each {
  readonly memories: readonly Memory[];
  readonly isChoice: boolean;
  readonly does: string;
  readonly asks?: "before";
}

function planForEach(
  tool: "forget" | "restore",
  { memories, isChoice, does, asks }: Each,
  { branch, named, command }: Planning,
): Plan {
  const { text, shown, left } = memoriesText(memories);
  const step = (id: string): Step => ({ tool, args: { id, ...named }, command: command([tool, id]) });
  const where = shownLabel(branch);
  return {
    would: isChoice
      ? `${countOf(memories.length)} can be meant on ${where}${notShown(left)}. It would ${does} one of them.`
      : `It would ${does} ${countOf(memories.length)} on ${where}${notShown(left)}.`,
    data: text,
    ...(isChoice ? { asks: "which" as const } : asks === undefined ? {} : { asks }),
    steps: isChoice ? [step(CHOSEN)] : shown.map(({ id }) => step(id)),
  };
}

const notShown = (left: number): string =>
  left === 0 ? "" : ` (${left} of them are not shown; ask again when these are done)`;

export const nothingFound = (topic: string | undefined, { named, command }: Planning): Plan =>
  topic === undefined
    ? { would: "Nothing is remembered here. There is nothing to do.", steps: [] }
    : {
        would: `No memory speaks of ${one(shownLabel(topic))}. There is nothing to do; try other words.`,
        steps: [{ tool: "recall", args: { query: topic, ...named }, command: command(["recall", topic]) }],
        isAnswered: true,
      };
