/**
 * The settings in words: in the help, and as they are.
 *
 * @module
 */
import type { FoundSetting } from "./read-settings.js";
import type { Setting } from "./setting.js";
import { SETTING_GROUPS, SETTINGS, variableOf } from "./table.js";

/** A setting as its admin is told of it. */
export interface ShownSetting {
  /** As the option is called, without dashes. */
  readonly name: string;
  /** As it was written. Absent: not set. */
  readonly text?: string | undefined;
  /** Who set it: an option, a variable, a file. Absent: nobody. */
  readonly from?: string | undefined;
}

/** Stands for a secret that is set. */
const HIDDEN = "(set, not shown)";
const GAP = 2;

/** The part of the help about settings. */
export function settingsHelp(): string {
  return Object.entries(SETTING_GROUPS)
    .map(
      ([heading, group]) => `${heading}:\n${columns(Object.entries<Setting<unknown>>(group).map(helpRow))}`,
    )
    .join("\n\n");
}

function helpRow([name, { about, placeholder, standard, isSecret }]: [string, Setting<unknown>]): [
  string,
  string,
] {
  const words = isSecret ? variableOf(name) : `--${name} ${placeholder}`;
  return [words, standard === undefined ? about : `${about} (default: ${standard})`];
}

/** Two columns, indented. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + GAP;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`.trimEnd()).join("\n");
}

/** The directory of the data as it is, also where nobody named one. */
export const withData = (found: readonly FoundSetting[], data: string): readonly FoundSetting[] =>
  found.map((one) => (one.name === "data" ? { ...one, text: data } : one));

/** What a program gets: each with its value as text and who set it. */
export const shownSettings = (found: readonly FoundSetting[]): readonly FoundSetting[] =>
  found.map((one) => {
    const { isSecret, shown } = SETTINGS[one.name];
    if (one.text === undefined || (!isSecret && shown === undefined)) return one;
    return { ...one, text: isSecret ? HIDDEN : shown?.(one.text) };
  });

/** What a person gets: a file that could be written so, with who set what. */
export const settingsText = (shown: readonly ShownSetting[]): string =>
  columns(
    shown.map(({ name, text, from }) => [name, `${text ?? "-"}${from === undefined ? "" : `  (${from})`}`]),
  );
