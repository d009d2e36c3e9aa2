/**
 * A store of plain files, for those who want to look at them or read them with a stock automerge-repo.
 *
 * A commit is one appended and synced journal line that holds the bytes too. The chunk files are written after
 * it (temporary file, fsync, rename, fsync of the directory), and a transaction cut short there is done again
 * at the next open. The stock adapter reads; it neither syncs nor replaces atomically, so it never writes.
 *
 * One process at a time: the one that opens the store holds the replica's lock.
 *
 * @module
 */
import { statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { NodeFSStorageAdapter } from "@automerge/automerge-repo-storage-nodefs";
import { CambiumError } from "@cambium/core";
import { checksumOf } from "./checksum.js";
import type { StorageKey } from "./chunk-storage.js";
import { type DurableFiles, listFiles, nodeFiles } from "./durable-files.js";
import { FsChunkFiles } from "./fs-chunk-files.js";
import { keyToPath, keyToSafeKey, pathToKey } from "./fs-layout.js";
import { readLines, toLine } from "./fs-log.js";
import { FsState, type ListedChunk } from "./fs-state.js";
import { guardMedium } from "./guard.js";
import { keyToText, type Medium, type MediumState, type StoredChunk, type WriteOperation } from "./medium.js";
import { displacement, PlacedDirectory } from "./placed-files.js";
import type { ReplicaStore, RequestNote } from "./store.js";

export interface FsStoreOptions {
  /** Made, open to its owner only, if it does not exist. Chunks lie in its `documents`, as the stock adapter's. */
  readonly dir: string;
  readonly files?: DurableFiles;
}

/** The journal is folded into the index when it has grown to this. */
const MAX_JOURNAL_BYTES = 8 * 1024 * 1024;
/** Files read at once; the stock adapter would open them all, and run out of handles. */
const READ_BATCH = 64;

/** @throws {CambiumError} STORE_FAILED when the directory cannot be used, SCHEMA_TOO_NEW when a newer version wrote it */
export const openFsStore = async (options: FsStoreOptions): Promise<ReplicaStore> =>
  guardMedium(await openFsMedium(options));

/** The unguarded half of `openFsStore`. */
export async function openFsMedium({ dir, files = nodeFiles }: FsStoreOptions): Promise<Medium> {
  try {
    const medium = new FsMedium(dir, files);
    await medium.open();
    return medium;
  } catch (cause) {
    if (cause instanceof CambiumError) throw cause;
    throw new CambiumError("STORE_FAILED", `The store in ${dir} cannot be opened.`, {
      cause,
      details: { dir },
    });
  }
}

class FsMedium implements Medium {
  initial: MediumState = { rows: [], quarantined: [], retired: [] };
  readonly #files: DurableFiles;
  readonly #state = new FsState();
  readonly #chunkFiles: FsChunkFiles;
  readonly #documents: NodeFSStorageAdapter;
  readonly #paths: Record<"root" | "documents" | "journal" | "index" | "temporaryIndex", string>;
  /** The number of the last transaction. */
  #sequence = 0;
  #journalBytes = 0;
  #damagedLines = 0;
  #root: PlacedDirectory | undefined;
  /** The chunk files of the last commit, being written. */
  #written: Promise<void> = Promise.resolve();

  constructor(dir: string, files: DurableFiles) {
    this.#files = files;
    const documents = join(dir, "documents");
    this.#paths = {
      root: dir,
      documents,
      journal: join(dir, "journal"),
      index: join(dir, "index"),
      temporaryIndex: join(dir, "index.new"),
    };
    this.#documents = new NodeFSStorageAdapter(documents);
    this.#chunkFiles = new FsChunkFiles(dir, documents, files);
  }

  async open(): Promise<void> {
    await this.#chunkFiles.prepare();
    const index = await readText(this.#paths.index);
    const listed = readLines(index ?? "");
    const journal = readLines((await readText(this.#paths.journal)) ?? "");
    // The index is replaced whole; only the journal may end in what was never acknowledged.
    this.#damagedLines = listed.damaged + journal.damaged + (listed.isTorn ? 1 : 0);
    for (const line of listed.lines) {
      this.#sequence = line.sequence;
      for (const operation of line.operations) this.#state.apply(operation);
    }
    const news = journal.lines.filter(({ sequence }) => sequence > this.#sequence);
    for (const { sequence, operations } of news) {
      this.#sequence = sequence;
      // Each line but the last had its files written before the next was begun.
      if (sequence === news.at(-1)?.sequence) await this.#chunkFiles.write(operations, this.#state);
      else for (const operation of operations) this.#state.apply(operation);
    }
    if (index === undefined || this.#damagedLines > 0) await this.#adoptUnlisted();
    await this.#foldJournal();
    this.#root = new PlacedDirectory(this.#paths.root);
    this.initial = this.#state.summary();
  }

  async commit(operations: readonly WriteOperation[]): Promise<void> {
    await this.#written;
    // Its files are opened by their paths, which may lead to another store by now.
    const moved = this.#root?.displaced();
    if (moved !== undefined) throw new Error(moved);
    this.#refuseNestedKeys(operations);
    const line = toLine(this.#sequence + 1, operations);
    await this.#files.append(this.#paths.journal, line);
    if (this.#journalBytes === 0) await this.#files.syncDirectory(this.#paths.root);
    this.#journalBytes += line.length;
    this.#sequence += 1;
    // The rest follows with the files; asked for are notes as soon as they are durable.
    for (const operation of operations) if (operation.type === "request") this.#state.apply(operation);

    this.#written = this.#writeFiles(operations);
    this.#written.catch(() => undefined); // heard at the next commit or read; the journal keeps the bytes
    if (operations.some(({ type }) => type === "remove-document")) await this.#written;
  }

  async read(key: StorageKey): Promise<StoredChunk | undefined> {
    await this.#written;
    const chunk = this.#state.chunk(key);
    return chunk === undefined ? undefined : this.#readChunk(chunk);
  }

  async readRange(prefix: StorageKey): Promise<readonly StoredChunk[]> {
    await this.#written;
    const chunks = this.#state.range(prefix);
    const found: StoredChunk[] = [];
    for (let start = 0; start < chunks.length; start += READ_BATCH) {
      const batch = chunks.slice(start, start + READ_BATCH);
      found.push(...(await Promise.all(batch.map((chunk) => this.#readChunk(chunk)))));
    }
    return found;
  }

  async keys(prefix: StorageKey): Promise<readonly StorageKey[]> {
    await this.#written;
    return this.#state.range(prefix).map(({ key }) => key);
  }

  request(key: string): RequestNote | undefined {
    return this.#state.request(key);
  }

  async inspect(): Promise<readonly string[]> {
    await this.#written;
    const unlisted = await this.#unlistedFiles();
    const lines = `Damaged lines in the index: ${this.#damagedLines}; the rows in them are left out.`;
    return [
      ...(this.#damagedLines > 0 ? [lines] : []),
      ...unlisted.map((path) => `The file documents/${path} is not part of the store.`),
    ];
  }

  displaced(): string | undefined {
    const moved = this.#root?.displaced();
    if (moved !== undefined || this.#journalBytes === 0) return moved;
    // A journal that was removed is begun again by the next line, without those before it.
    const sizeBytes = statSync(this.#paths.journal, { throwIfNoEntry: false })?.size ?? 0;
    return sizeBytes < this.#journalBytes ? displacement(this.#paths.journal) : undefined;
  }

  async close(): Promise<void> {
    try {
      await this.#written;
      if (this.#journalBytes > 0 && this.displaced() === undefined) await this.#foldJournal();
    } finally {
      this.#root?.close();
    }
  }

  async #writeFiles(operations: readonly WriteOperation[]): Promise<void> {
    await this.#chunkFiles.write(operations, this.#state);
    const leavesTraces = operations.some(({ type }) => type === "remove-document");
    if (leavesTraces || this.#journalBytes > MAX_JOURNAL_BYTES) await this.#foldJournal();
  }

  async #foldJournal(): Promise<void> {
    const { root, index, temporaryIndex, journal } = this.#paths;
    const lines = [...this.#state.operations()].map((operation) => toLine(this.#sequence, [operation]));
    const header = toLine(this.#sequence, []); // an empty state has a number, too
    await this.#files.write(temporaryIndex, Buffer.from(header + lines.join("")));
    await this.#files.rename(temporaryIndex, index);
    await this.#files.syncDirectory(root);
    // After a stop here, the numbers tell that the index holds the journal already.
    if ((await readText(journal)) !== undefined) await this.#files.empty(journal);
    this.#journalBytes = 0;
  }

  async #readChunk({ key, checksum }: ListedChunk): Promise<StoredChunk> {
    try {
      const bytes = await this.#documents.load(keyToSafeKey(key));
      return bytes === undefined ? { key, checksum, bytes, unreadable: "missing" } : { key, checksum, bytes };
    } catch {
      return { key, checksum, bytes: undefined, unreadable: "unreadable" };
    }
  }

  /** A directory cannot have the name of a file. Refused before the journal has it, or no open would get past. */
  #refuseNestedKeys(operations: readonly WriteOperation[]): void {
    const keys = operations.filter((operation) => operation.type === "put").map(({ key }) => key);
    const queued = new Set(keys.map(keyToText));
    const isPut = (key: StorageKey) => queued.has(keyToText(key)) || this.#state.chunk(key) !== undefined;
    for (const key of keys) {
      const beneath = this.#state.range(key).some((chunk) => chunk.key.length > key.length);
      const above = key.some((_, length) => length > 0 && isPut(key.slice(0, length)));
      if (beneath || above)
        throw new Error(`Key ${keyToText(key)} lies under another key, or another under it.`);
    }
  }

  async #unlistedFiles(): Promise<readonly string[]> {
    const listed = new Set(this.#state.range([]).map(({ key }) => keyToPath(key)));
    return (await listFiles(this.#paths.documents)).filter((path) => !listed.has(path));
  }

  /** Incremental chunks are named by their SHA-256 and vouch for themselves; others wait in quarantine. */
  async #adoptUnlisted(): Promise<void> {
    for (const path of await this.#unlistedFiles()) {
      const key = pathToKey(path);
      if (key === undefined) continue;
      const checksum = checksumOf(await readFile(join(this.#paths.documents, path)));
      if (key[1] === "incremental" && key[2] === checksum.sha256) {
        this.#state.apply({ type: "put", key, checksum });
        continue;
      }
      const { sizeBytes } = checksum;
      const chunk = { key, documentId: key[0] ?? "", reason: "unlisted", sizeBytes } as const;
      await this.#chunkFiles.write([{ type: "quarantine", chunk }], this.#state);
    }
  }
}

async function readText(path: string): Promise<string | undefined> {
  const exists = await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
  return exists ? readFile(path, "utf8") : undefined;
}
