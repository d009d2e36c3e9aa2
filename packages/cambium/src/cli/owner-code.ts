/**
 * Where the owner's code comes from: a file, the environment, or a question at a terminal. Never from the command line,
 * which other programs can read.
 *
 * @module
 */
import { secretLine } from "./ask.js";
import type { Io } from "./io.js";
import { firstLine, secretText } from "./secret-file.js";
import { UsageError } from "./usage-error.js";

/** @returns undefined where nobody is there to be asked */
export async function statedOwnerCode(file: string | undefined, io: Io): Promise<string | undefined> {
  const path = file ?? nonEmpty(io.env.CAMBIUM_OWNER_CODE_FILE);
  if (path !== undefined) return firstLine(secretText(path, "the code", io));
  const stated = nonEmpty(io.env.CAMBIUM_OWNER_CODE);
  if (stated !== undefined) return stated;
  return io.errors.isTerminal ? await secretLine("The owner's code: ", io) : undefined;
}

/** @throws {UsageError} when nobody is there to type it, or types two different ones */
export async function newOwnerCode(file: string | undefined, io: Io): Promise<string> {
  if (file !== undefined) return firstLine(secretText(file, "the code", io));
  if (!io.errors.isTerminal)
    throw new UsageError("There is no terminal to type a code on.", "Give --new-code-file <path>.");
  const code = await secretLine("The new code: ", io);
  // What is not seen is easily mistyped.
  if (io.input !== process.stdin || (await secretLine("Once more: ", io)) === code) return code;
  throw new UsageError("The two are not the same. Nothing was changed.", "Try again.");
}

const nonEmpty = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
