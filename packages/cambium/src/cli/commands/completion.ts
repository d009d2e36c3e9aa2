import { oneLine } from "@cambium/core/text";
import { Command } from "commander";
import type { CommandDefinition } from "../command.js";
import { type CompletedVerbs, NAMED, type Named, SCRIPTS } from "../completion-scripts.js";
import type { Context } from "../context.js";
import type { DeclareOptions, OptionTable } from "../option-table.js";
import { UsageError } from "../usage-error.js";

interface Verbs {
  readonly names: readonly string[];
  readonly load: (name: string) => Promise<CommandDefinition | undefined>;
}

let verbs: Verbs | undefined;

/** The table of verbs loads this file, and tells it of itself: it cannot be imported here. */
export function completeVerbs(table: Verbs): void {
  verbs = table;
}

export const completion: CommandDefinition<DeclareOptions, [shell: string]> = {
  about:
    "Print a script that completes verbs, their options, and the names of branches, checkpoints and spaces, in your shell",
  examples: [
    "cambium completion bash >> ~/.bashrc",
    "cambium completion zsh >> ~/.zshrc",
    "cambium completion fish > ~/.config/fish/completions/cambium.fish",
  ],
  act: async (context, [shell]) => {
    const kind = NAMED.find((name) => name === shell);
    if (kind !== undefined) {
      const names = await namesOf(kind, context);
      return await context.answer({ names }, () => names.map(oneLine).join("\n"));
    }
    const makeScript = SCRIPTS[shell];
    if (makeScript === undefined) throw new UsageError("Name a shell: bash, zsh or fish.");
    const script = makeScript(await completedVerbs());
    return await context.answer({ script }, () => script);
  },
};

async function completedVerbs(): Promise<CompletedVerbs> {
  const { names = [], load } = verbs ?? {};
  const described = names.map(async (name) => {
    const command = new Command(name);
    const definition = await load?.(name);
    definition?.options?.(command as unknown as OptionTable);
    const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
    return [name, { options: [...options, "--json", "--help"] }] as const;
  });
  return new Map(await Promise.all(described));
}

/** Asked by the scripts, whenever somebody presses the key. */
async function namesOf(kind: Named, context: Context): Promise<readonly string[]> {
  if (kind === "spaces")
    return await context.withSpaces(async (spaces) => (await spaces.spaces()).map(({ name }) => name));
  return await context.withSpace(async ({ space }) => {
    if (kind === "branches") return (await space.branches.list()).map(({ name }) => name);
    const found = await space.checkpoints.list();
    return found.filter(({ cause }) => cause === "manual").map(({ name }) => name);
  });
}
