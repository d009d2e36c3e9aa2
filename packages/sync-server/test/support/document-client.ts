/**
 * A well-behaved client for one document: Automerge's own sync over a raw client.
 *
 * @module
 */
import * as A from "@automerge/automerge";
import { documentIdFromHex } from "@cambium/core";
import type { Frame, RawClient } from "./raw-client.js";

export type Notes = Record<string, string>;

/** A valid document id, made of one number. */
export const testDocumentId = (number: number): string =>
  documentIdFromHex(number.toString(16).padStart(4, "0").repeat(8));

export class DocumentClient {
  doc: A.Doc<Notes>;
  readonly #client: RawClient;
  readonly #documentId: string;
  #state = A.initSyncState();

  constructor(client: RawClient, documentId: string, doc: A.Doc<Notes> = A.init()) {
    this.#client = client;
    this.#documentId = documentId;
    this.doc = doc;
    client.onFrame((frame) => this.#receive(frame));
  }

  get heads(): readonly string[] {
    return A.getHeads(this.doc);
  }

  /** Makes a change and sends what there is to send. */
  write(key: string, value: string): void {
    this.doc = A.change(this.doc, (notes) => {
      notes[key] = value;
    });
    this.send();
  }

  send(type: "sync" | "request" = "sync"): void {
    const [state, data] = A.generateSyncMessage(this.doc, this.#state);
    this.#state = state;
    if (data === null) return;
    this.#client.send({ type, senderId: "raw", targetId: "relay", documentId: this.#documentId, data });
  }

  /** Waits for the receipt of exactly what this client has now. */
  receipt(): Promise<Frame> {
    const heads = this.heads.join();
    return this.#client.next(
      "receipt",
      (frame) => frame.documentId === this.#documentId && frame.heads?.join() === heads,
    );
  }

  has(key: string, value: string): Promise<void> {
    return this.#client.until(() => this.doc[key] === value);
  }

  #receive(frame: Frame): void {
    if (frame.type !== "sync" || frame.documentId !== this.#documentId || frame.data === undefined) return;
    [this.doc, this.#state] = A.receiveSyncMessage(this.doc, this.#state, frame.data);
    this.send();
  }
}
