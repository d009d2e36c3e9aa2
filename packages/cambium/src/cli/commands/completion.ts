import { oneLine } from "@cambium/core/text";
import type { Command } from "commander";
import type { CommandDefinition } from "../command.js";
import type { Context } from "../context.js";
import type { DeclareOptions } from "../option-table.js";
import { UsageError } from "../usage-error.js";

let verbNames = (): readonly string[] => [];

export const completion: CommandDefinition<DeclareOptions, [shell: string]> = {
  about: "Print a script that completes verbs, and the names of branches and checkpoints, in your shell",
  examples: [
    "cambium completion bash >> ~/.bashrc",
    "cambium completion zsh >> ~/.zshrc",
    "cambium completion fish > ~/.config/fish/completions/cambium.fish",
  ],
  options: (command) => {
    // The table of verbs loads this file: it is asked for them, and not imported.
    const { parent } = command as unknown as Command;
    verbNames = () => parent?.commands.map((verb) => verb.name()) ?? [];
    return command;
  },
  act: async (context, [shell]) => {
    if (shell === "branches" || shell === "checkpoints") {
      const names = await namesOf(shell, context);
      return await context.answer({ names }, () => names.map(oneLine).join("\n"));
    }
    const makeScript = SCRIPTS[shell];
    if (makeScript === undefined) throw new UsageError("Name a shell: bash, zsh or fish.");
    const script = makeScript(verbNames().join(" "));
    return await context.answer({ script }, () => script);
  },
};

/** Asked by the scripts below, whenever somebody presses the key. */
async function namesOf(kind: "branches" | "checkpoints", context: Context): Promise<readonly string[]> {
  return await context.withSpace(async ({ space }) => {
    if (kind === "branches") return (await space.branches.list()).map(({ name }) => name);
    const found = await space.checkpoints.list();
    return found.filter(({ cause }) => cause === "manual").map(({ name }) => `checkpoint:${name}`);
  });
}

const bash = (verbs: string): string => `_cambium() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" = 1 ]; then words="${verbs}"
  else case "$before" in
    merge|branch|--branch|--into|--from) words="$(cambium completion branches 2>/dev/null)" ;;
    rollback|--at) words="$(cambium completion checkpoints 2>/dev/null)" ;;
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _cambium cambium`;

const fish = (verbs: string): string => `complete -c cambium -n __fish_use_subcommand -f -a "${verbs}"
complete -c cambium -n "__fish_seen_subcommand_from merge branch" -f -a "(cambium completion branches 2>/dev/null)"
complete -c cambium -l branch -x -a "(cambium completion branches 2>/dev/null)"
complete -c cambium -n "__fish_seen_subcommand_from rollback" -f -a "(cambium completion checkpoints 2>/dev/null)"`;

const SCRIPTS: Readonly<Record<string, (verbs: string) => string>> = {
  bash,
  zsh: (verbs) => `autoload -U +X bashcompinit && bashcompinit\n${bash(verbs)}`,
  fish,
};
