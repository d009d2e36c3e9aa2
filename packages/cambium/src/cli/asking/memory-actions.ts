/**
 * Deeds on single memories: remember, correct, forget, restore.
 *
 * @module
 */
import type { Memory } from "@cambium/core";
import { oneLine, printable, shortId, shortIds } from "@cambium/core/text";
import type { Intent } from "../../ask/intent.js";
import { correctionTarget, forgetTarget, restoreTarget, writtenLike } from "../../ask/targets.js";
import { operationId } from "../operation-id.js";
import { changeText } from "../render/field-value.js";
import type { Style } from "../render/style.js";
import { indent } from "../render/terminal-text.js";
import { relativeTime } from "../render/time.js";
import { writtenReply } from "../render/written-reply.js";
import {
  type Done,
  type Idle,
  idle,
  onBranch,
  type PlannedAction,
  type Preparing,
  there,
} from "./planned-action.js";

type Asked<IntentKind extends Intent["operation"]> = Extract<Intent, { operation: IntentKind }>;

const NOT_FOUND_EXIT = 3;
/** Of those found, so many are shown. */
const SHOWN = 20;

export function rememberAction(content: string, { context }: Preparing, why = ""): PlannedAction {
  const { style } = context;
  return {
    kind: "action",
    preview: { content },
    shown: `${why}Would remember on ${onBranch(context)}:\n${indent(printable(content), 2, style.columns)}`,
    question: "Remember it?",
    alwaysAsks: false,
    verb: `cambium remember <text>${there(context)}`,
    act: async ({ agent }) =>
      written("Remembered", await agent.remember({ content }, { branch: context.branch }), style),
  };
}

export async function correctAction(
  request: Asked<"correct">,
  use: Preparing,
): Promise<PlannedAction | Idle> {
  const { content, type } = request;
  const { space, context } = use;
  const { style } = context;
  const { memories: found, same, holdsMore } = await correctionTarget(space, request, context.branch);
  if (same !== undefined)
    return idle(`That is what ${shortId(same.id)} says already.`, { preview: { memories: [same] } });
  const [before] = found;
  if (before === undefined && request.isKnown)
    return idle(nothingFound(request.subject, "cambium list"), {
      preview: { memories: [] },
      exit: NOT_FOUND_EXIT,
    });
  if (before === undefined) return rememberAction(content, use, "No memory says otherwise. ");
  const shown =
    found.length > 1
      ? [
          `Several memories can be meant. One of them would then say:`,
          indent(printable(content), 2, style.columns),
          "",
          numbered(found, style),
        ]
      : [
          `Would revise ${style.colors.yellow(shortId(before.id))} on ${onBranch(context)}:`,
          indent(
            changeText("content", before.content, writtenLike(before, content), style.colors),
            2,
            style.columns,
          ),
        ];
  const note =
    "It says more than this: the new text would take the place of all of it. `cambium revise` takes a text of your own.";
  return {
    kind: "action",
    preview: { content, memories: found },
    shown: [...shown, ...(holdsMore ? [note] : [])].join("\n"),
    question: found.length > 1 ? "Which one shall be revised?" : "Revise it?",
    // Other things that it says would go out of sight with the old text.
    alwaysAsks: holdsMore,
    verb: `cambium revise ${found.length > 1 ? "<id>" : shortId(before.id)} <text>${there(context)}`,
    ...(found.length > 1 ? { choices: found } : {}),
    act: async ({ agent }, chosen = before) => {
      const options = { branch: context.branch, expect: chosen.record };
      const revision = { content: writtenLike(chosen, content), type };
      return written("Revised", await agent.revise(chosen.id, revision, options), style);
    },
  };
}

export async function forgetAction(request: Asked<"forget">, use: Preparing): Promise<PlannedAction | Idle> {
  const { space, context } = use;
  const { style } = context;
  const { topic } = request;
  const { memories: found, isChoice } = await forgetTarget(space, request, context.branch);
  const [only] = found;
  if (only === undefined)
    return idle(nothingFound(topic, "cambium list"), { preview: { memories: [] }, exit: NOT_FOUND_EXIT });
  const many = found.length > 1 && !isChoice;
  return {
    kind: "action",
    preview: { memories: found },
    shown: isChoice
      ? `Several memories can be meant:\n${numbered(found, style)}`
      : `Would forget on ${onBranch(context)}:\n${numbered(found, style)}`,
    question: isChoice
      ? "Which one shall be forgotten?"
      : many
        ? `Forget these ${found.length}?`
        : "Forget it?",
    alwaysAsks: true,
    verb: `cambium forget ${found.length > 1 ? "<id>" : shortId(only.id)}${there(context)}`,
    ...(isChoice ? { choices: found } : {}),
    act: async ({ agent }, chosen) => {
      const forgotten: Memory[] = [];
      const part = many ? { operation: operationId("forget") } : {};
      for (const { id } of isChoice ? [chosen ?? only] : found)
        forgotten.push(await agent.forget(id, { branch: context.branch, ...part }));
      const back =
        forgotten.length > 1 ? "cambium undo" : `cambium restore ${shortId(forgotten[0]?.id ?? "")}`;
      return several("Forgot", forgotten, `To bring it back: ${back}`, style);
    },
  };
}

export async function restoreAction(
  request: Asked<"restore">,
  use: Preparing,
): Promise<PlannedAction | Idle> {
  const { space, context } = use;
  const { style } = context;
  const { forgotten } = request;
  const { memories: found, isChoice } = await restoreTarget(space, request, context.branch);
  const [only] = found;
  if (only === undefined) {
    const what =
      forgotten === undefined
        ? "Nothing of the kind was forgotten"
        : `Nothing was forgotten ${forgotten.said}`;
    return idle(`${what} on ${onBranch(context)}. See \`cambium list --deleted\`.`, {
      preview: { memories: [] },
      exit: NOT_FOUND_EXIT,
    });
  }
  return {
    kind: "action",
    preview: { memories: found },
    shown: isChoice
      ? `Several memories can be meant:\n${numbered(found, style)}`
      : `Would bring back on ${onBranch(context)}:\n${numbered(found, style)}`,
    question: isChoice
      ? "Which one shall come back?"
      : found.length > 1
        ? `Bring these ${found.length} back?`
        : "Bring it back?",
    alwaysAsks: false,
    verb: `cambium restore ${found.length > 1 ? "<id>" : shortId(only.id)}${there(context)}`,
    ...(isChoice ? { choices: found } : {}),
    act: async ({ agent }, chosen) => {
      const restored: Memory[] = [];
      const part = found.length > 1 && !isChoice ? { operation: operationId("restore") } : {};
      for (const { id } of isChoice ? [chosen ?? only] : found)
        restored.push(await agent.restore(id, { branch: context.branch, ...part }));
      return several("Restored", restored, "", style);
    },
  };
}

function written(action: string, memory: Memory, style: Style): Done {
  return { result: memory, text: writtenReply(action, memory, style) };
}

function several(action: string, memories: readonly Memory[], note: string, style: Style): Done {
  const lines = memories.map((memory) => writtenReply(action, memory, style));
  return {
    result: { memories },
    text: [...lines, ...(note === "" ? [] : [style.colors.dim(note)])].join("\n"),
  };
}

/** One line each, with the number to choose it by. */
function numbered(memories: readonly Memory[], style: Style): string {
  const short = shortIds(memories.map(({ id }) => id));
  const lines = memories.slice(0, SHOWN).map(({ id, content, at }, index) => {
    const when = style.colors.dim(relativeTime(at, style.nowMs));
    const text = oneLine(content);
    const quote = text.length > 100 ? `${text.slice(0, 99)}…` : text;
    return `  ${index + 1}  ${style.colors.yellow(short(id))}  ${quote}  ${when}`;
  });
  const more = memories.length - SHOWN;
  return [...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n");
}

const nothingFound = (topic: string | undefined, look: string): string =>
  topic === undefined
    ? "Nothing is remembered here."
    : `No memory speaks of "${oneLine(topic)}". Try other words, or look with \`${look}\`.`;
