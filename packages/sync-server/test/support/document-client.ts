/**
 * A well-behaved client for one document, over a client of the log protocol.
 *
 * @module
 */
import * as A from "@automerge/automerge";
import { documentIdFromHex, documentIdToHex, plainChange } from "@cambium/core";
import type { ReceiptFrame } from "@cambium/core/wire";
import { chunkTools } from "../../src/chunk-tools.js";
import type { LogClient } from "./log-client.js";

export type Notes = Record<string, string>;

/** A valid document id, made of one number. */
export const testDocumentId = (number: number): string =>
  documentIdFromHex(number.toString(16).padStart(4, "0").repeat(8));

export class DocumentClient {
  doc: A.Doc<Notes>;
  readonly #client: LogClient;
  readonly #document: string;
  #sent: readonly string[] = [];
  #taken = 0;
  #last: number | undefined;

  constructor(client: LogClient, documentId: string, doc: A.Doc<Notes> = A.init()) {
    this.#client = client;
    this.#document = documentIdToHex(documentId);
    this.doc = doc;
    client.onEntries(() => this.#take());
    this.#take();
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

  send(): void {
    const chunks = A.getChangesSince(this.doc, [...this.#sent]);
    this.#sent = this.heads;
    this.#last = this.#client.batch(
      chunks.map((chunk) => ({
        kind: "change",
        document: this.#document,
        chunk: plainChange(chunk, chunkTools),
      })),
    );
  }

  /** Waits for the receipt of what was sent last. */
  async receipt(): Promise<ReceiptFrame> {
    const answer = await this.#client.answer(this.#last ?? 0);
    if (answer.type === "refused") throw new Error(`${answer.code}: ${answer.message}`);
    return answer;
  }

  has(key: string, value: string): Promise<void> {
    return this.#client.until(() => this.doc[key] === value);
  }

  #take(): void {
    const chunks = this.#client.chunksOf(this.#document);
    const heads = this.heads;
    this.doc = A.applyChanges(this.doc, chunks.slice(this.#taken))[0];
    this.#taken = chunks.length;
    if (this.#sent.join() === heads.join()) this.#sent = this.heads;
  }
}
