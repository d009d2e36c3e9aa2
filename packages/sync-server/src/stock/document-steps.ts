/**
 * The work on one document of a stock client: its thread takes a step, and what that has made is put into the log.
 *
 * @module
 */
import { sameHeads } from "@cambium/core";
import type { OnEvent } from "../events.js";
import type { AnyAppender } from "../sessions/space-appenders.js";
import { allows, type Member } from "../tokens.js";
import { appendChanges, pieces } from "./log-pieces.js";
import type { Outcome } from "./stock-documents.js";
import type { StockThread } from "./stock-threads.js";
import { letGo, type Synced, type SyncedDocuments } from "./synced-documents.js";

export interface DocumentStepsOptions {
  readonly member: Member;
  readonly documents: SyncedDocuments;
  readonly appender: AnyAppender;
  readonly now: () => number;
  /** A sentence, if a space may not store so many bytes more in a document. */
  readonly quotaRefusal: (space: string, document: string, sizeBytes: number) => Promise<string | undefined>;
  readonly onEvent: OnEvent;
  /** Tells the client. */
  readonly explain: (message: string) => void;
  /** What was taken in, or refused, costs the client as if it had sent so many bytes more. */
  readonly spend: (costBytes: number) => void;
  /** The document is not synced any more. */
  readonly leave: (thread: StockThread, document: string) => void;
  readonly isEnded: () => boolean;
  /** In whose name it is stored, one batch after the other. */
  readonly line: object;
}

/** To find out that something is too large takes as long as to take in this. */
const REFUSED_COST_BYTES = 32 * 1024 * 1024;

export class DocumentSteps {
  readonly #options: DocumentStepsOptions;

  constructor(options: DocumentStepsOptions) {
    this.#options = options;
  }

  /** @returns what a step came to; undefined when it came to nothing, and the client knows */
  async run(
    thread: StockThread,
    document: string,
    synced: Synced,
    data?: Uint8Array,
  ): Promise<Outcome | undefined> {
    const { member, documents, onEvent, explain, leave } = this.#options;
    const mayWrite = allows(member.role, "write");
    const step = { document, mayWrite, ...(data === undefined ? {} : { data }) };
    await documents.catchUp(thread, document, synced);
    let outcome = await thread.run(step);
    if (outcome.again) {
      letGo(synced);
      await documents.catchUp(thread, document, synced);
      outcome = await thread.run({ ...step, apart: true });
    }
    const { failure, setAside } = outcome;
    const { documentId } = synced;
    if (setAside.length > 0)
      onEvent({ level: "error", type: "changes-set-aside", documentId, changes: setAside });
    if (failure === undefined) {
      const addedBytes = outcome.added.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (addedBytes > (data?.length ?? 0)) this.#options.spend(addedBytes);
      return outcome;
    }
    if (failure.code === "TOO_LARGE" && data !== undefined) this.#options.spend(REFUSED_COST_BYTES);
    const error = new Error(failure.message);
    onEvent({ level: "error", type: "document-refused", documentId, error });
    explain(`The relay cannot sync document ${documentId}: ${failure.message}`);
    leave(thread, document);
    return undefined;
  }

  /** @returns whether everything is in the log */
  async store(document: string, synced: Synced, { added, heads }: Outcome): Promise<boolean> {
    const { member, appender, now, line, explain, isEnded } = this.#options;
    const sizeBytes = added.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const full = await this.#options.quotaRefusal(member.space, document, sizeBytes);
    if (full !== undefined) {
      explain(full);
      return false;
    }
    for (const piece of pieces(added)) {
      if (isEnded()) return false;
      const outcome = await appendChanges(appender, { member, line, now }, document, piece);
      if (outcome.kind === "appended") {
        const state = outcome.documents.find((other) => other.document === document);
        // With other heads, the log has something that others gave it meanwhile: that is read from it.
        if (state !== undefined && sameHeads(state.heads, heads)) synced.position = state.position;
        continue;
      }
      if (outcome.kind === "refused")
        explain(`The relay cannot store document ${synced.documentId}: ${outcome.refusal.message}`);
      return false;
    }
    synced.loadedBytes += sizeBytes;
    return true;
  }
}
