/**
 * Shows a plan, asks, and does it.
 *
 * The question is asked between two openings of the space, so that nobody waits for an answer while others
 * wait for the replica; what was shown is checked again before it is done.
 *
 * @module
 */
import { CambiumError, type Memory } from "@cambium/core";
import { oneLine, shortId } from "@cambium/core/text";
import { commandsOf } from "../../ask/plans/commands.js";
import type { Action, Plan } from "../../ask/plans/plan.js";
import { refuseSecrets } from "../../secrets/refuse-secrets.js";
import type { Answer } from "../answer.js";
import { chosenOf, isConfirmed } from "../ask.js";
import type { Context } from "../context.js";
import { type Done, perform } from "./actions.js";
import { planText } from "./plan-text.js";

export interface Mode {
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** Keeps what seems to be a secret. */
  readonly allowSecret: boolean;
}

const NOT_DONE_EXIT = 2;
const CONFLICT_EXIT = 4;

/** @param understood - what the document begins with */
export async function carryOut(
  plan: Plan,
  { dryRun, yes, allowSecret }: Mode,
  understood: object,
  context: Context,
): Promise<Answer> {
  for (const action of plan.actions)
    if (action.verb === "remember" || action.verb === "revise") refuseSecrets(action, { allow: allowSecret });
  const document = { ...understood, preview: plan.preview };
  const shown = planText(plan, context);
  const commands = plan.actions
    .flatMap((action) => commandsOf(action, { branch: context.branch ?? "main" }))
    .join(" && ");
  // Who decides what in a conflict takes more than a yes.
  if (isUndecided(plan))
    return await context.answer(
      document,
      () => `${shown}\nThe whole command: ${commands} --strategy newest`,
      CONFLICT_EXIT,
    );
  if (dryRun) return await context.answer(document, () => `${shown}\n\nNothing was written.`);
  const isAsked = plan.choice === undefined && (plan.consent === "always" || !yes);
  if (isAsked && !context.io.errors.isTerminal) {
    const how =
      plan.consent === "always"
        ? `It takes something out of sight, so --yes is not enough here. To do it: ${commands}`
        : "To do it, ask the same with --yes.";
    const why = `Not done: nobody is here to be asked. ${how}`;
    return await context.answer({ ...document, done: false, why }, () => `${shown}\n\n${why}`, NOT_DONE_EXIT);
  }
  const actions =
    plan.choice === undefined
      ? !isAsked || (await isConfirmed(shown, questionOf(plan), context.io))
        ? plan.actions
        : undefined
      : await chosenActions(plan.choice, { shown, commands, plan }, context);
  if (actions === undefined) return await context.answer(document, () => "Nothing was written.");
  context.agree();
  return await context.withSpace(async (use) => {
    const done: Done[] = [];
    for (const action of actions) done.push(await perform(action, use, context));
    // Those who were not asked see here what was done.
    const texts = [...(isAsked || plan.choice ? [] : [`${shown}\n`]), ...done.map(({ text }) => text)];
    return await context.answer({ ...document, result: resultOf(done) }, () => texts.join("\n"));
  });
}

/** Of several calls, such as a checkpoint before a rollback, the last one is what was asked for. */
const resultOf = (done: readonly Done[]): unknown =>
  done.length === 1
    ? done[0]?.result
    : Object.assign(
        {},
        ...done.map(({ verb, result }) => (verb === "checkpoint" ? { checkpoint: result } : result)),
      );

const isUndecided = ({ shown }: Plan): boolean =>
  shown?.kind === "merge" && (shown.preview.conflicts.length > 0 || (shown.preview.undone ?? []).length > 0);

interface Choosing {
  readonly plan: Plan;
  readonly shown: string;
  readonly commands: string;
}

/** @returns undefined where none was chosen */
async function chosenActions(
  { memories, action }: NonNullable<Plan["choice"]>,
  { plan, shown, commands }: Choosing,
  { io }: Context,
): Promise<readonly Action[] | undefined> {
  if (!io.errors.isTerminal) throw whichOne(memories, commands);
  const hint = `Name it by its id: ${commands}`;
  const index = await chosenOf(memories.length, { shown, question: questionOf(plan), io, hint });
  const chosen = index === undefined ? undefined : memories[index];
  return chosen && [action(chosen)];
}

const QUESTIONS: Readonly<Record<Action["verb"], readonly [one: string, which?: string]>> = {
  remember: ["Remember it?"],
  revise: ["Revise it?", "Which one shall be revised?"],
  forget: ["Forget it?", "Which one shall be forgotten?"],
  restore: ["Bring it back?", "Which one shall come back?"],
  resolve: ["Settle it so?"],
  undo: ["Take it back?"],
  checkpoint: ["Save it?"],
  rollback: ["Go back?"],
  branch: ["Make it?"],
  "delete-branch": ["Delete it?"],
  "delete-checkpoint": ["Delete it?"],
  "rename-branch": ["Rename it?"],
  merge: ["Merge?"],
};

/** Of the last action: what comes before it makes ready for it. */
function questionOf({ actions, choice }: Plan): string {
  const action = actions.at(-1) as Action;
  const [one, which = one] = QUESTIONS[action.verb];
  if (choice !== undefined) return which;
  const count = "ids" in action ? action.ids.length : "changes" in action ? action.changes.length : 1;
  return count === 1 ? one : one.replace(/\bit\b/, `these ${count}`);
}

const NAMED = 5;

function whichOne(choices: readonly Memory[], command: string): CambiumError {
  const named = choices
    .slice(0, NAMED)
    .map(({ id, content }) => `${shortId(id)} ${oneLine(content).slice(0, 60)}`);
  return new CambiumError(
    "AMBIGUOUS_MEMORY",
    "Several memories can be meant, and nobody is here to choose.",
    {
      hint: `Name one by its id, ${command}: ${named.join("; ")}`,
      details: { memories: choices.map(({ id, content }) => ({ id, content })) },
    },
  );
}
