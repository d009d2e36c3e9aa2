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

/** As a shell takes it, though a sentence of the person is part of it. */
const quoted = (example: string): string =>
  /["$`\\!]/.test(example) ? shellWord(oneLine(example)) : `"${oneLine(example)}"`;

export async function notUnderstoodAnswer(
  written: string,
  { why, near }: NotUnderstood,
  context: Context,
): Promise<Answer> {
  const examples = EXAMPLES.map(({ operation, says }) => ({ operation, says }));
  const lines = [
    `"${oneLine(written).slice(0, 100)}" was not understood. Nothing was done.`,
    ...(why === undefined ? [] : [why]),
    ...(near === undefined
      ? []
      : ["Near to it:", ...near.map(({ example }) => `  cambium ask ${quoted(example)}`)]),
    "All that can be asked: cambium ask help",
  ];
  const document = { understood: false, said: written, ...omitUndefined({ why, near }), examples };
  return await context.answer(document, () => lines.join("\n"), NOT_UNDERSTOOD_EXIT);
}
