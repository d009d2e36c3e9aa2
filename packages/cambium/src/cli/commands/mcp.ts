import { TOOL_SETS, toolSetOf } from "../../mcp/settings.js";
import type { Answer } from "../answer.js";
import type { CommandDefinition } from "../command.js";
import { choice, type OptionTable } from "../option-table.js";
import { branchOption } from "../options.js";

const NOTHING: Answer = { document: undefined, text: "", exit: 0 };

const options = (command: OptionTable) =>
  branchOption(command)
    .addOption(choice("--tools <set>", "which tools to offer (default: lean, or CAMBIUM_TOOLS)", TOOL_SETS))
    .option("--agent <name>", "author of writes (default: the name of the client)");

export const mcp: CommandDefinition<typeof options> = {
  about: "Serve memory to an agent over the Model Context Protocol, on standard input and output",
  examples: [
    "claude mcp add cambium -- cambium mcp",
    "CAMBIUM_TOOLS=full cambium mcp",
    "cambium mcp --space notes --branch work-persona",
  ],
  options,
  runsUntilStopped: true,
  act: async (context, _args, { tools, space, branch, agent }) => {
    const { io } = context;
    const { cwd, userHome, env } = io;
    const [{ explainPinned, findBinding, openPinnedBranch }, { serveOverStdio }] = await Promise.all([
      import("../../workspace/binding.js"),
      import("../../mcp/stdio.js"),
    ]);
    const binding = findBinding({ cwd, userHome, env, space, branch });
    const tell = (message: string): void => io.errors.write(`cambium: ${message}\n`);
    const settings = {
      tools: tools ?? toolSetOf(env.CAMBIUM_TOOLS),
      space: binding.space?.value,
      branch: (opened: Parameters<typeof openPinnedBranch>[1]) =>
        openPinnedBranch(binding.branch, opened, (name) => tell(`made the branch ${name} for this worktree`)),
      agent: agent ?? (env.CAMBIUM_AGENT || undefined),
      explain: (error: unknown) => explainPinned(error, binding),
    };
    if (process.stdin.isTTY)
      tell("waiting for an MCP client on standard input; agents start this by themselves. Ctrl-C ends it.");
    await context.withReplica(
      (replica) =>
        serveOverStdio({
          ...{ replica, settings, now: io.now, signal: io.signal },
          input: process.stdin,
          output: process.stdout,
          onError: ({ message }) => tell(message),
        }),
      { vectors: true, summaries: true },
    );
    return NOTHING;
  },
};
