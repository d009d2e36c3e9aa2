/**
 * Calls that clients may send again, and the changes they wrote. A note of the call goes to disk in the very
 * commit that has its change: before that commit it would make a lost write look done, and after it, a crash
 * between the two would have the write made twice.
 *
 * What the client gave is kept as codes only, made with a key of the space and bound to each other, so that
 * a reader of the file can neither try out what a call said nor see that two calls said the same.
 *
 * @module
 */
import { createHmac } from "node:crypto";
import { type BranchId, CambiumError, type ChangeHash, type DocumentId, type MemoryId } from "@cambium/core";
import type { IdempotencyKey, RequestedChange } from "../api.js";
import type { ReplicaStore, RequestNote } from "../storage/store.js";
import * as A from "./automerge.js";

/** A request as it is kept. */
export type RequestCodes = Pick<RequestNote, "key" | "fingerprint">;

const MAX_KEY_LENGTH = 255;
const CODE_BYTES = 16;

/**
 * @param secret - the space's key for requests
 * @throws {CambiumError} BAD_INPUT
 */
export function requestCodes(secret: Uint8Array, { key, fingerprint }: IdempotencyKey): RequestCodes {
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    const message = `The key of a request has 1 to ${MAX_KEY_LENGTH} characters.`;
    throw new CambiumError("BAD_INPUT", message, { hint: "Take a new random UUID for each call." });
  }
  const code = (...texts: readonly string[]): string =>
    createHmac("sha256", secret).update(JSON.stringify(texts)).digest().toString("base64url", 0, CODE_BYTES);
  return { key: code(key), fingerprint: code(key, fingerprint) };
}

/** @throws {CambiumError} REQUEST_KEY_REUSED when the note is of another call */
export function requestedChange(note: RequestNote, { fingerprint }: RequestCodes): RequestedChange {
  const { change, type, branch, memories, at } = note as RequestNote & {
    readonly change: ChangeHash;
    readonly type: RequestedChange["type"];
    readonly branch: BranchId;
    readonly memories: readonly MemoryId[] | number;
  };
  if (note.fingerprint === fingerprint) return { change, type, branch, memories, at };
  throw new CambiumError("REQUEST_KEY_REUSED", "This key was given to another call; nothing was written.", {
    hint: "Send the call again under a new key.",
    details: { same: false },
  });
}

/**
 * A call writes one change. A caller that comes a second time has either not asked, or asked before the first had
 * written.
 */
export function refuseRepeated(note: RequestNote | undefined, codes: RequestCodes): void {
  if (note === undefined) return;
  const { change, type } = requestedChange(note, codes);
  throw new CambiumError("REQUEST_KEY_REUSED", "This call was already made. It was not repeated.", {
    hint: `It wrote the change ${change}. A new call needs a new key.`,
    details: { same: true, change, type },
  });
}

/** Notes whose changes are made, and not yet saved. */
export class PendingRequests {
  readonly #notes = new Map<DocumentId, RequestNote[]>();

  add(document: DocumentId, note: RequestNote): void {
    this.#notes.set(document, [...(this.#notes.get(document) ?? []), note]);
  }

  find(key: string): RequestNote | undefined {
    for (const notes of this.#notes.values()) {
      const found = notes.find((note) => note.key === key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** To be called in the same transaction in which this state of the document is saved, no matter who saves it. */
  save(document: DocumentId, doc: A.Doc<unknown>, store: ReplicaStore): void {
    const notes = this.#notes.get(document);
    if (notes === undefined) return;
    const later = notes.filter((note) => !A.hasHeads(doc, [note.change]));
    for (const note of notes) if (!later.includes(note)) store.noteRequest(note);
    if (later.length > 0) this.#notes.set(document, later);
    else this.#notes.delete(document);
  }

  /** The same for a document whose changes were made again: they are in it, under other hashes. */
  saveReplaced(document: DocumentId, store: ReplicaStore): void {
    for (const note of this.#notes.get(document) ?? []) store.noteRequest(note);
    this.#notes.delete(document);
  }
}
