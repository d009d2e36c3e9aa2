/**
 * The options of `forget`.
 *
 * @module
 */
import { labelOptions } from "./filter-options.js";
import type { OptionsOf, OptionTable } from "./option-table.js";
import { collect, writeOptions } from "./options.js";
import { periodOptions } from "./period-options.js";

export const forgetOptions = (command: OptionTable) =>
  periodOptions(labelOptions(writeOptions(command)), "with --no-trace: what happened (or was written)")
    .option("--by <agent>", "with --no-trace: only what this agent wrote; may be repeated", collect)
    .option("--with-similar", "forget the memories that say the same, too")
    .option("--no-trace", "hide them in the past, too: lists of the past, the log, histories, every branch");

export type ForgetOptions = OptionsOf<typeof forgetOptions>;
