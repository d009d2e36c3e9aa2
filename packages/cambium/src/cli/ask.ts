/**
 * A question on standard error, answered by a line on standard input.
 *
 * @module
 */

import { onlyStyled } from "@cambium/core/text";
import { Interrupted } from "./failure.js";
import type { Io } from "./io.js";
import { hiddenLine, typedLine } from "./typed-lines.js";
import { UsageError } from "./usage-error.js";

/** Said where a question would have to be asked and nobody could answer it. */
const NO_TERMINAL = "There is no terminal to ask on, and nothing was done.";

/**
 * Returns whether the answer begins with a y.
 *
 * @param shown - what the question is about
 * @param hint - what to do where nobody is there
 * @throws {UsageError} when nobody is there to be asked: a program would wait for ever
 */
export async function isConfirmed(
  shown: string,
  question: string,
  io: Io,
  hint = "Look at the list without --apply, then add --yes.",
): Promise<boolean> {
  if (!io.errors.isTerminal) throw new UsageError(NO_TERMINAL, hint);
  io.errors.write(`${onlyStyled(shown)}\n${onlyStyled(question)} [y/N] `);
  return /^\s*y/i.test(await answerTo(io));
}

const answerTo = (io: Io): Promise<string> => stoppable(io, () => typedLine(io));

/** These questions come before anything is done. */
async function stoppable(io: Io, read: () => Promise<string>): Promise<string> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    io.errors.write("\n");
    throw error.after("Nothing was done.");
  }
}

/**
 * Returns whether exactly this was typed: for what cannot be undone.
 *
 * @throws {UsageError} when nobody is there to be asked
 */
export async function isTyped(
  expected: string,
  shown: string,
  question: string,
  io: Io,
  hint: string,
): Promise<boolean> {
  if (!io.errors.isTerminal) throw new UsageError(NO_TERMINAL, hint);
  io.errors.write(`${onlyStyled(shown)}\n${onlyStyled(question)} `);
  return (await answerTo(io)).trim() === expected;
}

/**
 * Returns which of so many was chosen, counted from 0; undefined for none of them.
 *
 * @param shown - all of them, numbered from 1
 * @throws {UsageError} when nobody is there to be asked
 */
export async function chosenOf(
  count: number,
  { shown, question, io, hint }: { shown: string; question: string; io: Io; hint: string },
): Promise<number | undefined> {
  if (!io.errors.isTerminal) throw new UsageError(NO_TERMINAL, hint);
  io.errors.write(`${onlyStyled(shown)}\n${onlyStyled(question)} [1-${count}, or nothing for none] `);
  const answer = (await typedLine(io)).trim();
  const number = Number(answer);
  return /^\d+$/.test(answer) && number >= 1 && number <= count ? number - 1 : undefined;
}

/** @returns the line that was typed */
export async function typedAnswer(question: string, io: Io): Promise<string> {
  io.errors.write(onlyStyled(question));
  return await typedLine(io);
}

/** @returns the line that was typed, which the terminal does not show */
export async function secretLine(question: string, io: Io): Promise<string> {
  return await stoppable(io, async () => {
    const line = await hiddenLine(io, () => io.errors.write(onlyStyled(question)));
    io.errors.write("\n");
    return line;
  });
}

/** Asks until the answer is one of these, or begins one of them; undefined for none of them. */
export async function oneOf(
  answers: readonly string[],
  { question, io }: { question: string; io: Io },
): Promise<string | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    io.errors.write(`${onlyStyled(question)} [${answers.join("/")}] `);
    const typed = (await typedLine(io)).trim().toLowerCase();
    const chosen = typed === "" ? undefined : answers.find((answer) => answer.startsWith(typed));
    if (chosen !== undefined) return chosen;
    const last = tries + 1 === MOST_TRIES ? " Nothing is decided." : "";
    const wrong = typed === "" ? "Nothing was typed." : `"${typed}" is none of the answers.`;
    io.errors.write(`${onlyStyled(wrong)} Type ${inWords(answers)}, or the first letter of a word.${last}\n`);
  }
  return undefined;
}

const inWords = (answers: readonly string[]): string =>
  `${answers.slice(0, -1).join(", ")} or ${answers.at(-1)}`;

/** Whoever types nothing that fits so often does not want to answer. */
const MOST_TRIES = 3;
