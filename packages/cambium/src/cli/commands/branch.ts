import type { BranchInfo } from "@cambium/client";
import { CambiumError } from "@cambium/core/errors";
import { counted, omitUndefined, oneLine, shellWord } from "@cambium/core/text";
import type { Answer } from "../answer.js";
import { isConfirmed } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { Context, SpaceUse } from "../context.js";
import type { OptionTable } from "../option-table.js";
import { agentOption, spaceOption, yesOption } from "../options.js";

const options = (command: OptionTable) =>
  agentOption(yesOption(spaceOption(command)))
    .option("--from <ref>", "the state to start from (default: main)")
    .option("-m, --rename <new name>", "give the branch another name")
    .option("-d, --delete", "delete the branch; its history stays")
    .option("--restore", "bring a deleted branch back");

export const branch: CommandDefinition<typeof options, [name: string]> = {
  about:
    "Make a branch of any state, now or in the past (default: main as it is now). Or rename or delete one, or bring a deleted one back",
  examples: [
    "cambium branch work-persona",
    "cambium branch before-the-move --from main@2026-08-01",
    "cambium branch work-persona --rename job",
    "cambium branch job --delete",
    "cambium branch job --restore",
  ],
  options,
  act: async (context, [name], options) => {
    const { from, rename: to, delete: isDeleted, restore: isRestored } = options;
    if ([from, to, isDeleted, isRestored].filter((option) => option !== undefined).length > 1)
      throw new CambiumError("BAD_INPUT", "Use one of --from, --rename, --delete and --restore at a time.");
    return await context.withSpace((opened) => {
      if (to !== undefined) return rename(context, opened, name, to);
      if (isRestored) return restore(context, opened, name);
      return isDeleted ? remove(context, opened, name) : create(context, opened, name, from);
    });
  },
};

type Opened = SpaceUse;

async function create(context: Context, { agent }: Opened, name: string, from?: string): Promise<Answer> {
  const made = await agent.branches.create(name, omitUndefined({ from }));
  const shown = oneLine(made.name);
  return await context.answer(made, () =>
    [
      `Made the branch ${context.style.colors.green(shown)} from ${oneLine(made.parent ?? "main")}`,
      `Write on it with --branch ${shown}, or CAMBIUM_BRANCH=${shown}; bring it back with \`cambium merge ${shown}\`.`,
    ].join("\n"),
  );
}

async function rename(context: Context, { agent }: Opened, name: string, to: string): Promise<Answer> {
  const [from, wanted] = (await isInGitOrder(agent, name, to)) ? [to, name] : [name, to];
  const renamed = await agent.branches.rename(from, wanted);
  return await context.answer(
    renamed,
    () => `Renamed the branch ${oneLine(from)} to ${context.style.colors.green(oneLine(renamed.name))}`,
  );
}

/** `git branch -m <old> <new>`: the new name is none yet, and the old one cannot be taken twice. */
async function isInGitOrder({ branches }: Opened["agent"], name: string, to: string): Promise<boolean> {
  const all = await branches.list();
  const isHere = (wanted: string): boolean => all.some((one) => one.name === wanted || one.id === wanted);
  return isHere(to) && !isHere(name);
}

/** What only this branch has is not hidden unasked. */
async function remove(context: Context, { agent }: Opened, name: string): Promise<Answer> {
  const named = (await agent.branches.list({ deleted: true })).filter(
    (each) => each.name === name || each.id === name,
  );
  const found = named.find(({ status }) => status !== "deleted");
  const isGone = found === undefined && named.length > 0;
  if (isGone)
    return await context.answer({ deleted: name, already: true }, () =>
      [`The branch ${oneLine(name)} is deleted already.`, staysText(name)].join("\n"),
    );
  const lacking = lackingText(found);
  if (lacking !== "" && !context.hasAgreed) {
    const shown = `${oneLine(name)} has ${lacking}.`;
    const hint = `To delete it all the same: cambium branch ${shellWord(oneLine(name))} --delete --yes`;
    if (!(await isConfirmed(shown, "Delete it?", context.io, hint)))
      return await context.answer({ deleted: null }, () => "Nothing was deleted.");
    context.agree();
  }
  await agent.branches.delete(name);
  return await context.answer({ deleted: name, ahead: found?.ahead }, () =>
    [`Deleted the branch ${oneLine(name)}${lacking && `, with ${lacking}`}`, staysText(name)].join("\n"),
  );
}

const staysText = (name: string): string =>
  `Its history stays: \`cambium branch ${shellWord(oneLine(name))} --restore\` brings it back.`;

async function restore(context: Context, { agent }: Opened, name: string): Promise<Answer> {
  const restored = await agent.branches.restore(name);
  const shown = context.style.colors.green(oneLine(restored.name));
  return await context.answer(restored, () => `The branch ${shown} is there, with all that was on it.`);
}

function lackingText({ ahead = 0, parent = "main" }: Partial<BranchInfo> = {}): string {
  return ahead === 0 ? "" : `${counted(ahead, "change")} that ${oneLine(parent)} lacks`;
}
