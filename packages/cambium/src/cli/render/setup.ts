/**
 * What setup would do, or has done.
 *
 * @module
 */

import { oneLine, printable } from "@cambium/core/text";
import { changedLines } from "../../setup/changed-lines.js";
import { LOCAL_URL, type ModelUse } from "../../setup/models.js";
import { backupOf, type Step } from "../../setup/step.js";
import type { Style } from "./style.js";

/** As `--json` tells a step. */
export function stepDocument(step: Step, isDry: boolean): object {
  const { subject, status, file, action, note, error } = step;
  const client = subject.kind === "client" ? { client: subject.id } : {};
  const backup = backupOf(step);
  return {
    ...{ kind: subject.kind, ...client, status, file },
    ...(action === undefined ? {} : { by: action.kind }),
    ...(action?.kind === "command" ? { commands: commandsOf(action) } : {}),
    ...(isDry && action?.kind === "file" ? { changes: linesOf(action) } : {}),
    ...(backup === undefined ? {} : { backup }),
    ...(note === undefined ? {} : { note }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Short, for the question. */
export function plannedText(steps: readonly Step[], style: Style): string {
  return steps.map((step) => stepText(step, true, style)).join("\n");
}

export interface SetupTextOptions {
  /** Nothing is done. */
  readonly isDry: boolean;
  /** The plan stands above already, and a person has agreed to it. */
  readonly wasShown?: boolean;
}

export function setupText(
  steps: readonly Step[],
  { isDry, wasShown }: SetupTextOptions,
  style: Style,
): string {
  if (steps.length === 0) return "Cambium is set up in none of them.";
  const blocks = steps.map((step) => (wasShown ? doneText(step, style) : stepText(step, isDry, style)));
  return [...blocks, ...(isDry ? ["Nothing was changed."] : [])].join("\n");
}

/** What works without a model, and what one would add. */
export function modelsText(uses: readonly ModelUse[], { colors }: Style): string {
  const width = Math.max(...uses.map(({ about }) => about.length));
  const lines = uses.map(({ about, model, example }) => {
    const settings = Object.entries(example).map(([name, value]) =>
      value === LOCAL_URL ? name : `${name}=${value}`,
    );
    const state = model === undefined ? colors.dim(`off  ${settings.join(" ")}`) : `on   ${oneLine(model)}`;
    return `  ${about.padEnd(width)}  ${state}`;
  });
  return [
    "No model is needed. With one of your own there is also:",
    ...lines,
    ...(uses.every(({ model }) => model !== undefined)
      ? []
      : [
          `Set these where your shell and your agents start (docs/recall.md, docs/asking.md). With Ollama, each URL is ${LOCAL_URL}`,
        ]),
  ].join("\n");
}

/** What only the doing tells: how it went, and what to do next. */
function doneText(step: Step, style: Style): string {
  const { error, subject, status } = step;
  const isNew = subject.kind === "client" && (status === "set-up" || status === "updated");
  return [
    `${headOf(step, style, false)}${error === undefined ? wayOf(step) : ""}`,
    ...(error === undefined ? [] : [`  ${oneLine(error.message)}`]),
    ...(error?.hint === undefined ? [] : [`  ${oneLine(error.hint)}`]),
    ...(isNew ? [`  ${subject.afterwards}`] : []),
  ].join("\n");
}

function stepText(step: Step, isDry: boolean, style: Style): string {
  const { colors } = style;
  const { action, note, error, subject, status } = step;
  const backup = backupOf(step);
  const isNew = !isDry && subject.kind === "client" && (status === "set-up" || status === "updated");
  return [
    `${headOf(step, style, isDry)}${error === undefined ? wayOf(step) : ""}`,
    ...(error === undefined ? [] : [`  ${oneLine(error.message)}`]),
    ...(error?.hint === undefined ? [] : [`  ${oneLine(error.hint)}`]),
    ...(isDry && action?.kind === "file"
      ? linesOf(action).map((line) => `    ${painted(printable(line), style)}`)
      : []),
    ...(isDry && action?.kind === "command"
      ? commandsOf(action).map((line) => `    $ ${oneLine(line)}`)
      : []),
    ...(backup === undefined ? [] : [`  ${colors.dim(`as it was: ${oneLine(backup)}`)}`]),
    ...(note === undefined ? [] : [`  ${colors.yellow(oneLine(note))}`]),
    ...(isNew ? [`  ${subject.afterwards}`] : []),
  ].join("\n");
}

const DONE = {
  "set-up": "set up",
  updated: "updated",
  removed: "taken out",
  "already-set-up": "already set up",
  "not-set-up": "not set up",
  failed: "failed",
} as const;

const WOULD = {
  ...DONE,
  "set-up": "would be set up",
  updated: "would be updated",
  removed: "would be taken out",
} as const;

function headOf({ subject, status }: Step, { colors }: Style, isPlanned: boolean): string {
  const word = (isPlanned ? WOULD : DONE)[status];
  const paint =
    status === "failed"
      ? colors.red
      : status.endsWith("set-up") && status !== "set-up"
        ? colors.dim
        : colors.green;
  return `${colors.bold(oneLine(subject.name))}: ${paint(word)}`;
}

function wayOf({ action, file }: Step): string {
  if (action === undefined) return file === "" ? "" : ` (${oneLine(file)})`;
  if (action.kind === "command") return `, by \`${oneLine(action.name)}\``;
  return `, in ${oneLine(file)}`;
}

const commandsOf = (action: Extract<Step["action"], { kind: "command" }>): readonly string[] =>
  action.calls.map((args) => [action.name, ...args].map(quoted).join(" "));

/** As a shell would take it. */
const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const linesOf = ({ replacement }: Extract<Step["action"], { kind: "file" }>): readonly string[] =>
  changedLines(replacement.before, replacement.after);

const painted = (line: string, { colors }: Style): string =>
  line.startsWith("-") ? colors.red(line) : colors.green(line);
