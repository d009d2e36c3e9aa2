/**
 * Where the passphrase of an archive comes from: a file, standard input, or a question at a terminal. Never from the
 * command line, which other programs can read.
 *
 * @module
 */
import { secretLine } from "./ask.js";
import type { Io } from "./io.js";
import { readText } from "./read-text.js";
import { firstLine, secretText } from "./secret-file.js";
import { UsageError } from "./usage-error.js";

export const PASSPHRASE_OPTION = "--passphrase-file <file>";

/** @returns undefined where none was named and nobody is there to be asked */
export async function statedPassphrase(file: string | undefined, io: Io): Promise<string | undefined> {
  if (file !== undefined) return await passphraseIn(file, io);
  return io.errors.isTerminal ? await secretLine("The passphrase: ", io) : undefined;
}

/** As `statedPassphrase`; what is typed is typed twice. */
export async function newPassphrase(file: string | undefined, io: Io): Promise<string | undefined> {
  if (file !== undefined || !io.errors.isTerminal) return await statedPassphrase(file, io);
  const typed = await secretLine("A passphrase for it: ", io);
  if ((await secretLine("Once more: ", io)) === typed) return typed;
  throw new UsageError("The two are not the same. Nothing was written.", "Try again.");
}

/** Its first line. */
async function passphraseIn(file: string, io: Io): Promise<string> {
  return firstLine(file === "-" ? await readText("-", io) : secretText(file, "the passphrase", io));
}
