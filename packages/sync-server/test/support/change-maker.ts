/**
 * Changes of documents, as a replica sends them to a log.
 *
 * @module
 */
import * as A from "@automerge/automerge";
import { plainChange, readChangeHeader } from "@cambium/core";
import { chunkTools } from "../../src/chunk-tools.js";
import type { LogChange } from "../../src/log/space-log.js";

export type Notes = Record<string, string>;

/** 32 hexadecimal digits, made of one number. */
export const documentHex = (number: number): string => number.toString(16).padStart(4, "0").repeat(8);

/** One replica's copy of a document. */
export class ChangeMaker {
  doc: A.Doc<Notes>;

  constructor(actor: string, doc?: A.Doc<Notes>) {
    const actorId = actor.repeat(16);
    this.doc = doc === undefined ? A.init(actorId) : A.clone(doc, actorId);
  }

  get heads(): readonly string[] {
    return A.getHeads(this.doc);
  }

  /** Changes the document. @returns the chunk, not deflated */
  write(key: string, value: string): Uint8Array {
    this.doc = A.change(this.doc, (notes) => {
      notes[key] = value;
    });
    return plainChange(A.getLastLocalChange(this.doc) as Uint8Array, chunkTools);
  }

  take(chunks: Iterable<Uint8Array>): void {
    this.doc = A.applyChanges(this.doc, [...chunks])[0];
  }

  /** Every change, each after what it depends on. */
  all(): readonly Uint8Array[] {
    return A.getAllChanges(this.doc).map((chunk) => plainChange(chunk, chunkTools));
  }
}

export const logChange = (document: string, bytes: Uint8Array): LogChange => ({
  kind: "change",
  document,
  ...readChangeHeader(bytes, chunkTools),
  bytes,
});
