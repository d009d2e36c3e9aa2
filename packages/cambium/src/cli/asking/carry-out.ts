/**
 * Shows an action, asks, and does it.
 *
 * The question is asked between two openings of the space, so that nobody waits for an answer while others
 * wait for the replica; what was shown is checked again before it is done.
 *
 * @module
 */
import { CambiumError, type Memory } from "@cambium/core";
import { oneLine, shortId } from "@cambium/core/text";
import type { Answer } from "../answer.js";
import { chosenOf, isConfirmed } from "../ask.js";
import type { Context } from "../context.js";
import type { PlannedAction } from "./planned-action.js";

export interface Mode {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** @param understood - what the document begins with */
export async function carryOut(
  action: PlannedAction,
  { dryRun, yes }: Mode,
  understood: object,
  context: Context,
): Promise<Answer> {
  const shown = { ...understood, preview: action.preview };
  if (dryRun) return await context.answer(shown, () => `${action.shown}\n\nNothing was written.`);
  const isAsked = action.choices === undefined && (action.alwaysAsks || !yes);
  if (isAsked && !context.io.errors.isTerminal) return await notDone(action, shown, context);
  const consent = await consentTo(action, yes, context);
  if (consent === undefined) return await context.answer(shown, () => "Nothing was written.");
  context.agree();
  return await context.withSpace(async (use) => {
    const { result, text } = await action.act(use, consent.chosen);
    // Those who were not asked see here what was done.
    return await context.answer({ ...shown, result }, () =>
      consent.wasShown ? text : `${action.shown}\n\n${text}`,
    );
  });
}

/** What would have been asked, where nobody is: it is shown, and how to do it. */
async function notDone(
  { shown, alwaysAsks, verb }: PlannedAction,
  document: object,
  context: Context,
): Promise<Answer> {
  const how = alwaysAsks
    ? `It takes something out of sight, so --yes is not enough here. To do it: ${verb}`
    : "To do it, ask the same with --yes.";
  const why = `Not done: nobody is here to be asked. ${how}`;
  return await context.answer({ ...document, done: false, why }, () => `${shown}\n\n${why}`, NOT_DONE_EXIT);
}

const NOT_DONE_EXIT = 2;

interface Consent {
  readonly chosen: Memory | undefined;
  readonly wasShown: boolean;
}

/** @returns undefined for a no */
async function consentTo(action: PlannedAction, yes: boolean, { io }: Context): Promise<Consent | undefined> {
  const { shown, question, choices, alwaysAsks, verb } = action;
  if (choices !== undefined) {
    if (!io.errors.isTerminal) throw whichOne(choices, verb);
    const hint = `Name it by its id: ${verb}`;
    const index = await chosenOf(choices.length, { shown, question, io, hint });
    return index === undefined ? undefined : { chosen: choices[index], wasShown: true };
  }
  if (yes && !alwaysAsks) return { chosen: undefined, wasShown: false };
  return (await isConfirmed(shown, question, io)) ? { chosen: undefined, wasShown: true } : undefined;
}

const NAMED = 5;

function whichOne(choices: readonly Memory[], verb: string): CambiumError {
  const named = choices
    .slice(0, NAMED)
    .map(({ id, content }) => `${shortId(id)} ${oneLine(content).slice(0, 60)}`);
  return new CambiumError(
    "AMBIGUOUS_MEMORY",
    "Several memories can be meant, and nobody is here to choose.",
    {
      hint: `Name one by its id, ${verb}: ${named.join("; ")}`,
      details: { memories: choices.map(({ id, content }) => ({ id, content })) },
    },
  );
}
