import { oneLine, shellWord } from "@cambium/core/text";
import type { SetupRequest } from "../../setup/plan-setup.js";
import type { Step } from "../../setup/step.js";
import type { Answer } from "../answer.js";
import { isConfirmed } from "../ask.js";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import { machineOf } from "../machine.js";
import { choice, type OptionsOf, type OptionTable } from "../option-table.js";
import { modelsText, plannedText, setupText, stepDocument } from "../render/setup.js";

const options = (command: OptionTable) =>
  command
    .option("--project", "in the settings of this project instead of yours")
    .addOption(
      choice("--tools <set>", "which tools agents get (default: lean)", ["lean", "full", "official"]),
    )
    .option("--space <name>", "the space these agents use")
    .option("--branch <name>", "the branch these agents use")
    .option("--agent <name>", "author of their writes (default: the name of the agent)")
    .option("--rules [files...]", "also add rules to AGENTS.md, CLAUDE.md or GEMINI.md; alone: only that")
    .option("--worktree-branches", "bind a branch to each git worktree, in .cambium.json; alone: only that")
    .option("--remove", "remove everything that setup added")
    .option("--preview", "show what would be done; change nothing")
    .option("--yes", "do not ask for confirmation");

type Options = OptionsOf<typeof options>;

export const setup: CommandDefinition<typeof options, [clients: readonly string[]]> = {
  about:
    "Add Cambium's MCP server to your agents: claude-code, cursor, vscode, codex, gemini-cli, windsurf, claude-desktop, zed. Default: all that are found, after asking. Those that you name are set up without a question",
  examples: [
    "cambium setup",
    "cambium setup claude-code cursor --preview",
    "cambium setup vscode --project --space notes --branch work-persona",
    "cambium setup codex --tools full --rules AGENTS.md",
    "cambium setup --worktree-branches",
    "cambium setup --remove",
  ],
  options,
  act: async (context, [clients], options) => {
    const [{ planSetup }, { doStep }] = await Promise.all([
      import("../../setup/plan-setup.js"),
      import("../../setup/step.js"),
    ]);
    const machine = machineOf(context.io);
    const planned = planSetup(requestOf(clients, options), machine);
    const isRemoving = options.remove === true;
    const warning = isRemoving ? undefined : await spaceWarning(options.space, context);
    // A pin that leads nowhere would make every verb in the folder fail.
    if (warning !== undefined && options.worktreeBranches) throw await noSuchSpace(warning);
    if (options.preview) return await outcome(planned, { context, warning, isDry: true, isRemoving });
    let wasShown = false;
    const isAsked = clients.length === 0 && options.rules === undefined && !options.worktreeBranches;
    if (isAsked && options.yes !== true && planned.some(({ action }) => action !== undefined)) {
      const question = options.remove ? "Take it out?" : "Set these up?";
      const hint = "Look at it with --preview, then add --yes, or name the agents.";
      const shown = plannedText(planned, context.style);
      if (!(await isConfirmed(shown, question, context.io, hint))) {
        return await context.answer({ dryRun: false, steps: [] }, () => "Nothing was changed.");
      }
      wasShown = true;
    }
    const done: Step[] = [];
    for (const step of planned) {
      context.io.signal.throwIfAborted();
      done.push(await doStep(step, machine));
    }
    return await outcome(done, { context, warning, isDry: false, isRemoving, wasShown });
  },
};

/** Reads the settings of the spaces alone: no replica is opened for it. */
async function spaceWarning(name: string | undefined, { home }: Context): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { SpaceConfigs } = await import("@cambium/client/host");
  const { isNamed } = await import("../../workspace/binding.js");
  if (new SpaceConfigs(home).readable().some((space) => isNamed(name, space))) return undefined;
  const word = shellWord(name);
  return `The space ${oneLine(name)} is not on this device. Make it with \`cambium init ${word}\`, or enter it with \`cambium join <invitation>\`.`;
}

async function noSuchSpace(warning: string): Promise<Error> {
  const { CambiumError } = await import("@cambium/core/errors");
  const [sentence = warning, hint] = warning.split(/(?<=device\.) /);
  return new CambiumError("SPACE_NOT_FOUND", `${sentence} Nothing was changed.`, { hint });
}

const requestOf = (clients: readonly string[], options: Options): SetupRequest => ({
  clients,
  scope: options.project ? "project" : "user",
  remove: options.remove === true,
  rules: options.rules,
  worktreeBranches: options.worktreeBranches === true,
  entry: { tools: options.tools, space: options.space, branch: options.branch, agent: options.agent },
});

interface OutcomeOptions {
  readonly context: Context;
  readonly warning: string | undefined;
  /** What is planned stands above already. */
  readonly wasShown?: boolean;
  readonly isDry: boolean;
  readonly isRemoving: boolean;
}

/** The exit code is that of the first step that failed. */
async function outcome(
  steps: readonly Step[],
  { context, warning, isDry, isRemoving, wasShown = false }: OutcomeOptions,
): Promise<Answer> {
  const failed = steps.find(({ error }) => error !== undefined)?.error;
  const { ERROR_CODES } = await import("@cambium/core");
  const exit = failed === undefined ? 0 : ERROR_CODES[failed.code].exit;
  const { modelUses } = await import("../../setup/models.js");
  const models = isRemoving ? [] : modelUses(context.io.env);
  const isAboutAgents = steps.some(({ subject }) => subject.kind === "client");
  const document = {
    ...{ dryRun: isDry, steps: steps.map((step) => stepDocument(step, isDry)) },
    ...(warning === undefined ? {} : { warning }),
    ...(isRemoving ? {} : { models }),
  };
  const text = () =>
    [
      setupText(steps, { isDry, wasShown }, context.style),
      ...(warning === undefined ? [] : ["", warning]),
      ...(isRemoving || isDry || !isAboutAgents ? [] : ["", modelsText(models, context.style)]),
    ].join("\n");
  return await context.answer(document, text, exit);
}
