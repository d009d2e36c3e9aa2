/**
 * Directories that only their owner may enter.
 *
 * @module
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { CambiumError } from "@cambium/core/errors";

const PRIVATE_DIRECTORY = 0o700;

/**
 * Makes a directory, and those above it that are missing.
 *
 * @param remedy - what to do when it cannot be made
 * @throws {CambiumError} STORE_FAILED
 */
export function makePrivateDirectory(
  path: string,
  remedy = "Make the directory above it writable for you, or set CAMBIUM_HOME to another place.",
): void {
  try {
    makeWithParents(path);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why =
      code === "EEXIST" || code === "ENOTDIR"
        ? "a file, or a link that leads nowhere, stands in its place or above it"
        : message;
    throw new CambiumError("STORE_FAILED", `The directory ${path} cannot be made: ${why}.`, {
      hint: remedy,
      cause,
    });
  }
}

/** Node's `recursive` would try for ever where a parent that is there says that it is not, as `/proc` does. */
function makeWithParents(path: string): void {
  if (isDirectory(path)) return;
  try {
    mkdirSync(path, { mode: PRIVATE_DIRECTORY });
  } catch (error) {
    if (isDirectory(path)) return; // somebody else was faster
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || existsSync(parent)) throw error;
    makeWithParents(parent);
    makeWithParents(path);
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false; // a link to itself, a name that is too long: making it says so
  }
}
