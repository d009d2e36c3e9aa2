/**
 * Brings the chunk files of the file store in line with a transaction. Doing it twice gives the same files.
 *
 * @module
 */

import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hash } from "../platform/newer-node.js";
import type { StorageKey } from "./chunk-storage.js";
import type { DurableFiles } from "./durable-files.js";
import { keyToPath } from "./fs-layout.js";
import type { LoggedOperation } from "./fs-log.js";
import type { FsState } from "./fs-state.js";
import { keyToText, type WriteOperation } from "./medium.js";

export class FsChunkFiles {
  readonly #documents: string;
  readonly #quarantine: string;
  readonly #temporary: string;
  readonly #files: DurableFiles;
  readonly #known = new Set<string>();

  constructor(root: string, documents: string, files: DurableFiles) {
    this.#documents = documents;
    this.#quarantine = join(root, "quarantine");
    this.#temporary = join(root, "chunk.new");
    this.#files = files;
  }

  /** Makes the directories. */
  async prepare(): Promise<void> {
    for (const directory of [this.#documents, this.#quarantine]) await this.#files.makeDirectory(directory);
  }

  /** Also brings `state`, which stands before these operations, behind them. */
  async write(operations: readonly (WriteOperation | LoggedOperation)[], state: FsState): Promise<void> {
    const context = { state, changed: new Set<string>() };
    for (const operation of operations) {
      await this.#writeOne(operation, context);
      state.apply(operation);
    }
    for (const directory of context.changed) await this.#files.syncDirectory(directory);
  }

  async #writeOne(operation: WriteOperation | LoggedOperation, context: Context): Promise<void> {
    switch (operation.type) {
      case "put":
        return this.#put(operation.key, bytesOf(operation), context);
      case "copy-document":
        return this.#copyDocument(operation, context);
      case "remove":
        return this.#removeFile(this.#chunkPath(operation.key), context);
      case "remove-range":
        return this.#removeUnder(operation.prefix, context);
      case "remove-document":
        await this.#removeUnder([operation.documentId], context);
        return this.#dropQuarantine(operation.documentId, context);
      case "quarantine":
        return this.#setAside(operation.chunk.key, context);
      case "drop-quarantine":
        return this.#dropQuarantine(operation.documentId, context);
      case "row":
      case "retire":
        return; // in the journal and the index only
    }
  }

  async #put(key: StorageKey, bytes: Uint8Array, context: Context): Promise<void> {
    const path = this.#chunkPath(key);
    await this.#changeDirectoryOf(path, context);
    await this.#files.write(this.#temporary, bytes);
    await this.#files.rename(this.#temporary, path);
  }

  /** Files are only ever replaced, never changed, so two names may share one. */
  async #copyDocument({ from, to }: { from: string; to: string }, context: Context): Promise<void> {
    for (const { key } of context.state.copied(from)) {
      const path = this.#chunkPath([to, ...key.slice(1)]);
      await this.#changeDirectoryOf(path, context);
      await this.#files.link(this.#chunkPath(key), path);
    }
  }

  async #removeUnder(prefix: StorageKey, context: Context): Promise<void> {
    for (const { key } of context.state.range(prefix)) await this.#removeFile(this.#chunkPath(key), context);
  }

  /** The first damaged bytes of a key are kept, should it be damaged again. */
  async #setAside(key: StorageKey, context: Context): Promise<void> {
    const [from, to] = [this.#chunkPath(key), this.#quarantinePath(key)];
    if (!(await exists(from))) return;
    if (await exists(to)) return this.#removeFile(from, context);
    await this.#files.rename(from, to);
    context.changed.add(dirname(from)).add(dirname(to));
  }

  async #dropQuarantine(documentId: string, context: Context): Promise<void> {
    for (const { key } of context.state.quarantineOf(documentId)) {
      await this.#removeFile(this.#quarantinePath(key), context);
    }
  }

  async #removeFile(path: string, { changed }: Context): Promise<void> {
    if (!(await exists(path))) return;
    await this.#files.remove(path);
    changed.add(dirname(path));
  }

  async #changeDirectoryOf(path: string, { changed }: Context): Promise<void> {
    const directory = dirname(path);
    if (!this.#known.has(directory)) await this.#files.makeDirectory(directory);
    this.#known.add(directory);
    changed.add(directory);
  }

  #chunkPath(key: StorageKey): string {
    return join(this.#documents, keyToPath(key));
  }

  #quarantinePath(key: StorageKey): string {
    return join(this.#quarantine, hash("sha256", keyToText(key), "hex"));
  }
}

interface Context {
  /** What is listed before the operation at hand. */
  readonly state: FsState;
  /** Directories to sync at the end. */
  readonly changed: Set<string>;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function bytesOf(operation: Extract<WriteOperation | LoggedOperation, { type: "put" }>): Uint8Array {
  return "bytes" in operation ? operation.bytes : Buffer.from(operation.base64 ?? "", "base64");
}
