/**
 * Where on this device the folders are that were imported, by the names that sources have of them. A small file that is
 * never synced, exported or archived: a path names the user and their folders, which is nobody else's business. Losing
 * it costs an import of the same folder.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { isCambiumError } from "@cambium/core";
import { type Check, isOne, isText, readShape } from "../platform/plain-shape.js";
import { readPrivateJson, writePrivateFile } from "../platform/private-files.js";

interface NamedFolder {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/** The one that was imported from longest ago goes first. */
const MAX_FOLDERS = 200;

export class ImportFolders {
  readonly #path: string;
  #folders: readonly NamedFolder[] | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Several folders may have one name. The one that was imported from last comes first. */
  find(name: string): readonly string[] {
    return this.#all().flatMap((folder) => (folder.name === name ? [folder.path] : []));
  }

  /** Durable when it returns. */
  put({ name, path }: NamedFolder): void {
    const known = this.#all();
    if (known[0]?.name === name && known[0].path === path) return;
    const others = known.filter((folder) => folder.name !== name || folder.path !== path);
    this.#folders = [{ name, path }, ...others].slice(0, MAX_FOLDERS);
    writePrivateFile(this.#path, JSON.stringify({ v: 1, folders: this.#folders }));
  }

  #all(): readonly NamedFolder[] {
    this.#folders ??= existsSync(this.#path) ? readFolders(this.#path) : [];
    return this.#folders;
  }
}

const isFolder: Check<NamedFolder> = (value): value is NamedFolder =>
  readShape<Record<keyof NamedFolder, unknown>>(value, { name: isText, path: isText }) !== undefined;

const areFolders: Check<readonly NamedFolder[]> = (value): value is readonly NamedFolder[] =>
  Array.isArray(value) && value.every(isFolder);

/** One that is damaged, or of another version, counts as none. */
function readFolders(path: string): readonly NamedFolder[] {
  try {
    const stored = readPrivateJson(path);
    return (
      readShape<{ v: 1; folders: readonly NamedFolder[] }>(stored, { v: isOne, folders: areFolders })
        ?.folders ?? []
    );
  } catch (error) {
    if (isCambiumError(error, "STORE_DAMAGED")) return [];
    throw error;
  }
}
