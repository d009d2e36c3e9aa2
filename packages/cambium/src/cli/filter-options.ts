/**
 * Which memories a verb is about: the same options, with the same meaning, wherever they are taken.
 *
 * @module
 */
import type { LabelFilter, LabelValues } from "@cambium/core";
import { omitUndefined } from "@cambium/core/text";
import type { Command } from "commander";
import { collect, limitOption, type ReadOptions, readOptions } from "./options.js";
import { type PeriodOptions, type PeriodRead, periodOptions } from "./period-options.js";

export interface LabelOptions {
  readonly category?: LabelValues;
  readonly tag?: LabelValues;
  readonly kind?: LabelValues;
  readonly area?: LabelValues;
  readonly notCategory?: LabelValues;
  readonly notTag?: LabelValues;
  readonly notKind?: LabelValues;
  readonly notArea?: LabelValues;
}

export interface ChoiceOptions extends ReadOptions, LabelOptions {
  readonly by?: LabelValues;
  readonly notBy?: LabelValues;
}

export interface FilterOptions extends ChoiceOptions, PeriodOptions {
  readonly validAt?: string;
  readonly limit?: number;
}

export const labelOptions = (command: Command): Command =>
  command
    .option("--category <name>", "only this category; repeat it to allow several", collect)
    .option("--tag <tag>", "only with this tag; repeat it to require several", collect)
    .option("--kind <kind>", "only this kind; repeat it to allow several", collect)
    .option("--area <area>", "only this area; repeat it to allow several", collect)
    .option("--not-category <name>", "leave out this category; may be repeated", collect)
    .option("--not-tag <tag>", "leave out what has this tag; may be repeated", collect)
    .option("--not-kind <kind>", "leave out this kind; may be repeated", collect)
    .option("--not-area <area>", "leave out this area; may be repeated", collect);

/** @param did - what its agents have done with what is chosen, such as "wrote" */
export const choiceOptions = (command: Command, did: string): Command =>
  labelOptions(readOptions(command))
    .option("--by <agent>", `only what this agent ${did}; repeat it to allow several`, collect)
    .option("--not-by <agent>", `leave out what this agent ${did}; may be repeated`, collect);

/** @param most - how many there are at most where nobody says */
export const filterOptions = (command: Command, most: number): Command =>
  periodOptions(choiceOptions(command, "wrote"), "what happened (if unknown: was written)")
    .option("--valid-at <date>", "only what was true at this time; --at selects what was known then")
    .addOption(limitOption(`at most this many (default: ${most})`));

/** As the library takes them. */
export const labelsOf = (options: LabelOptions) => {
  const { category, tag, kind, area, notCategory, notTag, notKind, notArea } = options;
  const not = omitUndefined({ category: notCategory, tag: notTag, kind: notKind, area: notArea });
  return { ...omitUndefined({ category, tag, kind, area }), ...notOf(not) };
};

/** As the library takes them; the period is read apart. */
export function filterOf(options: FilterOptions, { since, until }: Pick<PeriodRead, "since" | "until">) {
  const { validAt, at, limit } = options;
  return { ...choiceOf(options), ...omitUndefined({ since, until, validAt, at, limit }) };
}

/** Labels and agents, as the library takes them. */
export function choiceOf({ by: agent, notBy, ...options }: ChoiceOptions) {
  const { not, ...labels } = labelsOf(options);
  return {
    ...{ ...labels, ...notOf({ ...not, ...omitUndefined({ agent: notBy }) }) },
    ...omitUndefined({ agent }),
  };
}

const notOf = (not: LabelFilter): { readonly not?: LabelFilter } =>
  Object.keys(not).length === 0 ? {} : { not };
