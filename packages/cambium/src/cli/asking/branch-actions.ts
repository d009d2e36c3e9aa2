/**
 * Deeds between branches: make one, merge one.
 *
 * @module
 */

import { omitUndefined, oneLine } from "@cambium/core/text";
import type { Intent, ParsedBranch } from "../../ask/intent.js";
import { branchTarget } from "../../ask/targets.js";
import { changesSummary, changesText } from "../render/changes.js";
import { mergeText } from "../render/merge.js";
import { type Idle, idle, onBranch, type PlannedAction, type Preparing } from "./planned-action.js";

type Asked<IntentKind extends Intent["operation"]> = Extract<Intent, { operation: IntentKind }>;

const CONFLICT_EXIT = 4;

export function branchAction({ name }: Asked<"branch">, { context }: Preparing): PlannedAction {
  const from = onBranch(context);
  return {
    kind: "action",
    preview: { name, from },
    shown: `Would make the branch ${oneLine(name)} from ${oneLine(from)}.`,
    question: "Make it?",
    alwaysAsks: false,
    verb: `cambium branch ${name} --from ${from}`,
    act: async ({ agent }) => {
      const made = await agent.branches.create(name, { from });
      return {
        result: made,
        text: `Made the branch ${oneLine(made.name)} from ${oneLine(from)}\n${howToUse(made.name)}`,
      };
    },
  };
}

export async function deleteBranchAction(
  { branch }: { readonly branch: ParsedBranch },
  { space }: Preparing,
): Promise<PlannedAction> {
  const name = await branchTarget(branch, space);
  return {
    kind: "action",
    preview: { branch: name },
    shown: `Would delete the branch ${oneLine(name)}. Its history stays.`,
    question: "Delete it?",
    alwaysAsks: true,
    verb: `cambium branch ${name} --delete --yes`,
    act: async ({ agent }) => {
      await agent.branches.delete(name);
      return { result: { branch: name, deleted: true }, text: `Deleted the branch ${oneLine(name)}` };
    },
  };
}

export async function renameBranchAction(
  { branch, name: to }: Asked<"rename-branch">,
  { space }: Preparing,
): Promise<PlannedAction> {
  const name = await branchTarget(branch, space);
  return {
    kind: "action",
    preview: { branch: name, name: to },
    shown: `Would rename the branch ${oneLine(name)} to ${oneLine(to)}.`,
    question: "Rename it?",
    alwaysAsks: false,
    verb: `cambium branch ${name} --rename ${to}`,
    act: async ({ agent }) => {
      const result = await agent.branches.rename(name, to);
      return { result, text: `Renamed the branch ${oneLine(name)} to ${oneLine(result.name)}` };
    },
  };
}

/** Nothing is switched: each call says which branch it means. */
export const howToUse = (name: string): string =>
  `Write on it with --branch ${oneLine(name)}, or CAMBIUM_BRANCH=${oneLine(name)}; bring it back with \`cambium merge ${oneLine(name)}\`.`;

export async function mergeAction(request: Asked<"merge">, use: Preparing): Promise<PlannedAction | Idle> {
  const { agent, space, context } = use;
  const { style, io } = context;
  const from = await branchTarget(request.from, space);
  const into = request.into === undefined ? context.branch : await branchTarget(request.into, space);
  const options = { from, ...omitUndefined({ into }), signal: io.signal };
  const preview = await agent.merge({ ...options, preview: true });
  const verb = `cambium merge ${from}${into === undefined ? "" : ` --into ${into}`}`;
  if (preview.status === "up-to-date") return idle(mergeText(preview, style), { preview });
  if (preview.conflicts.length > 0 || (preview.undone ?? []).length > 0) {
    // Who decides what in a conflict takes more than a yes.
    const shown = mergeText({ ...preview, status: "conflict" }, style);
    return idle(`${shown}\nThe whole command: ${verb} --strategy newest`, { preview, exit: CONFLICT_EXIT });
  }
  const names = `${oneLine(preview.from.branch)} into ${oneLine(preview.to.branch)}`;
  return {
    kind: "action",
    preview,
    shown: [`Would merge ${names}: ${changesSummary(preview)}`, changesText(preview, style)].join("\n\n"),
    question: "Merge?",
    alwaysAsks: false,
    verb,
    act: async ({ agent: now }) => {
      const expect = { from: preview.from.heads, into: preview.to.heads };
      const result = await now.merge({ ...options, expect });
      return { result, text: mergeText(result, style) };
    },
  };
}
