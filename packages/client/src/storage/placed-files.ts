/**
 * Whether open files are still where they were opened. A file that was removed, moved or replaced goes on taking writes
 * without a word, and the next process that opens its path finds none of them.
 *
 * @module
 */
import { closeSync, openSync, statSync } from "node:fs";

interface Place {
  readonly path: string;
  /** What identifies the file; undefined until it has been seen. */
  identity: string | undefined;
}

/** Files that somebody else keeps open: as long as they are, the system gives their number to no other. */
export class PlacedFiles {
  readonly #places: readonly Place[];

  /** @param paths - one that is not there yet is known from when it is first seen */
  constructor(paths: readonly string[]) {
    this.#places = paths.map((path) => ({ path, identity: identityOf(path) }));
  }

  /** A sentence about the first that is not in its place. */
  displaced(): string | undefined {
    for (const place of this.#places) {
      const now = identityOf(place.path);
      place.identity ??= now;
      if (now !== place.identity) return displacement(place.path);
    }
    return undefined;
  }
}

/** A directory, kept open for that. */
export class PlacedDirectory {
  readonly #place: PlacedFiles;
  readonly #file: number | undefined;

  constructor(path: string) {
    this.#file = process.platform === "win32" ? undefined : openSync(path, "r"); // directories cannot be opened there
    this.#place = new PlacedFiles([path]);
  }

  displaced(): string | undefined {
    return this.#place.displaced();
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

export const displacement = (path: string): string =>
  `The store is no longer where it was opened: ${path} was removed, moved or replaced.`;

function identityOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  } catch {
    return undefined; // something on the way is no directory any more, or closed to us
  }
}
