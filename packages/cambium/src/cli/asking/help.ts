/**
 * What is understood, and what is said when something is not.
 *
 * @module
 */

import { oneLine } from "@cambium/core/text";
import { exampleGroups } from "../../ask/example-groups.js";
import { EXAMPLES } from "../../ask/examples.js";
import type { NotUnderstood } from "../../ask/intent.js";
import type { Answer } from "../answer.js";
import type { Context } from "../context.js";

const NOT_UNDERSTOOD_EXIT = 2;

export async function helpAnswer(context: Context): Promise<Answer> {
  return await context.answer({ examples: EXAMPLES }, () =>
    ["Say it as you would to a person. For instance:", ...exampleGroups(), NOTE].join("\n\n"),
  );
}

export async function notUnderstoodAnswer(
  written: string,
  { why, near = [] }: NotUnderstood,
  context: Context,
): Promise<Answer> {
  const document = {
    understood: false,
    said: written,
    ...(why === undefined ? {} : { why }),
    ...(near.length === 0 ? {} : { near }),
    examples: EXAMPLES.map(({ operation, says }) => ({ operation, says })),
  };
  const quoted = oneLine(written).slice(0, 100);
  const lines = [
    `"${quoted}" was not understood. Nothing was done.`,
    ...(why === undefined ? [] : [why]),
    ...(near.length === 0 ? [] : ["Near to it:", ...near.map(({ example }) => `  cambium ask "${example}"`)]),
    "All that can be asked: cambium ask help",
  ];
  return await context.answer(document, () => lines.join("\n"), NOT_UNDERSTOOD_EXIT);
}

const NOTE =
  "No model reads this: other wordings of these are understood, other things are not. See docs/asking.md.";
