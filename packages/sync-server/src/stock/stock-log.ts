/**
 * The logs of spaces as sessions of automerge-repo's protocol need them: whole documents, by automerge-repo's ids.
 *
 * @module
 */
import { documentIdFromHex, documentIdToHex, plainChange, readChangeHeader } from "@cambium/core";
import { markedEntry } from "@cambium/core/wire";
import { chunkTools } from "../chunk-tools.js";
import {
  all,
  type BatchOutcome,
  type DocumentChange,
  type DocumentState,
  type LogItem,
  type SpaceLog,
} from "../log/space-log.js";
import type { AnyAppender } from "../sessions/space-appenders.js";

/** Stored at once. Others have their turn between two pieces of a long upload. */
const PIECE_CHANGES = 256;

/** What the log says of a document without loading it. */
export interface DocumentEntry {
  /** As automerge-repo writes it, in base58. */
  readonly documentId: string;
  readonly heads: readonly string[];
  /** The position of its last entry. */
  readonly seq: number;
}

/** A document with everything that is needed to load it. */
export interface StoredDocument extends DocumentEntry {
  /** Each after what it depends on. */
  readonly changes: readonly Uint8Array[];
}

/** One Automerge change as it was accepted. */
export interface LoggedChange {
  readonly hash: string;
  /** As Automerge encodes it. */
  readonly bytes: Uint8Array;
}

export class StockLog {
  readonly #log: SpaceLog;
  readonly #appender: AnyAppender;

  constructor(log: SpaceLog, appender: AnyAppender) {
    this.#log = log;
    this.#appender = appender;
  }

  /** The position of the last entry in a space's log. */
  async lastSeq(space: string): Promise<number> {
    return (await this.#log.end(space)).position;
  }

  async list(query: {
    readonly space: string;
    readonly afterSeq: number;
    readonly limit: number;
  }): Promise<readonly DocumentEntry[]> {
    const { space, afterSeq: after, limit } = query;
    return (await this.#log.documents({ space, after, limit })).map(toEntry);
  }

  async describe(space: string, documentId: string): Promise<DocumentEntry | undefined> {
    const [state] = await this.#log.describe(space, [documentIdToHex(documentId)]);
    return state && toEntry(state);
  }

  async load(space: string, documentId: string): Promise<StoredDocument | undefined> {
    const entry = await this.describe(space, documentId);
    if (entry === undefined) return undefined;
    const changes = await this.changesAfter(space, documentId, 0);
    return { ...entry, changes: changes.map(({ bytes }) => bytes) };
  }

  async changesAfter(space: string, documentId: string, after: number): Promise<readonly DocumentChange[]> {
    return await all(this.#log.changes({ space, document: documentIdToHex(documentId), after }));
  }

  /** @throws when it is unknown whether they were stored */
  async append(space: string, documentId: string, changes: readonly LoggedChange[]): Promise<BatchOutcome> {
    const document = documentIdToHex(documentId);
    const items = changes.map((change): LogItem => {
      const bytes = plainChange(change.bytes, chunkTools);
      return { kind: "change", document, ...readChangeHeader(bytes, chunkTools), bytes };
    });
    for (let at = 0; ; at += PIECE_CHANGES) {
      const piece = items.slice(at, at + PIECE_CHANGES);
      const outcome = await this.#appender.append({ space, items: piece });
      if (outcome.kind !== "appended" || at + PIECE_CHANGES >= items.length) return outcome;
    }
  }

  /** @throws when it is unknown whether it was stored */
  async fork(
    space: string,
    { documentId, from, heads }: { documentId: string; from: string; heads: readonly string[] },
  ): Promise<BatchOutcome> {
    const ids = { document: documentIdToHex(documentId), from: documentIdToHex(from) };
    const fork = { kind: "fork", ...ids, heads } as const;
    const { hash } = markedEntry(fork, chunkTools);
    return await this.#appender.append({ space, items: [{ ...fork, hash }] });
  }
}

export const toEntry = ({ document, heads, position }: DocumentState): DocumentEntry => ({
  ...{ documentId: documentIdFromHex(document), heads, seq: position },
});
