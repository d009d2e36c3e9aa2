/**
 * Directories that only their owner may enter.
 *
 * @module
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

const PRIVATE_DIRECTORY = 0o700;

/**
 * Makes a directory, and those above it that are missing. Node's `recursive` would try for ever where a parent that is
 * there says that it is not, as `/proc` does.
 */
export function makePrivateDirectory(path: string): void {
  if (isDirectory(path)) return;
  try {
    mkdirSync(path, { mode: PRIVATE_DIRECTORY });
  } catch (error) {
    if (isDirectory(path)) return; // somebody else was faster
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || existsSync(parent)) throw error;
    makePrivateDirectory(parent);
    makePrivateDirectory(path);
  }
}

const isDirectory = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
