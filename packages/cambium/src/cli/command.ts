/**
 * What a verb is made of: its words, its options, and one function from parsed input to an answer.
 *
 * @module
 */
import type { Command } from "commander";
import type { Answer } from "./answer.js";
import type { Context } from "./context.js";

export interface CommandDefinition<Options = object, Args extends readonly unknown[] = readonly unknown[]> {
  /** Imperative, without a full stop at its end. */
  readonly about: string;
  readonly examples: readonly string[];
  /** Its arguments, and its help, are the business of the command behind it. */
  readonly passesArguments?: true;
  options?(command: Command): Command;
  act(context: Context, args: Args, options: Options): Promise<Answer>;
  /** Prints while it runs, and ends well at Ctrl-C. */
  readonly runsUntilStopped?: true;
}
