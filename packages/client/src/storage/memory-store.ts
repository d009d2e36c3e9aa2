/**
 * A store in memory, for tests. It is as strict as the strictest real one: it keeps copies, commits later,
 * refuses keys that a file system cannot hold, and forgets everything that was not committed.
 *
 * @module
 */

import type { Checksum } from "./checksum.js";
import type { StorageKey } from "./chunk-storage.js";
import { guardMedium } from "./guard.js";
import {
  CHUNK_KINDS,
  keyToText,
  type Medium,
  type MediumState,
  type StoredChunk,
  type WriteOperation,
} from "./medium.js";
import { overdueNotes } from "./request-note.js";
import type { DocumentRow, QuarantinedChunk, ReplicaStore, RequestNote } from "./store.js";

/** What outlives the store that writes it, as a disk does. */
export class MemoryDisk {
  /** By key, as text. */
  readonly chunks = new Map<string, { key: StorageKey; checksum: Checksum; bytes: Uint8Array }>();
  /** By document id. */
  readonly rows = new Map<string, DocumentRow>();
  /** By key, as text. */
  readonly quarantine = new Map<string, QuarantinedChunk>();
  /** Document ids. */
  readonly retired = new Set<string>();
  /** By the note's key. */
  readonly requests = new Map<string, RequestNote>();

  /** Changes stored bytes behind the store's back. */
  damage(key: StorageKey, change: (bytes: Uint8Array) => Uint8Array): void {
    const chunk = this.chunks.get(keyToText(key));
    if (chunk !== undefined) chunk.bytes = change(chunk.bytes.slice());
  }
}

/** Opens a store on a disk in memory. Pass the disk of an earlier store to reopen it. */
export const openMemoryStore = (disk: MemoryDisk = new MemoryDisk()): ReplicaStore =>
  guardMedium(openMemoryMedium(disk));

/** The unguarded half of `openMemoryStore`. */
export const openMemoryMedium = (disk: MemoryDisk): Medium => new MemoryMedium(disk);

class MemoryMedium implements Medium {
  readonly initial: MediumState;
  readonly #disk: MemoryDisk;

  constructor(disk: MemoryDisk) {
    this.#disk = disk;
    this.initial = {
      rows: [...disk.rows.values()],
      quarantined: [...disk.quarantine.values()],
      retired: [...disk.retired],
    };
  }

  async commit(operations: readonly WriteOperation[]): Promise<void> {
    this.#refuseNestedKeys(operations);
    for (const operation of operations) this.#apply(operation);
  }

  async read(key: StorageKey): Promise<StoredChunk | undefined> {
    const chunk = this.#disk.chunks.get(keyToText(key));
    return chunk === undefined ? undefined : { ...chunk, bytes: chunk.bytes.slice() };
  }

  async readRange(prefix: StorageKey): Promise<readonly StoredChunk[]> {
    return this.#under(prefix).map((chunk) => ({ ...chunk, bytes: chunk.bytes.slice() }));
  }

  async keys(prefix: StorageKey): Promise<readonly StorageKey[]> {
    return this.#under(prefix).map(({ key }) => key);
  }

  request(key: string): RequestNote | undefined {
    return this.#disk.requests.get(key);
  }

  async inspect(): Promise<readonly string[]> {
    return [];
  }

  displaced(): undefined {
    return undefined;
  }

  async close(): Promise<void> {}

  #under(prefix: StorageKey) {
    const start = keyToText(prefix);
    return [...this.#disk.chunks.values()].filter(({ key }) => keyToText(key).startsWith(start));
  }

  #refuseNestedKeys(operations: readonly WriteOperation[]): void {
    const put = operations.filter((operation) => operation.type === "put").map(({ key }) => keyToText(key));
    const texts = [...this.#disk.chunks.keys(), ...put];
    const nested = put.find((key) =>
      texts.some((other) => other !== key && (other.startsWith(key) || key.startsWith(other))),
    );
    if (nested !== undefined) throw new Error(`Key ${nested} lies under another key, or another under it.`);
  }

  #apply(operation: WriteOperation): void {
    const disk = this.#disk;
    switch (operation.type) {
      case "put": {
        const { key, checksum, bytes } = operation;
        disk.chunks.set(keyToText(key), { key, checksum, bytes: bytes.slice() });
        return;
      }
      case "remove":
        disk.chunks.delete(keyToText(operation.key));
        return;
      case "copy-document": {
        const chunks = CHUNK_KINDS.flatMap((kind) => this.#under([operation.from, kind]));
        for (const chunk of chunks) {
          const key = [operation.to, ...chunk.key.slice(1)];
          disk.chunks.set(keyToText(key), { ...chunk, key });
        }
        return;
      }
      case "remove-range":
        for (const { key } of this.#under(operation.prefix)) disk.chunks.delete(keyToText(key));
        return;
      case "remove-document":
        for (const { key } of this.#under([operation.documentId])) disk.chunks.delete(keyToText(key));
        disk.rows.delete(operation.documentId);
        this.#dropQuarantine(operation.documentId);
        return;
      case "row":
        disk.rows.set(operation.row.documentId, operation.row);
        return;
      case "request": {
        const { note } = operation;
        for (const { key } of overdueNotes(disk.requests.values(), note.at)) disk.requests.delete(key);
        disk.requests.set(note.key, note);
        return;
      }
      case "retire":
        disk.retired.add(operation.documentId);
        return;
      case "quarantine":
        disk.quarantine.set(keyToText(operation.chunk.key), operation.chunk);
        disk.chunks.delete(keyToText(operation.chunk.key));
        return;
      case "drop-quarantine":
        this.#dropQuarantine(operation.documentId);
    }
  }

  #dropQuarantine(documentId: string): void {
    for (const [text, chunk] of this.#disk.quarantine) {
      if (chunk.documentId === documentId) this.#disk.quarantine.delete(text);
    }
  }
}
