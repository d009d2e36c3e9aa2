/**
 * Commander, set up: every verb by name for `--help`, and in full only the one that is called.
 *
 * @module
 */
import { Command, CommanderError, Option } from "commander";
import type { CommandDefinition } from "./command.js";
import type { ContextOptions } from "./context.js";
import { refuseEmpty } from "./empty-argument.js";
import { firstSteps } from "./first-steps.js";
import type { Io } from "./io.js";
import type { OptionTable } from "./option-table.js";
import { showText } from "./page.js";
import { withoutSynonyms } from "./synonyms.js";
import { usageErrorFrom } from "./usage-advice.js";
import { isVerb, loadVerb, VERB_GROUPS } from "./verbs.js";

export type RunDefinition = (
  definition: CommandDefinition,
  args: readonly unknown[],
  options: ContextOptions,
) => Promise<void>;

/** @throws {UsageError} when the arguments are not understood */
export async function runProgram(
  typed: readonly string[],
  io: Io,
  runDefinition: RunDefinition,
): Promise<void> {
  const words = withoutSynonyms(typed);
  // Commander has no words for help of a verb that is not there; of the verb itself it has.
  const argv = words[0] === "help" && words[1] !== undefined && !isVerb(words[1]) ? words.slice(1) : words;
  if (argv.length === 0) {
    await showText(`${overview(io)}\n`, io);
    return;
  }
  const called = calledVerb(argv);
  const definition = await loadVerb(called);
  if (definition?.passesArguments) {
    const rest = argv[0] === "help" ? ["--help"] : argv.toSpliced(argv.indexOf(called ?? ""), 1);
    return await runDefinition(definition, rest, { json: rest.includes("--json") } as ContextOptions);
  }
  const help: string[] = [];
  const program = emptyProgram(io, help);
  for (const [heading, verbs] of VERB_GROUPS) {
    program.commandsGroup(`${heading}:`);
    for (const [synopsis, summary] of verbs) {
      const command = program.command(synopsis).summary(summary).description(summary);
      if (command.name() === called && definition !== undefined) {
        define(command, definition, runDefinition);
        if (asksForHelp(argv)) (await import("./option-groups.js")).groupOptions(command);
      }
    }
  }
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const command = program.commands.find((one) => one.name() === called);
    if (error.exitCode !== 0) throw usageErrorFrom(error, command, definition?.examples[0]);
  }
  await showText(help.join(""), io);
}

const HEADING_COLUMNS = 18;

/** What fits on a screen: the verbs by name. */
function overview(io: Io): string {
  const groups = VERB_GROUPS.map(([heading, verbs]) => {
    const names = verbs.map(([synopsis]) => synopsis.split(" ", 1)[0]);
    return `  ${heading.padEnd(HEADING_COLUMNS)}${names.join(" ")}`;
  });
  return [
    "Cambium: versioned memory for AI agents",
    "",
    ...groups,
    "",
    "`cambium --help` says what each does, and `cambium <verb> --help` has examples.",
    "",
    ...firstSteps(io),
  ].join("\n");
}

/** @param help - takes what commander prints */
function emptyProgram(io: Io, help: string[]): Command {
  return new Command("cambium")
    .description("Versioned memory for AI agents: it branches, merges, travels in time, and syncs")
    .option("-V, --version", "print the version")
    .enablePositionalOptions()
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [verb]", "print the help of a verb")
    .configureHelp({ helpWidth: Math.min(io.output.columns ?? 100, 110) })
    .configureOutput({
      writeOut: (text) => void help.push(text),
      // Usage errors are reported like all others, by the code that catches them.
      writeErr: () => undefined,
    })
    .exitOverride()
    .addHelpText("after", () => [PROGRAM_NOTES, ...firstSteps(io)].join("\n"));
}

const PROGRAM_NOTES = `
Every verb has --help with examples, and --json for one document on standard output. --json, --yes,
--space, --branch and --agent may stand before the verb.

Environment:
  CAMBIUM_HOME     where the memory of this device lives (default: ~/.cambium)
  CAMBIUM_SPACE    the space to use, when there are several
  CAMBIUM_BRANCH   the branch to use (default: main)
  CAMBIUM_AGENT    the agent writes are by, with an agent's rights (default: cli, with yours)
  CAMBIUM_DEVICE   what this device is called when its memory is made (default: the machine's name)
  CAMBIUM_DAEMON   off: open the memory in the command itself, not through the daemon
  CAMBIUM_PAGER    the program that shows what is longer than the screen (default: PAGER, then less;
                   cat or --no-pager: none)
  NO_COLOR         print without colours

  A directory may pin space and branch by a file .cambium.json, for all beneath it (docs/setup.md).

  Recall finds meanings as well as words once these name something that makes vectors (docs/recall.md):
  CAMBIUM_EMBEDDINGS_URL    an endpoint such as http://localhost:11434, or in-process
  CAMBIUM_EMBEDDINGS_MODEL  its model
  CAMBIUM_EMBEDDINGS_KEY    its key, if it wants one

  Sentences about changes are written by a model once these name one (docs/versions.md):
  CAMBIUM_SUMMARIES_URL     an endpoint such as http://localhost:11434
  CAMBIUM_SUMMARIES_MODEL   its model
  CAMBIUM_SUMMARIES_KEY     its key, if it wants one

  A text that is not kept any more is read again in your e-mail once these name it (docs/retention.md):
  CAMBIUM_IMAP_URL            such as imaps://you%40example.org@imap.example.org/INBOX
  CAMBIUM_IMAP_PASSWORD_FILE  a file with the password that only you may read

  What ask does not know is read by a model once these name one (docs/asking.md):
  CAMBIUM_ASK_URL           an endpoint such as http://localhost:11434
  CAMBIUM_ASK_MODEL         its model
  CAMBIUM_ASK_KEY           its key, if it wants one

Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 conflict open, 5 refused, 6 stored data damaged
`;

function define(command: Command, definition: CommandDefinition, runDefinition: RunDefinition): void {
  command.description(definition.about).helpOption("-h, --help", "print this help");
  definition.options?.(command as unknown as OptionTable);
  if (definition.passesThrough) command.passThroughOptions();
  command.option("--json", "print one JSON document");
  // Scripts say it everywhere; where nothing is asked it is no mistake.
  if (!command.options.some(({ long }) => long === "--yes"))
    command.addOption(new Option("--yes").hideHelp());
  // Of every verb that may act for the owner; told by `cambium policy --help`.
  command.addOption(new Option("--owner-code-file <path>", "a file with the owner's code").hideHelp());
  const examples = definition.examples.map((example) => `  $ ${example}`).join("\n");
  command.addHelpText("after", `\nExamples:\n${examples}`);
  command.action(async () => {
    const { processedArgs: args, registeredArguments } = command;
    const options = command.opts<ContextOptions>();
    refuseEmpty(command.name(), {
      ...options,
      ...Object.fromEntries(registeredArguments.map((argument, at) => [argument.name(), args[at]])),
    });
    await runDefinition(definition, args, options);
  });
}

const asksForHelp = ([first, ...words]: readonly string[]): boolean =>
  first === "help" || words.some((word) => word === "--help" || word === "-h");

function calledVerb(argv: readonly string[]): string | undefined {
  const words = argv.filter((word) => !word.startsWith("-"));
  return words[0] === "help" ? words[1] : words[0];
}
