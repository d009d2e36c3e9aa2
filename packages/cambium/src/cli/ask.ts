/**
 * A question on standard error, answered by a line on standard input.
 *
 * @module
 */

import { onlyStyled } from "@cambium/core/text";
import { Interrupted } from "./failure.js";
import type { Io } from "./io.js";
import { UsageError } from "./usage-error.js";

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
  if (!io.errors.isTerminal) throw new UsageError("Nobody is here to be asked.", hint);
  io.errors.write(`${onlyStyled(shown)}\n${onlyStyled(question)} [y/N] `);
  return /^\s*y/i.test(await firstLine(io));
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
  if (!io.errors.isTerminal) throw new UsageError("Nobody is here to be asked.", hint);
  io.errors.write(`${onlyStyled(shown)}\n${onlyStyled(question)} [1-${count}, or nothing for none] `);
  const answer = (await firstLine(io)).trim();
  const number = Number(answer);
  return /^\d+$/.test(answer) && number >= 1 && number <= count ? number - 1 : undefined;
}

/** @returns the line that was typed, which the terminal does not show */
export async function secretLine(question: string, io: Io): Promise<string> {
  io.errors.write(onlyStyled(question));
  const terminal = io.input === process.stdin && process.stdin.isTTY ? process.stdin : undefined;
  terminal?.setRawMode(true);
  try {
    return await firstLine(terminal === undefined ? io : { ...io, input: typedKeys(terminal) });
  } finally {
    terminal?.setRawMode(false);
    io.errors.write("\n");
  }
}

/** A terminal in raw mode leaves it to the program what Backspace, Return and Ctrl-C do. */
async function* typedKeys(keys: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let typed: string[] = [];
  for await (const chunk of keys) {
    for (const key of decoder.decode(chunk, { stream: true })) {
      if (key === "\u0003" || key === "\u0004") throw new Interrupted("SIGINT");
      if (key === "\r" || key === "\n") {
        yield new TextEncoder().encode(`${typed.join("")}\n`);
        return;
      }
      if (key === "\u007f" || key === "\b") typed = typed.slice(0, -1);
      else typed.push(key);
    }
  }
}

async function firstLine({ input, signal }: Io): Promise<string> {
  const interruption = Promise.withResolvers<never>();
  const interrupt = (): void => interruption.reject(new Interrupted(signal.reason));
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt);
  try {
    return await Promise.race([readLine(input), interruption.promise]);
  } finally {
    signal.removeEventListener("abort", interrupt);
  }
}

async function readLine(input: Io["input"]): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of input) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.split("\n", 1)[0] ?? "";
}
