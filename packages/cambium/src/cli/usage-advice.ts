/**
 * What to do about a command line that commander does not understand.
 *
 * @module
 */
import type { Command, CommanderError } from "commander";
import { UsageError } from "./usage-error.js";

/**
 * Commander says `error: missing required argument 'id'`, at times with a suggestion in brackets.
 *
 * @param command - the verb, if there is one of that name
 * @param example - how it is called
 */
export function usageErrorFrom(
  { message, code }: CommanderError,
  command: Command | undefined,
  example: string | undefined,
): UsageError {
  // What was typed stands in it, and may have many lines; a suggestion is the last one.
  const [, first = "", suggestion = ""] = /^(?:error: )?([\s\S]*?)(?:\n\(([^()\n]*)\))?$/.exec(message) ?? [];
  const [line = "", ...more] = first.split("\n");
  const sentence = line.charAt(0).toUpperCase() + line.slice(1) + (more.length === 0 ? "" : " …'");
  const help = `Run \`cambium ${command === undefined ? "" : `${command.name()} `}--help\`.`;
  const advice = command === undefined ? [] : (ADVICE[code]?.({ first, suggestion, command, example }) ?? []);
  return new UsageError(
    /[.?!]$/.test(sentence) ? sentence : `${sentence}.`,
    [suggestion, ...advice, help].filter((part) => part !== "").join(" "),
  );
}

interface Misread {
  /** What commander says, without its suggestion. */
  readonly first: string;
  readonly suggestion: string;
  readonly command: Command;
  readonly example: string | undefined;
}

const ADVICE: Readonly<Record<string, (misread: Misread) => readonly string[]>> = {
  "commander.missingArgument": ({ example }) => (example === undefined ? [] : [`For instance: ${example}.`]),
  "commander.excessArguments": ({ command }) =>
    takesWords(command) ? ["Put what has several words in quotation marks."] : [],
  "commander.unknownOption": ({ first, suggestion, command }) => {
    const typed = /'([\s\S]*)'/.exec(first)?.[1] ?? "";
    const isOption = suggestion === "" && !/\s/.test(typed);
    const near = isOption ? nearOptions(typed, command) : [];
    const advice = near.length === 0 ? [] : [`There is ${near.join(" and ")}.`];
    return takesWords(command)
      ? [...advice, `What begins with a dash and is no option stands after --.`]
      : advice;
  },
};

const takesWords = ({ registeredArguments }: Command): boolean => registeredArguments.length > 0;

const MOST_NEAR = 3;

/** Options that share a word with what was typed: `--add-tag` is near `--tag`. */
function nearOptions(typed: string, { options }: Command): readonly string[] {
  const words = wordsOf(typed);
  return options
    .filter(({ hidden, long }) => !hidden && wordsOf(long ?? "").some((word) => words.includes(word)))
    .slice(0, MOST_NEAR)
    .map(({ long }) => long ?? "");
}

const wordsOf = (option: string): readonly string[] =>
  option.split(/[^a-z]+/i).flatMap((word) => (word === "" ? [] : [word.toLowerCase().replace(/s$/, "")]));
