/**
 * The order in which `--help` lists options: first what only this verb has, last what most have.
 *
 * @module
 */
import { MEMORY_FIELDS, MEMORY_NOTES } from "@cambium/core/state-fields";
import type { Command, Option } from "commander";

const OWN = "Options:";
const FIELDS = "Fields of the memory:";
const FILTERS = "Which ones:";
const COMMON = "Common options:";

const GROUPS: readonly string[] = [OWN, FIELDS, FILTERS, COMMON];

const COMMON_FLAGS: ReadonlySet<string> = new Set([
  ...["--space", "--branch", "--at", "--agent", "--reason", "--yes", "--json", "--help"],
]);

const FILTER_FLAGS: ReadonlySet<string> = new Set([
  ...["--category", "--tag", "--kind", "--area", "--by", "--id", "--query", "--type"],
  ...["--not-category", "--not-tag", "--not-kind", "--not-area", "--not-by"],
  ...["--since", "--until", "--on", "--valid-at"],
]);

const FIELD_FLAGS: ReadonlySet<string> = new Set(
  [...Object.values(MEMORY_FIELDS), ...Object.values(MEMORY_NOTES)].flatMap((definition) =>
    "option" in definition ? (definition.option.flags.split(" ", 1)[0] ?? []) : [],
  ),
);

export function groupOptions(command: Command): void {
  // The array that commander keeps: its help follows the order in it.
  const options = command.options as Option[];
  const has = (flag: string): boolean => options.some(({ long }) => long === flag);
  const [isWriting, isChoosing] = [has("--pin"), has("--not-tag")];
  const groupOf = ({ long }: Option): string => {
    const flag = long ?? "";
    if (COMMON_FLAGS.has(flag)) return COMMON;
    if (isWriting && FIELD_FLAGS.has(flag)) return FIELDS;
    return isChoosing && FILTER_FLAGS.has(flag) ? FILTERS : OWN;
  };
  for (const option of options) option.helpGroup(groupOf(option));
  options.sort((a, b) => GROUPS.indexOf(groupOf(a)) - GROUPS.indexOf(groupOf(b)));
}
