/**
 * What the file store knows beside the bytes of its chunks: their checksums, rows, requests, quarantine and
 * retired ids.
 * It is the sum of all operations so far.
 *
 * @module
 */

import type { Checksum } from "./checksum.js";
import type { StorageKey } from "./chunk-storage.js";
import { withPosition } from "./document-row.js";
import type { LoggedOperation } from "./fs-log.js";
import { CHUNK_KINDS, keyToText, type MediumState, type WriteOperation } from "./medium.js";
import { overdueNotes } from "./request-note.js";
import type { DocumentRow, QuarantinedChunk, RequestNote } from "./store.js";

export interface ListedChunk {
  readonly key: StorageKey;
  readonly checksum: Checksum;
}

export class FsState {
  readonly #chunksByDocument = new Map<string, Map<string, ListedChunk>>();
  readonly #rowsById = new Map<string, DocumentRow>();
  readonly #quarantineByKey = new Map<string, QuarantinedChunk>();
  readonly #retired = new Set<string>();
  /** In the order in which they were noted. */
  readonly #requestsByKey = new Map<string, RequestNote>();

  apply(operation: LoggedOperation | WriteOperation): void {
    switch (operation.type) {
      case "put": {
        const { key, checksum } = operation;
        this.#chunksOf(key[0]).set(keyToText(key), { key, checksum });
        return;
      }
      case "remove":
        this.#unlist(operation.key);
        return;
      case "copy-document": {
        const { from, to } = operation;
        for (const { key, checksum } of this.copied(from)) {
          this.apply({ type: "put", key: [to, ...key.slice(1)], checksum });
        }
        return;
      }
      case "remove-range":
        for (const { key } of this.range(operation.prefix)) this.#unlist(key);
        return;
      case "remove-document":
        this.#chunksByDocument.delete(operation.documentId);
        this.#rowsById.delete(operation.documentId);
        this.#dropQuarantine(operation.documentId);
        return;
      case "row":
        this.#rowsById.set(operation.row.documentId, withPosition(operation.row));
        return;
      case "request":
        this.#note(operation.note);
        return;
      case "retire":
        this.#retired.add(operation.documentId);
        return;
      case "quarantine":
        this.#quarantineByKey.set(keyToText(operation.chunk.key), operation.chunk);
        this.#unlist(operation.chunk.key);
        return;
      case "drop-quarantine":
        this.#dropQuarantine(operation.documentId);
    }
  }

  /** The operations that make this state of an empty one. */
  *operations(): Iterable<LoggedOperation> {
    // Before the chunks: what was damaged may have been put again under its key, and is whole.
    for (const chunk of this.#quarantineByKey.values()) yield { type: "quarantine", chunk };
    for (const chunks of this.#chunksByDocument.values()) {
      for (const { key, checksum } of chunks.values()) yield { type: "put", key, checksum };
    }
    for (const row of this.#rowsById.values()) yield { type: "row", row };
    for (const note of this.#requestsByKey.values()) yield { type: "request", note };
    for (const documentId of this.#retired) yield { type: "retire", documentId };
  }

  summary(): MediumState {
    return {
      rows: [...this.#rowsById.values()],
      quarantined: [...this.#quarantineByKey.values()],
      retired: [...this.#retired],
    };
  }

  request(key: string): RequestNote | undefined {
    return this.#requestsByKey.get(key);
  }

  chunk(key: StorageKey): ListedChunk | undefined {
    return this.#chunksByDocument.get(key[0] ?? "")?.get(keyToText(key));
  }

  /** Chunks at or under a prefix, in the order in which their keys were first put. */
  range(prefix: StorageKey): readonly ListedChunk[] {
    const [documentId] = prefix;
    if (documentId === undefined)
      return [...this.#chunksByDocument.values()].flatMap((chunks) => [...chunks.values()]);
    const start = keyToText(prefix);
    const chunks = [...(this.#chunksByDocument.get(documentId)?.entries() ?? [])];
    return chunks.filter(([text]) => text.startsWith(start)).map(([, chunk]) => chunk);
  }

  /** The chunks that a copy of a document starts with. */
  copied(documentId: string): readonly ListedChunk[] {
    return CHUNK_KINDS.flatMap((kind) => this.range([documentId, kind]));
  }

  quarantineOf(documentId: string): readonly QuarantinedChunk[] {
    return [...this.#quarantineByKey.values()].filter((chunk) => chunk.documentId === documentId);
  }

  #chunksOf(documentId = ""): Map<string, ListedChunk> {
    const chunks = this.#chunksByDocument.get(documentId) ?? new Map<string, ListedChunk>();
    this.#chunksByDocument.set(documentId, chunks);
    return chunks;
  }

  #note(note: RequestNote): void {
    for (const { key } of overdueNotes(this.#requestsByKey.values(), note.at))
      this.#requestsByKey.delete(key);
    this.#requestsByKey.set(note.key, note);
  }

  #unlist(key: StorageKey): void {
    const chunks = this.#chunksByDocument.get(key[0] ?? "");
    chunks?.delete(keyToText(key));
    if (chunks?.size === 0) this.#chunksByDocument.delete(key[0] ?? "");
  }

  #dropQuarantine(documentId: string): void {
    for (const { key } of this.quarantineOf(documentId)) this.#quarantineByKey.delete(keyToText(key));
  }
}
