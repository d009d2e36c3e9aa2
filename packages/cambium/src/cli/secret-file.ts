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

const REFUSALS: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ENOENT: ["does not exist", "Check its path: a relative one begins at the working directory."],
  EISDIR: ["is a folder", "Give a file in it."],
  EACCES: ["may not be read", "Make it a file that you may read."],
  EPERM: ["may not be read", "Make it a file that you may read."],
};

/** The whole text. @throws {UsageError} */
export function secretText(file: string, what: string, io: Where): string {
  try {
    warnOfReaders(file, what, io);
    return readFileSync(resolve(io.cwd, file), "utf8");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    const [why, hint] = REFUSALS[code] ?? [`cannot be read (${code})`, "Give another file."];
    throw new UsageError(`The file ${oneLine(file)}, for ${what}, ${why}.`, hint);
  }
}

export const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0] ?? "";
