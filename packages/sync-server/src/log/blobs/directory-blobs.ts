/**
 * Blobs as files of a directory, which all relays on the database see: a network file system, or one machine.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { type BlobStore, blobsFailed, type ListedBlob } from "./blob-store.js";

/** What is being written; a person may delete it. */
const PART = ".part";

export class DirectoryBlobs implements BlobStore {
  readonly where: string;
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
    this.where = `the directory ${dir}`;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.#path(name);
    const part = `${path}-${randomBytes(4).toString("hex")}${PART}`;
    await this.#try(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const file = await open(part, "wx", 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path);
      for (const dir of [dirname(path), this.#dir]) await syncDirectory(dir);
    });
  }

  async get(name: string): Promise<Uint8Array | undefined> {
    return await this.#try(() => readFile(this.#path(name)));
  }

  async delete(name: string): Promise<void> {
    await this.#try(() => rm(this.#path(name)));
  }

  async *list(): AsyncGenerator<ListedBlob> {
    const read = () => readdir(this.#dir, { recursive: true, withFileTypes: true });
    for (const entry of (await this.#try(read)) ?? []) {
      if (!entry.isFile() || entry.name.endsWith(PART)) continue;
      const path = join(entry.parentPath, entry.name);
      const found = await this.#try(() => stat(path));
      const name = relative(this.#dir, path).replaceAll(sep, "/");
      if (found !== undefined) yield { name, sizeBytes: found.size };
    }
  }

  #path(name: string): string {
    return join(this.#dir, ...name.split("/"));
  }

  /** @returns undefined where there is none of that name */
  async #try<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      if (code === "ENOENT") return undefined;
      throw blobsFailed(this.where, code ?? message, cause);
    }
  }
}

async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
