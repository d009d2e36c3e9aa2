/**
 * The few file operations that the file store is made of, each durable when it resolves. Tests replace them, to
 * stop the store at any one of them.
 *
 * @module
 */
import {
  chmod,
  constants,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  truncate,
} from "node:fs/promises";
import { dirname } from "node:path";

export interface DurableFiles {
  /** Appends to a file, which is made if need be. */
  append(path: string, text: string): Promise<void>;
  /** Writes a new file. Its name is durable only after `syncDirectory`. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Puts a file in the place of another at once. Durable after `syncDirectory` of both directories. */
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name, unless that is taken or there is no such file. Durable after `syncDirectory`. */
  link(from: string, to: string): Promise<void>;
  /** Removes a file, if there is one. */
  remove(path: string): Promise<void>;
  /** Makes a directory and those above it, closed to everyone else. */
  makeDirectory(path: string): Promise<void>;
  syncDirectory(path: string): Promise<void>;
  /** Cuts a file to nothing. */
  empty(path: string): Promise<void>;
}

export const nodeFiles: DurableFiles = {
  async append(path, text) {
    await using file = await open(path, "a", 0o600);
    await file.appendFile(text);
    await file.datasync();
  },
  async write(path, bytes) {
    await using file = await open(path, "w", 0o600);
    await file.writeFile(bytes);
    await file.sync();
  },
  rename,
  link: linkOrCopy,
  remove: (path) => rm(path, { force: true }),
  async makeDirectory(path) {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    await chmod(path, 0o700);
    for (let made = path; made.length >= first.length; made = dirname(made))
      await syncDirectory(dirname(made));
  },
  syncDirectory,
  empty: (path) => truncate(path, 0),
};

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOENT") return; // done before; or missing, which reading will say
    await copyFile(from, to, constants.COPYFILE_FICLONE); // a file system without hard links
    await using file = await open(to, "r+");
    await file.sync();
  }
}

async function syncDirectory(path: string): Promise<void> {
  await using directory = await open(path, "r");
  await directory.sync();
}

/** Paths of all files below a directory that may not exist, relative to it. */
export async function listFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => `${entry.parentPath}/${entry.name}`.slice(directory.length + 1));
}

function ignoreMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
