/**
 * Secrets that stand in files: read, and a word where others can read them, too.
 *
 * @module
 */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { oneLine, shellWord } from "@cambium/core/text";
import type { Io } from "./io.js";
import { UsageError } from "./usage-error.js";

const OTHERS_MAY = 0o077;

type Where = Pick<Io, "cwd" | "errors">;

/**
 * Warns where others can read a file. It is taken all the same: secrets that a container is given are so, and whoever
 * runs there cannot close them. A pipe has no others.
 *
 * @param what - what it holds, such as "the passphrase"
 */
export function warnOfReaders(file: string, what: string, { cwd, errors }: Where): void {
  if (process.platform === "win32") return;
  const found = statSync(resolve(cwd, file), { throwIfNoEntry: false });
  if (found?.isFile() && (found.mode & OTHERS_MAY) !== 0)
    errors.write(
      `Others on this machine can read ${oneLine(file)}, with ${what}. To close it: chmod go= ${shellWord(file)}\n`,
    );
}

/** The whole text. @throws {UsageError} */
export function secretText(file: string, what: string, io: Where): string {
  try {
    warnOfReaders(file, what, io);
    return readFileSync(resolve(io.cwd, file), "utf8");
  } catch (cause) {
    throw new UsageError(`The file ${file} with ${what} cannot be read.`, (cause as Error).message);
  }
}

export const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? "";
