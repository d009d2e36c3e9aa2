/**
 * What a verb is made of: its words, its options, and one function from parsed input to an answer.
 *
 * @module
 */
import type { Answer } from "./answer.js";
import type { Context } from "./context.js";
import type { DeclareOptions, OptionsOf, OptionTable } from "./option-table.js";

export interface CommandDefinition<
  Declare extends DeclareOptions = DeclareOptions,
  Args extends readonly unknown[] = readonly unknown[],
> {
  /** Imperative, without a full stop at its end. */
  readonly about: string;
  readonly examples: readonly string[];
  /** Its arguments, and its help, are the business of the command behind it. */
  readonly passesArguments?: true;
  /** What stands after its first argument is meant for another verb. */
  readonly passesThrough?: true;
  readonly options?: Declare & ((command: OptionTable) => OptionTable);
  act(context: Context, args: Args, options: OptionsOf<Declare>): Promise<Answer>;
  /** Prints while it runs, and ends well at Ctrl-C. */
  readonly runsUntilStopped?: true;
}
