/**
 * Which memories a verb is about: the same options, with the same meaning, wherever they are taken.
 *
 * @module
 */
import type { LabelFilter, LabelValues } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { OptionsOf, OptionTable } from "./option-table.js";
import { collect, positiveInteger, readOptions } from "./options.js";
import { type PeriodRead, periodOptions } from "./period-options.js";

const labels = (text: string, earlier?: readonly string[]): LabelValues => collect(text, earlier);

export const labelOptions = <More>(command: OptionTable<More>) =>
  command
    .option("--category <name>", "only this category; repeat it to allow several", labels)
    .option("--tag <tag>", "only with this tag; repeat it to require several", labels)
    .option("--kind <kind>", "only this kind; repeat it to allow several", labels)
    .option("--area <area>", "only this area; repeat it to allow several", labels)
    .option("--not-category <name>", "leave out this category; may be repeated", labels)
    .option("--not-tag <tag>", "leave out what has this tag; may be repeated", labels)
    .option("--not-kind <kind>", "leave out this kind; may be repeated", labels)
    .option("--not-area <area>", "leave out this area; may be repeated", labels);

/** @param did - what its agents have done with what is chosen, such as "wrote" */
export const choiceOptions = <More>(command: OptionTable<More>, did: string) =>
  labelOptions(readOptions(command))
    .option("--by <agent>", `only what this agent ${did}; repeat it to allow several`, labels)
    .option("--not-by <agent>", `leave out what this agent ${did}; may be repeated`, labels);

export const narrowingOptions = <More>(command: OptionTable<More>) =>
  periodOptions(choiceOptions(command, "wrote"), "what happened (if unknown: was written)").option(
    "--valid-at <date>",
    "only what was true at this time; --at selects what was known then",
  );

/** @param most - how many there are at most where nobody says */
export const filterOptions = <More>(command: OptionTable<More>, most: number) =>
  narrowingOptions(command).option("--limit <n>", `at most this many (default: ${most})`, positiveInteger);

/** As the library takes them. */
export const labelsOf = (options: OptionsOf<typeof labelOptions>) => {
  const { category, tag, kind, area, notCategory, notTag, notKind, notArea } = options;
  const not = omitUndefined({ category: notCategory, tag: notTag, kind: notKind, area: notArea });
  return { ...omitUndefined({ category, tag, kind, area }), ...notOf(not) };
};

/** As the library takes them; the period is read apart. */
export function filterOf(
  options: OptionsOf<typeof narrowingOptions> & { readonly limit?: number | undefined },
  { since, until }: Pick<PeriodRead, "since" | "until">,
) {
  const { validAt, at, limit } = options;
  return { ...choiceOf(options), ...omitUndefined({ since, until, validAt, at, limit }) };
}

/** Labels and agents, as the library takes them. */
export function choiceOf({ by: agent, notBy, ...options }: OptionsOf<typeof choiceOptions>) {
  const { not, ...labels } = labelsOf(options);
  return {
    ...{ ...labels, ...notOf({ ...not, ...omitUndefined({ agent: notBy }) }) },
    ...omitUndefined({ agent }),
  };
}

const notOf = (not: LabelFilter): { readonly not?: LabelFilter } =>
  Object.keys(not).length === 0 ? {} : { not };
