/**
 * A well-behaved stock client for one document: Automerge's own sync over a raw client.
 *
 * @module
 */
import * as A from "@automerge/automerge";
import { type Notes, testDocumentId } from "./document-client.js";
import type { Frame, RawClient } from "./raw-client.js";

export { type Notes, testDocumentId };

export class StockDocument {
  doc: A.Doc<Notes>;
  readonly #client: RawClient;
  readonly #documentId: string;
  #state = A.initSyncState();
  #toldHeads = "";

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

  /** Waits until the relay says that it has exactly what this client has now. */
  stored(): Promise<void> {
    return this.#client.until(() => this.#toldHeads === this.heads.toSorted().join());
  }

  has(key: string, value: string): Promise<void> {
    return this.#client.until(() => this.doc[key] === value);
  }

  #receive(frame: Frame): void {
    if (frame.type !== "sync" || frame.documentId !== this.#documentId || frame.data === undefined) return;
    this.#toldHeads = A.decodeSyncMessage(frame.data).heads.toSorted().join();
    [this.doc, this.#state] = A.receiveSyncMessage(this.doc, this.#state, frame.data);
    this.send();
  }
}
