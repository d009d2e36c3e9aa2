/**
 * Options that several verbs share, so that each means the same everywhere.
 *
 * @module
 */
import { InvalidArgumentError } from "commander";
import type { OptionTable } from "./option-table.js";

export const spaceOption = <More>(command: OptionTable<More>) =>
  command.option("--space <name>", "space, by name or id");

export const branchOption = <More>(command: OptionTable<More>) =>
  spaceOption(command).option("--branch <name>", "branch, by name or id (default: main)");

export const readOptions = <More>(command: OptionTable<More>) =>
  branchOption(command).option("--at <ref>", 'a state in the past, such as 2026-08-01 or "6 months ago"');

/** For verbs that show sentences about changes; see `withSummaries`. */
export const waitOption = <More>(command: OptionTable<More>) =>
  command.option("--wait", "until the model has written the sentences, if one is set up (at most a minute)");

export const authorOption = <More>(command: OptionTable<More>) =>
  yesOption(agentOption(branchOption(command)));

/** @param who - who it is where nobody is named */
export const agentOption = <More>(command: OptionTable<More>, who = "cli, as the owner") =>
  command.option("--agent <name>", `do it as this agent, with its rights (default: ${who})`);

/** For verbs whose writes the policy may want confirmed. */
export const yesOption = <More>(command: OptionTable<More>) =>
  command.option("--yes", "do not ask for confirmation");

export const writeOptions = <More>(command: OptionTable<More>) => reasonOption(authorOption(command));

export const reasonOption = <More>(command: OptionTable<More>) =>
  command.option("--reason <text>", "why, for the history");

/** For verbs that refuse to keep what looks like a password, key or token. */
export const secretOption = <More>(command: OptionTable<More>) =>
  command.option("--allow-secret", "keep the text although it seems to hold a password, key or token");

export function positiveInteger(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new InvalidArgumentError("Give a whole number from 1.");
  }
  return number;
}

export function unitInterval(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0 && number <= 1)) {
    throw new InvalidArgumentError("Give a number from 0 to 1.");
  }
  return number;
}

export function nonNegative(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0 && number < Number.POSITIVE_INFINITY)) {
    throw new InvalidArgumentError("Give a number from 0.");
  }
  return number;
}

/** For options that may be given several times. */
export const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  value,
];

/** Of the verbs with which a device enters a space. */
export const DEVICE_OPTION = "the name of this device, which others see beside what it writes";
