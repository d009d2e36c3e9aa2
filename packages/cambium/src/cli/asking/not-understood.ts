/**
 * What is said when something is not understood.
 *
 * @module
 */
import { omitUndefined, oneLine, shellWord } from "@cambium/core/text";
import { EXAMPLES } from "../../ask/examples.js";
import type { NotUnderstood } from "../../ask/intent.js";
import type { Answer } from "../answer.js";
import type { Context } from "../context.js";

const NOT_UNDERSTOOD_EXIT = 2;
const MOST_SHOWN = 3;

/** Only what there is. */
const named = (lists: Readonly<Record<string, readonly unknown[]>>) =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

/** As a shell takes it, though a sentence of the person is part of it. */
const quoted = (example: string): string =>
  /["$`\\!]/.test(example) ? shellWord(oneLine(example)) : `"${oneLine(example)}"`;

export async function notUnderstoodAnswer(
  written: string,
  { why, near = [], commands = [], isForCommand }: NotUnderstood,
  context: Context,
): Promise<Answer> {
  const examples = EXAMPLES.map(({ operation, says }) => ({ operation, says }));
  const asked = near.map(({ example }) => `cambium ask ${quoted(example)}`);
  const shown = [...commands, ...asked].slice(0, MOST_SHOWN);
  const lines = [
    ...(isForCommand ? [] : [`"${oneLine(written).slice(0, 100)}" was not understood. Nothing was done.`]),
    ...(why === undefined ? [] : [why]),
    ...(shown.length === 0
      ? []
      : [...(isForCommand ? [] : ["Near to it:"]), ...shown.map((line) => `  ${line}`)]),
    "All that can be asked: cambium ask help",
  ];
  const document = {
    understood: false,
    said: written,
    ...omitUndefined({ why }),
    ...named({ near, commands }),
    examples,
  };
  return await context.answer(document, () => lines.join("\n"), NOT_UNDERSTOOD_EXIT);
}
