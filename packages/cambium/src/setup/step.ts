/**
 * A step of setting up: planned first, so that it can be shown, then done.
 *
 * @module
 */
import { CambiumError, type ErrorCode, isCambiumError } from "@cambium/core";
import type { Finished, Machine } from "./machine.js";
import { backupPath, type Replacement, replaceSettings } from "./settings-file.js";

export interface Step {
  readonly subject: Subject;
  /** What will have happened. */
  readonly status: "set-up" | "updated" | "removed" | "already-set-up" | "not-set-up" | "failed";
  readonly file: string;
  /** Undefined when there is nothing to do. */
  readonly action?: Action;
  readonly note?: string;
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly hint?: string };
}

export type Subject =
  | { readonly kind: "client"; readonly id: string; readonly name: string; readonly afterwards: string }
  | { readonly kind: "rules" | "pins"; readonly name: string };

export type Action =
  | { readonly kind: "file"; readonly replacement: Replacement }
  | {
      readonly kind: "command";
      /** Name as typed, and where it was found. */
      readonly name: string;
      readonly path: string;
      readonly calls: readonly (readonly string[])[];
      /** Instead, if the command fails. */
      readonly otherwise: Replacement | undefined;
      /** Whether the settings say afterwards what they should. */
      isDone(): boolean;
    };

/** Does what was planned; a failure is reported in the step, so that other steps go on. */
export async function doStep(step: Step, machine: Machine): Promise<Step> {
  const { action } = step;
  if (action === undefined) return step;
  try {
    if (action.kind === "file") replaceSettings(action.replacement);
    else return await runOwnCommand(step, action, machine);
    return step;
  } catch (error) {
    return failedStep(step, error);
  }
}

/** @throws whatever is no failure that a person can act on */
export function failedStep(step: Pick<Step, "subject" | "file">, error: unknown): Step {
  if (!isCambiumError(error)) throw error;
  const { code, message, hint } = error;
  const { subject, file } = step;
  return {
    subject,
    file,
    status: "failed",
    error: { code, message, ...(hint === undefined ? {} : { hint }) },
  };
}

/** Where the copy of the file lies that this step makes. */
export function backupOf({ action }: Step): string | undefined {
  if (action?.kind !== "file" || !action.replacement.keepsBackup) return undefined;
  return action.replacement.before === undefined ? undefined : backupPath(action.replacement.path);
}

async function runOwnCommand(
  step: Step,
  action: Extract<Action, { kind: "command" }>,
  machine: Machine,
): Promise<Step> {
  for (const args of action.calls) {
    const finished = await machine.run(action.path, args);
    if (finished.code !== 0) return instead(step, action, `${failureOf(action.name, args, finished)}`);
  }
  if (action.isDone()) return step;
  const note = `\`${action.name}\` reported success, but ${step.file} does not show it.`;
  return { ...step, note };
}

function instead(step: Step, { otherwise }: Extract<Action, { kind: "command" }>, why: string): Step {
  if (otherwise === undefined) {
    throw new CambiumError("SETTINGS_REFUSED", why, {
      hint: "Run that command yourself to see what it wants.",
    });
  }
  replaceSettings(otherwise);
  const action = { kind: "file", replacement: otherwise } as const;
  return { ...step, action, note: `${why} The file was edited instead.` };
}

function failureOf(name: string, args: readonly string[], { code, said: stated }: Finished): string {
  const end = code === undefined ? "could not be run to its end" : `ended with ${code}`;
  const reason = stated.split("\n", 1)[0]?.trim() ?? "";
  return `\`${[name, ...args.slice(0, 2)].join(" ")}\` ${end}${reason === "" ? "" : ` (${reason})`}.`;
}
