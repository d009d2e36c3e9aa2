/**
 * What a load needs of a client, whichever protocol it speaks. It keeps no document: it knows the hashes of its heads.
 *
 * @module
 */
import type { SharedDocument } from "./shared-document.ts";

export interface ClientOptions {
  readonly url: string;
  /** Unless the server asks for none. */
  readonly token?: string;
  /** 32 hexadecimal digits. */
  readonly documentId: string;
  readonly document: SharedDocument;
  /** Called for every change of somebody else, with its chunk. */
  readonly onSeen?: (chunk: Uint8Array) => void;
}

export interface WritingClient {
  /** Makes a change after all that it has seen, and sends it. @returns its chunk */
  write(text: string): Uint8Array;
  /** Makes another document with one change. @returns once the server has it */
  addDocument(text: string): Promise<void>;
  /** Resolved once somebody's change has arrived, or its own was taken. */
  readonly begun: Promise<void>;
  close(): void;
}
