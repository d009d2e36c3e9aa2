/**
 * Changes of documents, as a replica sends them to a log.
 *
 * @module
 */
import * as A from "@automerge/automerge";
import { plainChange, readChangeHeader } from "@cambium/core";
import { newDocument } from "@cambium/core/automerge";
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

/** How a pack names a record. */
export const recordName = (name: string): string => name.padStart(64, "0");

/** One replica's copy of a pack. */
export class PackMaker {
  doc: ReturnType<typeof newDocument<"pack">>;
  #sent: readonly string[] = [];

  constructor(actor: string) {
    this.doc = newDocument("pack", actor.repeat(16));
  }

  get heads(): readonly string[] {
    return A.getHeads(this.doc);
  }

  /** @returns the chunks that were not given before, the first one of all packs too */
  write(...names: readonly string[]): readonly Uint8Array[] {
    this.doc = A.change(this.doc, ({ headers }) => {
      for (const name of names) (headers as Record<string, Uint8Array>)[name] = Buffer.from(`sealed ${name}`);
    });
    return this.#more();
  }

  remove(name: string): readonly Uint8Array[] {
    this.doc = A.change(this.doc, ({ headers }) => {
      delete (headers as Record<string, Uint8Array>)[name];
    });
    return this.#more();
  }

  all(): readonly Uint8Array[] {
    return A.getAllChanges(this.doc).map((chunk) => plainChange(chunk, chunkTools));
  }

  #more(): readonly Uint8Array[] {
    const changes = A.getChangesSince(this.doc, [...this.#sent]);
    this.#sent = this.heads;
    return changes.map((chunk) => plainChange(chunk, chunkTools));
  }
}
